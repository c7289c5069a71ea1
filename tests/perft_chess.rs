//! Perft of the chess cases on every copy of this build that the machine can run.
//!
//! Every run takes each case as deep as `QUICK` leaves allow, spreading the long list over the copies. `BAIZE_PERFT=full` (or
//! `cargo test --release --test perft_chess -- --ignored`) counts everything.

mod common;

use std::sync::atomic::AtomicBool;

use baize::engine::{Game, Line};
use baize::position::parse_fen;
use common::copies;
use common::perft::{Case, cases, check};

/// Leaves of the deepest count of a case in a usual run.
const QUICK: u64 = 6_000_000;

fn limit() -> u64 {
    if std::env::var("BAIZE_PERFT").as_deref() == Ok("full") {
        u64::MAX
    } else {
        QUICK
    }
}

fn orthodox(limit: u64) {
    for (name, copy) in copies(Game::Chess) {
        for case in cases(include_str!("cases/chess_perft.tsv"), Game::Chess) {
            check(name, copy, &case, limit);
        }
    }
}

/// Every case on one copy, the copies taking turns; all of them on all copies when nothing is left out.
fn fischer_random(limit: u64) {
    let limit = if limit == u64::MAX { limit } else { limit / 10 };
    let copies = copies(Game::Chess);
    for (number, case) in cases(include_str!("cases/chess960_perft.tsv"), Game::Chess)
        .iter()
        .enumerate()
    {
        for (turn, (name, copy)) in copies.iter().enumerate() {
            if limit == u64::MAX || number % copies.len() == turn {
                check(name, copy, case, limit);
            }
        }
    }
}

#[test]
fn orthodox_cases() {
    orthodox(limit());
}

#[test]
fn chess960_cases() {
    fischer_random(limit());
}

#[test]
#[ignore = "minutes"]
fn all_to_the_end() {
    orthodox(u64::MAX);
    fischer_random(u64::MAX);
}

#[test]
fn start_position() {
    let case = Case {
        game: Game::Chess,
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
        counts: vec![
            (1, 20),
            (2, 400),
            (3, 8902),
            (4, 197_281),
            (5, 4_865_609),
            (6, 119_060_324),
        ],
    };
    for (name, copy) in copies(Game::Chess) {
        check(name, copy, &case, 5_000_000);
    }
}

#[test]
fn stop_ends_early() {
    let (start, _) = parse_fen(
        Game::Chess,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        false,
    )
    .unwrap();
    for (_, copy) in copies(Game::Chess) {
        let counts = (copy.perft)(
            &Line {
                start: start.clone(),
                moves: Vec::new(),
            },
            9,
            &AtomicBool::new(true),
        );
        assert!(counts.iter().map(|&(_, count)| count).sum::<u64>() < 1_000_000);
    }
}
