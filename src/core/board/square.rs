//! Squares (chess) or points (xiangqi).

use super::super::game::{FILES, RANKS, SQUARE_SLOTS};

/// A square: `rank * FILES + file`, 0 at White's (Red's) left-hand corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square with this index; of what comes from a table (`Move`) only the slot is sure to be valid.
    #[inline(always)]
    pub const fn new(index: usize) -> Self {
        debug_assert!(index < SQUARE_SLOTS);
        Square(index as u8)
    }

    /// The square on a file and rank, both from 0.
    #[inline(always)]
    pub const fn at(file: usize, rank: usize) -> Self {
        debug_assert!(file < FILES && rank < RANKS);
        Square((rank * FILES + file) as u8)
    }

    /// Index into arrays of `SQUARE_SLOTS`; the mask tells the compiler that it is in range.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & (SQUARE_SLOTS - 1)
    }

    #[inline(always)]
    pub const fn file(self) -> usize {
        self.0 as usize % FILES
    }

    #[inline(always)]
    pub const fn rank(self) -> usize {
        self.0 as usize / FILES
    }

    /// The same square as the other side sees it (ranks swapped).
    #[inline(always)]
    pub const fn flip(self) -> Self {
        Square::at(self.file(), RANKS - 1 - self.rank())
    }
}
