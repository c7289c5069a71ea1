//! What the rules say of a position as played.

use baize_hot::hot;

use super::super::board::Position;
use super::verdict::{as_played, dead_material, has_no_move, is_move_limit, occurrences};
use crate::engine::Inspection;

/// Key, checkers, repetitions, and whether the game is over.
#[hot]
pub fn inspect(pos: &Position) -> Inspection {
    let checkers = pos.state.checkers.map(|square| square.index() as u8).collect();
    Inspection {
        key: pos.state.key,
        checkers,
        occurrences: occurrences(pos),
        verdict: verdict(pos),
    }
}

#[hot]
fn verdict(pos: &Position) -> Option<(i32, &'static str)> {
    if has_no_move(pos) {
        return Some((-1, if pos.in_check() { "checkmate" } else { "stalemate" }));
    }
    if let Some(judgement) = as_played(pos) {
        let gain = match judgement.loser {
            None => 0,
            Some(loser) if loser == pos.stm() => -1,
            Some(_) => 1,
        };
        return Some((gain, judgement.reason.name()));
    }
    if dead_material(pos) {
        return Some((0, "insufficient material"));
    }
    if is_move_limit(pos) {
        Some((0, "60-move rule"))
    } else {
        None
    }
}
