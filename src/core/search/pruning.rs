//! Decisions to leave something out. Each is one function; what it assumes is what can make it wrong.

use super::super::game::params as p;
use crate::engine::score;

/// Scores of the ordinary kind, no mates.
#[inline(always)]
pub fn is_ordinary(value: i32) -> bool {
    value.abs() < score::RULE_BOUND
}

/// Razoring: so far below alpha that only captures could help, so quiescence decides. Wrong when a quiet move does.
#[inline(always)]
pub fn razors(eval: i32, alpha: i32, depth: i32) -> bool {
    depth <= p::razor_depth() && eval < alpha - p::razor_base() - p::razor_mul() * depth * depth
}

/// Reverse futility: so far above beta that the enemy will not make it up in `depth` plies. Wrong under a threat that
/// the static evaluation does not see.
#[inline(always)]
pub fn reverse_futility_margin(depth: i32, improving: bool, worsening: bool) -> i32 {
    p::rfp_mul() * depth - p::rfp_improving() * improving as i32 - p::rfp_worsening() * worsening as i32
}

/// Null move: how many plies less a pass is searched. Wrong in zugzwang.
#[inline(always)]
pub fn null_reduction(depth: i32, eval: i32, beta: i32) -> i32 {
    p::nmp_base() + depth / p::nmp_depth_divisor() + ((eval - beta) / p::nmp_eval_divisor()).clamp(0, p::nmp_eval_max())
}

/// Late move pruning: after this many moves the rest is taken for worse. Wrong when the order is.
#[inline(always)]
pub fn late_move_count(depth: i32, improving: bool) -> i32 {
    let count = p::lmp_base() + p::lmp_mul() * depth * depth / 100;
    if improving { count } else { (count + 1) / 2 }
}

/// Futility: what a quiet move can at most be expected to add. Wrong for moves that threaten much.
#[inline(always)]
pub fn futility_value(eval: i32, lmr_depth: i32, history: i32) -> i32 {
    eval + p::fp_base() + p::fp_mul() * lmr_depth + history / p::fp_history_divisor()
}

/// The same for a capture that takes `gain` centipawns.
#[inline(always)]
pub fn capture_futility_value(eval: i32, lmr_depth: i32, gain: i32) -> i32 {
    eval + p::capture_fp_base() + p::capture_fp_mul() * lmr_depth + gain
}

/// SEE pruning: the loss in an exchange that a quiet move may still have.
#[inline(always)]
pub fn quiet_see_bound(lmr_depth: i32) -> i32 {
    -p::see_quiet_mul() * lmr_depth * lmr_depth
}

/// SEE pruning: the loss that a capture may still have.
#[inline(always)]
pub fn capture_see_bound(depth: i32, history: i32) -> i32 {
    -p::see_capture_mul() * depth - history / p::see_capture_history()
}
