//! Piece-square values and phase weights that `Position` keeps up to date.

use super::super::board::{Color, Kind, Piece, Square};
use super::super::eval::Tapered;

/// Value of a piece on a point, Red's view.
#[inline(always)]
pub fn psq(piece: Piece, _square: Square) -> Tapered {
    let value = super::value(piece.kind());
    let value = if piece.color() == Color::WHITE { value } else { -value };
    Tapered::new(value, value)
}

/// Weight of a kind in the phase.
#[inline(always)]
pub fn phase(kind: Kind) -> i32 {
    [0, 0, 0, 1, 1, 2, 0, 0][kind.index()]
}
