//! Threats: attacks that win something if the enemy does nothing.

use baize_hot::hot;

use super::super::super::board::{Bitboard, Color};
use super::super::{PAWN, ROOK};
use super::sink::Sink;
use super::weights as w;
use super::{A, B, C, Evaluation, N, P, R};

impl<S: Sink> Evaluation<'_, S> {
    /// Threats of side `US`.
    #[hot]
    #[inline]
    pub fn threats<const US: usize, const THEM: usize>(&mut self) {
        let them = Color::new(THEM);
        let enemies = self.pos.side(them).without(Bitboard::of(self.kings[THEM]));
        let pieces = enemies.without(self.pos.kind(PAWN));
        for square in pieces & self.by[US][P] {
            self.sink
                .add::<US>(w::THREAT_BY_PAWN + self.pos.piece_on(square).kind().index() - A, 1);
        }
        // What is guarded at least as often as attacked is not won by attacking it.
        let guarded = self.all[THEM].without(self.twice[US]) | self.twice[THEM];
        let weak = (enemies & self.all[US]).without(guarded);
        let by = &self.by[US];
        let minors = by[A] | by[B] | by[N] | by[C];
        let by_rook = by[R];
        for square in (weak | self.pos.pieces(them, ROOK)) & minors {
            self.sink
                .add::<US>(w::THREAT_BY_MINOR + self.pos.piece_on(square).kind().index(), 1);
        }
        for square in weak.without(self.pos.kind(ROOK)) & by_rook {
            self.sink
                .add::<US>(w::THREAT_BY_ROOK + self.pos.piece_on(square).kind().index(), 1);
        }
        let hanging = (enemies & self.all[US]).without(self.all[THEM]);
        self.sink.add::<US>(w::THREAT_HANGING, hanging.count() as i32);
        let contested = (self.all[US] & self.all[THEM]).without(self.twice[THEM]);
        self.sink.add::<US>(w::THREAT_RESTRICTED, contested.count() as i32);
    }
}
