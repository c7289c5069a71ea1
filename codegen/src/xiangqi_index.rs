//! How xiangqi tables are indexed. This one file is compiled into `codegen`, which fills the tables, and into the
//! engine, which reads them: the two cannot disagree.

/// Entries of a table with one entry per point, padded so that a masked index is always inside.
pub const POINT_SLOTS: usize = 128;
/// Occupancies of the four neighbours of a point.
pub const NEIGHBOUR_SETS: usize = 16;
/// Entries of the rank table: file of the piece, then the 7 inner points of its rank.
pub const RANK_ENTRIES: usize = 16 << 7;
/// Entries of the file table: rank of the piece, then the 8 inner points of its file.
pub const FILE_ENTRIES: usize = 16 << 8;
/// Palace points of both sides, padded.
pub const KING_SLOTS: usize = 32;

/// Index of a point with the occupancy of its four orthogonal neighbours (legs of a knight that stands there).
#[inline(always)]
pub const fn orthogonal(point: usize, occupied: u128) -> usize {
    // Neighbours at -9, -1, +1, +9 come to bits 0, 8, 10, 18, then to 0, 1, 3, 2.
    let near = (occupied << 9 >> (point & 127)) as u32 & 0x4_0501;
    (point & 127) << 4 | ((near | near >> 7 | near >> 16) & 15) as usize
}

/// Index of a point with the occupancy of its four diagonal neighbours (eyes of a bishop that stands there; legs of knights that
/// attack it).
#[inline(always)]
pub const fn diagonal(point: usize, occupied: u128) -> usize {
    // Neighbours at -10, -8, +8, +10 come to bits 0, 2, 18, 20, then to 0, 2, 1, 3.
    let near = (occupied << 10 >> (point & 127)) as u32 & 0x14_0005;
    (point & 127) << 4 | ((near | near >> 17) & 15) as usize
}

/// Index into a table by palace point (its slot) and any point.
#[inline(always)]
pub const fn king_pair(slot: usize, point: usize) -> usize {
    (slot & (KING_SLOTS - 1)) << 7 | point & 127
}

/// What the line look-ups know of a point. `file_*` hold the inner points (ranks 1 to 8) of its file in the lower and the
/// upper 64 bits of the board.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct LineSlot {
    pub file_low: u64,
    pub file_high: u64,
    /// Multiplier that gathers the inner points of the file in the top 8 of 128 bits.
    pub magic: u128,
    /// How many inner points of the file lie in the lower 64 bits.
    pub inner_low: u8,
    /// First bit of the rank.
    pub rank: u8,
    pub file: u8,
    /// First entries in the rank and in the file table.
    pub rank_base: u16,
    pub file_base: u16,
}

impl LineSlot {
    /// Index into the rank table.
    #[inline(always)]
    pub const fn rank_index(&self, occupied: u128) -> usize {
        (self.rank_base as usize | (occupied >> 1 >> (self.rank & 127)) as usize & 127) & (RANK_ENTRIES - 1)
    }

    /// Index into the file table; `packed` holds the inner points of the file from Red's side up.
    #[inline(always)]
    pub const fn file_index(&self, packed: usize) -> usize {
        (self.file_base as usize | packed & 255) & (FILE_ENTRIES - 1)
    }

    /// Index into the file table, the points packed by multiplication.
    #[inline(always)]
    pub const fn file_index_by_magic(&self, occupied: u128) -> usize {
        let inner = occupied & (self.file_low as u128 | (self.file_high as u128) << 64);
        self.file_index((inner.wrapping_mul(self.magic) >> 120) as usize)
    }
}
