//! `bench` as a signature: the same nodes every time and on every CPU target.

mod common;

use baize::cpu::{TARGETS, facts, refusal};
use common::session::{Session, field, scored};

/// Nodes of a bench.
fn bench(arguments: &[&str], limit: &str) -> u64 {
    let words: Vec<&str> = arguments.iter().copied().chain(["bench", "16", "1", limit]).collect();
    let (lines, status) = Session::start(&words).finish();
    assert!(status.success(), "{words:?}: {status}");
    let last = lines.last().expect("a last line");
    let words: Vec<&str> = last.split_whitespace().collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{last}");
    words[0].parse().expect("a number")
}

#[test]
fn two_runs_search_the_same() {
    for game in ["chess", "xiangqi"] {
        assert_eq!(bench(&["--game", game], "6"), bench(&["--game", game], "6"), "{game}");
    }
}

#[test]
fn all_targets_search_the_same() {
    let facts = facts();
    for game in ["chess", "xiangqi"] {
        let usable = TARGETS.iter().filter(|target| refusal(target, &facts).is_none());
        let counts: Vec<(&str, u64)> = usable
            .map(|t| (t.name, bench(&["--game", game, "--cpu", t.name], "7")))
            .collect();
        assert!(counts.iter().all(|count| count.1 == counts[0].1), "{game}: {counts:?}");
    }
}

#[test]
fn nodes_are_reproducible_with_one_thread() {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let mut session = Session::start(&[]);
        session.send("position startpos moves d2d4 g8f6 c2c4 e7e6");
        let (lines, best) = session.go("go nodes 30000");
        let last = scored(&lines).pop().expect("a line").clone();
        let facts = ["depth", "nodes", "score", "hashfull"].map(|name| field(&last, name).map(str::to_string));
        runs.push((facts, best));
        // And after a new game in the same process.
        session.send("ucinewgame");
        let (lines, best) = session.go("go nodes 30000");
        let last = scored(&lines).pop().expect("a line").clone();
        runs.push((
            ["depth", "nodes", "score", "hashfull"].map(|name| field(&last, name).map(str::to_string)),
            best,
        ));
    }
    assert!(runs.iter().all(|run| *run == runs[0]), "{runs:#?}");
}

#[test]
fn kinds_of_limits() {
    for kind in ["depth", "perft", "nodes", "movetime", "eval"] {
        let (lines, status) = Session::start(&["bench", "16", "1", "2", "current", kind]).finish();
        assert!(
            status.success() && lines.last().is_some_and(|line| line.ends_with("nps")),
            "{kind}: {lines:#?}"
        );
    }
    let mut session = Session::start(&[]);
    assert!(session.ask_note("bench 16 1 5 /no/such/file").contains("/no/such/file"));
    assert!(session.ask_note("bench many").contains("bench"));
}
