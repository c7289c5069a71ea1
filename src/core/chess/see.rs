//! Static exchange evaluation.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Kind, Move, Position, Square};
use super::attacks::{attackers_to, diagonal, straight};
use super::make::ep_victim;
use super::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, bishop_attacks, flag, gain, line, promotion, rook_attacks};

/// What a piece kind is worth in exchanges, in internal centipawns; the king, which is never taken, nothing.
#[inline(always)]
pub const fn value(kind: Kind) -> i32 {
    const VALUES: [i32; 8] = [100, 320, 335, 510, 980, 0, 0, 0];
    VALUES[kind.index()]
}

/// Where a pawn that takes becomes a queen.
const LAST_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);
const PROMOTION_GAIN: i32 = value(QUEEN) - value(PAWN);

/// Whether the exchange that a pseudo-legal move starts on its target square wins at least `threshold`, when either side
/// may stop taking at any time. A pinned piece takes no part while the piece that pins it is there. A pawn that takes on
/// the last rank becomes a queen.
#[hot]
pub fn see_ge(pos: &Position, mv: Move, threshold: i32) -> bool {
    let (from, to, flags) = (mv.from(), mv.to(), mv.flags());
    if flags == flag::CASTLING {
        return threshold <= 0;
    }
    // What the side that moved last has over the threshold, if the exchange ends now.
    let mut balance = gain(pos, mv) - threshold;
    if balance < 0 {
        return false;
    }
    let kind = promotion(mv).unwrap_or(pos.piece_on(from).kind());
    // ... and if it loses the piece it moved.
    balance -= value(kind);
    let last_rank = LAST_RANKS.has(to);
    if balance >= 0 && !last_rank {
        return true;
    }
    let mut occupied = pos.occupied().without(Bitboard::of(from)).with(to);
    if flags == flag::EN_PASSANT {
        occupied = occupied.without(Bitboard::of(ep_victim(to)));
    }
    let us = pos.stm();
    let mut side = !us;
    let mut attackers = attackers_to(pos, to, occupied);
    // Whoever is to take and does not (cannot, or need not as the other is content anyway) has lost the argument.
    loop {
        attackers &= occupied;
        let mut own = attackers & pos.side(side);
        let pinned = own & pos.state.blockers[side.index()];
        if pinned.any() {
            own = own.without(held(pos, side, pinned, to, occupied));
        }
        if own.is_empty() {
            break;
        }
        let kind = least(pos, own);
        let promotes = last_rank && kind == PAWN;
        if last_rank {
            balance -= if promotes { PROMOTION_GAIN } else { 0 };
            if balance >= 0 {
                break;
            }
        }
        side = !side;
        if kind == KING {
            // The king may not take what is still defended.
            if (attackers & pos.side(side)).any() {
                side = !side;
            }
            break;
        }
        balance = -balance - 1 - value(if promotes { QUEEN } else { kind });
        if balance >= 0 && !last_rank {
            break;
        }
        let taker = (own & pos.kind(kind)).first();
        occupied = occupied.without(Bitboard::of(taker));
        if kind == PAWN || kind == BISHOP || kind == QUEEN {
            attackers |= bishop_attacks(to, occupied) & diagonal(pos);
        }
        if kind == ROOK || kind == QUEEN {
            attackers |= rook_attacks(to, occupied) & straight(pos);
        }
    }
    side != us
}

/// The kind of the cheapest of some pieces.
#[inline(always)]
fn least(pos: &Position, own: Bitboard) -> Kind {
    for kind in [PAWN, KNIGHT, BISHOP, ROOK, QUEEN] {
        if (own & pos.kind(kind)).any() {
            return kind;
        }
    }
    KING
}

/// Those of the `pinned` pieces of a side that must not go to `to`, as a line piece behind them still aims at their king.
#[hot]
fn held(pos: &Position, side: Color, pinned: Bitboard, to: Square, occupied: Bitboard) -> Bitboard {
    let king = pos.king(side);
    let enemy = pos.side(!side) & occupied;
    let mut held = Bitboard::EMPTY;
    for piece in pinned {
        let line = line(king, piece);
        if line.has(to) {
            continue;
        }
        let rest = occupied.without(Bitboard::of(piece));
        let aimed = rook_attacks(king, rest) & straight(pos) | bishop_attacks(king, rest) & diagonal(pos);
        if (aimed & line & enemy).any() {
            held |= Bitboard::of(piece);
        }
    }
    held
}
