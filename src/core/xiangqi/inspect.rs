//! What the rules say of a position as played.

use baize_hot::hot;

use super::super::board::Position;
use super::verdict::{dead_material, has_no_move, is_move_limit, last_cycle, occurrences};
use crate::engine::Inspection;

/// Key, checkers, repetitions, and whether the game is over.
#[hot]
pub fn inspect(pos: &Position) -> Inspection {
    let checkers = pos.state.checkers.map(|square| square.index() as u8).collect();
    let cycle = last_cycle(pos).map(|judgement| {
        let gain = match judgement.loser {
            None => 0,
            Some(loser) if loser == pos.stm() => -1,
            Some(_) => 1,
        };
        (gain, judgement.reason.name())
    });
    let occurrences = occurrences(pos);
    Inspection {
        key: pos.state.key,
        checkers,
        occurrences,
        verdict: verdict(pos, if occurrences >= 3 { cycle } else { None }),
        cycle,
    }
}

#[hot]
fn verdict(pos: &Position, repeated: Option<(i32, &'static str)>) -> Option<(i32, &'static str)> {
    if has_no_move(pos) {
        return Some((-1, if pos.in_check() { "checkmate" } else { "stalemate" }));
    }
    if repeated.is_some() {
        return repeated;
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
