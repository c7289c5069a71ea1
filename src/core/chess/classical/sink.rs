//! Where terms of the evaluation go: summed for play, recorded for the fitter and for `eval`.

use super::super::super::board::Color;
use super::super::super::eval::Tapered;
use super::weights;

/// Receives every term of the evaluation. The evaluation is linear in its weights but for king danger, which is
/// summed for each king and then squared.
pub trait Sink {
    /// `count` times a weight in favour of side `US`.
    fn add<const US: usize>(&mut self, weight: usize, count: i32);

    /// `count` times a danger weight to the king of side `US`.
    fn danger<const US: usize>(&mut self, weight: usize, count: i32);

    /// A sum of terms that was added up before, White's view.
    fn add_sum(&mut self, sum: Tapered);

    /// Danger to the king of side `US` that was added up before.
    fn danger_sum<const US: usize>(&mut self, units: i32);
}

/// Adds up for play.
#[derive(Clone, Copy, Default)]
pub struct Sum {
    /// White's view.
    pub total: Tapered,
    /// Units of danger to each king.
    pub danger: [i32; 2],
}

impl Sink for Sum {
    #[inline(always)]
    fn add<const US: usize>(&mut self, weight: usize, count: i32) {
        let value = weights::at(weight) * count;
        if US == 0 {
            self.total += value;
        } else {
            self.total -= value;
        }
    }

    #[inline(always)]
    fn danger<const US: usize>(&mut self, weight: usize, count: i32) {
        self.danger[US] += weights::at(weight).mg() * count;
    }

    #[inline(always)]
    fn add_sum(&mut self, sum: Tapered) {
        self.total += sum;
    }

    #[inline(always)]
    fn danger_sum<const US: usize>(&mut self, units: i32) {
        self.danger[US] += units;
    }
}

/// Records how often each weight counts, by side (danger weights: by the endangered side).
pub struct Record {
    pub counts: Box<[[i16; 2]; weights::COUNT]>,
}

impl Record {
    pub fn new() -> Self {
        Record {
            counts: Box::new([[0; 2]; weights::COUNT]),
        }
    }

    /// The value of one weight's counts for a side; danger weights have none of their own.
    pub fn linear(&self, weight: usize, side: Color) -> Tapered {
        if weight < weights::DANGER {
            weights::at(weight) * i32::from(self.counts[weight][side.index()])
        } else {
            Tapered::ZERO
        }
    }

    /// Units of danger to a side's king.
    pub fn units(&self, side: Color) -> i32 {
        (weights::DANGER..weights::COUNT)
            .map(|w| weights::at(w).mg() * i32::from(self.counts[w][side.index()]))
            .sum()
    }
}

impl Sink for Record {
    #[inline(always)]
    fn add<const US: usize>(&mut self, weight: usize, count: i32) {
        self.counts[weight][US] += count as i16;
    }

    #[inline(always)]
    fn danger<const US: usize>(&mut self, weight: usize, count: i32) {
        self.counts[weight][US] += count as i16;
    }

    fn add_sum(&mut self, _: Tapered) {
        debug_assert!(false, "what is recorded comes one by one");
    }

    fn danger_sum<const US: usize>(&mut self, _: i32) {
        debug_assert!(false, "what is recorded comes one by one");
    }
}
