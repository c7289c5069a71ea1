//! The search threads: started once, each with a worker of its own that it made itself.
//!
//! A worker is created, cleared and dropped on its thread, so that its memory lies near that thread (first touch).

use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use super::vote;
use crate::engine::{Job, Outcome, Worker};

/// The stack of a search thread, bytes of address space: the search recurses, and unused pages cost nothing.
const STACK: usize = 16 << 20;

/// Makes a worker; called on the worker's own thread.
pub type Factory = fn() -> Result<Box<dyn Worker>, String>;

/// What a search came to.
pub struct Finished {
    /// By thread; never empty.
    pub outcomes: Vec<Outcome>,
    /// The index of the outcome to play: of the vote, or 0 where several lines were asked for.
    pub winner: usize,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// Called once, on thread 0 of the pool, when a search has ended.
type Done = Box<dyn FnOnce(Finished) + Send>;

/// What a thread is asked to do.
enum Command {
    /// Search as a helper.
    Help(Arc<Job>, Arc<Gathering>),
    /// Search as thread 0, and see the search to its end.
    Lead(Arc<Job>, Arc<Gathering>, Done),
    Clear(Arc<Gathering>),
}

/// The outcomes of a search's helpers (or the end of other common work), as they come in.
struct Gathering {
    state: Mutex<Gathered>,
    changed: Condvar,
}

struct Gathered {
    outcomes: Vec<Option<Outcome>>,
    open: usize,
}

impl Gathering {
    fn new(threads: usize, open: usize) -> Arc<Gathering> {
        let outcomes = (0..threads).map(|_| None).collect();
        Arc::new(Gathering {
            state: Mutex::new(Gathered { outcomes, open }),
            changed: Condvar::new(),
        })
    }

    fn deliver(&self, thread: usize, outcome: Option<Outcome>) {
        let mut state = lock(&self.state);
        state.outcomes[thread] = outcome;
        state.open -= 1;
        if state.open == 0 {
            self.changed.notify_all();
        }
    }

    fn wait(&self) -> Vec<Option<Outcome>> {
        let state = lock(&self.state);
        let ended = self.changed.wait_while(state, |state| state.open > 0);
        std::mem::take(&mut ended.unwrap_or_else(PoisonError::into_inner).outcomes)
    }
}

/// Whether a search is under way.
#[derive(Default)]
struct Busy {
    searching: Mutex<bool>,
    ended: Condvar,
}

impl Busy {
    fn begin(&self) {
        *self.wait() = true;
    }

    fn end(&self) {
        *lock(&self.searching) = false;
        self.ended.notify_all();
    }

    fn wait(&self) -> MutexGuard<'_, bool> {
        let ended = self.ended.wait_while(lock(&self.searching), |searching| *searching);
        ended.unwrap_or_else(PoisonError::into_inner)
    }
}

/// A search that panicked has poisoned nothing that matters: the data under these locks is whole at all times.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread of the pool; ends and is joined when dropped.
struct Seat {
    commands: Option<Sender<Command>>,
    thread: Option<JoinHandle<()>>,
}

impl Seat {
    fn send(&self, command: Command) {
        if let Some(commands) = &self.commands {
            // A thread ends only when its sender is dropped.
            let _ = commands.send(command);
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The threads of an engine.
pub struct Pool {
    seats: Vec<Seat>,
    factory: Factory,
    busy: Arc<Busy>,
}

impl Pool {
    /// A pool of `threads` threads (at least one).
    ///
    /// # Errors
    /// A thread or its worker could not be had; the reason in words.
    pub fn new(factory: Factory, threads: usize) -> Result<Pool, String> {
        let busy = Arc::new(Busy::default());
        let seats = make_seats(factory, 0..threads.max(1), &busy)?;
        Ok(Pool { seats, factory, busy })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.seats.len()
    }

    /// Starts a search and returns. When thread 0's search returns, the stop flag is set, the other threads are
    /// collected, the vote is taken, and `done` is called on thread 0; the pool is busy until `done` returns.
    ///
    /// Waits for an earlier search to end first. `done` must not call the pool. `job.shared.counters` has an element
    /// per thread.
    pub fn start(&self, job: Arc<Job>, done: impl FnOnce(Finished) + Send + 'static) {
        self.busy.begin();
        let helpers = Gathering::new(self.threads(), self.threads() - 1);
        for seat in &self.seats[1..] {
            seat.send(Command::Help(job.clone(), helpers.clone()));
        }
        self.seats[0].send(Command::Lead(job, helpers, Box::new(done)));
    }

    /// Waits until no search is under way and nothing holds its job any more.
    pub fn wait(&self) {
        drop(self.busy.wait());
    }

    /// Whether a search is under way.
    pub fn searching(&self) -> bool {
        *lock(&self.busy.searching)
    }

    /// Makes all workers forget what they learned, in parallel; waits for a search to end first.
    pub fn clear(&self) {
        let _idle = self.busy.wait();
        let cleared = Gathering::new(self.threads(), self.threads());
        for seat in &self.seats {
            seat.send(Command::Clear(cleared.clone()));
        }
        cleared.wait();
    }

    /// Changes the number of threads (at least one); waits for a search to end first. Threads that stay keep what their
    /// workers learned.
    ///
    /// # Errors
    /// A thread or its worker could not be had: the pool is as before.
    pub fn resize(&mut self, threads: usize) -> Result<(), String> {
        drop(self.busy.wait());
        let threads = threads.max(1);
        self.seats.truncate(threads);
        let more = make_seats(self.factory, self.seats.len()..threads, &self.busy)?;
        self.seats.extend(more);
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.wait();
    }
}

/// Starts the threads of a range, and waits until each has made its worker: all at once, so that they do it in parallel.
fn make_seats(factory: Factory, range: std::ops::Range<usize>, busy: &Arc<Busy>) -> Result<Vec<Seat>, String> {
    let (ready, made) = channel();
    let mut seats = Vec::with_capacity(range.len());
    for index in range {
        seats.push(make_seat(factory, index, busy.clone(), ready.clone()).map_err(|e| format!("thread {index}: {e}"))?);
    }
    drop(ready);
    made.iter().collect::<Result<(), String>>()?;
    Ok(seats)
}

fn make_seat(factory: Factory, index: usize, busy: Arc<Busy>, ready: Sender<Result<(), String>>) -> io::Result<Seat> {
    let (commands, inbox) = channel();
    let thread = Builder::new()
        .name(format!("search {index}"))
        .stack_size(STACK)
        .spawn(move || {
            let worker = factory();
            let failure = worker.as_ref().err().map(|reason| format!("thread {index}: {reason}"));
            let _ = ready.send(failure.map_or(Ok(()), Err));
            drop(ready);
            if let Ok(worker) = worker {
                serve(worker, index, &inbox, &busy);
            }
        })?;
    Ok(Seat {
        commands: Some(commands),
        thread: Some(thread),
    })
}

/// The life of a thread.
fn serve(mut worker: Box<dyn Worker>, index: usize, inbox: &Receiver<Command>, busy: &Busy) {
    for command in inbox {
        match command {
            Command::Help(job, helpers) => {
                let outcome = worker.search(&job, index);
                drop(job); // before the search counts as ended
                helpers.deliver(index, Some(outcome));
            }
            Command::Lead(job, helpers, done) => {
                let outcome = worker.search(&job, index);
                job.shared.stop.store(true, Ordering::Relaxed);
                let rest = helpers.wait();
                let outcomes: Vec<Outcome> = std::iter::once(outcome).chain(rest.into_iter().flatten()).collect();
                let finished = finish(outcomes, job.multipv);
                drop(job);
                done(finished);
                busy.end();
            }
            Command::Clear(cleared) => {
                worker.clear();
                cleared.deliver(index, None);
            }
        }
    }
}

/// Several lines are thread 0's: the reports have shown them, and a vote has nothing to say on the others.
fn finish(outcomes: Vec<Outcome>, multipv: usize) -> Finished {
    let winner = if multipv > 1 { 0 } else { vote::choose(&outcomes) };
    let nodes = outcomes.iter().map(|outcome| outcome.nodes).sum();
    Finished {
        outcomes,
        winner,
        nodes,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
    use std::time::Duration;

    use super::*;
    use crate::engine::{Bound, Counter, Game, Limits, Line, Report, Reporter, RootLine, Shared};
    use crate::options::{Policy, Switches};
    use crate::position::Placement;
    use crate::shared::time::Clock;
    use crate::shared::tt::TranspositionTable;

    struct Silent;

    impl Reporter for Silent {
        fn line(&self, _: &Report<'_>) {}
        fn current_move(&self, _: i32, _: u16, _: usize) {}
    }

    /// Thread 0 ends at once when the depth limit is 1; everybody else counts until stopped.
    struct Fake {
        searches: u64,
    }

    impl Worker for Fake {
        fn search(&mut self, job: &Job, thread: usize) -> Outcome {
            self.searches += 1;
            let mut nodes = 1;
            while !(job.shared.stop.load(Relaxed) || thread == 0 && job.limits.depth == Some(1)) {
                nodes += 1;
                std::thread::yield_now();
            }
            job.shared.counters[thread].nodes.store(nodes, Relaxed);
            let pv = vec![job.root_moves[0] + thread as u16];
            // The score tells how many searches this worker has seen.
            let line = RootLine {
                score: self.searches as i32,
                bound: Bound::Exact,
                depth: 1,
                seldepth: 1,
                pv,
            };
            Outcome {
                lines: vec![line],
                depth: 1,
                nodes,
            }
        }

        fn clear(&mut self) {
            self.searches = 0;
        }
    }

    fn fake() -> Result<Box<dyn Worker>, String> {
        Ok(Box::new(Fake { searches: 0 }))
    }

    fn job(threads: usize, depth: Option<i32>) -> Arc<Job> {
        let start = Placement::start(Game::ALL[0], false);
        Arc::new(Job {
            line: Line {
                start,
                moves: Vec::new(),
            },
            limits: Limits {
                depth,
                ..Limits::default()
            },
            root_moves: vec![100],
            multipv: 1,
            switches: Switches::default(),
            policy: Policy::default(),
            clock: Clock::untimed(),
            shared: Arc::new(Shared {
                tt: TranspositionTable::new(1, 1).expect("1 MiB is there"),
                stop: AtomicBool::new(false),
                pondering: AtomicBool::new(false),
                counters: (0..threads).map(|_| Counter::default()).collect(),
            }),
            reporter: Arc::new(Silent),
        })
    }

    /// Runs a search to its end.
    fn run(pool: &Pool) -> Finished {
        let (send, receive) = channel();
        pool.start(job(pool.threads(), Some(1)), move |finished| {
            send.send(finished).expect("the test waits")
        });
        receive.recv().expect("the search ends")
    }

    #[test]
    fn helpers_stop_when_thread_0_returns() {
        for threads in [1, 2, 5] {
            let pool = Pool::new(fake, threads).expect("fakes can be made");
            let finished = run(&pool);
            assert_eq!(finished.outcomes.len(), threads);
            assert_eq!(finished.winner, 0);
            assert_eq!(finished.nodes, finished.outcomes.iter().map(|o| o.nodes).sum::<u64>());
            for (thread, outcome) in finished.outcomes.iter().enumerate() {
                assert_eq!(outcome.lines[0].pv, [100 + thread as u16]);
            }
        }
    }

    #[test]
    fn start_returns_at_once_and_stop_ends_it() {
        let pool = Pool::new(fake, 2).expect("fakes can be made");
        let job = job(2, None);
        let shared = job.shared.clone();
        let nodes = Arc::new(AtomicU64::new(0));
        let seen = nodes.clone();
        pool.start(job, move |finished| seen.store(finished.nodes, Relaxed));
        assert!(pool.searching());
        std::thread::sleep(Duration::from_millis(5));
        assert!(pool.searching());
        shared.stop.store(true, Relaxed);
        pool.wait();
        assert!(!pool.searching());
        let counted: u64 = shared.counters.iter().map(|c| c.nodes.load(Relaxed)).sum();
        assert_eq!(nodes.load(Relaxed), counted);
        assert_eq!(Arc::strong_count(&shared), 1, "nothing holds the job any more");
    }

    #[test]
    fn a_second_start_waits_for_the_first() {
        let pool = Pool::new(fake, 3).expect("fakes can be made");
        let ended = Arc::new(AtomicUsize::new(0));
        for n in 0..200 {
            let ended = ended.clone();
            pool.start(job(3, Some(1)), move |_| assert_eq!(ended.fetch_add(1, Relaxed), n));
        }
        pool.wait();
        assert_eq!(ended.load(Relaxed), 200);
    }

    #[test]
    fn workers_remember_until_cleared_and_through_a_resize() {
        let mut pool = Pool::new(fake, 2).expect("fakes can be made");
        let score = |finished: &Finished, thread: usize| finished.outcomes[thread].lines[0].score;
        run(&pool);
        assert_eq!(score(&run(&pool), 1), 2);
        pool.resize(3).expect("fakes can be made");
        let finished = run(&pool);
        assert_eq!(
            (score(&finished, 0), score(&finished, 1), score(&finished, 2)),
            (3, 3, 1)
        );
        pool.resize(1).expect("fakes can be made");
        assert_eq!(score(&run(&pool), 0), 4);
        pool.clear();
        assert_eq!(score(&run(&pool), 0), 1);
    }

    #[test]
    fn a_worker_that_cannot_be_made_is_an_error_and_the_old_pool_stays() {
        static LEFT: AtomicUsize = AtomicUsize::new(3);
        fn scarce() -> Result<Box<dyn Worker>, String> {
            let left = LEFT.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
            if left.is_ok() {
                fake()
            } else {
                Err("no memory".to_string())
            }
        }
        let mut pool = Pool::new(scarce, 2).expect("three can be made");
        run(&pool);
        let error = pool.resize(5).expect_err("only one more can be made");
        assert!(error.contains("no memory"), "{error}");
        assert_eq!(pool.threads(), 2);
        assert_eq!(run(&pool).outcomes[1].lines[0].score, 2);
        assert!(Pool::new(scarce, 1).is_err());
    }

    #[test]
    fn dropping_a_pool_waits_for_its_search() {
        let pool = Pool::new(fake, 2).expect("fakes can be made");
        let ended = Arc::new(AtomicBool::new(false));
        let seen = ended.clone();
        pool.start(job(2, Some(1)), move |_| {
            std::thread::sleep(Duration::from_millis(5));
            seen.store(true, Relaxed);
        });
        drop(pool);
        assert!(ended.load(Relaxed));
    }
}
