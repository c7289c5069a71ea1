//! Mobility and what single pieces are good or bad at. Collects the attack sets that later terms read.

use baize_hot::hot;

use super::super::super::board::{Bitboard, Color, Kind, Square};
use super::super::attacks;
use super::super::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK};
use super::Evaluation;
use super::masks::{self, CENTER, LIGHT, OUTPOST_RANKS, distance, file};
use super::sink::Sink;
use super::weights as w;

/// Numbers of kinds, for const parameters.
pub const N: usize = KNIGHT.index();
pub const B: usize = BISHOP.index();
pub const R: usize = ROOK.index();
pub const Q: usize = QUEEN.index();

impl<S: Sink> Evaluation<'_, S> {
    /// All pieces of one kind of a side.
    #[hot]
    #[inline]
    pub fn pieces<const US: usize, const THEM: usize, const KIND: usize>(&mut self) {
        let king = self.kings[US];
        let pinned = self.pos.state.blockers[US];
        for square in self.pos.pieces(Color::new(US), Kind::new(KIND)) {
            let mut attacked = self.reach::<US, KIND>(square);
            if pinned.has(square) {
                attacked &= attacks::line(king, square);
            }
            self.twice[US] |= self.all[US] & attacked;
            self.all[US] |= attacked;
            self.by[US][KIND] |= attacked;
            if (attacked & self.zone[THEM]).any() {
                self.attackers[THEM] += 1;
                self.sink.danger::<THEM>(w::DANGER_ATTACKER + KIND - N, 1);
                let near = (attacked & self.beside_king[THEM]).count() as i32;
                self.sink.danger::<THEM>(w::DANGER_RING_ATTACK, near);
            }
            let squares = (attacked & self.area[US]).count() as usize;
            let mobility = match KIND {
                N => w::MOBILITY_KNIGHT,
                B => w::MOBILITY_BISHOP,
                R => w::MOBILITY_ROOK,
                _ => w::MOBILITY_QUEEN,
            };
            self.sink.add::<US>(mobility + squares, 1);
            match KIND {
                N | B => self.minor::<US, THEM, KIND>(square, attacked),
                R => self.rook::<US, THEM>(square, squares),
                _ => self.queen::<US, THEM>(square),
            }
        }
    }

    /// Squares that a piece attacks; line pieces see through those of their own that move the same way.
    #[hot]
    #[inline]
    fn reach<const US: usize, const KIND: usize>(&self, square: Square) -> Bitboard {
        let occupied = self.occupied;
        match KIND {
            N => attacks::knight_attacks(square),
            B => attacks::bishop_attacks(square, occupied ^ self.pos.kind(QUEEN)),
            R => attacks::rook_attacks(
                square,
                occupied ^ self.pos.kind(QUEEN) ^ self.pos.pieces(Color::new(US), ROOK),
            ),
            _ => attacks::queen_attacks(square, occupied),
        }
    }

    #[hot]
    #[inline]
    fn minor<const US: usize, const THEM: usize, const KIND: usize>(&mut self, square: Square, attacked: Bitboard) {
        let here = Bitboard::of(square);
        let holes = OUTPOST_RANKS[US].without(self.spans[THEM]) & self.by[US][PAWN.index()];
        if (holes & here).any() {
            self.sink.add::<US>(
                if KIND == N {
                    w::OUTPOST_KNIGHT
                } else {
                    w::OUTPOST_BISHOP
                },
                1,
            );
        } else if KIND == N && (holes & attacked).without(self.pos.side(Color::new(US))).any() {
            self.sink.add::<US>(w::OUTPOST_REACHABLE, 1);
        }
        if (masks::up::<US>(here) & self.pos.kind(PAWN)).any() {
            self.sink.add::<US>(w::MINOR_BEHIND_PAWN, 1);
        }
        self.sink
            .add::<US>(w::MINOR_KING_DISTANCE, distance(square, self.kings[US]));
        if KIND == B {
            self.bishop::<US, THEM>(square);
        }
    }

    #[hot]
    #[inline]
    fn bishop<const US: usize, const THEM: usize>(&mut self, square: Square) {
        let own = self.pos.pieces(Color::new(US), PAWN);
        let same = own & if LIGHT.has(square) { LIGHT } else { !LIGHT };
        self.sink.add::<US>(w::BISHOP_COLOR_PAWNS, same.count() as i32);
        let blocked = same & masks::down::<US>(self.occupied);
        self.sink.add::<US>(w::BISHOP_BLOCKED_PAWNS, blocked.count() as i32);
        if (attacks::bishop_attacks(square, self.pos.kind(PAWN)) & CENTER).many() {
            self.sink.add::<US>(w::LONG_DIAGONAL, 1);
        }
    }

    #[hot]
    #[inline]
    fn rook<const US: usize, const THEM: usize>(&mut self, square: Square, squares: usize) {
        let own = self.pos.pieces(Color::new(US), PAWN);
        let enemy = self.pos.pieces(Color::new(THEM), PAWN);
        let on_file = file(square.file());
        if (own & on_file).is_empty() {
            self.sink.add::<US>(
                if (enemy & on_file).is_empty() {
                    w::ROOK_OPEN
                } else {
                    w::ROOK_SEMI_OPEN
                },
                1,
            );
        } else if squares <= 3 {
            // Between its king and the corner, on the king's side of the board.
            let king = self.kings[US];
            if king.rank() == square.rank() && (king.file() < 4) == (square.file() < king.file()) {
                self.sink.add::<US>(w::ROOK_TRAPPED, 1);
            }
        }
        if masks::relative_rank::<US>(square) == 6
            && (masks::relative_rank::<US>(self.kings[THEM]) == 7 || (enemy & masks::rank::<US>(6)).any())
        {
            self.sink.add::<US>(w::ROOK_SEVENTH, 1);
        }
    }

    #[hot]
    #[inline]
    fn queen<const US: usize, const THEM: usize>(&mut self, square: Square) {
        let occupied = self.occupied;
        // Enemy line pieces on an empty board's lines, with exactly one piece between.
        let bishops = attacks::bishop_rays(square) & self.pos.pieces(Color::new(THEM), BISHOP);
        let rooks = attacks::rook_rays(square) & self.pos.pieces(Color::new(THEM), ROOK);
        for from in bishops | rooks {
            let between = attacks::between(square, from) & occupied;
            if between.any() && !between.many() {
                self.sink.add::<US>(w::QUEEN_PINNED, 1);
                break;
            }
        }
    }

    /// Numbers of pieces together: the pair, and pieces with few or many pawns.
    #[hot]
    #[inline]
    pub fn together<const US: usize>(&mut self) {
        let us = Color::new(US);
        let pawns = (self.pos.pieces(us, PAWN).count() as usize).min(8);
        let bishops = self.pos.pieces(us, BISHOP);
        if (bishops & LIGHT).any() && bishops.without(LIGHT).any() {
            self.sink.add::<US>(w::BISHOP_PAIR + pawns, 1);
        }
        self.sink
            .add::<US>(w::KNIGHT_PAWNS + pawns, self.pos.pieces(us, KNIGHT).count() as i32);
        self.sink
            .add::<US>(w::ROOK_PAWNS + pawns, self.pos.pieces(us, ROOK).count() as i32);
    }
}
