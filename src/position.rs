//! Placement of either game as plain data: FEN in and out, validation, move text.

mod apply;
mod chess;
mod fen;
mod text;
mod xiangqi;

use crate::engine::Game;

pub use apply::NoSuchMove;
pub use fen::{FenError, FenWarning, Wing, parse_fen};
pub use text::{MoveTextError, PASS_TEXT, move_text, pass, resolve_move, square_text};

/// A position as plain data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    pub game: Game,
    /// By square (`rank * files + file`, rank 0 is White's): 0 empty, else `1 + kind * 2 + color` with the game's order of
    /// kinds (chess: pawn, knight, bishop, rook, queen, king; xiangqi: pawn, advisor, bishop, knight, cannon, rook, king)
    /// and color 0 for White (Red). Squares beyond the board are 0.
    pub squares: [u8; 90],
    /// 0 White (Red), 1 Black.
    pub stm: u8,
    /// Chess: file of the rook that can castle, by color, then king side 0, queen side 1.
    pub castling: [[Option<u8>; 2]; 2],
    /// Chess: a square that a pawn can really capture on en passant.
    pub ep: Option<u8>,
    /// Chess: castling moves are written king takes rook.
    pub chess960: bool,
    /// Plies since the last pawn move or capture (xiangqi: capture).
    pub clock: u16,
    /// Move number, from 1.
    pub move_number: u32,
}

/// What differs between the boards of the two games, as far as text goes.
pub(crate) struct Geometry {
    pub files: usize,
    pub ranks: usize,
    /// The number by which people call the lowest rank.
    pub first_rank: usize,
    /// Letters of the kinds, White's, in the order of `Placement::squares`.
    pub letters: &'static str,
}

impl Geometry {
    pub const fn of(game: Game) -> &'static Geometry {
        match game {
            Game::Chess => &Geometry {
                files: 8,
                ranks: 8,
                first_rank: 1,
                letters: "PNBRQK",
            },
            Game::Xiangqi => &Geometry {
                files: 9,
                ranks: 10,
                first_rank: 0,
                letters: "PABNCRK",
            },
        }
    }
}

/// Splits the code of an occupied square into kind and color.
pub(crate) const fn decode(code: u8) -> (usize, usize) {
    ((code as usize - 1) / 2, (code as usize - 1) % 2)
}

/// The code of a piece on a square.
pub(crate) const fn encode(kind: usize, color: usize) -> u8 {
    (1 + kind * 2 + color) as u8
}

impl Placement {
    /// The start position of a game.
    pub fn start(game: Game, chess960: bool) -> Placement {
        let fen = match game {
            Game::Chess => chess::START,
            Game::Xiangqi => xiangqi::START,
        };
        match parse_fen(game, fen, chess960) {
            Ok((placement, _)) => placement,
            Err(_) => Placement::empty(game, chess960),
        }
    }

    fn empty(game: Game, chess960: bool) -> Placement {
        Placement {
            game,
            squares: [0; 90],
            stm: 0,
            castling: [[None; 2]; 2],
            ep: None,
            chess960,
            clock: 0,
            move_number: 1,
        }
    }

    /// The letter of the piece on a square, `None` if it is empty.
    pub fn letter(&self, square: usize) -> Option<char> {
        let code = *self.squares.get(square).filter(|&&code| code != 0)?;
        let (kind, color) = decode(code);
        let letter = Geometry::of(self.game).letters.as_bytes()[kind] as char;
        Some(if color == 0 {
            letter
        } else {
            letter.to_ascii_lowercase()
        })
    }

    /// Squares and ranks of the board: how a drawing walks over it.
    pub fn size(&self) -> (usize, usize) {
        let geometry = Geometry::of(self.game);
        (geometry.files, geometry.ranks)
    }

    /// The same position with the sides exchanged and the board seen from the other end.
    pub fn flipped(&self) -> Placement {
        let (files, ranks) = self.size();
        let mut squares = [0; 90];
        for (square, &code) in self.squares.iter().enumerate().take(files * ranks) {
            if code != 0 {
                let (kind, color) = decode(code);
                squares[(ranks - 1 - square / files) * files + square % files] = encode(kind, 1 - color);
            }
        }
        let mirror = |square: u8| {
            let (rank, file) = (square as usize / files, square as usize % files);
            ((ranks - 1 - rank) * files + file) as u8
        };
        Placement {
            squares,
            stm: 1 - self.stm,
            castling: [self.castling[1], self.castling[0]],
            ep: self.ep.map(mirror),
            ..self.clone()
        }
    }

    /// The square of the only king of a color.
    fn king(&self, king: usize, color: usize) -> Option<usize> {
        self.squares.iter().position(|&code| code == encode(king, color))
    }
}
