//! Positions to fit to, read from games.

use std::path::PathBuf;

use baize::engine::{Game, GameCopy, Line, Trace};
use baize::tools::records::{Reader, Record};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use super::model::{Count, Facts, Model, Weight};

/// Which positions, and what they are to predict.
pub struct Selection {
    /// Share of the game's result in the target; the rest is the search's score.
    pub result_share: f32,
    /// Share of the fit positions that is used.
    pub share: f32,
    pub seed: u64,
}

/// Positions from this ply on, with a score up to this, are used.
const FROM_PLY: usize = 8;
const SCORE: i16 = 2500;
/// One game in so many is kept for validation.
const VALIDATION: u64 = 16;

struct Sample {
    facts: Facts,
    /// First of its counts; they end where the next sample's begin.
    first: u32,
    /// Result and score, White's view.
    result: f32,
    score: f32,
    /// The engine's own value of it.
    value: i32,
}

/// Positions with their counts in one array.
pub struct Samples {
    samples: Vec<Sample>,
    counts: Vec<Count>,
    result_share: f32,
    phase_full: f32,
}

impl Samples {
    /// Reads games; returns what to fit to and what to check with, parted by game.
    pub fn read(
        game: Game,
        files: &[PathBuf],
        selection: &Selection,
        phase_full: f32,
    ) -> Result<(Samples, Samples), String> {
        let target = baize::cpu::detect(None).map_err(|e| e.to_string())?.choice.target;
        let copy = target
            .copy
            .game(game)
            .ok_or(format!("this build does not play {}", game.name()))?;
        let empty = || Samples {
            samples: Vec::new(),
            counts: Vec::new(),
            result_share: selection.result_share,
            phase_full,
        };
        let (mut training, mut validation) = (empty(), empty());
        let mut games = 0u64;
        for file in files {
            let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
            let mut reader = Reader::new(&bytes);
            for record in reader.by_ref().filter(|r| r.start.game == game) {
                games += 1;
                let mut random = SplitMix64::seed_from_u64(selection.seed ^ games);
                let part = if random.next_u64() % VALIDATION == 0 {
                    &mut validation
                } else {
                    &mut training
                };
                part.add_game(copy, &record, selection, &mut random);
            }
            for damage in &reader.damage {
                eprintln!(
                    "{}: {} damaged bytes at byte {} skipped",
                    file.display(),
                    damage.bytes,
                    damage.at
                );
            }
        }
        eprintln!("{games} games");
        Ok((training, validation))
    }

    fn add_game(&mut self, copy: &GameCopy, record: &Record, selection: &Selection, random: &mut SplitMix64) {
        let line = Line {
            start: record.start.clone(),
            moves: record.plies.iter().map(|p| p.0).collect(),
        };
        let quiet = (copy.quiet)(&line);
        let mut wanted = quiet;
        for (ply, want) in wanted.iter_mut().enumerate() {
            let lucky = (random.next_u64() >> 40) as f32 / (1u64 << 24) as f32 <= selection.share;
            *want &= lucky && ply >= FROM_PLY && record.plies[ply].1.abs() <= SCORE;
        }
        let result = f32::from(record.result) / 2.0;
        for (ply, trace) in (copy.traces)(&line, &wanted).into_iter().enumerate() {
            let Some(trace) = trace else { continue };
            let white_moves = (usize::from(record.start.stm) + ply) % 2 == 0;
            let score = f32::from(record.plies[ply].1);
            self.add(&trace, result, if white_moves { score } else { -score });
        }
    }

    fn add(&mut self, trace: &Trace, result: f32, score: f32) {
        let phase = trace.phase as f32 / self.phase_full;
        let facts = Facts {
            shares: [phase, (1.0 - phase) * trace.scale as f32 / 64.0],
            safe_king: trace.safe_king,
        };
        let first = self.counts.len() as u32;
        self.samples.push(Sample {
            facts,
            first,
            result,
            score,
            value: trace.value,
        });
        let clip = |count: i16| count.clamp(-127, 127) as i8;
        let counts = trace.counts.iter().map(|&(weight, w, b)| Count {
            weight,
            white: clip(w),
            black: clip(b),
        });
        self.counts.extend(counts);
    }

    pub fn len(&self) -> usize {
        self.samples.len()
    }

    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    fn counts(&self, index: usize) -> &[Count] {
        let first = self.samples[index].first as usize;
        let end = self
            .samples
            .get(index + 1)
            .map_or(self.counts.len(), |s| s.first as usize);
        &self.counts[first..end]
    }

    fn target(&self, index: usize, model: &Model) -> f32 {
        let s = &self.samples[index];
        self.result_share * s.result + (1.0 - self.result_share) * model.points(s.score)
    }

    /// Checks that the engine was built from the model's weights.
    ///
    /// # Errors
    /// When values differ.
    pub fn verify(&self, model: &Model) -> Result<(), String> {
        for (i, s) in self.samples.iter().enumerate().take(20_000) {
            let (value, _) = model.value(self.counts(i), &s.facts);
            if (value - s.value as f32).abs() > 4.0 {
                return Err(format!(
                    "the weights say {value:.1} where the engine says {}: build the trainer anew after a change of weights",
                    s.value
                ));
            }
        }
        Ok(())
    }

    /// Mean squared error of the expected points.
    pub fn loss(&self, model: &Model) -> f32 {
        let error = |i: usize| {
            let (value, _) = model.value(self.counts(i), &self.samples[i].facts);
            f64::from((model.points(value) - self.target(i, model)).powi(2))
        };
        ((0..self.len()).map(error).sum::<f64>() / self.len() as f64) as f32
    }

    /// The scale of the logistic curve that predicts results best from the search's scores.
    pub fn best_k(&self) -> f32 {
        let loss = |k: f32| {
            let points = |s: f32| 1.0 / (1.0 + (-s / k).exp());
            self.samples
                .iter()
                .map(|s| f64::from((points(s.score) - s.result).powi(2)))
                .sum::<f64>()
        };
        let (mut low, mut high) = (50.0, 800.0);
        while high - low > 0.5 {
            let (a, b) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
            if loss(a) < loss(b) {
                high = b;
            } else {
                low = a;
            }
        }
        (low + high) / 2.0
    }

    /// Sum of the gradients of a batch; the same for the same number of threads.
    pub fn gradient(&self, model: &Model, batch: &[u32], threads: usize) -> Vec<Weight> {
        let part = |indices: &[u32]| {
            let mut gradient = vec![[0.0; 2]; model.weights.len()];
            for &i in indices {
                let i = i as usize;
                model.add_gradient(
                    self.counts(i),
                    &self.samples[i].facts,
                    self.target(i, model),
                    &mut gradient,
                );
            }
            gradient
        };
        if threads == 1 {
            return part(batch);
        }
        let part = &part;
        std::thread::scope(|scope| {
            let size = batch.len().div_ceil(threads);
            let parts: Vec<_> = batch
                .chunks(size)
                .map(|chunk| scope.spawn(move || part(chunk)))
                .collect();
            let mut sum = vec![[0.0; 2]; model.weights.len()];
            for one in parts.into_iter().filter_map(|p| p.join().ok()) {
                for (total, g) in sum.iter_mut().zip(one) {
                    total[0] += g[0];
                    total[1] += g[1];
                }
            }
            sum
        })
    }
}
