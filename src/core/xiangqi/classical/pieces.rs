//! Mobility and what single pieces are good or bad at. Collects the attack sets that later terms read.

use baize_hot::hot;

use super::super::super::board::{Bitboard, Color, Kind, Square};
use super::super::{ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, attacks};
use super::masks::{self, relative_rank};
use super::sink::Sink;
use super::weights as w;
use super::{A, B, C, Evaluation, K, N, P, R};

impl<S: Sink> Evaluation<'_, S> {
    /// Attacks of pawns, king, advisors and bishops, numbers of pieces.
    #[hot]
    #[inline]
    pub fn prepare<const US: usize, const THEM: usize>(&mut self) {
        let us = Color::new(US);
        for kind in 0..super::super::KINDS {
            self.count[US][kind] = self.pos.pieces(us, Kind::new(kind)).count() as i32;
        }
        self.crossed[US] = self.pos.pieces(us, PAWN) & attacks::beyond_river(us);
        for square in self.pos.pieces(us, PAWN) {
            let attacked = attacks::pawn(us, square);
            self.note::<US>(P, attacked);
            self.press::<THEM>(P, attacked);
        }
        self.note::<US>(K, attacks::king(self.kings[US]));
        for square in self.pos.pieces(us, ADVISOR) {
            self.note::<US>(A, attacks::advisor(square));
        }
        for square in self.pos.pieces(us, BISHOP) {
            self.note::<US>(B, attacks::bishop(square, self.occupied));
        }
        self.area[THEM] = !(self.pos.side(Color::new(THEM)) | self.by[US][P]);
    }

    /// Notes an attack on the palace of side `SIDE`.
    #[inline(always)]
    fn press<const SIDE: usize>(&mut self, kind: usize, attacked: Bitboard) {
        let palace = attacked & masks::palace::<SIDE>();
        if palace.any() {
            self.attackers[SIDE] += 1;
            self.sink.danger::<SIDE>(w::DANGER_ATTACKER + kind, 1);
            let ring = attacked & attacks::king(self.kings[SIDE]);
            self.sink.danger::<SIDE>(w::DANGER_RING, ring.count() as i32);
        }
    }

    /// Knights, cannons and rooks.
    #[hot]
    #[inline]
    pub fn pieces<const US: usize, const THEM: usize>(&mut self) {
        let us = Color::new(US);
        for square in self.pos.pieces(us, KNIGHT) {
            self.knight::<US, THEM>(square);
        }
        for square in self.pos.pieces(us, CANNON) {
            let (slides, jumps) = attacks::rook_and_cannon(square, self.occupied);
            self.note::<US>(C, jumps);
            self.press::<THEM>(C, jumps);
            let moves = slides.without(self.occupied);
            self.cannon_moves[US] |= moves;
            let free = (moves & self.area[US]).count() as usize;
            self.sink.add::<US>(w::MOBILITY_CANNON + free, 1);
            self.cannon::<US, THEM>(square);
        }
        self.battery::<US>();
        for square in self.pos.pieces(us, ROOK) {
            self.rook::<US, THEM>(square);
        }
    }

    #[hot]
    #[inline]
    fn knight<const US: usize, const THEM: usize>(&mut self, square: Square) {
        let attacked = attacks::knight(square, self.occupied);
        self.note::<US>(N, attacked);
        self.press::<THEM>(N, attacked);
        let free = (attacked & self.area[US]).count() as usize;
        self.sink.add::<US>(w::MOBILITY_KNIGHT + free, 1);
        if (masks::neighbours(square) & self.occupied).many() {
            self.sink.add::<US>(w::KNIGHT_PINNED_LEG, 1);
        }
        let ahead = masks::up::<US>(Bitboard::of(square));
        let own = self.pos.pieces(Color::new(US), PAWN);
        if (ahead & own).any() {
            self.sink.add::<US>(w::PAWN_BLOCKS_KNIGHT, 1);
        }
    }

    #[hot]
    #[inline]
    fn rook<const US: usize, const THEM: usize>(&mut self, square: Square) {
        let attacked = attacks::rook(square, self.occupied);
        self.note::<US>(R, attacked);
        self.press::<THEM>(R, attacked);
        let free = (attacked & self.area[US]).count() as usize;
        self.sink.add::<US>(w::MOBILITY_ROOK + free, 1);
        let file = attacks::file_of(square);
        let pawns = self.pos.kind(PAWN);
        if (file & pawns).is_empty() {
            self.sink.add::<US>(w::ROOK_OPEN_FILE, 1);
        }
        let own = self.pos.pieces(Color::new(US), PAWN).without(self.crossed[US]);
        if (file & own & masks::ahead::<US>(square)).any() {
            self.sink.add::<US>(w::ROOK_OWN_PAWN, 1);
        }
        let rank = relative_rank::<US>(square);
        let king = self.kings[THEM];
        if rank >= 7 && relative_rank::<THEM>(king) <= 1 {
            self.sink.add::<US>(w::ROOK_DEEP, 1);
        }
        if square.file().abs_diff(king.file()) <= 1 {
            self.sink.add::<US>(w::ROOK_FILE_OF_KING, 1);
        }
        if rank == 0 && free <= 3 {
            self.sink.add::<US>(w::ROOK_TRAPPED, 1);
        }
    }

    /// Whether nothing stands on a king's file as far as the enemy palace, so that the king holds the file.
    #[hot]
    #[inline]
    pub fn holds_file<const US: usize, const THEM: usize>(&self) -> bool {
        let king = self.kings[US];
        let path = attacks::file_of(king) & masks::ahead::<US>(king);
        (path.without(masks::palace::<THEM>()) & self.occupied.without(self.pos.kind(KING))).is_empty()
    }
}
