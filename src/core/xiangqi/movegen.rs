//! Moves: pseudo-legal by stage for the search, legal in bulk, legal and only counted.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Move, MoveList, Position, Square};
use super::attacks;
use super::guard::{Guard, safe_after};
use super::{ADVISOR, BISHOP, CANNON, KNIGHT, PAWN, ROOK};

/// Which moves `generate` makes.
pub trait Stage {
    const CAPTURES: bool;
    const QUIETS: bool;
    const EVASIONS: bool;
}

/// Moves that take something.
pub struct Captures;
/// All other moves.
pub struct Quiets;
/// Every move that may answer a check.
pub struct Evasions;

impl Stage for Captures {
    const CAPTURES: bool = true;
    const QUIETS: bool = false;
    const EVASIONS: bool = false;
}

impl Stage for Quiets {
    const CAPTURES: bool = false;
    const QUIETS: bool = true;
    const EVASIONS: bool = false;
}

impl Stage for Evasions {
    const CAPTURES: bool = true;
    const QUIETS: bool = true;
    const EVASIONS: bool = true;
}

/// Appends the pseudo-legal moves of a stage; `Evasions` only while in check.
#[hot]
pub fn generate<S: Stage>(pos: &Position, list: &mut MoveList) {
    let us = pos.stm();
    if S::EVASIONS {
        evasions(pos, us, &Guard::stored(pos), list);
        return;
    }
    let mut targets = Bitboard::EMPTY;
    if S::CAPTURES {
        targets |= pos.side(!us);
    }
    if S::QUIETS {
        targets |= !pos.occupied();
    }
    let king = pos.king(us);
    push(king, attacks::king(king) & targets, list);
    pieces(
        pos,
        us,
        pos.side(us),
        targets.without(pos.state.aux.hollow[us.index()]),
        list,
    );
}

/// Appends all legal moves.
#[hot]
pub fn legal_moves(pos: &Position, list: &mut MoveList) {
    legal(pos, pos.stm(), &Guard::stored(pos), list);
}

/// Appends all legal moves of `us`, whose king's guard is given.
#[hot]
pub fn legal(pos: &Position, us: Color, guard: &Guard, list: &mut MoveList) {
    let first = list.len();
    if guard.checkers.any() {
        evasions(pos, us, guard, list);
        keep_safe(pos, us, first, list);
        return;
    }
    let king = pos.king(us);
    push(king, attacks::king(king).without(pos.side(us)), list);
    let targets = (!pos.side(us)).without(guard.hollow);
    pieces(pos, us, pos.side(us) & guard.blockers, targets, list);
    keep_safe(pos, us, first, list);
    pieces(pos, us, pos.side(us).without(guard.blockers), targets, list);
}

/// Drops the moves from `first` on that leave the king of `us` attacked.
#[hot]
fn keep_safe(pos: &Position, us: Color, first: usize, list: &mut MoveList) {
    let mut at = first;
    while at < list.len() {
        if safe_after(pos, us, list.as_slice()[at]) {
            at += 1;
        } else {
            list.swap_remove(at);
        }
    }
}

/// How many legal moves `us` has.
#[hot]
pub fn count(pos: &Position, us: Color, guard: &Guard) -> u64 {
    if guard.checkers.any() {
        let mut list = MoveList::new();
        evasions(pos, us, guard, &mut list);
        return list.as_slice().iter().filter(|&&mv| safe_after(pos, us, mv)).count() as u64;
    }
    let own = pos.side(us);
    let targets = (!own).without(guard.hollow);
    let king = pos.king(us);
    let bound = own & guard.blockers;
    let mut total = 0;
    for to in attacks::king(king).without(own) {
        total += safe_after(pos, us, Move::new(king, to, 0)) as u32;
    }
    if bound.any() {
        let mut list = MoveList::new();
        pieces(pos, us, bound, targets, &mut list);
        total += list.as_slice().iter().filter(|&&mv| safe_after(pos, us, mv)).count() as u32;
    }
    (total + count_pieces(pos, us, own.without(guard.blockers), targets)) as u64
}

#[hot]
#[inline]
fn count_pieces(pos: &Position, us: Color, chosen: Bitboard, targets: Bitboard) -> u32 {
    let occupied = pos.occupied();
    let takes = targets & pos.side(!us);
    let goes = targets.without(occupied);
    let mut total = count_pawns(us, pos.kind(PAWN) & chosen, targets);
    for from in pos.kind(ROOK) & chosen {
        total += (attacks::rook(from, occupied) & targets).count();
    }
    for from in pos.kind(CANNON) & chosen {
        let (slides, jumps) = attacks::rook_and_cannon(from, occupied);
        total += (slides & goes | jumps & takes).count();
    }
    for from in pos.kind(KNIGHT) & chosen {
        total += (attacks::knight(from, occupied) & targets).count();
    }
    for from in pos.kind(BISHOP) & chosen {
        total += (attacks::bishop(from, occupied) & targets).count();
    }
    for from in pos.kind(ADVISOR) & chosen {
        total += (attacks::advisor(from) & targets).count();
    }
    total
}

/// All points but those of the first and of the last file.
const NOT_FIRST_FILE: u128 = super::BOARD ^ FIRST_FILE;
const NOT_LAST_FILE: u128 = super::BOARD ^ FIRST_FILE << 8;
const FIRST_FILE: u128 = {
    let mut set = 0;
    let mut rank = 0;
    while rank < 10 {
        set |= 1 << (rank * 9);
        rank += 1;
    }
    set
};

#[hot]
#[inline]
fn count_pawns(us: Color, pawns: Bitboard, targets: Bitboard) -> u32 {
    let ahead = if us == Color::WHITE { pawns << 9 } else { pawns >> 9 };
    let crossed = pawns & attacks::beyond_river(us);
    let left = (crossed & Bitboard(NOT_FIRST_FILE)) >> 1;
    let right = (crossed & Bitboard(NOT_LAST_FILE)) << 1;
    (ahead & targets).count() + (left & targets).count() + (right & targets).count()
}

/// Appends the moves of the chosen pieces other than the king to the targets.
#[hot]
#[inline]
fn pieces(pos: &Position, us: Color, chosen: Bitboard, targets: Bitboard, list: &mut MoveList) {
    let occupied = pos.occupied();
    for from in pos.kind(ROOK) & chosen {
        push(from, attacks::rook(from, occupied) & targets, list);
    }
    for from in pos.kind(CANNON) & chosen {
        let (slides, jumps) = attacks::rook_and_cannon(from, occupied);
        let moves = slides.without(occupied) | jumps & occupied;
        push(from, moves & targets, list);
    }
    for from in pos.kind(KNIGHT) & chosen {
        push(from, attacks::knight(from, occupied) & targets, list);
    }
    for from in pos.kind(PAWN) & chosen {
        push(from, attacks::pawn(us, from) & targets, list);
    }
    for from in pos.kind(BISHOP) & chosen {
        push(from, attacks::bishop(from, occupied) & targets, list);
    }
    for from in pos.kind(ADVISOR) & chosen {
        push(from, attacks::advisor(from) & targets, list);
    }
}

#[inline(always)]
fn push(from: Square, targets: Bitboard, list: &mut MoveList) {
    for to in targets {
        list.push(Move::new(from, to, 0));
    }
}

/// Appends moves that may answer a check. One checker is taken, shut off, or, if a cannon, robbed of its screen; several are
/// rare and can be answered by one move in odd ways, so then everything is tried.
#[hot]
fn evasions(pos: &Position, us: Color, guard: &Guard, list: &mut MoveList) {
    let own = pos.side(us);
    let king = pos.king(us);
    push(king, attacks::king(king).without(own), list);
    let targets = (!own).without(guard.hollow);
    if guard.checkers.many() {
        pieces(pos, us, own, targets, list);
        return;
    }
    let checker = guard.checkers.first();
    let between = attacks::guard(king, checker);
    let screen = between & pos.occupied();
    let answers = guard.checkers | between.without(screen);
    pieces(pos, us, own & screen, targets, list);
    pieces(pos, us, own.without(screen), targets & answers, list);
}
