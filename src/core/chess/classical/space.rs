//! Space: room behind the own front, worth more with more pieces to use it.

use baize_hot::hot;

use super::super::super::board::Color;
use super::super::{KING, PAWN};
use super::Evaluation;
use super::masks::{self, SPACE};
use super::sink::Sink;
use super::weights as w;

impl<S: Sink> Evaluation<'_, S> {
    /// Safe squares of side `US`, those behind its pawns twice.
    #[hot]
    #[inline]
    pub fn space<const US: usize, const THEM: usize>(&mut self) {
        let us = Color::new(US);
        let pawns = self.pos.pieces(us, PAWN);
        let men = self
            .pos
            .side(us)
            .without(self.pos.kind(PAWN) | self.pos.kind(KING))
            .count() as usize;
        let safe = SPACE[US].without(pawns | self.by[THEM][PAWN.index()]);
        let behind = masks::fill_up::<THEM>(masks::down::<US>(pawns)) & safe;
        let squares = safe.count() + behind.without(self.all[THEM]).count();
        self.sink.add::<US>(w::SPACE + men.min(8), squares as i32);
    }
}
