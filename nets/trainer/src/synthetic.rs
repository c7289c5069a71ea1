//! Positions out of nothing, to measure and to test with: pieces stand where they may, and the score is their material with
//! a little of their place, so that there is something to learn.

use baize::engine::Game;
use baize::network::format::{kinds, squares};
use baize::position::{Placement, parse_fen};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use crate::packed::Packed;

/// Centipawns by kind.
const CHESS: [i32; 6] = [100, 300, 320, 500, 900, 0];
const XIANGQI: [i32; 7] = [80, 120, 120, 270, 285, 600, 0];

/// Positions of `pieces` pieces on average, the same for the same seed.
pub fn positions(game: Game, count: usize, pieces: usize, seed: u64) -> Vec<Packed> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let start = Placement::start(game, false);
    (0..count)
        .filter_map(|_| {
            let placement = scattered(&start, pieces, &mut random);
            let score = score(&placement);
            let noise = (random.next_u64() % 400) as i32 - 200;
            let result = match score + noise {
                s if s > 150 => 2,
                s if s < -150 => 0,
                _ => 1,
            };
            Packed::new(&placement, score as i16, result)
        })
        .collect()
}

/// Kings at home, other pieces of the start position anywhere with a chance.
fn scattered(start: &Placement, pieces: usize, random: &mut Xoshiro256PlusPlus) -> Placement {
    let game = start.game;
    let king = kinds(game) as u8 - 1;
    let mut placement = start.clone();
    placement.squares = [0; 90];
    placement.castling = [[None; 2]; 2];
    placement.stm = (random.next_u64() & 1) as u8;
    let is_king = |code: u8| code != 0 && (code - 1) / 2 == king;
    for (square, &code) in start.squares.iter().enumerate().filter(|(_, code)| is_king(**code)) {
        // One step to a side at times, for both ways of mirroring.
        let aside = (random.next_u64() % 3) as usize;
        placement.squares[square + aside - 1] = code;
    }
    for &code in start.squares.iter().filter(|&&code| code != 0 && !is_king(code)) {
        let square = (random.next_u64() % squares(game) as u64) as usize;
        if random.next_u64() % 30 < (pieces.saturating_sub(2) * 7 / 6) as u64 && placement.squares[square] == 0 {
            placement.squares[square] = code;
        }
    }
    placement
}

fn score(placement: &Placement) -> i32 {
    let (files, ranks) = placement.size();
    let values: &[i32] = if placement.game == Game::Chess {
        &CHESS
    } else {
        &XIANGQI
    };
    let mut sum = 0;
    for (square, &code) in placement.squares.iter().enumerate().filter(|(_, code)| **code != 0) {
        let (kind, color) = (usize::from(code - 1) / 2, (code - 1) % 2);
        let rank = square / files;
        let forward = if color == 0 { rank } else { ranks - 1 - rank };
        let value = values[kind] + 4 * forward as i32;
        sum += if color == placement.stm { value } else { -value };
    }
    sum.clamp(-2900, 2900)
}

/// A line of real positions, for tests that want legal ones.
pub fn known(game: Game) -> Vec<Placement> {
    let fens: &[&str] = match game {
        Game::Chess => &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 0 10",
            "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 50",
        ],
        Game::Xiangqi => &[
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "2bak4/9/2n1b4/p3p3p/4c4/2P3P2/P3P3P/2N1C1N2/4A4/2BK1AB2 b - - 0 20",
        ],
    };
    fens.iter()
        .filter_map(|fen| Some(parse_fen(game, fen, false).ok()?.0))
        .collect()
}
