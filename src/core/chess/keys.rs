//! Zobrist keys of chess.

use super::super::board::{Piece, Square};
use crate::tables::chess::{CASTLING, EP_FILE, SIDE, ZOBRIST};

/// Key of a piece on a square.
#[inline(always)]
pub fn piece(piece: Piece, square: Square) -> u64 {
    ZOBRIST.0[piece.index()][square.index()]
}

/// Key of Black to move.
#[inline(always)]
pub const fn side() -> u64 {
    SIDE
}

/// Key of a set of castling rights.
#[inline(always)]
pub fn castling(rights: u8) -> u64 {
    CASTLING[rights as usize & 15]
}

/// Key of an en-passant square.
#[inline(always)]
pub fn en_passant(square: Square) -> u64 {
    EP_FILE[square.file()]
}
