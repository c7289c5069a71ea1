//! The safety of a king: what checks it, what stands between, what must stay away.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Move, Position, Square};
use super::attacks;
use super::{CANNON, KING, KNIGHT, PAWN, ROOK};

/// What bears on one king.
#[derive(Clone, Copy)]
pub struct Guard {
    /// Enemy pieces that attack it, a king over an open file included.
    pub checkers: Bitboard,
    /// Pieces of either side whose leaving may expose it: one alone before a rook or king, two before a cannon, a knight's leg.
    pub blockers: Bitboard,
    /// Empty points between it and a cannon with nothing else between: a piece that goes there becomes a screen.
    pub hollow: Bitboard,
}

impl Guard {
    /// What `refresh` stored for the mover.
    #[inline(always)]
    pub fn stored(pos: &Position) -> Guard {
        let us = pos.stm().index();
        Guard {
            checkers: pos.state.checkers,
            blockers: pos.state.blockers[us],
            hollow: pos.state.aux.hollow[us],
        }
    }

    /// Looks at the king of `color`.
    #[hot]
    #[inline]
    pub fn of(pos: &Position, color: Color) -> Guard {
        let king = pos.king(color);
        let enemies = pos.side(!color);
        let occupied = pos.occupied();
        let mut guard = Guard {
            checkers: attacks::pawn_to(!color, king) & pos.kind(PAWN) & enemies,
            blockers: Bitboard::EMPTY,
            hollow: Bitboard::EMPTY,
        };
        for from in straight(pos, king) & enemies {
            let met = attacks::guard(king, from) & occupied;
            if met.is_empty() {
                guard.checkers |= Bitboard::of(from);
            } else if !met.many() {
                guard.blockers |= met;
            }
        }
        for from in pos.kind(CANNON) & attacks::rank_and_file(king) & enemies {
            let between = attacks::guard(king, from);
            let met = between & occupied;
            if met.is_empty() {
                guard.hollow |= between;
                continue;
            }
            let beyond_first = without_first(met);
            if beyond_first.is_empty() {
                guard.checkers |= Bitboard::of(from);
            } else if !beyond_first.many() {
                guard.blockers |= met;
            }
        }
        guard
    }
}

/// Pieces of both sides that attack a king on `king` as soon as nothing stands between.
#[inline(always)]
fn straight(pos: &Position, king: Square) -> Bitboard {
    pos.kind(ROOK) & attacks::rank_and_file(king)
        | pos.kind(KING) & attacks::file_of(king)
        | pos.kind(KNIGHT) & attacks::knight_near(king)
}

#[inline(always)]
fn without_first(set: Bitboard) -> Bitboard {
    Bitboard(set.0 & set.0.wrapping_sub(1))
}

/// Whether `enemies`, pieces of the side that is not `color`, attack a king of `color` on `king` (a palace point).
#[hot]
pub fn exposed(pos: &Position, color: Color, king: Square, occupied: Bitboard, enemies: Bitboard) -> bool {
    if (attacks::pawn_to(!color, king) & pos.kind(PAWN) & enemies).any() {
        return true;
    }
    for from in straight(pos, king) & enemies {
        if (attacks::guard(king, from) & occupied).is_empty() {
            return true;
        }
    }
    for from in pos.kind(CANNON) & attacks::rank_and_file(king) & enemies {
        let met = attacks::guard(king, from) & occupied;
        if met.any() && !met.many() {
            return true;
        }
    }
    false
}

/// Whether the king of `us`, who makes the move, is safe after it; looks at everything.
#[hot]
pub fn safe_after(pos: &Position, us: Color, mv: Move) -> bool {
    let (from, to) = (Bitboard::of(mv.from()), Bitboard::of(mv.to()));
    let king = pos.king(us);
    let king = if mv.from() == king { mv.to() } else { king };
    let occupied = pos.occupied().without(from) | to;
    !exposed(pos, us, king, occupied, pos.side(!us).without(to))
}

/// Whether the king of the side that does not make the move is attacked after it by the side that does.
#[hot]
pub fn checks_after(pos: &Position, us: Color, mv: Move) -> bool {
    // The mover's pieces stand as before in the tables of kinds, so the moving piece is looked at by itself.
    let (from, to) = (Bitboard::of(mv.from()), Bitboard::of(mv.to()));
    let king = pos.king(!us);
    let occupied = pos.occupied().without(from) | to;
    let kind = pos.moving(mv).kind();
    let direct = kind != KING && attacks::from(us, kind, mv.to(), occupied).has(king);
    direct || exposed(pos, !us, king, occupied, pos.side(us).without(from))
}
