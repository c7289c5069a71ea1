//! Sets of squares that the evaluation reads, as constant tables, and directions as a side sees them.

use super::super::super::board::{Bitboard, Square};

pub const FILE_A: u64 = 0x0101_0101_0101_0101;
pub const FILE_H: u64 = FILE_A << 7;
pub const RANK_1: u64 = 0xff;

/// The four centre squares.
pub const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// The light squares.
pub const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

/// A file.
#[inline(always)]
pub const fn file(file: usize) -> Bitboard {
    Bitboard(FILE_A << file)
}

const fn build_beside() -> [Bitboard; 8] {
    let mut table = [Bitboard::EMPTY; 8];
    let mut f = 0;
    while f < 8 {
        let left = if f > 0 { FILE_A << (f - 1) } else { 0 };
        let right = if f < 7 { FILE_A << (f + 1) } else { 0 };
        table[f] = Bitboard(left | right);
        f += 1;
    }
    table
}

/// The files beside a file.
pub static BESIDE: [Bitboard; 8] = build_beside();

const fn build_ahead() -> [[Bitboard; 8]; 2] {
    let mut table = [[Bitboard::EMPTY; 8]; 2];
    let mut r = 0;
    while r < 8 {
        table[0][r] = Bitboard(if r == 7 { 0 } else { !0 << (8 * (r + 1)) });
        table[1][r] = Bitboard((1 << (8 * r)) - 1);
        r += 1;
    }
    table
}

/// All ranks ahead of a rank, as a side moves.
pub static AHEAD: [[Bitboard; 8]; 2] = build_ahead();

/// The squares of a rank, as a side counts ranks (0 is its own back rank).
#[inline(always)]
pub const fn rank<const US: usize>(rank: usize) -> Bitboard {
    Bitboard(RANK_1 << (8 * if US == 0 { rank } else { 7 - rank }))
}

const fn build_zone() -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut s = 0;
    while s < 64 {
        // A king on an edge has the same nine squares as the king one step inside.
        let f = if s % 8 == 0 {
            1
        } else if s % 8 == 7 {
            6
        } else {
            s % 8
        };
        let r = if s / 8 == 0 {
            1
        } else if s / 8 == 7 {
            6
        } else {
            s / 8
        };
        table[s] = Bitboard(0x7_0707 << (8 * (r - 1) + f - 1));
        s += 1;
    }
    table
}

/// Nine squares around a king: what counts as near it.
pub static ZONE: [Bitboard; 64] = build_zone();

const QUEEN_SIDE: u64 = 0x0f0f_0f0f_0f0f_0f0f;
const MIDDLE: u64 = 0x3c3c_3c3c_3c3c_3c3c;

/// The files of the flank that a king on this file stands on.
pub static FLANK: [Bitboard; 8] = [
    Bitboard(QUEEN_SIDE ^ FILE_A << 3),
    Bitboard(QUEEN_SIDE),
    Bitboard(QUEEN_SIDE),
    Bitboard(MIDDLE),
    Bitboard(MIDDLE),
    Bitboard(QUEEN_SIDE << 4),
    Bitboard(QUEEN_SIDE << 4),
    Bitboard(QUEEN_SIDE << 4 ^ FILE_A << 4),
];

/// The first five ranks, as a side counts: its camp.
pub static CAMP: [Bitboard; 2] = [Bitboard(0x0000_00ff_ffff_ffff), Bitboard(0xffff_ffff_ff00_0000)];

/// Squares of the own half that count as space.
pub static SPACE: [Bitboard; 2] = [Bitboard(0x0000_0000_3c3c_3c00), Bitboard(0x003c_3c3c_0000_0000)];

/// Ranks on which an outpost can be.
pub static OUTPOST_RANKS: [Bitboard; 2] = [Bitboard(0x0000_ffff_ff00_0000), Bitboard(0x0000_00ff_ffff_0000)];

/// Squares that a pawn set of a side attacks.
#[inline(always)]
pub const fn pawn_attacks<const US: usize>(pawns: Bitboard) -> Bitboard {
    let west = pawns.0 & !FILE_A;
    let east = pawns.0 & !FILE_H;
    Bitboard(if US == 0 {
        west << 7 | east << 9
    } else {
        west >> 9 | east >> 7
    })
}

/// Squares that two pawns of the set attack.
#[inline(always)]
pub const fn pawn_double_attacks<const US: usize>(pawns: Bitboard) -> Bitboard {
    let west = pawns.0 & !FILE_A;
    let east = pawns.0 & !FILE_H;
    Bitboard(if US == 0 {
        west << 7 & east << 9
    } else {
        west >> 9 & east >> 7
    })
}

/// One step ahead.
#[inline(always)]
pub const fn up<const US: usize>(set: Bitboard) -> Bitboard {
    Bitboard(if US == 0 { set.0 << 8 } else { set.0 >> 8 })
}

/// One step back.
#[inline(always)]
pub const fn down<const US: usize>(set: Bitboard) -> Bitboard {
    Bitboard(if US == 0 { set.0 >> 8 } else { set.0 << 8 })
}

/// All squares ahead of the set's squares on their files, themselves included.
#[inline(always)]
pub const fn fill_up<const US: usize>(set: Bitboard) -> Bitboard {
    let mut b = set.0;
    if US == 0 {
        b |= b << 8;
        b |= b << 16;
        b |= b << 32;
    } else {
        b |= b >> 8;
        b |= b >> 16;
        b |= b >> 32;
    }
    Bitboard(b)
}

/// The files that hold a square of the set, one bit a file.
#[inline(always)]
pub const fn files_of(set: Bitboard) -> u32 {
    let mut b = set.0;
    b |= b >> 32;
    b |= b >> 16;
    b |= b >> 8;
    (b & 0xff) as u32
}

/// The rank as a side counts, 0 its own back rank.
#[inline(always)]
pub const fn relative_rank<const US: usize>(square: Square) -> usize {
    if US == 0 { square.rank() } else { 7 - square.rank() }
}

/// Squares ahead on the same file.
#[inline(always)]
pub fn ahead_on_file<const US: usize>(square: Square) -> Bitboard {
    AHEAD[US][square.rank()] & file(square.file())
}

/// How far a file is from the nearer edge, 0 to 3.
#[inline(always)]
pub const fn edge(file: usize) -> usize {
    if file > 3 { 7 - file } else { file }
}

/// Steps of a king.
#[inline(always)]
pub const fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    if files > ranks { files } else { ranks }
}
