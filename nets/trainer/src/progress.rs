//! A line on standard error that says how far things are.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const WIDTH: usize = 24;

/// Shows progress at most so often.
pub struct Progress {
    began: Instant,
    shown: Option<Instant>,
    /// Work done before this run began.
    from: u64,
    total: u64,
    interval: Duration,
}

impl Progress {
    /// Of `total` pieces of work `from` are done.
    pub fn new(from: u64, total: u64) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Progress {
            began: Instant::now(),
            shown: None,
            from,
            total,
            // A log file does not need each of them.
            interval: Duration::from_millis(if terminal { 300 } else { 30_000 }),
        }
    }

    pub fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Shows the state if it is time; `text` is asked for only then.
    pub fn show(&mut self, done: u64, text: impl FnOnce() -> String) {
        if self.shown.is_some_and(|shown| shown.elapsed() < self.interval) {
            return;
        }
        self.shown = Some(Instant::now());
        let share = done as f64 / self.total.max(1) as f64;
        let rate = done.saturating_sub(self.from) as f64 / self.seconds().max(1e-9);
        let left = self.total.saturating_sub(done) as f64 / rate.max(1e-9);
        let filled = (share.clamp(0.0, 1.0) * WIDTH as f64) as usize;
        let ends = if std::io::stderr().is_terminal() { "\r" } else { "" };
        let tail = if ends.is_empty() { "\n" } else { "   " };
        eprint!(
            "{ends}[{}{}] {:5.1} %  {}  {} left{tail}",
            "#".repeat(filled),
            ".".repeat(WIDTH - filled),
            100.0 * share,
            text(),
            duration(left)
        );
        let _ = std::io::stderr().flush();
    }

    /// Makes room for other output.
    pub fn clear(&self) {
        if std::io::stderr().is_terminal() {
            eprint!("\r{:110}\r", "");
        }
    }
}

/// Hours, minutes and seconds.
pub fn duration(seconds: f64) -> String {
    let seconds = seconds.clamp(0.0, 1e8) as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
