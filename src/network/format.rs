//! The network file: one format for both games, written by the trainer, read by the engine.
//!
//! A file is a header of `HEADER` bytes and the weights behind it. All numbers are little endian, every section begins at a
//! multiple of 64 bytes, so that a file in a buffer aligned to 64 bytes is used where it lies (`Network::parse`). It may be packed
//! with zstd as a whole; unpacking is the reader's business.
//!
//! # Header
//!
//! | byte | type | field |
//! | --- | --- | --- |
//! | 0 | `[u8; 8]` | `MAGIC` |
//! | 8 | u16 | `VERSION` of the format |
//! | 10 | u8 | game: 0 chess, 1 xiangqi |
//! | 11 | u8 | layers: 1, the only one yet, is described below |
//! | 12 | u8 | input kind: 1, the only one yet, mirrored piece-square rows in king buckets |
//! | 13 | u8 | king buckets, K, 1 to 32 |
//! | 14 | u8 | output buckets, B, 1 to 32 |
//! | 15 | u8 | 0 |
//! | 16 | u32 | hidden columns per perspective, H, a multiple of 64 up to 4096 |
//! | 20 | u16 | QA, 1 to 255: what 1.0 is in the hidden layer |
//! | 22 | u16 | QB, 1 to 16384: what 1.0 is in the output weights |
//! | 24 | u16 | scale, 1 to 4096: centipawns of an output of 1.0 |
//! | 26 | `[u8; 6]` | 0 |
//! | 32 | u64 | bytes behind the header |
//! | 40 | u64 | `hash` of the whole file, these eight bytes taken as 0 |
//! | 48 | `[u8; 32]` | name, UTF-8, filled up with 0 |
//! | 80 | `[u8; 96]` | king bucket by the own king's square as that side sees it (below); 0 where no king can stand |
//! | 176 | `[u8; 40]` | output bucket by the number of pieces on the board, kings included |
//! | 216 | `[u8; 40]` | 0 |
//!
//! # Weights
//!
//! | section | type | shape |
//! | --- | --- | --- |
//! | input weights | i16 | `[K][2 sides][kinds][squares][H]`; a row is `H` numbers |
//! | input bias | i16 | `[H]` |
//! | output weights | i16 | `[B][2 perspectives][H]` |
//! | output bias | i32 | `[B]` |
//! | filling | | 0 up to a multiple of 64 bytes |
//!
//! Chess has 6 kinds and 64 squares, 768 rows a bucket; xiangqi 7 and 90, 1260 rows. Kinds, colors and squares are numbered as in
//! `Placement`.
//!
//! # Value
//!
//! Each side sees the board its own way: Black with the ranks turned around, and either with the files mirrored when the
//! own king stands beyond the middle (chess files e to h, xiangqi file f to i; the middle file e of xiangqi is not mirrored).
//! A piece is the row `((bucket * 2 + side) * kinds + kind) * squares + square`, with `bucket` from the table at byte 80 for the own king's
//! square so seen, `side` 0 for the viewer's own pieces and 1 for the enemy's, and `square` as seen. So, for each side:
//!
//! ```text
//! hidden[h] = input_bias[h] + sum of the pieces' rows [h]                          fits i16
//! active[h] = clamp(hidden[h], 0, QA)
//! sum       = output_bias[bucket] + sum over h of
//!             active of the mover [h]^2 * output_weights[bucket][0][h]
//!           + active of the other [h]^2 * output_weights[bucket][1][h]             fits i32, in any order
//! value     = sum * scale / (QA * QA * QB)                                        in 64 bits, rounded toward 0
//! ```
//!
//! `value` is in internal centipawns from the mover's side; it may exceed the bounds of an evaluation: the user clamps it.
//!
//! # Limits that a valid file keeps
//!
//! - Input weights lie within `INPUT_LIMIT`, input biases within `INPUT_BIAS_LIMIT`: no sum of at most 32 rows and the bias
//!   leaves i16.
//! - Output weights lie within 127: `active * weight` fits i16.
//! - For each bucket, `QA * QA` times the sum of the positive output weights plus the bias, and likewise of the negative
//!   ones, fits i32: no partial sum overflows, whatever the order.

use std::fmt;
use std::ops::Range;

use crate::engine::Game;
use crate::position::Geometry;

/// The first bytes of every network file.
pub const MAGIC: [u8; 8] = *b"BAIZENET";
/// The format described above.
pub const VERSION: u16 = 1;
/// Bytes before the weights.
pub const HEADER: usize = 256;
/// Sections begin at multiples of this.
pub const ALIGNMENT: usize = 64;
/// The greatest magnitude of an input weight.
pub const INPUT_LIMIT: i16 = 1000;
/// The greatest magnitude of an input bias.
pub const INPUT_BIAS_LIMIT: i16 = 700;
/// The greatest magnitude of an output weight.
pub const OUTPUT_LIMIT: i16 = 127;
/// The most hidden columns per perspective.
pub const MAX_HIDDEN: usize = 4096;
/// The most buckets of either kind.
pub const MAX_BUCKETS: usize = 32;

const LAYERS: u8 = 1;
const INPUT_KIND: u8 = 1;
const NAME_BYTES: usize = 32;
const HASH_AT: usize = 40;
/// Entries of the king bucket table.
pub const KING_TABLE: usize = 96;
/// Entries of the output bucket table.
pub const PIECE_TABLE: usize = 40;

/// Why bytes are no network that can be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// Not even a header.
    TooShort {
        bytes: usize,
    },
    /// The first bytes are others.
    NotANetwork,
    Version(u16),
    WrongGame {
        found: Game,
        wanted: Game,
    },
    /// A field of the header that this program does not know how to use.
    Architecture {
        field: &'static str,
        value: u64,
    },
    /// More or fewer bytes than the header says.
    Length {
        found: usize,
        expected: usize,
    },
    /// The content is not what was written.
    Hash {
        found: u64,
        expected: u64,
    },
    /// Weights with which the arithmetic would overflow.
    Overflow {
        section: &'static str,
    },
    /// The buffer does not begin at a multiple of 4 bytes.
    Misaligned,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::TooShort { bytes } => write!(f, "{bytes} bytes are too few for a network"),
            NetworkError::NotANetwork => f.write_str("not a network of Baize"),
            NetworkError::Version(version) => write!(f, "format version {version}, this program reads {VERSION}"),
            NetworkError::WrongGame { found, wanted } => {
                write!(f, "a network for {}, not for {}", found.name(), wanted.name())
            }
            NetworkError::Architecture { field, value } => write!(f, "unsupported architecture: {field} is {value}"),
            NetworkError::Length { found, expected } => write!(f, "{found} bytes where {expected} are expected"),
            NetworkError::Hash { found, expected } => {
                write!(f, "corrupt: hash {found:016x} where {expected:016x} is expected")
            }
            NetworkError::Overflow { section } => write!(f, "{section} out of range"),
            NetworkError::Misaligned => f.write_str("the network's buffer is not aligned"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// What a network is, without its weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    pub game: Game,
    /// At most 32 bytes of UTF-8.
    pub name: String,
    /// By the own king's square as its side sees it.
    pub king_buckets: [u8; KING_TABLE],
    /// K.
    pub king_bucket_count: usize,
    /// By the number of pieces on the board.
    pub output_buckets: [u8; PIECE_TABLE],
    /// B.
    pub output_bucket_count: usize,
    /// H.
    pub hidden: usize,
    pub qa: i32,
    pub qb: i32,
    pub scale: i32,
}

/// Where the sections lie in a file, in bytes from its beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sections {
    pub input_weights: Range<usize>,
    pub input_bias: Range<usize>,
    pub output_weights: Range<usize>,
    pub output_bias: Range<usize>,
    /// Bytes of the whole file.
    pub file: usize,
}

/// Piece kinds of a game.
pub const fn kinds(game: Game) -> usize {
    match game {
        Game::Chess => 6,
        Game::Xiangqi => 7,
    }
}

/// Squares of a game's board.
pub const fn squares(game: Game) -> usize {
    let geometry = Geometry::of(game);
    geometry.files * geometry.ranks
}

/// Rows of the input weights in one king bucket.
pub const fn rows_per_bucket(game: Game) -> usize {
    2 * kinds(game) * squares(game)
}

/// A square as a side sees it: `side` 1 from the other end, and with the files mirrored if `mirrored`.
pub const fn seen(game: Game, side: usize, mirrored: bool, square: usize) -> usize {
    let geometry = Geometry::of(game);
    let (rank, file) = (square / geometry.files, square % geometry.files);
    let rank = if side == 1 { geometry.ranks - 1 - rank } else { rank };
    let file = if mirrored { geometry.files - 1 - file } else { file };
    rank * geometry.files + file
}

/// Whether a side with its king on a square sees the files mirrored.
pub const fn mirrors(game: Game, king: usize) -> bool {
    let files = Geometry::of(game).files;
    2 * (king % files) > files - 1
}

/// Output buckets of equal width in the number of pieces, the fewest pieces in bucket 0.
pub fn even_output_buckets(count: usize) -> [u8; PIECE_TABLE] {
    std::array::from_fn(|pieces| ((pieces.clamp(1, 32) - 1) * count.clamp(1, MAX_BUCKETS) / 32) as u8)
}

impl Header {
    /// Rows of the input weights.
    pub fn rows(&self) -> usize {
        self.king_bucket_count * rows_per_bucket(self.game)
    }

    /// Where the sections of such a network lie.
    pub fn sections(&self) -> Sections {
        let mut end = HEADER;
        let mut section = |bytes: usize| {
            let start = end;
            end += bytes;
            start..end
        };
        Sections {
            input_weights: section(self.rows() * self.hidden * 2),
            input_bias: section(self.hidden * 2),
            output_weights: section(self.output_bucket_count * 2 * self.hidden * 2),
            output_bias: section(self.output_bucket_count * 4),
            file: end.next_multiple_of(ALIGNMENT),
        }
    }

    /// Reads and checks the header at the head of a file; of the rest nothing is looked at.
    ///
    /// # Errors
    /// When it is none, or describes what this program cannot use.
    pub fn read(bytes: &[u8]) -> Result<Header, NetworkError> {
        // A file of anything else is told as such, however short.
        if bytes.len() >= MAGIC.len() && bytes[..MAGIC.len()] != MAGIC {
            return Err(NetworkError::NotANetwork);
        }
        let bytes: &[u8; HEADER] = bytes
            .first_chunk()
            .ok_or(NetworkError::TooShort { bytes: bytes.len() })?;
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        if half(8) != VERSION {
            return Err(NetworkError::Version(half(8)));
        }
        let header = Header {
            game: read_game(bytes[10])?,
            name: read_name(&bytes[48..48 + NAME_BYTES]),
            king_buckets: bytes[80..].first_chunk().copied().unwrap_or([0; KING_TABLE]),
            king_bucket_count: bytes[13] as usize,
            output_buckets: bytes[176..].first_chunk().copied().unwrap_or([0; PIECE_TABLE]),
            output_bucket_count: bytes[14] as usize,
            hidden: u32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]) as usize,
            qa: half(20).into(),
            qb: half(22).into(),
            scale: half(24).into(),
        };
        within("layers", bytes[11].into(), LAYERS.into(), LAYERS.into())?;
        within("input kind", bytes[12].into(), INPUT_KIND.into(), INPUT_KIND.into())?;
        header.check()?;
        Ok(header)
    }

    /// Whether this program can use such a network.
    ///
    /// # Errors
    /// The field that is out of range.
    pub fn check(&self) -> Result<(), NetworkError> {
        within("king buckets", self.king_bucket_count as u64, 1, MAX_BUCKETS as u64)?;
        within("output buckets", self.output_bucket_count as u64, 1, MAX_BUCKETS as u64)?;
        within("hidden", self.hidden as u64, 64, MAX_HIDDEN as u64)?;
        within("hidden modulo 64", self.hidden as u64 % 64, 0, 0)?;
        within("QA", self.qa as u64, 1, 255)?;
        within("QB", self.qb as u64, 1, 16384)?;
        within("scale", self.scale as u64, 1, 4096)?;
        for &bucket in &self.king_buckets {
            within("king bucket", bucket.into(), 0, self.king_bucket_count as u64 - 1)?;
        }
        for &bucket in &self.output_buckets {
            within("output bucket", bucket.into(), 0, self.output_bucket_count as u64 - 1)?;
        }
        Ok(())
    }

    /// The header's bytes, with a hash of 0.
    fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = u8::from(self.game == Game::Xiangqi);
        bytes[11] = LAYERS;
        bytes[12] = INPUT_KIND;
        bytes[13] = self.king_bucket_count as u8;
        bytes[14] = self.output_bucket_count as u8;
        bytes[16..20].copy_from_slice(&(self.hidden as u32).to_le_bytes());
        bytes[20..22].copy_from_slice(&(self.qa as u16).to_le_bytes());
        bytes[22..24].copy_from_slice(&(self.qb as u16).to_le_bytes());
        bytes[24..26].copy_from_slice(&(self.scale as u16).to_le_bytes());
        let weights = (self.sections().file - HEADER) as u64;
        bytes[32..40].copy_from_slice(&weights.to_le_bytes());
        let mut end = self.name.len().min(NAME_BYTES);
        while !self.name.is_char_boundary(end) {
            end -= 1;
        }
        bytes[48..48 + end].copy_from_slice(&self.name.as_bytes()[..end]);
        bytes[80..80 + KING_TABLE].copy_from_slice(&self.king_buckets);
        bytes[176..176 + PIECE_TABLE].copy_from_slice(&self.output_buckets);
        bytes
    }
}

fn within(field: &'static str, value: u64, least: u64, most: u64) -> Result<(), NetworkError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(NetworkError::Architecture { field, value })
    }
}

fn read_game(byte: u8) -> Result<Game, NetworkError> {
    match byte {
        0 => Ok(Game::Chess),
        1 => Ok(Game::Xiangqi),
        other => Err(NetworkError::Architecture {
            field: "game",
            value: other.into(),
        }),
    }
}

/// The text up to the first 0; what is no text, or would break a line, is left out.
fn read_name(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]);
    text.chars()
        .filter(|c| !c.is_control() && *c != char::REPLACEMENT_CHARACTER)
        .collect()
}

/// A network in place: views into the bytes of a file.
#[derive(Clone, Debug)]
pub struct Network<'a> {
    pub header: Header,
    pub hash: u64,
    pub input_weights: &'a [i16],
    pub input_bias: &'a [i16],
    pub output_weights: &'a [i16],
    pub output_bias: &'a [i32],
}

impl<'a> Network<'a> {
    /// Checks a whole unpacked file and gives views into it. The buffer must begin at a multiple of 4 bytes; for
    /// vector loads let it be 64.
    ///
    /// # Errors
    /// What makes it unusable.
    pub fn parse(bytes: &'a [u8]) -> Result<Network<'a>, NetworkError> {
        let header = Header::read(bytes)?;
        let sections = header.sections();
        let claimed = u64::from_le_bytes(bytes[32..40].try_into().unwrap_or([0; 8]));
        if bytes.len() != sections.file || claimed != (sections.file - HEADER) as u64 {
            return Err(NetworkError::Length {
                found: bytes.len(),
                expected: sections.file,
            });
        }
        let expected = u64::from_le_bytes(bytes[HASH_AT..HASH_AT + 8].try_into().unwrap_or([0; 8]));
        let found = hash(bytes);
        if found != expected {
            return Err(NetworkError::Hash { found, expected });
        }
        let halves =
            |range: Range<usize>| bytemuck::try_cast_slice(&bytes[range]).map_err(|_| NetworkError::Misaligned);
        let network = Network {
            hash: found,
            input_weights: halves(sections.input_weights)?,
            input_bias: halves(sections.input_bias)?,
            output_weights: halves(sections.output_weights)?,
            output_bias: bytemuck::try_cast_slice(&bytes[sections.output_bias])
                .map_err(|_| NetworkError::Misaligned)?,
            header,
        };
        network.check_limits()?;
        Ok(network)
    }

    /// `parse` for one game.
    ///
    /// # Errors
    /// As `parse`, and when it is the other game's.
    pub fn parse_for(game: Game, bytes: &'a [u8]) -> Result<Network<'a>, NetworkError> {
        let found = Header::read(bytes)?.game;
        if found != game {
            return Err(NetworkError::WrongGame { found, wanted: game });
        }
        Network::parse(bytes)
    }

    /// The limits that keep the arithmetic from overflowing.
    fn check_limits(&self) -> Result<(), NetworkError> {
        let bounded = |section, weights: &[i16], limit: i16| {
            let fits = weights
                .iter()
                .fold(true, |fits, &w| fits & (-limit..=limit).contains(&w));
            if fits {
                Ok(())
            } else {
                Err(NetworkError::Overflow { section })
            }
        };
        bounded("input weights", self.input_weights, INPUT_LIMIT)?;
        bounded("input bias", self.input_bias, INPUT_BIAS_LIMIT)?;
        bounded("output weights", self.output_weights, OUTPUT_LIMIT)?;
        let per_bucket = 2 * self.header.hidden;
        for (weights, &bias) in self.output_weights.chunks_exact(per_bucket).zip(self.output_bias) {
            if !output_fits(weights, bias, self.header.qa) {
                return Err(NetworkError::Overflow { section: "output bias" });
            }
        }
        Ok(())
    }
}

/// Whether no partial sum of an output can leave i32.
pub fn output_fits(weights: &[i16], bias: i32, qa: i32) -> bool {
    let full = i64::from(qa) * i64::from(qa);
    let positive: i64 = weights.iter().map(|&w| i64::from(w.max(0))).sum();
    let negative: i64 = weights.iter().map(|&w| i64::from(w.min(0))).sum();
    let bias = i64::from(bias);
    full * positive + bias.max(0) <= i64::from(i32::MAX) && full * negative + bias.min(0) >= i64::from(i32::MIN)
}

/// The file of a network.
///
/// # Errors
/// When the sections have other lengths than the header says, or a limit of the format is not kept.
pub fn write(
    header: &Header,
    input_weights: &[i16],
    input_bias: &[i16],
    output_weights: &[i16],
    output_bias: &[i32],
) -> Result<Vec<u8>, NetworkError> {
    header.check()?;
    let sections = header.sections();
    let mut bytes = header.to_bytes().to_vec();
    let halves = [input_weights, input_bias, output_weights];
    let expected = [&sections.input_weights, &sections.input_bias, &sections.output_weights];
    for (section, expected) in halves.iter().zip(expected) {
        same_length(2 * section.len(), expected.len())?;
        bytes.extend(section.iter().flat_map(|w| w.to_le_bytes()));
    }
    same_length(4 * output_bias.len(), sections.output_bias.len())?;
    bytes.extend(output_bias.iter().flat_map(|w| w.to_le_bytes()));
    bytes.resize(sections.file, 0);
    Network {
        header: header.clone(),
        hash: 0,
        input_weights,
        input_bias,
        output_weights,
        output_bias,
    }
    .check_limits()?;
    let sum = hash(&bytes);
    bytes[HASH_AT..HASH_AT + 8].copy_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

fn same_length(found: usize, expected: usize) -> Result<(), NetworkError> {
    if found == expected {
        Ok(())
    } else {
        Err(NetworkError::Length { found, expected })
    }
}

/// The hash of a file, the hash in its header taken as 0: four lanes of 64-bit words, each stirred by exclusive or, a
/// product with an odd number and a rotation, so that any change of one word changes the hash. Constants are digits of
/// the fractions of square roots. A file shorter than a header has the hash of its bytes.
pub fn hash(bytes: &[u8]) -> u64 {
    const PRODUCT: u64 = 0x6a09_e667_f3bc_c909;
    const START: [u64; 4] = [
        0xbb67_ae85_84ca_a73b,
        0x3c6e_f372_fe94_f82b,
        0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1,
    ];
    let stir = |lane: u64, word: u64| (lane ^ word).wrapping_mul(PRODUCT).rotate_left(29);
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let mut lanes = START;
    let mut block = |at: usize, bytes: &[u8]| {
        for (i, (lane, bytes)) in lanes.iter_mut().zip(bytes.chunks(8)).enumerate() {
            let is_hash = at + 8 * i == HASH_AT;
            *lane = stir(*lane, if is_hash { 0 } else { word(bytes) });
        }
    };
    let blocks = bytes.chunks_exact(32);
    let rest = blocks.remainder();
    for (index, bytes) in blocks.enumerate() {
        block(32 * index, bytes);
    }
    block(bytes.len() - rest.len(), rest);
    let joined = lanes.iter().fold(bytes.len() as u64, |all, &lane| stir(all, lane));
    joined ^ joined >> 32
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A small network with weights of all sizes, reproducible.
    pub fn sample(game: Game, king_bucket_count: usize, output_bucket_count: usize) -> Vec<u8> {
        let mut state = 88172645463325252u64;
        let mut below = move |limit: i64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % (2 * limit as u64 + 1)) as i64 - limit
        };
        let header = Header {
            game,
            name: "sample".into(),
            king_buckets: std::array::from_fn(|square| (square % king_bucket_count) as u8),
            king_bucket_count,
            output_buckets: even_output_buckets(output_bucket_count),
            output_bucket_count,
            hidden: 64,
            qa: 255,
            qb: 90,
            scale: 400,
        };
        let inputs: Vec<i16> = (0..header.rows() * 64).map(|_| below(1000) as i16).collect();
        let bias: Vec<i16> = (0..64).map(|_| below(700) as i16).collect();
        let outputs: Vec<i16> = (0..output_bucket_count * 128).map(|_| below(127) as i16).collect();
        let out_bias: Vec<i32> = (0..output_bucket_count).map(|_| below(1_000_000) as i32).collect();
        write(&header, &inputs, &bias, &outputs, &out_bias).expect("within the limits")
    }

    /// The bytes in a buffer that is aligned for all.
    pub fn aligned(bytes: &[u8]) -> Vec<u64> {
        let mut words = vec![0u64; bytes.len().div_ceil(8)];
        bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..bytes.len()].copy_from_slice(bytes);
        words
    }

    fn parse_copy(bytes: &[u8]) -> Result<Header, NetworkError> {
        let words = aligned(bytes);
        Network::parse(&bytemuck::cast_slice(&words)[..bytes.len()]).map(|network| network.header)
    }

    #[test]
    fn what_is_written_is_read() {
        for game in [Game::Chess, Game::Xiangqi] {
            let bytes = sample(game, 3, 8);
            let header = parse_copy(&bytes).expect("valid");
            assert_eq!((header.game, header.hidden, header.qb), (game, 64, 90));
            assert_eq!(header.name, "sample");
            assert_eq!(header.sections().file, bytes.len());
            let sections = header.sections();
            for start in [
                sections.input_weights.start,
                sections.input_bias.start,
                sections.output_weights.start,
                sections.output_bias.start,
                sections.file,
            ] {
                assert_eq!(start % ALIGNMENT, 0);
            }
            assert!(header.output_buckets[2..=32].is_sorted());
            assert_eq!((header.output_buckets[2], header.output_buckets[32]), (0, 7));
        }
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let bytes = sample(Game::Chess, 1, 1);
        let bits = (0..HEADER * 8).chain((HEADER * 8..bytes.len() * 8).step_by(331));
        for bit in bits {
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(parse_copy(&bad).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn bad_files_are_told_apart() {
        let bytes = sample(Game::Chess, 1, 2);
        assert_eq!(parse_copy(&[]), Err(NetworkError::TooShort { bytes: 0 }));
        assert_eq!(parse_copy(&bytes[..100]), Err(NetworkError::TooShort { bytes: 100 }));
        assert_eq!(parse_copy(&[0; 4096]), Err(NetworkError::NotANetwork));
        for length in [HEADER, bytes.len() - 1] {
            let cut = parse_copy(&bytes[..length]);
            assert!(matches!(cut, Err(NetworkError::Length { found, .. }) if found == length));
        }
        let words = aligned(&bytes);
        let shifted = [&[0u8; 2], &bytes[..]].concat();
        let shifted_words = aligned(&shifted);
        let at_two = &bytemuck::cast_slice::<u64, u8>(&shifted_words)[2..shifted.len()];
        assert_eq!(Network::parse(at_two).err(), Some(NetworkError::Misaligned));
        let whole = &bytemuck::cast_slice(&words)[..bytes.len()];
        let other = Network::parse_for(Game::Xiangqi, whole).err();
        assert_eq!(
            other,
            Some(NetworkError::WrongGame {
                found: Game::Chess,
                wanted: Game::Xiangqi
            })
        );
        let with = |at: usize, byte: u8| {
            let mut bad = bytes.clone();
            bad[at] = byte;
            parse_copy(&bad)
        };
        assert_eq!(with(8, 9), Err(NetworkError::Version(9)));
        for (at, byte) in [(10, 2), (11, 2), (12, 7), (13, 0), (14, 99), (16, 65), (20, 0), (80, 1)] {
            assert!(
                matches!(with(at, byte), Err(NetworkError::Architecture { .. })),
                "byte {at}"
            );
        }
        assert!(matches!(with(1000, bytes[1000] ^ 4), Err(NetworkError::Hash { .. })));
    }

    #[test]
    fn weights_that_overflow_are_refused() {
        let header = parse_copy(&sample(Game::Chess, 1, 1)).expect("valid");
        let (rows, hidden) = (header.rows(), header.hidden);
        let try_with = |input: i16, output: i16, bias: i32| {
            write(&header, &vec![input; rows * hidden], &[0; 64], &[output; 128], &[bias]).map(|_| ())
        };
        assert_eq!(try_with(1000, 127, 0), Ok(()));
        assert!(matches!(try_with(1001, 0, 0), Err(NetworkError::Overflow { .. })));
        assert!(matches!(try_with(0, 128, 0), Err(NetworkError::Overflow { .. })));
        assert!(matches!(try_with(0, 127, i32::MAX), Err(NetworkError::Overflow { .. })));
        assert!(matches!(
            try_with(0, -127, i32::MIN),
            Err(NetworkError::Overflow { .. })
        ));
        assert_eq!(try_with(0, -127, i32::MAX), Ok(()));
    }
}
