//! The classical evaluation of chess: material and place, pawns, mobility, threats, kings, passed pawns and space, each
//! with weights for the middle game and the end game that are mixed by the material left.
//!
//! Weights are data (`tables/chess_eval.toml`). The same code sums terms for play and records them for the fitter and
//! for `eval` (`Sink`).

mod endgame;
mod explain;
mod king;
mod masks;
mod passed;
mod pawns;
mod pieces;
mod psq;
mod sink;
mod space;
mod threats;
mod weights;

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Position, Square};
use super::super::eval::Tapered;
use super::attacks;
use super::{KING, PAWN, Side};
use crate::engine::score::EVAL_BOUND;

pub use explain::{explain, trace};
pub use pawns::EvalCache;
pub use psq::{phase, psq};

use pieces::{B, N, Q, R};
use sink::{Sink, Sum};
use weights as w;

const P: usize = PAWN.index();
const K: usize = KING.index();

/// One evaluation under way: the attack sets of both sides and where the terms go.
pub struct Evaluation<'a, S: Sink> {
    pos: &'a Position,
    sink: S,
    occupied: Bitboard,
    kings: [Square; 2],
    /// Squares that each kind of a side attacks.
    by: [[Bitboard; 8]; 2],
    /// Squares that a side attacks, and those it attacks twice or more.
    all: [Bitboard; 2],
    twice: [Bitboard; 2],
    /// Squares that count for a side's mobility.
    area: [Bitboard; 2],
    /// Squares around a side's king for its attackers, and those it can step to.
    zone: [Bitboard; 2],
    beside_king: [Bitboard; 2],
    /// Enemy pieces that attack a side's zone.
    attackers: [i32; 2],
    /// A side's king is in no danger worth counting.
    safe_king: [bool; 2],
    passed: [Bitboard; 2],
    spans: [Bitboard; 2],
}

/// The evaluation from the mover's side, in internal centipawns, within `EVAL_BOUND`. The mover is not in check.
#[hot]
pub fn classical(pos: &Position, cache: &mut EvalCache) -> i32 {
    let white = white_view(pos, cache);
    let value = if pos.stm() == Color::WHITE { white } else { -white };
    value.clamp(1 - EVAL_BOUND, EVAL_BOUND - 1)
}

#[hot]
#[inline]
fn white_view(pos: &Position, cache: &mut EvalCache) -> i32 {
    if let Some(value) = known_win(pos) {
        return value;
    }
    let mut evaluation = Evaluation::new(
        pos,
        Sum {
            total: pos.state.psq,
            ..Sum::default()
        },
    );
    evaluation.run(Some(cache));
    let total = evaluation.sink.total + evaluation.danger_value(evaluation.sink.danger);
    mix(total, pos.state.phase, evaluation.scale(total.eg()))
}

/// The value of a position whose winner is known, White's view.
#[hot]
#[inline]
fn known_win(pos: &Position) -> Option<i32> {
    let material = pos.state.psq.eg();
    if pos.side(Color::BLACK).count() == 1 {
        endgame::bare_king(pos, Color::WHITE, material)
    } else if pos.side(Color::WHITE).count() == 1 {
        endgame::bare_king(pos, Color::BLACK, -material).map(|value| -value)
    } else {
        None
    }
}

/// Centipawns of the middle game that units of danger cost.
#[inline(always)]
fn danger_cost(units: i32) -> i32 {
    let units = units.max(0);
    (units * units / w::DANGER_DIVISOR).min(w::DANGER_LIMIT)
}

/// Middle game and end game by the phase; the end game's share is scaled, and with scale 0 all is a draw.
#[inline(always)]
fn mix(total: Tapered, phase: i32, scale: i32) -> i32 {
    if scale == 0 {
        return 0;
    }
    let phase = phase.min(w::PHASE_FULL);
    (total.mg() * phase * endgame::FULL + total.eg() * (w::PHASE_FULL - phase) * scale)
        / (w::PHASE_FULL * endgame::FULL)
}

impl<'a, S: Sink> Evaluation<'a, S> {
    #[inline(always)]
    fn new(pos: &'a Position, sink: S) -> Self {
        Evaluation {
            pos,
            sink,
            occupied: pos.occupied(),
            kings: [pos.king(Color::WHITE), pos.king(Color::BLACK)],
            by: [[Bitboard::EMPTY; 8]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            area: [Bitboard::EMPTY; 2],
            zone: [Bitboard::EMPTY; 2],
            beside_king: [Bitboard::EMPTY; 2],
            attackers: [0; 2],
            safe_king: [false; 2],
            passed: [Bitboard::EMPTY; 2],
            spans: [Bitboard::EMPTY; 2],
        }
    }

    /// Sends every term to the sink, but material and place, which the position keeps.
    #[hot]
    #[inline]
    fn run(&mut self, cache: Option<&mut EvalCache>) {
        (self.passed, self.spans) = pawns::evaluate(self.pos, cache, &mut self.sink);
        self.prepare::<0>();
        self.prepare::<1>();
        self.mobility_area::<0, 1>();
        self.mobility_area::<1, 0>();
        self.pieces::<0, 1, N>();
        self.pieces::<1, 0, N>();
        self.pieces::<0, 1, B>();
        self.pieces::<1, 0, B>();
        self.pieces::<0, 1, R>();
        self.pieces::<1, 0, R>();
        self.pieces::<0, 1, Q>();
        self.pieces::<1, 0, Q>();
        self.side::<0, 1>();
        self.side::<1, 0>();
        if self.pos.stm() == Color::WHITE {
            self.sink.add::<0>(w::TEMPO, 1);
        } else {
            self.sink.add::<1>(w::TEMPO, 1);
        }
    }

    /// Terms of one side that need the attack sets of both.
    #[hot]
    #[inline]
    fn side<const US: usize, const THEM: usize>(&mut self) {
        self.together::<US>();
        self.danger::<US, THEM>();
        self.threats::<US, THEM>();
        self.passed::<US, THEM>();
        self.space::<US, THEM>();
        let (us, aux) = (Color::new(US), &self.pos.state.aux);
        let rights = i32::from(aux.may_castle(us, Side::King)) + i32::from(aux.may_castle(us, Side::Queen));
        self.sink.add::<US>(w::CASTLING_RIGHT, rights);
    }

    /// Attacks of pawns and king.
    #[hot]
    #[inline]
    fn prepare<const US: usize>(&mut self) {
        let pawns = self.pos.pieces(Color::new(US), PAWN);
        let by_pawns = masks::pawn_attacks::<US>(pawns);
        let by_king = attacks::king_attacks(self.kings[US]);
        self.by[US][P] = by_pawns;
        self.by[US][K] = by_king;
        self.all[US] = by_pawns | by_king;
        let double = masks::pawn_double_attacks::<US>(pawns);
        self.twice[US] = double | by_pawns & by_king;
        self.beside_king[US] = by_king;
        self.zone[US] = masks::ZONE[self.kings[US].index()].without(double);
    }

    /// Squares that are not taken by the own king, queens and held-back pawns, and that no enemy pawn guards.
    #[hot]
    #[inline]
    fn mobility_area<const US: usize, const THEM: usize>(&mut self) {
        let us = Color::new(US);
        let pawns = self.pos.pieces(us, PAWN);
        let low = masks::rank::<US>(1) | masks::rank::<US>(2);
        let held = pawns & (low | masks::down::<US>(self.occupied));
        let royal = self.pos.pieces(us, super::QUEEN) | Bitboard::of(self.kings[US]);
        self.area[US] = !(held | royal | self.by[THEM][P]);
    }

    /// What units of danger to each king are worth, White's view.
    #[inline(always)]
    fn danger_value(&self, units: [i32; 2]) -> Tapered {
        let cost = |side: usize| {
            if self.safe_king[side] {
                0
            } else {
                danger_cost(units[side])
            }
        };
        Tapered::new(cost(1) - cost(0), 0)
    }

    /// How much of an end-game value of this sign counts.
    #[hot]
    #[inline]
    fn scale(&self, eg: i32) -> i32 {
        let favoured = if eg >= 0 { Color::WHITE } else { Color::BLACK };
        endgame::scale(self.pos, favoured, self.passed[0] | self.passed[1])
    }
}
