//! How much of a material advantage counts when little is left: few pieces do not break a full set of guards.

use baize_hot::hot;

use super::{A, B, C, N, P, R};

/// The scale of a value that counts in full.
pub const FULL: i32 = 64;

/// The share, out of `FULL`, of an end-game value that counts for the side with the pieces `own` against `enemy`.
#[hot]
#[inline]
pub fn scale(own: &[i32; 8], enemy: &[i32; 8]) -> i32 {
    let minors = own[N] + own[C];
    let guards = enemy[A] + enemy[B];
    match (own[R], minors, own[P]) {
        (0, 0, 0) => 0,
        (0, 0, pawns) => pawns_alone(pawns, guards),
        (0, 1, 0) => one_minor(own, guards),
        (0, 1, 1) if guards >= 3 => 40,
        (0, 2, 0) if guards >= 3 && own[N] == 0 => 36,
        (1, 0, 0) => one_rook(enemy, guards),
        (1, 0, 1) if enemy[R] > 0 => 32,
        (1, 1, 0) if enemy[R] > 0 && guards >= 3 => 44,
        _ => FULL,
    }
}

#[inline(always)]
fn pawns_alone(pawns: i32, guards: i32) -> i32 {
    match (pawns, guards) {
        (1, 0) => 44,
        (1, 1) => 24,
        (1, _) => 10,
        (2, 0..=2) => 52,
        (2, _) => 26,
        _ => 56,
    }
}

#[inline(always)]
fn one_minor(own: &[i32; 8], guards: i32) -> i32 {
    if own[C] == 1 {
        return if own[A] > 0 && guards == 0 { 48 } else { 10 };
    }
    match guards {
        0 => FULL,
        1 => 48,
        2 => 24,
        _ => 8,
    }
}

#[inline(always)]
fn one_rook(enemy: &[i32; 8], guards: i32) -> i32 {
    let minors = enemy[N] + enemy[C];
    if enemy[R] > 0 {
        return 10;
    }
    match (minors, guards) {
        (0, 4) => 16,
        (0, _) => FULL,
        (1, 0..=1) => 48,
        (1, _) => 24,
        _ => 20,
    }
}
