//! Lines on 90 points by PEXT on the halves of the board, spread back by PDEP: tables of 14 KiB for both pieces.

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use baize_hot::hot;

use crate::tables::xiangqi::{FILES, LINE_SLOTS, LineSlot, RANKS};

/// What a rook on `point` (0 to 89) attacks.
#[hot]
#[inline]
pub fn rook(point: usize, occupied: u128) -> u128 {
    let (slot, rank, file) = look_up(point, occupied);
    spread(slot, rank & 0xffff, file & 0xffff)
}

/// What a cannon on `point` attacks: everything beyond the first piece, up to and with the second.
#[hot]
#[inline]
pub fn cannon(point: usize, occupied: u128) -> u128 {
    let (slot, rank, file) = look_up(point, occupied);
    spread(slot, rank >> 16, file >> 16)
}

/// Both at once, rook first.
#[hot]
#[inline]
pub fn both(point: usize, occupied: u128) -> (u128, u128) {
    let (slot, rank, file) = look_up(point, occupied);
    (
        spread(slot, rank & 0xffff, file & 0xffff),
        spread(slot, rank >> 16, file >> 16),
    )
}

/// The point's slot and its entries in the rank and the file table.
#[hot]
#[inline]
fn look_up(point: usize, occupied: u128) -> (&'static LineSlot, u32, u32) {
    let slot = &LINE_SLOTS[point & 127];
    let low = _pext_u64(occupied as u64, slot.file_low);
    let high = _pext_u64((occupied >> 64) as u64, slot.file_high);
    let packed = low | high << (slot.inner_low & 63);
    (
        slot,
        RANKS.0[slot.rank_index(occupied)],
        FILES.0[slot.file_index(packed as usize)],
    )
}

/// Lays the packed attacks of both lines out on the board.
#[hot]
#[inline]
fn spread(slot: &LineSlot, rank: u32, file: u32) -> u128 {
    let low = _pdep_u64(file as u64, slot.whole_low);
    let high = _pdep_u64(file as u64 >> (slot.count_low & 63), slot.whole_high);
    (rank as u128) << (slot.rank & 127) | low as u128 | (high as u128) << 64
}
