//! One thread's search: its position, line, histories and what it counts.

use std::sync::atomic::Ordering;

use baize_hot::hot;

use super::super::board::{Move, Position};
use super::super::eval::Evaluator;
use super::super::game;
use super::frame::Frames;
use super::history::{self, Histories};
use super::picker::Arena;
use super::reductions::Reductions;
use super::root::RootMoves;
use crate::engine::{Job, MAX_PLY, Shared, score};
use crate::options::Switches;
use crate::shared::memory::HugeBox;

/// How often, in nodes, counters are published and the clock is read, at most. A power of two.
const POLL: u64 = 512;

/// A thread's private part of the engine.
pub struct Searcher {
    pub pos: Position,
    pub frames: Frames,
    pub hist: HugeBox<Histories>,
    pub arena: Arena,
    pub pv: PvTable,
    pub eval: Evaluator,
    pub reductions: Reductions,
    pub switches: Switches,
    /// 0 watches limits and reports.
    pub thread: usize,
    pub nodes: u64,
    pub seldepth: usize,
    /// Null moves are not tried again above this ply while one is being verified.
    pub null_from: usize,
    pub root: RootMoves,
    /// The depth of the running iteration: lines may grow to twice that.
    pub root_depth: i32,
    /// Limits or the stop flag ended the search: values are no longer meant.
    pub stopped: bool,
    /// `u64::MAX` without a limit.
    pub node_limit: u64,
    /// Margins of the static evaluation prune; not when a mate is looked for, which material says nothing about.
    pub margins: bool,
    /// Limits are looked at when these bits of the node count are 0.
    poll_mask: u64,
}

impl Searcher {
    /// # Errors
    /// When memory for the histories cannot be had.
    #[hot]
    pub fn new() -> Result<Self, String> {
        Ok(Searcher {
            pos: game::start(),
            frames: Frames::new(),
            hist: HugeBox::zeroed().map_err(|e| e.to_string())?,
            arena: Arena::new(),
            pv: PvTable::new(),
            eval: Evaluator::new()?,
            reductions: Reductions::new(),
            switches: Switches::default(),
            thread: 0,
            nodes: 0,
            seldepth: 0,
            null_from: 0,
            root: RootMoves::default(),
            root_depth: 0,
            stopped: false,
            node_limit: u64::MAX,
            margins: true,
            poll_mask: POLL - 1,
        })
    }

    /// Forgets what was learned.
    pub fn forget(&mut self) {
        bytemuck::write_zeroes(&mut *self.hist);
        self.eval.clear();
    }

    /// Looks whether the search has to end. Called once a node; cheap.
    #[hot]
    pub fn poll(&mut self, job: &Job) {
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        if self.nodes & self.poll_mask == 0 {
            self.poll_slowly(job);
        }
    }

    #[cold]
    fn poll_slowly(&mut self, job: &Job) {
        self.publish(&job.shared);
        if job.shared.stop.load(Ordering::Relaxed) {
            self.stopped = true;
        }
        if job.shared.pondering.load(Ordering::Relaxed) {
            return;
        }
        let single = job.shared.counters.len() == 1;
        let total = if single { self.nodes } else { total_nodes(&job.shared) };
        // Every thread watches the nodes: thread 0 may be the one that waits for a processor.
        if job.limits.nodes.is_some_and(|limit| total >= limit) {
            self.stopped = true;
        }
        // The first iteration takes no time worth saving, and its move is better than any.
        if self.thread == 0 && self.root_depth > 1 && job.clock.hard_reached(total) {
            self.stopped = true;
        }
    }

    /// How often this search looks at its limits: seldom, unless several threads share few nodes.
    pub fn set_poll_mask(&mut self, job: &Job) {
        let threads = job.shared.counters.len() as u64;
        self.poll_mask = match job.limits.nodes {
            Some(limit) if threads > 1 => (1 << (limit / (16 * threads)).clamp(1, POLL).ilog2()) - 1,
            _ => POLL - 1,
        };
    }

    /// Lets others see this thread's node count.
    pub fn publish(&self, shared: &Shared) {
        if let Some(counter) = shared.counters.get(self.thread) {
            counter.nodes.store(self.nodes, Ordering::Relaxed);
        }
    }

    /// A draw, give or take one point: so that the search does not take all draws for one.
    #[inline(always)]
    pub fn draw_score(&self) -> i32 {
        (self.nodes & 2) as i32 - 1
    }

    /// Makes a move and notes it in the frame of `ply`.
    #[hot]
    pub fn make(&mut self, job: &Job, mv: Move, ply: usize) {
        let piece = self.pos.moving(mv);
        let frame = self.frames.at_mut(ply);
        frame.mv = mv;
        frame.moved = piece;
        frame.row = history::row(piece, mv.to());
        self.nodes += 1;
        self.pos.make(mv);
        job.shared.tt.prefetch(self.pos.state.key);
    }

    #[hot]
    pub fn unmake(&mut self) {
        self.pos.unmake();
    }

    /// The score of being mated at `ply`.
    #[inline(always)]
    pub fn mated(ply: usize) -> i32 {
        -score::MATE + ply as i32
    }
}

/// Nodes of all threads, as published.
pub fn total_nodes(shared: &Shared) -> u64 {
    shared.counters.iter().map(|c| c.nodes.load(Ordering::Relaxed)).sum()
}

/// The principal variations of all plies, triangular (chess programming wiki: Triangular PV-Table).
pub struct PvTable {
    lines: Box<[[u16; MAX_PLY + 2]]>,
    len: Box<[usize]>,
}

impl PvTable {
    fn new() -> Self {
        PvTable {
            lines: vec![[0; MAX_PLY + 2]; MAX_PLY + 2].into_boxed_slice(),
            len: vec![0; MAX_PLY + 2].into_boxed_slice(),
        }
    }

    #[inline(always)]
    pub fn clear(&mut self, ply: usize) {
        self.len[ply] = 0;
    }

    /// The line of `ply` becomes `mv` and the line of the next ply.
    #[hot]
    pub fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let tail = self.len[ply + 1].min(MAX_PLY);
        let line = &mut upper[ply];
        line[0] = mv.raw();
        for (to, from) in line[1..=tail].iter_mut().zip(&lower[0][..tail]) {
            *to = *from;
        }
        self.len[ply] = tail + 1;
    }

    pub fn line(&self, ply: usize) -> &[u16] {
        &self.lines[ply][..self.len[ply]]
    }
}
