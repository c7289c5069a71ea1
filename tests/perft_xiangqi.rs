//! Perft of the xiangqi cases on every copy of this build that the machine can run.
//!
//! Every run takes each case as deep as `QUICK` leaves allow; `cargo test --release --test perft_xiangqi -- --ignored` counts
//! everything.

mod common;

use baize::engine::Game;
use common::copies;
use common::perft::{cases, check};

/// Leaves of the deepest count of a case in a usual run.
const QUICK: u64 = 4_000_000;

fn run(limit: u64) {
    for (name, copy) in copies(Game::Xiangqi) {
        for case in cases(include_str!("cases/xiangqi_perft.tsv"), Game::Xiangqi) {
            check(name, copy, &case, limit);
        }
    }
}

#[test]
fn quick() {
    run(QUICK);
}

#[test]
#[ignore = "longer"]
fn all_to_the_end() {
    run(u64::MAX);
}
