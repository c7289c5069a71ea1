//! Zobrist keys of xiangqi.

use super::super::board::{Piece, Square};
use crate::tables::xiangqi::{SIDE, ZOBRIST};

/// Key of a piece on a point.
#[inline(always)]
pub fn piece(piece: Piece, square: Square) -> u64 {
    ZOBRIST.0[piece.index()][square.index()]
}

/// Key of Black to move.
#[inline(always)]
pub const fn side() -> u64 {
    SIDE
}
