//! The transposition table at 64 MiB: probing and storing where caches do not help, with and without prefetching and
//! large pages.

use std::hint::black_box;

use baize::shared::memory::PageWish;
use baize::shared::tt::{Entry, TranspositionTable, TtBound};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

const MIB: usize = 64;
/// Keys per round: more clusters than a second-level cache holds.
const KEYS: usize = 1 << 16;
/// How far ahead a position's key is known: about one node's work.
const AHEAD: usize = 8;

fn keys() -> Vec<u64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    (0..KEYS).map(|_| random.next_u64()).collect()
}

fn entry(key: u64) -> Entry {
    let bound = TtBound::Lower;
    Entry {
        mv: key as u16 | 1,
        score: 31,
        eval: 17,
        depth: (key >> 32 & 15) as i32,
        bound,
        pv: false,
    }
}

fn table(wish: PageWish) -> TranspositionTable {
    TranspositionTable::with_pages(MIB, 1, wish).expect("64 MiB are there")
}

fn probing(c: &mut Criterion) {
    let keys = keys();
    let mut group = c.benchmark_group("tt");
    group.throughput(Throughput::Elements(KEYS as u64));
    for (pages, wish) in [("large", PageWish::Large), ("ordinary", PageWish::Ordinary)] {
        let tt = table(wish);
        group.bench_function(format!("probe, empty, {pages} pages"), |b| {
            b.iter(|| keys.iter().filter(|&&key| tt.probe(key).0.is_some()).count());
        });
        group.bench_function(format!("probe and store, {pages} pages"), |b| {
            b.iter(|| {
                for &key in &keys {
                    let (found, slot) = tt.probe(key);
                    black_box(found);
                    tt.store(slot, key, entry(key));
                }
            });
        });
        group.bench_function(format!("probe, all known, {pages} pages"), |b| {
            b.iter(|| {
                keys.iter()
                    .filter_map(|&key| tt.probe(key).0)
                    .map(|e| e.depth as i64)
                    .sum::<i64>()
            });
        });
        group.bench_function(format!("prefetch, probe and store, {pages} pages"), |b| {
            b.iter(|| {
                for (n, &key) in keys.iter().enumerate() {
                    tt.prefetch(keys[(n + AHEAD) % KEYS]);
                    let (found, slot) = tt.probe(key);
                    black_box(found);
                    tt.store(slot, key, entry(key));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, probing);
criterion_main!(benches);
