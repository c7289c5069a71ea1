//! When the rules end a game of xiangqi.

use baize_hot::hot;

use super::super::board::{MoveList, Position};
use super::judge::{Judgement, judge};
use super::movegen::legal_moves;
use super::{CANNON, CLOCK_LIMIT, KNIGHT, PAWN, ROOK};
use crate::engine::score;
use crate::options::RepetitionRule;

/// The score if the game ends here, `ply` plies from the root: 0 for a draw, a loss by the rules (`score::RULE`) otherwise.
#[hot]
#[inline]
pub fn verdict(pos: &Position, ply: usize) -> Option<i32> {
    if pos.state.repetition != 0
        && let Some(value) = repetition(pos, ply)
    {
        return Some(value);
    }
    if dead_material(pos) || is_move_limit(pos) {
        Some(0)
    } else {
        None
    }
}

/// The third occurrence of a position decides; in the search the second does when the whole cycle lies in the tree: the loser
/// had all its moves of the cycle to choose from, so what the search makes of the loss is what the loser could not
/// avoid. Such scores depend on the path, which their range tells the search. Rule `axf` always waits for the third.
#[hot]
#[cold]
fn repetition(pos: &Position, ply: usize) -> Option<i32> {
    let distance = pos.state.repetition as i32;
    let third = distance < 0;
    let ply = ply as i32;
    let in_tree = distance <= ply && pos.setup.rule != RepetitionRule::Axf;
    if !third && !in_tree {
        return None;
    }
    let judgement = judge(pos, distance.unsigned_abs() as usize);
    Some(match judgement.loser {
        None => 0,
        Some(loser) if loser == pos.stm() => ply - score::RULE,
        Some(_) => score::RULE - ply,
    })
}

/// What the moves since the last occurrence of the position amount to; `None` if there is none.
#[hot]
pub fn last_cycle(pos: &Position) -> Option<Judgement> {
    let distance = pos.state.repetition.unsigned_abs() as usize;
    if distance > 0 { Some(judge(pos, distance)) } else { None }
}

/// Repetitions are judged, not simply drawn: a look ahead would have to judge cycles that are not complete.
#[inline(always)]
pub fn upcoming_repetition(_pos: &Position, _ply: usize) -> bool {
    false
}

/// 60 counted moves by each side without a capture; mate on the board counts first.
#[hot]
#[inline]
pub fn is_move_limit(pos: &Position) -> bool {
    pos.state.aux.counted as i32 >= CLOCK_LIMIT && !(pos.in_check() && has_no_move(pos))
}

#[hot]
#[cold]
pub fn has_no_move(pos: &Position) -> bool {
    let mut list = MoveList::new();
    legal_moves(pos, &mut list);
    list.is_empty()
}

/// Nothing that can cross the river is left, or a single cannon with no piece to jump over.
#[hot]
#[inline]
pub fn dead_material(pos: &Position) -> bool {
    let strong = pos.kind(ROOK) | pos.kind(KNIGHT) | pos.kind(PAWN);
    strong.is_empty() && (pos.kind(CANNON).is_empty() || pos.occupied().count() == 3)
}

/// How often a position has occurred in its line, this time included.
pub fn occurrences(pos: &Position) -> u32 {
    let reach = (pos.state.clock as usize).min(pos.past());
    let repeats = (4..=reach)
        .step_by(2)
        .filter(|&back| pos.state_back(back).key == pos.state.key)
        .count();
    repeats as u32 + 1
}
