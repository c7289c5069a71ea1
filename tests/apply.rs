//! Moves on plain data against the engine's own board, in random games of both games.

mod common;

use baize::engine::{Game, GameCopy, Line};
use baize::options::Policy;
use baize::position::{Placement, parse_fen};
use common::{Random, copies};

const PLIES: usize = 160;

fn play(copy: &GameCopy, start: Placement, random: &mut Random) {
    let mut plain = start.clone();
    let mut line = Line {
        start,
        moves: Vec::new(),
    };
    let mut quiet = Vec::new();
    for _ in 0..PLIES {
        assert_eq!(plain, (copy.placement)(&line), "after {:?}", line.moves);
        let check = !(copy.inspect)(&line, &Policy::default()).checkers.is_empty();
        assert_eq!(plain.in_check(), check, "check after {:?}", line.moves);
        let legal = (copy.legal_moves)(&line);
        if legal.is_empty() {
            break;
        }
        // Captures and promotions as often as quiet moves: all kinds of moves come up.
        let tactical: Vec<u16> = legal.iter().copied().filter(|&mv| plain.is_tactical(mv)).collect();
        let choice = if random.below(3) == 0 && !tactical.is_empty() {
            &tactical
        } else {
            &legal
        };
        let mv = choice[random.below(choice.len())];
        quiet.push(!check && !plain.is_tactical(mv));
        line.moves.push(mv);
        plain.apply(mv).expect("a legal move");
    }
    let engine = (copy.quiet)(&line);
    assert_eq!(engine.len(), quiet.len());
    for (ply, (&ours, &theirs)) in quiet.iter().zip(&engine).enumerate() {
        // Underpromotions count as quiet in the search.
        assert!(
            ours == theirs || (!ours && line.moves[ply] >> 14 & 1 != 0),
            "{ply} of {:?}",
            line.moves
        );
    }
}

fn starts(game: Game) -> Vec<Placement> {
    let mut starts = vec![Placement::start(game, false)];
    if game == Game::Chess {
        let plain = include_str!("cases/chess_perft.tsv").lines().map(|line| (line, false));
        let shuffled = include_str!("cases/chess960_perft.tsv")
            .lines()
            .map(|line| (line, true));
        for (line, chess960) in plain
            .chain(shuffled.take(200))
            .filter(|(line, _)| !line.starts_with('#'))
        {
            let fen = line.split('\t').next().expect("a FEN");
            starts.push(parse_fen(game, fen, chess960).expect("a valid FEN").0);
        }
    }
    starts
}

#[test]
fn plain_moves_equal_the_engines() {
    let mut random = Random(7);
    for game in [Game::Chess, Game::Xiangqi] {
        let Some(&(_, copy)) = copies(game).first() else {
            continue;
        };
        let starts = starts(game);
        for round in 0..300 {
            play(copy, starts[round % starts.len()].clone(), &mut random);
        }
    }
}

#[test]
fn nonsense_is_refused_and_changes_nothing() {
    for game in [Game::Chess, Game::Xiangqi] {
        let start = Placement::start(game, false);
        for mv in 0..=u16::MAX {
            let mut position = start.clone();
            if position.apply(mv).is_err() {
                assert_eq!(position, start);
            }
        }
    }
}
