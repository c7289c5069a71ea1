//! Picks the copy of the engine for this machine.

use std::process::ExitCode;

use baize::tools::datagen::{Settings, datagen};
use baize::tools::help::{USAGE, VERSION};
use baize::uci::arguments::{Action, Arguments};
use baize::{cpu, uci};

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(problem) => return refuse(&problem),
    };
    match arguments.action {
        Action::Help => println!("{USAGE}"),
        Action::Version => println!("{VERSION}"),
        Action::Datagen => return generate(&arguments),
        Action::Run => match cpu::detect(arguments.cpu.as_deref()) {
            Ok(detection) => return uci::session::run(&arguments, detection),
            Err(problem) => return refuse(&problem.to_string()),
        },
    }
    ExitCode::SUCCESS
}

/// Self-play data with the copy for this machine.
fn generate(arguments: &Arguments) -> ExitCode {
    let result = Settings::parse(arguments.game, &arguments.commands).and_then(|settings| {
        let target = cpu::detect(arguments.cpu.as_deref())
            .map_err(|e| e.to_string())?
            .choice
            .target;
        let copy = target.copy.game(settings.game);
        let copy = copy.ok_or_else(|| format!("this build does not play {}", settings.game.name()))?;
        datagen(copy, &settings)
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => refuse(&problem),
    }
}

fn refuse(problem: &str) -> ExitCode {
    eprintln!("baize: {problem}");
    ExitCode::from(2)
}
