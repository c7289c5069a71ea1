//! Lines to commands.

use std::fmt;

use super::go::{GoFault, GoRequest};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    Position(PositionRequest),
    Go(Box<GoRequest>),
    Stop,
    PonderHit,
    Quit,
    SetOption {
        name: String,
        value: String,
    },
    Display,
    Eval,
    Flip,
    Compiler,
    Bench(Vec<String>),
    Help,
    License,
    /// SPSA inputs of a build with tunable parameters.
    Tune,
    /// A line that means nothing and needs no answer: blank, a comment, `debug`, `register`.
    Nothing,
}

/// Where a `position` starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    Start,
    Fen(String),
    /// The board as it is.
    Current,
}

/// A `position` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRequest {
    pub base: Base,
    pub moves: Vec<String>,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    Unknown(String),
    /// `setoption` without a name.
    NoOptionName,
    /// Words between `position` and `moves` that say nothing.
    BadPosition(String),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(word) => write!(f, "Unknown command: '{word}'. Type help for more information."),
            CommandError::NoOptionName => f.write_str("setoption: no name given"),
            CommandError::BadPosition(word) => write!(f, "position: '{word}' instead of startpos, fen or moves"),
        }
    }
}

/// A command with what was left out of it.
#[derive(Debug, PartialEq)]
pub struct Parsed {
    pub command: Command,
    pub faults: Vec<GoFault>,
}

impl From<Command> for Parsed {
    fn from(command: Command) -> Self {
        Parsed {
            command,
            faults: Vec::new(),
        }
    }
}

/// Reads a line.
///
/// # Errors
/// When it is no command.
pub fn parse(line: &str) -> Result<Parsed, CommandError> {
    let line = line.trim_start_matches('\u{feff}').trim();
    let mut words = line.split_whitespace();
    let Some(word) = words.next() else {
        return Ok(Command::Nothing.into());
    };
    let command = match word {
        _ if word.starts_with('#') => Command::Nothing,
        "debug" | "register" => Command::Nothing,
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => Command::Position(parse_position(words)?),
        "startpos" | "fen" => Command::Position(parse_position(line.split_whitespace())?),
        "go" => {
            let (request, faults) = GoRequest::parse(words);
            return Ok(Parsed {
                command: Command::Go(Box::new(request)),
                faults,
            });
        }
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "setoption" => parse_option(&line[word.len()..])?,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "compiler" => Command::Compiler,
        "bench" => Command::Bench(words.map(str::to_string).collect()),
        "help" | "--help" => Command::Help,
        "license" | "--license" => Command::License,
        "tune" if cfg!(feature = "tune") => Command::Tune,
        _ => return Err(CommandError::Unknown(word.chars().take(60).collect())),
    };
    Ok(command.into())
}

fn parse_position<'a>(words: impl Iterator<Item = &'a str>) -> Result<PositionRequest, CommandError> {
    let mut words = words.peekable();
    let mut base = Vec::new();
    while let Some(word) = words.next_if(|word| *word != "moves") {
        base.push(word);
    }
    let base = match base[..] {
        [] => Base::Current,
        ["startpos"] => Base::Start,
        ["fen", ..] => Base::Fen(base[1..].join(" ")),
        ["startpos", other, ..] | [other, ..] => {
            return Err(CommandError::BadPosition(other.chars().take(60).collect()));
        }
    };
    let moves = words.skip(1).map(str::to_string).collect();
    Ok(PositionRequest { base, moves })
}

/// Reads `name N [value V]`; spaces inside both stay.
fn parse_option(text: &str) -> Result<Command, CommandError> {
    let Some((_, rest)) = split_at_word(text, "name") else {
        return Err(CommandError::NoOptionName);
    };
    let (name, value) = split_at_word(rest, "value").unwrap_or((rest, ""));
    if name.trim().is_empty() {
        return Err(CommandError::NoOptionName);
    }
    Ok(Command::SetOption {
        name: name.trim().to_string(),
        value: value.trim().to_string(),
    })
}

/// What stands before and after the first occurrence of a word.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let found = text.split_whitespace().find(|w| *w == word)?;
    // `found` lies inside `text`.
    let at = found.as_ptr() as usize - text.as_ptr() as usize;
    Some((&text[..at], &text[at + word.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        parse(line).expect("a command").command
    }

    #[test]
    fn spaces_tabs_and_comments_are_harmless() {
        assert_eq!(command("  \t uci \t"), Command::Uci);
        assert_eq!(command(""), Command::Nothing);
        assert_eq!(command("# go depth 5"), Command::Nothing);
        assert_eq!(command("\u{feff}isready"), Command::IsReady);
        assert_eq!(parse("xyzzy 1 2"), Err(CommandError::Unknown("xyzzy".into())));
    }

    #[test]
    fn names_and_values_keep_their_spaces() {
        let set = |name: &str, value: &str| Command::SetOption {
            name: name.into(),
            value: value.into(),
        };
        assert_eq!(
            command("setoption name Move Overhead value 30"),
            set("Move Overhead", "30")
        );
        assert_eq!(command("setoption name Clear Hash"), set("Clear Hash", ""));
        assert_eq!(
            command("setoption  name Debug Log File value /tmp/a  b.txt "),
            set("Debug Log File", "/tmp/a  b.txt")
        );
        assert_eq!(command("setoption name X value"), set("X", ""));
        assert_eq!(parse("setoption value 3"), Err(CommandError::NoOptionName));
        assert_eq!(parse("setoption"), Err(CommandError::NoOptionName));
    }

    #[test]
    fn positions_in_all_their_forms() {
        let position = |base, moves: &[&str]| {
            Command::Position(PositionRequest {
                base,
                moves: moves.iter().map(|m| m.to_string()).collect(),
            })
        };
        assert_eq!(command("position startpos"), position(Base::Start, &[]));
        assert_eq!(command("startpos moves e2e4"), position(Base::Start, &["e2e4"]));
        assert_eq!(command("position startpos moves"), position(Base::Start, &[]));
        assert_eq!(
            command("fen 8/8 w  - moves a b"),
            position(Base::Fen("8/8 w -".into()), &["a", "b"])
        );
        assert_eq!(command("position fen"), position(Base::Fen(String::new()), &[]));
        assert_eq!(command("position moves e2e4"), position(Base::Current, &["e2e4"]));
        assert!(parse("position nowhere").is_err());
        assert!(parse("position startpos e2e4").is_err());
    }
}
