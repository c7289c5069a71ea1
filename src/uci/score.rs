//! Internal scores to what GUIs show: the only home of the model behind `cp` and `wdl`.
//!
//! A plain logistic with constants chosen by hand: it holds until one is fitted to Baize's own games.

use std::fmt;

use crate::engine::score::{MATE, MATE_BOUND, RULE, RULE_BOUND, is_by_rule};

/// The internal score at which a win is as likely as not; it is shown as 100.
const EVEN_CHANCE: f64 = 130.0;
/// How fast the chance grows around it, in internal centipawns.
const SPREAD: f64 = 65.0;

/// A score as UCI writes it, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    Centipawns(i32),
    /// Moves to mate, negative when being mated.
    Mate(i32),
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shown::Centipawns(value) => write!(f, "cp {value}"),
            Shown::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// The shown form of an internal score; a win by the rules of repetition is a mate like another.
pub fn shown(score: i32) -> Shown {
    let mate = if is_by_rule(score) { RULE } else { MATE };
    if score >= MATE_BOUND || score > 0 && is_by_rule(score) {
        Shown::Mate((mate - score + 1) / 2)
    } else if score <= -MATE_BOUND || is_by_rule(score) {
        Shown::Mate(-(mate + score) / 2)
    } else {
        Shown::Centipawns(centipawns(score))
    }
}

/// Internal to normalised centipawns.
pub fn centipawns(score: i32) -> i32 {
    (score as f64 * 100.0 / EVEN_CHANCE).round() as i32
}

/// Normalised to internal centipawns.
pub fn internal(centipawns: i32) -> i32 {
    (centipawns as f64 * EVEN_CHANCE / 100.0).round() as i32
}

/// Thousandths of wins, draws and losses.
pub fn wdl(score: i32) -> [i32; 3] {
    let chance = |score: f64| (1000.0 / (1.0 + ((EVEN_CHANCE - score) / SPREAD).exp())).round() as i32;
    let (win, loss) = match score {
        s if s >= RULE_BOUND => (1000, 0),
        s if s <= -RULE_BOUND => (0, 1000),
        s => (chance(s as f64), chance(-s as f64)),
    };
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves() {
        assert_eq!(shown(MATE - 1), Shown::Mate(1));
        assert_eq!(shown(MATE - 2), Shown::Mate(1));
        assert_eq!(shown(MATE - 3), Shown::Mate(2));
        assert_eq!(shown(-MATE), Shown::Mate(0));
        assert_eq!(shown(-MATE + 2), Shown::Mate(-1));
        assert_eq!(shown(-MATE + 4), Shown::Mate(-2));
        assert_eq!(shown(RULE - 5), Shown::Mate(3));
        assert_eq!(shown(-RULE + 4), Shown::Mate(-2));
    }

    #[test]
    fn chances_add_to_a_thousand() {
        for score in [-MATE, -2000, -130, -1, 0, 1, 130, 700, 29000, MATE - 7] {
            let [win, draw, loss] = wdl(score);
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= 0 && draw >= 0 && loss >= 0, "{score}: {win} {draw} {loss}");
            let [other_win, _, other_loss] = wdl(-score);
            assert_eq!((win, loss), (other_loss, other_win));
        }
        assert_eq!(wdl(130)[0], 500);
        assert_eq!(shown(130), Shown::Centipawns(100));
    }
}
