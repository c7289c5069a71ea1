//! The protocol from outside: transcripts of sessions, odd input, races, ends of input.

mod common;

use std::time::{Duration, Instant};

use baize::engine::{Game, Line};
use baize::position::{move_text, parse_fen, resolve_move};
use common::copies;
use common::session::{SOON, Session, best_move, field, scored};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Long enough to see that nothing comes.
const WHILE: Duration = Duration::from_millis(300);

fn start() -> Session {
    Session::start(&[])
}

/// A session in which a search without bounds is running.
fn thinking() -> Session {
    let mut session = start();
    session.send("go infinite").expect("info depth 4");
    session
}

fn fen_of(session: &mut Session) -> String {
    let lines = session.ask("d");
    lines
        .iter()
        .find_map(|line| line.strip_prefix("Fen: "))
        .expect("d shows the FEN")
        .to_string()
}

#[test]
fn introduction_and_readiness() {
    let mut session = start();
    let lines = session.send("uci").expect("uciok");
    assert!(lines[0].starts_with("id name Baize "), "{lines:#?}");
    assert_eq!(lines[1], "id author the Baize developers");
    for option in [
        "Threads type spin default 1 min 1",
        "Hash type spin",
        "Clear Hash type button",
        "Skill Level type spin",
    ] {
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with(&format!("option name {option}"))),
            "{option}"
        );
    }
    assert!(session.ask("").is_empty());
}

#[test]
fn every_info_line_has_its_fields_and_a_legal_pv() {
    let mut session = start();
    let moves = ["e2e4", "e7e5", "g1f3"];
    session.send(&format!(
        "setoption name MultiPV value 3\nposition startpos moves {}",
        moves.join(" ")
    ));
    let (lines, best) = session.go("go depth 8");
    let scored = scored(&lines);
    assert!(scored.len() >= 3 * 8, "{lines:#?}");
    for line in &scored {
        for name in [
            "depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time",
        ] {
            let value = field(line, name).unwrap_or_else(|| panic!("no {name} in {line}"));
            assert!(value.parse::<u64>().is_ok(), "{name} in {line}");
        }
        let pv: Vec<&str> = line.split(" pv ").nth(1).expect("a PV").split_whitespace().collect();
        assert_eq!(
            playable(START, moves.iter().chain(&pv)),
            moves.len() + pv.len(),
            "{line}"
        );
    }
    let last = scored
        .iter()
        .rfind(|line| field(line, "multipv") == Some("1"))
        .expect("a best line");
    assert_eq!(field(last, "pv"), Some(best.as_str()));
    assert!(!last.contains("bound"), "{last}");
}

/// How many of the moves can be played one after another.
fn playable<'a>(fen: &str, moves: impl Iterator<Item = &'a &'a str>) -> usize {
    let (placement, _) = parse_fen(Game::Chess, fen, false).expect("a good FEN");
    let mut moves = moves;
    let line = Line {
        start: placement,
        moves: Vec::new(),
    };
    let follow = copies(Game::Chess)[0].1.follow;
    follow(&line, &mut |legal, check| {
        resolve_move(Game::Chess, moves.next()?, legal, false, check).ok()
    })
    .len()
}

#[test]
fn win_draw_loss_adds_to_a_thousand() {
    let mut session = start();
    session.send("setoption name UCI_ShowWDL value true");
    let (lines, _) = session.go("go depth 5");
    for line in scored(&lines) {
        let tail = line.split(" wdl ").nth(1).expect("wdl");
        let sum: u32 = tail
            .split_whitespace()
            .take(3)
            .map(|n| n.parse::<u32>().expect("a number"))
            .sum();
        assert_eq!(sum, 1000, "{line}");
    }
}

#[test]
fn minimal_output_is_one_line_a_search() {
    let mut session = start();
    session.send("setoption name Minimal Output value true");
    let (lines, best) = session.go("go depth 7");
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert_eq!(field(&lines[0], "depth"), Some("7"));
    assert_eq!(field(&lines[0], "pv"), Some(best.as_str()));
}

#[test]
fn tiny_limits_still_give_a_scored_line_and_a_move() {
    let mut session = start();
    for go in [
        "go depth 0",
        "go nodes 0",
        "go movetime 0",
        "go wtime 0 btime 0",
        "go wtime -50 btime 100",
        "go wtime 1 btime 1",
        "go btime 60000",
        "go binc 5",
        "go movestogo 3",
        "go wtime 100 movestogo 1",
        "go wtime 50 btime 50 winc 10 binc 10 movestogo 40 depth 60 nodes 900000000",
    ] {
        let began = Instant::now();
        let (lines, best) = session.go(go);
        assert!(began.elapsed() < SOON, "{go}");
        assert_ne!(best, "(none)", "{go}");
        let scored = scored(&lines);
        assert!(!scored.is_empty(), "{go}: {lines:#?}");
        assert_eq!(field(scored[scored.len() - 1], "pv"), Some(best.as_str()), "{go}");
    }
}

#[test]
fn limits_are_kept() {
    let mut session = start();
    let (lines, _) = session.go("go nodes 5000");
    let last = scored(&lines).pop().expect("a line").clone();
    assert!(
        field(&last, "nodes").expect("nodes").parse::<u64>().expect("a number") <= 5000,
        "{last}"
    );
    let (lines, _) = session.go("go depth 5 infinite_not_a_word");
    assert_eq!(field(scored(&lines).pop().expect("a line"), "depth"), Some("5"));
    let began = Instant::now();
    session.go("go movetime 200");
    assert!(began.elapsed() >= Duration::from_millis(150) && began.elapsed() < SOON);
    session.send("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let (lines, best) = session.go("go mate 1");
    assert_eq!(best, "a1a8");
    assert!(
        scored(&lines).iter().any(|line| line.contains("score mate 1 ")),
        "{lines:#?}"
    );
    assert!(
        session
            .send("go perft 0")
            .expect("info string perft")
            .contains(&"Nodes searched: 1".to_string())
    );
}

#[test]
fn numbers_that_do_not_parse_are_ignored_with_a_line() {
    let mut session = start();
    for bad in [
        "depth 12x",
        "nodes abc",
        "movetime -1",
        "movestogo 1.5",
        "mate",
        "winc -3",
    ] {
        let (lines, _) = session.go(&format!("go {bad} depth 2"));
        let notes: Vec<_> = lines.iter().filter(|line| line.starts_with("info string")).collect();
        // `mate` and the value after it: `depth` is a word of its own.
        assert_eq!(notes.len(), 1, "{bad}: {lines:#?}");
        assert!(notes[0].contains("ignored"), "{bad}: {lines:#?}");
        assert!(
            scored(&lines).iter().any(|line| field(line, "depth") == Some("2")),
            "{bad}"
        );
    }
}

#[test]
fn searchmoves_are_kept_to_the_legal_ones() {
    let mut session = start();
    let (lines, best) = session.go("go depth 4 searchmoves a2a3 e2e5 H2H3 a2a3");
    assert!(["a2a3", "h2h3"].contains(&best.as_str()), "{best}");
    assert_eq!(
        lines.iter().filter(|line| line.contains("'e2e5' is not legal")).count(),
        1
    );
    let (lines, best) = session.go("go depth 3 searchmoves e2e5 0000");
    assert_eq!(lines.iter().filter(|line| line.contains("is not legal")).count(), 2);
    assert_ne!(best, "(none)");
    session.send("setoption name MultiPV value 500");
    let (lines, _) = session.go("go depth 2 searchmoves a2a3 b2b3");
    assert_eq!(
        scored(&lines).iter().filter_map(|line| field(line, "multipv")).max(),
        Some("2")
    );
    let (lines, _) = session.go("go depth 1");
    assert!(scored(&lines).iter().any(|line| field(line, "multipv") == Some("20")));
}

#[test]
fn no_legal_move_is_said_so() {
    let mut session = start();
    session.send("position fen 7k/5QQ1/8/8/8/8/8/K7 b - - 0 1");
    assert_eq!(
        session.go("go depth 3").0,
        ["info depth 0 score mate 0", "bestmove (none)"]
    );
    session.send("position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1");
    assert_eq!(
        session.go("go movetime 1000").0,
        ["info depth 0 score cp 0", "bestmove (none)"]
    );
    session.send("go infinite").expect_silence(WHILE);
    session.send("stop").expect_within("bestmove (none)", SOON);
}

#[test]
fn infinite_and_ponder_hold_the_answer() {
    let mut session = start();
    session.send("go infinite depth 2").expect_silence(WHILE);
    session.send("stop").expect_within("bestmove", SOON);
    session.send("go ponder depth 2").expect_silence(WHILE);
    session.send("ponderhit").expect_within("bestmove", SOON);
    session.send("go ponder movetime 1").expect_silence(WHILE);
    session.send("stop").expect_within("bestmove", SOON);
    session.send("go ponder wtime 100 btime 100").expect_silence(WHILE);
    session.send("ponderhit").expect_within("bestmove", SOON);
    // Idle ones do nothing and poison nothing.
    session.send("stop\nponderhit\nstop");
    let (lines, _) = session.go("go depth 6");
    assert_eq!(field(scored(&lines).pop().expect("a line"), "depth"), Some("6"));
}

#[test]
fn everything_is_answered_during_a_search() {
    let mut session = thinking();
    session.send("isready").expect_within("readyok", SOON);
    session.send("d").expect_within("Verdict", SOON);
    session
        .send("nonsense")
        .expect_within("info string Unknown command: 'nonsense'", SOON);
    session.send("stop").expect_within("bestmove", SOON);
}

#[test]
fn options_set_during_a_search_take_effect_after_it_in_order() {
    let mut session = thinking();
    session
        .send("setoption name Skill Level value 0\nsetoption name Skill Level value 7\nisready")
        .expect_within("readyok", SOON);
    assert!(
        !session.heard.iter().any(|line| line.contains("Skill Level set")),
        "{:#?}",
        session.heard
    );
    session.send("stop").expect_within("bestmove", SOON);
    session.expect_within("info string Skill Level set to 0", SOON);
    session.expect_within("info string Skill Level set to 2", SOON);
    // What comes behind a queued command waits with it: the position is read as Chess960.
    let mut session = thinking();
    session.send(
        "setoption name UCI_Chess960 value true\nposition startpos\nposition fen 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1",
    );
    session.send("stop").expect_within("bestmove", SOON);
    assert_eq!(fen_of(&mut session), "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1");
}

#[test]
fn a_second_go_ends_the_first() {
    let mut session = thinking();
    session.send("position fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1\ngo depth 3");
    let first = session.expect_within("bestmove", SOON);
    assert!(!first.iter().any(|line| line.contains("score mate")), "{first:#?}");
    let second = session.expect_within("bestmove", SOON);
    assert_eq!(
        playable("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", [best_move(&second).as_str()].iter()),
        1
    );
    // A stop behind it is meant for the second.
    session
        .send("go infinite\ngo infinite\nstop")
        .expect_within("bestmove", SOON);
    session.expect_within("bestmove", SOON);
    session
        .send("go infinite\ngo ponder depth 1\nponderhit")
        .expect_within("bestmove", SOON);
    session.expect_within("bestmove", SOON);
    assert!(session.ask("").is_empty());
}

#[test]
fn stops_and_hits_at_any_moment() {
    let mut session = start();
    session.ask("");
    for round in 0..60 {
        session.send("go ponder wtime 1000 btime 1000");
        std::thread::sleep(Duration::from_micros(100 * round));
        session.send(if round % 2 == 0 {
            "ponderhit\nstop"
        } else {
            "stop\nponderhit"
        });
        session.expect_within("bestmove", SOON);
    }
    assert!(session.ask("").is_empty(), "one answer each");
}

#[test]
fn end_of_input_at_every_point() {
    let cases: [(&str, usize); 10] = [
        ("", 0),
        ("uci", 0),
        ("position startpos moves e2e4", 0),
        ("go depth 6", 1),
        ("go nodes 20000", 1),
        ("go movetime 100", 1),
        ("go infinite", 1),
        ("go ponder wtime 100 btime 100", 1),
        ("go infinite\nsetoption name Hash value 2\ngo depth 4", 2),
        ("go", 1),
    ];
    for (input, answers) in cases {
        let mut session = start();
        // The last line need not have an end.
        session.send_bytes(input.as_bytes()).close();
        let (lines, status) = session.finish();
        assert!(status.success(), "{input}: {status}");
        assert_eq!(
            lines.iter().filter(|line| line.starts_with("bestmove")).count(),
            answers,
            "{input}: {lines:#?}"
        );
        if input == "go depth 6" {
            assert_eq!(
                field(scored(&lines).pop().expect("a line"), "depth"),
                Some("6"),
                "finished, not cut short"
            );
        }
    }
}

#[test]
fn quit_ends_it_from_every_state() {
    for input in [
        "",
        "go infinite",
        "go ponder depth 3",
        "go perft 12",
        "go infinite\ngo depth 50",
        "bench 16 1 40",
    ] {
        let mut session = start();
        session.send(input);
        std::thread::sleep(Duration::from_millis(50));
        let began = Instant::now();
        session.send("quit");
        let (_, status) = session.finish();
        assert!(
            status.success() && began.elapsed() < SOON,
            "{input}: {status} {:?}",
            began.elapsed()
        );
    }
}

#[cfg(unix)]
#[test]
fn a_listener_that_goes_away_is_a_quiet_end() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut engine = Command::new(env!("CARGO_BIN_EXE_baize"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(engine.stdout.take());
    let mut input = engine.stdin.take().expect("a pipe");
    let _ = input.write_all(b"uci\ngo infinite\n");
    let deadline = Instant::now() + SOON;
    while engine.try_wait().expect("it can be asked").is_none() {
        assert!(Instant::now() < deadline, "still running");
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = engine.wait_with_output().expect("it has ended");
    assert!(output.status.success(), "{}", output.status);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn lines_of_any_shape_are_harmless() {
    let mut session = start();
    session
        .send_bytes(b"\r\n\n   \n\t\n# go infinite\n\xef\xbb\xbfisready\r\n")
        .expect_within("readyok", SOON);
    session.send_bytes(b"\tposition   startpos\t moves  e2e4   e7e5 \r\n");
    assert_eq!(
        fen_of(&mut session),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
    session
        .send_bytes(b"\xff\xfe\x80 \x00\x01\n")
        .expect_within("info string Unknown command", SOON);
    session.send_bytes(&[b'x'; 1 << 20]).send("");
    let line = session
        .expect_within("info string Unknown command", SOON)
        .pop()
        .expect("a line");
    assert!(line.len() < 200, "cut short");
    let long = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(50_000));
    assert!(session.ask_note(&long).contains("refused"));
    let game = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(2_000));
    assert!(session.ask(&game).is_empty());
    assert!(
        session
            .ask(&format!("setoption name Debug Log File value {}", "y/".repeat(1 << 19)))
            .len()
            == 1
    );
    assert!(
        session
            .ask_note(&format!("setoption name {} value 1", "z".repeat(1 << 20)))
            .len()
            < 200
    );
    for word in ["xyzzy", "Quit", "go0", "positional", "stop!", "%s%n", "'; drop"] {
        assert!(session.ask_note(word).contains("Unknown command"), "{word}");
    }
    for quiet in [
        "debug on",
        "register later",
        "position",
        "position startpos moves",
        "stop",
        "ponderhit",
    ] {
        let notes = session.ask(quiet);
        assert!(
            notes.iter().all(|line| !line.contains("Unknown")),
            "{quiet}: {notes:#?}"
        );
    }
    assert!(session.ask_note("setoption").contains("no name"));
    assert!(session.ask_note("setoption name").contains("no name"));
    assert!(
        session
            .ask_note("setoption name Nonsense value 3")
            .contains("No such option")
    );
    assert!(session.ask_note("position nowhere").contains("instead of"));
}

#[test]
fn positions_that_cannot_be_are_refused_and_the_next_one_cures() {
    let refused = [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no king"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "2 kings"),
        ("8/8/8/8/8/8/1k6/K7 w - - 0 1", "kings touch"),
        ("k7/8/8/8/8/8/8/K6q b - - 0 1", "not to move is in check"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "pawn stands on h8"),
        ("k7/8/8/8/8/P7/PPPPPPPP/K7 w - - 0 1", "too many pawns"),
        ("k7/8/8/8/8/QQ6/PPPPPPPP/K7 w - - 0 1", "too many pieces"),
        ("k7/8/8/8/8/8/8/K8 w - - 0 1", "rank 1"),
        ("k7/8/8/8/8/8/K7 w - - 0 1", "7 ranks"),
        ("k7/8/8/8/8/8/8/K6z w - - 0 1", "'z' is no piece"),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", "side to move"),
        ("k7/8/8/8/8/8/8/K7 w X - 0 1", "castling rights"),
        ("k7/8/8/8/8/8/8/K7 w - z 0 1", "en-passant"),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", "clock"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 x", "move number"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 nonsense", "unexpected"),
        ("", "empty"),
    ];
    let mut session = start();
    session.send("position startpos moves e2e4");
    let before = fen_of(&mut session);
    for (fen, reason) in refused {
        let note = session.ask_note(&format!("position fen {fen}"));
        assert!(note.contains(reason), "{fen}: {note}");
        assert_eq!(session.go("go depth 3").0, ["bestmove (none)"], "{fen}");
        assert_eq!(fen_of(&mut session), before, "{fen}");
        assert!(session.ask_note("position moves e2e4").contains("continue"));
        session.send("position startpos moves e2e4");
        assert_ne!(session.go("go depth 1").1, "(none)");
    }
    for (moves, place) in [
        ("e2e4 e2e4", "move 2"),
        ("e2e4 e7e5 xyz", "move 3"),
        ("e2e5", "move 1"),
        ("e7e8q", "move 1"),
    ] {
        let note = session.ask_note(&format!("position startpos moves {moves}"));
        assert!(note.contains(place), "{note}");
        assert_eq!(session.go("go depth 3").1, "(none)");
        session.send("position startpos moves e2e4");
    }
    assert_ne!(session.go("go depth 2").1, "(none)");
}

#[test]
fn rights_without_pieces_and_useless_squares_are_dropped_with_a_warning() {
    let mut session = start();
    let note = session.ask_note("position fen 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1");
    assert!(note.contains("'Q' dropped"), "{note}");
    assert_eq!(fen_of(&mut session), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let key = |session: &mut Session| session.ask("d").into_iter().find(|line| line.starts_with("Key"));
    let note = session.ask_note("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert!(note.contains("e3 dropped"), "{note}");
    let with_square = key(&mut session);
    session.send("position startpos moves e2e4");
    assert_eq!(key(&mut session), with_square);
}

#[test]
fn shorthand_for_positions() {
    let mut session = start();
    session.send("fen 8/8/8/8/8/5k2/8/5K1R");
    assert_eq!(fen_of(&mut session), "8/8/8/8/8/5k2/8/5K1R w - - 0 1");
    session.send("startpos moves E2E4");
    session.send("position moves e7e5");
    assert_eq!(
        fen_of(&mut session),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
    session.send("position startpos moves 0000 e7e5");
    assert!(fen_of(&mut session).starts_with("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq"));
    assert!(
        session
            .ask_note("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1 moves 0000")
            .contains("no pass in check")
    );
}

#[test]
fn castling_in_both_notations() {
    let mut session = start();
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (moves, king) in [("e1g1", "g1"), ("e1h1", "g1"), ("e1c1", "c1"), ("e1a1", "c1")] {
        session.send(&format!("position fen {fen} moves {moves}"));
        let after = fen_of(&mut session);
        let row = if king == "g1" { "R4RK1" } else { "2KR3R" };
        assert!(after.contains(row), "{moves}: {after}");
    }
    session.send("setoption name UCI_Chess960 value true");
    assert!(
        session
            .ask_note(&format!("position fen {fen} moves e1g1"))
            .contains("'e1g1' is not legal")
    );
    session.send(&format!("position fen {fen} moves e1h1"));
    assert_eq!(fen_of(&mut session), "r3k2r/8/8/8/8/8/8/R4RK1 b ha - 1 1");
    session.send("position fen 4k3/8/8/8/8/8/7P/4KR2 w F - 0 1");
    assert_eq!(session.go("go depth 2 searchmoves e1f1").1, "e1f1");
}

#[test]
fn flip_exchanges_the_sides() {
    let mut session = start();
    session.send("position startpos moves e2e4\nflip");
    assert_eq!(
        fen_of(&mut session),
        "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
}

#[test]
fn drawing_evaluating_counting_and_telling() {
    let mut session = start();
    session.send("position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    let drawing = session.ask("d");
    assert!(drawing.iter().any(|line| line == "Occurrences: 3"), "{drawing:#?}");
    assert!(
        drawing.iter().any(|line| line == "Verdict: draw, threefold repetition"),
        "{drawing:#?}"
    );
    session.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    assert!(session.ask("d").iter().any(|line| line == "Checkers: e2"));
    assert_eq!(session.ask("eval"), ["Final evaluation: none (in check)"]);
    session.send("position startpos");
    let lines = session.ask("eval");
    assert!(lines.iter().any(|line| line.contains("Mobility")), "{lines:#?}");
    assert!(
        lines.last().is_some_and(|line| line.starts_with("Final evaluation: ")),
        "{lines:#?}"
    );
    let lines = session.send("go perft 3").expect("Nodes searched");
    assert!(
        lines.contains(&"e2e4: 600".to_string()) && lines.contains(&"Nodes searched: 8902".to_string()),
        "{lines:#?}"
    );
    assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), 21);
    for (command, word) in [
        ("help", "bench"),
        ("license", "General Public License"),
        ("compiler", "CPU target"),
    ] {
        assert!(session.ask(command).iter().any(|line| line.contains(word)), "{command}");
    }
}

#[test]
fn option_values_are_clamped_or_refused() {
    let mut session = start();
    assert!(session.ask_note("setoption name Hash value 0").contains("set to 1"));
    assert!(
        session
            .ask_note("setoption name move overhead value 99999")
            .contains("set to 5000")
    );
    assert!(
        session
            .ask_note("setoption name Hash value many")
            .contains("keeps its value")
    );
    assert!(
        session
            .ask_note("setoption name Ponder value maybe")
            .contains("true or false")
    );
    assert!(
        session
            .ask_note("setoption name UCI_Variant value go")
            .contains("chess, xiangqi")
    );
    for (value, level) in [("-3", 0), ("0", 0), ("1", 1), ("2", 2), ("9", 2)] {
        let said = session.ask(&format!("setoption name Skill Level value {value}"));
        assert_eq!(said, [format!("info string Skill Level set to {level}")]);
    }
    assert!(session.ask("setoption name Clear Hash").is_empty());
    // More memory than there is: told, and the old table stays.
    let lines = session.ask("setoption name Hash value 33554432");
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].contains("Hash stays at 1 MiB"), "{lines:#?}");
    assert_ne!(session.go("go depth 5").1, "(none)");
}

#[test]
fn threads_and_tables_change_between_searches() {
    let mut session = start();
    for (threads, hash) in [(2, 8), (4, 1), (1, 32), (3, 16)] {
        session.send(&format!(
            "setoption name Threads value {threads}\nsetoption name Hash value {hash}"
        ));
        let (lines, best) = session.go("go depth 7");
        assert_eq!(playable(START, [best.as_str()].iter()), 1);
        assert!(!scored(&lines).is_empty());
        session.send("ucinewgame");
    }
    session.send("setoption name Large Pages value false");
    assert!(
        session
            .ask("compiler")
            .iter()
            .any(|line| line.contains("ordinary pages") || line.contains("MiB"))
    );
}

#[test]
fn the_debug_log_holds_both_sides() {
    let file = std::env::temp_dir().join(format!("baize log {}.txt", std::process::id()));
    let mut session = start();
    session.ask(&format!("setoption name Debug Log File value {}", file.display()));
    session.ask("hello");
    session.ask("setoption name Debug Log File value <empty>");
    session.ask("unheard");
    let log = std::fs::read_to_string(&file).expect("the log is there");
    let _ = std::fs::remove_file(&file);
    assert!(
        log.contains(">> hello\n") && log.contains("<< info string Unknown command: 'hello'"),
        "{log}"
    );
    assert!(!log.contains("<< info string Unknown command: 'unheard'"), "{log}");
    let note = session.ask_note("setoption name Debug Log File value /no/such/folder/log.txt");
    assert!(note.contains("Debug Log File"), "{note}");
}

#[test]
fn commands_of_the_command_line_run_once() {
    let run = |arguments: &[&str]| {
        let mut session = Session::start(arguments);
        let (lines, status) = session.finish();
        assert!(status.success(), "{arguments:?}: {status}");
        lines
    };
    assert!(run(&["go perft 3"]).contains(&"Nodes searched: 8902".to_string()));
    assert!(run(&["go", "perft", "2"]).contains(&"Nodes searched: 400".to_string()));
    let lines = run(&["position startpos moves e2e4", "go depth 3", "go depth 4"]);
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("bestmove")).count(),
        2,
        "{lines:#?}"
    );
    assert_eq!(field(scored(&lines).pop().expect("a line"), "depth"), Some("4"));
    assert!(run(&["go infinite"]).iter().any(|line| line.starts_with("bestmove")));
    assert!(run(&["--version"])[0].starts_with("baize "));
    assert!(run(&["--help"]).iter().any(|line| line.contains("--cpu")));
    assert!(
        run(&["--cpu", "generic", "compiler"])
            .iter()
            .any(|line| line.contains("generic"))
            || cfg!(not(target_arch = "x86_64"))
    );
    assert!(
        run(&["--game", "xiangqi", "d"])
            .iter()
            .any(|line| line.contains("Red to move"))
    );
    let lines = run(&["--game", "xiangqi", "uci"]);
    assert!(
        lines
            .iter()
            .any(|line| line.contains("UCI_Variant type combo default xiangqi")),
        "{lines:#?}"
    );
    for bad in [vec!["--cpu", "z80"], vec!["--game", "go"], vec!["--nonsense"]] {
        let (lines, status) = Session::start(&bad).finish();
        assert!(status.code() == Some(2) && lines.is_empty(), "{bad:?}: {status}");
    }
}

#[test]
fn the_other_game_is_one_option_away() {
    let mut session = start();
    session.send("position startpos moves e2e4\nsetoption name UCI_Variant value xiangqi");
    assert!(fen_of(&mut session).starts_with("rnbakabnr/9/"));
    session.send("position startpos moves h2e2 h9g7");
    let (_, best) = session.go("go depth 4");
    let (_, copy) = copies(Game::Xiangqi)[0];
    let (placement, _) = parse_fen(Game::Xiangqi, &fen_of(&mut session), false).expect("a good FEN");
    let legal = (copy.legal_moves)(&Line {
        start: placement,
        moves: Vec::new(),
    });
    assert!(
        legal.iter().any(|&mv| move_text(Game::Xiangqi, mv, false) == best),
        "{best}"
    );
    session.send("setoption name UCI_Variant value chess");
    assert_eq!(fen_of(&mut session), START);
    assert_ne!(session.go("go depth 3").1, "(none)");
}
