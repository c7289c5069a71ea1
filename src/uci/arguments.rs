//! The command line: what is chosen there, and commands that are run once.

use std::ffi::OsString;
use std::path::Path;

use crate::engine::Game;

/// What the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The start value of `UCI_Variant`.
    pub game: Game,
    /// The CPU target forced by name.
    pub cpu: Option<String>,
    /// Commands to run; none means to read standard input. Of a tool its own arguments.
    pub commands: Vec<String>,
    pub action: Action,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Run,
    /// Makes self-play data.
    Datagen,
    /// Looks at self-play data and changes it.
    Data,
    Help,
    Version,
}

impl Arguments {
    /// Reads the command line, the name of the program first.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, String> {
        let mut texts = arguments.into_iter().map(|a| a.to_string_lossy().into_owned());
        let program = texts.next().unwrap_or_default();
        let mut parsed = Arguments {
            game: game_of_program(&program),
            cpu: None,
            commands: Vec::new(),
            action: Action::Run,
        };
        let mut words: Vec<String> = Vec::new();
        while let Some(text) = texts.next() {
            let (key, inline) = match text.split_once('=') {
                Some((key, value)) if key.starts_with("--") => (key.to_string(), Some(value.to_string())),
                _ => (text.clone(), None),
            };
            let mut value = |what: &str| {
                inline
                    .clone()
                    .or_else(|| texts.next())
                    .ok_or(format!("{key} needs {what}"))
            };
            match key.as_str() {
                // Options end where commands begin; only the tools take more.
                _ if !words.is_empty() => {
                    let tool = matches!(words[0].as_str(), "datagen" | "data");
                    if text.starts_with("--") && !tool {
                        return Err(format!("{text} must stand before the command"));
                    }
                    words.push(text);
                }
                "--game" => parsed.game = game_by_name(&value("chess or xiangqi")?)?,
                "--cpu" => parsed.cpu = Some(value("the name of a CPU target")?),
                "--help" | "-h" => parsed.action = Action::Help,
                "--version" | "-V" => parsed.action = Action::Version,
                _ if key.starts_with("--") => return Err(format!("unknown option {key}; try --help")),
                _ => words.push(text),
            }
        }
        let tool = match words.first().map(String::as_str) {
            Some("datagen") => Some(Action::Datagen),
            Some("data") => Some(Action::Data),
            _ => None,
        };
        parsed.commands = match tool {
            Some(tool) if parsed.action == Action::Run => {
                parsed.action = tool;
                words.split_off(1)
            }
            _ => commands(words),
        };
        Ok(parsed)
    }
}

/// One command a word if the first has spaces (`"go depth 5" quit`), else all words are one command (`bench 16 1 10`).
fn commands(words: Vec<String>) -> Vec<String> {
    match words.first() {
        None => Vec::new(),
        Some(first) if first.trim().contains(char::is_whitespace) => words,
        Some(_) => vec![words.join(" ")],
    }
}

fn game_by_name(name: &str) -> Result<Game, String> {
    let known = [Game::Chess, Game::Xiangqi]
        .into_iter()
        .find(|g| g.name().eq_ignore_ascii_case(name));
    known.ok_or_else(|| format!("unknown game '{name}'; there are chess and xiangqi"))
}

/// An executable called something-xiangqi plays xiangqi.
fn game_of_program(program: &str) -> Game {
    let stem = Path::new(program)
        .file_stem()
        .map(|s| s.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    if stem.ends_with("-xiangqi") {
        Game::Xiangqi
    } else {
        Game::Chess
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Arguments, String> {
        Arguments::parse(words.iter().map(OsString::from))
    }

    #[test]
    fn commands_are_whole_words_or_one_line() {
        assert_eq!(
            parse(&["baize", "bench", "16", "1", "5"]).unwrap().commands,
            ["bench 16 1 5"]
        );
        assert_eq!(parse(&["baize", "go perft 5"]).unwrap().commands, ["go perft 5"]);
        assert_eq!(
            parse(&["baize", "position startpos", "d"]).unwrap().commands,
            ["position startpos", "d"]
        );
        assert!(parse(&["baize"]).unwrap().commands.is_empty());
    }

    #[test]
    fn tools_have_their_own_arguments() {
        let parsed = parse(&["baize", "--game", "xiangqi", "datagen", "--out", "a b", "--cpu"]).unwrap();
        assert_eq!((parsed.game, parsed.action), (Game::Xiangqi, Action::Datagen));
        assert_eq!(parsed.commands, ["--out", "a b", "--cpu"]);
    }

    #[test]
    fn game_and_target() {
        let parsed = parse(&["x/baize-xiangqi.exe", "--cpu=v2", "bench"]).unwrap();
        assert_eq!((parsed.game, parsed.cpu.as_deref()), (Game::Xiangqi, Some("v2")));
        assert_eq!(parse(&["baize-xiangqi", "--game", "chess"]).unwrap().game, Game::Chess);
        assert!(parse(&["baize", "--game", "go"]).is_err());
        assert!(parse(&["baize", "--cpu"]).is_err());
        assert!(parse(&["baize", "--nonsense"]).is_err());
        assert_eq!(parse(&["baize", "--version"]).unwrap().action, Action::Version);
    }
}
