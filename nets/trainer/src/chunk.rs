//! A handful of positions, unpacked into the input rows that they switch on.

use baize::network::format::{PIECE_TABLE, kinds, mirrors, seen, squares};

use crate::loss::Objective;
use crate::net::Architecture;
use crate::packed::{PIECES, Packed};

/// Positions of a full chunk.
pub const CHUNK: usize = 256;

/// Kinds and colors have four bits, squares are fewer than this.
const SQUARES: usize = 96;

/// What unpacking needs to know of a network: rows by view (mover, other), mirroring, piece and square.
pub struct Inputs {
    rows: Vec<u16>,
    /// The first row of the king bucket, by view, mirroring and the king's square.
    bases: Vec<u16>,
    output_buckets: [u8; PIECE_TABLE],
    /// The mover's king.
    king: u8,
    /// By the king's square.
    mirroring: [Mirroring; SQUARES],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mirroring {
    No,
    Yes,
    /// The king stands on the axis: both images of the position mean the same.
    Either,
}

impl Inputs {
    /// # Errors
    /// As `Architecture::king_table`.
    pub fn new(architecture: &Architecture) -> Result<Self, String> {
        let game = architecture.game;
        let (kinds, squares) = (kinds(game), squares(game));
        let king_buckets = architecture.king_table()?;
        let bucket_rows = architecture.shape().bucket_rows;
        let mut rows = vec![0; 2 * 2 * 16 * SQUARES];
        let mut bases = vec![0; 2 * 2 * SQUARES];
        for view in 0..2 {
            for mirrored in [false, true] {
                for square in 0..squares {
                    let bucket = usize::from(king_buckets[seen(game, view, mirrored, square)]);
                    bases[Self::base_index(view, mirrored, square as u8)] = (bucket * bucket_rows) as u16;
                }
                for piece in 0..2 * kinds {
                    for square in 0..squares {
                        let (kind, side) = (piece / 2, (piece % 2) ^ view);
                        let row = (side * kinds + kind) * squares + seen(game, view, mirrored, square);
                        rows[Self::index(view, mirrored, piece as u8, square as u8)] = row as u16;
                    }
                }
            }
        }
        let mirroring = |square: usize| {
            if square >= squares {
                Mirroring::No
            } else if mirrors(game, square) {
                Mirroring::Yes
            } else if seen(game, 0, true, square) == square {
                Mirroring::Either
            } else {
                Mirroring::No
            }
        };
        Ok(Inputs {
            rows,
            bases,
            output_buckets: architecture.piece_table(),
            king: 2 * (kinds as u8 - 1),
            mirroring: std::array::from_fn(mirroring),
        })
    }

    #[inline(always)]
    fn base_index(view: usize, mirrored: bool, king: u8) -> usize {
        (view * 2 + usize::from(mirrored)) * SQUARES + usize::from(king)
    }

    #[inline(always)]
    fn index(view: usize, mirrored: bool, piece: u8, square: u8) -> usize {
        ((view * 2 + usize::from(mirrored)) * 16 + usize::from(piece & 15)) * SQUARES + usize::from(square)
    }
}

/// Positions ready for the kernels.
pub struct Chunk {
    /// By position, for the mover and the other side.
    pub rows: Vec<[[u16; PIECES]; 2]>,
    /// Pieces of each position.
    pub counts: Vec<u8>,
    /// Output bucket of each position.
    pub buckets: Vec<u8>,
    /// What the network is to say of each: the mover's expected points, 0 to 1.
    pub targets: Vec<f32>,
}

impl Chunk {
    pub fn new() -> Self {
        Chunk {
            rows: Vec::with_capacity(CHUNK),
            counts: Vec::with_capacity(CHUNK),
            buckets: Vec::with_capacity(CHUNK),
            targets: Vec::with_capacity(CHUNK),
        }
    }

    pub fn len(&self) -> usize {
        self.counts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.counts.clear();
        self.buckets.clear();
        self.targets.clear();
    }

    /// Adds a position. `image` chooses between the two images of a view whose king stands on the axis: an engine takes
    /// the plain one (false), learning from either at random doubles the data.
    pub fn push(&mut self, position: &Packed, inputs: &Inputs, objective: &Objective, image: bool) {
        let mut at = [(0, 0); PIECES];
        let count = position.unpack(&mut at);
        let pieces = &at[..count];
        let mut rows = [[0; PIECES]; 2];
        for (view, rows) in rows.iter_mut().enumerate() {
            let king = pieces.iter().find(|p| p.1 == inputs.king + view as u8);
            let king = king.map_or(0, |p| p.0);
            let mirrored = match inputs.mirroring[usize::from(king)] {
                Mirroring::No => false,
                Mirroring::Yes => true,
                Mirroring::Either => image,
            };
            let base = inputs.bases[Inputs::base_index(view, mirrored, king)];
            for (row, &(square, piece)) in rows.iter_mut().zip(pieces) {
                *row = base + inputs.rows[Inputs::index(view, mirrored, piece, square)];
            }
        }
        self.rows.push(rows);
        self.counts.push(count as u8);
        self.buckets.push(inputs.output_buckets[count]);
        self.targets.push(objective.target(position.score, position.result));
    }
}

impl Default for Chunk {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize::engine::Game;
    use baize::network::reference::active_rows;
    use baize::position::parse_fen;

    #[test]
    fn rows_are_those_of_the_format() {
        let cases = [
            (
                Game::Chess,
                8,
                "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N2N2/PP2BPPP/R1BQK2R b - - 0 10",
            ),
            (Game::Chess, 1, "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 w - - 0 50"),
            (
                Game::Xiangqi,
                6,
                "2bak4/9/2n1b4/p3p3p/4c4/2P3P2/P3P3P/2N1C1N2/4A4/2B2KB2 w - - 0 20",
            ),
            (
                Game::Xiangqi,
                2,
                "2bak4/9/2n1b4/p3p3p/4c4/2P3P2/P3P3P/2N1C1N2/4A4/2BK1AB2 b - - 0 20",
            ),
        ];
        for (game, king_buckets, fen) in cases {
            let architecture = Architecture {
                game,
                hidden: 64,
                king_buckets,
                output_buckets: 8,
            };
            let header = architecture.header("", 255, 64, 400).expect("known buckets");
            let inputs = Inputs::new(&architecture).expect("known buckets");
            let (placement, _) = parse_fen(game, fen, false).expect("a valid FEN");
            let packed = Packed::new(&placement, 0, 1).expect("few pieces");
            let mut chunk = Chunk::new();
            chunk.push(
                &packed,
                &inputs,
                &Objective {
                    share: 0.0,
                    scale: 400.0,
                },
                false,
            );
            let count = usize::from(chunk.counts[0]);
            assert_eq!(chunk.buckets[0], header.output_buckets[count]);
            for view in 0..2 {
                let mut ours: Vec<usize> = chunk.rows[0][view][..count].iter().map(|&r| r.into()).collect();
                let side = usize::from(placement.stm) ^ view;
                let mut theirs = active_rows(&header, &placement, side).expect("a king");
                ours.sort_unstable();
                theirs.sort_unstable();
                assert_eq!(ours, theirs, "{fen}, view {view}");
            }
        }
    }
}
