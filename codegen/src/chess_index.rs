//! How a slider's attacks are found in their table. This one file is compiled into `codegen`, which fills the tables,
//! and into the engine, which reads them: the two cannot disagree.

/// A square's part of a slider table that is indexed by magic multiplication.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MagicSlot {
    /// The squares whose occupancy matters.
    pub mask: u64,
    /// Gathers the masked bits at the top of the word.
    pub magic: u64,
    /// First entry of the square in the table.
    pub offset: u32,
    /// 64 less the bits of the index.
    pub shift: u32,
}

impl MagicSlot {
    /// Index into the table.
    #[inline(always)]
    pub const fn index(&self, occupied: u64) -> usize {
        self.offset as usize + ((occupied & self.mask).wrapping_mul(self.magic) >> (self.shift & 63)) as usize
    }
}

/// A square's part of a slider table that is indexed by the occupancy bits under the mask, packed together (PEXT).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PextSlot {
    /// The squares whose occupancy matters.
    pub mask: u64,
    /// First entry of the square in the table.
    pub offset: u64,
}

impl PextSlot {
    /// Index into the table; `packed` holds the occupancy bits under `mask`.
    #[inline(always)]
    pub const fn index(&self, packed: u64) -> usize {
        (self.offset + packed) as usize
    }
}
