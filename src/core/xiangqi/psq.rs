//! Piece-square values and phase weights that `Position` keeps up to date.

use super::super::board::{Kind, Piece, Square};
use super::super::eval::Tapered;

/// Value of a piece on a point, Red's view.
#[inline(always)]
pub fn psq(_piece: Piece, _square: Square) -> Tapered {
    Tapered::ZERO
}

/// Weight of a kind in the phase.
#[inline(always)]
pub fn phase(kind: Kind) -> i32 {
    [0, 0, 0, 1, 1, 2, 0, 0][kind.index()]
}
