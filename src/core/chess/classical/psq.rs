//! Material and piece-square values: the part of the evaluation that moves keep up to date.

use super::super::super::board::{Kind, Piece, Square};
use super::super::super::eval::Tapered;
use super::super::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};
use super::masks::edge;
use super::weights::{self as w, at};

/// Index of a kind's value on a square (seen by White) in the table of weights.
pub const fn weight(kind: Kind, square: Square) -> usize {
    let slot = square.rank() * 4 + edge(square.file());
    let table = match kind.index() {
        i if i == PAWN.index() => w::PSQ_PAWN,
        i if i == KNIGHT.index() => w::PSQ_KNIGHT,
        i if i == BISHOP.index() => w::PSQ_BISHOP,
        i if i == ROOK.index() => w::PSQ_ROOK,
        i if i == QUEEN.index() => w::PSQ_QUEEN,
        _ => w::PSQ_KING,
    };
    table + slot
}

const fn build() -> [[Tapered; 64]; 16] {
    let mut table = [[Tapered::ZERO; 64]; 16];
    let mut kind = 0;
    while kind < 6 {
        let mut s = 0;
        while s < 64 {
            let square = Square::new(s);
            let place = at(weight(Kind::new(kind), square));
            let material = if kind == KING.index() {
                Tapered::ZERO
            } else {
                at(w::MATERIAL + kind)
            };
            let (mg, eg) = (place.mg() + material.mg(), place.eg() + material.eg());
            table[kind * 2][s] = Tapered::new(mg, eg);
            table[kind * 2 + 1][square.flip().index()] = Tapered::new(-mg, -eg);
            s += 1;
        }
        kind += 1;
    }
    table
}

static PSQ: [[Tapered; 64]; 16] = build();

const fn build_phase() -> [i32; 8] {
    let mut table = [0; 8];
    table[KNIGHT.index()] = w::PHASE_MINOR;
    table[BISHOP.index()] = w::PHASE_MINOR;
    table[ROOK.index()] = w::PHASE_ROOK;
    table[QUEEN.index()] = w::PHASE_QUEEN;
    table
}

static PHASE: [i32; 8] = build_phase();

/// Material and place of a piece, White's view.
#[inline(always)]
pub fn psq(piece: Piece, square: Square) -> Tapered {
    PSQ[piece.index()][square.index()]
}

/// What a piece adds to the phase of the game.
#[inline(always)]
pub fn phase(kind: Kind) -> i32 {
    PHASE[kind.index()]
}
