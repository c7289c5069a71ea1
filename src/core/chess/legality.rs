//! Questions about single moves: possible, legal, checking, taking.

use baize_hot::hot;

use super::super::board::{Bitboard, Kind, Move, Position, Square};
use super::attacks::{is_attacked, piece_attacks, straight};
use super::make::{castling_side, ep_is_legal, ep_victim, lines_check};
use super::movegen::{castling_is_safe, check_mask};
use super::{KING, PAWN, QUEEN, flag, line, pawn_attacks, promotion, value};

/// Whether a move from a table could have been generated here. Any 16 bits may come in.
#[hot]
pub fn is_pseudo_legal(pos: &Position, mv: Move) -> bool {
    let us = pos.stm();
    let (from, to, flags) = (mv.from(), mv.to(), mv.flags());
    if !pos.side(us).has(from) {
        return false;
    }
    if flags == flag::CASTLING {
        return is_castling(pos, mv);
    }
    if pos.side(us).has(to) {
        return false;
    }
    let kind = pos.piece_on(from).kind();
    if flags == flag::EN_PASSANT {
        let takers = pawn_attacks(!us, to) & pos.pieces(us, PAWN);
        return pos.state.aux.ep() == Some(to) && takers.has(from) && !pos.state.checkers.many();
    }
    if kind == PAWN {
        if !is_pawn_move(pos, mv) {
            return false;
        }
    } else if flags != 0 || !piece_attacks(kind, from, pos.occupied()).has(to) {
        return false;
    }
    kind == KING || !pos.in_check() || !pos.state.checkers.many() && check_mask(pos, pos.king(us)).has(to)
}

#[hot]
#[inline]
fn is_castling(pos: &Position, mv: Move) -> bool {
    let us = pos.stm();
    let side = castling_side(mv.from(), mv.to());
    let way = pos.setup.castling(us, side);
    !pos.in_check()
        && pos.state.aux.may_castle(us, side)
        && way.king_from == mv.from()
        && way.rook_from == mv.to()
        && (way.path & pos.occupied()).is_empty()
}

/// Whether a pawn of the mover on `from` can go to `to`, which none of its own pieces holds, with these flags; en passant
/// left out.
#[hot]
#[inline]
fn is_pawn_move(pos: &Position, mv: Move) -> bool {
    let us = pos.stm();
    let (from, to, flags) = (mv.from(), mv.to(), mv.flags());
    let promotes = to.rank() == 0 || to.rank() == 7;
    if if promotes {
        flags & !3 != flag::PROMOTION
    } else {
        flags != 0
    } {
        return false;
    }
    if pos.side(!us).has(to) {
        return pawn_attacks(us, from).has(to);
    }
    let (start, up) = if us.index() == 0 { (1, 8) } else { (6, -8) };
    let occupied = pos.occupied();
    let gone = to.index() as i32 - from.index() as i32;
    if occupied.has(to) {
        return false;
    }
    gone == up || gone == 2 * up && from.rank() == start && !occupied.has(middle(mv))
}

/// The square halfway of a double push.
#[inline(always)]
fn middle(mv: Move) -> Square {
    Square::new((mv.from().index() + mv.to().index()) / 2)
}

/// Whether a pseudo-legal move leaves the mover's king safe.
#[hot]
pub fn is_legal(pos: &Position, mv: Move) -> bool {
    let us = pos.stm();
    let (from, to) = (mv.from(), mv.to());
    match mv.flags() {
        flag::EN_PASSANT => return ep_is_legal(pos, us, from, to),
        flag::CASTLING => return castling_is_safe(pos, us, castling_side(from, to)),
        _ => {}
    }
    let king = pos.king(us);
    if from == king {
        return !is_attacked(pos, to, !us, pos.occupied().without(Bitboard::of(from)));
    }
    !pos.state.blockers[us.index()].has(from) || line(king, from).has(to)
}

/// Whether a legal move gives check.
#[hot]
pub fn gives_check(pos: &Position, mv: Move) -> bool {
    let us = pos.stm();
    let (from, to, flags) = (mv.from(), mv.to(), mv.flags());
    let kind = pos.piece_on(from).kind();
    let king = pos.king(!us);
    if flags == flag::CASTLING {
        let way = pos.setup.castling(us, castling_side(from, to));
        let occupied = pos
            .occupied()
            .without(Bitboard::of(from).with(to))
            .with(way.king_to)
            .with(way.rook_to);
        let rooks = (straight(pos) & pos.side(us))
            .without(Bitboard::of(to))
            .with(way.rook_to);
        return lines_check(pos, us, rooks, occupied);
    }
    if pos.state.check_squares[kind.index()].has(to) && flags & flag::PROMOTION == 0 {
        return true;
    }
    if pos.state.blockers[(!us).index()].has(from) && !line(from, king).has(to) {
        return true;
    }
    match flags {
        0 => false,
        flag::EN_PASSANT => {
            let gone = Bitboard::of(from).with(ep_victim(to));
            let occupied = pos.occupied().without(gone).with(to);
            lines_check(pos, us, straight(pos) & pos.side(us), occupied)
        }
        _ => {
            let occupied = pos.occupied().without(Bitboard::of(from));
            promotion(mv).is_some_and(|kind| piece_attacks(kind, to, occupied).has(king))
        }
    }
}

/// The kind that a pseudo-legal move takes.
#[inline(always)]
pub fn captured(pos: &Position, mv: Move) -> Option<Kind> {
    match mv.flags() {
        flag::CASTLING => None,
        flag::EN_PASSANT => Some(PAWN),
        _ => {
            let victim = pos.piece_on(mv.to());
            if victim.is_some() { Some(victim.kind()) } else { None }
        }
    }
}

/// Whether a pseudo-legal move takes something.
#[inline(always)]
pub fn is_capture(pos: &Position, mv: Move) -> bool {
    captured(pos, mv).is_some()
}

/// Whether a pseudo-legal move takes something or makes a queen.
#[inline(always)]
pub fn is_tactical(pos: &Position, mv: Move) -> bool {
    is_capture(pos, mv) || promotion(mv) == Some(QUEEN)
}

/// What a pseudo-legal move wins at once: the piece taken, and what a promoted pawn gains.
#[inline(always)]
pub fn gain(pos: &Position, mv: Move) -> i32 {
    let taken = captured(pos, mv).map_or(0, |kind| value(kind));
    taken + promotion(mv).map_or(0, |kind| value(kind) - value(PAWN))
}
