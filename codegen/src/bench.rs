//! `bench.toml`: the positions of `bench`.

use serde::Deserialize;

use crate::{Problem, Request, read_toml, write};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    chess: Vec<String>,
    xiangqi: Vec<String>,
}

/// Writes `bench.rs`: a list of FENs per game.
pub fn generate(request: &Request<'_>) -> Result<(), Problem> {
    let file: File = read_toml(&request.tables.join("bench.toml"))?;
    let mut out = String::new();
    for (name, fens) in [("CHESS_POSITIONS", file.chess), ("XIANGQI_POSITIONS", file.xiangqi)] {
        out.push_str(&format!(
            "/// From `tables/bench.toml`.\npub const {name}: &[&str] = &{fens:#?};\n"
        ));
    }
    write(request, "bench.rs", out)
}
