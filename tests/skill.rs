//! Weakened play: depth caps, legal moves, repeatable under a seed.

mod common;

use std::collections::HashSet;

use common::session::{Session, field, scored};

/// The deepest iteration that was reported.
fn depth(lines: &[String]) -> u32 {
    scored(lines)
        .iter()
        .filter_map(|line| field(line, "depth")?.parse().ok())
        .max()
        .expect("a depth")
}

#[test]
fn levels_cap_the_depth() {
    for (level, cap) in [(0, 3), (1, 5), (2, 9)] {
        let mut session = Session::start(&[]);
        session.send(&format!("setoption name Skill Level value {level}"));
        let (lines, _) = session.go("go depth 9");
        assert_eq!(depth(&lines), cap, "level {level}");
        assert!(
            scored(&lines).iter().all(|line| field(line, "multipv") == Some("1")),
            "one line is shown"
        );
        let (lines, _) = session.go("go depth 2");
        assert_eq!(depth(&lines), 2);
    }
}

#[test]
fn a_seed_makes_play_repeatable_and_no_seed_varied() {
    let play = |seed: u32| -> Vec<String> {
        let mut session = Session::start(&[]);
        session.send(&format!(
            "setoption name Skill Level value 0\nsetoption name Skill Seed value {seed}"
        ));
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..12 {
            session.send(&format!("position startpos moves {}", moves.join(" ")));
            let (lines, best) = session.go("go depth 20");
            assert!(!lines.iter().any(|line| line.contains("refused")), "{lines:#?}");
            assert_eq!(field(scored(&lines).pop().expect("a line"), "pv"), Some(best.as_str()));
            moves.push(best);
        }
        moves
    };
    assert_eq!(play(7), play(7));
    let games: HashSet<Vec<String>> = (0..4).map(|seed| play(seed + 10)).collect();
    assert!(games.len() > 1);
    let free: HashSet<Vec<String>> = (0..4).map(|_| play(0)).collect();
    assert!(free.len() > 1);
}

#[test]
fn elo_limits_the_nodes() {
    let nodes = |elo: u32| -> u64 {
        let mut session = Session::start(&[]);
        session.send(&format!(
            "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}"
        ));
        let (lines, _) = session.go("go movetime 60000");
        let nodes = |line: &&String| field(line, "nodes")?.parse().ok();
        scored(&lines).last().and_then(nodes).expect("nodes")
    };
    let (weak, strong) = (nodes(800), nodes(2400));
    assert!(weak < strong, "{weak} {strong}");
}
