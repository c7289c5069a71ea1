//! What a xiangqi position must hold to be played.

use super::fen::{FenError, check_kings, count, pieces};
use super::{Placement, encode, square_text};
use crate::engine::Game;

pub(super) const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

const PAWN: usize = 0;
const ADVISOR: usize = 1;
const BISHOP: usize = 2;
const KNIGHT: usize = 3;
const CANNON: usize = 4;
const ROOK: usize = 5;
const KING: usize = 6;

/// Kinds with the most that a side can have.
const MOST: [(usize, usize, &str); 6] = [
    (PAWN, 5, "pawns"),
    (ADVISOR, 2, "advisors"),
    (BISHOP, 2, "bishops"),
    (KNIGHT, 2, "knights"),
    (CANNON, 2, "cannons"),
    (ROOK, 2, "rooks"),
];

const LINES: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONALS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

type Squares = [u8; 90];

fn step(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 9 + files, square as i32 / 9 + ranks);
    ((0..9).contains(&file) && (0..10).contains(&rank)).then_some((rank * 9 + file) as usize)
}

/// The pieces on a line from a square, nearest first.
fn on_line(squares: &Squares, square: usize, direction: (i32, i32)) -> impl Iterator<Item = u8> + '_ {
    std::iter::successors(step(square, direction), move |&at| step(at, direction))
        .map(|at| squares[at])
        .filter(|&code| code != 0)
}

/// Whether a side attacks the point where the enemy king stands, the facing king apart.
fn king_attacked(squares: &Squares, king: usize, by: usize) -> bool {
    let lines = LINES.iter().any(|&direction| {
        let mut line = on_line(squares, king, direction);
        line.next() == Some(encode(ROOK, by)) || line.next() == Some(encode(CANNON, by))
    });
    lines || knight_attacks(squares, king, by) || pawn_attacks(squares, king, by)
}

/// A knight attacks along a straight step, its leg, and a diagonal one; seen from the target the leg is diagonal.
fn knight_attacks(squares: &Squares, target: usize, by: usize) -> bool {
    DIAGONALS.iter().any(|&(f, r)| {
        let leg_free = step(target, (f, r)).is_some_and(|leg| squares[leg] == 0);
        let knight = |s| step(target, s).is_some_and(|from| squares[from] == encode(KNIGHT, by));
        leg_free && (knight((2 * f, r)) || knight((f, 2 * r)))
    })
}

/// A king's point is attacked from the sides only by pawns across the river, and there every pawn of the enemy is.
fn pawn_attacks(squares: &Squares, target: usize, by: usize) -> bool {
    let back = if by == 0 { -1 } else { 1 };
    [(1, 0), (-1, 0), (0, back)]
        .iter()
        .any(|&s| step(target, s).is_some_and(|from| squares[from] == encode(PAWN, by)))
}

fn kings_face(squares: &Squares, red: usize) -> bool {
    on_line(squares, red, (0, 1)).next() == Some(encode(KING, 1))
}

/// Whether a piece can ever come to a point.
fn can_stand(kind: usize, color: usize, square: usize) -> bool {
    // Black's point as Red sees it.
    let rank = if color == 0 { square / 9 } else { 9 - square / 9 };
    let file = square % 9;
    match kind {
        KING => rank <= 2 && (3..=5).contains(&file),
        ADVISOR => rank <= 2 && (3..=5).contains(&file) && (file + rank) % 2 == 1,
        BISHOP => matches!((rank, file), (0 | 4, 2 | 6) | (2, 0 | 4 | 8)),
        PAWN => rank >= 5 || (rank >= 3 && file.is_multiple_of(2)),
        _ => true,
    }
}

const NAMES: [&str; 7] = [
    "a pawn",
    "an advisor",
    "a bishop",
    "a knight",
    "a cannon",
    "a rook",
    "a king",
];

/// Whether the side to move is in check. Kings never face each other in a legal position.
pub(super) fn in_check(placement: &Placement) -> bool {
    let mover = placement.stm as usize;
    placement
        .king(KING, mover)
        .is_some_and(|king| king_attacked(&placement.squares, king, 1 - mover))
}

/// Refuses what can never be played.
pub(super) fn validate(placement: &Placement) -> Result<(), FenError> {
    check_kings(placement, KING)?;
    for color in 0..2 {
        for (kind, most, what) in MOST {
            if count(placement, kind, color) > most {
                return Err(FenError::TooMany { color, what });
            }
        }
    }
    for (square, kind, color) in pieces(placement) {
        if !can_stand(kind, color, square) {
            return Err(FenError::Impossible {
                what: NAMES[kind],
                square: square_text(Game::Xiangqi, square),
            });
        }
    }
    let (Some(red), Some(black)) = (placement.king(KING, 0), placement.king(KING, 1)) else {
        return Err(FenError::KingCount { color: 0, found: 0 });
    };
    if kings_face(&placement.squares, red) {
        return Err(FenError::KingsFace);
    }
    let mover = placement.stm as usize;
    if king_attacked(&placement.squares, [red, black][1 - mover], mover) {
        return Err(FenError::OpponentInCheck);
    }
    Ok(())
}
