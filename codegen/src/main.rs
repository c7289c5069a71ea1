//! What people run by hand: finds numbers that are then checked in under `tables/`.

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("chess-magics") => print!("{}", baize_codegen::find_chess_magics()),
        _ => {
            eprintln!("usage: baize-codegen chess-magics > tables/chess_magics.toml");
            std::process::exit(2);
        }
    }
}
