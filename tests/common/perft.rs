//! Perft cases: positions with their numbers of leaves, and counting them.

use std::sync::atomic::AtomicBool;

use baize::engine::{Game, GameCopy, Line};
use baize::position::parse_fen;

/// A position and its leaves by depth.
pub struct Case {
    pub game: Game,
    pub fen: String,
    pub counts: Vec<(u32, u64)>,
}

/// Reads lines of `fen TAB depth:leaves ...`.
pub fn cases(text: &str, game: Game) -> Vec<Case> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let (fen, counts) = line.split_once('\t').expect("a tab after the FEN");
            let counts = counts.split_whitespace().map(|pair| {
                let (depth, nodes) = pair.split_once(':').expect("depth:nodes");
                (depth.parse().expect("a depth"), nodes.parse().expect("a count"))
            });
            Case {
                game,
                fen: fen.into(),
                counts: counts.collect(),
            }
        })
        .collect()
}

/// Counts every depth of a case with at most `limit` leaves.
pub fn check(name: &str, copy: &GameCopy, case: &Case, limit: u64) {
    let (start, _) = parse_fen(case.game, &case.fen, true).expect("a valid FEN");
    let line = Line {
        start,
        moves: Vec::new(),
    };
    for &(depth, wanted) in case.counts.iter().filter(|&&(_, nodes)| nodes <= limit) {
        let counts = (copy.perft)(&line, depth, &AtomicBool::new(false));
        let found: u64 = counts.iter().map(|&(_, count)| count).sum();
        assert_eq!(found, wanted, "{} at depth {depth} on {name}", case.fen);
    }
}
