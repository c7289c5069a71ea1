//! Chess slider attacks by magic multiplication, for CPUs without a fast PEXT.

use baize_hot::hot;

use crate::tables::chess::{MAGIC_ATTACKS, MAGIC_SLOTS};

/// Squares that a rook on `square` (0 to 63) attacks.
#[hot]
#[inline]
pub fn rook(square: usize, occupied: u64) -> u64 {
    attacks(square & 63, occupied)
}

/// Squares that a bishop on `square` (0 to 63) attacks.
#[hot]
#[inline]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    attacks(square & 63 | 64, occupied)
}

#[inline(always)]
fn attacks(slot: usize, occupied: u64) -> u64 {
    let index = MAGIC_SLOTS[slot].index(occupied);
    debug_assert!(index < MAGIC_ATTACKS.0.len());
    // SAFETY: codegen filled this entry of the table through the same index function, for every occupancy.
    unsafe { *MAGIC_ATTACKS.0.get_unchecked(index) }
}
