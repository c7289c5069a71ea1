//! Pawn structure: everything that depends on pawns alone, and the shelter of the kings. Cached by the pawn key.

use baize_hot::hot;

use super::super::super::board::{Bitboard, Color, Position, Square};
use super::super::super::eval::Tapered;
use super::super::PAWN;
use super::masks::{self, AHEAD, BESIDE, distance, edge, file, relative_rank};
use super::sink::{Sink, Sum};
use super::weights as w;

/// What is known of a pawn structure. Zeroed memory is the entry of a board without pawns whose shelter is not known.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub struct PawnEntry {
    key: u64,
    /// Passed pawns, by side.
    pub passed: [Bitboard; 2],
    /// Squares that a side's pawns attack or can attack later, by side.
    pub spans: [Bitboard; 2],
    /// Sum of the terms, White's view.
    score: Tapered,
    /// The kings' squares plus one that `shelter` and `danger` are for.
    kings: [u8; 2],
    /// Sum of the shelter terms, own view, and of its danger, by side.
    shelter: [Tapered; 2],
    danger: [i16; 2],
}

const ENTRIES: usize = 1 << 13;

/// A thread's cache of pawn structures.
pub struct EvalCache {
    entries: Box<[PawnEntry; ENTRIES]>,
}

impl EvalCache {
    /// # Errors
    /// When its memory cannot be had.
    pub fn new() -> Result<Self, String> {
        let mut entries = Vec::new();
        entries
            .try_reserve_exact(ENTRIES)
            .map_err(|e| format!("pawn cache: {e}"))?;
        entries.resize(ENTRIES, PawnEntry::default());
        let entries = entries
            .into_boxed_slice()
            .try_into()
            .map_err(|_| "pawn cache: wrong length".to_string())?;
        Ok(EvalCache { entries })
    }

    pub fn clear(&mut self) {
        self.entries.fill(PawnEntry::default());
    }

    /// The entry of the position's pawns, made if it is not there.
    #[hot]
    #[inline]
    fn entry(&mut self, pos: &Position) -> &mut PawnEntry {
        let key = pos.state.pawn_key;
        let entry = &mut self.entries[key as usize & (ENTRIES - 1)];
        if entry.key != key {
            let mut sum = Sum::default();
            *entry = structure(pos, &mut sum);
            entry.key = key;
            entry.score = sum.total;
        }
        entry
    }
}

/// Adds all pawn and shelter terms, as sums when there is a cache; returns passed pawns and spans by side.
#[hot]
#[inline]
pub fn evaluate<S: Sink>(
    pos: &Position,
    cache: Option<&mut EvalCache>,
    sink: &mut S,
) -> ([Bitboard; 2], [Bitboard; 2]) {
    let Some(cache) = cache else {
        let entry = structure(pos, sink);
        shelter::<0, S>(pos, sink);
        shelter::<1, S>(pos, sink);
        return (entry.passed, entry.spans);
    };
    let entry = cache.entry(pos);
    refresh_shelter::<0>(pos, entry);
    refresh_shelter::<1>(pos, entry);
    sink.add_sum(entry.score + entry.shelter[0] - entry.shelter[1]);
    sink.danger_sum::<0>(i32::from(entry.danger[0]));
    sink.danger_sum::<1>(i32::from(entry.danger[1]));
    (entry.passed, entry.spans)
}

/// Makes the entry's shelter that of the king where it stands now.
#[hot]
#[inline]
fn refresh_shelter<const US: usize>(pos: &Position, entry: &mut PawnEntry) {
    let king = pos.king(Color::new(US)).index() as u8 + 1;
    if entry.kings[US] != king {
        let mut sum = Sum::default();
        shelter::<US, Sum>(pos, &mut sum);
        entry.kings[US] = king;
        entry.shelter[US] = if US == 0 { sum.total } else { -sum.total };
        entry.danger[US] = sum.danger[US] as i16;
    }
}

#[hot]
fn structure<S: Sink>(pos: &Position, sink: &mut S) -> PawnEntry {
    let mut entry = PawnEntry::default();
    side::<0, 1, S>(pos, &mut entry, sink);
    side::<1, 0, S>(pos, &mut entry, sink);
    entry
}

#[hot]
fn side<const US: usize, const THEM: usize, S: Sink>(pos: &Position, entry: &mut PawnEntry, sink: &mut S) {
    let own = pos.pieces(Color::new(US), PAWN);
    let enemy = pos.pieces(Color::new(THEM), PAWN);
    let attacks = masks::pawn_attacks::<US>(own);
    let enemy_attacks = masks::pawn_attacks::<THEM>(enemy);
    let enemy_double = masks::pawn_double_attacks::<THEM>(enemy);
    entry.spans[US] = masks::pawn_attacks::<US>(masks::fill_up::<US>(own));
    for square in own {
        pawn::<US, THEM, S>(square, own, enemy, (attacks, enemy_attacks, enemy_double), entry, sink);
    }
    let files = masks::files_of(own);
    let islands = (files & !(files << 1)).count_ones() as i32;
    sink.add::<US>(w::PAWN_ISLANDS, islands);
}

#[hot]
#[inline]
fn pawn<const US: usize, const THEM: usize, S: Sink>(
    square: Square,
    own: Bitboard,
    enemy: Bitboard,
    (attacks, enemy_attacks, enemy_double): (Bitboard, Bitboard, Bitboard),
    entry: &mut PawnEntry,
    sink: &mut S,
) {
    let rank = relative_rank::<US>(square);
    let here = Bitboard::of(square);
    let beside = BESIDE[square.file()];
    let ahead = AHEAD[US][square.rank()];
    let own_file = file(square.file());
    let stop = masks::up::<US>(here);

    let neighbours = own & beside;
    let phalanx = neighbours & masks::rank::<US>(rank);
    let supported = attacks & here;
    let opposed = (enemy & own_file & ahead).any();
    let doubled = (own & own_file & ahead).any();
    let stoppers = enemy & ahead & (own_file | beside);
    let levers = masks::pawn_attacks::<US>(here) & enemy;
    let push_levers = masks::pawn_attacks::<US>(stop) & enemy;

    if doubled {
        sink.add::<US>(w::PAWN_DOUBLED, 1);
    }
    if phalanx.any() {
        sink.add::<US>(w::PAWN_PHALANX + rank, 1);
    }
    if supported.any() {
        sink.add::<US>(w::PAWN_SUPPORTED + rank, 1);
    }
    if levers.any() && rank >= 4 {
        sink.add::<US>(w::PAWN_LEVER, 1);
    }
    if neighbours.is_empty() {
        sink.add::<US>(w::PAWN_ISOLATED + edge(square.file()), 1);
        if !opposed {
            sink.add::<US>(w::PAWN_ISOLATED_OPEN, 1);
        }
    } else if neighbours.without(ahead).is_empty() && ((enemy_attacks & stop) | (enemy & stop)).any() {
        // Its neighbours have gone ahead, and it cannot follow.
        sink.add::<US>(w::PAWN_BACKWARD, 1);
        if !opposed {
            sink.add::<US>(w::PAWN_BACKWARD_OPEN, 1);
        }
    }
    if supported.is_empty() && (enemy_double & here).any() {
        sink.add::<US>(w::PAWN_ATTACKED_TWICE, 1);
    }

    // Passed: nothing can stop it but what it takes, or what its neighbours outnumber.
    let passed = !doubled
        && (stoppers == levers || (stoppers == levers | push_levers && phalanx.count() >= push_levers.count()));
    if passed {
        entry.passed[US] |= here;
        sink.add::<US>(w::PASSED_RANK + rank, 1);
        sink.add::<US>(w::PASSED_FILE + edge(square.file()), 1);
    } else if !opposed && !doubled {
        let helpers = neighbours.without(ahead);
        let guards = enemy & beside & ahead;
        if helpers.count() >= guards.count() {
            sink.add::<US>(w::PAWN_CANDIDATE + rank, 1);
        }
    }
}

/// Pawns before and against a king, where it stands.
#[hot]
fn shelter<const US: usize, S: Sink>(pos: &Position, sink: &mut S) {
    let king = pos.king(Color::new(US));
    let pawns = pos.kind(PAWN);
    let own = pawns & pos.side(Color::new(US));
    let enemy = pawns & pos.side(Color::new(1 - US));
    // The king's own rank counts as ahead of it.
    let ahead = AHEAD[US][king.rank()] | Bitboard(masks::RANK_1 << (8 * king.rank()));
    let center = king.file().clamp(1, 6);
    for f in center - 1..=center + 1 {
        let own_rank = nearest_rank::<US>(own & ahead & file(f));
        let enemy_rank = nearest_rank::<US>(enemy & ahead & file(f));
        let row = edge(f) * 7;
        sink.add::<US>(w::SHELTER + row + own_rank, 1);
        sink.danger::<US>(w::DANGER_SHELTER + own_rank, 1);
        if own_rank > 0 && own_rank + 1 == enemy_rank {
            sink.add::<US>(w::STORM_BLOCKED + enemy_rank, 1);
        } else {
            sink.add::<US>(w::STORM + row + enemy_rank, 1);
            sink.danger::<US>(w::DANGER_STORM + enemy_rank, 1);
        }
    }
    let on_file = file(king.file());
    if (own & on_file).is_empty() {
        sink.add::<US>(w::KING_OPEN_FILE + if (enemy & on_file).is_empty() { 2 } else { 1 }, 1);
    }
    sink.add::<US>(w::KING_PAWN_DISTANCE, nearest_step(king, own));
}

/// Steps from the king to the nearest of the pawns; 0 without one.
#[inline(always)]
fn nearest_step(king: Square, pawns: Bitboard) -> i32 {
    let mut nearest = 8;
    for square in pawns {
        nearest = nearest.min(distance(king, square));
    }
    nearest % 8
}

/// Rank (as the king's side counts) of the pawn nearest to the side's back rank; 0 without one.
#[inline(always)]
fn nearest_rank<const US: usize>(pawns: Bitboard) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    let square = if US == 0 { pawns.first() } else { pawns.last() };
    relative_rank::<US>(square).min(6)
}
