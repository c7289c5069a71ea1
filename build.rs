//! Data to code: everything under `tables/` becomes Rust and aligned bytes in `OUT_DIR`. No C is compiled here.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=tables");
    println!("cargo:rerun-if-changed=codegen");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let arch = std::env::var("CARGO_CFG_TARGET_ARCH").expect("cargo sets CARGO_CFG_TARGET_ARCH");
    describe_build();
    let request = baize_codegen::Request {
        tables: Path::new("tables"),
        out: Path::new(&out),
        arch: &arch,
        few_copies: std::env::var_os("CARGO_FEATURE_FEW_COPIES").is_some(),
        tune: std::env::var_os("CARGO_FEATURE_TUNE").is_some(),
        fixed_switches: std::env::var_os("CARGO_FEATURE_FIXED_SWITCHES").is_some(),
    };
    if let Err(problem) = baize_codegen::generate(&request) {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}

/// Tells the program what it was built with, for `compiler`.
fn describe_build() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let rustc = std::process::Command::new(variable("RUSTC")).arg("--version").output();
    let version = rustc
        .map(|out| String::from_utf8_lossy(&out.stdout).trim().to_string())
        .unwrap_or_default();
    println!("cargo:rustc-env=BAIZE_RUSTC={version}");
    println!("cargo:rustc-env=BAIZE_TARGET={}", variable("TARGET"));
    println!(
        "cargo:rustc-env=BAIZE_PROFILE={}, opt-level {}",
        variable("PROFILE"),
        variable("OPT_LEVEL")
    );
}
