//! The repetition judge: what a cycle of moves means for those who made it.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Kind, Move, Position};
use super::chase::Attacks;
use super::setup::{Aux, Setup};
use super::{ADVISOR, BISHOP, CANNON, KNIGHT, PAWN, SQUARE_SLOTS};
use crate::options::RepetitionRule;

/// Why a repetition ends as it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    PerpetualCheck,
    MutualCheck,
    /// Some moves of the cycle check, no side checks with all of its moves.
    SomeChecks,
    /// A side chases one and the same piece, of this kind.
    PerpetualChase(Kind),
    MutualChase,
    /// Every move of a side checks or chases (rule `axf`).
    CheckAndChase,
    Idle,
}

impl Reason {
    pub const fn name(self) -> &'static str {
        match self {
            Reason::PerpetualCheck => "perpetual check",
            Reason::MutualCheck => "mutual perpetual check",
            Reason::SomeChecks => "repetition with some checks",
            Reason::PerpetualChase(PAWN) => "perpetual chase of a pawn",
            Reason::PerpetualChase(ADVISOR) => "perpetual chase of an advisor",
            Reason::PerpetualChase(BISHOP) => "perpetual chase of a bishop",
            Reason::PerpetualChase(KNIGHT) => "perpetual chase of a knight",
            Reason::PerpetualChase(CANNON) => "perpetual chase of a cannon",
            Reason::PerpetualChase(_) => "perpetual chase of a rook",
            Reason::MutualChase => "mutual perpetual chase",
            Reason::CheckAndChase => "perpetual check and chase",
            Reason::Idle => "idle repetition",
        }
    }
}

/// The end of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// `None` for a draw.
    pub loser: Option<Color>,
    pub reason: Reason,
}

impl Judgement {
    const fn draw(reason: Reason) -> Self {
        Judgement { loser: None, reason }
    }

    /// The one side of which `guilty` holds loses; a draw if it holds of both.
    fn of_guilty(guilty: [bool; 2], lost: impl Fn(Color) -> Reason, mutual: Reason) -> Option<Self> {
        match guilty {
            [false, false] => None,
            [true, true] => Some(Judgement::draw(mutual)),
            _ => {
                let loser = Color::new(guilty[1] as usize);
                Some(Judgement {
                    loser: Some(loser),
                    reason: lost(loser),
                })
            }
        }
    }
}

/// Judges the last `cycle` plies, which end where they began, under the rule of the position's setup.
#[hot]
#[cold]
pub fn judge(pos: &Position, cycle: usize) -> Judgement {
    let (always, ever) = checks(pos, cycle);
    if let Some(judgement) = Judgement::of_guilty(always, |_| Reason::PerpetualCheck, Reason::MutualCheck) {
        return judgement;
    }
    let any = ever[0] || ever[1];
    match pos.setup.rule {
        RepetitionRule::Draw => Judgement::draw(if any { Reason::SomeChecks } else { Reason::Idle }),
        RepetitionRule::Computer if any => Judgement::draw(Reason::SomeChecks),
        RepetitionRule::Computer => chases(pos, cycle, [false; 2]),
        RepetitionRule::Axf => chases(pos, cycle, ever),
    }
}

/// By side: whether all its moves of the cycle check, and whether any does.
#[hot]
fn checks(pos: &Position, cycle: usize) -> ([bool; 2], [bool; 2]) {
    let (mut always, mut ever) = ([true; 2], [false; 2]);
    for back in 0..cycle {
        let mover = mover_back(pos, back).index();
        let check = pos.state_back(back).checkers.any();
        always[mover] &= check;
        ever[mover] |= check;
    }
    (always, ever)
}

/// Who made the move that led to the position `back` plies ago.
#[inline(always)]
fn mover_back(pos: &Position, back: usize) -> Color {
    if back.is_multiple_of(2) { !pos.stm() } else { pos.stm() }
}

/// Looks for pieces that a side chases with every move of the cycle that does not check.
#[hot]
fn chases(pos: &Position, cycle: usize, checked: [bool; 2]) -> Judgement {
    let chased = chased(pos, cycle);
    let victim = |loser: Color| {
        if checked[loser.index()] {
            Reason::CheckAndChase
        } else {
            Reason::PerpetualChase(pos.piece_on(chased[loser.index()].first()).kind())
        }
    };
    let guilty = [chased[0].any(), chased[1].any()];
    Judgement::of_guilty(guilty, victim, Reason::MutualChase).unwrap_or(Judgement::draw(if checked[0] || checked[1] {
        Reason::SomeChecks
    } else {
        Reason::Idle
    }))
}

/// By side: the enemy pieces, by where they stand now, that it chases anew with each of its moves of the cycle; moves
/// that check are passed over. Walks back through the cycle and follows the pieces.
#[hot]
fn chased(pos: &Position, cycle: usize) -> [Bitboard; 2] {
    let mut board = copy(pos);
    let mut chased = [Bitboard::FULL; 2];
    // Where the piece on a square of the walk's position stands now.
    let mut now: [u8; SQUARE_SLOTS] = std::array::from_fn(|square| square as u8);
    for back in 0..cycle {
        let mover = mover_back(pos, back);
        let state = pos.state_back(back);
        let mv = state.mv;
        let looked_at = chased[mover.index()].any() && state.checkers.is_empty();
        let after = if looked_at {
            Some(Attacks::of(&mut board, mover))
        } else {
            None
        };
        take_back(&mut board, mv);
        if let Some(after) = after {
            let before = Attacks::of(&mut board, mover);
            let mut fresh = Bitboard::EMPTY;
            for target in after.since(&before, mv) {
                fresh.0 |= 1 << now[target.index()];
            }
            chased[mover.index()] &= fresh;
        }
        now[mv.from().index()] = now[mv.to().index()];
        if chased[0].is_empty() && chased[1].is_empty() {
            break;
        }
    }
    chased
}

/// The pieces of a position on a board of their own, without keys and history.
#[hot]
fn copy(pos: &Position) -> Position {
    let setup = Setup {
        first_ply: 0,
        rule: pos.setup.rule,
    };
    let mut board = Position::empty(setup, Aux::default());
    for square in pos.occupied() {
        board.place(pos.piece_on(square), square);
    }
    board
}

/// Moves of a cycle take nothing.
#[hot]
fn take_back(board: &mut Position, mv: Move) {
    let piece = board.piece_on(mv.to());
    board.lift(piece, mv.to());
    board.place(piece, mv.from());
}
