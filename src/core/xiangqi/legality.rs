//! Questions about single moves: possible, legal, checking, taking; and what the enemy threatens.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Kind, Move, Position};
use super::guard::{checks_after, safe_after};
use super::{ADVISOR, BISHOP, CANNON, KNIGHT, PAWN, ROOK, SQUARE_BITS, SQUARES, attacks, value};

/// Whether a move from a table could have been generated here. Any 16 bits may come in.
#[hot]
pub fn is_pseudo_legal(pos: &Position, mv: Move) -> bool {
    let mask = (1 << SQUARE_BITS) - 1;
    let on_board = ((mv.raw() & mask) as usize) < SQUARES && ((mv.raw() >> SQUARE_BITS & mask) as usize) < SQUARES;
    if !on_board || mv.flags() != 0 {
        return false;
    }
    let us = pos.stm();
    let (from, to) = (mv.from(), mv.to());
    if !pos.side(us).has(from) || pos.side(us).has(to) {
        return false;
    }
    let kind = pos.piece_on(from).kind();
    let occupied = pos.occupied();
    if kind == CANNON && !occupied.has(to) {
        return attacks::rook(from, occupied).has(to);
    }
    attacks::from(us, kind, from, occupied).has(to)
}

/// Whether a pseudo-legal move leaves the mover's king safe.
#[hot]
pub fn is_legal(pos: &Position, mv: Move) -> bool {
    let us = pos.stm();
    let from = mv.from();
    if pos.in_check() || pos.state.blockers[us.index()].has(from) || from == pos.king(us) {
        return safe_after(pos, us, mv);
    }
    !pos.state.aux.hollow[us.index()].has(mv.to())
}

/// Whether a legal move gives check.
#[hot]
pub fn gives_check(pos: &Position, mv: Move) -> bool {
    let us = pos.stm();
    let them = (!us).index();
    let (from, to) = (mv.from(), mv.to());
    let kind = pos.piece_on(from).kind();
    if kind == CANNON {
        // On a line of the king the cannon is a screen of its own check points and may jump the last piece but one.
        if attacks::rank_and_file(pos.king(!us)).has(from) {
            return checks_after(pos, us, mv);
        }
    }
    pos.state.check_squares[kind.index()].has(to)
        || pos.state.aux.hollow[them].has(to) && checks_after(pos, us, mv)
        || pos.state.blockers[them].has(from) && checks_after(pos, us, mv)
}

/// The kind that a pseudo-legal move takes.
#[inline(always)]
pub fn captured(pos: &Position, mv: Move) -> Option<Kind> {
    let victim = pos.piece_on(mv.to());
    if victim.is_some() { Some(victim.kind()) } else { None }
}

/// Whether a pseudo-legal move takes something.
#[inline(always)]
pub fn is_capture(pos: &Position, mv: Move) -> bool {
    pos.piece_on(mv.to()).is_some()
}

/// The same: nothing is promoted in xiangqi.
#[inline(always)]
pub fn is_tactical(pos: &Position, mv: Move) -> bool {
    is_capture(pos, mv)
}

/// What a pseudo-legal move wins at once.
#[inline(always)]
pub fn gain(pos: &Position, mv: Move) -> i32 {
    value(pos.piece_on(mv.to()).kind())
}

/// Points where one of the mover's pieces would stand attacked by something cheaper: all that enemy pawns, advisors and bishops
/// attack, the mover's rooks that knights and cannons attack.
#[hot]
#[inline]
pub fn threats(pos: &Position) -> Bitboard {
    let (us, them) = (pos.stm(), !pos.stm());
    let occupied = pos.occupied();
    let mut found = pawns_attack(them, pos.pieces(them, PAWN));
    let strong = pos.pieces(us, ROOK) | pos.pieces(us, CANNON) | pos.pieces(us, KNIGHT);
    let mut small = Bitboard::EMPTY;
    for from in pos.pieces(them, ADVISOR) {
        small |= attacks::advisor(from);
    }
    for from in pos.pieces(them, BISHOP) {
        small |= attacks::bishop(from, occupied);
    }
    found |= small & strong;
    let rooks = pos.pieces(us, ROOK);
    if rooks.any() {
        let mut minor = Bitboard::EMPTY;
        for from in pos.pieces(them, KNIGHT) {
            minor |= attacks::knight(from, occupied);
        }
        for from in pos.pieces(them, CANNON) {
            minor |= attacks::cannon(from, occupied);
        }
        found |= minor & rooks;
    }
    found
}

/// All points that a side's `pawns` attack.
#[hot]
#[inline]
fn pawns_attack(color: Color, pawns: Bitboard) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for from in pawns {
        found |= attacks::pawn(color, from);
    }
    found
}
