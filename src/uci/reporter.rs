//! Reports of a search as `info` lines.

use std::sync::{Arc, Mutex, PoisonError};

use super::output::Output;
use super::score::{shown, wdl};
use crate::engine::{Bound, Game, Report, Reporter, RootLine};
use crate::position::move_text;

/// How moves and scores are written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub game: Game,
    pub chess960: bool,
    pub show_wdl: bool,
    /// Lines are kept back until the end (`Minimal Output`).
    pub minimal: bool,
    /// The lines of `MultiPV` that are shown.
    pub lines: usize,
}

/// The reporter of one search.
pub struct LineReporter {
    output: Arc<Output>,
    style: Style,
    said: Mutex<Said>,
}

/// What was reported last.
#[derive(Default)]
struct Said {
    /// By number of the line, kept back for `Minimal Output`.
    kept: Vec<String>,
    /// The last best line: move, score, whether it was exact.
    best: Option<(u16, i32, bool)>,
}

impl LineReporter {
    pub fn new(output: Arc<Output>, style: Style) -> Self {
        LineReporter {
            output,
            style,
            said: Mutex::new(Said::default()),
        }
    }

    /// A move in UCI's writing.
    pub fn move_text(&self, mv: u16) -> String {
        move_text(self.style.game, mv, self.style.chess960)
    }

    /// Says what must be said before `bestmove`: kept lines, and `last` unless the best line reported last was it.
    pub fn finish(&self, last: &Report<'_>) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let best = (last.line.pv.first().copied().unwrap_or(0), last.line.score, true);
        let fresh = said.best == Some(best);
        let mut lines = std::mem::take(&mut said.kept);
        if !fresh {
            let line = RootLine {
                bound: Bound::Exact,
                ..last.line.clone()
            };
            let text = self.format(&Report { line: &line, ..*last });
            if self.style.minimal && !lines.is_empty() {
                lines[0] = text;
            } else {
                lines.push(text);
            }
        }
        lines.retain(|line| !line.is_empty());
        if !lines.is_empty() {
            self.output.say(&lines.join("\n"));
        }
    }

    fn format(&self, report: &Report<'_>) -> String {
        let line = report.line;
        let bound = match line.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let chances = match self.style.show_wdl {
            true => {
                let [win, draw, loss] = wdl(line.score);
                format!(" wdl {win} {draw} {loss}")
            }
            false => String::new(),
        };
        let mut text = format!(
            "info depth {} seldepth {} multipv {} score {}{bound}{chances} nodes {} nps {} hashfull {} tbhits {} time {} pv",
            line.depth.max(1),
            line.seldepth.max(1),
            report.multipv,
            shown(line.score),
            report.nodes,
            per_second(report.nodes, report.time_ms),
            report.hashfull,
            report.tb_hits,
            report.time_ms,
        );
        for &mv in &line.pv {
            text.push(' ');
            text.push_str(&self.move_text(mv));
        }
        text
    }
}

/// Nodes a second, a whole number.
pub fn per_second(nodes: u64, time_ms: u64) -> u64 {
    (nodes as u128 * 1000 / time_ms.max(1) as u128) as u64
}

impl Reporter for LineReporter {
    fn line(&self, report: &Report<'_>) {
        if report.multipv > self.style.lines {
            return;
        }
        let text = self.format(report);
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let exact = report.line.bound == Bound::Exact;
        if report.multipv == 1 {
            said.best = report.line.pv.first().map(|&mv| (mv, report.line.score, exact));
        }
        if !self.style.minimal {
            // Said under the lock, so that what was said last is what was reported last.
            self.output.say(&text);
        } else if exact {
            let kept = &mut said.kept;
            kept.resize(kept.len().max(report.multipv), String::new());
            kept[report.multipv - 1] = text;
        }
    }

    fn current_move(&self, depth: i32, mv: u16, number: usize) {
        if !self.style.minimal {
            self.output.say(&format!(
                "info depth {depth} currmove {} currmovenumber {number}",
                self.move_text(mv)
            ));
        }
    }
}
