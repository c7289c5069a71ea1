//! Late move reductions (chess programming wiki: Late Move Reductions), in 1024ths of a ply.

use super::super::game::params as p;

/// Products of logarithms, looked up: `ln(i) * 32`.
pub struct Reductions([i32; 256]);

/// What a reduction depends on beyond depth and move number.
#[derive(Clone, Copy)]
pub struct Circumstances {
    pub pv: bool,
    pub tt_pv: bool,
    pub cut_node: bool,
    pub improving: bool,
    pub tt_capture: bool,
    pub refutation: bool,
    pub check: bool,
    pub many_cutoffs: bool,
    pub history: i32,
    pub capture: bool,
}

impl Reductions {
    pub fn new() -> Self {
        Reductions(std::array::from_fn(|i| {
            if i < 2 { 0 } else { ((i as f64).ln() * 32.0) as i32 }
        }))
    }

    #[inline(always)]
    fn logs(&self, depth: i32, moves: i32) -> i32 {
        self.0[depth.clamp(0, 255) as usize] * self.0[moves.clamp(0, 255) as usize]
    }

    /// A first guess of a quiet move's reduction, for pruning at shallow depth.
    #[inline(always)]
    pub fn rough(&self, depth: i32, moves: i32, improving: bool) -> i32 {
        p::lmr_base() + p::lmr_mul() * self.logs(depth, moves) / 1024 + p::lmr_not_improving() * !improving as i32
    }

    /// The reduction of a move; may be negative.
    #[inline(always)]
    pub fn full(&self, depth: i32, moves: i32, c: &Circumstances) -> i32 {
        let mut r = if c.capture {
            p::lmr_capture_base() + p::lmr_capture_mul() * self.logs(depth, moves) / 1024
                - c.history * 1024 / p::lmr_capture_history()
        } else {
            p::lmr_base() + p::lmr_mul() * self.logs(depth, moves) / 1024 + p::lmr_tt_capture() * c.tt_capture as i32
                - p::lmr_killer() * c.refutation as i32
                - c.history * 1024 / p::lmr_history()
        };
        r += p::lmr_not_improving() * !c.improving as i32;
        r += p::lmr_cut_node() * c.cut_node as i32;
        r -= p::lmr_tt_pv() * c.tt_pv as i32;
        r -= p::lmr_pv() * c.pv as i32;
        r -= p::lmr_check() * c.check as i32;
        r + p::lmr_cutoffs() * c.many_cutoffs as i32
    }
}
