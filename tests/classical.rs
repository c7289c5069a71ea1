//! The classical evaluation of either game: the same for both sides, and what is explained is what is played.

use baize::core::generic::COPY;
use baize::engine::{Game, GameCopy, Line};
use baize::options::Policy;
use baize::position::{Placement, parse_fen};

const GAMES: [Game; 2] = [Game::Chess, Game::Xiangqi];

fn copy(game: Game) -> &'static GameCopy {
    COPY.game(game).expect("both games are always there")
}

fn fen(text: &str) -> Placement {
    parse_fen(Game::Chess, text, false).expect("a good FEN").0
}

/// Positions of random games, from a fixed seed.
fn positions(game: Game) -> Vec<Placement> {
    let mut found = Vec::new();
    let mut seed = 12345u64;
    for _ in 0..60 {
        let mut line = Line {
            start: Placement::start(game, false),
            moves: Vec::new(),
        };
        for _ in 0..150 {
            let legal = (copy(game).legal_moves)(&line);
            if legal.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            line.moves.push(legal[(seed >> 33) as usize % legal.len()]);
            let placement = (copy(game).placement)(&line);
            let here = Line {
                start: placement.clone(),
                moves: Vec::new(),
            };
            if (copy(game).inspect)(&here, &Policy::default()).checkers.is_empty() {
                found.push(placement);
            }
        }
    }
    found
}

fn value(placement: &Placement) -> i32 {
    (copy(placement.game).classical)(
        &Line {
            start: placement.clone(),
            moves: Vec::new(),
        },
        1,
    )
}

#[test]
fn colors_are_equal() {
    for placement in GAMES.into_iter().flat_map(positions) {
        assert_eq!(value(&placement), value(&placement.flipped()), "{}", placement.fen());
    }
}

#[test]
fn explained_is_played() {
    for placement in GAMES.into_iter().flat_map(positions) {
        let line = Line {
            start: placement.clone(),
            moves: Vec::new(),
        };
        let explanation = (copy(placement.game).explain)(&line, &Policy::default()).expect("no check");
        let white = if placement.stm == 0 {
            value(&placement)
        } else {
            -value(&placement)
        };
        assert_eq!(explanation.classical, white, "{}", placement.fen());
    }
}

#[test]
fn incremental_sums_hold() {
    GAMES.into_iter().for_each(incremental_sums);
}

/// The same position, reached by moves and set up at once.
fn incremental_sums(game: Game) {
    let mut line = Line {
        start: Placement::start(game, false),
        moves: Vec::new(),
    };
    let mut seed = 99u64;
    for _ in 0..200 {
        let legal = (copy(game).legal_moves)(&line);
        if legal.is_empty() {
            break;
        }
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        line.moves.push(legal[(seed >> 33) as usize % legal.len()]);
        assert_eq!((copy(game).classical)(&line, 1), value(&(copy(game).placement)(&line)));
    }
}

#[test]
fn knowledge() {
    let better = |a: &str, b: &str| {
        let (a, b) = (fen(a), fen(b));
        assert!(
            value(&a) > value(&b),
            "{} {} not above {} {}",
            a.fen(),
            value(&a),
            b.fen(),
            value(&b)
        );
    };
    // A bare king is driven to the edge, by bishop and knight to a corner of the bishop's color.
    better("8/8/8/8/8/2K5/2Q5/k7 w - - 0 1", "8/8/8/4k3/8/2K5/2Q5/8 w - - 0 1");
    better("k7/8/1K6/8/8/3B4/4N3/8 w - - 0 1", "7k/8/6K1/8/8/3B4/4N3/8 w - - 0 1");
    // Two knights do not win, nor does a rook's pawn with the wrong bishop.
    assert!(value(&fen("8/8/8/3k4/8/2K5/1NN5/8 w - - 0 1")).abs() < 50);
    assert!(value(&fen("k7/8/8/P7/8/2K5/8/2B5 w - - 0 1")).abs() < 50);
    better("k7/8/8/P7/8/2K5/8/1B6 w - - 0 1", "k7/8/8/P7/8/2K5/8/2B5 w - - 0 1");
    // A passed pawn near its goal is worth more than one far from it.
    better("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/P7/8/4K3 w - - 0 1");
}

#[test]
fn knowledge_of_xiangqi() {
    let xiangqi = |text: &str| value(&parse_fen(Game::Xiangqi, text, false).expect("a good FEN").0);
    // A rook does not break a full set of guards, but wins against a bare king.
    let full = xiangqi("2bakab2/9/9/9/9/9/9/9/4A4/4KR3 w - - 0 1");
    assert!(full < xiangqi("3k5/9/9/9/9/9/9/9/4A4/4KR3 w - - 0 1") / 2);
    // Guards alone win nothing.
    assert_eq!(xiangqi("3k5/9/9/9/9/9/9/9/4A4/2B1KAB2 w - - 0 1"), 0);
    // A cannon that faces the king over an empty file is worth more than one beside it, a pawn across the river more than
    // one at home.
    let hollow = xiangqi("rnbakabnr/9/6c2/p1p3p1p/4C4/9/P1P1P1P1P/1C7/9/RNBAKABNR w - - 0 1");
    let beside = xiangqi("rnbakabnr/9/6c2/p1p3p1p/3C5/9/P1P1P1P1P/1C7/9/RNBAKABNR w - - 0 1");
    assert!(hollow > beside);
    let crossed = xiangqi("3k5/9/9/9/2P6/9/9/9/9/R3K4 w - - 0 1");
    let behind = xiangqi("3k5/9/9/9/9/9/2P6/9/9/R3K4 w - - 0 1");
    assert!(crossed > behind);
}
