//! Chess slider attacks by PEXT.

use std::arch::x86_64::_pext_u64;

use baize_hot::hot;

use crate::tables::chess::{PEXT_ATTACKS, PEXT_SLOTS};

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

#[hot]
#[inline]
fn attacks(slot: usize, occupied: u64) -> u64 {
    let slot = &PEXT_SLOTS[slot];
    let index = slot.index(_pext_u64(occupied, slot.mask));
    debug_assert!(index < PEXT_ATTACKS.0.len());
    // SAFETY: codegen filled this entry of the table through the same index function: every packing of the mask's bits.
    unsafe { *PEXT_ATTACKS.0.get_unchecked(index) }
}
