//! The value of a network computed as its format says, number by number: slow, and the measure of every fast way.

use super::format::{Header, Network, kinds, mirrors, seen, squares};
use crate::position::{Placement, decode};

/// The rows of the input weights that a side's pieces and its enemy's switch on; `None` when it has no king.
pub fn active_rows(header: &Header, placement: &Placement, side: usize) -> Option<Vec<usize>> {
    let game = header.game;
    let (kinds, squares) = (kinds(game), squares(game));
    let occupied = || {
        placement.squares[..squares]
            .iter()
            .enumerate()
            .filter(|(_, code)| **code != 0)
            .map(|(square, &code)| (square, decode(code)))
    };
    let king = occupied().find(|&(_, piece)| piece == (kinds - 1, side))?.0;
    let mirrored = mirrors(game, king);
    let bucket = usize::from(header.king_buckets[seen(game, side, mirrored, king)]);
    let rows = occupied().map(|(square, (kind, color))| {
        ((bucket * 2 + usize::from(color != side)) * kinds + kind) * squares + seen(game, side, mirrored, square)
    });
    Some(rows.collect())
}

/// The hidden layer of a side before clipping.
fn hidden(network: &Network<'_>, rows: &[usize]) -> Vec<i16> {
    let width = network.header.hidden;
    let mut sums = network.input_bias.to_vec();
    for &row in rows {
        let weights = &network.input_weights[row * width..][..width];
        for (sum, &weight) in sums.iter_mut().zip(weights) {
            *sum = sum.wrapping_add(weight);
        }
    }
    sums
}

/// The network's value of a position, from the mover's side, in internal centipawns; `None` when the position is of the
/// other game or a king is missing.
pub fn evaluate(network: &Network<'_>, placement: &Placement) -> Option<i32> {
    let header = &network.header;
    if placement.game != header.game {
        return None;
    }
    let pieces = placement.squares.iter().filter(|&&code| code != 0).count();
    let bucket = usize::from(*header.output_buckets.get(pieces)?);
    let mover = usize::from(placement.stm & 1);
    let mut sum = i64::from(network.output_bias[bucket]);
    for (perspective, side) in [mover, 1 - mover].into_iter().enumerate() {
        let hidden = hidden(network, &active_rows(header, placement, side)?);
        let weights = &network.output_weights[(bucket * 2 + perspective) * header.hidden..][..header.hidden];
        for (&value, &weight) in hidden.iter().zip(weights) {
            let active = i64::from(value).clamp(0, header.qa.into());
            sum += active * active * i64::from(weight);
        }
    }
    let unit = i64::from(header.qa) * i64::from(header.qa) * i64::from(header.qb);
    Some((sum * i64::from(header.scale) / unit) as i32)
}

#[cfg(test)]
mod tests {
    use super::super::format::tests::{aligned, sample};
    use super::*;
    use crate::engine::Game;
    use crate::position::parse_fen;

    fn mirrored(placement: &Placement) -> Placement {
        let (files, ranks) = placement.size();
        let mut other = placement.clone();
        for square in 0..files * ranks {
            other.squares[square] = placement.squares[seen(placement.game, 0, true, square)];
        }
        other.castling = [[None; 2]; 2];
        other
    }

    /// Both sides' views are the same function, and a board with the kings off the middle equals its mirror image.
    #[test]
    fn value_has_the_symmetries_of_the_board() {
        let cases = [
            (
                Game::Chess,
                "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 10",
            ),
            (Game::Chess, "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 50"),
            (
                Game::Xiangqi,
                "2bak4/9/2n1b4/p3p3p/4c4/2P3P2/P3P3P/2N1C1N2/4A4/2BK1AB2 w - - 0 20",
            ),
        ];
        for (game, fen) in cases {
            let bytes = sample(game, 4, 8);
            let words = aligned(&bytes);
            let network = Network::parse(&bytemuck::cast_slice(&words)[..bytes.len()]).expect("valid");
            let (placement, _) = parse_fen(game, fen, false).expect("a valid FEN");
            let value = evaluate(&network, &placement).expect("both kings");
            assert_ne!(value, 0);
            assert_eq!(evaluate(&network, &placement.flipped()), Some(value));
            if game == Game::Chess {
                assert_eq!(evaluate(&network, &mirrored(&placement)), Some(value));
            }
            let mut lonely = placement.clone();
            lonely.squares = [0; 90];
            assert_eq!(evaluate(&network, &lonely), None);
        }
    }

    #[test]
    fn rows_are_numbered_as_the_format_says() {
        let bytes = sample(Game::Chess, 1, 1);
        let header = Header::read(&bytes).expect("valid");
        let (placement, _) = parse_fen(Game::Chess, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false).expect("valid");
        // The kings stand on e: both sides see files mirrored, a2 as h2, e1 as d1.
        let mut white = active_rows(&header, &placement, 0).expect("a king");
        white.sort_unstable();
        assert_eq!(white, [15, 5 * 64 + 3, 6 * 64 + 5 * 64 + 59]);
        let mut black = active_rows(&header, &placement, 1).expect("a king");
        black.sort_unstable();
        assert_eq!(black, [5 * 64 + 3, 6 * 64 + 55, 6 * 64 + 5 * 64 + 59]);
    }
}
