//! Texts: help, license, version.

/// As in `id name`.
pub const NAME_AND_VERSION: &str = concat!("Baize ", env!("CARGO_PKG_VERSION"));

/// `--version`.
pub const VERSION: &str = concat!("baize ", env!("CARGO_PKG_VERSION"));

/// `help`.
pub const HELP: &str = "\
Baize plays chess and xiangqi by the UCI protocol; it is made to be run by a program that shows the board.

Commands of UCI: uci, isready, ucinewgame, setoption, position, go, stop, ponderhit, quit.
Beside them:
  startpos, fen F           the same as position startpos, position fen F
  d                         the board, and what the rules say of the position
  eval                      the evaluation term by term
  flip                      exchanges the sides
  go perft N                counts the positions N plies ahead
  bench [hash] [threads] [limit] [default|current|FILE] [depth|perft|nodes|movetime|eval]
                            the same searches every time: speed and signature
  compiler                  what this program was built with, and what it runs on
  license                   who may do what with it
  help                      this text";

/// `license`.
pub const LICENSE: &str = "\
Baize is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as
published by the Free Software Foundation, either version 3 of the License, or (at your option) any later version.
It comes without any warranty. The file LICENSE beside its source holds the text.";

/// `--help`.
pub const USAGE: &str = "\
Usage: baize [--game chess|xiangqi] [--cpu TARGET] [COMMAND]

Without a command, baize reads UCI commands from standard input. With one, it runs it and ends:
  baize bench
  baize \"go movetime 1000\"
  baize \"position startpos moves e2e4\" \"go depth 12\"
  baize datagen ...          plays against itself and writes the games (without arguments: says which it takes)
  baize data ...             looks at such games, shuffles and filters them

  --game G     the game to begin with (also: a program name that ends in -xiangqi)
  --cpu T      use the copy of the engine for this CPU target (`baize compiler` lists them; also: BAIZE_CPU)
  --help       this text
  --version    the version

`baize help` lists the commands.";

/// What `tune` builds print for SPSA.
pub fn spsa_inputs() -> String {
    let lines: Vec<String> = crate::tune::PARAMS.iter().map(|p| p.spsa_line()).collect();
    lines.join("\n")
}
