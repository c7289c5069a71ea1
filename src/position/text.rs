//! Moves as people and GUIs write them.
//!
//! A raw move holds origin, target and, in chess, flags above them (`core/chess/moves.rs` is their home); castling is
//! held as king takes rook.

use std::fmt;

use super::Geometry;
use crate::engine::Game;

/// The pass of UCI.
pub const PASS_TEXT: &str = "0000";

/// Flags of a chess move, from bit 12.
mod flags {
    pub const CASTLING: u16 = 1;
    /// From here on the promotion to `PROMOTIONS[flags - PROMOTION]`.
    pub const PROMOTION: u16 = 4;
}

/// Letters of promotions in the order of their flags.
const PROMOTIONS: [char; 4] = ['n', 'b', 'r', 'q'];

/// Why a move text was not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveTextError {
    /// Not written as a move.
    Malformed(String),
    /// No legal move is written so.
    Illegal(String),
    /// A pass while in check.
    PassInCheck,
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveTextError::Malformed(text) => write!(f, "'{text}' is no move"),
            MoveTextError::Illegal(text) => write!(f, "'{text}' is not legal"),
            MoveTextError::PassInCheck => f.write_str("no pass in check"),
        }
    }
}

const fn square_bits(game: Game) -> u32 {
    match game {
        Game::Chess => 6,
        Game::Xiangqi => 7,
    }
}

/// The raw form of a pass (`Move::NULL` of the copies).
pub const fn pass(game: Game) -> u16 {
    1 | 1 << square_bits(game)
}

/// A square by its file and rank.
pub fn square_text(game: Game, square: usize) -> String {
    let geometry = Geometry::of(game);
    let file = (b'a' + (square % geometry.files) as u8) as char;
    format!("{file}{}", square / geometry.files + geometry.first_rank)
}

struct Parts {
    from: usize,
    to: usize,
    castling: bool,
    promotion: Option<char>,
}

fn parts(game: Game, mv: u16) -> Parts {
    let bits = square_bits(game);
    let mask = (1 << bits) - 1;
    let flags = if game == Game::Chess { mv >> 12 } else { 0 };
    Parts {
        from: (mv & mask) as usize,
        to: (mv >> bits & mask) as usize,
        castling: flags == flags::CASTLING,
        promotion: flags
            .checked_sub(flags::PROMOTION)
            .and_then(|kind| PROMOTIONS.get(kind as usize))
            .copied(),
    }
}

/// Where the king of a castling move arrives.
fn king_target(parts: &Parts) -> usize {
    let file = if parts.to > parts.from { 6 } else { 2 };
    parts.from / 8 * 8 + file
}

/// King e, rooks a and h: the castling that has a name outside Chess960.
fn is_standard_castling(parts: &Parts) -> bool {
    parts.from % 8 == 4 && matches!(parts.to % 8, 0 | 7)
}

/// A legal move or a pass as UCI writes it. Outside Chess960 castling is written by the king's squares, unless king or
/// rook started elsewhere, where only king takes rook is unambiguous.
pub fn move_text(game: Game, mv: u16, chess960: bool) -> String {
    if mv == pass(game) {
        return PASS_TEXT.to_string();
    }
    let parts = parts(game, mv);
    let by_king = parts.castling && !chess960 && is_standard_castling(&parts);
    let to = if by_king { king_target(&parts) } else { parts.to };
    let mut text = square_text(game, parts.from) + &square_text(game, to);
    text.extend(parts.promotion);
    text
}

/// The other way to write a castling move, understood where Chess960 is off.
fn alternative_text(game: Game, mv: u16) -> Option<String> {
    let parts = parts(game, mv);
    if !parts.castling {
        return None;
    }
    let to = if is_standard_castling(&parts) {
        parts.to
    } else {
        king_target(&parts)
    };
    Some(square_text(game, parts.from) + &square_text(game, to))
}

/// The legal move that a text means, in any case.
///
/// # Errors
/// When it is no move, or not one of `legal`, or a pass in check.
pub fn resolve_move(
    game: Game,
    text: &str,
    legal: &[u16],
    chess960: bool,
    in_check: bool,
) -> Result<u16, MoveTextError> {
    if text == PASS_TEXT {
        return if in_check {
            Err(MoveTextError::PassInCheck)
        } else {
            Ok(pass(game))
        };
    }
    let lower = text.to_ascii_lowercase();
    let shown = || text.chars().take(12).collect();
    let Some(squares) = squares_of(game, &lower) else {
        return Err(MoveTextError::Malformed(shown()));
    };
    // Cheap comparison of squares first: texts are made for the few moves that it leaves.
    let from_here = legal.iter().copied().filter(|&mv| parts(game, mv).from == squares.0);
    let mut other = None;
    for mv in from_here {
        let parts = parts(game, mv);
        if parts.to != squares.1 && !parts.castling {
            continue;
        }
        if move_text(game, mv, chess960) == lower {
            return Ok(mv);
        }
        if !chess960 && alternative_text(game, mv).as_deref() == Some(lower.as_str()) {
            other = Some(mv);
        }
    }
    other.ok_or_else(|| MoveTextError::Illegal(shown()))
}

/// Origin and target of a well-formed lower-case move text.
fn squares_of(game: Game, text: &str) -> Option<(usize, usize)> {
    let geometry = Geometry::of(game);
    let square = |file: u8, rank: u8| {
        let file = file.checked_sub(b'a').filter(|&f| (f as usize) < geometry.files)? as usize;
        let rank = (rank.checked_sub(b'0')? as usize).checked_sub(geometry.first_rank)?;
        (rank < geometry.ranks).then_some(rank * geometry.files + file)
    };
    match *text.as_bytes() {
        [a, b, c, d] => Some((square(a, b)?, square(c, d)?)),
        [a, b, c, d, p] if game == Game::Chess && PROMOTIONS.contains(&(p as char)) => {
            Some((square(a, b)?, square(c, d)?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess(from: u16, to: u16, flags: u16) -> u16 {
        from | to << 6 | flags << 12
    }

    #[test]
    fn castling_is_written_both_ways() {
        let short = chess(4, 7, flags::CASTLING);
        assert_eq!(move_text(Game::Chess, short, false), "e1g1");
        assert_eq!(move_text(Game::Chess, short, true), "e1h1");
        for text in ["e1g1", "e1h1", "E1G1"] {
            assert_eq!(
                resolve_move(Game::Chess, text, &[short], false, false),
                Ok(short),
                "{text}"
            );
        }
        assert!(resolve_move(Game::Chess, "e1g1", &[short], true, false).is_err());
        let odd = chess(5, 7, flags::CASTLING);
        assert_eq!(move_text(Game::Chess, odd, false), "f1h1");
        assert_eq!(resolve_move(Game::Chess, "f1g1", &[odd], false, false), Ok(odd));
        let step = chess(5, 6, 0);
        assert_eq!(resolve_move(Game::Chess, "f1g1", &[odd, step], false, false), Ok(step));
    }

    #[test]
    fn promotions_and_passes() {
        let queen = chess(52, 60, flags::PROMOTION + 3);
        assert_eq!(move_text(Game::Chess, queen, false), "e7e8q");
        assert_eq!(resolve_move(Game::Chess, "e7e8Q", &[queen], false, false), Ok(queen));
        assert_eq!(
            resolve_move(Game::Chess, "e7e8", &[queen], false, false),
            Err(MoveTextError::Illegal("e7e8".into()))
        );
        assert_eq!(
            resolve_move(Game::Chess, "0000", &[], false, true),
            Err(MoveTextError::PassInCheck)
        );
        assert_eq!(move_text(Game::Chess, pass(Game::Chess), false), "0000");
        assert!(matches!(
            resolve_move(Game::Chess, "é2e4", &[], false, false),
            Err(MoveTextError::Malformed(_))
        ));
    }

    #[test]
    fn xiangqi_counts_ranks_from_zero() {
        let cannon = 25 | 22 << 7;
        assert_eq!(move_text(Game::Xiangqi, cannon, false), "h2e2");
        assert_eq!(resolve_move(Game::Xiangqi, "h2e2", &[cannon], false, false), Ok(cannon));
    }
}
