//! `targets.toml`: the stamps, their detection and their table.

use std::collections::BTreeSet;
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
    points: String,
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
    let mut stamps = String::from("macro_rules! for_each_target {\n    () => {\n");
    let mut table = String::from("/// The copies in this build, slowest first.\npub static TARGETS: &[Target] = &[\n");
    for t in &chosen {
        let features = if t.features.is_empty() {
            String::new()
        } else {
            format!("{:?}", t.features.join(","))
        };
        // The path is relative to src/core, where the copies are stamped.
        writeln!(
            stamps,
            "        stamp!($ {}, [{features}], \"../cpu/lines_{}.rs\", \"../cpu/points_{}.rs\");",
            t.module, t.lines, t.points
        )
        .unwrap();
        writeln!(
            table,
            "    Target {{ name: {:?}, module: {:?}, about: {:?}, features: &{:?}, slow_pext: {}, xcr0: {:#x}, copy: &crate::core::{}::COPY }},",
            t.name,
            t.module,
            t.about,
            t.features,
            t.slow_pext,
            saved_state(&t.features),
            t.module
        )
        .unwrap();
    }
    stamps.push_str("    };\n}\n");
    table.push_str("];\n");
    table.push_str(&probes(request.arch, &chosen));
    write(request, "stamps.rs", stamps)?;
    write(request, "targets.rs", table)
}

/// Every feature that some copy needs, and how to ask the machine for it.
fn probes(arch: &str, targets: &[&Target]) -> String {
    let detect = match arch {
        "aarch64" => "is_aarch64_feature_detected",
        _ => "is_x86_feature_detected",
    };
    let features: BTreeSet<&str> = targets
        .iter()
        .flat_map(|t| t.features.iter().map(String::as_str))
        .collect();
    let mut text = String::from("/// A feature that some target needs, and whether this machine has it.\n");
    text.push_str("type Probe = (&'static str, fn() -> bool);\nconst PROBES: &[Probe] = &[\n");
    for feature in features {
        writeln!(text, "    ({feature:?}, || std::arch::{detect}!({feature:?})),").unwrap();
    }
    text.push_str("];\n");
    text
}

/// The bits of XCR0 (x86's register of the state that the system saves) that features need: SSE and AVX for the
/// 256-bit registers, the mask registers and both halves of the 512-bit file for AVX-512.
fn saved_state(features: &[String]) -> u64 {
    const AVX: u64 = 0b110;
    const AVX_512: u64 = AVX | 0b1110_0000;
    let any = |prefix: &str| features.iter().any(|f| f.starts_with(prefix));
    if any("avx512") {
        AVX_512
    } else if any("avx") || any("fma") {
        AVX
    } else {
        0
    }
}
