//! The repetition judge of xiangqi on games as played, on every copy of this build that the machine can run.

mod common;

use baize::engine::{Game, GameCopy, Inspection, Line};
use baize::options::{Policy, RepetitionRule};
use baize::position::{parse_fen, resolve_move};
use common::copies;

/// A cycle and what playing it twice means.
struct Case {
    fen: &'static str,
    cycle: Vec<&'static str>,
    verdict: &'static str,
    why: &'static str,
}

fn cases() -> Vec<Case> {
    include_str!("cases/xiangqi_repetition.tsv")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            Case {
                fen: fields[0],
                cycle: fields[1].split_whitespace().collect(),
                verdict: fields[2],
                why: fields[3],
            }
        })
        .collect()
}

fn line(fen: &str) -> Line {
    let (start, _) = parse_fen(Game::Xiangqi, fen, false).expect("a valid FEN");
    Line {
        start,
        moves: Vec::new(),
    }
}

/// Plays moves in text and returns what the rules say after each.
fn play(copy: &GameCopy, policy: &Policy, line: &mut Line, moves: &[&str]) -> Vec<Inspection> {
    moves
        .iter()
        .map(|text| {
            let legal = (copy.legal_moves)(line);
            let mv = resolve_move(Game::Xiangqi, text, &legal, false, false).expect("a legal move");
            line.moves.push(mv);
            (copy.inspect)(line, policy)
        })
        .collect()
}

/// The verdict in the words of the cases, for Red or Black by the side to move.
fn words(line: &Line, inspection: &Inspection) -> Option<&'static str> {
    let black = (usize::from(line.start.stm) + line.moves.len()) % 2 == 1;
    inspection.verdict.map(|(gain, _)| match (gain, black) {
        (0, _) => "draw",
        (1, false) | (-1, true) => "black loses",
        _ => "red loses",
    })
}

#[test]
fn third_occurrence_decides() {
    for (name, copy) in copies(Game::Xiangqi) {
        for case in cases() {
            let mut line = line(case.fen);
            let first = play(copy, &Policy::default(), &mut line, &case.cycle);
            assert!(
                first.iter().all(|i| i.verdict.is_none()),
                "{}: too early on {name}",
                case.fen
            );
            let second = play(copy, &Policy::default(), &mut line, &case.cycle);
            let last = second.last().expect("a move");
            assert_eq!(last.occurrences, 3, "{}", case.fen);
            assert_eq!(
                words(&line, last),
                Some(case.verdict),
                "{}: {} on {name}",
                case.fen,
                case.why
            );
        }
    }
}

#[test]
fn verdicts_have_names() {
    let wanted = [
        (0, "perpetual check"),
        (1, "perpetual chase of a knight"),
        (2, "idle repetition"),
        (3, "perpetual chase of a rook"),
        (7, "perpetual chase of a pawn"),
        (8, "repetition with some checks"),
        (9, "mutual perpetual check"),
        (11, "perpetual chase of a cannon"),
    ];
    let (_, copy) = copies(Game::Xiangqi)[0];
    let cases = cases();
    for (number, text) in wanted {
        let mut line = line(cases[number].fen);
        let moves = cases[number].cycle.repeat(2);
        let last = play(copy, &Policy::default(), &mut line, &moves).pop().expect("a move");
        assert_eq!(last.verdict.map(|v| v.1), Some(text), "{}", cases[number].fen);
    }
}

#[test]
fn dead_material_and_stalemate() {
    let (_, copy) = copies(Game::Xiangqi)[0];
    for (fen, verdict) in [
        (
            "3k5/9/9/9/9/9/9/9/4A4/3AK1B2 w - - 0 1",
            Some((0, "insufficient material")),
        ),
        (
            "3k5/9/9/9/9/9/9/9/9/2C1K4 w - - 0 1",
            Some((0, "insufficient material")),
        ),
        ("3k5/9/9/9/9/9/9/9/4A4/2C1K4 w - - 0 1", None),
        ("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1", Some((-1, "stalemate"))),
    ] {
        assert_eq!((copy.inspect)(&line(fen), &Policy::default()).verdict, verdict, "{fen}");
    }
}

#[test]
fn sixty_moves_without_capture() {
    let (_, copy) = copies(Game::Xiangqi)[0];
    let mut quiet = line("r3k4/9/9/9/9/9/9/9/9/R4K3 w - - 116 1");
    let seen = play(copy, &Policy::default(), &mut quiet, &["a0b0", "a9b9", "b0c0", "b9c9"]);
    assert_eq!(seen[2].verdict, None);
    assert_eq!(seen[3].verdict, Some((0, "60-move rule")));
}

/// The verdict on a case's cycle, played twice, under another rule.
fn under(rule: RepetitionRule, number: usize) -> Option<&'static str> {
    let (_, copy) = copies(Game::Xiangqi)[0];
    let policy = Policy {
        repetition_rule: rule,
        ..Policy::default()
    };
    let case = &cases()[number];
    let mut line = line(case.fen);
    let last = play(copy, &policy, &mut line, &case.cycle.repeat(2))
        .pop()
        .expect("a move");
    words(&line, &last)
}

#[test]
fn other_rules() {
    // Perpetual check loses under every rule.
    for rule in [RepetitionRule::Axf, RepetitionRule::Draw] {
        assert_eq!(under(rule, 0), Some("red loses"));
        assert_eq!(under(rule, 9), Some("draw"));
        assert_eq!(under(rule, 10), Some("black loses"));
    }
    // A chase does under the federation's rule, alone or mixed with checks.
    assert_eq!(under(RepetitionRule::Axf, 1), Some("red loses"));
    assert_eq!(under(RepetitionRule::Draw, 1), Some("draw"));
    assert_eq!(under(RepetitionRule::Axf, 8), Some("red loses"));
    assert_eq!(under(RepetitionRule::Draw, 8), Some("draw"));
    assert_eq!(under(RepetitionRule::Axf, 15), Some("black loses"));
    assert_eq!(under(RepetitionRule::Axf, 16), Some("draw"));
}
