//! `targets.toml`: the stamps, their detection and their table.

use std::fmt::Write;

use serde::Deserialize;

use crate::{Problem, Request, read_toml, write};

#[derive(Deserialize)]
struct File {
    target: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    module: String,
    arch: String,
    features: Vec<String>,
    lines: String,
    #[serde(default)]
    slow_pext: bool,
    #[serde(default)]
    few: bool,
    about: String,
}

/// Writes `targets.rs`: `for_each_target!`, which stamps the copies, and `TARGETS`, their table.
pub fn generate(request: &Request<'_>) -> Result<(), Problem> {
    let path = request.tables.join("targets.toml");
    let file: File = read_toml(&path)?;
    let chosen: Vec<&Target> = file
        .target
        .iter()
        .filter(|t| t.arch == request.arch && (t.few || !request.few_copies))
        .collect();
    if chosen.is_empty() {
        return Err(Problem::new(&path, format!("no target for {}", request.arch)));
    }
    let detect = match request.arch {
        "aarch64" => "is_aarch64_feature_detected",
        _ => "is_x86_feature_detected",
    };
    let mut stamps = String::from("macro_rules! for_each_target {\n    () => {\n");
    let mut table = String::from("/// The copies in this build, slowest first.\npub const TARGETS: &[Target] = &[\n");
    for t in chosen {
        let features = if t.features.is_empty() {
            String::new()
        } else {
            format!("{:?}", t.features.join(","))
        };
        writeln!(
            stamps,
            "        stamp!($ {}, [{features}], \"../cpu/lines_{}.rs\");",
            t.module, t.lines
        )
        .unwrap();
        let probe = t
            .features
            .iter()
            .map(|f| format!("std::arch::{detect}!({f:?})"))
            .collect::<Vec<_>>()
            .join(" && ");
        let probe = if probe.is_empty() { "true" } else { &probe };
        writeln!(
            table,
            "    Target {{ name: {:?}, about: {:?}, features: {:?}, slow_pext: {}, supported: || {probe}, copy: &crate::core::{}::COPY }},",
            t.name,
            t.about,
            t.features.join(" "),
            t.slow_pext,
            t.module
        )
        .unwrap();
    }
    stamps.push_str("    };\n}\n");
    table.push_str("];\n");
    write(request, "stamps.rs", stamps)?;
    write(request, "targets.rs", table)
}
