//! What pieces attack, as sets; and what attacks a point.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Kind, Position, Square};
use super::super::points;
use super::{ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK};
use crate::tables::xiangqi as tables;

/// Points of Red's half of the board.
const RED_HALF: u128 = (1 << 45) - 1;

/// The half of the board beyond the river, as `color` sees it.
#[inline(always)]
pub const fn beyond_river(color: Color) -> Bitboard {
    if color.index() == 0 {
        Bitboard(RED_HALF << 45)
    } else {
        Bitboard(RED_HALF)
    }
}

#[hot]
#[inline]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(points::rook(from.index(), occupied.0))
}

/// Points beyond the first piece on each line, up to and with the second: what a cannon can take.
#[hot]
#[inline]
pub fn cannon(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(points::cannon(from.index(), occupied.0))
}

/// `rook` and `cannon` of one point.
#[hot]
#[inline]
pub fn rook_and_cannon(from: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let (rook, cannon) = points::both(from.index(), occupied.0);
    (Bitboard(rook), Bitboard(cannon))
}

#[inline(always)]
pub fn knight(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(tables::KNIGHT.0[tables::orthogonal(from.index(), occupied.0)])
}

/// Points from which a knight attacks `to`.
#[inline(always)]
pub fn knight_to(to: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(tables::KNIGHT_TO.0[tables::diagonal(to.index(), occupied.0)])
}

/// The same with every leg free.
#[inline(always)]
pub fn knight_near(to: Square) -> Bitboard {
    Bitboard(tables::KNIGHT_NEAR[to.index()])
}

/// What a bishop attacks; also from where a bishop attacks `from`.
#[inline(always)]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(tables::BISHOP.0[tables::diagonal(from.index(), occupied.0)])
}

#[inline(always)]
pub fn advisor(from: Square) -> Bitboard {
    Bitboard(tables::ADVISOR[from.index()])
}

#[inline(always)]
pub fn king(from: Square) -> Bitboard {
    Bitboard(tables::KING[from.index()])
}

#[inline(always)]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    let table = if color == Color::WHITE {
        &tables::RED_PAWN
    } else {
        &tables::BLACK_PAWN
    };
    Bitboard(table[from.index()])
}

/// Points from which a pawn of `color` attacks `to`.
#[inline(always)]
pub fn pawn_to(color: Color, to: Square) -> Bitboard {
    let table = if color == Color::WHITE {
        &tables::RED_PAWN_TO
    } else {
        &tables::BLACK_PAWN_TO
    };
    Bitboard(table[to.index()])
}

/// The rank and the file of a point, without it.
#[inline(always)]
pub fn rank_and_file(at: Square) -> Bitboard {
    Bitboard(tables::RANK_AND_FILE[at.index()])
}

/// The file of a point, without it.
#[inline(always)]
pub fn file_of(at: Square) -> Bitboard {
    Bitboard(tables::FILE_OF[at.index()])
}

/// The points whose occupancy decides whether a piece on `from` attacks a king on `king`: those between them on a line, the
/// leg of a knight.
#[inline(always)]
pub fn guard(king: Square, from: Square) -> Bitboard {
    let slot = tables::KING_SLOT[king.index()] as usize;
    Bitboard(tables::GUARD.0[tables::king_pair(slot, from.index())])
}

/// What a piece of `color` could take from `from`.
#[hot]
pub fn from(color: Color, kind: Kind, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PAWN => pawn(color, from),
        ADVISOR => advisor(from),
        BISHOP => bishop(from, occupied),
        KNIGHT => knight(from, occupied),
        CANNON => cannon(from, occupied),
        ROOK => rook(from, occupied),
        _ => king(from),
    }
}

/// Pieces of both sides that attack `to` when the board is occupied as given; kings over an open file excluded.
#[hot]
pub fn attackers(pos: &Position, to: Square, occupied: Bitboard) -> Bitboard {
    let (rooks, cannons) = rook_and_cannon(to, occupied);
    let found = rooks & pos.kind(ROOK)
        | cannons & pos.kind(CANNON)
        | knight_to(to, occupied) & pos.kind(KNIGHT)
        | bishop(to, occupied) & pos.kind(BISHOP)
        | advisor(to) & pos.kind(ADVISOR)
        | king(to) & pos.kind(KING)
        | pawn_to(Color::WHITE, to) & pos.pieces(Color::WHITE, PAWN)
        | pawn_to(Color::BLACK, to) & pos.pieces(Color::BLACK, PAWN);
    found & occupied
}
