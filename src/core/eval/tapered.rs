//! A middle-game and an end-game value in one word.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Two 16-bit values packed in 32 bits, so that one addition adds both (chess programming wiki: Tapered Eval).
/// Each half must stay within +-32767.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct Tapered(i32);

impl Tapered {
    pub const ZERO: Tapered = Tapered(0);

    #[inline(always)]
    pub const fn new(mg: i32, eg: i32) -> Self {
        Tapered((eg << 16).wrapping_add(mg))
    }

    /// The middle-game half.
    #[inline(always)]
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The end-game half; the carry of a negative middle-game half is undone.
    #[inline(always)]
    pub const fn eg(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn mul(self, by: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(by))
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}
