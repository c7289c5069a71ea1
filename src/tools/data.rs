//! `data`: looks at files of self-play games, shuffles and filters them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use super::datagen::kept_of;
use super::records::{Reader, Record};
use crate::engine::{EngineCopy, GameCopy, Line, score};

pub const USAGE: &str = "data stat FILE...\n\
                         data shuffle --out FILE [--seed N] FILE...\n\
                         data filter --out FILE [--min-plies N] [--max-plies N] [--no-draws] [--no-repeats] FILE...";

/// What is asked of the games.
struct Request {
    files: Vec<PathBuf>,
    out: Option<PathBuf>,
    seed: u64,
    min_plies: usize,
    max_plies: usize,
    no_draws: bool,
    no_repeats: bool,
}

impl Request {
    fn parse(words: &[String]) -> Result<Self, String> {
        let mut request = Request {
            files: Vec::new(),
            out: None,
            seed: 1,
            min_plies: 0,
            max_plies: usize::MAX,
            no_draws: false,
            no_repeats: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("data: {word} needs a value"));
            let number = |text: &String| {
                text.parse()
                    .map_err(|_| format!("data: {word} {text}: not a number in range"))
            };
            match word.as_str() {
                "--out" => request.out = Some(PathBuf::from(value()?)),
                "--seed" => request.seed = number(value()?)? as u64,
                "--min-plies" => request.min_plies = number(value()?)?,
                "--max-plies" => request.max_plies = number(value()?)?,
                "--no-draws" => request.no_draws = true,
                "--no-repeats" => request.no_repeats = true,
                flag if flag.starts_with("--") => return Err(format!("data: unknown argument {flag}\n{USAGE}")),
                file => request.files.push(PathBuf::from(file)),
            }
        }
        if request.files.is_empty() {
            return Err(USAGE.to_string());
        }
        Ok(request)
    }
}

/// Runs `data` with its arguments.
///
/// # Errors
/// Bad arguments, or files that cannot be read or written.
pub fn run(copy: &EngineCopy, words: &[String]) -> Result<(), String> {
    let (command, rest) = words.split_first().ok_or(USAGE)?;
    let request = Request::parse(rest)?;
    match command.as_str() {
        "stat" => request.files.iter().try_for_each(|file| stat(copy, file)),
        "shuffle" => shuffle(&request),
        "filter" => filter(copy, &request),
        _ => Err(USAGE.to_string()),
    }
}

/// The games of a file; damage is told by byte.
fn read(file: &Path) -> Result<Vec<Record>, String> {
    let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut reader = Reader::new(&bytes);
    let records = reader.by_ref().collect();
    for damage in &reader.damage {
        eprintln!(
            "{}: {} damaged bytes at byte {} skipped",
            file.display(),
            damage.bytes,
            damage.at
        );
    }
    Ok(records)
}

fn read_all(request: &Request) -> Result<Vec<Record>, String> {
    let mut all = Vec::new();
    for file in &request.files {
        all.append(&mut read(file)?);
    }
    Ok(all)
}

fn write(request: &Request, records: &[Record]) -> Result<(), String> {
    let out = request.out.as_ref().ok_or("data: --out FILE is needed")?;
    let bytes: Vec<u8> = records.iter().filter_map(Record::to_bytes).flatten().collect();
    std::fs::write(out, bytes).map_err(|e| format!("{}: {e}", out.display()))?;
    eprintln!("{}: {} games written", out.display(), records.len());
    Ok(())
}

/// Games in a random order.
fn shuffle(request: &Request) -> Result<(), String> {
    let mut records = read_all(request)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(request.seed);
    for i in (1..records.len()).rev() {
        records.swap(i, (random.next_u64() % (i as u64 + 1)) as usize);
    }
    write(request, &records)
}

/// Only games of legal moves that pass what was asked.
fn filter(copy: &EngineCopy, request: &Request) -> Result<(), String> {
    let records = read_all(request)?;
    let mut seen = HashSet::new();
    let fits = |record: &Record, seen: &mut HashSet<Vec<u8>>| {
        let plies = record.plies.len();
        (request.min_plies..=request.max_plies).contains(&plies)
            && !(request.no_draws && record.result == 1)
            && copy.game(record.start.game).is_some_and(|game| is_legal(game, record))
            && (!request.no_repeats || seen.insert(fingerprint(record)))
    };
    let kept: Vec<Record> = records.into_iter().filter(|r| fits(r, &mut seen)).collect();
    write(request, &kept)
}

fn is_legal(copy: &GameCopy, record: &Record) -> bool {
    (copy.quiet)(&line(record)).len() == record.plies.len()
}

fn line(record: &Record) -> Line {
    Line {
        start: record.start.clone(),
        moves: record.plies.iter().map(|p| p.0).collect(),
    }
}

/// Start and moves of a game, without its number and scores.
fn fingerprint(record: &Record) -> Vec<u8> {
    let plies = record.plies.iter().map(|&(mv, _)| (mv, 0)).collect();
    Record {
        number: 0,
        plies,
        ..record.clone()
    }
    .to_bytes()
    .unwrap_or_default()
}

/// What a file holds.
fn stat(copy: &EngineCopy, file: &Path) -> Result<(), String> {
    let records = read(file)?;
    let games = records.len();
    let (mut plies, mut kept, mut illegal) = (0, 0, 0);
    let mut results = [0usize; 3];
    let mut lengths: Vec<usize> = Vec::with_capacity(games);
    // Of scores: up to 0.5, 1, 2, 4, 8 pawns, beyond, mates.
    let mut scores = [0usize; 7];
    for record in &records {
        let Some(game) = copy.game(record.start.game) else {
            return Err(format!("this build does not play {}", record.start.game.name()));
        };
        plies += record.plies.len();
        kept += kept_of(game, record) as usize;
        illegal += usize::from(!is_legal(game, record));
        results[usize::from(record.result)] += 1;
        lengths.push(record.plies.len());
        for &(_, score) in &record.plies {
            scores[score_class(i32::from(score))] += 1;
        }
    }
    lengths.sort_unstable();
    let unique: HashSet<Vec<u8>> = records.iter().map(fingerprint).collect();
    let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
    let length = |part: usize| lengths.get(games.saturating_sub(1) * part / 4).copied().unwrap_or(0);
    println!("{}", file.display());
    println!(
        "  games       {games} ({} different, {illegal} with illegal moves)",
        unique.len()
    );
    println!("  positions   {plies}, kept {kept} ({:.1} %)", share(kept, plies));
    println!(
        "  results     first side {:.1} %, draws {:.1} %, second side {:.1} %",
        share(results[2], games),
        share(results[1], games),
        share(results[0], games)
    );
    println!(
        "  plies       {} {} {} {} {} (quartiles)",
        length(0),
        length(1),
        length(2),
        length(3),
        length(4)
    );
    let names = ["<=50", "<=100", "<=200", "<=400", "<=800", "more", "mate"];
    let classes: Vec<String> = names
        .iter()
        .zip(scores)
        .map(|(n, c)| format!("{n} {:.1} %", share(c, plies)))
        .collect();
    println!("  scores      {}", classes.join(", "));
    Ok(())
}

fn score_class(value: i32) -> usize {
    let value = value.abs();
    if value >= score::MATE_BOUND {
        return 6;
    }
    [50, 100, 200, 400, 800]
        .iter()
        .take_while(|&&bound| value > bound)
        .count()
}
