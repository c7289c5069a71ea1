//! `baize-trainer`: networks and classical weights from Baize's own games.

mod fit;

use baize_trainer::commands;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = words.split_first().map_or(("", &[][..]), |(c, r)| (c.as_str(), r));
    let result = match command {
        "train" => commands::train(rest),
        "export" => commands::export(rest),
        "speed" => commands::speed(rest),
        "fit" => fit::run(rest),
        _ => Err(format!("{}\n{}", commands::USAGE, fit::USAGE)),
    };
    if let Err(problem) = result {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}
