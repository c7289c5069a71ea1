//! The boundary: what a copy of the engine offers to the rest. Plain data only; types of a copy never cross it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::options::{Policy, Switches};
use crate::position::Placement;
use crate::shared::time::Clock;
use crate::shared::tt::TranspositionTable;

/// The games that Baize plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Game {
    Chess,
    Xiangqi,
}

impl Game {
    pub const ALL: [Game; 2] = [Game::Chess, Game::Xiangqi];

    /// The name in `UCI_Variant` and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Game::Chess => "chess",
            Game::Xiangqi => "xiangqi",
        }
    }
}

/// The longest line that is searched, in plies.
pub const MAX_PLY: usize = 246;

/// Scores, in internal centipawns from the side to move. All fit in 16 bits.
pub mod score {
    /// Beyond every score.
    pub const INFINITE: i32 = 32001;
    /// Mated at the root; a mate in n plies is `MATE - n`.
    pub const MATE: i32 = 32000;
    /// The least score that means a forced mate within `MAX_PLY`.
    pub const MATE_BOUND: i32 = MATE - super::MAX_PLY as i32 - 1;
    /// Lost at the root by the rules of repetition; a loss in n plies is `RULE - n`. Such scores depend on the path to
    /// a position, so the search does not keep them in its table. Only games with such rules have them.
    pub const RULE: i32 = 31500;
    /// The least score that means a forced win by those rules within `MAX_PLY`.
    pub const RULE_BOUND: i32 = RULE - super::MAX_PLY as i32 - 1;
    /// The greatest score that an evaluation may return.
    pub const EVAL_BOUND: i32 = 29000;
    /// No score is known.
    pub const NONE: i32 = 32002;

    /// Won or lost by the rules of repetition.
    #[inline(always)]
    pub const fn is_by_rule(score: i32) -> bool {
        let size = score.abs();
        RULE_BOUND <= size && size <= RULE
    }
}

/// A game as played: the starting placement and the moves since.
#[derive(Clone, Debug)]
pub struct Line {
    pub start: Placement,
    pub moves: Vec<u16>,
}

/// How far a search may go; `None` means no bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<i32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Nodes after which no further iteration is begun.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves is proved.
    pub mate: Option<u32>,
}

/// Everything a search needs to know; shared by all its threads.
pub struct Job {
    pub line: Line,
    pub limits: Limits,
    /// The legal moves to search, never empty, without doubles.
    pub root_moves: Vec<u16>,
    /// Lines to report, 1 to the number of root moves.
    pub multipv: usize,
    /// Which techniques are on.
    pub switches: Switches,
    /// How the evaluation is made.
    pub policy: Policy,
    pub clock: Clock,
    pub shared: Arc<Shared>,
    /// Where thread 0 sends its reports.
    pub reporter: Arc<dyn Reporter>,
}

/// What the threads of one engine share.
pub struct Shared {
    pub tt: TranspositionTable,
    /// Set to end the search as soon as possible.
    pub stop: AtomicBool,
    /// While set, limits do not end the search (`go ponder`); the clock runs on.
    pub pondering: AtomicBool,
    /// Per thread: nodes and tablebase hits, each on a line of its own.
    pub counters: Box<[Counter]>,
}

/// A thread's counters on a cache line of their own.
#[repr(align(64))]
#[derive(Default)]
pub struct Counter {
    pub nodes: AtomicU64,
    pub tb_hits: AtomicU64,
}

/// What a score means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

/// One root line.
#[derive(Clone, Debug)]
pub struct RootLine {
    /// Internal centipawns or a mate score, from the side to move.
    pub score: i32,
    pub bound: Bound,
    /// Completed depth and selective depth, in plies.
    pub depth: i32,
    pub seldepth: i32,
    /// The principal variation, legal to its end, at least one move.
    pub pv: Vec<u16>,
}

/// One report of a running search.
pub struct Report<'a> {
    pub line: &'a RootLine,
    /// From 1.
    pub multipv: usize,
    pub nodes: u64,
    pub tb_hits: u64,
    /// Since the search began.
    pub time_ms: u64,
    /// Thousandths of the table used by this search.
    pub hashfull: u32,
}

/// Receives reports of a running search; called from thread 0 of the search.
pub trait Reporter: Send + Sync {
    fn line(&self, report: &Report<'_>);
    /// The move now being searched at the root (depth, move, number from 1); only after some seconds.
    fn current_move(&self, depth: i32, mv: u16, number: usize);
}

/// What one thread found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Best line first, then the others of `multipv`; never empty.
    pub lines: Vec<RootLine>,
    /// The last depth completed.
    pub depth: i32,
    /// Nodes of this thread.
    pub nodes: u64,
}

/// A thread's private part of the engine: histories, stack, caches. Made by the copy, opaque outside.
pub trait Worker: Send {
    /// Searches until a limit or the stop flag ends it. Thread 0 watches limits and reports.
    fn search(&mut self, job: &Job, thread: usize) -> Outcome;
    /// Forgets everything learned (`ucinewgame`).
    fn clear(&mut self);
}

/// What the rules say of a position as played.
#[derive(Clone, Debug)]
pub struct Inspection {
    pub key: u64,
    /// Squares of the checking pieces.
    pub checkers: Vec<u8>,
    /// How often this position has occurred in the line, this one included.
    pub occurrences: u32,
    /// `Some` when the game is over or can be claimed: who gains (+1 mover, 0 draw, -1 the other) and by which rule.
    pub verdict: Option<(i32, &'static str)>,
    /// What the moves since the last occurrence of this position amount to, in the same form, decisive yet or not; only
    /// games that judge repetitions say so.
    pub cycle: Option<(i32, &'static str)>,
}

/// One line of `eval`: a term's name, White's and Black's share as (middle game, end game), in internal centipawns.
#[derive(Clone, Debug)]
pub struct Term {
    pub name: &'static str,
    pub white: (i32, i32),
    pub black: (i32, i32),
}

/// What `eval` shows.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub terms: Vec<Term>,
    /// The classical value, White's view, before the 50-move fade.
    pub classical: i32,
    /// What the search would use, White's view.
    pub final_value: i32,
}

/// Says which of the legal moves comes next, if any; the flag tells that the mover is in check.
pub type Chooser<'a> = dyn FnMut(&[u16], bool) -> Option<u16> + 'a;

/// One game of one copy: a const table of functions, the only way in.
pub struct GameCopy {
    /// A worker for a search thread; `Err` when its memory cannot be had.
    pub worker: fn() -> Result<Box<dyn Worker>, String>,
    /// All legal moves.
    pub legal_moves: fn(&Line) -> Vec<u16>,
    /// Plays on from a line: the chooser sees the legal moves and whether the mover is in check, and gives the next move
    /// (or a pass, out of check) until `None`. Returns the moves played.
    pub follow: fn(&Line, &mut Chooser<'_>) -> Vec<u16>,
    /// Leaves below each legal move at `depth` >= 1; stops early (partial counts) when the flag is set.
    pub perft: fn(&Line, depth: u32, stop: &AtomicBool) -> Vec<(u16, u64)>,
    /// The placement after the moves of the line.
    pub placement: fn(&Line) -> Placement,
    pub inspect: fn(&Line, &Policy) -> Inspection,
    /// `None` in check.
    pub explain: fn(&Line, &Policy) -> Option<Explanation>,
    /// The classical value from the mover's side, worked out that many times (at least once): for tests and benches.
    pub classical: fn(&Line, rounds: u32) -> i32,
    /// For each move of the line: whether it is quiet and the position before it is no check. Ends before the first
    /// illegal move.
    pub quiet: fn(&Line) -> Vec<bool>,
    /// The classical evaluation of the positions before those moves of the line that are wanted, `None` where it
    /// cannot be fitted (in check, known wins and draws).
    pub traces: fn(&Line, wanted: &[bool]) -> Vec<Option<Trace>>,
    /// Verifies that everything kept step by step equals what is computed from scratch, and that the halves of the
    /// rules agree; says what does not. For tests and debugging.
    pub self_check: fn(&Line) -> Result<(), String>,
}

/// A copy of the engine for one CPU target.
pub struct EngineCopy {
    pub chess: &'static GameCopy,
    pub xiangqi: &'static GameCopy,
}

impl EngineCopy {
    /// The table of a game, `None` if this build does not have it.
    pub fn game(&self, game: Game) -> Option<&'static GameCopy> {
        match game {
            Game::Chess => Some(self.chess),
            Game::Xiangqi => Some(self.xiangqi),
        }
    }
}

/// The classical evaluation of a position as a function of its weights, White's view: what a fitter needs.
///
/// Middle game and end game are the sums of `counts` (White's less Black's) times the halves of their weights. Danger weights (the
/// last ones) are summed for each king instead, and the square of that sum, if positive, is taken off the middle game.
/// The value is `(mg * phase + eg * (full - phase) * scale / 64) / full`.
#[derive(Clone, Debug)]
pub struct Trace {
    pub phase: i32,
    /// Out of 64.
    pub scale: i32,
    /// The king is in no danger, whatever its sum says: White's, Black's.
    pub safe_king: [bool; 2],
    /// Weight, White's count, Black's count.
    pub counts: Vec<(u16, i16, i16)>,
    /// The value with the present weights.
    pub value: i32,
}
