//! Sets of squares.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use super::super::game::{BOARD, Bits};
use super::Square;

/// A set of squares; bit n is square n. No bit beyond the board is ever set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct Bitboard(pub Bits);

impl Bitboard {
    pub const EMPTY: Bitboard = Bitboard(0);
    pub const FULL: Bitboard = Bitboard(BOARD);

    #[inline(always)]
    pub const fn of(square: Square) -> Self {
        Bitboard(1 << square.index())
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// More than one square.
    #[inline(always)]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest square; the set must not be empty.
    #[inline(always)]
    pub const fn first(self) -> Square {
        debug_assert!(self.0 != 0);
        Square::new(self.0.trailing_zeros() as usize)
    }

    /// The highest square; the set must not be empty.
    #[inline(always)]
    pub const fn last(self) -> Square {
        debug_assert!(self.0 != 0);
        Square::new((Bits::BITS - 1 - self.0.leading_zeros()) as usize)
    }

    /// Takes the lowest square out; the set must not be empty.
    #[inline(always)]
    pub const fn pop(&mut self) -> Square {
        let square = self.first();
        self.0 &= self.0.wrapping_sub(1);
        square
    }

    #[inline(always)]
    pub const fn with(self, square: Square) -> Self {
        Bitboard(self.0 | 1 << square.index())
    }

    #[inline(always)]
    pub const fn without(self, other: Bitboard) -> Self {
        Bitboard(self.0 & !other.0)
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.is_empty() { None } else { Some(self.pop()) }
    }
}

macro_rules! operator {
    ($trait:ident $method:ident, $assign:ident $assign_method:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }

        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}
operator!(BitAnd bitand, BitAndAssign bitand_assign, &);
operator!(BitOr bitor, BitOrAssign bitor_assign, |);
operator!(BitXor bitxor, BitXorAssign bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & BOARD)
    }
}

/// Towards higher squares; what leaves the board is dropped.
impl Shl<u32> for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn shl(self, by: u32) -> Bitboard {
        Bitboard(self.0 << by & BOARD)
    }
}

/// Towards lower squares; what leaves the board is dropped.
impl Shr<u32> for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn shr(self, by: u32) -> Bitboard {
        Bitboard(self.0 >> by)
    }
}
