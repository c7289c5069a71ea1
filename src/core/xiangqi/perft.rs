//! Counting the leaves of the move tree.

use std::sync::atomic::{AtomicBool, Ordering};

use baize_hot::hot;

use super::super::board::{Color, Move, MoveList, Position};
use super::guard::Guard;
use super::movegen::{count, legal};

/// Leaves `depth` plies below a position; a partial count once `stop` is set.
#[hot]
pub fn perft(pos: &mut Position, depth: u32, stop: &AtomicBool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let us = pos.stm();
    leaves(pos, us, depth, stop)
}

/// The pieces alone are moved: keys, sums and the state of the position itself stay as they were.
#[hot]
fn leaves(pos: &mut Position, us: Color, depth: u32, stop: &AtomicBool) -> u64 {
    let guard = Guard::of(pos, us);
    if depth == 1 {
        return count(pos, us, &guard);
    }
    // A flag is looked at every few thousand leaves.
    if depth > 3 && stop.load(Ordering::Relaxed) {
        return 0;
    }
    let mut list = MoveList::new();
    legal(pos, us, &guard, &mut list);
    let mut total = 0;
    for &mv in list.as_slice() {
        total += below(pos, us, mv, depth - 1, stop);
    }
    total
}

#[hot]
#[inline]
fn below(pos: &mut Position, us: Color, mv: Move, depth: u32, stop: &AtomicBool) -> u64 {
    let (from, to) = (mv.from(), mv.to());
    let (piece, victim) = (pos.piece_on(from), pos.piece_on(to));
    if victim.is_some() {
        pos.lift(victim, to);
    }
    pos.lift(piece, from);
    pos.place(piece, to);
    let total = leaves(pos, !us, depth, stop);
    pos.lift(piece, to);
    pos.place(piece, from);
    if victim.is_some() {
        pos.place(victim, to);
    }
    total
}
