//! What a training run is asked to do: words on the command line, lines in a checkpoint, one parser for both.

use std::path::PathBuf;

use baize::engine::Game;

use crate::data::Filter;
use crate::loss::Objective;
use crate::net::Architecture;

/// Everything that decides the outcome of a run. What is left open is chosen by the amount of data.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    pub game: Game,
    pub data: Vec<PathBuf>,
    /// Folder for checkpoints and curves.
    pub out: PathBuf,
    /// Kept in the network file.
    pub name: String,
    pub filter: Filter,
    /// Positions to use at most.
    pub limit: Option<usize>,
    /// One game in so many is for validation.
    pub validation_one_in: u64,
    pub hidden: Option<usize>,
    pub king_buckets: usize,
    pub output_buckets: usize,
    pub batch: Option<usize>,
    /// Passes over the data.
    pub epochs: Option<f64>,
    /// Learning rate at the beginning and the end of a cosine.
    pub rate: f32,
    pub final_rate: f32,
    /// Weight decay of AdamW.
    pub decay: f32,
    /// Weight of the result in the target.
    pub share: Option<f32>,
    /// Centipawns of an output of 1; fitted to the data if open.
    pub scale: Option<f32>,
    pub seed: u64,
    pub threads: usize,
    /// Steps from one validation and checkpoint to the next.
    pub stage: Option<u64>,
    /// Stop when so many stages have brought no better validation; 0 never.
    pub patience: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            game: Game::Chess,
            data: Vec::new(),
            out: PathBuf::new(),
            name: String::new(),
            filter: Filter::default(),
            limit: None,
            validation_one_in: 50,
            hidden: None,
            king_buckets: 1,
            output_buckets: 8,
            batch: None,
            epochs: None,
            rate: 1e-3,
            final_rate: 2.4e-6,
            decay: 0.01,
            share: None,
            scale: None,
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, |n| n.get()),
            stage: None,
            patience: 0,
        }
    }
}

/// The words that `Settings::set` knows.
pub const OPTIONS: &str = "\
  --game chess|xiangqi          (chess)
  --data FILE                   games of `baize datagen`; again for each further file
  --out FOLDER                  for checkpoints, log and curve
  --name NAME                   kept in the network, at most 32 bytes
  --min-ply N --max-ply N       plies of a game that are used (8, 400)
  --max-score CP                greatest score that is used (3000)
  --limit N                     positions to use at most
  --validation-one-in N         share of games kept for validation (50)
  --hidden N                    columns per side, a multiple of 64 (by data: 128, 256, 512)
  --king-buckets N              chess 1, 4, 8; xiangqi 1, 2, 6 (1)
  --output-buckets N            by piece count (8)
  --batch N                     (by data: 4096 or 16384)
  --epochs X                    passes over the data (by data)
  --rate R --final-rate R       ends of the cosine (1e-3, 2.4e-6)
  --decay D                     weight decay (0.01)
  --share S                     weight of the result against the score, 0 to 1 (by data: 0.2 or 0.35)
  --scale CP                    centipawns of an output of 1 (fitted)
  --seed N --threads N          one thread is reproducible to the bit
  --stage STEPS                 from one validation and checkpoint to the next
  --patience STAGES             stop after so many without a better validation (0: never)";

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("{name} {text}: not a number in range"))
}

impl Settings {
    /// Takes words as they stand on a command line.
    ///
    /// # Errors
    /// The first word that is not understood.
    pub fn parse(words: &[String]) -> Result<Settings, String> {
        let mut settings = Settings::default();
        for pair in words.chunks(2) {
            let [name, value] = pair else {
                return Err(format!("{} needs a value", pair[0]));
            };
            let bare = name.strip_prefix("--").ok_or(format!("{name}: not understood"))?;
            settings.set(bare, value)?;
        }
        Ok(settings)
    }

    /// Takes one setting.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "game" => {
                self.game = match value {
                    "chess" => Game::Chess,
                    "xiangqi" => Game::Xiangqi,
                    other => return Err(format!("no game {other}")),
                }
            }
            "data" => self.data.push(PathBuf::from(value)),
            "out" => self.out = PathBuf::from(value),
            "name" => self.name = value.to_string(),
            "min-ply" => self.filter.min_ply = number(name, value)?,
            "max-ply" => self.filter.max_ply = number(name, value)?,
            "max-score" => self.filter.max_score = number(name, value)?,
            "limit" => self.limit = Some(number(name, value)?),
            "validation-one-in" => self.validation_one_in = number::<u64>(name, value)?.max(2),
            "hidden" => self.hidden = Some(number(name, value)?),
            "king-buckets" => self.king_buckets = number(name, value)?,
            "output-buckets" => self.output_buckets = number(name, value)?,
            "batch" => self.batch = Some(number::<usize>(name, value)?.max(1)),
            "epochs" => self.epochs = Some(number(name, value)?),
            "rate" => self.rate = number(name, value)?,
            "final-rate" => self.final_rate = number(name, value)?,
            "decay" => self.decay = number(name, value)?,
            "share" => self.share = Some(number::<f32>(name, value)?.clamp(0.0, 1.0)),
            "scale" => self.scale = Some(number::<f32>(name, value)?.round().clamp(1.0, 4096.0)),
            "seed" => self.seed = number(name, value)?,
            "threads" => self.threads = number::<usize>(name, value)?.clamp(1, 1024),
            "stage" => self.stage = Some(number::<u64>(name, value)?.max(1)),
            "patience" => self.patience = number(name, value)?,
            other => return Err(format!("--{other}: not understood")),
        }
        Ok(())
    }

    /// The settings as names and values that `set` takes back without loss.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![
            ("game", self.game.name().to_string()),
            ("out", self.out.display().to_string()),
            ("name", self.name.clone()),
            ("min-ply", self.filter.min_ply.to_string()),
            ("max-ply", self.filter.max_ply.to_string()),
            ("max-score", self.filter.max_score.to_string()),
            ("validation-one-in", self.validation_one_in.to_string()),
            ("king-buckets", self.king_buckets.to_string()),
            ("output-buckets", self.output_buckets.to_string()),
            ("rate", self.rate.to_string()),
            ("final-rate", self.final_rate.to_string()),
            ("decay", self.decay.to_string()),
            ("seed", self.seed.to_string()),
            ("threads", self.threads.to_string()),
            ("patience", self.patience.to_string()),
        ];
        lines.extend(self.data.iter().map(|file| ("data", file.display().to_string())));
        let open = [
            ("limit", self.limit.map(|v| v.to_string())),
            ("hidden", self.hidden.map(|v| v.to_string())),
            ("batch", self.batch.map(|v| v.to_string())),
            ("epochs", self.epochs.map(|v| v.to_string())),
            ("share", self.share.map(|v| v.to_string())),
            ("scale", self.scale.map(|v| v.to_string())),
            ("stage", self.stage.map(|v| v.to_string())),
        ];
        lines.extend(open.into_iter().filter_map(|(name, value)| Some((name, value?))));
        lines
    }

    /// Chooses what is open by the number of positions and the best scale of their scores.
    pub fn resolve(&mut self, positions: usize, scale: f32) {
        const MILLION: usize = 1_000_000;
        let hidden = match positions {
            n if n < 20 * MILLION => 128,
            n if n < 100 * MILLION => 256,
            _ => 512,
        };
        self.hidden.get_or_insert(hidden);
        let batch = *self
            .batch
            .get_or_insert(if positions < 10 * MILLION { 4096 } else { 16384 });
        self.share
            .get_or_insert(if positions < 50 * MILLION { 0.2 } else { 0.35 });
        // Small data is gone over more often, but not so often that it is learned by heart.
        let epochs = *self.epochs.get_or_insert(match positions {
            n if n < 10 * MILLION => 12.0,
            n if n < 50 * MILLION => 20.0,
            _ => 16.0,
        });
        self.scale.get_or_insert(scale.round().clamp(1.0, 4096.0));
        let steps = epochs * positions as f64 / batch as f64;
        // About 40 points make a curve.
        self.stage.get_or_insert(((steps / 40.0) as u64).max(1));
    }

    pub fn batch(&self) -> usize {
        self.batch.unwrap_or(16384)
    }

    pub fn architecture(&self) -> Architecture {
        Architecture {
            game: self.game,
            hidden: self.hidden.unwrap_or(256),
            king_buckets: self.king_buckets,
            output_buckets: self.output_buckets,
        }
    }

    pub fn objective(&self) -> Objective {
        Objective {
            share: self.share.unwrap_or(0.0),
            scale: self.scale.unwrap_or(400.0),
        }
    }

    /// Steps of the whole run over so many positions.
    pub fn steps(&self, positions: usize) -> u64 {
        let steps = self.epochs.unwrap_or(1.0) * positions as f64 / self.batch() as f64;
        (steps.round() as u64).max(1)
    }

    /// The learning rate of a step, counted from 0.
    pub fn rate_at(&self, step: u64, steps: u64) -> f32 {
        let way = step as f64 / steps.saturating_sub(1).max(1) as f64;
        let height = 0.5 * (1.0 + (std::f64::consts::PI * way.min(1.0)).cos());
        (f64::from(self.final_rate) + f64::from(self.rate - self.final_rate) * height) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_a_checkpoint() {
        let words = "--game xiangqi --data a b --data c --out o --hidden 192 --share 0.3 --rate 0.0007 --stage 9";
        let words: Vec<String> = words.split(' ').map(str::to_string).collect();
        assert!(Settings::parse(&words).is_err());
        let words: Vec<String> = words.into_iter().filter(|w| w != "b").collect();
        let mut settings = Settings::parse(&words).expect("understood");
        settings.resolve(3_000_000, 312.4);
        let mut back = Settings::default();
        for (name, value) in settings.lines() {
            back.set(name, &value).expect("understood");
        }
        assert_eq!(back, settings);
        assert_eq!(
            (settings.hidden, settings.batch, settings.scale),
            (Some(192), Some(4096), Some(312.0))
        );
    }

    #[test]
    fn the_rate_falls_along_a_cosine() {
        let settings = Settings::default();
        assert_eq!(settings.rate_at(0, 101), 1e-3);
        assert!((settings.rate_at(50, 101) - 5.0e-4).abs() < 2e-6);
        assert!((settings.rate_at(100, 101) - 2.4e-6).abs() < 1e-9);
    }
}
