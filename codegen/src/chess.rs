//! Chess: attack tables, keys and the cuckoo table, as aligned bytes and a little Rust.

use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use crate::chess_index::{MagicSlot, PextSlot};
use crate::keys::{self, Keys, Reversible, bytes};
use crate::{Problem, Request, read_toml, write};

const ROOK_STEPS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const KNIGHT_STEPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// Bits of a cuckoo index: 8192 places for 3668 reversible moves.
const CUCKOO_BITS: u32 = 13;

/// The numbers of `chess_magics.toml`, in hexadecimal.
#[derive(Deserialize)]
struct Magics {
    rook: Vec<String>,
    bishop: Vec<String>,
}

/// Writes every chess table.
pub fn generate(request: &Request<'_>) -> Result<(), Problem> {
    write(request, "chess_pext.bin", pext_table())?;
    write(request, "chess_magic.bin", magic_table(request.tables)?)?;
    write(request, "chess_between.bin", bytes(pairs(between)))?;
    write(request, "chess_line.bin", bytes(pairs(line)))?;
    write(request, "chess_tables.rs", text(request.tables)?)?;
    chess_keys(request)
}

/// The square `(file, rank)`, if on the board.
fn square(file: i32, rank: i32) -> Option<usize> {
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

/// One step from a square.
fn step(from: usize, (df, dr): (i32, i32)) -> Option<usize> {
    square(from as i32 % 8 + df, from as i32 / 8 + dr)
}

/// Squares one step away.
fn leap(from: usize, steps: &[(i32, i32)]) -> u64 {
    steps
        .iter()
        .filter_map(|&s| step(from, s))
        .fold(0, |set, to| set | 1 << to)
}

/// Squares that a slider attacks: along each direction up to and with the first occupied square.
fn slide(from: usize, steps: &[(i32, i32)], occupied: u64) -> u64 {
    let mut set = 0;
    for &direction in steps {
        let mut at = from;
        while let Some(next) = step(at, direction) {
            set |= 1 << next;
            at = next;
            if occupied >> next & 1 != 0 {
                break;
            }
        }
    }
    set
}

/// Squares whose occupancy changes a slider's attacks: its lines without their last squares.
fn relevant(from: usize, steps: &[(i32, i32)]) -> u64 {
    let mut set = 0;
    for &direction in steps {
        let mut at = from;
        while let Some(next) = step(at, direction) {
            if step(next, direction).is_some() {
                set |= 1 << next;
            }
            at = next;
        }
    }
    set
}

/// Spreads the low bits of `packed` over the bits of `mask` (PDEP).
fn spread(packed: u64, mask: u64) -> u64 {
    let mut set = 0;
    let mut rest = mask;
    let mut bit = 0;
    while rest != 0 {
        if packed >> bit & 1 != 0 {
            set |= rest & rest.wrapping_neg();
        }
        rest &= rest - 1;
        bit += 1;
    }
    set
}

/// Squares strictly between two squares on a common line; none otherwise.
fn between(a: usize, b: usize) -> u64 {
    for steps in [&ROOK_STEPS, &BISHOP_STEPS] {
        if slide(a, steps, 0) >> b & 1 != 0 {
            return slide(a, steps, 1 << b) & slide(b, steps, 1 << a) & along(a, b, steps);
        }
    }
    0
}

/// The whole line through two squares, edge to edge; none when they share no line.
fn line(a: usize, b: usize) -> u64 {
    for steps in [&ROOK_STEPS, &BISHOP_STEPS] {
        if a != b && slide(a, steps, 0) >> b & 1 != 0 {
            return along(a, b, steps);
        }
    }
    0
}

fn along(a: usize, b: usize, steps: &[(i32, i32); 4]) -> u64 {
    slide(a, steps, 0) & slide(b, steps, 0) | 1 << a | 1 << b
}

fn pairs(f: fn(usize, usize) -> u64) -> impl Iterator<Item = u64> {
    (0..64).flat_map(move |a| (0..64).map(move |b| f(a, b)))
}

/// Slots of both sliders with PEXT indexing: rooks first, then bishops, in one table.
fn pext_slots() -> Vec<PextSlot> {
    let mut offset = 0;
    let mut slots = Vec::new();
    for steps in [&ROOK_STEPS, &BISHOP_STEPS] {
        for from in 0..64 {
            let mask = relevant(from, steps);
            slots.push(PextSlot { mask, offset });
            offset += 1 << mask.count_ones();
        }
    }
    slots
}

fn steps_of(slot: usize) -> &'static [(i32, i32); 4] {
    if slot < 64 { &ROOK_STEPS } else { &BISHOP_STEPS }
}

/// Entries of either slider table.
fn table_size() -> usize {
    pext_slots().iter().map(|s| 1usize << s.mask.count_ones()).sum()
}

fn pext_table() -> Vec<u8> {
    let mut table = vec![0; table_size()];
    for (n, slot) in pext_slots().iter().enumerate() {
        for packed in 0..1 << slot.mask.count_ones() {
            table[slot.index(packed)] = slide(n % 64, steps_of(n), spread(packed, slot.mask));
        }
    }
    bytes(table)
}

fn magic_slots(tables: &Path) -> Result<Vec<MagicSlot>, Problem> {
    let path = tables.join("chess_magics.toml");
    let file: Magics = read_toml(&path)?;
    let mut offset = 0;
    let mut slots = Vec::new();
    for (numbers, steps) in [(&file.rook, &ROOK_STEPS), (&file.bishop, &BISHOP_STEPS)] {
        if numbers.len() != 64 {
            return Err(Problem::new(&path, "64 numbers each are needed"));
        }
        for (from, number) in numbers.iter().enumerate() {
            let magic = u64::from_str_radix(number.trim_start_matches("0x"), 16).map_err(|e| Problem::new(&path, e))?;
            let mask = relevant(from, steps);
            slots.push(MagicSlot {
                mask,
                magic,
                offset,
                shift: 64 - mask.count_ones(),
            });
            offset += 1 << mask.count_ones();
        }
    }
    Ok(slots)
}

/// Fills the table by the checked-in magics; a magic that sends two occupancies with different attacks to one entry is an
/// error.
fn magic_table(tables: &Path) -> Result<Vec<u8>, Problem> {
    let mut table = vec![0; table_size()];
    for (n, slot) in magic_slots(tables)?.iter().enumerate() {
        if !fill(slot, n % 64, steps_of(n), &mut table) {
            let what = format!(
                "{} number {} is no magic",
                if n < 64 { "rook" } else { "bishop" },
                n % 64
            );
            return Err(Problem::new(tables.join("chess_magics.toml"), what));
        }
    }
    Ok(bytes(table))
}

/// Whether the slot's magic works; fills the (empty) part of the table that is the slot's.
fn fill(slot: &MagicSlot, from: usize, steps: &[(i32, i32)], table: &mut [u64]) -> bool {
    for packed in 0..1 << slot.mask.count_ones() {
        let occupied = spread(packed, slot.mask);
        let attacks = slide(from, steps, occupied);
        let entry = &mut table[slot.index(occupied)];
        if *entry != 0 && *entry != attacks {
            return false;
        }
        *entry = attacks;
    }
    true
}

/// Finds magics by trial of sparse random numbers: the text of `tables/chess_magics.toml`.
pub fn find_magics() -> String {
    let mut random = Keys::new(1);
    let mut out = String::from(
        "# Multipliers that turn the occupancy of a slider's lines into a table index, one per square from a1.\n\
         # Found by `cargo run --release -p baize-codegen -- chess-magics`; every build verifies them.\n",
    );
    for (name, steps) in [("rook", &ROOK_STEPS), ("bishop", &BISHOP_STEPS)] {
        writeln!(out, "{name} = [").unwrap();
        for from in 0..64 {
            writeln!(out, "    \"{:#018x}\",", find_magic(from, steps, &mut random)).unwrap();
        }
        out.push_str("]\n");
    }
    out
}

fn find_magic(from: usize, steps: &[(i32, i32)], random: &mut Keys) -> u64 {
    let mask = relevant(from, steps);
    let bits = mask.count_ones();
    let mut table = vec![0; 1 << bits];
    loop {
        let magic = random.next() & random.next() & random.next();
        // A product that leaves the top bits empty cannot spread the occupancies.
        if (mask.wrapping_mul(magic) >> 56).count_ones() < 6 {
            continue;
        }
        table.fill(0);
        if fill(
            &MagicSlot {
                mask,
                magic,
                offset: 0,
                shift: 64 - bits,
            },
            from,
            steps,
            &mut table,
        ) {
            return magic;
        }
    }
}

/// The squares that a table holds for a square.
type SetOf<'a> = &'a dyn Fn(usize) -> u64;

/// The small tables, as Rust.
fn text(tables: &Path) -> Result<String, Problem> {
    let mut out = String::new();
    writeln!(
        out,
        "/// Entries of either slider table.\npub const SLIDER_ENTRIES: usize = {};",
        table_size()
    )
    .unwrap();
    writeln!(
        out,
        "/// Slots of rooks (0 to 63), then bishops.\npub static PEXT_SLOTS: [PextSlot; 128] = ["
    )
    .unwrap();
    for slot in pext_slots() {
        writeln!(out, "    {slot:?},").unwrap();
    }
    writeln!(
        out,
        "];\n/// Slots of rooks (0 to 63), then bishops.\npub static MAGIC_SLOTS: [MagicSlot; 128] = ["
    )
    .unwrap();
    for slot in magic_slots(tables)? {
        writeln!(out, "    {slot:?},").unwrap();
    }
    out.push_str("];\n");
    let sets: [(&str, &str, SetOf<'_>); 6] = [
        ("KNIGHT", "Squares that a knight attacks.", &|s| leap(s, &KNIGHT_STEPS)),
        ("KING", "Squares that a king attacks.", &|s| leap(s, &KING_STEPS)),
        ("WHITE_PAWN", "Squares that a white pawn attacks.", &|s| {
            leap(s, &[(-1, 1), (1, 1)])
        }),
        ("BLACK_PAWN", "Squares that a black pawn attacks.", &|s| {
            leap(s, &[(-1, -1), (1, -1)])
        }),
        ("ROOK_RAYS", "Files and ranks of a square on an empty board.", &|s| {
            slide(s, &ROOK_STEPS, 0)
        }),
        ("BISHOP_RAYS", "Diagonals of a square on an empty board.", &|s| {
            slide(s, &BISHOP_STEPS, 0)
        }),
    ];
    for (name, about, set) in sets {
        writeln!(out, "/// {about}\npub static {name}: [u64; 64] = [").unwrap();
        for from in 0..64 {
            writeln!(out, "    {:#018x},", set(from)).unwrap();
        }
        out.push_str("];\n");
    }
    Ok(out)
}

/// Keys of pieces, side, castling rights and en-passant files, and the cuckoo table made from them.
fn chess_keys(request: &Request<'_>) -> Result<(), Problem> {
    let mut random = Keys::new(keys::seed(request.tables, "chess")?);
    let pieces = random.pieces(12, 64, 64);
    let side = random.next();
    // One key per right, so that the key of a set of rights is the sum of its members' keys.
    let rights: Vec<u64> = (0..4).map(|_| random.next()).collect();
    let castling = (0..16usize)
        .map(|set| (0..4).filter(|r| set >> r & 1 != 0).fold(0, |key, r| key ^ rights[r]))
        .collect::<Vec<_>>();
    let ep: Vec<u64> = (0..8).map(|_| random.next()).collect();
    // Four more rows of zeros, so that an index of 4 bits is always inside.
    let rows = pieces.iter().flatten().copied().chain(std::iter::repeat_n(0, 4 * 64));
    write(request, "chess_zobrist.bin", bytes(rows))?;
    let table = keys::cuckoo(&reversible(&pieces, side), CUCKOO_BITS)
        .map_err(|e| Problem::new(request.tables.join("keys.toml"), e))?;
    write(request, "chess_cuckoo.bin", bytes(table.iter().map(|m| m.key)))?;
    let moves: Vec<u8> = table.iter().flat_map(|m| (m.from | m.to << 6).to_le_bytes()).collect();
    write(request, "chess_cuckoo_moves.bin", moves)?;
    let text = format!(
        "/// Key of the side to move, in it when Black is.\npub const SIDE: u64 = {side:#018x};\n\
         /// Keys of sets of castling rights.\npub static CASTLING: [u64; 16] = {castling:#018x?};\n\
         /// Keys of the file of an en-passant square.\npub static EP_FILE: [u64; 8] = {ep:#018x?};\n\
         /// Bits of an index into the cuckoo table.\npub const CUCKOO_BITS: u32 = {CUCKOO_BITS};\n"
    );
    write(request, "chess_keys.rs", text)
}

/// All moves of pieces other than pawns on an empty board, each pair of squares once, with what they change in the key.
fn reversible(pieces: &[Vec<u64>], side: u64) -> Vec<Reversible> {
    let attacks: [&dyn Fn(usize) -> u64; 5] = [
        &|s| leap(s, &KNIGHT_STEPS),
        &|s| slide(s, &BISHOP_STEPS, 0),
        &|s| slide(s, &ROOK_STEPS, 0),
        &|s| slide(s, &ROOK_STEPS, 0) | slide(s, &BISHOP_STEPS, 0),
        &|s| leap(s, &KING_STEPS),
    ];
    let mut moves = Vec::new();
    for (kind, attack) in attacks.iter().enumerate() {
        for color in 0..2 {
            let keys = &pieces[(kind + 1) * 2 + color];
            for from in 0..64 {
                for to in (from + 1..64).filter(|&to| attack(from) >> to & 1 != 0) {
                    moves.push(Reversible {
                        key: keys[from] ^ keys[to] ^ side,
                        from: from as u16,
                        to: to as u16,
                    });
                }
            }
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometry() {
        assert_eq!(table_size(), 102_400 + 5_248);
        assert_eq!(between(0, 7), 0x7e);
        assert_eq!(between(0, 10), 0);
        assert_eq!(line(9, 18), 0x8040_2010_0804_0201);
        assert_eq!(reversible(&vec![vec![0; 64]; 12], 0).len(), 3668);
    }

    #[test]
    fn spread_fills_the_mask() {
        assert_eq!(spread(0b101, 0b1110_0000), 0b1010_0000);
    }
}
