//! Time: how long a move may take, and whether that time is over.
//!
//! A `Clock` is made when a `go` arrives and then only asked. It holds two budgets. The hard one is a promise: past it
//! the flag could fall. The soft one is a wish: at the end of an iteration the search stops when what it has seen says
//! that another iteration would not pay.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The moves that a game is thought to last when the clock does not say, so that each gets this share of what is left.
const HORIZON: f64 = 26.0;
/// The share of an increment that a move may count on having; the rest refills the clock.
const INCREMENT_SHARE: f64 = 0.75;
/// With moves to go, no plan is made for more than these.
const MOST_MOVES_TO_GO: u32 = 50;
/// The hard budget in soft ones: how much a move in trouble may take.
const HARD_FACTOR: f64 = 4.5;
/// The share of what is left that even a move in trouble leaves alone, when many moves are still to come.
const HARD_SHARE: f64 = 0.3;
/// What a move gets when there is no time: enough for one iteration and a legal move.
const INSTANT_MS: f64 = 1.0;
/// `movetime` is cut by the overhead, but by no more than this share of it.
const MOVE_TIME_SHARE: f64 = 0.05;
/// Part of the soft budget that must be left for an iteration to be begun with only one legal move: none.
const FORCED_MOVE_ITERATIONS: usize = 1;

/// The soft budget is stretched by this much when the best move has just changed,
const UNSTABLE: f64 = 1.4;
/// and by this much less for each iteration since,
const STABLE_STEP: f64 = 0.1;
/// down to this.
const STABLE: f64 = 0.7;
/// Centipawns of a falling score that double the soft budget;
const DROP_DOUBLES: f64 = 80.0;
/// more than this many do not count;
const MOST_DROP: f64 = 80.0;
/// and a rise counts as this many at most.
const MOST_RISE: f64 = 12.0;
/// The factor for a best move that took no share of the nodes,
const UNSURE: f64 = 1.5;
/// and what is taken off for one that took all.
const SURE_OFF: f64 = 0.9;
/// The soft budget is never stretched or shrunk beyond these.
const LEAST_FACTOR: f64 = 0.35;
const MOST_FACTOR: f64 = 2.8;

/// The clocks of a `go`, as given. Times in milliseconds, index 0 is White (Red).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GoTimes {
    pub time: [Option<i64>; 2],
    pub increment: [Option<i64>; 2],
    /// Moves until the clock is refilled; 0 means the same as none.
    pub moves_to_go: Option<u32>,
    pub move_time: Option<i64>,
    /// The opponent is to move: our clock does not run until `ponderhit`.
    pub ponder: bool,
}

impl GoTimes {
    /// Whether any clock is given, so that the move is played in a timed game.
    fn managed(&self) -> bool {
        let clocks = self.time.iter().chain(&self.increment);
        clocks.into_iter().any(Option::is_some) || self.moves_to_go.is_some()
    }
}

/// The options that time depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeOptions {
    /// `Move Overhead`, ms: what passes between our answer and the stop of our clock.
    pub overhead: u32,
    /// `Slow Mover`, percent.
    pub slow_mover: u32,
    /// `Max Managed Move Time`, ms, 0 for none.
    pub max_move_time: u32,
    /// `nodestime`: nodes that count as a millisecond, 0 for real time.
    pub nodes_per_ms: u64,
}

impl Default for TimeOptions {
    fn default() -> Self {
        TimeOptions {
            overhead: 20,
            slow_mover: 100,
            max_move_time: 0,
            nodes_per_ms: 0,
        }
    }
}

/// What an iteration has shown.
#[derive(Clone, Copy, Debug)]
pub struct Signals {
    /// Iterations since the best move changed.
    pub stable_iterations: u32,
    /// Centipawns that the best score fell since the previous iteration (or its average); negative for a rise.
    pub score_drop: i32,
    /// The share of nodes spent on the best move, 0 to 1.
    pub best_move_share: f64,
    /// Legal moves at the root.
    pub legal_moves: usize,
}

/// The budgets of a move, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Budget {
    soft: f64,
    hard: f64,
}

/// Tells the time since a `go` arrived, and whether it is over.
pub struct Clock {
    start: Instant,
    /// Soft and hard limit of a timed game, `None` outside one.
    managed: Option<Budget>,
    /// The most that a move may take at all, ms; infinite if there is no limit.
    hard_ms: f64,
    nodes_per_ms: u64,
    /// Nanoseconds from `start` to the moment our own clock began to run; `PONDERING` while it does not.
    began: AtomicU64,
    /// The soft budget ran out while pondering: answer as soon as our clock runs.
    ripe: AtomicBool,
}

const PONDERING: u64 = u64::MAX;

impl Clock {
    /// The clock of a `go` that arrived at `start`, for side `stm` (0 White, 1 Black).
    pub fn new(start: Instant, times: &GoTimes, stm: usize, options: &TimeOptions) -> Clock {
        let managed = times.managed().then(|| manage(times, stm, options));
        let fixed = times.move_time.map_or(f64::INFINITY, |ms| fixed_budget(ms, options));
        Clock {
            start,
            managed,
            hard_ms: managed.map_or(f64::INFINITY, |b| b.hard).min(fixed),
            nodes_per_ms: options.nodes_per_ms,
            began: AtomicU64::new(if times.ponder { PONDERING } else { 0 }),
            ripe: AtomicBool::new(false),
        }
    }

    /// A clock that never ends a search, started now.
    pub fn untimed() -> Clock {
        Clock::new(Instant::now(), &GoTimes::default(), 0, &TimeOptions::default())
    }

    /// Whether time limits the search at all.
    pub fn timed(&self) -> bool {
        self.hard_ms.is_finite()
    }

    /// Since the `go` arrived.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Since the `go` arrived, in whole milliseconds.
    pub fn elapsed_ms(&self) -> u64 {
        self.elapsed().as_millis() as u64
    }

    /// Whether the search must end now, `nodes` being those of all threads. Cheap enough for every few hundred nodes.
    pub fn hard_reached(&self, nodes: u64) -> bool {
        if !self.timed() {
            return false;
        }
        let began = self.began.load(Relaxed);
        if began == PONDERING {
            return false;
        }
        self.ripe.load(Relaxed) || self.used_ms(nodes, began) >= self.hard_ms
    }

    /// Whether to stop after the iteration that showed `signals`. Time spent pondering counts as thought.
    pub fn soft_reached(&self, nodes: u64, signals: &Signals) -> bool {
        let Some(budget) = self.managed else {
            return self.hard_reached(nodes);
        };
        let forced = signals.legal_moves <= FORCED_MOVE_ITERATIONS;
        let over = forced || self.used_ms(nodes, 0) >= (budget.soft * factor(signals)).min(self.hard_ms);
        if over && self.began.load(Relaxed) == PONDERING {
            self.ripe.store(true, Relaxed);
            return false;
        }
        over || self.hard_reached(nodes)
    }

    /// The opponent played the move that we pondered on: our clock runs.
    pub fn ponderhit(&self) {
        let now = self.start.elapsed().as_nanos() as u64;
        let _ = self.began.compare_exchange(PONDERING, now, Relaxed, Relaxed);
    }

    /// Milliseconds used since `began` nanoseconds after the start, by the clock or by nodes.
    fn used_ms(&self, nodes: u64, began: u64) -> f64 {
        match self.nodes_per_ms {
            0 => (self.start.elapsed().as_nanos() as u64).saturating_sub(began) as f64 / 1e6,
            rate => nodes as f64 / rate as f64,
        }
    }
}

/// The budgets of a move in a timed game.
fn manage(times: &GoTimes, stm: usize, options: &TimeOptions) -> Budget {
    const INSTANT: Budget = Budget {
        soft: INSTANT_MS,
        hard: INSTANT_MS,
    };
    let Some(left) = times.time[stm].filter(|&ms| ms > 0) else {
        return INSTANT;
    };
    let usable = left as f64 - options.overhead as f64;
    if usable <= INSTANT_MS {
        return INSTANT;
    }
    let increment = times.increment[stm].unwrap_or(0).max(0) as f64;
    let to_go = times
        .moves_to_go
        .filter(|&moves| moves > 0)
        .map(|moves| moves.min(MOST_MOVES_TO_GO) as f64);
    let moves = to_go.unwrap_or(HORIZON);
    let cap = match options.max_move_time {
        0 => f64::INFINITY,
        ms => ms as f64,
    };
    let share = HARD_SHARE + (1.0 - HARD_SHARE) / moves;
    let most = (usable * share).min(cap).max(INSTANT_MS);
    let slow = options.slow_mover as f64 / 100.0;
    let soft = (usable / moves + increment * INCREMENT_SHARE) * slow;
    let hard = (soft * HARD_FACTOR).min(most).max(INSTANT_MS);
    Budget {
        soft: soft.min(hard),
        hard,
    }
}

/// What `movetime` leaves for the search.
fn fixed_budget(move_time: i64, options: &TimeOptions) -> f64 {
    let whole = move_time.max(0) as f64;
    (whole - (options.overhead as f64).min(whole * MOVE_TIME_SHARE)).max(0.0)
}

/// By how much an iteration's outcome stretches the soft budget.
fn factor(signals: &Signals) -> f64 {
    let stability = (UNSTABLE - STABLE_STEP * signals.stable_iterations as f64).max(STABLE);
    let drop = (signals.score_drop as f64).clamp(-MOST_RISE, MOST_DROP);
    let effort = UNSURE - SURE_OFF * signals.best_move_share.clamp(0.0, 1.0);
    (stability * (1.0 + drop / DROP_DOUBLES) * effort).clamp(LEAST_FACTOR, MOST_FACTOR)
}
