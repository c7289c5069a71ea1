//! `fit`: the weights of the classical evaluation, fitted to the results and scores of games.
//!
//! The method is logistic regression (P. Osterlund's "Texel tuning"): the evaluation, passed through a logistic curve, is to
//! predict the outcome of the game, blended with the search's score. The evaluation is differentiated through its trace.

mod model;
mod samples;

use std::path::PathBuf;
use std::time::Instant;

use baize::engine::Game;
use baize_codegen::weights::Weights;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use model::{Model, Weight};
use samples::{Samples, Selection};

pub const USAGE: &str = "fit --data FILE [--data FILE ...] --weights tables/GAME_eval.toml [--game chess|xiangqi] [--epochs N] \
                         [--batch N] [--rate R] [--pull P] [--result SHARE] [--share OF_POSITIONS] [--k K] [--threads N] \
                         [--seed N] [--out FILE]\nfit --format FILE rewrites a file of weights in its canonical layout";

struct Settings {
    game: Game,
    data: Vec<PathBuf>,
    weights: PathBuf,
    out: Option<PathBuf>,
    epochs: usize,
    batch: usize,
    /// Step of Adam, in centipawns.
    rate: f32,
    /// Pull of each weight towards where it started, per position.
    pull: f32,
    /// Scale of the logistic curve in centipawns; fitted to the starting weights when not given.
    k: Option<f32>,
    threads: usize,
    seed: u64,
    selection: Selection,
}

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{name} {text}: not a number"))
}

impl Settings {
    fn parse(words: &[String]) -> Result<Self, String> {
        let mut s = Settings {
            game: Game::Chess,
            data: Vec::new(),
            weights: PathBuf::new(),
            out: None,
            epochs: 60,
            batch: 16384,
            rate: 0.7,
            pull: 1e-7,
            k: None,
            threads: 1,
            seed: 1,
            selection: Selection {
                result_share: 0.6,
                share: 1.0,
                seed: 1,
            },
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next().ok_or(format!("{word} needs a value\n{USAGE}"))?;
            match word.as_str() {
                "--game" if value == "chess" => s.game = Game::Chess,
                "--game" if value == "xiangqi" => s.game = Game::Xiangqi,
                "--data" => s.data.push(PathBuf::from(value)),
                "--weights" => s.weights = PathBuf::from(value),
                "--out" => s.out = Some(PathBuf::from(value)),
                "--epochs" => s.epochs = number(word, value)?,
                "--batch" => s.batch = number::<usize>(word, value)?.max(1),
                "--rate" => s.rate = number(word, value)?,
                "--pull" => s.pull = number(word, value)?,
                "--result" => s.selection.result_share = number(word, value)?,
                "--share" => s.selection.share = number(word, value)?,
                "--k" => s.k = Some(number(word, value)?),
                "--threads" => s.threads = number::<usize>(word, value)?.max(1),
                "--seed" => {
                    s.seed = number(word, value)?;
                    s.selection.seed = s.seed;
                }
                _ => return Err(format!("{word} {value}: not understood\n{USAGE}")),
            }
        }
        if s.data.is_empty() || s.weights.as_os_str().is_empty() {
            return Err(USAGE.to_string());
        }
        Ok(s)
    }
}

/// Runs the command.
///
/// # Errors
/// Bad arguments, files that cannot be read or written, or an engine that was built from other weights.
pub fn run(words: &[String]) -> Result<(), String> {
    if let [flag, file] = words
        && flag == "--format"
    {
        let weights = Weights::read(file.as_ref()).map_err(|e| e.to_string())?;
        return std::fs::write(file, weights.render()).map_err(|e| format!("{file}: {e}"));
    }
    let settings = Settings::parse(words)?;
    let mut table = Weights::read(&settings.weights).map_err(|e| e.to_string())?;
    let mut model = Model::new(&table)?;
    let (training, validation) = Samples::read(settings.game, &settings.data, &settings.selection, model.phase_full)?;
    eprintln!(
        "{} positions to fit to, {} to check with",
        training.len(),
        validation.len()
    );
    if training.is_empty() || validation.is_empty() {
        return Err("too little data".to_string());
    }
    training.verify(&model)?;
    model.k = settings.k.unwrap_or_else(|| training.best_k());
    eprintln!(
        "k {:.1} cp; loss before: {:.6}, validation {:.6}",
        model.k,
        training.loss(&model),
        validation.loss(&model)
    );
    descend(&mut model, &training, &validation, &settings);
    model.store(&mut table);
    let out = settings.out.as_ref().unwrap_or(&settings.weights);
    std::fs::write(out, table.render()).map_err(|e| format!("{}: {e}", out.display()))
}

/// Moments of Adam for one weight.
#[derive(Clone, Copy, Default)]
struct Moments {
    first: Weight,
    second: Weight,
}

/// Adam (Kingma and Ba 2015) over shuffled batches, the rate falling along a cosine.
fn descend(model: &mut Model, training: &Samples, validation: &Samples, settings: &Settings) {
    let start = model.weights.clone();
    let mut moments = vec![Moments::default(); model.weights.len()];
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let steps_per_epoch = training.len().div_ceil(settings.batch);
    let total = (steps_per_epoch * settings.epochs) as f32;
    let mut step = 0;
    let began = Instant::now();
    for epoch in 1..=settings.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, (random.next_u64() % (i as u64 + 1)) as usize);
        }
        for batch in order.chunks(settings.batch) {
            step += 1;
            let gradient = training.gradient(model, batch, settings.threads);
            let rate = settings.rate * 0.5 * (1.0 + (std::f32::consts::PI * step as f32 / total).cos());
            for (i, weight) in model.weights.iter_mut().enumerate() {
                for half in 0..2 {
                    let g = gradient[i][half] / batch.len() as f32 + settings.pull * (weight[half] - start[i][half]);
                    let m = &mut moments[i];
                    m.first[half] = 0.9 * m.first[half] + 0.1 * g;
                    m.second[half] = 0.999 * m.second[half] + 0.001 * g * g;
                    let first = m.first[half] / (1.0 - 0.9f32.powi(step));
                    let second = m.second[half] / (1.0 - 0.999f32.powi(step));
                    weight[half] -= rate * first / (second.sqrt() + 1e-9);
                }
            }
        }
        if epoch % 5 == 0 || epoch == settings.epochs {
            let seconds = began.elapsed().as_secs_f64();
            let done = epoch as f64 / settings.epochs as f64;
            eprintln!(
                "epoch {epoch:4}/{}  loss {:.6}  validation {:.6}  {:.0} positions/s  {:.0} s left",
                settings.epochs,
                training.loss(model),
                validation.loss(model),
                (epoch * training.len()) as f64 / seconds,
                seconds / done - seconds
            );
        }
    }
}
