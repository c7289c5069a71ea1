//! What several suites need.

#![allow(dead_code)]

pub mod perft;
pub mod session;
pub mod xiangqi;

use baize::cpu::{TARGETS, facts, refusal};
use baize::engine::{Game, GameCopy};

/// The copies of a game that this machine can run, with their targets' names.
pub fn copies(game: Game) -> Vec<(&'static str, &'static GameCopy)> {
    let facts = facts();
    let usable = TARGETS.iter().filter(|target| refusal(target, &facts).is_none());
    usable
        .filter_map(|target| Some((target.name, target.copy.game(game)?)))
        .collect()
}

/// Reproducible numbers (xorshift64*), so that a failure can be run again.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Less than `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 32) as usize % bound.max(1)
    }
}
