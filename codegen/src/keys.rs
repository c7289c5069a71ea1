//! Random keys of either game, all from seeds in `tables/keys.toml`.

use std::path::Path;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use serde::Deserialize;

use crate::{Problem, read_toml};

#[derive(Deserialize)]
struct File {
    chess: Seed,
    xiangqi: Seed,
}

#[derive(Deserialize)]
struct Seed {
    zobrist: u64,
}

/// Reads a game's seed.
pub fn seed(tables: &Path, game: &str) -> Result<u64, Problem> {
    let path = tables.join("keys.toml");
    let file: File = read_toml(&path)?;
    match game {
        "chess" => Ok(file.chess.zobrist),
        "xiangqi" => Ok(file.xiangqi.zobrist),
        _ => Err(Problem::new(path, format!("no seed for {game}"))),
    }
}

/// A stream of keys.
pub struct Keys(Xoshiro256PlusPlus);

impl Keys {
    /// The stream that a seed starts.
    pub fn new(seed: u64) -> Self {
        Keys(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next key; never 0.
    pub fn next(&mut self) -> u64 {
        loop {
            let key = self.0.next_u64();
            if key != 0 {
                return key;
            }
        }
    }

    /// Keys of pieces on squares: `pieces` rows of `slots` entries, of which the first `squares` are used and the rest 0.
    pub fn pieces(&mut self, pieces: usize, squares: usize, slots: usize) -> Vec<Vec<u64>> {
        (0..pieces)
            .map(|_| (0..slots).map(|s| if s < squares { self.next() } else { 0 }).collect())
            .collect()
    }
}

/// A reversible move in the cuckoo table: what it changes in the key, and its two squares.
#[derive(Clone, Copy)]
pub struct Reversible {
    pub key: u64,
    pub from: u16,
    pub to: u16,
}

/// Size of a cuckoo table that `bits` bits of the key index.
pub fn cuckoo_slots(bits: u32) -> usize {
    1 << bits
}

/// Lays out reversible moves so that each is found in one of two places: the `bits` lowest bits of its key, or the next
/// `bits` ones (Pagh and Rodler: Cuckoo hashing; for repetitions: van Kervinck). An empty place has key 0.
pub fn cuckoo(moves: &[Reversible], bits: u32) -> Result<Vec<Reversible>, String> {
    let size = cuckoo_slots(bits);
    let places = |key: u64| [key as usize & (size - 1), (key >> bits) as usize & (size - 1)];
    let mut table = vec![Reversible { key: 0, from: 0, to: 0 }; size];
    for &entry in moves {
        let mut homeless = entry;
        let mut place = places(entry.key)[0];
        let mut patience = 10 * moves.len();
        loop {
            std::mem::swap(&mut table[place], &mut homeless);
            if homeless.key == 0 {
                break;
            }
            if patience == 0 {
                return Err("the cuckoo table does not fill with these keys: choose another seed".into());
            }
            patience -= 1;
            let [first, second] = places(homeless.key);
            place = if place == first { second } else { first };
        }
    }
    Ok(table)
}

/// Words as little-endian bytes, the order of every target.
pub fn bytes(words: impl IntoIterator<Item = u64>) -> Vec<u8> {
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}
