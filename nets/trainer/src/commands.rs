//! The commands of the trainer.

use std::path::{Path, PathBuf};
use std::time::Instant;

use baize::engine::Game;

use crate::checkpoint::{self, Saved, State};
use crate::curve::{self, Point};
use crate::data::{Data, Source, best_scale};
use crate::export::Quantised;
use crate::kernels::Kernels;
use crate::loss::Objective;
use crate::net::Architecture;
use crate::progress::{Progress, duration};
use crate::settings::{OPTIONS, Settings};
use crate::synthetic;
use crate::train::Trainer;

pub const USAGE: &str = "\
train --data FILE --out FOLDER [...]      learns a network; train --help lists what can be set
train --resume FILE [--threads N]         goes on from a checkpoint; --data and --out where they have moved
export --checkpoint FILE --out FILE       writes the network file and reports what rounding costs
speed [--hidden N] [--threads N] [...]    measures training on made-up positions";

fn read(settings: &Settings) -> Result<Data, String> {
    if settings.data.is_empty() {
        return Err(format!("no --data\n{USAGE}"));
    }
    let began = Instant::now();
    let data = Data::read(&Source {
        game: settings.game,
        files: &settings.data,
        filter: &settings.filter,
        validation_one_in: settings.validation_one_in,
        limit: settings.limit,
        seed: settings.seed,
        threads: settings.threads,
    })?;
    eprintln!("{}", data.summary);
    eprintln!(
        "{} positions to learn from, {} of other games to validate with; read in {:.1} s",
        data.training.len(),
        data.validation.len(),
        began.elapsed().as_secs_f64()
    );
    if data.training.is_empty() || data.validation.is_empty() {
        return Err("too little data".to_string());
    }
    Ok(data)
}

/// `train`.
///
/// # Errors
/// Bad settings, files that cannot be read or written, a loss that is no number.
pub fn train(words: &[String]) -> Result<(), String> {
    if words.first().is_some_and(|word| word == "--help") {
        eprintln!("{USAGE}\n\n{OPTIONS}");
        return Ok(());
    }
    let (mut settings, saved) = match words {
        [word, file, rest @ ..] if word == "--resume" => resumed(file, rest)?,
        _ => (Settings::parse(words)?, None),
    };
    if settings.out.as_os_str().is_empty() {
        return Err(format!("no --out\n{USAGE}"));
    }
    std::fs::create_dir_all(&settings.out).map_err(|e| format!("{}: {e}", settings.out.display()))?;
    settings.architecture().check()?;
    let data = read(&settings)?;
    let scale = best_scale(&data.training);
    settings.resolve(data.training.len(), scale);
    let fingerprint = data.fingerprint();
    let kernels = Kernels::best();
    let mut trainer = Trainer::new(
        &settings.architecture(),
        settings.objective(),
        settings.seed,
        settings.threads,
        kernels,
    )?;
    let mut points = Vec::new();
    if let Some(saved) = saved {
        if saved.state.fingerprint != fingerprint {
            return Err("the data is not what the checkpoint learned from".to_string());
        }
        saved.restore(&mut trainer)?;
        points = saved.state.curve;
    }
    eprintln!(
        "best scale {scale:.0} cp; {} kernels, {} threads",
        kernels.name(),
        settings.threads
    );
    let words: Vec<String> = settings.lines().iter().map(|(n, v)| format!("{n} {v}")).collect();
    eprintln!("{}", words.join(", "));
    let mut run = Run {
        before: points.last().map_or(0.0, |p: &Point| p.seconds),
        settings,
        trainer,
        data,
        fingerprint,
        points,
        began: Instant::now(),
    };
    run.go()
}

fn resumed(file: &str, words: &[String]) -> Result<(Settings, Option<Saved>), String> {
    let saved = checkpoint::load(Path::new(file))?;
    let mut settings = saved.state.settings.clone();
    let given = Settings::parse(words)?;
    for pair in words.chunks(2) {
        match pair[0].as_str() {
            "--threads" => settings.threads = given.threads,
            "--patience" => settings.patience = given.patience,
            "--data" => settings.data.clone_from(&given.data),
            "--out" => settings.out.clone_from(&given.out),
            other => return Err(format!("{other}: the checkpoint decides that")),
        }
    }
    Ok((settings, Some(saved)))
}

/// A training run with all that belongs to it.
struct Run {
    settings: Settings,
    trainer: Trainer,
    data: Data,
    fingerprint: u64,
    points: Vec<Point>,
    began: Instant,
    /// Seconds of earlier parts of the run.
    before: f64,
}

impl Run {
    fn go(&mut self) -> Result<(), String> {
        let batch = self.settings.batch();
        let steps = self.settings.steps(self.data.training.len());
        let stage = self.settings.stage.unwrap_or(1000);
        let mut progress = Progress::new(self.trainer.step, steps);
        let first = self.trainer.step;
        let (mut sum, mut count) = (0.0, 0u64);
        while self.trainer.step < steps {
            let rate = self.settings.rate_at(self.trainer.step, steps);
            let loss = self
                .trainer
                .learn(&self.data.training, batch, rate, self.settings.decay);
            if !loss.is_finite() {
                return Err(format!("the loss is no number at step {}", self.trainer.step));
            }
            sum += loss;
            count += 1;
            let speed = (self.trainer.step - first) as f64 * batch as f64 / progress.seconds().max(1e-9);
            progress.show(self.trainer.step, || {
                format!(
                    "step {} of {steps}  loss {:.6}  {:.2} M positions/s",
                    self.trainer.step,
                    sum / count as f64,
                    speed / 1e6
                )
            });
            if self.trainer.step.is_multiple_of(stage) || self.trainer.step == steps {
                progress.clear();
                self.end_stage(sum / count as f64, rate, speed)?;
                (sum, count) = (0.0, 0);
                if self.is_stale() {
                    eprintln!(
                        "no better validation for {} stages: stopped early",
                        self.settings.patience
                    );
                    break;
                }
            }
        }
        self.conclude();
        Ok(())
    }

    /// Whether the last stages have brought nothing.
    fn is_stale(&self) -> bool {
        let best = curve::best(&self.points).map_or(0, |p| p.step);
        let since = self.points.iter().filter(|p| p.step > best).count();
        self.settings.patience > 0 && since >= self.settings.patience
    }

    fn end_stage(&mut self, training: f64, rate: f32, speed: f64) -> Result<(), String> {
        let validation = self.trainer.validate(&self.data.validation, |_, _, _| ());
        let best = curve::best(&self.points).is_none_or(|best| validation < best.validation);
        self.points.push(Point {
            step: self.trainer.step,
            positions: self.trainer.step * self.settings.batch() as u64,
            rate,
            training,
            validation,
            seconds: self.before + self.began.elapsed().as_secs_f64(),
        });
        eprintln!(
            "step {}  rate {rate:.2e}  training {training:.6}  validation {validation:.6}{}  {:.2} M positions/s",
            self.trainer.step,
            if best { " (best)" } else { "" },
            speed / 1e6
        );
        self.save(best)
    }

    fn save(&self, best: bool) -> Result<(), String> {
        let out = &self.settings.out;
        let state = State {
            settings: self.settings.clone(),
            step: self.trainer.step,
            fingerprint: self.fingerprint,
            curve: self.points.clone(),
        };
        checkpoint::save(&out.join("latest.ckpt"), &state, &self.trainer)?;
        if best {
            checkpoint::save(&out.join("best.ckpt"), &state, &self.trainer)?;
        }
        let a = self.settings.architecture();
        let title = format!(
            "{} {}: {} hidden, {} king and {} output buckets, {} positions",
            a.game.name(),
            self.settings.name,
            a.hidden,
            a.king_buckets,
            a.output_buckets,
            self.data.training.len()
        );
        let texts = [
            ("log.csv", curve::csv(&self.points)),
            ("loss.svg", curve::svg(&self.points, &title)),
        ];
        for (name, text) in texts {
            let path = out.join(name);
            std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok(())
    }

    fn conclude(&self) {
        let Some((best, last)) = curve::best(&self.points).zip(self.points.last()) else {
            return;
        };
        eprintln!(
            "{} steps in {}: best validation {:.6} at step {}, last {:.6}",
            last.step,
            duration(last.seconds),
            best.validation,
            best.step,
            last.validation
        );
        if best.step < last.step {
            eprintln!("the end is not the best: fewer epochs, or export best.ckpt");
        }
    }
}

/// `export`.
///
/// # Errors
/// Bad arguments, files that cannot be read or written.
pub fn export(words: &[String]) -> Result<(), String> {
    let (mut checkpoint, mut out) = (None, None);
    let mut rest = Vec::new();
    for pair in words.chunks(2) {
        match pair {
            [name, value] if name == "--checkpoint" => checkpoint = Some(PathBuf::from(value)),
            [name, value] if name == "--out" => out = Some(PathBuf::from(value)),
            _ => rest.extend_from_slice(pair),
        }
    }
    let (Some(checkpoint), Some(out)) = (checkpoint, out) else {
        return Err(USAGE.to_string());
    };
    let saved = checkpoint::load(&checkpoint)?;
    let given = Settings::parse(&rest)?;
    let mut settings = saved.state.settings.clone();
    settings.threads = given.threads;
    if !given.data.is_empty() {
        settings.data = given.data;
    }
    if !given.name.is_empty() {
        settings.name = given.name;
    }
    // Enough for the means; the split between games to learn from and others stays.
    settings.limit = Some(given.limit.or(settings.limit).unwrap_or(EXPORT_POSITIONS));
    let architecture = settings.architecture();
    let mut trainer = Trainer::new(
        &architecture,
        settings.objective(),
        settings.seed,
        settings.threads,
        Kernels::best(),
    )?;
    saved.restore(&mut trainer)?;
    let data = read(&settings)?;
    let calibration: Vec<_> = data
        .training
        .iter()
        .step_by(data.training.len().div_ceil(CALIBRATION).max(1))
        .copied()
        .collect();
    let (network, report) = Quantised::new(
        &architecture,
        &settings.name,
        &mut trainer,
        &calibration,
        &data.validation,
    )?;
    let bytes = network.to_bytes().map_err(|e| e.to_string())?;
    std::fs::write(&out, &bytes).map_err(|e| format!("{}: {e}", out.display()))?;
    let h = &network.header;
    println!(
        "{}: {} {}, {} hidden, {} king and {} output buckets, QA {}, QB {}, scale {}; {} of {} rows unused; {} bytes, hash {:016x}",
        out.display(),
        h.game.name(),
        h.name,
        h.hidden,
        h.king_bucket_count,
        h.output_bucket_count,
        h.qa,
        h.qb,
        h.scale,
        network.unused_rows,
        h.rows(),
        bytes.len(),
        baize::network::format::hash(&bytes)
    );
    println!("{report}");
    Ok(())
}

/// Positions that an export reads.
const EXPORT_POSITIONS: usize = 8_000_000;
/// Of these, so many correct the biases.
const CALIBRATION: usize = 400_000;

/// `speed`.
///
/// # Errors
/// Bad arguments.
pub fn speed(words: &[String]) -> Result<(), String> {
    let (mut seconds, mut pieces, mut count) = (5.0f64, 18usize, 2_000_000usize);
    let mut kernels = Kernels::best();
    let mut rest = Vec::new();
    let number = |text: &str| text.parse::<f64>().map_err(|_| format!("{text}: not a number"));
    for pair in words.chunks(2) {
        match pair {
            [name, value] if name == "--seconds" => seconds = number(value)?,
            [name, value] if name == "--pieces" => pieces = number(value)? as usize,
            [name, value] if name == "--positions" => count = number(value)?.max(1.0) as usize,
            [name, value] if name == "--kernels" => {
                kernels = Kernels::usable()
                    .into_iter()
                    .find(|k| k.name() == value)
                    .ok_or(format!("no kernels {value} on this machine"))?;
            }
            _ => rest.extend_from_slice(pair),
        }
    }
    let settings = Settings::parse(&rest)?;
    let positions = synthetic::positions(settings.game, count, pieces, settings.seed);
    let active = positions.iter().map(|p| p.count()).sum::<usize>() as f64 / positions.len() as f64;
    let architecture = Architecture {
        hidden: settings.hidden.unwrap_or(256),
        ..settings.architecture()
    };
    let objective = Objective {
        share: 0.2,
        scale: 400.0,
    };
    let mut trainer = Trainer::new(&architecture, objective, settings.seed, settings.threads, kernels)?;
    let batch = settings.batch();
    for _ in 0..5 {
        trainer.learn(&positions, batch, settings.rate, settings.decay);
    }
    let (began, cpu) = (Instant::now(), cpu_seconds());
    let mut steps = 0;
    let mut loss = 0.0;
    while began.elapsed().as_secs_f64() < seconds {
        loss = trainer.learn(&positions, batch, settings.rate, settings.decay);
        steps += 1;
    }
    let learned = (steps * batch) as f64;
    println!(
        "{} {}, {active:.1} pieces, {} hidden, {} king buckets, batch {batch}, {} kernels, {} threads: {:.3} M positions/s; loss {loss:.5}",
        if settings.game == Game::Chess {
            "chess"
        } else {
            "xiangqi"
        },
        count,
        architecture.hidden,
        architecture.king_buckets,
        kernels.name(),
        settings.threads,
        learned / began.elapsed().as_secs_f64() / 1e6,
    );
    if let Some((after, before)) = cpu_seconds().zip(cpu) {
        println!(
            "{:.3} M positions per second of processor time: {:.3} M positions/s were {} processors idle",
            learned / (after - before).max(1e-9) / 1e6,
            settings.threads as f64 * learned / (after - before).max(1e-9) / 1e6,
            settings.threads
        );
    }
    Ok(())
}

/// Processor time of this process, where the system says it in hundredths of a second.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}
