//! Threats: attacks that win something if the enemy does nothing.

use baize_hot::hot;

use super::super::super::board::{Bitboard, Color};
use super::super::attacks;
use super::super::{KING, PAWN, QUEEN};
use super::Evaluation;
use super::masks;
use super::pieces::{B, N, Q, R};
use super::sink::Sink;
use super::weights as w;

const K: usize = KING.index();
const P: usize = PAWN.index();

impl<S: Sink> Evaluation<'_, S> {
    /// Threats of side `US`.
    #[hot]
    #[inline]
    pub fn threats<const US: usize, const THEM: usize>(&mut self) {
        let enemies = self.pos.side(Color::new(THEM)).without(Bitboard::of(self.kings[THEM]));
        let pieces = enemies.without(self.pos.kind(PAWN));
        // What a pawn guards, or more pieces guard than attack, is not won by attacking it.
        let guarded = self.by[THEM][P] | self.twice[THEM].without(self.twice[US]);
        let weak = (enemies & self.all[US]).without(guarded);
        if (weak | pieces).any() {
            self.attacks_on::<US, THEM>(pieces, weak, guarded);
        }
        let contested = (self.all[THEM] & self.all[US]).without(guarded);
        self.sink.add::<US>(w::THREAT_RESTRICTED, contested.count() as i32);
        self.pawn_threats::<US, THEM>(pieces);
        self.queen_threats::<US, THEM>(guarded);
    }

    #[hot]
    #[inline]
    fn attacks_on<const US: usize, const THEM: usize>(&mut self, pieces: Bitboard, weak: Bitboard, guarded: Bitboard) {
        let by = &self.by[US];
        let minors = by[N] | by[B];
        for square in (pieces & guarded | weak) & minors {
            self.sink
                .add::<US>(w::THREAT_BY_MINOR + self.pos.piece_on(square).kind().index(), 1);
        }
        for square in weak & self.by[US][R] {
            self.sink
                .add::<US>(w::THREAT_BY_ROOK + self.pos.piece_on(square).kind().index(), 1);
        }
        if (weak & self.by[US][K]).any() {
            self.sink.add::<US>(w::THREAT_BY_KING, 1);
        }
        let hanging = weak & (!self.all[THEM] | pieces & self.twice[US]);
        self.sink.add::<US>(w::THREAT_HANGING, hanging.count() as i32);
        self.sink
            .add::<US>(w::WEAK_QUEEN_GUARD, (weak & self.by[THEM][Q]).count() as i32);
    }

    /// Pieces that pawns attack, now or after a push, and are not lost by it.
    #[hot]
    #[inline]
    fn pawn_threats<const US: usize, const THEM: usize>(&mut self, pieces: Bitboard) {
        let pawns = self.pos.pieces(Color::new(US), PAWN);
        let safe = !self.all[THEM] | self.all[US];
        for square in masks::pawn_attacks::<US>(pawns & safe) & pieces {
            self.sink
                .add::<US>(w::THREAT_BY_PAWN + self.pos.piece_on(square).kind().index() - N, 1);
        }
        let empty = !self.occupied;
        let once = masks::up::<US>(pawns) & empty;
        let twice = masks::up::<US>(once & masks::rank::<US>(2)) & empty;
        let pushed = ((once | twice) & safe).without(self.by[THEM][P]);
        let threatened = masks::pawn_attacks::<US>(pushed) & pieces;
        self.sink.add::<US>(w::THREAT_PUSH, threatened.count() as i32);
    }

    /// Safe squares from which a piece will attack the enemy's only queen.
    #[hot]
    #[inline]
    fn queen_threats<const US: usize, const THEM: usize>(&mut self, guarded: Bitboard) {
        let queens = self.pos.pieces(Color::new(THEM), QUEEN);
        if queens.is_empty() || queens.many() {
            return;
        }
        let queen = queens.first();
        let safe = self.area[US].without(guarded);
        let knights = self.by[US][N] & attacks::knight_attacks(queen) & safe;
        self.sink.add::<US>(w::THREAT_QUEEN_BY_KNIGHT, knights.count() as i32);
        let lines = self.by[US][B] & attacks::bishop_attacks(queen, self.occupied)
            | self.by[US][R] & attacks::rook_attacks(queen, self.occupied);
        let sliders = lines & safe & self.twice[US];
        self.sink.add::<US>(w::THREAT_QUEEN_BY_SLIDER, sliders.count() as i32);
    }
}
