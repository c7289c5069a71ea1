//! The evaluation laid open: term by term for `eval`, weight by weight for the fitter.

use baize_hot::hot;

use super::super::super::board::{Color, Position};
use super::super::super::eval::Tapered;
use super::super::KING;
use super::sink::Record;
use super::{Evaluation, mix, psq, weights as w};
use crate::engine::{Explanation, Term, Trace};
use crate::options::Policy;

/// The evaluation with every term recorded, material and place included; the mover is not in check.
#[hot]
fn record(pos: &Position) -> Evaluation<'_, Record> {
    let mut evaluation = Evaluation::new(pos, Record::new());
    evaluation.run();
    for square in pos.occupied() {
        let piece = pos.piece_on(square);
        let (kind, side) = (piece.kind(), piece.color());
        let place = if side == Color::WHITE { square } else { square.flip() };
        let counts = &mut evaluation.sink.counts;
        counts[psq::weight(kind, place)][side.index()] += 1;
        if kind != KING {
            counts[w::MATERIAL + kind.index()][side.index()] += 1;
        }
    }
    evaluation
}

/// The value of what was recorded, Red's view: its halves, and mixed.
#[hot]
fn value(evaluation: &Evaluation<'_, Record>) -> (Tapered, i32) {
    let sink = &evaluation.sink;
    let mut total = evaluation.danger_value([sink.units(Color::WHITE), sink.units(Color::BLACK)]);
    for weight in 0..w::DANGER {
        total += sink.linear(weight, Color::WHITE) - sink.linear(weight, Color::BLACK);
    }
    (
        total,
        mix(total, evaluation.pos.state.phase, evaluation.scale(total.eg())),
    )
}

/// The terms of a position by group and its value, Red's view; the mover is not in check.
#[hot]
pub fn explain(pos: &Position, _policy: &Policy) -> Explanation {
    let evaluation = record(pos);
    let sink = &evaluation.sink;
    let mut terms: Vec<Term> = Vec::new();
    for &(_, group, first, len) in w::TERMS {
        let sums = Color::BOTH.map(|side| {
            let mut sum = Tapered::ZERO;
            for weight in first..first + len {
                sum += sink.linear(weight, side);
            }
            sum
        });
        add_to(&mut terms, group, sums);
    }
    // A king's danger counts for the other side.
    let danger = Color::BOTH.map(|side| {
        let units = [sink.units(Color::WHITE), sink.units(Color::BLACK)];
        let mut own = [0; 2];
        own[side.index()] = units[side.index()];
        let white = evaluation.danger_value(own);
        if side == Color::WHITE { white } else { -white }
    });
    add_to(&mut terms, "King", danger);
    let classical = value(&evaluation).1;
    Explanation {
        terms,
        classical,
        final_value: classical,
    }
}

fn add_to(terms: &mut Vec<Term>, name: &'static str, [white, black]: [Tapered; 2]) {
    let index = terms.iter().position(|t| t.name == name).unwrap_or_else(|| {
        terms.push(Term {
            name,
            white: (0, 0),
            black: (0, 0),
        });
        terms.len() - 1
    });
    let term = &mut terms[index];
    term.white = (term.white.0 + white.mg(), term.white.1 + white.eg());
    term.black = (term.black.0 + black.mg(), term.black.1 + black.eg());
}

/// The evaluation as a function of its weights; `None` for a known draw and in check.
#[hot]
pub fn trace(pos: &Position) -> Option<Trace> {
    if pos.in_check() {
        return None;
    }
    let evaluation = record(pos);
    let (total, value) = value(&evaluation);
    let scale = evaluation.scale(total.eg());
    if scale == 0 {
        return None;
    }
    let mut counts = Vec::new();
    for (weight, &[white, black]) in evaluation.sink.counts.iter().enumerate() {
        // A weight that both sides have equally often says nothing, unless it is danger, which is not linear.
        if white != black || (weight >= w::DANGER && white != 0) {
            counts.push((weight as u16, white, black));
        }
    }
    Some(Trace {
        phase: pos.state.phase.min(w::PHASE_FULL),
        scale,
        safe_king: evaluation.safe_king,
        counts,
        value,
    })
}
