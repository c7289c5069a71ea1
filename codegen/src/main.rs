//! What people run by hand: finds numbers that are then checked in under `tables/`, and renews what is made from them.

use std::path::Path;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("readme") => {
            if let Err(problem) = renew_readme() {
                eprintln!("{problem}");
                std::process::exit(1);
            }
        }
        Some("chess-magics") => print!("{}", baize_codegen::find_chess_magics()),
        _ => {
            eprintln!("usage: baize-codegen chess-magics > tables/chess_magics.toml\n       baize-codegen readme");
            std::process::exit(2);
        }
    }
}

/// Puts the table of options into README.md of the working folder.
fn renew_readme() -> Result<(), String> {
    let text = std::fs::read_to_string("README.md").map_err(|e| format!("README.md: {e}"))?;
    let fresh = baize_codegen::refresh_readme(&text, Path::new("tables")).map_err(|e| e.to_string())?;
    std::fs::write("README.md", fresh).map_err(|e| format!("README.md: {e}"))
}
