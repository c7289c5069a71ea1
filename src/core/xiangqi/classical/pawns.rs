//! Pawns: those across the river together, near the palace, and about to cross; knights that they can lean on.

use baize_hot::hot;

use super::super::super::board::Color;
use super::super::{KNIGHT, PAWN, attacks};
use super::Evaluation;
use super::masks;
use super::sink::Sink;
use super::weights as w;

impl<S: Sink> Evaluation<'_, S> {
    /// Pawns and advanced knights of side `US`.
    #[hot]
    #[inline]
    pub fn pawns<const US: usize, const THEM: usize>(&mut self) {
        let us = Color::new(US);
        let crossed = self.crossed[US];
        if crossed.any() {
            let pairs = (crossed & masks::NOT_LAST_FILE) << 1 & crossed;
            self.sink.add::<US>(w::PAWN_PAIR, pairs.count() as i32);
            let guarded = crossed & self.all[US];
            self.sink.add::<US>(w::PAWN_GUARDED_CROSSED, guarded.count() as i32);
            let near = crossed & masks::MIDDLE & masks::ranks::<US>(6, 8);
            self.sink.add::<US>(w::PAWN_PALACE, near.count() as i32);
        }
        let ready = self.pos.pieces(us, PAWN) & masks::ranks::<US>(4, 4);
        let free = masks::up::<US>(ready).without(self.occupied | self.all[THEM]);
        self.sink.add::<US>(w::PAWN_RIVER_FREE, free.count() as i32);
        let knights = self.pos.pieces(us, KNIGHT) & attacks::beyond_river(us) & self.all[US];
        self.sink.add::<US>(w::KNIGHT_FORWARD, knights.count() as i32);
    }
}
