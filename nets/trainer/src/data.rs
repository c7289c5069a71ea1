//! Games into positions to learn from.

use std::path::PathBuf;

use baize::engine::Game;
use baize::tools::records::{Reader, Record};

use crate::packed::Packed;
use crate::permutation::mix;

/// Which positions are fit to learn from, beside being no check and followed by a quiet move.
#[derive(Clone, PartialEq, Debug)]
pub struct Filter {
    /// Plies of the record, counted from 0.
    pub min_ply: usize,
    pub max_ply: usize,
    /// The greatest magnitude of the score, internal centipawns.
    pub max_score: i32,
}

impl Default for Filter {
    fn default() -> Self {
        Filter {
            min_ply: 8,
            max_ply: 400,
            max_score: 3000,
        }
    }
}

/// What was read and why positions were left out.
#[derive(Clone, Default, Debug)]
pub struct Summary {
    pub games: u64,
    pub damaged_bytes: u64,
    /// Games whose moves could not be played to the end.
    pub broken_games: u64,
    pub positions: u64,
    pub by_ply: u64,
    pub by_score: u64,
    pub tactical: u64,
    pub in_check: u64,
    /// The mover lost, drew, won, among the kept.
    pub results: [u64; 3],
}

impl Summary {
    fn add(&mut self, other: &Summary) {
        let pairs = [
            (&mut self.games, other.games),
            (&mut self.damaged_bytes, other.damaged_bytes),
            (&mut self.broken_games, other.broken_games),
            (&mut self.positions, other.positions),
            (&mut self.by_ply, other.by_ply),
            (&mut self.by_score, other.by_score),
            (&mut self.tactical, other.tactical),
            (&mut self.in_check, other.in_check),
        ];
        for (sum, part) in pairs {
            *sum += part;
        }
        for (sum, part) in self.results.iter_mut().zip(other.results) {
            *sum += part;
        }
    }

    pub fn kept(&self) -> u64 {
        self.results.iter().sum()
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |n: u64, of: u64| 100.0 * n as f64 / of.max(1) as f64;
        let kept = self.kept();
        write!(
            f,
            "{} games, {} positions, {kept} kept ({:.1} %); left out: {} by ply, {} by score, {} tactical, {} in check; \
             mover won {:.1} %, drew {:.1} %, lost {:.1} %",
            self.games,
            self.positions,
            percent(kept, self.positions),
            self.by_ply,
            self.by_score,
            self.tactical,
            self.in_check,
            percent(self.results[2], kept),
            percent(self.results[1], kept),
            percent(self.results[0], kept)
        )?;
        if self.damaged_bytes > 0 || self.broken_games > 0 {
            write!(
                f,
                "; {} damaged bytes, {} broken games",
                self.damaged_bytes, self.broken_games
            )?;
        }
        Ok(())
    }
}

/// Positions to learn from and positions of other games to validate with.
#[derive(Default)]
pub struct Data {
    pub training: Vec<Packed>,
    pub validation: Vec<Packed>,
    pub summary: Summary,
}

/// What to read.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    pub game: Game,
    pub files: &'a [PathBuf],
    pub filter: &'a Filter,
    /// One game in so many is kept for validation.
    pub validation_one_in: u64,
    /// Stop after about so many positions.
    pub limit: Option<usize>,
    pub seed: u64,
    pub threads: usize,
}

/// Games that are read before the threads work on them.
const ROUND: usize = 1 << 14;

impl Data {
    /// Reads files of games; the order of positions does not depend on the number of threads.
    ///
    /// # Errors
    /// A file that cannot be read or holds the other game.
    pub fn read(source: &Source<'_>) -> Result<Data, String> {
        let mut data = Data::default();
        for file in source.files {
            let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
            let mut reader = Reader::new(&bytes);
            loop {
                let games: Vec<Record> = reader.by_ref().take(ROUND).collect();
                if let Some(other) = games.iter().find(|g| g.start.game != source.game) {
                    let found = other.start.game.name();
                    return Err(format!("{}: holds games of {found}", file.display()));
                }
                data.take(&games, source);
                let enough = source.limit.is_some_and(|limit| data.training.len() >= limit);
                if games.len() < ROUND || enough {
                    break;
                }
            }
            for damage in &reader.damage {
                eprintln!(
                    "{}: {} damaged bytes at byte {} skipped",
                    file.display(),
                    damage.bytes,
                    damage.at
                );
                data.summary.damaged_bytes += damage.bytes as u64;
            }
        }
        if let Some(limit) = source.limit {
            data.training.truncate(limit);
        }
        Ok(data)
    }

    fn take(&mut self, games: &[Record], source: &Source<'_>) {
        let share = games.len().div_ceil(source.threads.max(1)).max(1);
        let parts: Vec<Data> = std::thread::scope(|scope| {
            let threads: Vec<_> = games
                .chunks(share)
                .map(|games| scope.spawn(|| Data::of_games(games, source)))
                .collect();
            threads.into_iter().filter_map(|t| t.join().ok()).collect()
        });
        for part in parts {
            self.training.extend_from_slice(&part.training);
            self.validation.extend_from_slice(&part.validation);
            self.summary.add(&part.summary);
        }
    }

    fn of_games(games: &[Record], source: &Source<'_>) -> Data {
        let mut data = Data::default();
        for game in games {
            let validates = split(game, source.seed).is_multiple_of(source.validation_one_in.max(2));
            let positions = if validates {
                &mut data.validation
            } else {
                &mut data.training
            };
            walk(game, source.filter, positions, &mut data.summary);
        }
        data
    }

    /// Tells one set of data from another: order and content count.
    pub fn fingerprint(&self) -> u64 {
        let words = bytemuck::cast_slice::<Packed, u64>(&self.training);
        let sum = words.iter().fold(self.training.len() as u64, |sum, &word| {
            (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        mix(sum ^ (self.validation.len() as u64).rotate_left(32))
    }
}

/// A number that decides on which side of the split a game falls: from what was played alone, so that adding files
/// moves no game across.
fn split(game: &Record, seed: u64) -> u64 {
    let moves = game.plies.iter().take(24);
    moves.fold(mix(seed ^ u64::from(game.number)), |sum, &(mv, score)| {
        mix(sum ^ u64::from(mv) << 16 ^ u64::from(score as u16))
    })
}

/// Keeps what is fit of a game.
fn walk(game: &Record, filter: &Filter, kept: &mut Vec<Packed>, summary: &mut Summary) {
    summary.games += 1;
    let mut position = game.start.clone();
    for (ply, &(mv, score)) in game.plies.iter().enumerate() {
        summary.positions += 1;
        if ply < filter.min_ply || ply > filter.max_ply {
            summary.by_ply += 1;
        } else if i32::from(score).abs() > filter.max_score {
            summary.by_score += 1;
        } else if position.is_tactical(mv) {
            summary.tactical += 1;
        } else if position.in_check() {
            summary.in_check += 1;
        } else {
            let result = if position.stm == 0 {
                game.result
            } else {
                2 - game.result
            };
            if let Some(packed) = Packed::new(&position, score, result) {
                kept.push(packed);
                summary.results[usize::from(result)] += 1;
            }
        }
        if position.apply(mv).is_err() {
            summary.broken_games += 1;
            return;
        }
    }
}

/// The scale in centipawns with which the logistic curve of the scores predicts the results best (least squares).
pub fn best_scale(positions: &[Packed]) -> f32 {
    let step = (positions.len() / 500_000).max(1);
    let error = |scale: f32| -> f64 {
        positions
            .iter()
            .step_by(step)
            .map(|p| {
                let predicted = crate::loss::sigmoid(f32::from(p.score) / scale);
                f64::from(predicted - f32::from(p.result) / 2.0).powi(2)
            })
            .sum()
    };
    // The error falls towards the best scale from both sides.
    let (mut low, mut high) = (50.0f32, 1600.0f32);
    for _ in 0..24 {
        let third = (high - low) / 3.0;
        if error(low + third) < error(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize::engine::Line;
    use baize::position::Placement;

    /// Games of random moves with made-up scores.
    fn games(game: Game, count: u32) -> Vec<Record> {
        let copy = baize::core::generic::COPY.game(game).expect("both games are built");
        let play = |number: u32| {
            let mut line = Line {
                start: Placement::start(game, false),
                moves: Vec::new(),
            };
            let mut plies = Vec::new();
            for ply in 0..60 {
                let legal = (copy.legal_moves)(&line);
                if legal.is_empty() {
                    break;
                }
                let random = mix(u64::from(number) << 32 | ply);
                let mv = legal[random as usize % legal.len()];
                plies.push((mv, (random >> 40) as i16 / 8));
                line.moves.push(mv);
            }
            Record {
                number,
                start: line.start,
                result: (number % 3) as u8,
                plies,
            }
        };
        (0..count).map(play).collect()
    }

    #[test]
    fn kept_positions_are_those_that_the_engine_calls_quiet() {
        for game in [Game::Chess, Game::Xiangqi] {
            let copy = baize::core::generic::COPY.game(game).expect("both games are built");
            let filter = Filter::default();
            for record in games(game, 30) {
                let line = Line {
                    start: record.start.clone(),
                    moves: record.plies.iter().map(|p| p.0).collect(),
                };
                let quiet = (copy.quiet)(&line);
                let mut wanted = Vec::new();
                for (ply, (&quiet, &(mv, score))) in quiet.iter().zip(&record.plies).enumerate() {
                    let promotes = game == Game::Chess && mv >> 14 & 1 != 0;
                    if quiet && !promotes && ply >= filter.min_ply && i32::from(score).abs() <= filter.max_score {
                        let before = Line {
                            start: line.start.clone(),
                            moves: line.moves[..ply].to_vec(),
                        };
                        let placement = (copy.placement)(&before);
                        let result = if ply % 2 == 0 { record.result } else { 2 - record.result };
                        wanted.push(Packed::new(&placement, score, result).expect("few pieces"));
                    }
                }
                let (mut kept, mut summary) = (Vec::new(), Summary::default());
                walk(&record, &filter, &mut kept, &mut summary);
                assert_eq!(kept, wanted);
                assert_eq!(summary.broken_games, 0);
            }
        }
    }

    #[test]
    fn files_are_read_alike_by_any_number_of_threads() {
        let path = std::env::temp_dir().join(format!("baize-trainer-{}.games", std::process::id()));
        let bytes: Vec<u8> = games(Game::Chess, 200)
            .iter()
            .flat_map(|g| g.to_bytes().expect("fits"))
            .collect();
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 1;
        std::fs::write(&path, &damaged).expect("a writable folder");
        let files = [path.clone()];
        let filter = Filter::default();
        let read = |threads, game| {
            Data::read(&Source {
                game,
                files: &files,
                filter: &filter,
                validation_one_in: 10,
                limit: None,
                seed: 1,
                threads,
            })
        };
        let one = read(1, Game::Chess).expect("readable");
        let three = read(3, Game::Chess).expect("readable");
        assert_eq!(one.summary.games, 199);
        assert!(one.summary.damaged_bytes > 0);
        assert!(one.validation.len() > 100 && one.training.len() > 5 * one.validation.len());
        assert_eq!((&one.training, &one.validation), (&three.training, &three.validation));
        assert_eq!(one.fingerprint(), three.fingerprint());
        assert!(read(1, Game::Xiangqi).is_err());
        std::fs::remove_file(path).expect("removable");
    }

    #[test]
    fn the_scale_of_the_scores_is_found() {
        let mut positions = Vec::new();
        for i in 0..60_000u64 {
            let score = (mix(i) % 1600) as i16 - 800;
            let win = crate::loss::sigmoid(f32::from(score) / 300.0);
            let drawn = (mix(i ^ 1 << 40) >> 40) as f32 / (1u64 << 24) as f32;
            let placement = Placement::start(Game::Chess, false);
            positions.push(Packed::new(&placement, score, if drawn < win { 2 } else { 0 }).expect("fits"));
        }
        assert!((best_scale(&positions) - 300.0).abs() < 15.0);
    }
}
