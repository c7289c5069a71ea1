//! Which attacks count as a chase, and which piece a move newly chases.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Kind, Move, Position, Square};
use super::guard::safe_after;
use super::{ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, attacks};

/// Pieces that can chase; kings and pawns may attack what they like.
const CHASERS: [Kind; 5] = [ADVISOR, BISHOP, KNIGHT, CANNON, ROOK];

/// The attacks of a side that count: each of its pieces (at most two of each of five kinds) with its targets.
pub struct Attacks {
    found: [(Square, Bitboard); 10],
    len: usize,
}

impl Attacks {
    /// The attacks of `side` as if it were to move. `board` is restored.
    #[hot]
    pub fn of(board: &mut Position, side: Color) -> Attacks {
        let mut attacks = Attacks {
            found: [(Square::new(0), Bitboard::EMPTY); 10],
            len: 0,
        };
        for kind in CHASERS {
            for from in board.pieces(side, kind) {
                let reached = attacks::from(side, kind, from, board.occupied()) & prey(board, side);
                let mut counted = Bitboard::EMPTY;
                for target in reached {
                    if counts(board, side, from, target) {
                        counted |= Bitboard::of(target);
                    }
                }
                if counted.any() && attacks.len < attacks.found.len() {
                    attacks.found[attacks.len] = (from, counted);
                    attacks.len += 1;
                }
            }
        }
        attacks
    }

    /// What the piece on a square attacks.
    fn by(&self, from: Square) -> Bitboard {
        self.found[..self.len]
            .iter()
            .find(|(at, _)| *at == from)
            .map_or(Bitboard::EMPTY, |(_, targets)| *targets)
    }

    /// Targets that a piece attacks now and did not attack before the move that led here.
    pub fn since(&self, before: &Attacks, mv: Move) -> Bitboard {
        let mut fresh = Bitboard::EMPTY;
        for &(at, targets) in &self.found[..self.len] {
            let origin = if at == mv.to() { mv.from() } else { at };
            fresh |= targets.without(before.by(origin));
        }
        fresh
    }
}

/// Enemy pieces that can be chased: all but the king and pawns that have not crossed the river.
#[hot]
fn prey(board: &Position, side: Color) -> Bitboard {
    let home = board.kind(PAWN).without(attacks::beyond_river(!side));
    board.side(!side).without(board.kind(KING) | home)
}

/// Whether an attack counts as a chase.
#[hot]
fn counts(board: &mut Position, side: Color, from: Square, target: Square) -> bool {
    if !safe_after(board, side, Move::new(from, target, 0)) {
        return false;
    }
    let hunter = board.piece_on(from).kind();
    let victim = board.piece_on(target).kind();
    if wins_by_taking(hunter, victim) {
        true
    } else if hunter == victim {
        !can_take(board, !side, target, from)
    } else {
        !is_protected(board, side, from, target)
    }
}

/// Taking wins material whatever takes back.
#[inline(always)]
fn wins_by_taking(hunter: Kind, victim: Kind) -> bool {
    match victim {
        ROOK => hunter != ROOK,
        CANNON | KNIGHT => hunter == ADVISOR || hunter == BISHOP,
        _ => false,
    }
}

/// Whether a piece of `side` can legally take.
#[hot]
fn can_take(board: &Position, side: Color, from: Square, target: Square) -> bool {
    let kind = board.piece_on(from).kind();
    attacks::from(side, kind, from, board.occupied()).has(target) && safe_after(board, side, Move::new(from, target, 0))
}

/// Whether anything can legally take back once `side` has taken: pinned pieces and cannons that lost their screen cannot.
#[hot]
fn is_protected(board: &mut Position, side: Color, from: Square, target: Square) -> bool {
    let (hunter, victim) = (board.piece_on(from), board.piece_on(target));
    board.lift(victim, target);
    board.lift(hunter, from);
    board.place(hunter, target);
    let mut protected = false;
    for taker in attacks::attackers(board, target, board.occupied()) & board.side(!side) {
        protected |= safe_after(board, !side, Move::new(taker, target, 0));
    }
    board.lift(hunter, target);
    board.place(hunter, from);
    board.place(victim, target);
    protected
}
