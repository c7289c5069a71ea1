//! Turns `tables/` into Rust and aligned bytes.
//!
//! Everything that can be known before the engine starts is computed here, once, at build time. The same library is
//! used by the small command beside it (`cargo run -p baize-codegen -- ...`) that finds magics and prints the README's
//! tables.

mod bench;
mod chess;
mod chess_index;
mod keys;
mod options;
mod params;
mod targets;
pub mod weights;
mod xiangqi;
mod xiangqi_index;

use std::fmt;
use std::path::Path;

pub use options::refresh_readme;

/// What a build wants generated.
pub struct Request<'a> {
    /// The folder of human-edited tables.
    pub tables: &'a Path,
    /// Where generated files go (`OUT_DIR`).
    pub out: &'a Path,
    /// The architecture that is compiled for, as `CARGO_CFG_TARGET_ARCH` names it.
    pub arch: &'a str,
    /// Stamp only the targets marked `few`.
    pub few_copies: bool,
    /// Search parameters are read at run time.
    pub tune: bool,
    /// Search switches are constants.
    pub fixed_switches: bool,
}

/// Why a table could not be turned into code: the file and what is wrong with it.
#[derive(Debug)]
pub struct Problem(String);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Problem {
    fn new(file: impl AsRef<Path>, what: impl fmt::Display) -> Self {
        Problem(format!("{}: {what}", file.as_ref().display()))
    }
}

/// Generates every file that the engine includes.
///
/// # Errors
/// The first table that does not parse or does not hold what it must.
pub fn generate(request: &Request<'_>) -> Result<(), Problem> {
    bench::generate(request)?;
    targets::generate(request)?;
    options::generate(request)?;
    weights::generate(request)?;
    params::generate(request)?;
    chess::generate(request)?;
    xiangqi::generate(request)
}

/// The text of `chess_magics.toml`, searched anew.
pub fn find_chess_magics() -> String {
    chess::find_magics()
}

/// Reads a table and parses it.
fn read_toml<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Problem> {
    let text = std::fs::read_to_string(path).map_err(|e| Problem::new(path, e))?;
    toml::from_str(&text).map_err(|e| Problem::new(path, e))
}

/// Writes a generated file.
fn write(request: &Request<'_>, name: &str, content: impl AsRef<[u8]>) -> Result<(), Problem> {
    let path = request.out.join(name);
    std::fs::write(&path, content).map_err(|e| Problem::new(path, e))
}
