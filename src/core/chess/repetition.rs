//! Looking one move ahead for repetitions.

use baize_hot::hot;

use super::super::board::{Position, Square};
use super::{between, keys};
use crate::tables::chess::{CUCKOO, CUCKOO_BITS, CUCKOO_MOVES};

/// Whether the mover can reach, with one move, an earlier position of the line, so that it has at least a draw. Within the
/// searched line (`ply` plies) one earlier occurrence is enough, before it the earlier one must itself be a repetition.
///
/// The method is van Kervinck's: two positions an odd number of plies apart differ in their keys by the key of one
/// reversible move exactly when that move joins them; the cuckoo table finds it.
#[hot]
pub fn upcoming_repetition(pos: &Position, ply: usize) -> bool {
    let reach = (pos.state.clock.min(pos.state.since_null) as usize).min(pos.past());
    if reach < 3 {
        return false;
    }
    let key = pos.state.key;
    // What the other side's moves changed since the earlier position: must come to nothing.
    let mut other = key ^ pos.state_back(1).key ^ keys::side();
    let mut back = 3;
    while back <= reach {
        let (later, earlier) = (pos.state_back(back - 1), pos.state_back(back));
        other ^= later.key ^ earlier.key ^ keys::side();
        if other == 0
            && let Some((from, to)) = reversible(key ^ earlier.key)
            && (between(from, to) & pos.occupied()).is_empty()
            && (ply > back || earlier.repetition != 0)
        {
            return true;
        }
        back += 2;
    }
    false
}

/// The squares of the reversible move with this key.
#[inline(always)]
fn reversible(key: u64) -> Option<(Square, Square)> {
    let mask = (1 << CUCKOO_BITS) - 1;
    for place in [key as usize & mask, (key >> CUCKOO_BITS) as usize & mask] {
        if CUCKOO.0[place] == key {
            let squares = CUCKOO_MOVES.0[place] as usize;
            return Some((Square::new(squares & 63), Square::new(squares >> 6)));
        }
    }
    None
}
