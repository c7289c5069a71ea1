//! Cannons: what they aim at, and screens.

use baize_hot::hot;

use super::super::super::board::{Color, Square};
use super::super::{CANNON, attacks};
use super::Evaluation;
use super::masks::{self, relative_rank};
use super::sink::Sink;
use super::weights as w;

impl<S: Sink> Evaluation<'_, S> {
    /// One cannon of side `US`.
    #[hot]
    #[inline]
    pub fn cannon<const US: usize, const THEM: usize>(&mut self, square: Square) {
        let king = self.kings[THEM];
        if attacks::rank_and_file(king).has(square) {
            let between = attacks::guard(king, square) & self.occupied;
            match between.count() {
                0 => {
                    self.hollow[THEM] += 1;
                    self.sink.add::<US>(w::CANNON_HOLLOW, 1);
                    self.sink.danger::<THEM>(w::DANGER_HOLLOW, 1);
                }
                2 => self.sink.add::<US>(w::CANNON_AIMED, 1),
                _ => {}
            }
        }
        if square.file() == 4 {
            self.sink.add::<US>(w::CANNON_MIDDLE, 1);
        }
        if relative_rank::<US>(square) == 9 {
            self.sink.add::<US>(w::CANNON_BOTTOM, 1);
        }
        let screens = self.occupied.count() as usize / 4;
        self.sink.add::<US>(w::CANNON_SCREENS + screens, 1);
    }

    /// Both cannons on one of the middle files with nothing between.
    #[hot]
    #[inline]
    pub fn battery<const US: usize>(&mut self) {
        let cannons = self.pos.pieces(Color::new(US), CANNON) & masks::MIDDLE;
        if !cannons.many() {
            return;
        }
        let (low, high) = (cannons.first(), cannons.last());
        if low.file() == high.file() {
            let from_low = attacks::file_of(low) & masks::ahead::<0>(low);
            let from_high = attacks::file_of(high) & masks::ahead::<1>(high);
            if (from_low & from_high & self.occupied).is_empty() {
                self.sink.add::<US>(w::CANNON_BATTERY, 1);
            }
        }
    }
}
