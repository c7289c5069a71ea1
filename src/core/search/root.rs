//! Iterative deepening: the root's moves, aspiration windows, several lines, reports, and when to stop.

use std::sync::atomic::Ordering;

use baize_hot::hot;

use super::super::board::Move;
use super::super::game::{self, params as p};
use super::searcher::{Searcher, total_nodes};
use crate::engine::{Bound, Job, MAX_PLY, Outcome, Report, RootLine, score};
use crate::shared::time::Signals;

/// Bounds and current moves are reported after this long only: before, they come by the dozen.
const REPORT_BOUNDS_MS: u64 = 3000;

/// The deepest iteration.
const MAX_DEPTH: i32 = MAX_PLY as i32 - 1;

/// A legal move at the root and what is known of it.
pub struct RootMove {
    mv: Move,
    /// Of this iteration, `-INFINITE` if not best when searched.
    score: i32,
    /// Running average of its scores as best move; `NONE` before the first.
    average: i32,
    bound: Bound,
    seldepth: usize,
    /// Nodes spent on it in the whole search.
    nodes: u64,
    pv: Vec<u16>,
    /// The iteration that `score`, `bound` and `pv` are from.
    depth: i32,
}

/// All of them, best first.
#[derive(Default)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    /// The line being searched, 0 for the best: moves before it are settled in this iteration.
    pub pv_index: usize,
    depth: i32,
}

impl RootMoves {
    fn new(moves: &[u16]) -> Self {
        let moves = moves.iter().map(|&raw| RootMove {
            mv: Move::from_raw(raw),
            score: -score::INFINITE,
            average: score::NONE,
            bound: Bound::Exact,
            seldepth: 0,
            nodes: 0,
            pv: vec![raw],
            depth: 0,
        });
        RootMoves {
            moves: moves.collect(),
            pv_index: 0,
            depth: 0,
        }
    }

    /// The best move of the line being searched, as far as known.
    pub fn current_best(&self) -> Move {
        self.moves.get(self.pv_index).map_or(Move::NONE, |m| m.mv)
    }

    /// May be searched: allowed, and not settled by an earlier line.
    pub fn is_open(&self, mv: Move) -> bool {
        self.moves.iter().skip(self.pv_index).any(|m| m.mv == mv)
    }

    /// Notes what came of a move; `line` is there when it was searched with an open window.
    #[allow(clippy::too_many_arguments)]
    pub fn record(
        &mut self,
        mv: Move,
        value: i32,
        alpha: i32,
        beta: i32,
        nodes: u64,
        seldepth: usize,
        line: Option<&[u16]>,
    ) {
        let Some(root) = self.moves.iter_mut().find(|m| m.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        let Some(line) = line else {
            root.score = -score::INFINITE;
            return;
        };
        root.average = match root.average {
            score::NONE => value,
            average => (average + value) / 2,
        };
        root.score = value;
        root.bound = match () {
            _ if value >= beta => Bound::Lower,
            _ if value <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        root.seldepth = seldepth;
        root.depth = self.depth;
        root.pv.clear();
        root.pv.push(mv.raw());
        root.pv.extend_from_slice(line);
    }

    fn line(&self, index: usize) -> RootLine {
        let m = &self.moves[index];
        RootLine {
            // Draws are searched as one point more or less (`Searcher::draw_score`).
            score: if m.score.abs() == 1 { 0 } else { m.score },
            bound: m.bound,
            depth: m.depth,
            seldepth: m.seldepth.max(1) as i32,
            pv: m.pv.clone(),
        }
    }

    /// Best first; equal ones keep their order.
    fn sort(&mut self, from: usize, to: usize) {
        self.moves[from..to].sort_by_key(|m| std::cmp::Reverse(m.score));
    }
}

/// What iterations tell the clock.
struct Progress {
    stable: u32,
    last_best: u16,
    last_score: i32,
}

impl Searcher {
    /// Searches a job to its end. The result is never empty.
    #[hot]
    pub fn run(&mut self, job: &Job, thread: usize) -> Outcome {
        self.begin(job, thread);
        let multipv = job.multipv.clamp(1, job.root_moves.len().max(1));
        let mut lines = vec![self.first_line(job)];
        let mut completed = 0;
        let mut reported = false;
        let mut progress = Progress {
            stable: 0,
            last_best: 0,
            last_score: lines[0].score,
        };
        let last = job.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        for depth in 1..=last {
            self.begin_iteration(depth);
            for index in 0..multipv {
                self.root.pv_index = index;
                self.seldepth = 0;
                self.aspire(job, depth, multipv);
                let count = self.root.moves.len();
                self.root.sort(index, count);
                let settled = self.root.moves[index].depth == depth && self.root.moves[index].bound == Bound::Exact;
                if settled {
                    self.root.sort(0, index + 1);
                    lines = self.merge_lines(&lines, index + 1, multipv);
                }
                if self.stopped {
                    reported &= !settled;
                    break;
                }
            }
            if self.stopped {
                break;
            }
            completed = depth;
            self.publish(&job.shared);
            if thread == 0 {
                self.report_lines(job, &lines);
                reported = true;
                if self.should_stop(job, &lines, multipv, &mut progress) {
                    break;
                }
            } else if job.shared.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        self.publish(&job.shared);
        if thread == 0 && !reported {
            self.report_lines(job, &lines);
        }
        Outcome {
            lines,
            depth: completed,
            nodes: self.nodes,
        }
    }

    #[hot]
    fn begin(&mut self, job: &Job, thread: usize) {
        self.pos = super::super::entry::replay(&job.line);
        game::configure(&mut self.pos, &job.policy);
        self.pos.reserve(2 * MAX_PLY);
        self.frames.reset();
        self.switches = job.switches;
        self.thread = thread;
        self.nodes = 0;
        self.null_from = 0;
        self.stopped = false;
        self.node_limit = match job.limits.nodes {
            Some(limit) if job.shared.counters.len() == 1 => limit,
            _ => u64::MAX,
        };
        self.set_poll_mask(job);
        self.margins = job.limits.mate.is_none();
        self.root_depth = 0;
        self.root = RootMoves::new(&job.root_moves);
        self.publish(&job.shared);
    }

    #[hot]
    fn begin_iteration(&mut self, depth: i32) {
        self.root_depth = depth;
        self.root.depth = depth;
        for m in &mut self.root.moves {
            m.score = -score::INFINITE;
        }
    }

    /// What is said when no iteration ends: some legal move with the static evaluation.
    #[hot]
    fn first_line(&mut self, job: &Job) -> RootLine {
        let value = if self.pos.in_check() { 0 } else { self.static_eval(job) };
        RootLine {
            score: value,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 0,
            pv: vec![job.root_moves[0]],
        }
    }

    /// The lines settled in this iteration, then those of the one before that are not among them.
    #[hot]
    fn merge_lines(&self, before: &[RootLine], settled: usize, multipv: usize) -> Vec<RootLine> {
        let mut lines: Vec<RootLine> = (0..settled).map(|i| self.root.line(i)).collect();
        for line in before {
            if lines.len() < multipv && line.depth > 0 && lines.iter().all(|l| l.pv[0] != line.pv[0]) {
                lines.push(line.clone());
            }
        }
        lines
    }

    /// One line of one iteration, with a window around its expected score that grows where it fails.
    #[hot]
    fn aspire(&mut self, job: &Job, depth: i32, multipv: usize) {
        let average = self.root.moves[self.root.pv_index].average;
        let narrow = self.switches.aspiration() && depth >= p::aspiration_depth() && average != score::NONE;
        let (mut alpha, mut beta) = (-score::INFINITE, score::INFINITE);
        let mut window = p::aspiration_window() + average.saturating_mul(average) / p::aspiration_score_divisor();
        if narrow && average.abs() < score::EVAL_BOUND {
            alpha = average - window;
            beta = average + window;
        }
        let mut failed_high = 0;
        loop {
            let searched = (depth - failed_high).max(1);
            let value = self.negamax::<true, true>(job, alpha, beta, searched, 0, false);
            let (from, to) = (self.root.pv_index, self.root.moves.len());
            self.root.sort(from, to);
            if self.stopped || (value > alpha && value < beta) {
                return;
            }
            if self.thread == 0 && multipv == 1 && job.clock.elapsed_ms() > REPORT_BOUNDS_MS {
                let line = self.root.line(from);
                self.report(job, &line, 1);
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - window).max(-score::INFINITE);
                failed_high = 0;
            } else {
                beta = (value + window).min(score::INFINITE);
                failed_high = (failed_high + 1).min(3);
            }
            window += window * p::aspiration_growth() / 100 + 2;
            if window > 1500 || value.abs() >= score::MATE_BOUND {
                alpha = -score::INFINITE;
                beta = score::INFINITE;
            }
        }
    }

    /// After an iteration: do limits or the clock say that it was the last?
    #[hot]
    fn should_stop(&self, job: &Job, lines: &[RootLine], multipv: usize, progress: &mut Progress) -> bool {
        let best = &lines[0];
        progress.stable = if best.pv[0] == progress.last_best {
            progress.stable + 1
        } else {
            0
        };
        let score_drop = progress.last_score - best.score;
        progress.last_best = best.pv[0];
        // A slow average: one lucky iteration does not hide a decline.
        progress.last_score = (progress.last_score * 2 + best.score) / 3;
        if job.shared.pondering.load(Ordering::Relaxed) {
            return false;
        }
        if let Some(moves) = job.limits.mate {
            let within = (score::MATE - best.score.abs()) as u32 <= 2 * moves;
            if best.score.abs() >= score::MATE_BOUND && within && multipv == 1 {
                return true;
            }
        }
        let total = if job.shared.counters.len() == 1 {
            self.nodes
        } else {
            total_nodes(&job.shared)
        };
        if job.limits.nodes.is_some_and(|limit| total >= limit)
            || job.limits.soft_nodes.is_some_and(|limit| total >= limit)
        {
            return true;
        }
        let spent = self
            .root
            .moves
            .iter()
            .find(|m| m.mv.raw() == best.pv[0])
            .map_or(0, |m| m.nodes);
        let signals = Signals {
            stable_iterations: progress.stable,
            score_drop,
            best_move_share: spent as f64 / self.nodes.max(1) as f64,
            legal_moves: job.root_moves.len(),
        };
        job.clock.soft_reached(total, &signals)
    }

    #[hot]
    fn report_lines(&self, job: &Job, lines: &[RootLine]) {
        for (i, line) in lines.iter().enumerate() {
            self.report(job, line, i + 1);
        }
    }

    #[hot]
    fn report(&self, job: &Job, line: &RootLine, multipv: usize) {
        self.publish(&job.shared);
        job.reporter.line(&Report {
            line,
            multipv,
            nodes: total_nodes(&job.shared),
            tb_hits: job
                .shared
                .counters
                .iter()
                .map(|c| c.tb_hits.load(Ordering::Relaxed))
                .sum(),
            time_ms: job.clock.elapsed_ms(),
            hashfull: job.shared.tt.hashfull(),
        });
    }

    /// Says which root move is being searched, once the search takes long enough for someone to look.
    #[hot]
    pub fn report_current_move(&self, job: &Job, mv: Move, number: usize) {
        if self.nodes > 1 << 20 && job.clock.elapsed_ms() > REPORT_BOUNDS_MS {
            job.reporter
                .current_move(self.root_depth, mv.raw(), number + self.root.pv_index);
        }
    }
}
