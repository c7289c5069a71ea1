//! What a node teaches the histories.

use baize_hot::hot;

use super::super::board::Move;
use super::super::game::{self, params as p};
use super::history::Context;
use super::searcher::Searcher;

#[inline(always)]
pub fn bonus(depth: i32) -> i32 {
    (p::history_bonus_mul() * depth - p::history_bonus_offset()).clamp(0, p::history_bonus_max())
}

#[inline(always)]
pub fn malus(depth: i32) -> i32 {
    (p::history_malus_mul() * depth - p::history_malus_offset()).clamp(0, p::history_malus_max())
}

impl Searcher {
    /// A move cut (or raised alpha): it gains, the moves tried before it lose.
    #[hot]
    pub fn teach_best(&mut self, cx: &Context, ply: usize, best: Move, depth: i32, quiets: &[Move], captures: &[Move]) {
        let (plus, minus) = (bonus(depth), malus(depth));
        if game::is_tactical(&self.pos, best) {
            self.teach_capture(best, plus);
        } else {
            self.hist.update_quiet(cx, self.pos.moving(best), best, plus);
            self.remember_refutation(ply, best);
            for &mv in quiets {
                self.hist.update_quiet(cx, self.pos.moving(mv), mv, -minus);
            }
        }
        for &mv in captures {
            self.teach_capture(mv, -minus);
        }
    }

    #[hot]
    fn teach_capture(&mut self, mv: Move, bonus: i32) {
        if let Some(kind) = game::captured(&self.pos, mv) {
            self.hist.update_capture(self.pos.moving(mv), mv.to(), kind, bonus);
        }
    }

    /// Killers of the ply and the counter move of the enemy's last one.
    #[hot]
    fn remember_refutation(&mut self, ply: usize, mv: Move) {
        let frame = self.frames.at_mut(ply);
        if frame.killers[0] != mv {
            frame.killers = [mv, frame.killers[0]];
        }
        let before = self.frames.back(ply, 1);
        if before.mv.is_some() {
            self.hist.set_counter(before.row, mv);
        }
    }

    /// The histories' view of a ply.
    #[hot]
    pub fn context(&mut self, ply: usize) -> Context {
        let threats = game::threats(&self.pos);
        self.frames.at_mut(ply).threats = threats;
        Context::new(
            self.pos.stm(),
            threats,
            self.pos.state.pawn_key,
            &self.frames,
            ply,
            self.switches.continuation_history(),
        )
    }

    /// The quiet move that led to `ply` gains or loses by what became of it. The position is the one after the move.
    #[hot]
    pub fn teach_prior(&mut self, ply: usize, bonus: i32) {
        let before = *self.frames.back(ply, 1);
        if before.mv.is_none() || self.pos.state.captured.is_some() || ply == 0 {
            return;
        }
        let earlier = self.pos.state_back(1);
        let cx = Context::new(
            !self.pos.stm(),
            before.threats,
            earlier.pawn_key,
            &self.frames,
            ply - 1,
            self.switches.continuation_history(),
        );
        self.hist.update_quiet(&cx, before.moved, before.mv, bonus);
    }
}

/// Moves tried and found wanting. Bounded: the first ones teach most.
pub struct Tried {
    moves: [Move; 32],
    len: usize,
}

impl Tried {
    #[inline(always)]
    pub fn new() -> Self {
        Tried {
            moves: [Move::NONE; 32],
            len: 0,
        }
    }

    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        if self.len < self.moves.len() {
            self.moves[self.len] = mv;
            self.len += 1;
        }
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}
