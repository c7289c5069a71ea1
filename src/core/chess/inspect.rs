//! What the rules say of a position as played.

use baize_hot::hot;

use super::super::board::Position;
use super::CLOCK_LIMIT;
use super::verdict::{has_no_move, insufficient_material, occurrences};
use crate::engine::Inspection;

/// Key, checkers, repetitions, and whether the game is over.
#[hot]
pub fn inspect(pos: &Position) -> Inspection {
    let occurrences = occurrences(pos);
    let verdict = match has_no_move(pos) {
        true if pos.in_check() => Some((-1, "checkmate")),
        true => Some((0, "stalemate")),
        false if insufficient_material(pos) => Some((0, "insufficient material")),
        false if occurrences >= 3 => Some((0, "threefold repetition")),
        false if pos.state.clock as i32 >= CLOCK_LIMIT => Some((0, "50-move rule")),
        false => None,
    };
    let checkers = pos.state.checkers.map(|square| square.index() as u8).collect();
    Inspection {
        key: pos.state.key,
        checkers,
        occurrences,
        verdict,
        cycle: None,
    }
}
