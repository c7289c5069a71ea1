//! Self-play games on disk.
//!
//! A file is a sequence of games, each on its own: a damaged or cut one is skipped, and the next is found by its
//! marker. All numbers are little endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 4 | `MARKER` |
//! | 4 | number of the game within its run |
//! | 2 | plies |
//! | 1 | 0 chess, 1 xiangqi |
//! | 1 | White's (Red's) points times two: 0, 1, 2 |
//! | 4 | checksum (FNV-1a) of the other bytes of the game but the marker |
//! | 32 | start position |
//! | 4 a ply | the move in the engine's 16 bits; its score from the mover's side, 16 bits |
//!
//! Start position: one bit a square, from the first (chess 8 bytes, xiangqi 12); the piece of each occupied square, four
//! bits, the first in the low half (16 bytes); then side to move (1 byte), plies on the move-count clock (1), move number (2)
//! and for chess the files of the castling rooks (four times 4 bits, 15 none; White's king side first) and the en-passant
//! square (1, 255 none).

use crate::engine::Game;
use crate::position::Placement;

/// Starts every game.
pub const MARKER: u32 = 0x675a_4201;

const HEAD: usize = 16;
const START: usize = 32;
/// Games longer than this are not written.
pub const MAX_PLIES: usize = 4096;

/// A game with its scores.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Its number within the run that made it.
    pub number: u32,
    pub start: Placement,
    /// White's (Red's) points times two.
    pub result: u8,
    /// Moves, each with its score in internal centipawns from the mover's side.
    pub plies: Vec<(u16, i16)>,
}

fn squares(game: Game) -> usize {
    match game {
        Game::Chess => 64,
        Game::Xiangqi => 90,
    }
}

/// Bytes of the occupancy.
fn map_bytes(game: Game) -> usize {
    match game {
        Game::Chess => 8,
        Game::Xiangqi => 12,
    }
}

/// Packs a start position; `None` when it has more than 32 pieces.
pub fn pack(start: &Placement) -> Option<[u8; START]> {
    let mut bytes = [0; START];
    let map = map_bytes(start.game);
    let mut count = 0;
    for (square, &code) in start.squares[..squares(start.game)].iter().enumerate() {
        if code != 0 {
            if count == 32 {
                return None;
            }
            bytes[square / 8] |= 1 << (square % 8);
            bytes[map + count / 2] |= (code - 1) << (4 * (count % 2));
            count += 1;
        }
    }
    let rest = &mut bytes[map + 16..];
    rest[0] = start.stm;
    rest[1] = start.clock.min(255) as u8;
    rest[2..4].copy_from_slice(&(start.move_number.min(65535) as u16).to_le_bytes());
    if start.game == Game::Chess {
        let rook = |color: usize, side: usize| start.castling[color][side].unwrap_or(15) & 15;
        rest[4] = rook(0, 0) | rook(0, 1) << 4;
        rest[5] = rook(1, 0) | rook(1, 1) << 4;
        rest[6] = start.ep.unwrap_or(255);
        rest[7] = u8::from(start.chess960);
    }
    Some(bytes)
}

/// Unpacks a start position; `None` when the bytes are none.
pub fn unpack(game: Game, bytes: &[u8; START]) -> Option<Placement> {
    let map = map_bytes(game);
    let kinds = match game {
        Game::Chess => 6,
        Game::Xiangqi => 7,
    };
    let mut placed = [0; 90];
    for (count, square) in (0..map * 8).filter(|s| bytes[s / 8] >> (s % 8) & 1 != 0).enumerate() {
        let code = 1 + (bytes.get(map + count / 2)? >> (4 * (count % 2)) & 15);
        if count == 32 || square >= squares(game) || code > kinds * 2 {
            return None;
        }
        placed[square] = code;
    }
    let rest = &bytes[map + 16..];
    let mut start = Placement {
        game,
        squares: placed,
        stm: rest[0] & 1,
        castling: [[None; 2]; 2],
        ep: None,
        chess960: false,
        clock: u16::from(rest[1]),
        move_number: u32::from(u16::from_le_bytes([rest[2], rest[3]])),
    };
    if game == Game::Chess {
        let rook = |packed: u8| (packed & 15 < 8).then_some(packed & 15);
        start.castling = [[rook(rest[4]), rook(rest[4] >> 4)], [rook(rest[5]), rook(rest[5] >> 4)]];
        start.ep = (rest[6] < 64).then_some(rest[6]);
        start.chess960 = rest[7] != 0;
    }
    Some(start)
}

/// FNV-1a (Fowler, Noll, Vo), 32 bits.
fn checksum(parts: &[&[u8]]) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.iter());
    bytes.fold(0x811c_9dc5, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

impl Record {
    /// The game's bytes; `None` when the format cannot hold it.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let start = pack(&self.start)?;
        if self.plies.len() > MAX_PLIES {
            return None;
        }
        let mut bytes = Vec::with_capacity(HEAD + START + 4 * self.plies.len());
        bytes.extend_from_slice(&MARKER.to_le_bytes());
        bytes.extend_from_slice(&self.number.to_le_bytes());
        bytes.extend_from_slice(&(self.plies.len() as u16).to_le_bytes());
        bytes.push(u8::from(self.start.game == Game::Xiangqi));
        bytes.push(self.result);
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&start);
        for &(mv, score) in &self.plies {
            bytes.extend_from_slice(&mv.to_le_bytes());
            bytes.extend_from_slice(&score.to_le_bytes());
        }
        let sum = checksum(&[&bytes[4..12], &bytes[HEAD..]]);
        bytes[12..HEAD].copy_from_slice(&sum.to_le_bytes());
        Some(bytes)
    }

    /// The game at the head of `bytes` and its length; `None` when there is none.
    pub fn from_bytes(bytes: &[u8]) -> Option<(Record, usize)> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        if word(0)? != MARKER {
            return None;
        }
        let plies = usize::from(u16::from_le_bytes([*bytes.get(8)?, *bytes.get(9)?]));
        let length = HEAD + START + 4 * plies;
        let body = bytes.get(HEAD..length)?;
        let (kind, result) = (*bytes.get(10)?, *bytes.get(11)?);
        if plies > MAX_PLIES || result > 2 || kind > 1 || checksum(&[&bytes[4..12], body]) != word(12)? {
            return None;
        }
        let game = if kind == 0 { Game::Chess } else { Game::Xiangqi };
        let start = unpack(game, body[..START].try_into().ok()?)?;
        let pair = |ply: &[u8]| {
            (
                u16::from_le_bytes([ply[0], ply[1]]),
                i16::from_le_bytes([ply[2], ply[3]]),
            )
        };
        let plies = body[START..].chunks_exact(4).map(pair).collect();
        Some((
            Record {
                number: word(4)?,
                start,
                result,
                plies,
            },
            length,
        ))
    }
}

/// A stretch of a file that holds no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damage {
    /// First byte.
    pub at: usize,
    pub bytes: usize,
}

/// The games of a file's bytes in their order. What is damaged is skipped and noted.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// What was skipped so far.
    pub damage: Vec<Damage>,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader {
            bytes,
            at: 0,
            damage: Vec::new(),
        }
    }

    /// The byte after the last game that was read.
    pub fn position(&self) -> usize {
        self.at
    }
}

impl Iterator for Reader<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let from = self.at;
        let marker = MARKER.to_le_bytes();
        let mut at = from;
        while at < self.bytes.len() {
            if let Some((record, length)) = Record::from_bytes(&self.bytes[at..]) {
                if at > from {
                    self.damage.push(Damage {
                        at: from,
                        bytes: at - from,
                    });
                }
                self.at = at + length;
                return Some(record);
            }
            let rest = &self.bytes[at + 1..];
            at += 1 + rest.windows(4).position(|w| w == marker).unwrap_or(rest.len());
        }
        if at > from {
            self.damage.push(Damage {
                at: from,
                bytes: at - from,
            });
            // The end stays where the last good game ended.
            self.bytes = &self.bytes[..from];
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(game: Game, number: u32) -> Record {
        let plies = (0..20 + number as u16)
            .map(|i| (i * 321 + 7, -300 + i as i16))
            .collect();
        Record {
            number,
            start: Placement::start(game, false),
            result: (number % 3) as u8,
            plies,
        }
    }

    #[test]
    fn games_come_back() {
        for game in [Game::Chess, Game::Xiangqi] {
            let record = sample(game, 5);
            let bytes = record.to_bytes().expect("fits");
            assert_eq!(Record::from_bytes(&bytes), Some((record, bytes.len())));
        }
    }

    #[test]
    fn damage_is_skipped_and_located() {
        let games: Vec<Record> = (0..9).map(|n| sample(Game::Chess, n)).collect();
        let packed: Vec<Vec<u8>> = games.iter().map(|g| g.to_bytes().expect("fits")).collect();
        let good: Vec<u8> = packed.concat();
        let starts: Vec<usize> = packed
            .iter()
            .scan(0, |at, p| Some(std::mem::replace(at, *at + p.len())))
            .collect();
        for (byte, flip) in (0..good.len()).step_by(7).map(|b| (b, 1 << (b % 8))) {
            let mut bad = good.clone();
            bad[byte] ^= flip;
            let mut reader = Reader::new(&bad);
            let read: Vec<Record> = reader.by_ref().collect();
            let hit = starts.iter().rposition(|&s| s <= byte).expect("some game");
            let rest: Vec<Record> = games
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != hit)
                .map(|(_, g)| g.clone())
                .collect();
            assert_eq!(read, rest);
            assert_eq!(
                reader.damage,
                [Damage {
                    at: starts[hit],
                    bytes: packed[hit].len()
                }]
            );
        }
        for cut in 1..packed[8].len() {
            let mut reader = Reader::new(&good[..good.len() - cut]);
            assert_eq!(reader.by_ref().count(), 8);
            assert_eq!(reader.position(), starts[8]);
        }
    }
}
