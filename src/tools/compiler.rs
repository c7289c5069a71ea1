//! `compiler`: what this program was built with, and what it runs on.

use crate::cpu::Detection;
use crate::shared::memory::PageKind;

/// Compiler, target triple, build profile, CPU target and why, pages of the table (size in MiB and kind) if it is there.
pub fn report(detection: &Detection, table: Option<(usize, PageKind)>) -> String {
    let pages = match table {
        Some((mib, kind)) => format!("{mib} MiB on {kind}"),
        None => "not made yet (isready makes it)".to_string(),
    };
    let mut lines = vec![
        line("Compiled by", env!("BAIZE_RUSTC")),
        line("Target triple", env!("BAIZE_TARGET")),
        line("Build profile", env!("BAIZE_PROFILE")),
        line("Build features", &build_features()),
    ];
    lines.extend(detection.report());
    lines.push(line("Transposition table", &pages));
    lines.join("\n")
}

fn build_features() -> String {
    let features = [
        ("tune", cfg!(feature = "tune")),
        ("fixed-switches", cfg!(feature = "fixed-switches")),
        ("few-copies", cfg!(feature = "few-copies")),
    ];
    let on: Vec<&str> = features.iter().filter(|f| f.1).map(|f| f.0).collect();
    if on.is_empty() {
        "default".to_string()
    } else {
        on.join(" ")
    }
}

fn line(name: &str, text: &str) -> String {
    format!("{name:<22}: {text}")
}
