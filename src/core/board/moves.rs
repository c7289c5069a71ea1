//! Moves in 16 bits and lists of them.

use super::super::game::{MAX_MOVES, SQUARE_BITS};
use super::Square;

const MASK: u16 = (1 << SQUARE_BITS) - 1;

/// A move: origin, target and, above them, flags that the game defines. 0 is no move (both squares equal).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    pub const NONE: Move = Move(0);
    /// The pass of null-move search: origin and target are both square 1, which no move can have.
    pub const NULL: Move = Move(1 | 1 << SQUARE_BITS);

    #[inline(always)]
    pub const fn new(from: Square, to: Square, flags: u16) -> Self {
        Move(from.index() as u16 | (to.index() as u16) << SQUARE_BITS | flags << (2 * SQUARE_BITS))
    }

    /// The move as it crosses the boundary or stands in the transposition table; anything may come back from there.
    #[inline(always)]
    pub const fn from_raw(raw: u16) -> Self {
        Move(raw)
    }

    #[inline(always)]
    pub const fn raw(self) -> u16 {
        self.0
    }

    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new((self.0 & MASK) as usize)
    }

    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> SQUARE_BITS & MASK) as usize)
    }

    #[inline(always)]
    pub const fn flags(self) -> u16 {
        self.0 >> (2 * SQUARE_BITS)
    }

    /// A real move, neither none nor a pass.
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.0 != Move::NONE.0 && self.0 != Move::NULL.0
    }

    #[inline(always)]
    pub const fn is_none(self) -> bool {
        !self.is_some()
    }
}

/// Moves on the stack, in the order of generation.
pub struct MoveList {
    moves: [Move; MAX_MOVES],
    len: usize,
}

impl MoveList {
    #[inline(always)]
    pub const fn new() -> Self {
        MoveList {
            moves: [Move::NONE; MAX_MOVES],
            len: 0,
        }
    }

    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub fn contains(&self, mv: Move) -> bool {
        self.as_slice().contains(&mv)
    }

    /// Takes the move at `index` out; the last one takes its place.
    #[inline(always)]
    pub fn swap_remove(&mut self, index: usize) -> Move {
        let mv = self.moves[index];
        self.len -= 1;
        self.moves[index] = self.moves[self.len];
        mv
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}
