//! Moving the pieces, moving them back, and what is known of a position just reached.

use baize_hot::hot;

use super::super::board::{Bitboard, Move, Position};
use super::guard::Guard;
use super::setup::COUNTED_CHECKS;
use super::{ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, attacks, keys};

/// Moves the piece and changes keys and clock. Side to move and attacks are the caller's.
#[hot]
#[inline]
pub fn apply(pos: &mut Position, mv: Move) {
    let (from, to) = (mv.from(), mv.to());
    let piece = pos.piece_on(from);
    let victim = pos.piece_on(to);
    if victim.is_some() {
        pos.remove(victim, to);
        pos.state.captured = victim;
        pos.state.clock = 0;
        pos.state.aux.counted = 0;
        pos.state.aux.checks = [0; 2];
        pos.state.aux.free_answer = false;
    }
    pos.remove(piece, from);
    pos.put(piece, to);
}

/// Moves the piece of a move back; keys, clock and the like come from the stack.
#[hot]
#[inline]
pub fn retract(pos: &mut Position, mv: Move) {
    let piece = pos.piece_on(mv.to());
    pos.lift(piece, mv.to());
    pos.place(piece, mv.from());
    let victim = pos.state.captured;
    if victim.is_some() {
        pos.place(victim, mv.to());
    }
}

/// What a pass changes beyond the side to move.
#[inline(always)]
pub fn apply_null(pos: &mut Position) {
    pos.state.aux.free_answer = false;
}

/// The key that a move leads to.
#[hot]
#[inline]
pub fn key_after(pos: &Position, mv: Move) -> u64 {
    let piece = pos.moving(mv);
    let key = pos.state.key ^ keys::side() ^ keys::piece(piece, mv.from()) ^ keys::piece(piece, mv.to());
    let victim = pos.piece_on(mv.to());
    if victim.is_some() {
        key ^ keys::piece(victim, mv.to())
    } else {
        key
    }
}

/// Works out checkers, blockers, hollow points and check points of a position just reached, and counts the move that led to it.
#[hot]
#[inline]
pub fn refresh(pos: &mut Position) {
    let (us, them) = (pos.stm(), !pos.stm());
    let own = Guard::of(pos, us);
    let enemy = Guard::of(pos, them);
    pos.state.checkers = own.checkers;
    pos.state.blockers[us.index()] = own.blockers;
    pos.state.blockers[them.index()] = enemy.blockers;
    pos.state.aux.hollow[us.index()] = own.hollow;
    pos.state.aux.hollow[them.index()] = enemy.hollow;

    let occupied = pos.occupied();
    let king = pos.king(them);
    let (rook, cannon) = attacks::rook_and_cannon(king, occupied);
    let squares = &mut pos.state.check_squares;
    squares[PAWN.index()] = attacks::pawn_to(us, king);
    squares[ADVISOR.index()] = Bitboard::EMPTY;
    squares[BISHOP.index()] = Bitboard::EMPTY;
    squares[KNIGHT.index()] = attacks::knight_to(king, occupied);
    squares[CANNON.index()] = cannon;
    squares[ROOK.index()] = rook;
    squares[KING.index()] = Bitboard::EMPTY;
    count_ply(pos);
}

/// The move limit: a side's first checks since the capture count, later ones and their answers do not.
#[hot]
#[inline]
fn count_ply(pos: &mut Position) {
    if pos.state.mv.is_none() || pos.state.captured.is_some() {
        return;
    }
    let check = pos.state.checkers.any();
    let mover = (!pos.stm()).index();
    let aux = &mut pos.state.aux;
    if check {
        aux.checks[mover] = aux.checks[mover].saturating_add(1);
    }
    let beyond = check && aux.checks[mover] > COUNTED_CHECKS;
    if !beyond && !aux.free_answer {
        aux.counted += 1;
    }
    aux.free_answer = beyond;
}
