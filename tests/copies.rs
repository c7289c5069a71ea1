//! The copies, as machine code: nothing in a copy may be baseline code.
//!
//! Disassembles the release binary and looks into every copy. Baseline code inside one is software popcount, `bsf` where
//! `tzcnt` is to be had, or legacy SSE where the copy has AVX. A call from a copy to an out-of-line generic of the
//! standard library is the same fault in another place. Both are fine in the cold functions listed here, and nowhere
//! else.
//!
//! Needs `objdump` and an optimised binary: `cargo test --release --test copies`. Another binary can be named in
//! `BAIZE_BINARY`.

#![cfg(target_arch = "x86_64")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Functions of a copy that no node of a search calls, by a part of their name, and why they may be baseline code.
const COLD: &[(&str, &str)] = &[
    ("::entry::", "the boundary of a copy: baseline code by design"),
    ("core::ptr::drop_in_place<", "destructors run when a worker ends"),
    (
        "core::clone::Clone>::clone",
        "positions are copied when a search begins",
    ),
    ("::to_placement", "plain data for the boundary"),
    ("::explain", "`eval`"),
    ("::new", "constructors run when a worker is made"),
    ("::game::check::", "verification, for tests"),
    ("::self_check", "verification, for tests"),
    ("::poll_slowly", "once in hundreds of nodes"),
];

/// Functions of a copy that must be the copy's code, but may call the library: they run between iterations.
const SELDOM: &[&str] = &["::search::root::"];

/// Calls that a hot function may make: what never returns, or is rare by its nature.
const RARE_CALLS: &[&str] = &[
    "core::panicking::",
    "core::slice::index::",
    "core::result::unwrap_failed",
    "core::option::",
    "alloc::raw_vec::",
    "alloc::alloc::handle_alloc_error",
    "core::ptr::drop_in_place<",
];

/// A copy of the engine, as `tables/targets.toml` lists it. (Not the library's table: that would link every copy twice.)
struct Target {
    name: String,
    module: String,
    features: Vec<String>,
}

/// The targets that this build has copies for.
fn targets() -> Vec<Target> {
    let table: toml::Table = include_str!("../tables/targets.toml")
        .parse()
        .expect("the table parses");
    let text = |entry: &toml::Value, key: &str| entry[key].as_str().expect("a text").to_string();
    let features = |entry: &toml::Value| entry["features"].as_array().expect("a list").clone();
    let stamped = |entry: &&toml::Value| {
        let few = entry.get("few").and_then(toml::Value::as_bool).unwrap_or(false);
        entry["arch"].as_str() == Some("x86_64") && (few || !cfg!(feature = "few-copies"))
    };
    let entries = table["target"].as_array().expect("a list of targets");
    entries
        .iter()
        .filter(stamped)
        .map(|entry| Target {
            name: text(entry, "name"),
            module: text(entry, "module"),
            features: features(entry)
                .iter()
                .map(|f| f.as_str().expect("a text").to_string())
                .collect(),
        })
        .collect()
}

/// A function of the binary: its name and its instructions.
struct Function<'a> {
    name: &'a str,
    instructions: Vec<&'a str>,
}

fn disassemble(binary: &str) -> String {
    let output = Command::new("objdump")
        .args(["-d", "-C", "--no-show-raw-insn", "-M", "intel", binary])
        .output()
        .expect("objdump (binutils) is needed for this test");
    assert!(
        output.status.success(),
        "objdump {binary}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Blocks of `ADDRESS <NAME>:` and instruction lines.
fn functions(listing: &str) -> impl Iterator<Item = Function<'_>> {
    listing.split("\n\n").filter_map(|block| {
        let mut lines = block.trim_start().lines();
        let (_, name) = lines.next()?.split_once(" <")?;
        let name = name.strip_suffix(">:")?;
        let instructions = lines
            .filter_map(|line| line.split_once('\t'))
            .map(|(_, code)| code.trim())
            .collect();
        Some(Function { name, instructions })
    })
}

fn mnemonic(instruction: &str) -> &str {
    instruction.split_whitespace().next().unwrap_or("")
}

/// The masks that add up bits in pairs and fours; no set of squares looks like them.
fn is_software_popcount(instruction: &str) -> bool {
    instruction.contains("0x5555555555555555") || instruction.contains("0x3333333333333333")
}

/// Instructions on vector registers in their encoding from before AVX.
fn is_legacy_sse(instruction: &str) -> bool {
    let name = mnemonic(instruction);
    let moves = [
        "movaps", "movapd", "movups", "movupd", "movdqa", "movdqu", "xorps", "movss", "movsd",
    ];
    moves.contains(&name) && instruction.contains("xmm") || name.starts_with('p') && instruction.contains("xmm")
}

/// What makes the function baseline code in a copy for this target.
fn baseline_instructions(function: &Function<'_>, target: &Target) -> Vec<String> {
    let has = |feature: &str| target.features.iter().any(|f| f == feature);
    let is_baseline = |instruction: &&&str| {
        has("popcnt") && is_software_popcount(instruction)
            || has("bmi1") && matches!(mnemonic(instruction), "bsf" | "bsr")
            || has("avx2") && is_legacy_sse(instruction)
    };
    function
        .instructions
        .iter()
        .filter(is_baseline)
        .map(|i| i.to_string())
        .collect()
}

/// The function that an instruction calls or jumps to.
fn callee(instruction: &str) -> Option<&str> {
    if !matches!(mnemonic(instruction), "call" | "jmp") {
        return None;
    }
    let name = instruction.split_once('<')?.1.strip_suffix('>')?;
    Some(name.rsplit_once("+0x").map_or(name, |(name, _)| name))
}

/// Whether a call leaves the copy for a generic of the standard library.
fn is_leak(name: &str, copy: &str) -> bool {
    let library = ["core::", "alloc::", "std::", "<core::", "<alloc::", "<std::"];
    let from_library = library.iter().any(|prefix| name.starts_with(prefix)) || name.contains(" as core::");
    !name.contains(copy) && from_library && !RARE_CALLS.iter().any(|rare| name.starts_with(rare))
}

fn is_cold(name: &str) -> bool {
    COLD.iter().any(|(part, _)| name.contains(part))
}

/// Every fault of a target's copy, and how many functions it has.
fn inspect(listing: &str, target: &Target) -> (usize, Vec<String>) {
    let copy = format!("baize::core::{}::", target.module);
    let mut faults = Vec::new();
    let mut leaks: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut count = 0;
    for function in functions(listing).filter(|f| f.name.contains(&copy)) {
        count += 1;
        if is_cold(function.name) {
            continue;
        }
        let found = baseline_instructions(&function, target);
        if let Some(first) = found.first() {
            faults.push(format!(
                "{}: {} of {}: {first}",
                function.name,
                found.len(),
                function.instructions.len()
            ));
        }
        if SELDOM.iter().any(|part| function.name.contains(part)) {
            continue;
        }
        for name in function
            .instructions
            .iter()
            .filter_map(|i| callee(i))
            .filter(|name| is_leak(name, &copy))
        {
            leaks.entry(function.name).or_default().insert(name);
        }
    }
    faults.extend(
        leaks
            .iter()
            .map(|(caller, callees)| format!("{caller} calls {callees:?}")),
    );
    (count, faults)
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "looks at optimised code: cargo test --release --test copies"
)]
fn no_copy_holds_baseline_code() {
    let binary = std::env::var("BAIZE_BINARY")
        .ok()
        .or(option_env!("CARGO_BIN_EXE_baize").map(str::to_string));
    let listing = disassemble(&binary.expect("a binary to look into"));
    let mut report = String::new();
    // A copy without features is baseline code, and rightly so.
    for target in targets().iter().filter(|target| !target.features.is_empty()) {
        let (count, faults) = inspect(&listing, target);
        println!("{}: {count} functions, {} faults", target.name, faults.len());
        if count == 0 {
            report.push_str(&format!("{}: no function in the binary\n", target.name));
        }
        for fault in faults {
            report.push_str(&format!("{}: {fault}\n", target.name));
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn the_check_sees_what_it_should() {
    let listing = "\
0000000000001000 <baize::core::avx512::chess::search::node>:
  1000:\tmovups xmm0,XMMWORD PTR [rdi]
  1004:\tbsf    rax,rdi
  1008:\tcall   2000 <core::slice::sort::stable::driftsort_main>
  100c:\tcall   3000 <core::panicking::panic_bounds_check>

0000000000001100 <baize::core::avx512::chess::search::fine>:
  1100:\tvmovups xmm0,XMMWORD PTR [rdi]
  1104:\ttzcnt  rax,rdi
  1108:\tpopcnt rax,rdi
  110c:\tpush   rbp
  1110:\tmovabs rax,0xf0f0f0f0f0f0f0f
  1114:\tjmp    1000 <baize::core::avx512::chess::search::node+0x4>

0000000000001200 <baize::core::avx512::chess::entry::worker>:
  1200:\tmovups xmm0,XMMWORD PTR [rdi]

0000000000001300 <baize::core::avx512::chess::game::count>:
  1300:\tmovabs rax,0x5555555555555555
";
    let features = ["popcnt", "bmi1", "avx2"].map(str::to_string).to_vec();
    let target = Target {
        name: "made up".into(),
        module: "avx512".into(),
        features,
    };
    let (count, faults) = inspect(listing, &target);
    assert_eq!(count, 4);
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(
        faults[0].contains("search::node: 2 of 4") && faults[1].contains("game::count: 1 of 1"),
        "{faults:?}"
    );
    assert!(
        faults[2].contains("driftsort_main") && !faults[2].contains("panic"),
        "{faults:?}"
    );
}
