//! Xiangqi: attack tables of the 90 points and keys, as aligned bytes and a little Rust.

use std::fmt::Write;

use crate::keys::{self, Keys, bytes};
use crate::xiangqi_index::{
    FILE_ENTRIES, KING_SLOTS, LineSlot, NEIGHBOUR_SETS, POINT_SLOTS, RANK_ENTRIES, diagonal, king_pair, orthogonal,
};
use crate::{Problem, Request, write};

const POINTS: usize = 90;
const ORTHOGONAL: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Writes every xiangqi table.
pub fn generate(request: &Request<'_>) -> Result<(), Problem> {
    write(request, "xiangqi_ranks.bin", words32(&rank_table()))?;
    write(request, "xiangqi_files.bin", words128(&file_table()))?;
    write(
        request,
        "xiangqi_knight.bin",
        words128(&by_neighbours(orthogonal, &ORTHOGONAL, knight_from)),
    )?;
    write(
        request,
        "xiangqi_knight_to.bin",
        words128(&by_neighbours(diagonal, &DIAGONAL, knight_to)),
    )?;
    write(
        request,
        "xiangqi_bishop.bin",
        words128(&by_neighbours(diagonal, &DIAGONAL, bishop)),
    )?;
    write(request, "xiangqi_guard.bin", words128(&guard_table()))?;
    write(request, "xiangqi_tables.rs", text())?;
    xiangqi_keys(request)
}

fn words32(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn words128(words: &[u128]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn file(point: usize) -> i32 {
    point as i32 % 9
}

fn rank(point: usize) -> i32 {
    point as i32 / 9
}

/// The point `(file, rank)`, if on the board.
fn point(file: i32, rank: i32) -> Option<usize> {
    ((0..9).contains(&file) && (0..10).contains(&rank)).then_some((rank * 9 + file) as usize)
}

/// One step from a point.
fn step(from: usize, (df, dr): (i32, i32)) -> Option<usize> {
    point(file(from) + df, rank(from) + dr)
}

/// Whether a point lies in either palace.
fn in_palace(at: usize) -> bool {
    (3..=5).contains(&file(at)) && !(3..=6).contains(&rank(at))
}

/// Number of a palace point: 0 to 8 Red's, 9 to 17 Black's, from the left and from Red's side.
fn king_slot(at: usize) -> Option<usize> {
    let row = if rank(at) < 3 { rank(at) } else { rank(at) - 4 };
    in_palace(at).then_some((row * 3 + file(at) - 3) as usize)
}

/// What a rook attacks, or a cannon over one screen, on a line of `length` points with the given occupancy.
fn on_line(at: i32, length: i32, occupied: u32, screens: usize) -> u32 {
    let mut set = 0;
    for direction in [-1, 1] {
        let mut met = 0;
        let mut next = at + direction;
        while (0..length).contains(&next) {
            if met == screens {
                set |= 1 << next;
            }
            met += (occupied >> next & 1) as usize;
            if met > screens {
                break;
            }
            next += direction;
        }
    }
    set
}

/// Rook and cannon on a line from the occupancy of its inner points: what an end point holds changes nothing.
fn packed_line(at: i32, length: i32, inner: u32) -> u32 {
    on_line(at, length, inner << 1, 0) | on_line(at, length, inner << 1, 1) << 16
}

/// By file and inner points of the rank: a rook's attacks along the rank, a cannon's 16 bits above.
fn rank_table() -> Vec<u32> {
    let mut table = vec![0; RANK_ENTRIES];
    for at in 0..POINTS {
        for inner in 0..128u128 {
            let occupied = inner << (rank(at) * 9 + 1);
            table[line_slot(at).rank_index(occupied)] = packed_line(file(at), 9, inner as u32);
        }
    }
    table
}

/// By rank and inner points of the file: the attacks of a rook, then of a cannon, along the file, laid out on the first file.
/// Both ways to pack the file must give one index.
fn file_table() -> Vec<u128> {
    let spread = |bits: u32| {
        (0..10)
            .filter(|r| bits >> r & 1 != 0)
            .fold(0u128, |set, r| set | 1 << (9 * r))
    };
    let mut table = vec![0; 2 * FILE_ENTRIES];
    for at in 0..POINTS {
        let slot = line_slot(at);
        for inner in 0..256usize {
            let index = slot.file_index(inner);
            let occupied = spread((inner << 1) as u32) << file(at);
            assert_eq!(
                slot.file_index_by_magic(occupied),
                index,
                "the multiplier of point {at} does not gather its file"
            );
            let attacks = packed_line(rank(at), 10, inner as u32);
            table[2 * index] = spread(attacks & 0xffff);
            table[2 * index + 1] = spread(attacks >> 16);
        }
    }
    table
}

/// A table by point and occupancy of four of its neighbours.
fn by_neighbours(
    index: fn(usize, u128) -> usize,
    neighbours: &[(i32, i32); 4],
    attacks: fn(usize, u128) -> u128,
) -> Vec<u128> {
    let mut table = vec![0; POINT_SLOTS * NEIGHBOUR_SETS];
    for from in 0..POINTS {
        for set in 0..16usize {
            let chosen = (0..4)
                .filter(|n| set >> n & 1 != 0)
                .filter_map(|n| step(from, neighbours[n]));
            let occupied = chosen.fold(0u128, |o, at| o | 1 << at);
            // Neighbours that are not on the board can look occupied: every set that equals this one on the board.
            let mut row = [0usize; 16];
            for (noise, slot) in row.iter_mut().enumerate() {
                *slot = index(from, occupied | outside(from, neighbours, noise));
            }
            for slot in row {
                table[slot] = attacks(from, occupied);
            }
        }
    }
    table
}

/// Bits that the index function takes for neighbours though they are not: those beyond the board's left and right edges.
fn outside(from: usize, neighbours: &[(i32, i32); 4], chosen: usize) -> u128 {
    let mut set = 0;
    for (n, &(df, dr)) in neighbours.iter().enumerate() {
        let at = from as i32 + df + 9 * dr;
        if chosen >> n & 1 != 0 && step(from, (df, dr)).is_none() && (0..POINTS as i32).contains(&at) {
            set |= 1 << at;
        }
    }
    set
}

/// The eight jumps of a knight: its leg and its target.
fn jumps(from: usize) -> impl Iterator<Item = (usize, usize)> {
    ORTHOGONAL.into_iter().flat_map(move |(df, dr)| {
        [-1, 1].into_iter().filter_map(move |side| {
            let target = step(from, if df == 0 { (side, 2 * dr) } else { (2 * df, side) })?;
            Some((step(from, (df, dr))?, target))
        })
    })
}

fn knight_from(from: usize, occupied: u128) -> u128 {
    jumps(from)
        .filter(|(leg, _)| occupied >> leg & 1 == 0)
        .fold(0, |set, (_, to)| set | 1 << to)
}

/// Points from which a knight attacks `to`.
fn knight_to(to: usize, occupied: u128) -> u128 {
    (0..POINTS)
        .filter(|&from| jumps(from).any(|(leg, target)| target == to && occupied >> leg & 1 == 0))
        .fold(0, |set, from| set | 1 << from)
}

fn bishop(from: usize, occupied: u128) -> u128 {
    let mut set = 0;
    for (df, dr) in DIAGONAL {
        let Some(eye) = step(from, (df, dr)) else { continue };
        let Some(to) = step(eye, (df, dr)) else { continue };
        if occupied >> eye & 1 == 0 && (rank(from) < 5) == (rank(to) < 5) {
            set |= 1 << to;
        }
    }
    set
}

/// Palace steps that stay in the palace.
fn palace(from: usize, steps: &[(i32, i32); 4]) -> u128 {
    if !in_palace(from) {
        return 0;
    }
    steps
        .iter()
        .filter_map(|&s| step(from, s))
        .filter(|&to| in_palace(to))
        .fold(0, |set, to| set | 1 << to)
}

/// What a pawn of a side attacks.
fn pawn(from: usize, black: bool) -> u128 {
    let (ahead, crossed) = if black {
        (-1, rank(from) < 5)
    } else {
        (1, rank(from) >= 5)
    };
    let steps = [(0, ahead), (-1, 0), (1, 0)];
    let count = if crossed { 3 } else { 1 };
    steps[..count]
        .iter()
        .filter_map(|&s| step(from, s))
        .fold(0, |set, to| set | 1 << to)
}

/// Points from which a pawn of a side attacks `to`.
fn pawn_to(to: usize, black: bool) -> u128 {
    (0..POINTS)
        .filter(|&from| pawn(from, black) >> to & 1 != 0)
        .fold(0, |set, from| set | 1 << from)
}

/// By palace point and enemy piece: the points whose occupancy decides whether the piece attacks the king there. On a line those
/// between the two, for a knight its leg.
fn guard_table() -> Vec<u128> {
    let mut table = vec![0; KING_SLOTS * POINT_SLOTS];
    for king in 0..POINTS {
        let Some(slot) = king_slot(king) else { continue };
        for from in 0..POINTS {
            let leg = jumps(from).find(|&(_, to)| to == king).map(|(leg, _)| 1u128 << leg);
            table[king_pair(slot, from)] = leg.unwrap_or_else(|| between(king, from));
        }
    }
    table
}

/// Points strictly between two points of a rank or file; none otherwise.
fn between(a: usize, b: usize) -> u128 {
    let (df, dr) = (file(b) - file(a), rank(b) - rank(a));
    if (df == 0) == (dr == 0) {
        return 0;
    }
    let direction = (df.signum(), dr.signum());
    let mut set = 0;
    let mut at = a;
    while let Some(next) = step(at, direction).filter(|&n| n != b) {
        set |= 1 << next;
        at = next;
    }
    set
}

/// All points of the rank and the file, without the point itself.
fn lines(at: usize) -> u128 {
    (0..POINTS)
        .filter(|&p| p != at && (file(p) == file(at) || rank(p) == rank(at)))
        .fold(0, |set, p| set | 1 << p)
}

fn line_slot(at: usize) -> LineSlot {
    let f = file(at) as usize;
    let inner = (1..9).fold(0u128, |set, r| set | 1 << (9 * r + f));
    LineSlot {
        file_low: inner as u64,
        file_high: (inner >> 64) as u64,
        // Rank r, at bit 9r + f, is to come to bit 119 + r. Products that meet no such bit differ from it by multiples of 8.
        magic: (1..9).fold(0u128, |set, r| set | 1 << (119 - 8 * r - f)),
        inner_low: (inner as u64).count_ones() as u8,
        rank: (rank(at) * 9) as u8,
        file: f as u8,
        rank_base: (f << 7) as u16,
        file_base: ((rank(at) as usize) << 8) as u16,
    }
}

/// A table of sets: its name, its meaning, the set of a point.
type NamedSets<'a> = (&'a str, &'a str, &'a dyn Fn(usize) -> u128);

/// The small tables, as Rust.
fn text() -> String {
    let mut out =
        String::from("/// What the line look-ups know of each point.\npub static LINE_SLOTS: [LineSlot; 128] = [\n");
    for at in 0..POINT_SLOTS {
        writeln!(out, "    {:?},", line_slot(at.min(POINTS - 1))).unwrap();
    }
    out.push_str("];\n/// Number of a palace point, 0 elsewhere.\npub static KING_SLOT: [u8; 128] = [\n");
    for at in 0..POINT_SLOTS {
        write!(out, "{}, ", if at < POINTS { king_slot(at).unwrap_or(0) } else { 0 }).unwrap();
    }
    out.push_str("];\n");
    let sets: [NamedSets; 9] = [
        ("RED_PAWN", "Points that a red pawn attacks.", &|p| pawn(p, false)),
        ("BLACK_PAWN", "Points that a black pawn attacks.", &|p| pawn(p, true)),
        ("RED_PAWN_TO", "Points from which a red pawn attacks the point.", &|p| {
            pawn_to(p, false)
        }),
        (
            "BLACK_PAWN_TO",
            "Points from which a black pawn attacks the point.",
            &|p| pawn_to(p, true),
        ),
        ("KING", "Points that a king attacks.", &|p| palace(p, &ORTHOGONAL)),
        ("ADVISOR", "Points that an advisor attacks.", &|p| palace(p, &DIAGONAL)),
        (
            "KNIGHT_NEAR",
            "Points from which a knight attacks the point when no leg is blocked.",
            &|p| knight_to(p, 0),
        ),
        ("RANK_AND_FILE", "The rank and the file of a point, without it.", &lines),
        ("FILE_OF", "The file of a point, without it.", &|p| {
            lines(p) & (0..10).fold(0u128, |set, r| set | 1 << (9 * r + file(p) as usize))
        }),
    ];
    for (name, about, set) in sets {
        writeln!(out, "/// {about}\npub static {name}: [u128; 128] = [").unwrap();
        for at in 0..POINT_SLOTS {
            writeln!(out, "    {:#x},", if at < POINTS { set(at) } else { 0 }).unwrap();
        }
        out.push_str("];\n");
    }
    out
}

/// Keys of pieces and of the side to move.
fn xiangqi_keys(request: &Request<'_>) -> Result<(), Problem> {
    let mut random = Keys::new(keys::seed(request.tables, "xiangqi")?);
    let pieces = random.pieces(14, POINTS, POINT_SLOTS);
    let side = random.next();
    // Two more rows of zeros, so that an index of 4 bits is always inside.
    let rows = pieces
        .iter()
        .flatten()
        .copied()
        .chain(std::iter::repeat_n(0, 2 * POINT_SLOTS));
    write(request, "xiangqi_zobrist.bin", bytes(rows))?;
    let text = format!("/// Key of the side to move, in it when Black is.\npub const SIDE: u64 = {side:#018x};\n");
    write(request, "xiangqi_keys.rs", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_beyond_an_edge_do_not_matter() {
        let table = by_neighbours(orthogonal, &ORTHOGONAL, knight_from);
        let everywhere = (1u128 << 90) - 1;
        for from in 0..POINTS {
            let legs = ORTHOGONAL
                .iter()
                .filter_map(|&s| step(from, s))
                .fold(0u128, |set, leg| set | 1 << leg);
            assert_eq!(table[orthogonal(from, everywhere & !legs)], knight_from(from, 0));
        }
    }

    #[test]
    fn geometry() {
        assert_eq!((0..POINTS).filter(|&p| king_slot(p).is_some()).count(), 18);
        assert_eq!(on_line(0, 9, 0b1_0010_0100, 1), 0b0_0011_1000);
        assert_eq!(knight_from(0, 0).count_ones(), 2);
        assert_eq!(between(4, 85).count_ones(), 8);
    }
}
