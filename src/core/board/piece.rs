//! Sides, piece kinds and pieces.

use super::super::game::KINDS;

/// A side: White (Red) moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Color(u8);

impl Color {
    pub const WHITE: Color = Color(0);
    pub const BLACK: Color = Color(1);
    pub const BOTH: [Color; 2] = [Color::WHITE, Color::BLACK];

    /// 0 or 1.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & 1
    }

    #[inline(always)]
    pub const fn new(index: usize) -> Self {
        Color(index as u8 & 1)
    }
}

impl std::ops::Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        Color(self.0 ^ 1)
    }
}

/// A piece kind, 0 to `KINDS - 1`; the game names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Kind(u8);

impl Kind {
    pub const NONE: Kind = Kind(KINDS as u8);

    #[inline(always)]
    pub const fn new(index: usize) -> Self {
        debug_assert!(index <= KINDS);
        Kind(index as u8)
    }

    /// Index into arrays of 8.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & 7
    }
}

/// A piece of a side, or none. `kind * 2 + color`; none is `KINDS * 2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Piece(u8);

impl Piece {
    pub const NONE: Piece = Piece((KINDS * 2) as u8);

    #[inline(always)]
    pub const fn new(color: Color, kind: Kind) -> Self {
        Piece(kind.0 * 2 + color.0)
    }

    /// The kind, `Kind::NONE` for no piece.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        Kind(self.0 >> 1)
    }

    /// The side; of no piece it means nothing.
    #[inline(always)]
    pub const fn color(self) -> Color {
        Color(self.0 & 1)
    }

    /// Index into arrays of 16.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & 15
    }

    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == Piece::NONE.0
    }

    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.0 != Piece::NONE.0
    }
}
