//! Endings: how much of the end-game value can be won, and how a bare king is mated.

use baize_hot::hot;

use super::super::super::board::{Bitboard, Color, Position, Square};
use super::super::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK};
use super::masks::{self, LIGHT, distance, edge};

/// The scale that leaves a value as it is.
pub const FULL: i32 = 64;

/// Rough piece values for telling endings apart: they decide scale, never score.
const MINOR: i32 = 3;
const ROOK_VALUE: i32 = 5;

/// What each side has, as `strength` counts it.
#[hot]
#[inline]
fn strength(pos: &Position, side: Color) -> i32 {
    let men = pos.side(side);
    let minors = (men & (pos.kind(KNIGHT) | pos.kind(BISHOP))).count() as i32;
    let rooks = (men & pos.kind(ROOK)).count() as i32;
    let queens = (men & pos.kind(QUEEN)).count() as i32;
    minors * MINOR + rooks * ROOK_VALUE + queens * 9
}

/// How much of the end-game value the side that it favours can win, out of `FULL`.
#[hot]
#[inline]
pub fn scale(pos: &Position, favoured: Color, passed: Bitboard) -> i32 {
    let pawns = pos.pieces(favoured, PAWN);
    let own = strength(pos, favoured);
    let enemy = strength(pos, !favoured);
    if pawns.is_empty() {
        return without_pawns(pos, favoured, own, enemy);
    }
    if own == MINOR && enemy == 0 && wrong_corner(pos, favoured, pawns) {
        return 0;
    }
    if own == MINOR && enemy <= MINOR && !pawns.many() {
        return single_pawn(pos, favoured, pawns, enemy);
    }
    if opposite_bishops(pos) {
        let bishops_alone = own == MINOR && enemy == MINOR;
        let passed = (passed & pos.side(favoured)).count() as i32;
        return if bishops_alone {
            16 + 8 * passed.min(4)
        } else {
            40 + 3 * passed.min(4)
        };
    }
    if own == ROOK_VALUE && enemy == ROOK_VALUE {
        return rook_ending(pos, favoured, pawns);
    }
    // With fewer pawns fewer can be turned into a queen.
    (40 + 6 * pawns.count() as i32).min(FULL)
}

/// Without pawns a side must be a rook ahead, or so, to mate.
#[hot]
#[inline]
fn without_pawns(pos: &Position, favoured: Color, own: i32, enemy: i32) -> i32 {
    if own < ROOK_VALUE {
        return 0;
    }
    let knights = pos.pieces(favoured, KNIGHT);
    if own == 2 * MINOR && knights.count() == 2 {
        return 0;
    }
    match own - enemy {
        i32::MIN..=0 => 4,
        1..=MINOR => 8,
        4 => 16,
        _ => FULL,
    }
}

/// A bishop with pawns on a rook's file only, whose last square it does not see, and the enemy king in that corner.
#[hot]
#[inline]
fn wrong_corner(pos: &Position, favoured: Color, pawns: Bitboard) -> bool {
    let bishops = pos.pieces(favoured, BISHOP);
    let (a, h) = (masks::file(0), masks::file(7));
    if bishops.is_empty() || (pawns.without(a).any() && pawns.without(h).any()) {
        return false;
    }
    let goal = Square::at(
        if (pawns & a).any() { 0 } else { 7 },
        if favoured == Color::WHITE { 7 } else { 0 },
    );
    LIGHT.has(goal) != LIGHT.has(bishops.first()) && distance(pos.king(!favoured), goal) <= 1
}

/// A minor piece and one pawn against at most a minor piece: won only when the pawn gets through.
#[hot]
#[inline]
fn single_pawn(pos: &Position, favoured: Color, pawns: Bitboard, enemy: i32) -> i32 {
    if enemy == 0 {
        return FULL;
    }
    let pawn = pawns.first();
    let ahead = masks::AHEAD[favoured.index()][pawn.rank()] & masks::file(pawn.file());
    let king = pos.king(!favoured);
    if ahead.has(king) { 8 } else { 24 }
}

/// One bishop each, on different colors.
#[hot]
#[inline]
fn opposite_bishops(pos: &Position) -> bool {
    let bishops = pos.kind(BISHOP);
    let (white, black) = (bishops & pos.side(Color::WHITE), bishops & pos.side(Color::BLACK));
    white.any() && black.any() && !white.many() && !black.many() && LIGHT.has(white.first()) != LIGHT.has(black.first())
}

/// Rook against rook: a pawn more on one wing is seldom enough.
#[hot]
#[inline]
fn rook_ending(pos: &Position, favoured: Color, pawns: Bitboard) -> i32 {
    let more = pawns.count() as i32 - pos.pieces(!favoured, PAWN).count() as i32;
    let wing = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    let both_wings = (pawns & wing).any() && pawns.without(wing).any();
    if more <= 1 && !both_wings {
        36
    } else {
        (44 + 5 * pawns.count() as i32).min(FULL)
    }
}

/// The value of mating a bare king with enough material, from the mating side's view, `None` when it is no such ending.
#[hot]
#[inline]
pub fn bare_king(pos: &Position, winner: Color, material: i32) -> Option<i32> {
    let loser = !winner;
    if pos.side(loser).many() {
        return None;
    }
    let own = strength(pos, winner);
    let bishops = pos.pieces(winner, BISHOP);
    let knights = pos.pieces(winner, KNIGHT);
    let heavy = pos.pieces(winner, ROOK) | pos.pieces(winner, QUEEN);
    let both_colors = (bishops & LIGHT).any() && bishops.without(LIGHT).any();
    let mates = heavy.any() || both_colors || (bishops.any() && knights.any()) || knights.count() > 2;
    if own < ROOK_VALUE || !mates {
        return None;
    }
    let (king, prey) = (pos.king(winner), pos.king(loser));
    let near = 7 - distance(king, prey);
    let drive = if heavy.is_empty() && !both_colors && knights.count() == 1 && pos.pieces(winner, PAWN).is_empty() {
        12 * toward_corner(prey, LIGHT.has(bishops.first()))
    } else {
        10 * toward_edge(prey)
    };
    Some(KNOWN_WIN + material + drive + 8 * near)
}

/// Above what an open position can be worth, so that a known win is sought.
const KNOWN_WIN: i32 = 2500;

/// How near the edge a king stands, more in a corner: 0 to 12.
#[inline(always)]
fn toward_edge(square: Square) -> i32 {
    let (f, r) = (edge(square.file()) as i32, edge(square.rank()) as i32);
    (3 - f.min(r)) * 2 + (3 - f) + (3 - r)
}

/// How near a king stands to a corner of a color: 0 to 14.
#[inline(always)]
fn toward_corner(square: Square, light: bool) -> i32 {
    // a8 and h1 are light, a1 and h8 dark: steps of a rook to the nearer one.
    let (f, r) = (square.file() as i32, square.rank() as i32);
    let r = if light { 7 - r } else { r };
    14 - (f + r).min(14 - f - r) * 2
}
