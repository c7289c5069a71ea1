//! The vote: which thread's line is played when several have searched.

use crate::engine::{Bound, Outcome, RootLine, score};

/// Added to a line's score above the worst one's, in centipawns: how much a vote counts before scores differ.
const BASE_WEIGHT: i64 = 14;

/// The index of the outcome to play, 0 if there is nothing to choose.
///
/// A proved mate goes first, the shortest of them. Otherwise each thread votes for its best move, with its depth times
/// its score above the worst; the move with the most weight wins, and the thread that weighs most speaks for it.
/// Among lines that all lose by force, the longest is played.
pub fn choose(outcomes: &[Outcome]) -> usize {
    let best: Vec<Option<&RootLine>> = outcomes
        .iter()
        .map(|o| o.lines.first().filter(|l| !l.pv.is_empty()))
        .collect();
    let Some(first) = best.iter().position(Option::is_some) else {
        return 0;
    };
    if let Some(winner) = shortest_mate(&best) {
        return winner;
    }
    let worst = best.iter().flatten().map(|line| line.score).min().unwrap_or(0);
    let weight = |index: usize| best[index].map_or(0, |line| weight(line, outcomes[index].depth, worst));
    let votes = |mv: u16| -> i64 {
        (0..best.len())
            .filter(|&i| best[i].is_some_and(|l| l.pv[0] == mv))
            .map(weight)
            .sum()
    };
    let mut winner = first;
    let mut most = (i64::MIN, i64::MIN);
    for (index, line) in best.iter().enumerate() {
        let Some(line) = line else { continue };
        // Ties stay with the earlier thread: thread 0 has reported its line already.
        let strength = (votes(line.pv[0]), weight(index));
        if strength > most {
            most = strength;
            winner = index;
        }
    }
    winner
}

/// The line with the greatest exact mate score.
fn shortest_mate(best: &[Option<&RootLine>]) -> Option<usize> {
    let mut winner = None;
    let mut highest = score::MATE_BOUND - 1;
    for (index, line) in best.iter().enumerate() {
        let Some(line) = line else { continue };
        if line.bound != Bound::Upper && line.score > highest {
            highest = line.score;
            winner = Some(index);
        }
    }
    winner
}

fn weight(line: &RootLine, depth: i32, worst: i32) -> i64 {
    (line.score as i64 - worst as i64 + BASE_WEIGHT) * depth.max(1) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(mv: u16, score: i32, depth: i32) -> Outcome {
        let line = RootLine {
            score,
            bound: Bound::Exact,
            depth,
            seldepth: depth,
            pv: vec![mv],
        };
        Outcome {
            lines: vec![line],
            depth,
            nodes: 0,
        }
    }

    #[test]
    fn one_thread_has_its_way() {
        assert_eq!(choose(&[outcome(1, -300, 1)]), 0);
        assert_eq!(choose(&[]), 0);
    }

    #[test]
    fn equal_votes_stay_with_the_first() {
        assert_eq!(choose(&[outcome(1, 10, 9), outcome(2, 10, 9)]), 0);
    }

    #[test]
    fn two_outvote_one() {
        // Weights 14 * 10 against 14 * 10 twice.
        assert_eq!(choose(&[outcome(1, 10, 10), outcome(2, 10, 10), outcome(2, 10, 10)]), 1);
    }

    #[test]
    fn a_deeper_line_with_a_higher_score_speaks_for_the_move() {
        // Move 2: 14 * 8 + (20 + 14) * 11; move 1: (10 + 14) * 10.
        assert_eq!(choose(&[outcome(1, 10, 10), outcome(2, 0, 8), outcome(2, 20, 11)]), 2);
    }

    #[test]
    fn the_shortest_mate_wins_against_any_majority() {
        let (long, short) = (score::MATE - 9, score::MATE - 5);
        assert_eq!(
            choose(&[
                outcome(1, 900, 30),
                outcome(1, 900, 30),
                outcome(2, long, 9),
                outcome(3, short, 8)
            ]),
            3
        );
    }

    #[test]
    fn a_mate_that_is_only_an_upper_bound_proves_nothing() {
        let mut bound = outcome(2, score::MATE - 5, 1);
        bound.lines[0].bound = Bound::Upper;
        let votes = [outcome(1, score::MATE - 9, 9), bound];
        assert_eq!(choose(&votes), 0);
    }

    #[test]
    fn the_longest_defence_is_played() {
        assert_eq!(
            choose(&[outcome(1, -score::MATE + 4, 20), outcome(2, -score::MATE + 40, 20)]),
            1
        );
    }

    #[test]
    fn threads_without_a_line_do_not_vote() {
        let silent = Outcome {
            lines: Vec::new(),
            depth: 0,
            nodes: 5,
        };
        assert_eq!(choose(&[silent.clone(), outcome(1, 0, 1)]), 1);
        assert_eq!(choose(&[silent.clone(), silent]), 0);
    }
}
