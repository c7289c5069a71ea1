//! Moves played on plain data: for tools that walk through many games without an engine.
//!
//! Legality is the caller's; what cannot be a move at all is refused and changes nothing.

use super::{Placement, chess, decode, encode, xiangqi};
use crate::engine::Game;

/// Flags of a chess move, from bit 12.
const CASTLING: u16 = 1;
const EN_PASSANT: u16 = 2;
/// From here on the promotion to the knight and the kinds after it.
const PROMOTION: u16 = 4;

const PAWN: usize = 0;
const KNIGHT: usize = 1;
const ROOK: usize = 3;

/// A raw move that nothing on the board can make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchMove(pub u16);

impl std::fmt::Display for NoSuchMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no piece can make the move {:#06x}", self.0)
    }
}

impl std::error::Error for NoSuchMove {}

/// A raw move taken apart.
struct Parts {
    from: usize,
    to: usize,
    flags: u16,
}

fn parts(game: Game, mv: u16) -> Parts {
    match game {
        Game::Chess => Parts {
            from: (mv & 63) as usize,
            to: (mv >> 6 & 63) as usize,
            flags: mv >> 12,
        },
        Game::Xiangqi => Parts {
            from: (mv & 127) as usize,
            to: (mv >> 7 & 127) as usize,
            flags: 0,
        },
    }
}

impl Placement {
    /// Whether the king of the side to move is attacked. False without a king.
    pub fn in_check(&self) -> bool {
        match self.game {
            Game::Chess => chess::in_check(self),
            Game::Xiangqi => xiangqi::in_check(self),
        }
    }

    /// Whether a move of this position takes or promotes.
    pub fn is_tactical(&self, mv: u16) -> bool {
        let parts = parts(self.game, mv);
        let takes = self.squares.get(parts.to).is_some_and(|&code| code != 0);
        parts.flags & PROMOTION != 0 || parts.flags == EN_PASSANT || (takes && parts.flags != CASTLING)
    }

    /// The squares that a move leaves and reaches.
    pub fn move_squares(&self, mv: u16) -> (usize, usize) {
        let parts = parts(self.game, mv);
        (parts.from, parts.to)
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// When there is no piece of the mover on the origin, or one of its own on the target (castling apart), or a
    /// square lies beyond the board. The position is unchanged then.
    pub fn apply(&mut self, mv: u16) -> Result<(), NoSuchMove> {
        let parts = parts(self.game, mv);
        self.check(&parts).ok_or(NoSuchMove(mv))?;
        self.clock = self.clock.saturating_add(1);
        self.ep = None;
        if parts.flags == CASTLING {
            self.castle(&parts);
        } else {
            self.step(&parts);
        }
        self.move_number += u32::from(self.stm);
        self.stm = 1 - self.stm;
        if self.game == Game::Chess {
            self.offer_en_passant(&parts);
        }
        Ok(())
    }

    fn check(&self, parts: &Parts) -> Option<()> {
        let own = |square: usize| {
            let code = *self.squares.get(square)?;
            Some(code != 0 && decode(code).1 == self.stm as usize)
        };
        let pawn_like = matches!(parts.flags, EN_PASSANT | PROMOTION..);
        let fits = own(parts.from)? && own(parts.to)? == (parts.flags == CASTLING) && parts.from != parts.to;
        (fits && (!pawn_like || decode(self.squares[parts.from]).0 == PAWN)).then_some(())
    }

    /// Every move that is not castling.
    fn step(&mut self, parts: &Parts) {
        let code = self.squares[parts.from];
        let (kind, color) = decode(code);
        let target = if parts.flags == EN_PASSANT {
            parts.to ^ 8
        } else {
            parts.to
        };
        let takes = self.squares[target] != 0;
        if takes || (self.game == Game::Chess && kind == PAWN) {
            self.clock = 0;
        }
        self.squares[target] = 0;
        self.squares[parts.from] = 0;
        self.squares[parts.to] = match parts.flags.checked_sub(PROMOTION) {
            Some(kind) => encode(KNIGHT + usize::from(kind & 3), color),
            None => code,
        };
        if self.game == Game::Chess {
            self.drop_rights(parts, kind == chess::KING);
        }
    }

    fn castle(&mut self, parts: &Parts) {
        let (king, color) = decode(self.squares[parts.from]);
        let base = parts.from / 8 * 8;
        let (king_to, rook_to) = if parts.to > parts.from { (6, 5) } else { (2, 3) };
        self.squares[parts.from] = 0;
        self.squares[parts.to] = 0;
        self.squares[base + king_to] = encode(king, color);
        self.squares[base + rook_to] = encode(ROOK, color);
        self.castling[color] = [None; 2];
    }

    /// A king that moves and a rook that moves or is taken end the right to castle.
    fn drop_rights(&mut self, parts: &Parts, king_moves: bool) {
        if king_moves {
            self.castling[self.stm as usize] = [None; 2];
        }
        for (color, base) in [(0, 0), (1, 56)] {
            for right in &mut self.castling[color] {
                if right.is_some_and(|file| matches!(base + usize::from(file), s if s == parts.from || s == parts.to)) {
                    *right = None;
                }
            }
        }
    }

    /// After a double step of the side that has just moved: the square behind the pawn, if it can be taken there.
    fn offer_en_passant(&mut self, parts: &Parts) {
        let double = parts.from ^ parts.to == 16 && parts.flags == 0 && decode(self.squares[parts.to]).0 == PAWN;
        if double {
            let square = (parts.from + parts.to) / 2;
            self.ep = chess::en_passant_usable(self, square).then_some(square as u8);
        }
    }
}
