//! Static exchange evaluation: who wins the captures on one point. Screens and legs change as pieces leave.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Kind, Move, Position, Square};
use super::{ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, attacks};

/// What a piece kind is worth in exchanges, in internal centipawns; the king, which is never taken, nothing.
#[inline(always)]
pub const fn value(kind: Kind) -> i32 {
    const VALUES: [i32; 8] = [100, 190, 200, 420, 450, 950, 0, 0];
    VALUES[kind.index()]
}

/// In which order a side takes: the least valuable first.
const ORDER: [Kind; 7] = [PAWN, ADVISOR, BISHOP, KNIGHT, CANNON, ROOK, KING];

/// Whether the exchange that `mv` starts wins at least `threshold` for the mover. Pins are not looked at.
#[hot]
pub fn see_ge(pos: &Position, mv: Move, threshold: i32) -> bool {
    let to = mv.to();
    let mut balance = value(pos.piece_on(to).kind()) - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(pos.moving(mv).kind());
    if balance >= 0 {
        return true;
    }
    let mut occupied = pos.occupied().without(Bitboard::of(mv.from())) | Bitboard::of(to);
    let mut side = pos.stm();
    let mut wins = true;
    loop {
        side = !side;
        let Some((from, kind)) = least_attacker(pos, side, to, occupied) else {
            break;
        };
        occupied ^= Bitboard::of(from);
        if kind == KING {
            // The king takes last: not while the other side can take back.
            let taken_back = (attacks::attackers(pos, to, occupied) & pos.side(!side)).any();
            return if taken_back { wins } else { !wins };
        }
        wins = !wins;
        balance = -balance - 1 - value(kind);
        if balance >= 0 {
            break;
        }
    }
    wins
}

#[hot]
fn least_attacker(pos: &Position, side: Color, to: Square, occupied: Bitboard) -> Option<(Square, Kind)> {
    let found = attacks::attackers(pos, to, occupied) & pos.side(side) & !Bitboard::of(to);
    if found.is_empty() {
        return None;
    }
    for kind in ORDER {
        let of_kind = found & pos.kind(kind);
        if of_kind.any() {
            return Some((of_kind.first(), kind));
        }
    }
    None
}
