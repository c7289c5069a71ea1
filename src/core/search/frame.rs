//! What the search remembers of each ply of the line it stands in.

use super::super::board::{Bitboard, Move, Piece};
use crate::engine::{MAX_PLY, score};

/// Plies before the root that may be asked for (moves before the root count as none).
pub const BEFORE: usize = 8;

/// One ply.
#[derive(Clone, Copy)]
pub struct Frame {
    /// The move being searched from this ply, and the piece it moves.
    pub mv: Move,
    pub moved: Piece,
    /// Row of that move in the continuation tables; 0 for none and for a pass.
    pub row: usize,
    /// Squares of this node's position that its mover has under attack (`game::threats`).
    pub threats: Bitboard,
    /// Corrected static evaluation, `score::NONE` in check.
    pub eval: i32,
    pub in_check: bool,
    /// Quiet moves that cut here lately.
    pub killers: [Move; 2],
    /// The move left out of a singular search; `Move::NONE` otherwise.
    pub excluded: Move,
    /// Beta cutoffs among this ply's nodes since it was entered from two plies up.
    pub cutoffs: i32,
    /// Double extensions on the line down to here.
    pub double_extensions: i32,
    /// The node lies on a present or former principal variation.
    pub tt_pv: bool,
    /// History of the move being searched.
    pub history: i32,
}

impl Frame {
    pub const EMPTY: Frame = Frame {
        mv: Move::NONE,
        moved: Piece::NONE,
        row: 0,
        threats: Bitboard::EMPTY,
        eval: score::NONE,
        in_check: false,
        killers: [Move::NONE; 2],
        excluded: Move::NONE,
        cutoffs: 0,
        double_extensions: 0,
        tt_pv: false,
        history: 0,
    };
}

/// The frames of a line, indexed by ply; `back` reaches before the root.
pub struct Frames(Box<[Frame]>);

impl Frames {
    pub fn new() -> Self {
        Frames(vec![Frame::EMPTY; MAX_PLY + BEFORE + 8].into_boxed_slice())
    }

    pub fn reset(&mut self) {
        self.0.fill(Frame::EMPTY);
    }

    #[inline(always)]
    pub fn at(&self, ply: usize) -> &Frame {
        &self.0[ply + BEFORE]
    }

    #[inline(always)]
    pub fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }

    /// The frame `back` plies above; `back` is at most `BEFORE`.
    #[inline(always)]
    pub fn back(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE - back]
    }
}
