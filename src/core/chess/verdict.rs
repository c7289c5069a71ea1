//! When the rules end a game of chess.

use baize_hot::hot;

use super::super::board::{Bitboard, MoveList, Position};
use super::movegen::legal_moves;
use super::{BISHOP, CLOCK_LIMIT, KING, KNIGHT};

const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// The score if the game ends here: 0 for a draw by 50 moves, by repetition (once within the searched line, `ply` plies
/// long, else twice) or by lack of material.
#[hot]
pub fn verdict(pos: &Position, ply: usize) -> Option<i32> {
    let drawn = is_repetition(pos, ply) || insufficient_material(pos) || is_move_limit(pos);
    if drawn { Some(0) } else { None }
}

#[inline(always)]
fn is_repetition(pos: &Position, ply: usize) -> bool {
    let distance = pos.state.repetition as i32;
    distance != 0 && distance < ply as i32
}

/// 50 moves by each side without pawn move or capture; mate on the board counts first.
#[hot]
#[inline]
pub fn is_move_limit(pos: &Position) -> bool {
    pos.state.clock as i32 >= CLOCK_LIMIT && !(pos.in_check() && has_no_move(pos))
}

#[hot]
#[cold]
pub fn has_no_move(pos: &Position) -> bool {
    let mut list = MoveList::new();
    legal_moves(pos, &mut list);
    list.is_empty()
}

/// Neither side can ever mate: bare kings, one minor piece, or nothing but bishops of one square colour.
#[hot]
#[inline]
pub fn insufficient_material(pos: &Position) -> bool {
    let minors = pos.kind(KNIGHT) | pos.kind(BISHOP);
    if pos.occupied() != minors | pos.kind(KING) {
        return false;
    }
    let bishops = pos.kind(BISHOP);
    !minors.many() || minors == bishops && ((bishops & DARK).is_empty() || bishops.without(DARK).is_empty())
}

/// How often a position has occurred in its line, this time included.
pub fn occurrences(pos: &Position) -> u32 {
    let reach = (pos.state.clock as usize).min(pos.past());
    let repeats = (4..=reach)
        .step_by(2)
        .filter(|&back| pos.state_back(back).key == pos.state.key)
        .count();
    repeats as u32 + 1
}
