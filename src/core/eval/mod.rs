//! The evaluation's driver: classical terms of the game, later blended with the network.

mod tapered;

use baize_hot::hot;

use super::board::Position;
use super::game::{self, CLOCK_LIMIT};
use crate::engine::score;
use crate::options::Policy;

pub use tapered::Tapered;

/// One thread's evaluation with its caches.
pub struct Evaluator {
    cache: game::EvalCache,
}

impl Evaluator {
    /// # Errors
    /// When memory for the caches cannot be had.
    pub fn new() -> Result<Self, String> {
        Ok(Evaluator {
            cache: game::EvalCache::new()?,
        })
    }

    /// Forgets what is cached.
    pub fn clear(&mut self) {
        self.cache.clear();
    }

    /// The value of the position in centipawns from the mover's side, which must not be in check; the same whatever
    /// the clock says, so that it can be kept in the table.
    #[hot]
    pub fn raw(&mut self, pos: &Position, _policy: &Policy) -> i32 {
        game::classical(pos, &mut self.cache).clamp(-score::EVAL_BOUND, score::EVAL_BOUND)
    }

    /// A raw value drawn towards the draw as the move-count rule comes near: at the limit `Rule50 Fade` percent of
    /// half of it is gone.
    #[hot]
    pub fn fade(&self, raw: i32, pos: &Position, policy: &Policy) -> i32 {
        let clock = (pos.state.clock as i32).min(CLOCK_LIMIT);
        raw - raw * clock / (2 * CLOCK_LIMIT) * policy.rule50_fade / 100
    }
}
