//! Attacks, and what of them a position keeps: checkers, blockers, check squares.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Kind, Position, Square};
use super::super::lines;
use super::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};
use crate::tables::chess as tables;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

#[hot]
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(lines::rook(square.index(), occupied.0))
}

#[hot]
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(lines::bishop(square.index(), occupied.0))
}

#[hot]
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    Bitboard(tables::KNIGHT[square.index()])
}

#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    Bitboard(tables::KING[square.index()])
}

/// Squares that a pawn of `color` attacks.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    let table = if color == Color::WHITE {
        &tables::WHITE_PAWN
    } else {
        &tables::BLACK_PAWN
    };
    Bitboard(table[square.index()])
}

/// Files and ranks of a square on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    Bitboard(tables::ROOK_RAYS[square.index()])
}

/// Diagonals of a square on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    Bitboard(tables::BISHOP_RAYS[square.index()])
}

/// Squares strictly between two squares; none if they share no line.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(tables::BETWEEN.0[a.index()][b.index()])
}

/// The whole line through two squares; none if they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(tables::LINE.0[a.index()][b.index()])
}

/// The squares one step ahead of each of a side's `pawns`.
#[inline(always)]
pub fn pawn_pushes(color: Color, pawns: Bitboard) -> Bitboard {
    if color == Color::WHITE { pawns << 8 } else { pawns >> 8 }
}

/// Pawn captures of a side towards the a-file and towards the h-file.
#[inline(always)]
pub fn pawn_captures(color: Color, pawns: Bitboard) -> (Bitboard, Bitboard) {
    let (left, right) = (Bitboard(pawns.0 & !FILE_A), Bitboard(pawns.0 & !FILE_H));
    if color == Color::WHITE {
        (left << 7, right << 9)
    } else {
        (left >> 9, right >> 7)
    }
}

/// All squares that a side's `pawns` attack.
#[inline(always)]
pub fn pawns_attack(color: Color, pawns: Bitboard) -> Bitboard {
    let (left, right) = pawn_captures(color, pawns);
    left | right
}

/// Squares that a piece other than a pawn attacks.
#[hot]
#[inline]
pub fn piece_attacks(kind: Kind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        KNIGHT => knight_attacks(square),
        BISHOP => bishop_attacks(square, occupied),
        ROOK => rook_attacks(square, occupied),
        QUEEN => queen_attacks(square, occupied),
        _ => king_attacks(square),
    }
}

/// Rooks and queens.
#[inline(always)]
pub fn straight(pos: &Position) -> Bitboard {
    pos.kind(ROOK) | pos.kind(QUEEN)
}

/// Bishops and queens.
#[inline(always)]
pub fn diagonal(pos: &Position) -> Bitboard {
    pos.kind(BISHOP) | pos.kind(QUEEN)
}

/// Pieces of both sides that attack a square when `occupied` stands on the board.
#[hot]
#[inline]
pub fn attackers_to(pos: &Position, square: Square, occupied: Bitboard) -> Bitboard {
    (pawn_attacks(Color::WHITE, square) & pos.pieces(Color::BLACK, PAWN))
        | (pawn_attacks(Color::BLACK, square) & pos.pieces(Color::WHITE, PAWN))
        | (knight_attacks(square) & pos.kind(KNIGHT))
        | (king_attacks(square) & pos.kind(KING))
        | (rook_attacks(square, occupied) & straight(pos))
        | (bishop_attacks(square, occupied) & diagonal(pos))
}

/// Whether `by` attacks a square when `occupied` stands on the board.
#[hot]
#[inline]
pub fn is_attacked(pos: &Position, square: Square, by: Color, occupied: Bitboard) -> bool {
    let leapers = (pawn_attacks(!by, square) & pos.kind(PAWN))
        | (knight_attacks(square) & pos.kind(KNIGHT))
        | (king_attacks(square) & pos.kind(KING));
    (leapers & pos.side(by)).any() || sliders_attack(pos, square, by, occupied)
}

/// Whether a line piece of `by` attacks a square when `occupied` stands on the board.
#[hot]
#[inline]
pub fn sliders_attack(pos: &Position, square: Square, by: Color, occupied: Bitboard) -> bool {
    let enemy = pos.side(by);
    (rook_attacks(square, occupied) & straight(pos) & enemy).any()
        || (bishop_attacks(square, occupied) & diagonal(pos) & enemy).any()
}

/// Works out checkers, blockers and check squares of a position just reached.
#[hot]
#[inline]
pub fn refresh(pos: &mut Position) {
    let (us, them) = (pos.stm(), !pos.stm());
    let occupied = pos.occupied();
    let (own, enemy) = (pos.king(us), pos.king(them));
    let (straight, diagonal) = (straight(pos), diagonal(pos));

    let (files, diagonals) = (rook_attacks(own, occupied), bishop_attacks(own, occupied));
    let leapers = (pawn_attacks(us, own) & pos.kind(PAWN)) | (knight_attacks(own) & pos.kind(KNIGHT));
    pos.state.checkers = (leapers | files & straight | diagonals & diagonal) & pos.side(them);
    let hidden = (rook_rays(own) & straight).without(files) | (bishop_rays(own) & diagonal).without(diagonals);
    pos.state.blockers[us.index()] = blockers(own, hidden & pos.side(them), occupied);

    let (files, diagonals) = (rook_attacks(enemy, occupied), bishop_attacks(enemy, occupied));
    let hidden = (rook_rays(enemy) & straight).without(files) | (bishop_rays(enemy) & diagonal).without(diagonals);
    pos.state.blockers[them.index()] = blockers(enemy, hidden & pos.side(us), occupied);

    let squares = &mut pos.state.check_squares;
    squares[PAWN.index()] = pawn_attacks(them, enemy);
    squares[KNIGHT.index()] = knight_attacks(enemy);
    squares[BISHOP.index()] = diagonals;
    squares[ROOK.index()] = files;
    squares[QUEEN.index()] = files | diagonals;
    squares[KING.index()] = Bitboard::EMPTY;
}

/// Pieces that alone stand between a king and one of the line pieces aimed at it.
#[inline(always)]
fn blockers(king: Square, aimed: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for sniper in aimed {
        let inner = between(king, sniper) & occupied;
        if !inner.many() {
            found |= inner;
        }
    }
    found
}

/// Squares where one of the mover's pieces would stand attacked by something cheaper: all that enemy pawns attack, the
/// mover's rooks and queens that minor pieces attack, its queens that rooks attack.
#[hot]
#[inline]
pub fn threats(pos: &Position) -> Bitboard {
    let (us, them) = (pos.stm(), !pos.stm());
    let occupied = pos.occupied();
    let mut found = pawns_attack(them, pos.pieces(them, PAWN));
    let queens = pos.pieces(us, QUEEN);
    let majors = queens | pos.pieces(us, ROOK);
    if majors.any() {
        let mut minor = Bitboard::EMPTY;
        for square in pos.pieces(them, KNIGHT) {
            minor |= knight_attacks(square);
        }
        for square in pos.pieces(them, BISHOP) {
            minor |= bishop_attacks(square, occupied);
        }
        found |= minor & majors;
    }
    if queens.any() {
        for square in pos.pieces(them, ROOK) {
            found |= rook_attacks(square, occupied) & queens;
        }
    }
    found
}
