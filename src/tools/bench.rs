//! `bench`: the same searches every time, for speed and as a signature of what is searched.

use std::time::Duration;

use crate::engine::Game;
use crate::options::{OptionDefinition, OptionValue};
use crate::uci::reporter::per_second;

include!(concat!(env!("OUT_DIR"), "/bench.rs"));

/// What a `bench` line asks for: `[hash] [threads] [limit] [default|current|FILE] [depth|perft|nodes|movetime|eval]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub hash_mib: usize,
    pub threads: usize,
    pub fens: Vec<String>,
    /// What is done in each position.
    pub command: String,
}

impl Plan {
    /// Reads the words after `bench`; `current` is the position on the board.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub fn parse(words: &[String], game: Game, current: &str) -> Result<Plan, String> {
        let word = |index: usize, default: &'static str| words.get(index).map_or(default, String::as_str);
        if let Some(extra) = words.get(5) {
            return Err(format!("unexpected '{extra}'"));
        }
        let limit: u64 = word(2, "13")
            .parse()
            .map_err(|_| format!("limit '{}' is no number", word(2, "")))?;
        Ok(Plan {
            hash_mib: option_value("Hash", word(0, "16"))?,
            threads: option_value("Threads", word(1, "1"))?,
            fens: positions(word(3, "default"), game, current)?,
            command: match word(4, "depth") {
                kind @ ("depth" | "perft" | "nodes" | "movetime") => format!("go {kind} {limit}"),
                "eval" => "eval".to_string(),
                other => return Err(format!("'{other}' is none of depth, perft, nodes, movetime, eval")),
            },
        })
    }
}

/// A number within the range of an option.
fn option_value(name: &str, text: &str) -> Result<usize, String> {
    let definition = OptionDefinition::find(name).ok_or_else(|| format!("no option {name}"))?;
    match definition.parse(text) {
        Ok((OptionValue::Spin(value), false)) => Ok(value as usize),
        Ok(_) => Err(format!("{name} {text} is out of range")),
        Err(error) => Err(error.to_string()),
    }
}

fn positions(source: &str, game: Game, current: &str) -> Result<Vec<String>, String> {
    match source {
        "default" => Ok(default_positions(game).iter().map(|fen| fen.to_string()).collect()),
        "current" => Ok(vec![current.to_string()]),
        file => {
            let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
            let lines = text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with('#'));
            Ok(lines.map(str::to_string).collect())
        }
    }
}

fn default_positions(game: Game) -> &'static [&'static str] {
    match game {
        Game::Chess => CHESS_POSITIONS,
        Game::Xiangqi => XIANGQI_POSITIONS,
    }
}

/// What a `bench` came to.
pub struct Summary {
    pub nodes: u64,
    pub elapsed: Duration,
}

impl Summary {
    /// The closing lines on standard error.
    pub fn for_people(&self) -> String {
        let time = self.elapsed.as_millis() as u64;
        format!(
            "\n===========================\nTotal time (ms) : {time}\nNodes searched  : {}\nNodes/second    : {}",
            self.nodes,
            per_second(self.nodes, time)
        )
    }

    /// The last line on standard output, which test frameworks read.
    pub fn for_programs(&self) -> String {
        format!(
            "{} nodes {} nps",
            self.nodes,
            per_second(self.nodes, self.elapsed.as_millis() as u64)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::parse_fen;

    fn plan(text: &str) -> Result<Plan, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        Plan::parse(&words, Game::Chess, "current fen")
    }

    #[test]
    fn words_in_order() {
        let default = plan("").unwrap();
        assert_eq!(
            (default.hash_mib, default.threads, default.command.as_str()),
            (16, 1, "go depth 13")
        );
        let other = plan("64 2 5000 current nodes").unwrap();
        assert_eq!(
            (other.hash_mib, other.threads, other.command.as_str()),
            (64, 2, "go nodes 5000")
        );
        assert_eq!(other.fens, ["current fen"]);
        for bad in [
            "x",
            "0",
            "16 0",
            "16 1 x",
            "16 1 5 /no/such/file",
            "16 1 5 default x",
            "1 1 1 default depth 6",
        ] {
            assert!(plan(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn positions_are_good_and_all_different() {
        for game in [Game::Chess, Game::Xiangqi] {
            let fens = default_positions(game);
            assert!(fens.len() >= 40);
            for (index, fen) in fens.iter().enumerate() {
                let (_, warnings) = parse_fen(game, fen, false).unwrap_or_else(|e| panic!("{fen}: {e}"));
                assert!(warnings.is_empty(), "{fen}: {warnings:?}");
                assert!(!fens[..index].contains(fen), "{fen} twice");
            }
        }
    }
}
