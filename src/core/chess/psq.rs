//! Material alone, until the classical evaluation takes its place.

use baize_hot::hot;

use super::super::board::{Color, Kind, Piece, Position, Square};
use super::super::eval::Tapered;
use super::value;
use crate::engine::Explanation;
use crate::options::Policy;

/// Value of a piece on a square, White's view.
#[inline(always)]
pub fn psq(piece: Piece, _square: Square) -> Tapered {
    let value = value(piece.kind());
    if piece.color() == Color::WHITE {
        Tapered::new(value, value)
    } else {
        Tapered::new(-value, -value)
    }
}

/// Weight of a kind in the phase.
#[inline(always)]
pub fn phase(kind: Kind) -> i32 {
    [0, 1, 1, 2, 4, 0, 0, 0][kind.index()]
}

pub struct EvalCache;

impl EvalCache {
    pub fn new() -> Result<Self, String> {
        Ok(EvalCache)
    }

    pub fn clear(&mut self) {}
}

/// Material from the mover's side.
#[hot]
pub fn classical(pos: &Position, _cache: &mut EvalCache) -> i32 {
    let white = pos.state.psq.mg();
    if pos.stm() == Color::WHITE { white } else { -white }
}

#[hot]
pub fn explain(pos: &Position, _policy: &Policy) -> Explanation {
    let white = pos.state.psq.mg();
    Explanation {
        terms: Vec::new(),
        classical: white,
        final_value: white,
    }
}
