//! Threads and memory behind a session: made when first needed, made anew when options ask for it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::engine::{Counter, EngineCopy, Game, Job, Shared};
use crate::options::Options;
use crate::shared::memory::{PageKind, PageWish};
use crate::shared::pool::{Finished, Pool};
use crate::shared::tt::TranspositionTable;

/// What a session searches with.
pub struct Host {
    copy: &'static EngineCopy,
    live: Option<Live>,
}

struct Live {
    made: Wanted,
    pool: Pool,
    shared: Arc<Shared>,
}

/// What options say of threads and memory.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Wanted {
    game: Game,
    threads: usize,
    hash_mib: usize,
    pages: PageWish,
}

impl Wanted {
    fn of(options: &Options) -> Wanted {
        Wanted {
            game: options.game,
            threads: options.threads,
            hash_mib: options.hash_mib,
            pages: if options.large_pages {
                PageWish::Large
            } else {
                PageWish::Ordinary
            },
        }
    }
}

impl Host {
    pub fn new(copy: &'static EngineCopy) -> Host {
        Host { copy, live: None }
    }

    /// Makes threads and memory what the options say; no search may be running. What cannot be had is told, and the
    /// options are put back to what there is.
    pub fn prepare(&mut self, options: &mut Options) -> Vec<String> {
        let wanted = Wanted::of(options);
        let mut complaints = Vec::new();
        match &mut self.live {
            Some(live) if live.made == wanted => return complaints,
            Some(live) => live.change(self.copy, wanted, &mut complaints),
            None => self.live = Live::make(self.copy, wanted, &mut complaints),
        }
        if let Some(live) = &self.live {
            options.game = live.made.game;
            options.threads = live.made.threads;
            options.hash_mib = live.made.hash_mib;
            options.large_pages = live.made.pages == PageWish::Large;
        }
        complaints
    }

    /// What searches share, once there is memory for it.
    pub fn shared(&self) -> Option<&Arc<Shared>> {
        self.live.as_ref().map(|live| &live.shared)
    }

    /// Forgets table and histories.
    pub fn clear(&mut self) {
        if let Some(live) = &self.live {
            live.shared.tt.clear(live.made.threads);
            live.pool.clear();
        }
    }

    /// Forgets the table.
    pub fn clear_table(&mut self) {
        if let Some(live) = &self.live {
            live.shared.tt.clear(live.made.threads);
        }
    }

    /// Starts a search made for what `shared` gave; `done` is called on a thread of the pool.
    pub fn start(&self, job: Arc<Job>, done: impl FnOnce(Finished) + Send + 'static) {
        let Some(live) = &self.live else { return };
        live.shared.stop.store(false, Ordering::Relaxed);
        for counter in &live.shared.counters {
            counter.nodes.store(0, Ordering::Relaxed);
            counter.tb_hits.store(0, Ordering::Relaxed);
        }
        live.shared.tt.new_search();
        live.pool.start(job, done);
    }

    /// Waits for the end of a search that has called `done`.
    pub fn rest(&self) {
        if let Some(live) = &self.live {
            live.pool.wait();
        }
    }

    /// What backs the table, if there is one.
    pub fn table_pages(&self) -> Option<(usize, PageKind)> {
        self.live
            .as_ref()
            .map(|live| (live.made.hash_mib, live.shared.tt.pages()))
    }
}

impl Live {
    /// Everything new; where memory is short, with less of it.
    fn make(copy: &'static EngineCopy, wanted: Wanted, complaints: &mut Vec<String>) -> Option<Live> {
        let attempts = [
            wanted,
            Wanted {
                hash_mib: wanted.hash_mib.min(16),
                ..wanted
            },
            Wanted {
                hash_mib: 1,
                threads: 1,
                ..wanted
            },
        ];
        let mut tried: Option<Wanted> = None;
        for attempt in attempts {
            if tried == Some(attempt) {
                continue;
            }
            tried = Some(attempt);
            match Live::try_make(copy, attempt) {
                Ok(live) => return Some(live),
                Err(problem) => complaints.push(problem),
            }
        }
        None
    }

    fn try_make(copy: &'static EngineCopy, made: Wanted) -> Result<Live, String> {
        let game = copy
            .game(made.game)
            .ok_or_else(|| format!("this build does not play {}", made.game.name()))?;
        let tt = table(made)?;
        let pool = Pool::new(game.worker, made.threads).map_err(|e| format!("{} threads: {e}", made.threads))?;
        Ok(Live {
            made,
            pool,
            shared: Arc::new(shared(tt, made.threads)),
        })
    }

    fn change(&mut self, copy: &'static EngineCopy, wanted: Wanted, complaints: &mut Vec<String>) {
        if wanted.game != self.made.game {
            self.change_game(copy, wanted.game, complaints);
        }
        if wanted.threads != self.made.threads {
            match self.pool.resize(wanted.threads) {
                Ok(()) => self.made.threads = wanted.threads,
                Err(problem) => complaints.push(format!("Threads stays at {}: {problem}", self.made.threads)),
            }
        }
        let table_wanted = Wanted {
            hash_mib: wanted.hash_mib,
            pages: wanted.pages,
            ..self.made
        };
        // No search holds the shared part.
        let Some(own) = Arc::get_mut(&mut self.shared) else {
            return;
        };
        own.counters = counters(self.made.threads);
        if table_wanted == self.made {
            return;
        }
        match own.tt.resize(wanted.hash_mib, wanted.threads, wanted.pages) {
            Ok(()) => self.made = table_wanted,
            Err(problem) => {
                self.made.hash_mib = own.tt.mib();
                complaints.push(format!("Hash stays at {} MiB: {problem}", self.made.hash_mib));
            }
        }
    }

    /// Another game has other workers, and positions that mean nothing to the first one's table.
    fn change_game(&mut self, copy: &'static EngineCopy, game: Game, complaints: &mut Vec<String>) {
        let made = copy
            .game(game)
            .ok_or_else(|| format!("this build does not play {}", game.name()));
        match made.and_then(|g| Pool::new(g.worker, self.made.threads)) {
            Ok(pool) => {
                self.pool = pool;
                self.made.game = game;
                self.shared.tt.clear(self.made.threads);
            }
            Err(problem) => complaints.push(format!("UCI_Variant stays {}: {problem}", self.made.game.name())),
        }
    }
}

fn table(wanted: Wanted) -> Result<TranspositionTable, String> {
    TranspositionTable::with_pages(wanted.hash_mib, wanted.threads, wanted.pages).map_err(|e| e.to_string())
}

fn counters(threads: usize) -> Box<[Counter]> {
    (0..threads).map(|_| Counter::default()).collect()
}

fn shared(tt: TranspositionTable, threads: usize) -> Shared {
    Shared {
        tt,
        stop: false.into(),
        pondering: false.into(),
        counters: counters(threads),
    }
}
