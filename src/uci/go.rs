//! `go`: limits in every order and combination.

use std::fmt;

use crate::engine::Limits;
use crate::shared::time::GoTimes;

/// A `go` line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoRequest {
    pub limits: GoLimits,
    pub times: GoTimes,
    /// The answer waits for `stop`.
    pub infinite: bool,
    /// Moves to search, as written; all if empty.
    pub searchmoves: Vec<String>,
    pub perft: Option<u32>,
}

/// The limits that are not time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    pub depth: Option<i32>,
    pub nodes: Option<u64>,
    pub mate: Option<u32>,
}

impl From<GoLimits> for Limits {
    fn from(limits: GoLimits) -> Limits {
        Limits {
            depth: limits.depth,
            nodes: limits.nodes,
            mate: limits.mate,
            soft_nodes: None,
        }
    }
}

/// A limit that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoFault {
    NoValue(&'static str),
    BadNumber { limit: &'static str, text: String },
    Unknown(String),
}

impl fmt::Display for GoFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoFault::NoValue(limit) => write!(f, "go: {limit} has no value and is ignored"),
            GoFault::BadNumber { limit, text } => write!(f, "go: {limit} '{text}' is no number and is ignored"),
            GoFault::Unknown(text) => write!(f, "go: '{text}' is unknown and ignored"),
        }
    }
}

/// Words that begin a limit, so that they never are the value of the one before.
const KEYWORDS: [&str; 13] = [
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.into_iter().find(|k| k.eq_ignore_ascii_case(word))
}

impl GoRequest {
    /// Reads the words after `go`; whatever cannot be understood is left out and told.
    pub fn parse<'a>(words: impl Iterator<Item = &'a str>) -> (GoRequest, Vec<GoFault>) {
        let mut words = words.peekable();
        let mut request = GoRequest::default();
        let mut faults = Vec::new();
        while let Some(word) = words.next() {
            let Some(key) = keyword(word) else {
                faults.push(GoFault::Unknown(shown(word)));
                continue;
            };
            match key {
                "infinite" => request.infinite = true,
                "ponder" => request.times.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|w| keyword(w).is_none()) {
                        request.searchmoves.push(mv.to_string());
                    }
                }
                limit => match words.next_if(|w| keyword(w).is_none()) {
                    None => faults.push(GoFault::NoValue(limit)),
                    Some(text) => {
                        if request.set(limit, text).is_none() {
                            faults.push(GoFault::BadNumber {
                                limit,
                                text: shown(text),
                            });
                        }
                    }
                },
            }
        }
        (request, faults)
    }

    fn set(&mut self, limit: &str, text: &str) -> Option<()> {
        let times = &mut self.times;
        match limit {
            "depth" => self.limits.depth = Some(natural(text)?.min(i32::MAX as u64) as i32),
            "nodes" => self.limits.nodes = Some(natural(text)?),
            "mate" => self.limits.mate = Some(natural(text)?.min(u32::MAX as u64) as u32),
            "perft" => self.perft = Some(natural(text)?.min(u32::MAX as u64) as u32),
            "movetime" => times.move_time = Some(milliseconds(text)?),
            "wtime" => times.time[0] = Some(clock(text)?),
            "btime" => times.time[1] = Some(clock(text)?),
            "winc" => times.increment[0] = Some(milliseconds(text)?),
            "binc" => times.increment[1] = Some(milliseconds(text)?),
            _ => times.moves_to_go = Some(natural(text)?.min(u32::MAX as u64) as u32),
        }
        Some(())
    }

    /// Whether the search ends by itself.
    pub fn is_bounded(&self) -> bool {
        let times = &self.times;
        let timed = times.move_time.is_some() || times.time.iter().chain(&times.increment).any(Option::is_some);
        let limited = self.limits.depth.is_some() || self.limits.nodes.is_some() || times.moves_to_go.is_some();
        !self.infinite && !times.ponder && (timed || limited)
    }
}

/// A number that is not negative; one beyond 64 bits is the greatest.
fn natural(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(u64::MAX))
}

fn milliseconds(text: &str) -> Option<i64> {
    Some(natural(text)?.min(i64::MAX as u64) as i64)
}

/// A clock may have run below zero.
fn clock(text: &str) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(digits) => Some(-milliseconds(digits)?),
        None => milliseconds(text),
    }
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (GoRequest, Vec<GoFault>) {
        GoRequest::parse(text.split_whitespace())
    }

    #[test]
    fn every_limit_in_any_order() {
        let text = "searchmoves e2e4 d2d4 binc 4 winc 3 btime -2 wtime 1 infinite movestogo 5 mate 6 nodes 7 depth 8 movetime 9";
        let (request, faults) = parse(text);
        assert!(faults.is_empty());
        assert_eq!(request.searchmoves, ["e2e4", "d2d4"]);
        assert_eq!(
            request.limits,
            GoLimits {
                depth: Some(8),
                nodes: Some(7),
                mate: Some(6)
            }
        );
        assert_eq!(
            (request.times.time, request.times.increment),
            ([Some(1), Some(-2)], [Some(3), Some(4)])
        );
        assert_eq!((request.times.moves_to_go, request.times.move_time), (Some(5), Some(9)));
        assert!(request.infinite && !request.is_bounded());
    }

    #[test]
    fn what_does_not_parse_is_ignored_and_told() {
        let (request, faults) = parse("depth 12x nodes movetime -1 nonsense wtime 99999999999999999999 ponder");
        assert_eq!(faults.len(), 4);
        assert_eq!(request.limits, GoLimits::default());
        assert_eq!(request.times.time[0], Some(i64::MAX));
        assert!(request.times.ponder && !request.is_bounded());
        assert!(parse("").1.is_empty() && !parse("").0.is_bounded());
        assert!(parse("depth 0").0.is_bounded());
    }
}
