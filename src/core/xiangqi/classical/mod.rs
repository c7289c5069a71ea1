//! The classical evaluation of xiangqi.

use baize_hot::hot;

use super::super::board::{Color, Position};
use crate::engine::{Explanation, Trace};
use crate::options::Policy;

/// Nothing is kept.
pub struct EvalCache;

impl EvalCache {
    /// # Errors
    /// Never.
    pub fn new() -> Result<Self, String> {
        Ok(EvalCache)
    }

    pub fn clear(&mut self) {}
}

/// The evaluation from the mover's side.
#[hot]
pub fn classical(pos: &Position, _cache: &mut EvalCache) -> i32 {
    let white = pos.state.psq.mg();
    if pos.stm() == Color::WHITE { white } else { -white }
}

/// The evaluation term by term.
#[hot]
pub fn explain(pos: &Position, _policy: &Policy) -> Explanation {
    let classical = pos.state.psq.mg();
    Explanation {
        terms: Vec::new(),
        classical,
        final_value: classical,
    }
}

/// The evaluation as a function of its weights.
#[hot]
pub fn trace(_pos: &Position) -> Option<Trace> {
    None
}
