//! The copy's boundary: the only place where baseline code calls into code compiled for the copy's CPU target.

// The generic copy has no target features: its hot functions are ordinary safe ones.
#![allow(unused_unsafe)]

use std::sync::atomic::AtomicBool;

use super::board::{Move, MoveList, Position};
use super::game;
use super::search::Searcher;
use crate::engine::{Explanation, GameCopy, Inspection, Job, Line, Outcome, Worker};
use crate::options::Policy;
use crate::position::Placement;

/// Everything that this copy offers for this game.
pub const COPY: GameCopy = GameCopy {
    worker,
    legal_moves,
    perft,
    placement,
    inspect,
    explain,
    self_check,
};

/// The position that a line leads to. Its moves are legal: the text layer has resolved them against `legal_moves`.
pub fn replay(line: &Line) -> Position {
    let mut pos = game::from_placement(&line.start);
    for &raw in &line.moves {
        // SAFETY: the dispatcher checked this copy's CPU features.
        unsafe { pos.make(Move::from_raw(raw)) };
    }
    pos
}

fn worker() -> Result<Box<dyn Worker>, String> {
    Ok(Box::new(Searcher::new()?))
}

impl Worker for Searcher {
    fn search(&mut self, job: &Job, thread: usize) -> Outcome {
        // SAFETY: the dispatcher checked this copy's CPU features.
        unsafe { self.run(job, thread) }
    }

    fn clear(&mut self) {
        self.forget();
    }
}

fn legal_moves(line: &Line) -> Vec<u16> {
    let pos = replay(line);
    let mut list = MoveList::new();
    // SAFETY: the dispatcher checked this copy's CPU features.
    unsafe { game::legal_moves(&pos, &mut list) };
    list.as_slice().iter().map(|mv| mv.raw()).collect()
}

fn perft(line: &Line, depth: u32, stop: &AtomicBool) -> Vec<(u16, u64)> {
    let mut pos = replay(line);
    let mut counts = Vec::new();
    for raw in legal_moves(line) {
        // SAFETY: the dispatcher checked this copy's CPU features.
        let count = unsafe {
            pos.make(Move::from_raw(raw));
            let count = if depth > 1 {
                game::perft(&mut pos, depth - 1, stop)
            } else {
                1
            };
            pos.unmake();
            count
        };
        counts.push((raw, count));
    }
    counts
}

fn placement(line: &Line) -> Placement {
    game::to_placement(&replay(line))
}

fn inspect(line: &Line) -> Inspection {
    game::inspect(&replay(line))
}

fn explain(line: &Line, policy: &Policy) -> Option<Explanation> {
    let pos = replay(line);
    // SAFETY: the dispatcher checked this copy's CPU features.
    if pos.in_check() {
        None
    } else {
        unsafe { game::explain(&pos, policy) }.into()
    }
}

fn self_check(line: &Line) -> Result<(), String> {
    // SAFETY: the dispatcher checked this copy's CPU features.
    unsafe { game::self_check(&replay(line)) }
}
