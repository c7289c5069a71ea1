//! The network as floats: what it looks like and how its weights lie in memory.
//!
//! The hidden columns are cut into tiles of 64. A tile holds 64 columns of every input row, then of the bias, then of the output
//! weights, one `Row` each: while a tile is worked on, the rows in use stay in the nearest caches. The last row of all
//! holds the output biases.

use baize::engine::Game;
use baize::network::format::{
    Header, KING_TABLE, MAX_BUCKETS, MAX_HIDDEN, PIECE_TABLE, even_output_buckets, rows_per_bucket,
};
use bytemuck::{Pod, Zeroable};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// Columns of a tile.
pub const TILE: usize = 64;

/// One row of a tile: a whole number of cache lines.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Row(pub [f32; TILE]);

impl Row {
    pub const ZERO: Row = Row([0.0; TILE]);
}

/// What distinguishes networks of this trainer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Architecture {
    pub game: Game,
    /// A multiple of 64.
    pub hidden: usize,
    pub king_buckets: usize,
    pub output_buckets: usize,
}

impl Architecture {
    /// # Errors
    /// A size that the format or this trainer does not have.
    pub fn check(&self) -> Result<(), String> {
        if self.hidden == 0 || !self.hidden.is_multiple_of(TILE) || self.hidden > MAX_HIDDEN {
            return Err(format!(
                "hidden {}: a multiple of {TILE} up to {MAX_HIDDEN}",
                self.hidden
            ));
        }
        if !(1..=MAX_BUCKETS).contains(&self.output_buckets) {
            return Err(format!("output buckets {}: 1 to {MAX_BUCKETS}", self.output_buckets));
        }
        self.king_table().map(|_| ())
    }

    /// The king bucket of each square as the king's side sees it.
    ///
    /// # Errors
    /// When there is no partition of that size.
    pub fn king_table(&self) -> Result<[u8; KING_TABLE], String> {
        let bucket: fn(usize, usize) -> u8 = match (self.game, self.king_buckets) {
            (_, 1) => |_, _| 0,
            (Game::Chess, 4) => |rank, file| match rank {
                0 => u8::from(file >= 2),
                1 => 2,
                _ => 3,
            },
            (Game::Chess, 8) => |rank, file| match rank {
                0 => file as u8,
                1 => 4 + u8::from(file >= 2),
                2 | 3 => 6,
                _ => 7,
            },
            // The palace: the middle file and one side file, three ranks.
            (Game::Xiangqi, 2) => |_, file| u8::from(file == 3),
            (Game::Xiangqi, 6) => |rank, file| 2 * rank as u8 + u8::from(file == 3),
            (game, count) => {
                let known = if game == Game::Chess { "1, 4, 8" } else { "1, 2, 6" };
                return Err(format!("king buckets {count}: {} has {known}", game.name()));
            }
        };
        let (files, kings): (usize, fn(usize, usize) -> bool) = match self.game {
            Game::Chess => (8, |rank, file| rank < 8 && file < 4),
            Game::Xiangqi => (9, |rank, file| rank < 3 && (3..5).contains(&file)),
        };
        Ok(std::array::from_fn(|square| {
            let (rank, file) = (square / files, square % files);
            if kings(rank, file) { bucket(rank, file) } else { 0 }
        }))
    }

    pub fn piece_table(&self) -> [u8; PIECE_TABLE] {
        even_output_buckets(self.output_buckets)
    }

    /// The header of its network file.
    ///
    /// # Errors
    /// As `king_table`.
    pub fn header(&self, name: &str, qa: i32, qb: i32, scale: i32) -> Result<Header, String> {
        Ok(Header {
            game: self.game,
            name: name.to_string(),
            king_buckets: self.king_table()?,
            king_bucket_count: self.king_buckets,
            output_buckets: self.piece_table(),
            output_bucket_count: self.output_buckets,
            hidden: self.hidden,
            qa,
            qb,
            scale,
        })
    }

    pub fn shape(&self) -> Shape {
        Shape {
            tiles: self.hidden / TILE,
            bucket_rows: rows_per_bucket(self.game),
            king_buckets: self.king_buckets,
            output_buckets: self.output_buckets,
        }
    }
}

/// Where weights lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub tiles: usize,
    /// Input rows of one king bucket.
    pub bucket_rows: usize,
    pub king_buckets: usize,
    pub output_buckets: usize,
}

impl Shape {
    /// Input rows; the bias row follows them in a tile.
    pub fn inputs(&self) -> usize {
        self.bucket_rows * self.king_buckets
    }

    /// Where the output rows of a bucket begin in a tile: the mover's, then the other's.
    #[inline(always)]
    pub fn output(&self, bucket: usize) -> usize {
        self.bucket_rows * self.king_buckets + 1 + 2 * bucket
    }

    /// Rows of a tile.
    pub fn tile(&self) -> usize {
        self.inputs() + 1 + 2 * self.output_buckets
    }

    /// Rows in all.
    pub fn total(&self) -> usize {
        self.tiles * self.tile() + 1
    }

    /// Whether rows that all king buckets share are learned beside each bucket's own: what is learned of a piece
    /// with the king in one place then helps in all others.
    pub fn factorised(&self) -> bool {
        self.king_buckets > 1
    }
}

/// Random weights to start from: small enough that the hidden layer starts within its range.
pub fn initial(shape: &Shape, seed: u64) -> Vec<Row> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut uniform = |limit: f32| {
        let unit = (random.next_u64() >> 40) as f32 / (1u64 << 24) as f32;
        (2.0 * unit - 1.0) * limit
    };
    let output_limit = (1.5 / (2 * shape.tiles * TILE) as f32).sqrt();
    let mut rows = vec![Row::ZERO; shape.total()];
    for tile in rows[..shape.tiles * shape.tile()].chunks_exact_mut(shape.tile()) {
        let (inputs, rest) = tile.split_at_mut(shape.inputs());
        // Every king bucket starts alike.
        let (first, others) = inputs.split_at_mut(shape.bucket_rows);
        for row in first.iter_mut() {
            row.0 = std::array::from_fn(|_| uniform(INPUT_LIMIT));
        }
        for bucket in others.chunks_exact_mut(shape.bucket_rows) {
            bucket.copy_from_slice(first);
        }
        rest[0].0 = [INPUT_BIAS; TILE];
        for row in &mut rest[1..] {
            row.0 = std::array::from_fn(|_| uniform(output_limit));
        }
    }
    rows
}

/// About 18 such weights add up to a spread of 0.25.
const INPUT_LIMIT: f32 = 0.1;
/// Where squared clipping has a slope.
const INPUT_BIAS: f32 = 0.2;
