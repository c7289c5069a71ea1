//! Placement of either game as plain data: FEN in and out, validation, move text.

use crate::engine::Game;

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
