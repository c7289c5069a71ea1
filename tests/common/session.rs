//! The engine as a GUI sees it: a process, lines in, lines out, and deadlines.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// For whatever needs a search: machines that run tests are busy.
pub const LONG: Duration = Duration::from_secs(60);
/// For what must be answered at once.
pub const SOON: Duration = Duration::from_secs(10);

/// A running engine; killed when dropped.
pub struct Session {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Everything heard so far.
    pub heard: Vec<String>,
}

impl Session {
    pub fn start(arguments: &[&str]) -> Session {
        Session::start_as(Command::new(env!("CARGO_BIN_EXE_baize")).args(arguments))
    }

    pub fn start_as(command: &mut Command) -> Session {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the engine starts");
        let output = BufReader::new(process.stdout.take().expect("its output is a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Session {
            input: process.stdin.take(),
            process,
            lines,
            heard: Vec::new(),
        }
    }

    /// Sends lines.
    pub fn send(&mut self, text: &str) -> &mut Session {
        self.send_bytes(text.as_bytes()).send_bytes(b"\n")
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) -> &mut Session {
        let input = self.input.as_mut().expect("input is open");
        input
            .write_all(bytes)
            .and_then(|()| input.flush())
            .expect("the engine listens");
        self
    }

    /// Waits for a line that begins so and returns the lines up to it.
    pub fn expect_within(&mut self, start: &str, limit: Duration) -> Vec<String> {
        let deadline = Instant::now() + limit;
        let mut seen = Vec::new();
        loop {
            match self
                .lines
                .recv_timeout(deadline.saturating_duration_since(Instant::now()))
            {
                Ok(line) => {
                    self.heard.push(line.clone());
                    let found = line.starts_with(start);
                    seen.push(line);
                    if found {
                        return seen;
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("no '{start}' within {limit:?}; heard {seen:#?}"),
                Err(RecvTimeoutError::Disconnected) => panic!("the engine ended before '{start}'; heard {seen:#?}"),
            }
        }
    }

    pub fn expect(&mut self, start: &str) -> Vec<String> {
        self.expect_within(start, LONG)
    }

    /// Sends a line and returns what is said up to `readyok`.
    pub fn ask(&mut self, text: &str) -> Vec<String> {
        let mut lines = self.send(text).send("isready").expect_within("readyok", SOON);
        lines.pop();
        lines
    }

    /// Sends a line that must be answered by exactly one `info string` line, and returns that.
    pub fn ask_note(&mut self, text: &str) -> String {
        let lines = self.ask(text);
        assert_eq!(lines.len(), 1, "{text}: {lines:#?}");
        assert!(lines[0].starts_with("info string "), "{text}: {lines:#?}");
        lines[0].clone()
    }

    /// Searches and returns all lines with the move.
    pub fn go(&mut self, text: &str) -> (Vec<String>, String) {
        let lines = self.send(text).expect("bestmove");
        let best = best_move(&lines);
        (lines, best)
    }

    /// Nothing is said for a while.
    pub fn expect_silence(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while let Ok(line) = self
            .lines
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            assert!(!line.starts_with("bestmove"), "answered too early: {line}");
            self.heard.push(line);
        }
    }

    /// Closes input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process; the lines that came before it.
    pub fn finish(&mut self) -> (Vec<String>, ExitStatus) {
        let deadline = Instant::now() + LONG;
        let mut lines = Vec::new();
        loop {
            match self
                .lines
                .recv_timeout(deadline.saturating_duration_since(Instant::now()))
            {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end; heard {lines:#?}"),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        (lines, self.process.wait().expect("it can be waited for"))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The move of the last `bestmove` line.
pub fn best_move(lines: &[String]) -> String {
    let line = lines
        .iter()
        .rfind(|line| line.starts_with("bestmove"))
        .expect("a bestmove line");
    line.split_whitespace().nth(1).expect("a move").to_string()
}

/// The value after a word of an `info` line.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    words.find(|word| *word == name)?;
    words.next()
}

/// The lines with a score.
pub fn scored(lines: &[String]) -> Vec<&String> {
    lines
        .iter()
        .filter(|line| line.starts_with("info depth") && line.contains(" score "))
        .collect()
}
