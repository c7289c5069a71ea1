//! Passed pawns: what stands in their way, who guards it, and how far the kings are.

use baize_hot::hot;

use super::super::super::board::{Bitboard, Color, Square};
use super::super::attacks;
use super::super::{KING, PAWN, QUEEN, ROOK};
use super::Evaluation;
use super::masks::{self, BESIDE, distance, file, relative_rank};
use super::sink::Sink;
use super::weights as w;

impl<S: Sink> Evaluation<'_, S> {
    /// Passed pawns of side `US`, beyond what the structure alone tells.
    #[hot]
    #[inline]
    pub fn passed<const US: usize, const THEM: usize>(&mut self) {
        for square in self.passed[US] {
            self.passed_pawn::<US, THEM>(square);
        }
    }

    #[hot]
    fn passed_pawn<const US: usize, const THEM: usize>(&mut self, square: Square) {
        let rank = relative_rank::<US>(square);
        let path = masks::ahead_on_file::<US>(square);
        let stop = masks::up::<US>(Bitboard::of(square));
        let front = stop.first();

        let own_steps = distance(self.kings[US], front).min(6);
        let enemy_steps = distance(self.kings[THEM], front).min(6);
        self.sink.add::<US>(w::PASSED_OWN_KING + rank, own_steps);
        self.sink.add::<US>(w::PASSED_ENEMY_KING + rank, enemy_steps);
        if (self.passed[US] & BESIDE[square.file()]).any() {
            self.sink.add::<US>(w::PASSED_CONNECTED, 1);
        }

        let mut attacked = path & (self.all[THEM] | self.pos.side(Color::new(THEM)));
        let mut defended = path & self.all[US];
        let heavy = self.pos.kind(ROOK) | self.pos.kind(QUEEN);
        let behind = heavy & file(square.file()) & attacks::rook_attacks(square, self.occupied).without(path);
        if (behind & self.pos.side(Color::new(THEM))).any() {
            self.sink.add::<US>(w::PASSED_ATTACKER_BEHIND, 1);
            attacked = path;
        }
        if (behind & self.pos.side(Color::new(US))).any() {
            self.sink.add::<US>(w::PASSED_ROOK_BEHIND, 1);
            defended = path;
        }
        if (stop & self.occupied).is_empty() {
            self.sink.add::<US>(w::PASSED_FREE + rank, 1);
            if (path & self.occupied).is_empty() {
                self.sink.add::<US>(w::PASSED_CLEAR_PATH + rank, 1);
            }
            if attacked.is_empty() {
                self.sink.add::<US>(w::PASSED_SAFE_PATH + rank, 1);
            } else if (attacked & stop).is_empty() {
                self.sink.add::<US>(w::PASSED_SAFE_STOP + rank, 1);
            }
            if (defended & stop).any() {
                self.sink.add::<US>(w::PASSED_DEFENDED_STOP + rank, 1);
            }
        }
        if self.outruns::<US, THEM>(square, path) {
            self.sink.add::<US>(w::PASSED_UNSTOPPABLE + rank, 1);
        }
    }

    /// Whether the enemy, without pieces, is too late to catch the pawn (rule of the square).
    #[hot]
    #[inline]
    fn outruns<const US: usize, const THEM: usize>(&self, square: Square, path: Bitboard) -> bool {
        let enemy = self
            .pos
            .side(Color::new(THEM))
            .without(self.pos.kind(PAWN) | self.pos.kind(KING));
        if enemy.any() || (path & self.occupied).any() {
            return false;
        }
        let rank = relative_rank::<US>(square).max(2);
        let steps = 7 - rank as i32;
        let goal = Square::at(square.file(), if US == 0 { 7 } else { 0 });
        let turn = i32::from(self.pos.stm() != Color::new(US));
        distance(self.kings[THEM], goal) - turn > steps
    }
}
