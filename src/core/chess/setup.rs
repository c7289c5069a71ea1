//! What is fixed during a game of chess, and what moves change beyond the pieces.

use super::super::board::{Bitboard, Color, Square};
use super::{SQUARES, between};

/// The two ways to castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    King = 0,
    Queen = 1,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::King, Side::Queen];

    /// File where the king lands.
    const fn king_file(self) -> usize {
        match self {
            Side::King => 6,
            Side::Queen => 2,
        }
    }

    /// File where the rook lands.
    const fn rook_file(self) -> usize {
        match self {
            Side::King => 5,
            Side::Queen => 3,
        }
    }

    /// The bit of a side's right in `Aux::rights`.
    #[inline(always)]
    pub const fn right(self, color: Color) -> u8 {
        1 << (color.index() * 2 + self as usize)
    }
}

/// One way to castle, worked out for the start squares of king and rook.
#[derive(Clone, Copy)]
pub struct Castling {
    pub king_from: Square,
    pub king_to: Square,
    pub rook_from: Square,
    pub rook_to: Square,
    /// Squares that must be empty.
    pub path: Bitboard,
    /// Squares that the enemy must not attack, the king's own (which is not in check) left out.
    pub king_path: Bitboard,
}

/// What is fixed during a game: castling squares (Chess960), how moves are written, where move numbers start.
#[derive(Clone)]
pub struct Setup {
    castling: [[Castling; 2]; 2],
    /// Rights that remain when a piece moves from or to a square.
    rights_kept: [u8; SQUARES],
    /// Castling moves are written king takes rook.
    pub chess960: bool,
    /// Plies from the first move of the game to the position as given.
    pub first_ply: u32,
}

impl Setup {
    /// No castling.
    pub fn new(chess960: bool, first_ply: u32) -> Self {
        let square = Square::new(0);
        let none = Castling {
            king_from: square,
            king_to: square,
            rook_from: square,
            rook_to: square,
            path: Bitboard::EMPTY,
            king_path: Bitboard::EMPTY,
        };
        Setup {
            castling: [[none; 2]; 2],
            rights_kept: [0b1111; SQUARES],
            chess960,
            first_ply,
        }
    }

    /// Lets a king castle with the rook on a square of its rank.
    pub fn allow(&mut self, color: Color, side: Side, king_from: Square, rook_from: Square) {
        let rank = king_from.rank();
        let king_to = Square::at(side.king_file(), rank);
        let rook_to = Square::at(side.rook_file(), rank);
        let movers = Bitboard::of(king_from).with(rook_from);
        let travelled = between(king_from, king_to).with(king_to) | between(rook_from, rook_to).with(rook_to);
        self.castling[color.index()][side as usize] = Castling {
            king_from,
            king_to,
            rook_from,
            rook_to,
            path: travelled.without(movers),
            king_path: between(king_from, king_to)
                .with(king_to)
                .without(Bitboard::of(king_from)),
        };
        self.rights_kept[king_from.index()] &= !side.right(color);
        self.rights_kept[rook_from.index()] &= !side.right(color);
    }

    /// Where pieces go when a side castles; means nothing without the right.
    #[inline(always)]
    pub fn castling(&self, color: Color, side: Side) -> &Castling {
        &self.castling[color.index()][side as usize]
    }

    /// The rights that a move between these squares leaves.
    #[inline(always)]
    pub fn kept(&self, from: Square, to: Square) -> u8 {
        self.rights_kept[from.index()] & self.rights_kept[to.index()]
    }
}

/// What a move changes beyond the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Aux {
    /// Castling rights, one bit each: see `Side::right`.
    pub rights: u8,
    /// En-passant square, 0 for none. It is set only while a legal capture there exists.
    ep: u8,
}

impl Aux {
    #[inline(always)]
    pub const fn ep(self) -> Option<Square> {
        if self.ep == 0 {
            None
        } else {
            Some(Square::new(self.ep as usize))
        }
    }

    #[inline(always)]
    pub const fn set_ep(&mut self, square: Square) {
        self.ep = square.index() as u8;
    }

    #[inline(always)]
    pub const fn clear_ep(&mut self) {
        self.ep = 0;
    }

    #[inline(always)]
    pub const fn may_castle(self, color: Color, side: Side) -> bool {
        self.rights & side.right(color) != 0
    }
}
