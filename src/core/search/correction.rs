//! Correction histories: how far the static evaluation was off in positions that share a feature.

use baize_hot::hot;
use bytemuck::Zeroable;

use super::super::board::Position;
use super::super::game::{CLOCK_LIMIT, params as p};
use super::frame::Frames;
use super::history::ROWS;
use crate::engine::score;

const SLOTS: usize = 16384;
/// Bound of an entry; entries are in 1/128 centipawn after weighting.
const MAX: i32 = 1024;

/// The tables of one thread (chess programming wiki: Correction History).
#[derive(Zeroable)]
#[repr(C)]
pub struct Corrections {
    pawn: [[i16; SLOTS]; 2],
    non_pawn: [[[i16; SLOTS]; 2]; 2],
    /// By the rows of the last two moves.
    continuation: [[i16; ROWS]; ROWS],
}

#[inline(always)]
fn slot(key: u64) -> usize {
    key as usize & (SLOTS - 1)
}

#[inline(always)]
fn teach(entry: &mut i16, bonus: i32) {
    let old = *entry as i32;
    *entry = (old + bonus - old * bonus.abs() / MAX) as i16;
}

impl Corrections {
    /// What to add to the static evaluation, in 1024ths of a centipawn.
    #[hot]
    fn sum(&self, pos: &Position, frames: &Frames, ply: usize) -> i32 {
        let stm = pos.stm().index();
        let state = &pos.state;
        let pieces = self.non_pawn[stm][0][slot(state.non_pawn_keys[0])] as i32
            + self.non_pawn[stm][1][slot(state.non_pawn_keys[1])] as i32;
        p::correction_pawn() * self.pawn[stm][slot(state.pawn_key)] as i32
            + p::correction_non_pawn() * pieces
            + p::correction_continuation() * self.continuation[frames.back(ply, 2).row][frames.back(ply, 1).row] as i32
    }

    /// The static evaluation, corrected; stays clear of mate scores.
    #[hot]
    pub fn apply(&self, eval: i32, pos: &Position, frames: &Frames, ply: usize) -> i32 {
        let corrected = eval + self.sum(pos, frames, ply) / 1024;
        corrected.clamp(-score::EVAL_BOUND, score::EVAL_BOUND)
    }

    /// Learns that a search of `depth` found the evaluation off by `error` centipawns.
    #[hot]
    pub fn update(&mut self, pos: &Position, frames: &Frames, ply: usize, depth: i32, error: i32) {
        // Near the move-count draw errors come from the clock, not from the structure.
        if pos.state.clock as i32 > CLOCK_LIMIT * 3 / 4 {
            return;
        }
        let bonus = (error * depth / 4).clamp(-MAX / 4, MAX / 4);
        let stm = pos.stm().index();
        teach(&mut self.pawn[stm][slot(pos.state.pawn_key)], bonus);
        teach(&mut self.non_pawn[stm][0][slot(pos.state.non_pawn_keys[0])], bonus);
        teach(&mut self.non_pawn[stm][1][slot(pos.state.non_pawn_keys[1])], bonus);
        teach(
            &mut self.continuation[frames.back(ply, 2).row][frames.back(ply, 1).row],
            bonus,
        );
    }
}
