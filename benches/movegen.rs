//! Move generation of both games on every copy that the machine can run: perft (making, taking back, counting) and lists of
//! legal moves.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use baize::cpu::{TARGETS, facts, refusal};
use baize::engine::{Game, GameCopy, Line};
use baize::position::{Placement, parse_fen};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A game, a name, a FEN (none: the start position), and a depth of a few hundred thousand leaves.
const POSITIONS: [(Game, &str, Option<&str>, u32); 5] = [
    (Game::Chess, "chess start", None, 4),
    (
        Game::Chess,
        "chess middle game",
        Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        3,
    ),
    (
        Game::Chess,
        "chess pins and checks",
        Some("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
        5,
    ),
    (Game::Xiangqi, "xiangqi start", None, 3),
    (
        Game::Xiangqi,
        "xiangqi middle game",
        Some("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1"),
        3,
    ),
];

fn line(game: Game, fen: Option<&str>) -> Line {
    let start = match fen {
        None => Placement::start(game, false),
        Some(fen) => parse_fen(game, fen, false).expect("a valid FEN").0,
    };
    Line {
        start,
        moves: Vec::new(),
    }
}

fn copies(game: Game) -> Vec<(&'static str, &'static GameCopy)> {
    let facts = facts();
    let usable = TARGETS.iter().filter(|target| refusal(target, &facts).is_none());
    usable
        .filter_map(|target| Some((target.name, target.copy.game(game)?)))
        .collect()
}

fn perft(c: &mut Criterion) {
    for (game, name, fen, depth) in POSITIONS {
        let line = line(game, fen);
        let mut group = c.benchmark_group(format!("perft, {name}"));
        for (target, copy) in copies(game) {
            let stop = AtomicBool::new(false);
            let count = || {
                (copy.perft)(black_box(&line), depth, &stop)
                    .iter()
                    .map(|&(_, leaves)| leaves)
                    .sum::<u64>()
            };
            group.throughput(Throughput::Elements(count()));
            group.bench_function(target, |b| b.iter(count));
        }
        group.finish();
    }
}

fn legal_moves(c: &mut Criterion) {
    for (game, name, fen, _) in POSITIONS {
        let line = line(game, fen);
        let mut group = c.benchmark_group(format!("legal moves, {name}"));
        for (target, copy) in copies(game) {
            group.bench_function(target, |b| b.iter(|| (copy.legal_moves)(black_box(&line))));
        }
        group.finish();
    }
}

criterion_group!(benches, perft, legal_moves);
criterion_main!(benches);
