//! Material and piece-square values: the part of the evaluation that moves keep up to date.

use super::super::super::board::{Kind, Piece, Square};
use super::super::super::eval::Tapered;
use super::super::{CANNON, KINDS, KNIGHT, ROOK, SQUARE_SLOTS, SQUARES};
use super::weights::{self as w, at};
use super::{A, B, C, K, N, P, R};

/// Index of a kind's value on a point (seen by Red) in the table of weights: half a rank, as the board is mirrored.
pub const fn weight(kind: Kind, square: Square) -> usize {
    let file = square.file();
    let slot = square.rank() * 5 + if file > 4 { 8 - file } else { file };
    let table = match kind.index() {
        P => w::PSQ_PAWN,
        A => w::PSQ_ADVISOR,
        B => w::PSQ_BISHOP,
        N => w::PSQ_KNIGHT,
        C => w::PSQ_CANNON,
        R => w::PSQ_ROOK,
        _ => w::PSQ_KING,
    };
    table + slot
}

const fn build() -> [[Tapered; SQUARE_SLOTS]; 16] {
    let mut table = [[Tapered::ZERO; SQUARE_SLOTS]; 16];
    let mut kind = 0;
    while kind < KINDS {
        let mut s = 0;
        while s < SQUARES {
            let square = Square::new(s);
            let place = at(weight(Kind::new(kind), square));
            let material = if kind == K {
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

static PSQ: [[Tapered; SQUARE_SLOTS]; 16] = build();

const fn build_phase() -> [i32; 8] {
    let mut table = [0; 8];
    table[KNIGHT.index()] = w::PHASE_KNIGHT;
    table[CANNON.index()] = w::PHASE_CANNON;
    table[ROOK.index()] = w::PHASE_ROOK;
    table
}

static PHASE: [i32; 8] = build_phase();

/// Material and place of a piece, Red's view.
#[inline(always)]
pub fn psq(piece: Piece, square: Square) -> Tapered {
    PSQ[piece.index()][square.index()]
}

/// What a piece adds to the phase of the game.
#[inline(always)]
pub fn phase(kind: Kind) -> i32 {
    PHASE[kind.index()]
}
