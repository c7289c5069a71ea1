//! Sets of points that the evaluation reads, and directions as a side sees them.

use super::super::super::board::{Bitboard, Square};

const RANK: u128 = 0x1ff;

const fn files(first: usize, last: usize) -> u128 {
    let mut set = 0;
    let mut rank = 0;
    while rank < 10 {
        let mut file = first;
        while file <= last {
            set |= 1 << (rank * 9 + file);
            file += 1;
        }
        rank += 1;
    }
    set
}

/// The three middle files.
pub const MIDDLE: Bitboard = Bitboard(files(3, 5));
/// All points but those of the last file, from which a step to the right stays on the rank.
pub const NOT_LAST_FILE: Bitboard = Bitboard(files(0, 7));

/// The points of some ranks, as a side counts ranks (0 is its own back rank).
#[inline(always)]
pub const fn ranks<const US: usize>(first: usize, last: usize) -> Bitboard {
    let mut set = 0;
    let mut rank = first;
    while rank <= last {
        set |= RANK << (9 * if US == 0 { rank } else { 9 - rank });
        rank += 1;
    }
    Bitboard(set)
}

/// A side's palace.
#[inline(always)]
pub const fn palace<const US: usize>() -> Bitboard {
    Bitboard(ranks::<US>(0, 2).0 & MIDDLE.0)
}

/// The points one step ahead.
#[inline(always)]
pub fn up<const US: usize>(set: Bitboard) -> Bitboard {
    if US == 0 { set << 9 } else { set >> 9 }
}

/// The rank of a point as a side counts ranks.
#[inline(always)]
pub const fn relative_rank<const US: usize>(square: Square) -> usize {
    if US == 0 { square.rank() } else { 9 - square.rank() }
}

/// The ranks ahead of a rank, as a side counts them.
#[inline(always)]
pub fn ahead<const US: usize>(square: Square) -> Bitboard {
    let bits = square.index() / 9 * 9;
    if US == 0 {
        Bitboard(super::super::BOARD >> bits >> 9 << 9 << bits)
    } else {
        Bitboard((1 << bits) - 1)
    }
}

/// The points beside, in front of and behind a point.
#[inline(always)]
pub fn neighbours(square: Square) -> Bitboard {
    Bitboard(NEIGHBOURS[square.index()])
}

static NEIGHBOURS: [u128; 128] = {
    let mut table = [0; 128];
    let mut s = 0;
    while s < 90 {
        let here = 1u128 << s;
        let left = if s % 9 == 0 { 0 } else { here >> 1 };
        let right = if s % 9 == 8 { 0 } else { here << 1 };
        table[s] = (left | right | here >> 9 | here << 9) & super::super::BOARD;
        s += 1;
    }
    table
};
