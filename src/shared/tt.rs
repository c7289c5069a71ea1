//! The transposition table: lockless, a cluster of six entries per cache line.
//!
//! An entry is 64 bits of data and a 21-bit check of its key. Data and check are separate relaxed atomics, so a race of
//! two writers can pair the data of one position with the check of another. That is harmless by contract: every bit
//! pattern decodes to an entry in range, and the search takes a move from here only after checking it on its board.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use super::memory::{HugeSlice, MemoryError, PageKind, PageWish, in_parallel};

/// Entries per cluster.
const WAYS: usize = 6;

/// The least depth that can be stored; the greatest is 255 more.
pub const MIN_DEPTH: i32 = -10;
/// The greatest depth that can be stored.
pub const MAX_DEPTH: i32 = MIN_DEPTH + 255;

/// Generations run from 1 to this and round again; 0 marks an empty entry.
const GENERATIONS: u32 = 31;

/// What a search's age costs an entry, in plies of depth, when one must go.
const AGE_COST: i32 = 8;
/// An entry of the same position survives a bound this many plies shallower, counting a principal variation twice.
const KEEP_MARGIN: i32 = 4;

/// Clusters that `hashfull` looks at: about a thousand entries.
const SAMPLE: usize = 1000usize.div_ceil(WAYS);

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum TtBound {
    /// Nothing: only the evaluation or the move is of use.
    None = 0,
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    Exact = 3,
}

impl TtBound {
    #[inline(always)]
    const fn from_bits(bits: u64) -> TtBound {
        match bits & 3 {
            0 => TtBound::None,
            1 => TtBound::Upper,
            2 => TtBound::Lower,
            _ => TtBound::Exact,
        }
    }
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, 0 if none is known.
    pub mv: u16,
    /// As given to `store`: the search converts mates by ply. Fits in 16 bits.
    pub score: i32,
    /// The static evaluation, or the caller's word for none. Fits in 16 bits.
    pub eval: i32,
    /// `MIN_DEPTH..=MAX_DEPTH`.
    pub depth: i32,
    pub bound: TtBound,
    /// The position was part of a principal variation.
    pub pv: bool,
}

/// Where a position's cluster is; from `probe`, for `store`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(usize);

// Layout of an entry's data, from bit 0: move 16, score 16, eval 16, depth 8, bound 2, pv 1, generation 5.
const SCORE_SHIFT: u32 = 16;
const EVAL_SHIFT: u32 = 32;
const DEPTH_SHIFT: u32 = 48;
const BOUND_SHIFT: u32 = 56;
const PV_SHIFT: u32 = 58;
const GENERATION_SHIFT: u32 = 59;

#[inline(always)]
fn encode(entry: &Entry, generation: u32) -> u64 {
    let depth = (entry.depth.clamp(MIN_DEPTH, MAX_DEPTH) - MIN_DEPTH) as u64;
    entry.mv as u64
        | (entry.score as u16 as u64) << SCORE_SHIFT
        | (entry.eval as u16 as u64) << EVAL_SHIFT
        | depth << DEPTH_SHIFT
        | (entry.bound as u64) << BOUND_SHIFT
        | (entry.pv as u64) << PV_SHIFT
        | (generation as u64) << GENERATION_SHIFT
}

#[inline(always)]
fn decode(data: u64) -> Entry {
    Entry {
        mv: data as u16,
        score: (data >> SCORE_SHIFT) as i16 as i32,
        eval: (data >> EVAL_SHIFT) as i16 as i32,
        depth: depth_of(data),
        bound: TtBound::from_bits(data >> BOUND_SHIFT),
        pv: data >> PV_SHIFT & 1 != 0,
    }
}

#[inline(always)]
fn depth_of(data: u64) -> i32 {
    (data >> DEPTH_SHIFT) as u8 as i32 + MIN_DEPTH
}

#[inline(always)]
fn generation_of(data: u64) -> u32 {
    (data >> GENERATION_SHIFT) as u32
}

/// Searches since the entry was written, counted round the ring of generations.
#[inline(always)]
fn age_of(data: u64, generation: u32) -> u32 {
    (generation + GENERATIONS - generation_of(data)) % GENERATIONS
}

/// One cache line.
#[repr(C, align(64))]
#[derive(Zeroable)]
struct Cluster {
    data: [AtomicU64; WAYS],
    /// Low 16 bits of the key.
    checks: [AtomicU16; WAYS],
    /// The next five bits of each key, five bits an entry.
    more: AtomicU32,
}

const _: () = assert!(size_of::<Cluster>() == 64);

const MORE_BITS: u32 = 5;
const MORE_MASK: u32 = (1 << MORE_BITS) - 1;

#[inline(always)]
fn check_of(key: u64) -> u16 {
    key as u16
}

#[inline(always)]
fn more_of(key: u64) -> u32 {
    (key >> 16) as u32 & MORE_MASK
}

impl Cluster {
    /// The way that holds this key, and its data.
    #[inline(always)]
    fn find(&self, key: u64) -> Option<(usize, u64)> {
        for way in 0..WAYS {
            if self.checks[way].load(Relaxed) == check_of(key) {
                let data = self.data[way].load(Relaxed);
                let more = self.more.load(Relaxed) >> (way as u32 * MORE_BITS) & MORE_MASK;
                if more == more_of(key) && generation_of(data) != 0 {
                    return Some((way, data));
                }
            }
        }
        None
    }

    /// The way that is missed least: an empty one, else the shallowest and oldest.
    #[inline(always)]
    fn victim(&self, generation: u32) -> usize {
        let mut victim = 0;
        let mut least = i32::MAX;
        for way in 0..WAYS {
            let data = self.data[way].load(Relaxed);
            if generation_of(data) == 0 {
                return way;
            }
            let worth = depth_of(data) - AGE_COST * age_of(data, generation) as i32;
            if worth < least {
                least = worth;
                victim = way;
            }
        }
        victim
    }

    /// Two threads that do this at once may lose one of the two updates: that entry is not found again, no more.
    #[inline(always)]
    fn write(&self, way: usize, key: u64, data: u64) {
        let shift = way as u32 * MORE_BITS;
        let more = self.more.load(Relaxed) & !(MORE_MASK << shift) | more_of(key) << shift;
        self.more.store(more, Relaxed);
        self.checks[way].store(check_of(key), Relaxed);
        self.data[way].store(data, Relaxed);
    }

    fn clear(&self) {
        for way in 0..WAYS {
            self.data[way].store(0, Relaxed);
            self.checks[way].store(0, Relaxed);
        }
        self.more.store(0, Relaxed);
    }
}

/// The table, shared by all threads of a search.
pub struct TranspositionTable {
    clusters: HugeSlice<Cluster>,
    /// `1..=GENERATIONS`, written between searches only.
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of `mib` MiB (at least one) on the largest pages to be had, zeroed by `threads` threads.
    ///
    /// # Errors
    /// The memory is not there.
    pub fn new(mib: usize, threads: usize) -> Result<Self, MemoryError> {
        TranspositionTable::with_pages(mib, threads, PageWish::Large)
    }

    /// As `new`, with a say in the pages (`Large Pages`).
    ///
    /// # Errors
    /// The memory is not there.
    pub fn with_pages(mib: usize, threads: usize, wish: PageWish) -> Result<Self, MemoryError> {
        let per_mib = (1 << 20) / size_of::<Cluster>();
        let clusters = mib.max(1).checked_mul(per_mib).ok_or(MemoryError::Size)?;
        Ok(TranspositionTable {
            clusters: HugeSlice::zeroed(clusters, threads, wish)?,
            generation: AtomicU8::new(1),
        })
    }

    /// Gives the table another size (and other pages); what it held is forgotten. If both sizes do not fit into memory
    /// side by side, the old one is let go first.
    ///
    /// # Errors
    /// The memory is not there: the size stays as it was (see `mib`).
    pub fn resize(&mut self, mib: usize, threads: usize, wish: PageWish) -> Result<(), MemoryError> {
        let error = match TranspositionTable::with_pages(mib, threads, wish) {
            Ok(table) => {
                *self = table;
                return Ok(());
            }
            Err(error) => error,
        };
        let (old_mib, old_bytes) = (self.mib(), self.clusters.len() * size_of::<Cluster>());
        if !error.solved_by(old_bytes as u64) {
            return Err(error);
        }
        *self = TranspositionTable::with_pages(1, 1, wish)?;
        match TranspositionTable::with_pages(mib, threads, wish) {
            Ok(table) => {
                *self = table;
                Ok(())
            }
            Err(error) => {
                // What has just been freed can be had again, unless somebody else was quicker: then 1 MiB is left.
                if let Ok(table) = TranspositionTable::with_pages(old_mib, threads, wish) {
                    *self = table;
                }
                Err(error)
            }
        }
    }

    /// The size in MiB.
    pub fn mib(&self) -> usize {
        (self.clusters.len() * size_of::<Cluster>()) >> 20
    }

    /// What backs the table now; slow.
    pub fn pages(&self) -> PageKind {
        self.clusters.pages()
    }

    /// The high half of key times length: even for every length, and independent of the low bits that are the check.
    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((key as u128 * self.clusters.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    fn generation(&self) -> u32 {
        self.generation.load(Relaxed) as u32
    }

    /// Asks for the cluster of `key` ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        crate::cpu::prefetch(self.clusters.as_ptr().wrapping_add(self.index(key)));
    }

    /// What is known of the position with this key, and where to store more.
    #[inline(always)]
    pub fn probe(&self, key: u64) -> (Option<Entry>, Slot) {
        let slot = self.index(key);
        // SAFETY: key < 2^64, so key * len / 2^64 < len.
        let cluster = unsafe { self.clusters.get_unchecked(slot) };
        (cluster.find(key).map(|(_, data)| decode(data)), Slot(slot))
    }

    /// Stores what was found. An old move of the same position is kept when there is no new one; a much deeper entry
    /// of the same search is kept but for its move. Not inlined by force: a copy has many places that store.
    #[inline]
    pub fn store(&self, slot: Slot, key: u64, entry: Entry) {
        debug_assert!(entry.score == entry.score as i16 as i32 && entry.eval == entry.eval as i16 as i32);
        let Some(cluster) = self.clusters.get(slot.0) else {
            return;
        };
        let generation = self.generation();
        let Some((way, old)) = cluster.find(key) else {
            return cluster.write(cluster.victim(generation), key, encode(&entry, generation));
        };
        let mv = if entry.mv != 0 { entry.mv } else { old as u16 };
        let deep_enough = entry.depth + 2 * entry.pv as i32 > depth_of(old) - KEEP_MARGIN;
        let fresh = entry.bound == TtBound::Exact || deep_enough || generation_of(old) != generation;
        let data = if fresh { encode(&entry, generation) } else { old };
        cluster.data[way].store(data & !0xffff | mv as u64, Relaxed);
    }

    /// Tells the table that a new search begins: what is there is one search older.
    pub fn new_search(&self) {
        let next = self.generation() % GENERATIONS + 1;
        self.generation.store(next as u8, Relaxed);
    }

    /// Thousandths of the table written by this search, from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let sample = &self.clusters[..SAMPLE.min(self.clusters.len())];
        let used = |c: &Cluster| {
            c.data
                .iter()
                .filter(|d| generation_of(d.load(Relaxed)) == generation)
                .count()
        };
        let written: usize = sample.iter().map(used).sum();
        (written * 1000 / (sample.len() * WAYS)) as u32
    }

    /// Forgets everything, with `threads` threads.
    pub fn clear(&self, threads: usize) {
        let part = self.clusters.len().div_ceil(threads.max(1));
        in_parallel(self.clusters.chunks(part), |part| part.iter().for_each(Cluster::clear));
        self.generation.store(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{RngCore, SeedableRng};

    fn table() -> TranspositionTable {
        TranspositionTable::new(1, 1).expect("1 MiB is there")
    }

    fn entry(mv: u16, depth: i32) -> Entry {
        Entry {
            mv,
            score: 12,
            eval: -7,
            depth,
            bound: TtBound::Lower,
            pv: false,
        }
    }

    fn put(tt: &TranspositionTable, key: u64, entry: Entry) {
        let (_, slot) = tt.probe(key);
        tt.store(slot, key, entry);
    }

    /// Keys of one cluster, told apart by their checks.
    fn key_in_first_cluster(n: u64) -> u64 {
        n + 1
    }

    #[test]
    fn extremes_survive() {
        let tt = table();
        let mut key = 0x9e37_79b9_7f4a_7c15u64;
        for score in [-32768, -32002, -1, 0, 1, 32002, 32767] {
            for depth in [MIN_DEPTH, -1, 0, 1, MAX_DEPTH] {
                for bound in [TtBound::None, TtBound::Upper, TtBound::Lower, TtBound::Exact] {
                    for (mv, pv) in [(0, false), (u16::MAX, true)] {
                        let entry = Entry {
                            mv,
                            score,
                            eval: -score.max(-32767),
                            depth,
                            bound,
                            pv,
                        };
                        put(&tt, key, entry);
                        assert_eq!(tt.probe(key).0, Some(entry));
                        key = key.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    }
                }
            }
        }
    }

    #[test]
    fn depth_beyond_the_range_is_clamped() {
        let tt = table();
        put(&tt, 1, entry(1, 1000));
        assert_eq!(tt.probe(1).0.map(|e| e.depth), Some(MAX_DEPTH));
    }

    #[test]
    fn an_empty_table_knows_nothing() {
        let tt = table();
        assert_eq!(tt.probe(0).0, None, "the key whose check is that of an empty entry");
        assert_eq!(tt.hashfull(), 0);
    }

    #[test]
    fn the_first_and_last_key_have_a_cluster() {
        let tt = table();
        for key in [0, u64::MAX] {
            put(&tt, key, entry(3, 3));
            assert_eq!(tt.probe(key).0, Some(entry(3, 3)));
        }
        assert_eq!(tt.probe(u64::MAX).1, Slot(tt.clusters.len() - 1));
    }

    #[test]
    fn a_known_move_outlives_an_entry_without_one() {
        let tt = table();
        put(&tt, 5, entry(77, 3));
        put(&tt, 5, entry(0, 9));
        assert_eq!(tt.probe(5).0, Some(entry(77, 9)));
    }

    #[test]
    fn a_much_deeper_entry_stays_within_a_search() {
        let tt = table();
        put(&tt, 5, entry(77, 12));
        put(&tt, 5, entry(78, 8));
        assert_eq!(tt.probe(5).0, Some(entry(78, 12)), "only the move is newer");
        put(&tt, 5, entry(79, 9));
        assert_eq!(tt.probe(5).0, Some(entry(79, 9)));
        put(
            &tt,
            5,
            Entry {
                bound: TtBound::Exact,
                ..entry(80, 1)
            },
        );
        assert_eq!(tt.probe(5).0.map(|e| e.depth), Some(1));
        put(&tt, 5, entry(81, 12));
        tt.new_search();
        put(&tt, 5, entry(82, 1));
        assert_eq!(tt.probe(5).0, Some(entry(82, 1)));
    }

    #[test]
    fn the_shallowest_goes_first_and_age_counts_as_depth() {
        let tt = table();
        for n in 0..WAYS as u64 {
            put(&tt, key_in_first_cluster(n), entry(1, 20 + n as i32));
        }
        put(&tt, key_in_first_cluster(6), entry(2, 5));
        assert_eq!(tt.probe(key_in_first_cluster(0)).0, None, "depth 20 was the least");
        for _ in 0..3 {
            tt.new_search();
        }
        put(&tt, key_in_first_cluster(7), entry(3, 3));
        assert_eq!(tt.probe(key_in_first_cluster(6)).0, None, "depth 5, three searches old");
        put(&tt, key_in_first_cluster(8), entry(3, 1));
        assert!(
            tt.probe(key_in_first_cluster(7)).0.is_some(),
            "depth 3 and new beats depth 21 less 24"
        );
        assert_eq!(tt.probe(key_in_first_cluster(1)).0, None);
    }

    #[test]
    fn generations_go_round_without_marking_entries_empty() {
        let tt = table();
        for n in 0..3 * GENERATIONS as u64 {
            put(&tt, n << 16 | 9, entry(4, 4));
            assert!(tt.probe(n << 16 | 9).0.is_some());
            assert!((1..=GENERATIONS).contains(&tt.generation()));
            tt.new_search();
        }
        assert_eq!(age_of(encode(&entry(0, 0), 31), 1), 1);
        assert_eq!(age_of(encode(&entry(0, 0), 7), 7), 0);
        assert_eq!(age_of(encode(&entry(0, 0), 2), 1), 30);
    }

    #[test]
    fn hashfull_counts_this_search() {
        let tt = table();
        for cluster in 0..tt.clusters.len() as u64 {
            let high = (cluster << (64 - 14)) | (1 << 40);
            for n in 0..3 {
                put(&tt, high | n, entry(1, 1));
            }
        }
        assert_eq!(tt.hashfull(), 500);
        tt.new_search();
        assert_eq!(tt.hashfull(), 0);
        tt.clear(2);
        assert_eq!(tt.probe(1 << 40).0, None);
    }

    #[test]
    fn five_more_bits_tell_keys_apart() {
        let tt = table();
        put(&tt, 0x0000_1234, entry(1, 1));
        for more in 1..32u64 {
            assert_eq!(tt.probe(more << 16 | 0x1234).0, None);
        }
    }

    #[test]
    fn a_table_can_be_resized_and_a_failure_keeps_it() {
        let mut tt = table();
        put(&tt, 5, entry(1, 1));
        assert!(tt.resize(1 << 26, 2, PageWish::Large).is_err(), "64 TiB");
        assert_eq!(tt.mib(), 1);
        assert!(tt.probe(5).0.is_some());
        assert!(tt.resize(usize::MAX, 2, PageWish::Large).is_err());
        assert_eq!(tt.resize(3, 2, PageWish::Ordinary), Ok(()));
        assert_eq!((tt.mib(), tt.pages()), (3, PageKind::Ordinary));
        assert_eq!(tt.probe(5).0, None);
    }

    #[test]
    fn threads_that_hammer_one_cluster_do_no_harm() {
        let tt = table();
        in_parallel(0..4u64, |seed| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            for _ in 0..100_000 {
                let key = random.next_u64() & 0x1f_ffff;
                let (found, slot) = tt.probe(key);
                if let Some(found) = found {
                    assert!((MIN_DEPTH..=MAX_DEPTH).contains(&found.depth));
                }
                let depth = (key & 0xff) as i32 + MIN_DEPTH;
                tt.store(
                    slot,
                    key,
                    Entry {
                        depth,
                        ..entry(key as u16, 0)
                    },
                );
            }
        });
        // After the race, single-threaded use is exact again.
        put(
            &tt,
            3,
            Entry {
                bound: TtBound::Exact,
                ..entry(3, 3)
            },
        );
        assert_eq!(tt.probe(3).0.map(|e| e.mv), Some(3));
    }
}
