//! `datagen`: Baize plays against itself and writes the games, to fit and train from.
//!
//! Each thread plays whole games with a table and histories of its own; what a game is depends on the seed and its
//! number alone, not on threads or on where a run was interrupted. A run that finds its file goes on where it ended.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use super::records::{Reader, Record};
use crate::engine::{Counter, Game, GameCopy, Job, Limits, Line, Report, Reporter, RootLine, Shared, Worker, score};
use crate::options::{Policy, Switches};
use crate::position::Placement;
use crate::shared::time::Clock;
use crate::shared::tt::TranspositionTable;

/// What to generate.
#[derive(Clone, Debug)]
pub struct Settings {
    pub game: Game,
    /// Stop after this many games of the run.
    pub games: Option<u32>,
    /// Stop after this many kept positions.
    pub positions: Option<u64>,
    pub out: PathBuf,
    pub threads: usize,
    /// Nodes after which a search ends with its iteration, and after which it ends at once.
    pub soft_nodes: u64,
    pub hard_nodes: u64,
    pub seed: u64,
    /// Table of each thread, MiB.
    pub hash: usize,
    /// Random moves at the start; every other game one more.
    pub random_plies: usize,
    /// Openings beyond this score are dropped.
    pub opening_bound: i32,
    pub policy: Policy,
}

/// A game is won when both sides agree on this score for so many plies.
const WIN_SCORE: i32 = 1200;
const WIN_PLIES: u32 = 5;
/// It is drawn when the score stays this small for so many plies, not before a ply.
const DRAW_SCORE: i32 = 6;
const DRAW_PLIES: u32 = 12;
const DRAW_FROM: usize = 80;
/// And it ends as a draw here.
const LONGEST: usize = 500;
/// A position is kept, as statistics count, within this score and from this ply on.
const KEPT_SCORE: i32 = 3000;
const KEPT_FROM: usize = 8;

impl Settings {
    /// Reads the arguments of `datagen`.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn parse(game: Game, words: &[String]) -> Result<Self, String> {
        let mut s = Settings {
            game,
            games: None,
            positions: None,
            out: PathBuf::new(),
            threads: 1,
            soft_nodes: 5000,
            hard_nodes: 0,
            seed: 1,
            hash: 16,
            random_plies: 8,
            opening_bound: 300,
            policy: Policy::default(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("datagen: {word} needs a value"));
            match word.as_str() {
                "--games" => s.games = Some(number(word, value()?)?),
                "--positions" => s.positions = Some(number(word, value()?)?),
                "--out" => s.out = PathBuf::from(value()?),
                "--threads" => s.threads = number::<usize>(word, value()?)?.clamp(1, 1024),
                "--nodes" => s.soft_nodes = number(word, value()?)?,
                "--hard-nodes" => s.hard_nodes = number(word, value()?)?,
                "--seed" => s.seed = number(word, value()?)?,
                "--hash" => s.hash = number::<usize>(word, value()?)?.clamp(1, 4096),
                "--random-plies" => s.random_plies = number::<usize>(word, value()?)?.min(64),
                "--opening-bound" => s.opening_bound = number(word, value()?)?,
                "--classical" => s.policy.use_nnue = false,
                "--game" => {
                    s.game = match value()?.as_str() {
                        "chess" => Game::Chess,
                        "xiangqi" => Game::Xiangqi,
                        other => return Err(format!("datagen: no game {other}")),
                    }
                }
                other => return Err(format!("datagen: unknown argument {other}\n{USAGE}")),
            }
        }
        if s.out.as_os_str().is_empty() || (s.games.is_none() && s.positions.is_none()) {
            return Err(USAGE.to_string());
        }
        if s.hard_nodes == 0 {
            s.hard_nodes = s.soft_nodes.saturating_mul(8);
        }
        Ok(s)
    }
}

const USAGE: &str = "datagen --out FILE (--games N | --positions N) [--game chess|xiangqi] [--threads N] [--nodes N] \
                     [--hard-nodes N] [--seed N] [--hash MIB] [--random-plies N] [--opening-bound CP] [--classical]";

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("datagen: {name} {text}: not a number in range"))
}

/// What a run has produced.
#[derive(Default)]
struct Totals {
    games: u64,
    plies: u64,
    kept: u64,
    /// Black won, drawn, White won.
    results: [u64; 3],
    bytes: u64,
}

impl Totals {
    fn add(&mut self, played: &Played, bytes: usize) {
        self.games += 1;
        self.plies += played.record.plies.len() as u64;
        self.kept += u64::from(played.kept);
        self.results[usize::from(played.record.result)] += 1;
        self.bytes += bytes as u64;
    }
}

/// A finished game and how many of its positions are fit to learn from.
struct Played {
    record: Record,
    kept: u32,
}

/// Where games go; one lock for the file and the sums.
struct Output {
    file: File,
    totals: Totals,
    last_shown: Instant,
    error: Option<String>,
}

/// What the threads of a run share.
struct Run<'a> {
    settings: &'a Settings,
    copy: &'static GameCopy,
    /// Numbers of games that the file had already.
    done: HashSet<u32>,
    next: AtomicU32,
    kept_before: u64,
    kept: AtomicU64,
    stop: AtomicBool,
    output: Mutex<Output>,
    began: Instant,
}

/// Plays and writes games as asked; progress and a summary go to standard error.
///
/// # Errors
/// A file that cannot be read or written, or memory that cannot be had.
pub fn datagen(copy: &'static GameCopy, settings: &Settings) -> Result<(), String> {
    let (file, done, kept_before) = open(copy, settings)?;
    if !done.is_empty() {
        eprintln!("{}: {} games there, going on", settings.out.display(), done.len());
    }
    let now = Instant::now();
    let output = Output {
        file,
        totals: Totals::default(),
        last_shown: now,
        error: None,
    };
    let run = Run {
        settings,
        copy,
        done,
        next: AtomicU32::new(0),
        kept_before,
        kept: AtomicU64::new(kept_before),
        stop: AtomicBool::new(false),
        output: Mutex::new(output),
        began: now,
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..settings.threads).map(|_| scope.spawn(|| run.work())).collect();
        let results = threads
            .into_iter()
            .map(|t| t.join().unwrap_or_else(|_| Err("a thread failed".to_string())));
        // All are waited for, whatever the first one says.
        results.collect::<Vec<_>>().into_iter().collect::<Result<(), String>>()
    })?;
    let output = run.output.into_inner().map_err(|_| "a thread failed".to_string())?;
    output.error.map_or(Ok(()), Err)?;
    summarise(&output.totals, run.began);
    Ok(())
}

/// Opens the file at the end of its last whole game; what numbers it has, and how many kept positions.
fn open(copy: &GameCopy, settings: &Settings) -> Result<(File, HashSet<u32>, u64), String> {
    let problem = |e: std::io::Error| format!("{}: {e}", settings.out.display());
    let mut done = HashSet::new();
    let mut kept = 0;
    let mut end = 0;
    if settings.out.exists() {
        let bytes = std::fs::read(&settings.out).map_err(problem)?;
        let mut reader = Reader::new(&bytes);
        for record in reader.by_ref() {
            if record.start.game != settings.game {
                return Err(format!(
                    "{}: holds games of {}",
                    settings.out.display(),
                    record.start.game.name()
                ));
            }
            done.insert(record.number);
            kept += u64::from(kept_of(copy, &record));
        }
        for damage in &reader.damage {
            eprintln!(
                "{}: {} damaged bytes at byte {} skipped",
                settings.out.display(),
                damage.bytes,
                damage.at
            );
        }
        end = reader.position();
    }
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&settings.out)
        .map_err(problem)?;
    file.set_len(end as u64).map_err(problem)?;
    file.flush().map_err(problem)?;
    Ok((file, done, kept))
}

/// How many positions of a game are fit to learn from.
pub fn kept_of(copy: &GameCopy, record: &Record) -> u32 {
    let moves: Vec<u16> = record.plies.iter().map(|p| p.0).collect();
    let quiet = (copy.quiet)(&Line {
        start: record.start.clone(),
        moves,
    });
    let fit = |(ply, (quiet, &(_, score))): (usize, (bool, &(u16, i16)))| {
        quiet && ply >= KEPT_FROM && i32::from(score).abs() <= KEPT_SCORE
    };
    quiet
        .into_iter()
        .zip(&record.plies)
        .enumerate()
        .filter(|&(i, (q, p))| fit((i, (q, p))))
        .count() as u32
}

impl Run<'_> {
    /// One thread: game after game until the run has enough.
    fn work(&self) -> Result<(), String> {
        let mut player = Player::new(self.copy, self.settings)?;
        while !self.stop.load(Ordering::Relaxed) {
            if self
                .settings
                .positions
                .is_some_and(|p| self.kept.load(Ordering::Relaxed) >= p)
            {
                break;
            }
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if self.settings.games.is_some_and(|games| number >= games) {
                break;
            }
            if self.done.contains(&number) {
                continue;
            }
            let record = player.play(number);
            let kept = kept_of(self.copy, &record);
            self.kept.fetch_add(u64::from(kept), Ordering::Relaxed);
            self.write(&Played { record, kept });
        }
        Ok(())
    }

    fn write(&self, played: &Played) {
        let Some(bytes) = played.record.to_bytes() else { return };
        let Ok(mut output) = self.output.lock() else { return };
        if let Err(e) = output.file.write_all(&bytes) {
            output.error = Some(format!("{}: {e}", self.settings.out.display()));
            self.stop.store(true, Ordering::Relaxed);
            return;
        }
        output.totals.add(played, bytes.len());
        if output.last_shown.elapsed().as_millis() >= 1000 {
            output.last_shown = Instant::now();
            self.show(&output.totals);
        }
    }

    fn show(&self, totals: &Totals) {
        let seconds = self.began.elapsed().as_secs_f64();
        let kept = totals.kept as f64;
        let games = totals.games as f64;
        let by_positions = self
            .settings
            .positions
            .map(|p| kept / p.saturating_sub(self.kept_before).max(1) as f64);
        let by_games = self
            .settings
            .games
            .map(|g| games / g.saturating_sub(self.done.len() as u32).max(1) as f64);
        let share = by_positions
            .unwrap_or(0.0)
            .max(by_games.unwrap_or(0.0))
            .clamp(1e-9, 1.0);
        let left = (seconds / share - seconds) as u64;
        let filled = (share * 24.0) as usize;
        eprint!(
            "\r[{}{}] {:5.1} %  {} games  {} kept  {:.0} kept/s  {}:{:02}:{:02} left   ",
            "#".repeat(filled),
            ".".repeat(24 - filled),
            share * 100.0,
            totals.games,
            totals.kept,
            kept / seconds.max(1e-9),
            left / 3600,
            left / 60 % 60,
            left % 60
        );
    }
}

fn summarise(totals: &Totals, began: Instant) {
    let seconds = began.elapsed().as_secs_f64().max(1e-9);
    let percent = |n: u64| 100.0 * n as f64 / totals.games.max(1) as f64;
    eprintln!(
        "\n{} games in {seconds:.1} s: first side won {:.1} %, drawn {:.1} %, second side won {:.1} %",
        totals.games,
        percent(totals.results[2]),
        percent(totals.results[1]),
        percent(totals.results[0])
    );
    eprintln!(
        "{} positions, {} kept ({:.1} %), {:.0} kept/s, {:.1} bytes per kept position, {:.1} plies a game",
        totals.plies,
        totals.kept,
        100.0 * totals.kept as f64 / totals.plies.max(1) as f64,
        totals.kept as f64 / seconds,
        totals.bytes as f64 / totals.kept.max(1) as f64,
        totals.plies as f64 / totals.games.max(1) as f64
    );
}

/// Reports go nowhere.
struct Silent;

impl Reporter for Silent {
    fn line(&self, _: &Report<'_>) {}
    fn current_move(&self, _: i32, _: u16, _: usize) {}
}

/// One thread's engine.
struct Player<'a> {
    copy: &'static GameCopy,
    settings: &'a Settings,
    worker: Box<dyn Worker>,
    shared: Arc<Shared>,
    reporter: Arc<dyn Reporter>,
}

impl<'a> Player<'a> {
    fn new(copy: &'static GameCopy, settings: &'a Settings) -> Result<Self, String> {
        let tt = TranspositionTable::new(settings.hash, 1).map_err(|e| e.to_string())?;
        let shared = Shared {
            tt,
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            counters: Box::new([Counter::default()]),
        };
        Ok(Player {
            copy,
            settings,
            worker: (copy.worker)()?,
            shared: Arc::new(shared),
            reporter: Arc::new(Silent),
        })
    }

    /// Plays the game of this number from its opening to its end.
    fn play(&mut self, number: u32) -> Record {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(
            self.settings.seed ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        );
        self.worker.clear();
        self.shared.tt.clear(1);
        let start = self.opening(&mut random, number);
        let mut line = Line {
            start: start.clone(),
            moves: Vec::new(),
        };
        let mut plies = Vec::new();
        let mut judge = Judge::default();
        let result = loop {
            let legal = (self.copy.legal_moves)(&line);
            if let Some(result) = self.over(&line, &legal) {
                break result;
            }
            let best = self.search(&line, legal, self.settings.soft_nodes, self.settings.hard_nodes);
            plies.push((best.pv[0], best.score as i16));
            line.moves.push(best.pv[0]);
            let white = if (usize::from(start.stm) + plies.len()) % 2 == 1 {
                best.score
            } else {
                -best.score
            };
            if let Some(result) = judge.decide(white, plies.len()) {
                break result;
            }
        };
        Record {
            number,
            start,
            result,
            plies,
        }
    }

    /// White's points times two when the rules end the game here.
    fn over(&self, line: &Line, legal: &[u16]) -> Option<u8> {
        let white_moves = (usize::from(line.start.stm) + line.moves.len()).is_multiple_of(2);
        let facts = (self.copy.inspect)(line, &Policy::default());
        let mover = if legal.is_empty() {
            let stalemate_draws = self.settings.game == Game::Chess && facts.checkers.is_empty();
            Some(if stalemate_draws { 0 } else { -1 })
        } else {
            facts.verdict.map(|(gain, _)| gain)
        };
        mover.map(|gain| (1 + if white_moves { gain } else { -gain }) as u8)
    }

    fn search(&mut self, line: &Line, root_moves: Vec<u16>, soft: u64, hard: u64) -> RootLine {
        self.shared.stop.store(false, Ordering::Relaxed);
        self.shared.tt.new_search();
        let job = Job {
            line: line.clone(),
            limits: Limits {
                nodes: Some(hard),
                soft_nodes: Some(soft),
                ..Limits::default()
            },
            root_moves,
            multipv: 1,
            switches: Switches::default(),
            policy: self.settings.policy,
            clock: Clock::untimed(),
            shared: Arc::clone(&self.shared),
            reporter: Arc::clone(&self.reporter),
        };
        let mut outcome = self.worker.search(&job, 0);
        outcome.lines.swap_remove(0)
    }

    /// Random moves from the start position that leave a game worth playing.
    fn opening(&mut self, random: &mut Xoshiro256PlusPlus, number: u32) -> Placement {
        let plies = self.settings.random_plies + (number % 2) as usize;
        loop {
            let mut line = Line {
                start: Placement::start(self.settings.game, false),
                moves: Vec::new(),
            };
            for _ in 0..plies {
                let legal = (self.copy.legal_moves)(&line);
                if legal.is_empty() {
                    break;
                }
                line.moves
                    .push(legal[(random.next_u64() % legal.len() as u64) as usize]);
            }
            let start = (self.copy.placement)(&line);
            let line = Line {
                start: start.clone(),
                moves: Vec::new(),
            };
            let legal = (self.copy.legal_moves)(&line);
            if self.over(&line, &legal).is_some() {
                continue;
            }
            let probe = self.settings.soft_nodes.clamp(500, 5000);
            if self.search(&line, legal, probe, 8 * probe).score.abs() <= self.settings.opening_bound {
                return start;
            }
        }
    }
}

/// Ends games whose outcome is clear.
#[derive(Default)]
struct Judge {
    /// The side that is winning (+1 White), and for how many plies.
    winning: (i32, u32),
    calm: u32,
}

impl Judge {
    /// White's points times two, when the scores so far (White's view) settle it.
    fn decide(&mut self, white: i32, plies: usize) -> Option<u8> {
        let side = if white.abs() >= WIN_SCORE { white.signum() } else { 0 };
        self.winning = if side != 0 && side == self.winning.0 {
            (side, self.winning.1 + 1)
        } else {
            (side, u32::from(side != 0))
        };
        self.calm = if white.abs() <= DRAW_SCORE && plies >= DRAW_FROM {
            self.calm + 1
        } else {
            0
        };
        if self.winning.1 >= WIN_PLIES || white.abs() >= score::MATE_BOUND {
            return Some((1 + side) as u8);
        }
        (self.calm >= DRAW_PLIES || plies >= LONGEST).then_some(1)
    }
}

#[cfg(test)]
mod tests {
    use super::Judge;

    #[test]
    fn clear_games_end() {
        let mut judge = Judge::default();
        assert!((0..4).all(|i| judge.decide(1500, i).is_none()));
        assert_eq!(judge.decide(1500, 4), Some(2));
        let mut judge = Judge::default();
        assert!((0..10).all(|i| judge.decide(if i % 2 == 0 { 1500 } else { -1500 }, i).is_none()));
        assert!((80..91).all(|i| judge.decide(0, i).is_none()));
        assert_eq!(judge.decide(0, 91), Some(1));
    }
}
