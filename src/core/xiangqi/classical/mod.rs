//! The classical evaluation of xiangqi: material and place, mobility, palaces, pawns across the river, cannons, rooks, kings
//! and threats, each with weights for the middle game and the end game that are mixed by the material left.
//!
//! Weights are data (`tables/xiangqi_eval.toml`). The same code sums terms for play and records them for the fitter and
//! for `eval` (`Sink`).

mod cannons;
mod endgame;
mod explain;
mod king;
mod masks;
mod palace;
mod pawns;
mod pieces;
mod psq;
// One sink serves both games; sums that a cache kept come in chess alone.
#[allow(dead_code)]
#[path = "../../chess/classical/sink.rs"]
mod sink;
mod threats;
mod weights;

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Position, Square};
use super::super::eval::Tapered;
use super::{ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK};
use crate::engine::score::EVAL_BOUND;

pub use explain::{explain, trace};
pub use psq::{phase, psq};

use sink::{Sink, Sum};
use weights as w;

/// Numbers of kinds, for const parameters.
const P: usize = PAWN.index();
const A: usize = ADVISOR.index();
const B: usize = BISHOP.index();
const N: usize = KNIGHT.index();
const C: usize = CANNON.index();
const R: usize = ROOK.index();
const K: usize = KING.index();

/// Nothing is worth keeping from one position to the next: there are no structures that last.
pub struct EvalCache;

impl EvalCache {
    /// # Errors
    /// Never.
    pub fn new() -> Result<Self, String> {
        Ok(EvalCache)
    }

    pub fn clear(&mut self) {}
}

/// One evaluation under way: the attack sets of both sides and where the terms go.
pub struct Evaluation<'a, S: Sink> {
    pos: &'a Position,
    sink: S,
    occupied: Bitboard,
    kings: [Square; 2],
    /// Points that each kind of a side attacks, own pieces included; cannons only over a screen.
    by: [[Bitboard; 8]; 2],
    /// Points to which a side's cannons can go without taking.
    cannon_moves: [Bitboard; 2],
    /// Points that a side attacks, and those it attacks twice or more.
    all: [Bitboard; 2],
    twice: [Bitboard; 2],
    /// Points that count for a side's mobility.
    area: [Bitboard; 2],
    /// Enemy pieces that attack a side's palace.
    attackers: [i32; 2],
    /// Enemy cannons that face a side's king with nothing between.
    hollow: [i32; 2],
    /// A side's king is in no danger worth counting.
    safe_king: [bool; 2],
    /// How many pieces of each kind a side has.
    count: [[i32; 8]; 2],
    /// Pawns across the river.
    crossed: [Bitboard; 2],
}

/// The evaluation from the mover's side, in internal centipawns, within `EVAL_BOUND`. The mover is not in check.
#[hot]
pub fn classical(pos: &Position, _cache: &mut EvalCache) -> i32 {
    let red = red_view(pos);
    let value = if pos.stm() == Color::WHITE { red } else { -red };
    value.clamp(1 - EVAL_BOUND, EVAL_BOUND - 1)
}

#[hot]
#[inline]
fn red_view(pos: &Position) -> i32 {
    let sink = Sum {
        total: pos.state.psq,
        ..Sum::default()
    };
    let mut evaluation = Evaluation::new(pos, sink);
    evaluation.run();
    let total = evaluation.sink.total + evaluation.danger_value(evaluation.sink.danger);
    mix(total, pos.state.phase, evaluation.scale(total.eg()))
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
            cannon_moves: [Bitboard::EMPTY; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            area: [Bitboard::EMPTY; 2],
            attackers: [0; 2],
            hollow: [0; 2],
            safe_king: [false; 2],
            count: [[0; 8]; 2],
            crossed: [Bitboard::EMPTY; 2],
        }
    }

    /// Sends every term to the sink, but material and place, which the position keeps.
    #[hot]
    #[inline]
    fn run(&mut self) {
        self.prepare::<0, 1>();
        self.prepare::<1, 0>();
        self.pieces::<0, 1>();
        self.pieces::<1, 0>();
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
        self.palace::<US, THEM>();
        self.pawns::<US, THEM>();
        self.king::<US, THEM>();
        self.danger::<US, THEM>();
        self.threats::<US, THEM>();
    }

    /// Notes that a piece attacks some points.
    #[inline(always)]
    fn note<const US: usize>(&mut self, kind: usize, attacked: Bitboard) {
        self.twice[US] |= self.all[US] & attacked;
        self.all[US] |= attacked;
        self.by[US][kind] |= attacked;
    }

    /// What units of danger to each king are worth, Red's view.
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
        let favoured = usize::from(eg < 0);
        endgame::scale(&self.count[favoured], &self.count[1 - favoured])
    }
}
