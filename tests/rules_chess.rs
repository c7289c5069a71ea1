//! The rules of chess along random games: against shakmaty, and against themselves.
//!
//! `BAIZE_WALKS=N` plays N times as many games as a usual run.

mod common;

use baize::engine::{Game, GameCopy, Line};
use baize::options::Policy;
use baize::position::{Placement, move_text, parse_fen};
use common::{Random, copies};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, PositionError};

/// Plies of a random game.
const LENGTH: usize = 160;

fn walks() -> usize {
    std::env::var("BAIZE_WALKS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1)
}

/// Positions to walk from: those of both perft files, the start position first.
fn starts() -> Vec<String> {
    let fens = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines
            .map(|line| line.split('\t').next().unwrap_or_default().to_string())
            .collect::<Vec<_>>()
    };
    let mut all = vec!["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_string()];
    all.extend(fens(include_str!("cases/chess_perft.tsv")));
    all.extend(fens(include_str!("cases/chess960_perft.tsv")));
    all
}

fn placement(fen: &str) -> Placement {
    parse_fen(Game::Chess, fen, true).expect("a valid FEN").0
}

/// The next move of a random game: sometimes, to meet repetitions, the one that takes the mover's last move back.
fn pick(line: &Line, legal: &[u16], random: &mut Random) -> u16 {
    if random.below(3) == 0
        && let Some(&last) = line.moves.len().checked_sub(2).and_then(|at| line.moves.get(at))
    {
        let back = last >> 6 & 63 | (last & 63) << 6;
        if last >> 12 == 0 && legal.contains(&back) {
            return back;
        }
    }
    legal[random.below(legal.len())]
}

#[test]
fn agrees_with_itself() {
    let starts = starts();
    for (number, (name, copy)) in copies(Game::Chess).into_iter().enumerate() {
        let mut random = Random(0x5eed_0001 + number as u64);
        for walk in 0..12 * walks() {
            let fen = if walk % 4 == 0 {
                &starts[0]
            } else {
                &starts[random.below(starts.len())]
            };
            let mut line = Line {
                start: placement(fen),
                moves: Vec::new(),
            };
            for _ in 0..LENGTH {
                if let Err(what) = (copy.self_check)(&line) {
                    panic!(
                        "{name}: {what} in {}, {:?} from {fen}",
                        (copy.placement)(&line).fen(),
                        line.moves
                    );
                }
                let legal = (copy.legal_moves)(&line);
                if legal.is_empty() {
                    break;
                }
                let mv = pick(&line, &legal, &mut random);
                line.moves.push(mv);
            }
        }
    }
}

/// What both sides say of one position.
fn compare(copy: &GameCopy, line: &Line, theirs: &Chess, seen: &[String]) -> Result<(), String> {
    let ours = (copy.placement)(line).fen();
    let again: Chess = ours
        .parse::<Fen>()
        .map_err(|e| format!("{ours}: {e}"))?
        .into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|e| format!("{ours}: {e}"))?;
    let text = |pos: &Chess| Fen::from_position(pos, EnPassantMode::Legal).to_string();
    if text(&again) != text(theirs) {
        return Err(format!("{} is {}", text(&again), text(theirs)));
    }
    let mut mine: Vec<String> = (copy.legal_moves)(line)
        .iter()
        .map(|&mv| move_text(Game::Chess, mv, true))
        .collect();
    let mut wanted: Vec<String> = theirs
        .legal_moves()
        .iter()
        .map(|mv| mv.to_uci(CastlingMode::Chess960).to_string())
        .collect();
    mine.sort_unstable();
    wanted.sort_unstable();
    if mine != wanted {
        return Err(format!("moves {mine:?} should be {wanted:?}"));
    }
    let inspection = (copy.inspect)(line, &Policy::default());
    let checkers: Vec<u8> = theirs.checkers().into_iter().map(|square| square as u8).collect();
    if inspection.checkers != checkers {
        return Err(format!("checkers {:?} should be {checkers:?}", inspection.checkers));
    }
    let times = seen.iter().filter(|earlier| **earlier == bare(theirs)).count() as u32;
    if inspection.occurrences != times {
        return Err(format!("{} occurrences should be {times}", inspection.occurrences));
    }
    let wanted = match () {
        () if theirs.is_checkmate() => Some("checkmate"),
        () if theirs.is_stalemate() => Some("stalemate"),
        () if theirs.is_insufficient_material() => Some("insufficient material"),
        () if times >= 3 => Some("threefold repetition"),
        () if theirs.halfmoves() >= 100 => Some("50-move rule"),
        () => None,
    };
    if inspection.verdict.map(|(_, name)| name) != wanted {
        return Err(format!("verdict {:?} should be {wanted:?}", inspection.verdict));
    }
    Ok(())
}

/// A position without its clocks: what makes two the same.
fn bare(pos: &Chess) -> String {
    let fen = Fen::from_position(pos, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn agrees_with_shakmaty() {
    let starts = starts();
    for (number, (name, copy)) in copies(Game::Chess).into_iter().enumerate() {
        let mut random = Random(0x5eed_1001 + number as u64);
        for walk in 0..40 * walks() {
            let fen = if walk % 4 == 0 {
                &starts[0]
            } else {
                &starts[random.below(starts.len())]
            };
            let mut line = Line {
                start: placement(fen),
                moves: Vec::new(),
            };
            let mut theirs: Chess = line
                .start
                .fen()
                .parse::<Fen>()
                .expect("a FEN")
                .into_position(CastlingMode::Chess960)
                .or_else(PositionError::ignore_impossible_check)
                .expect("a position that shakmaty takes");
            let mut seen = vec![bare(&theirs)];
            for _ in 0..LENGTH {
                if let Err(what) = compare(copy, &line, &theirs, &seen) {
                    panic!("{name}: {what} after {:?} from {fen}", line.moves);
                }
                let legal = (copy.legal_moves)(&line);
                if legal.is_empty() {
                    break;
                }
                let mv = pick(&line, &legal, &mut random);
                theirs.play_unchecked(named(&theirs, &move_text(Game::Chess, mv, true)));
                line.moves.push(mv);
                seen.push(bare(&theirs));
            }
        }
    }
}

fn named(pos: &Chess, text: &str) -> Move {
    let legal = pos.legal_moves();
    let found = legal
        .iter()
        .find(|mv| mv.to_uci(CastlingMode::Chess960).to_string() == text);
    *found.expect("a move that both know")
}
