//! The one way out: whole lines to standard output, and to the debug log if there is one.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Standard output of the session.
#[derive(Default)]
pub struct Output {
    log: Mutex<Option<File>>,
}

impl Output {
    /// Writes lines (without the last line's end) and flushes. Whoever listened and has gone ends the process quietly.
    pub fn say(&self, text: &str) {
        let mut log = self.log();
        let mut out = io::stdout().lock();
        let written = out
            .write_all(text.as_bytes())
            .and_then(|()| out.write_all(b"\n"))
            .and_then(|()| out.flush());
        if written.is_err() {
            std::process::exit(0);
        }
        copy(&mut log, "<< ", text);
    }

    /// An `info string` line; control characters of quoted input do not reach the terminal.
    pub fn note(&self, text: impl AsRef<str>) {
        let clean: String = text
            .as_ref()
            .chars()
            .map(|c| if c.is_control() { '?' } else { c })
            .collect();
        self.say(&format!("info string {clean}"));
    }

    /// Copies a line of input to the debug log.
    pub fn heard(&self, line: &str) {
        copy(&mut self.log(), ">> ", line);
    }

    /// Starts a debug log, appending to a file that exists; an empty name ends it.
    ///
    /// # Errors
    /// When the file cannot be opened; the log in use stays.
    pub fn log_to(&self, file: &str) -> io::Result<()> {
        let next = match file {
            "" => None,
            name => Some(File::options().append(true).create(true).open(Path::new(name))?),
        };
        *self.log() = next;
        Ok(())
    }

    fn log(&self) -> MutexGuard<'_, Option<File>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A log that cannot be written to is given up: the game goes on.
fn copy(log: &mut Option<File>, mark: &str, text: &str) {
    let Some(file) = log else { return };
    let lines: String = text.lines().map(|line| format!("{mark}{line}\n")).collect();
    if file.write_all(lines.as_bytes()).is_err() {
        *log = None;
    }
}
