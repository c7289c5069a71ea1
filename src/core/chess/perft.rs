//! Counting the leaves of the move tree.

use std::sync::atomic::{AtomicBool, Ordering};

use baize_hot::hot;

use super::super::board::{MoveList, Position};
use super::movegen::{count_legal, legal_moves};

/// Leaves `depth` plies below a position; a partial count once `stop` is set.
#[hot]
pub fn perft(pos: &mut Position, depth: u32, stop: &AtomicBool) -> u64 {
    match depth {
        0 => return 1,
        1 => return count_legal(pos),
        // A flag is looked at every few thousand leaves.
        2 | 3 => {}
        _ if stop.load(Ordering::Relaxed) => return 0,
        _ => {}
    }
    let mut list = MoveList::new();
    legal_moves(pos, &mut list);
    let mut leaves = 0;
    for &mv in list.as_slice() {
        pos.make(mv);
        leaves += perft(pos, depth - 1, stop);
        pos.unmake();
    }
    leaves
}
