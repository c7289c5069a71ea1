//! The copy's boundary: the only place where baseline code calls into code compiled for the copy's CPU target.

// The generic copy has no target features: its hot functions are ordinary safe ones.
#![allow(unused_unsafe)]

use std::sync::atomic::AtomicBool;

use baize_hot::hot;

use super::board::{Move, MoveList, Position};
use super::game;
use super::search::Searcher;
use crate::engine::{Chooser, Explanation, GameCopy, Inspection, Job, Line, Outcome, Trace, Worker};
use crate::options::Policy;
use crate::position::Placement;

/// Everything that this copy offers for this game.
pub const COPY: GameCopy = GameCopy {
    worker,
    legal_moves,
    follow,
    perft,
    placement,
    inspect,
    explain,
    classical,
    quiet,
    traces,
    self_check,
};

/// The position that a line leads to. Its moves are legal: the text layer has resolved them against `legal_moves`.
#[hot]
pub fn replay(line: &Line) -> Position {
    let mut pos = game::from_placement(&line.start);
    for &raw in &line.moves {
        play(&mut pos, Move::from_raw(raw));
    }
    pos
}

/// Makes a move or a pass of a line.
#[hot]
fn play(pos: &mut Position, mv: Move) {
    if mv == Move::NULL {
        pos.make_null()
    } else {
        pos.make(mv)
    }
}

fn worker() -> Result<Box<dyn Worker>, String> {
    // SAFETY: the dispatcher checked this copy's CPU features.
    let searcher = unsafe { Searcher::new() }?;
    Ok(Box::new(searcher))
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
    // SAFETY: the dispatcher checked this copy's CPU features.
    unsafe { list_moves(&replay(line)) }
}

#[hot]
fn list_moves(pos: &Position) -> Vec<u16> {
    let mut list = MoveList::new();
    game::legal_moves(pos, &mut list);
    list.as_slice().iter().map(|mv| mv.raw()).collect()
}

fn follow(line: &Line, choose: &mut Chooser<'_>) -> Vec<u16> {
    // SAFETY: the dispatcher checked this copy's CPU features.
    unsafe { play_on(&mut replay(line), choose) }
}

#[hot]
fn play_on(pos: &mut Position, choose: &mut Chooser<'_>) -> Vec<u16> {
    let mut played = Vec::new();
    while let Some(raw) = choose(&list_moves(pos), pos.in_check()) {
        play(pos, Move::from_raw(raw));
        played.push(raw);
    }
    played
}

fn perft(line: &Line, depth: u32, stop: &AtomicBool) -> Vec<(u16, u64)> {
    // SAFETY: the dispatcher checked this copy's CPU features.
    unsafe { divide(&mut replay(line), depth, stop) }
}

#[hot]
fn divide(pos: &mut Position, depth: u32, stop: &AtomicBool) -> Vec<(u16, u64)> {
    pos.reserve(depth as usize);
    let mut counts = Vec::new();
    for raw in list_moves(pos) {
        pos.make(Move::from_raw(raw));
        let count = if depth > 1 {
            game::perft(pos, depth - 1, stop)
        } else {
            1
        };
        pos.unmake();
        counts.push((raw, count));
    }
    counts
}

fn placement(line: &Line) -> Placement {
    // SAFETY: the dispatcher checked this copy's CPU features.
    unsafe { game::to_placement(&replay(line)) }
}

fn inspect(line: &Line, policy: &Policy) -> Inspection {
    // SAFETY: the dispatcher checked this copy's CPU features.
    unsafe {
        let mut pos = replay(line);
        game::configure(&mut pos, policy);
        game::inspect(&pos)
    }
}

fn explain(line: &Line, policy: &Policy) -> Option<Explanation> {
    // SAFETY: the dispatcher checked this copy's CPU features.
    unsafe {
        let pos = replay(line);
        if pos.in_check() {
            None
        } else {
            Some(game::explain(&pos, policy))
        }
    }
}

fn self_check(line: &Line) -> Result<(), String> {
    // SAFETY: the dispatcher checked this copy's CPU features.
    unsafe { game::self_check(&replay(line)) }
}

fn classical(line: &Line, rounds: u32) -> i32 {
    // SAFETY: the dispatcher checked this copy's CPU features.
    let pos = unsafe { replay(line) };
    let Ok(mut cache) = game::EvalCache::new() else {
        return 0;
    };
    let mut value = 0;
    for _ in 0..rounds.max(1) {
        // SAFETY: the dispatcher checked this copy's CPU features.
        value = unsafe { game::classical(std::hint::black_box(&pos), &mut cache) };
    }
    value
}

/// Plays a line of uncertain origin and calls `visit` with each position and the legal move that follows.
fn walk(line: &Line, mut visit: impl FnMut(&Position, Move)) {
    // SAFETY: the dispatcher checked this copy's CPU features.
    let mut pos = unsafe { game::from_placement(&line.start) };
    for mv in line.moves.iter().map(|&raw| Move::from_raw(raw)) {
        // SAFETY: the dispatcher checked this copy's CPU features.
        if !unsafe { mv.is_some() && game::is_pseudo_legal(&pos, mv) && game::is_legal(&pos, mv) } {
            return;
        }
        visit(&pos, mv);
        // SAFETY: the dispatcher checked this copy's CPU features.
        unsafe { pos.make(mv) };
    }
}

fn quiet(line: &Line) -> Vec<bool> {
    let mut found = Vec::with_capacity(line.moves.len());
    // SAFETY: the dispatcher checked this copy's CPU features.
    walk(line, |pos, mv| {
        found.push(!pos.in_check() && !unsafe { game::is_tactical(pos, mv) })
    });
    found
}

fn traces(line: &Line, wanted: &[bool]) -> Vec<Option<Trace>> {
    let mut found = Vec::with_capacity(line.moves.len());
    walk(line, |pos, _| {
        let want = wanted.get(found.len()).copied().unwrap_or(false);
        // SAFETY: the dispatcher checked this copy's CPU features.
        found.push(if want { unsafe { game::trace(pos) } } else { None });
    });
    found
}
