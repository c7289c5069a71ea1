//! Random walks through xiangqi: the engine's moves, checks and move count against slow rules of their own.

mod common;

use baize::engine::{Game, GameCopy, Line};
use baize::options::Policy;
use baize::position::{Placement, parse_fen};
use common::xiangqi::{Board, counted};
use common::{Random, copies};

/// Positions visited on each copy.
const POSITIONS: usize = 1500;
/// One position in so many is examined in depth.
const EXAMINE: usize = 12;

fn starts() -> Vec<Placement> {
    let fens = include_str!("cases/xiangqi_perft.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'));
    fens.map(|line| {
        parse_fen(Game::Xiangqi, line.split('\t').next().unwrap(), false)
            .expect("a valid FEN")
            .0
    })
    .collect()
}

fn squares(raw: u16) -> (usize, usize) {
    (usize::from(raw & 127), usize::from(raw >> 7))
}

/// Walks from a start; returns how many positions it saw.
fn walk(name: &str, copy: &GameCopy, start: &Placement, random: &mut Random, calm: usize) -> usize {
    let mut line = Line {
        start: start.clone(),
        moves: Vec::new(),
    };
    let mut plies = Vec::new();
    for ply in 0..200 {
        let board = Board::new(&(copy.placement)(&line));
        let raw = (copy.legal_moves)(&line);
        let mut found: Vec<_> = raw.iter().map(|&mv| squares(mv)).collect();
        found.sort_unstable();
        let placement = (copy.placement)(&line);
        assert_eq!(found, board.legal(), "{} on {name}", placement.fen());
        let facts = (copy.inspect)(&line, &Policy::default());
        assert_eq!(
            !facts.checkers.is_empty(),
            board.in_check(),
            "{} on {name}",
            placement.fen()
        );
        let limit = counted(u32::from(start.clock), &plies) >= 120;
        match facts.verdict {
            Some((_, "60-move rule")) => assert!(limit, "too early: {} on {name}", placement.fen()),
            None => assert!(!limit, "too late: {} on {name}", placement.fen()),
            _ => {}
        }
        if ply % EXAMINE == 0 {
            (copy.self_check)(&line).unwrap_or_else(|e| panic!("{e}: {} on {name}", placement.fen()));
        }
        if raw.is_empty() || limit {
            return ply + 1;
        }
        let mv = choose(&board, &raw, random, calm);
        let (from, to) = squares(mv);
        plies.push((board.takes(to), board.after(from, to).in_check()));
        line.moves.push(mv);
    }
    200
}

/// A move by lot; so many tries are made for one that checks and takes nothing.
fn choose(board: &Board, raw: &[u16], random: &mut Random, calm: usize) -> u16 {
    let mut mv = raw[random.below(raw.len())];
    for _ in 0..calm {
        let (from, to) = squares(mv);
        if !board.takes(to) && board.after(from, to).in_check() {
            break;
        }
        let other = raw[random.below(raw.len())];
        if board.takes(to) || !board.takes(squares(other).1) {
            mv = other;
        }
    }
    mv
}

#[test]
fn moves_checks_and_counts() {
    let starts = starts();
    for (name, copy) in copies(Game::Xiangqi) {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut seen = 0;
        while seen < POSITIONS {
            let mut start = starts[random.below(starts.len())].clone();
            let calm = random.below(2) * 60;
            if calm > 0 {
                start.clock = random.below(100) as u16;
            }
            seen += walk(name, copy, &start, &mut random, calm);
        }
    }
}

/// Two rooks chase a bare king with checks, more than ten without a capture.
#[test]
fn many_checks() {
    for (name, copy) in copies(Game::Xiangqi) {
        let mut random = Random(7);
        for clock in (0..90).map(|n| 80 + n % 20) {
            let fen = format!("3k5/9/9/9/9/9/9/9/4R4/R4K3 w - - {clock} 1");
            let (start, _) = parse_fen(Game::Xiangqi, &fen, false).expect("a valid FEN");
            walk(name, copy, &start, &mut random, 4);
        }
    }
}
