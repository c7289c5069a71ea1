//! `baize-trainer`: fits the evaluation to Baize's own games.

mod fit;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.split_first() {
        Some((command, rest)) if command == "fit" => fit::run(rest),
        _ => Err(format!("commands: fit\n{}", fit::USAGE)),
    };
    if let Err(problem) = result {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}
