//! What is fixed during a game of xiangqi, and what moves change beyond the pieces.

use super::super::board::{Bitboard, Position};
use crate::options::{Policy, RepetitionRule};

/// A side's checks since the last capture that count towards the move limit.
pub const COUNTED_CHECKS: u8 = 10;

/// What is fixed during a game.
#[derive(Clone)]
pub struct Setup {
    /// Plies from the first move of the game to the position as given.
    pub first_ply: u32,
    /// How repetitions are judged.
    pub rule: RepetitionRule,
}

/// What a move changes beyond the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Aux {
    /// By the side of the king: empty points between it and an enemy cannon with nothing else between.
    pub hollow: [Bitboard; 2],
    /// Checks that each side has given since the last capture.
    pub checks: [u8; 2],
    /// The last move was a check beyond the counted ones, so that the answer does not count either.
    pub free_answer: bool,
    /// Plies since the last capture that count towards the move limit.
    pub counted: u16,
}

/// Takes the rules that the user chose.
pub fn configure(pos: &mut Position, policy: &Policy) {
    pos.setup.rule = policy.repetition_rule;
}
