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
/// The share of the overhead, which is the worst case of a move, that every move is expected to lose on its way.
const LATENCY_SHARE: f64 = 0.25;
/// The share of what is left that is planned with even if latency will eat more than the increments bring.
const LEAST_SHARE: f64 = 0.25;
/// With moves to go, no plan is made for more than these.
const MOST_MOVES_TO_GO: u32 = 50;
/// The hard budget in soft ones: how much a move in trouble may take.
const HARD_FACTOR: f64 = 4.5;
/// The share of what is left that even a move in trouble leaves alone, when many moves are still to come.
const HARD_SHARE: f64 = 0.3;
/// What a move may take when there is no time left: enough for a legal move, and the first finished iteration ends it.
const INSTANT_MS: f64 = 1.0;
/// `movetime` is cut by the overhead, but by no more than this share of it.
const MOVE_TIME_SHARE: f64 = 0.05;

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
        let forced = signals.legal_moves <= 1; // nothing to think about: answer, with the score of this iteration
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

    /// Milliseconds used since `began` nanoseconds after the start, by the clock or by nodes (all of the search's).
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
        soft: 0.0,
        hard: INSTANT_MS,
    };
    let Some(left) = times.time[stm].filter(|&ms| ms > 0) else {
        return INSTANT;
    };
    let overhead = options.overhead as f64;
    let usable = left as f64 - overhead;
    if usable <= INSTANT_MS {
        return INSTANT;
    }
    let to_go = times.moves_to_go.filter(|&moves| moves > 0);
    let moves = to_go.map_or(HORIZON, |moves| moves.min(MOST_MOVES_TO_GO) as f64);
    let increment = times.increment[stm].unwrap_or(0).max(0) as f64;
    let gain = increment - overhead * LATENCY_SHARE;
    let planned = (usable + gain.min(0.0) * (moves - 1.0)).max(usable * LEAST_SHARE);
    let cap = match options.max_move_time {
        0 => f64::INFINITY,
        ms => ms as f64,
    };
    let share = HARD_SHARE + (1.0 - HARD_SHARE) / moves;
    let most = (usable * share).min(cap).max(INSTANT_MS);
    let slow = options.slow_mover as f64 / 100.0;
    let soft = (planned / moves + gain.max(0.0) * INCREMENT_SHARE) * slow;
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

/// The nodes that a side has left under `nodestime`. The game's clock cannot tell: it runs by real time. It is asked once,
/// at the game's first move; from then on nodes are spent and increments earned.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeBank {
    left: Option<i64>,
}

impl NodeBank {
    /// Forgets the game (`ucinewgame`).
    pub fn reset(&mut self) {
        self.left = None;
    }

    /// The clocks as the nodes left make them. Clocks that refill after some moves, and real time, are left as they are.
    pub fn convert(&mut self, times: &GoTimes, stm: usize, options: &TimeOptions) -> GoTimes {
        let mut converted = *times;
        let rate = options.nodes_per_ms.min(i64::MAX as u64) as i64;
        let (Some(time), None, 1..) = (times.time[stm], times.moves_to_go, rate) else {
            self.left = None;
            return converted;
        };
        let earned = times.increment[stm].unwrap_or(0).saturating_mul(rate);
        let left = match self.left {
            Some(left) => left.saturating_add(earned),
            None => time.saturating_mul(rate),
        };
        self.left = Some(left);
        converted.time[stm] = Some(left / rate);
        converted
    }

    /// A search is over: its nodes are spent.
    pub fn spend(&mut self, nodes: u64) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub_unsigned(nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: usize = 0;
    const BLACK: usize = 1;

    fn clocks(time: i64, increment: i64) -> GoTimes {
        GoTimes {
            time: [Some(time), Some(7_777)],
            increment: [Some(increment), Some(0)],
            ..GoTimes::default()
        }
    }

    fn budget(times: &GoTimes) -> Budget {
        manage(times, WHITE, &TimeOptions::default())
    }

    /// A clock whose `go` arrived so many milliseconds ago.
    fn running(ago: u64, times: &GoTimes, options: &TimeOptions) -> Clock {
        let start = Instant::now()
            .checked_sub(Duration::from_millis(ago))
            .expect("the machine is up for longer");
        Clock::new(start, times, WHITE, options)
    }

    /// Signals that leave the soft budget as it is, nearly: 1.4 - 4 * 0.1 = 1, 1.5 - 0.9 * 5 / 9 = 1.
    const CALM: Signals = Signals {
        stable_iterations: 4,
        score_drop: 0,
        best_move_share: 5.0 / 9.0,
        legal_moves: 30,
    };

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn sudden_death_by_hand() {
        // 60 s less 20 ms, and 5 ms for each of 25 moves to come, over 26 moves; hard: 4.5 times that, below
        // 0.3 + 0.7 / 26 of what is left.
        let b = budget(&clocks(60_000, 0));
        assert!(close(b.soft, 59_855.0 / 26.0));
        assert!(close(b.hard, 59_855.0 / 26.0 * 4.5));
    }

    #[test]
    fn increment_by_hand() {
        let b = budget(&clocks(2_000, 20));
        // Three quarters of the 15 ms that an increment brings beyond 5 ms of latency.
        assert!(close(b.soft, 1_980.0 / 26.0 + 11.25));
        assert!(close(b.hard, (1_980.0 / 26.0 + 11.25) * 4.5));
    }

    #[test]
    fn moves_to_go_by_hand() {
        let with = |moves| {
            budget(&GoTimes {
                moves_to_go: Some(moves),
                ..clocks(10_020, 0)
            })
        };
        assert_eq!(
            with(1),
            Budget {
                soft: 10_000.0,
                hard: 10_000.0
            }
        );
        let two = with(2);
        assert!(close(two.soft, 4_997.5) && close(two.hard, 6_500.0));
        assert!(close(with(40).soft, 9_805.0 / 40.0) && close(with(40).hard, 9_805.0 / 40.0 * 4.5));
        assert_eq!(with(1_000), with(MOST_MOVES_TO_GO));
        assert_eq!(with(0), budget(&clocks(10_020, 0)), "0 moves to go means nothing");
    }

    #[test]
    fn the_hard_limit_keeps_the_overhead() {
        for time in 1..3_000 {
            for increment in [0, 1, 5_000] {
                for moves_to_go in [None, Some(1), Some(5)] {
                    for slow_mover in [10, 100, 1_000] {
                        let times = GoTimes {
                            moves_to_go,
                            ..clocks(time, increment)
                        };
                        let options = TimeOptions {
                            slow_mover,
                            ..TimeOptions::default()
                        };
                        let b = manage(&times, WHITE, &options);
                        assert!(
                            b.hard <= (time as f64 - 20.0).max(INSTANT_MS) && b.soft <= b.hard,
                            "{time} {b:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn no_time_is_the_smallest_budget() {
        let instant = Budget {
            soft: 0.0,
            hard: INSTANT_MS,
        };
        for time in [i64::MIN, -5, 0, 1, 20, 21] {
            assert_eq!(budget(&clocks(time, 1_000)), instant, "{time}");
        }
        let theirs_only = GoTimes {
            time: [None, Some(60_000)],
            ..GoTimes::default()
        };
        assert_eq!(budget(&theirs_only), instant);
        assert!(Clock::new(Instant::now(), &theirs_only, WHITE, &TimeOptions::default()).timed());
        assert!(manage(&theirs_only, BLACK, &TimeOptions::default()).soft > 2_000.0);
        let increment_only = GoTimes {
            increment: [Some(100), None],
            ..GoTimes::default()
        };
        assert_eq!(budget(&increment_only), instant);
    }

    #[test]
    fn extreme_clocks_do_no_harm() {
        let b = budget(&clocks(i64::MAX, i64::MAX));
        assert!(b.soft.is_finite() && b.soft <= b.hard);
        assert_eq!(budget(&clocks(1_000, i64::MIN)), budget(&clocks(1_000, 0)));
    }

    #[test]
    fn a_tiny_clock_lasts() {
        // 0.1 s + 1 ms: moves take all they may while there is anything to spare, and 0.9 ms more pass unseen.
        let mut left = 100.0;
        for _ in 0..300 {
            let b = budget(&clocks(left as i64, 1));
            left -= if left > 21.0 { b.hard } else { b.soft };
            left -= 0.9;
            assert!(left > 10.0, "{left}");
            left += 1.0;
        }
    }

    #[test]
    fn slow_mover_and_the_greatest_move_time() {
        let double = TimeOptions {
            slow_mover: 200,
            ..TimeOptions::default()
        };
        let b = manage(&clocks(60_000, 0), WHITE, &double);
        assert!(close(b.soft, 59_855.0 / 13.0) && close(b.hard, 59_980.0 * (0.3 + 0.7 / 26.0)));
        let capped = TimeOptions {
            max_move_time: 500,
            ..TimeOptions::default()
        };
        assert_eq!(
            manage(&clocks(60_000, 0), WHITE, &capped),
            Budget {
                soft: 500.0,
                hard: 500.0
            }
        );
    }

    #[test]
    fn move_time_leaves_a_little() {
        let ms = |move_time| fixed_budget(move_time, &TimeOptions::default());
        assert!(close(ms(1_000), 980.0) && close(ms(100), 95.0) && close(ms(0), 0.0) && close(ms(-5), 0.0));
        let times = GoTimes {
            move_time: Some(1_000),
            ..GoTimes::default()
        };
        let options = TimeOptions::default();
        assert!(!running(500, &times, &options).hard_reached(0));
        assert!(!running(500, &times, &options).soft_reached(0, &Signals { legal_moves: 1, ..CALM }));
        assert!(running(1_000, &times, &options).hard_reached(0));
        let both = GoTimes {
            move_time: Some(100),
            ..clocks(60_000, 0)
        };
        assert!(running(110, &both, &options).hard_reached(0), "the lesser limit counts");
    }

    #[test]
    fn without_limits_nothing_ends() {
        let clock = running(5_000, &GoTimes::default(), &TimeOptions::default());
        assert!(!clock.timed() && !clock.hard_reached(u64::MAX));
        assert!(!clock.soft_reached(u64::MAX, &Signals { legal_moves: 1, ..CALM }));
        assert!(clock.elapsed_ms() >= 5_000 && clock.elapsed() >= Duration::from_secs(5));
        assert!(!Clock::untimed().timed());
    }

    #[test]
    fn signals_by_hand() {
        assert!(close(factor(&CALM), 1.0));
        assert!(close(
            factor(&Signals {
                stable_iterations: 0,
                ..CALM
            }),
            1.4
        ));
        assert!(close(
            factor(&Signals {
                stable_iterations: 50,
                ..CALM
            }),
            0.7
        ));
        assert!(close(factor(&Signals { score_drop: 40, ..CALM }), 1.5));
        assert!(close(
            factor(&Signals {
                score_drop: 5_000,
                ..CALM
            }),
            2.0
        ));
        assert!(close(
            factor(&Signals {
                score_drop: -5_000,
                ..CALM
            }),
            0.85
        ));
        assert!(close(
            factor(&Signals {
                best_move_share: 1.0,
                ..CALM
            }),
            0.6
        ));
        let worst = Signals {
            stable_iterations: 0,
            score_drop: 5_000,
            best_move_share: 0.0,
            legal_moves: 30,
        };
        assert!(close(factor(&worst), MOST_FACTOR));
        let best = Signals {
            stable_iterations: 50,
            score_drop: -5_000,
            best_move_share: 1.0,
            legal_moves: 30,
        };
        assert!(close(factor(&best), 0.7 * 0.85 * 0.6));
    }

    #[test]
    fn the_soft_limit_bends_with_the_signals() {
        // 2.6 s and 20 ms: soft 100 ms, hard 450 ms.
        let options = TimeOptions::default();
        let at = |ago| running(ago, &clocks(2_620, 5), &options);
        assert!(!at(50).soft_reached(0, &CALM) && at(110).soft_reached(0, &CALM));
        let falling = Signals {
            stable_iterations: 0,
            score_drop: 40,
            ..CALM
        };
        assert!(!at(110).soft_reached(0, &falling) && at(220).soft_reached(0, &falling));
        assert!(!at(110).hard_reached(0) && at(451).hard_reached(0));
        assert!(
            at(1).soft_reached(0, &Signals { legal_moves: 1, ..CALM }),
            "one legal move needs no thought"
        );
    }

    #[test]
    fn pondering_holds_every_limit_until_the_hit() {
        let options = TimeOptions::default();
        let pondering = GoTimes {
            ponder: true,
            ..clocks(2_620, 5)
        };
        let clock = running(600, &pondering, &options);
        assert!(clock.timed() && !clock.hard_reached(0));
        clock.ponderhit();
        assert!(!clock.hard_reached(0), "our own clock has just begun to run");
        assert!(clock.soft_reached(0, &CALM), "but what was pondered was thought");
        let ripe = running(600, &pondering, &options);
        assert!(!ripe.soft_reached(0, &CALM));
        assert!(!ripe.hard_reached(0));
        ripe.ponderhit();
        assert!(ripe.hard_reached(0), "thought enough: answer at once");
        let fixed = GoTimes {
            move_time: Some(100),
            ponder: true,
            ..GoTimes::default()
        };
        let clock = running(600, &fixed, &options);
        clock.ponderhit();
        clock.ponderhit();
        assert!(!clock.hard_reached(0), "100 ms from the hit");
    }

    #[test]
    fn nodes_can_stand_for_time() {
        let options = TimeOptions {
            nodes_per_ms: 100,
            ..TimeOptions::default()
        };
        let clock = running(10_000, &clocks(2_620, 5), &options);
        assert!(!clock.soft_reached(9_999, &CALM) && clock.soft_reached(10_001, &CALM));
        assert!(!clock.hard_reached(44_999) && clock.hard_reached(45_001));
    }

    #[test]
    fn a_node_bank_counts_for_itself() {
        let options = TimeOptions {
            nodes_per_ms: 100,
            ..TimeOptions::default()
        };
        let mut bank = NodeBank::default();
        assert_eq!(
            bank.convert(&clocks(2_000, 10), WHITE, &options).time[WHITE],
            Some(2_000)
        );
        bank.spend(50_000);
        // 200,000 - 50,000 + 1,000 nodes, whatever the real clock says.
        assert_eq!(bank.convert(&clocks(3, 10), WHITE, &options).time[WHITE], Some(1_510));
        bank.spend(u64::MAX);
        assert!(bank.convert(&clocks(3, 10), WHITE, &options).time[WHITE] < Some(0));
        bank.reset();
        assert_eq!(
            bank.convert(&clocks(2_000, 10), WHITE, &options).time[WHITE],
            Some(2_000)
        );
        let real = TimeOptions::default();
        assert_eq!(bank.convert(&clocks(77, 10), WHITE, &real), clocks(77, 10));
        let refilled = GoTimes {
            moves_to_go: Some(5),
            ..clocks(77, 10)
        };
        assert_eq!(bank.convert(&refilled, WHITE, &options), refilled);
    }
}
