//! A position in 32 bytes, as its mover sees it.

use baize::engine::Game;
use baize::network::format::{seen, squares};
use baize::position::Placement;
use bytemuck::{Pod, Zeroable};

/// The most pieces that a position can have.
pub const PIECES: usize = 32;

/// A position with what it is to teach. The board is turned so that the mover sits at rank 0 and owns color 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct Packed {
    /// A bit for each occupied square.
    occupied: [u8; 12],
    /// `kind * 2 + color` of the occupied squares in their order, the first in the low half.
    pieces: [u8; 16],
    /// The search's score in internal centipawns, from the mover's side.
    pub score: i16,
    /// The mover's points in the end, times two.
    pub result: u8,
    unused: u8,
}

impl Packed {
    /// `None` with more than 32 pieces, which no game has.
    pub fn new(placement: &Placement, score: i16, result: u8) -> Option<Packed> {
        let mut packed = Packed {
            score,
            result,
            ..Packed::zeroed()
        };
        let side = usize::from(placement.stm & 1);
        let mut count = 0;
        for square in 0..squares(placement.game) {
            // Turning the ranks twice is turning them not at all.
            let code = placement.squares[seen(placement.game, side, false, square)];
            if code != 0 {
                if count == PIECES {
                    return None;
                }
                packed.occupied[square / 8] |= 1 << (square % 8);
                packed.pieces[count / 2] |= ((code - 1) ^ side as u8) << (4 * (count % 2));
                count += 1;
            }
        }
        Some(packed)
    }

    fn occupancy(&self) -> u128 {
        let mut bytes = [0; 16];
        bytes[..12].copy_from_slice(&self.occupied);
        u128::from_le_bytes(bytes)
    }

    pub fn count(&self) -> usize {
        self.occupancy().count_ones() as usize
    }

    /// Writes squares and pieces (`kind * 2 + color`) to the arrays; how many there are.
    #[inline]
    pub fn unpack(&self, at: &mut [(u8, u8); PIECES]) -> usize {
        let mut rest = self.occupancy();
        let pieces = u128::from_le_bytes(self.pieces);
        let mut count = 0;
        while rest != 0 && count < PIECES {
            let square = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            at[count] = (square, (pieces >> (4 * count)) as u8 & 15);
            count += 1;
        }
        count
    }

    /// The position as plain data, the mover as White (Red).
    pub fn placement(&self, game: Game) -> Placement {
        let mut placement = Placement::start(game, false);
        placement.squares = [0; 90];
        placement.castling = [[None; 2]; 2];
        let mut at = [(0, 0); PIECES];
        let count = self.unpack(&mut at);
        for &(square, piece) in &at[..count] {
            placement.squares[usize::from(square)] = piece + 1;
        }
        placement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize::position::parse_fen;

    #[test]
    fn positions_come_back_from_the_movers_side() {
        let fens = [
            (
                Game::Chess,
                "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 0 10",
            ),
            (
                Game::Xiangqi,
                "2bak4/9/2n1b4/p3p3p/4c4/2P3P2/P3P3P/2N1C1N2/4A4/2BK1AB2 w - - 0 20",
            ),
            (
                Game::Xiangqi,
                "2bak4/9/2n1b4/p3p3p/4c4/2P3P2/P3P3P/2N1C1N2/4A4/2BK1AB2 b - - 0 20",
            ),
        ];
        for (game, fen) in fens {
            let (placement, _) = parse_fen(game, fen, false).expect("a valid FEN");
            let packed = Packed::new(&placement, -77, 2).expect("few pieces");
            assert_eq!((packed.score, packed.result), (-77, 2));
            let turned = if placement.stm == 1 {
                placement.flipped()
            } else {
                placement
            };
            assert_eq!(packed.placement(game).squares, turned.squares);
        }
    }
}
