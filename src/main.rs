//! Picks the copy of the engine for this machine.

use std::process::ExitCode;

use baize::engine::EngineCopy;
use baize::tools::data;
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
        Action::Datagen => return run_tool(&arguments, generate),
        Action::Data => return run_tool(&arguments, |arguments, copy| data::run(copy, &arguments.commands)),
        Action::Run => match cpu::detect(arguments.cpu.as_deref()) {
            Ok(detection) => return uci::session::run(&arguments, detection),
            Err(problem) => return refuse(&problem.to_string()),
        },
    }
    ExitCode::SUCCESS
}

/// Runs a tool with the copy for this machine.
fn run_tool(arguments: &Arguments, tool: fn(&Arguments, &'static EngineCopy) -> Result<(), String>) -> ExitCode {
    let target = cpu::detect(arguments.cpu.as_deref()).map(|detection| detection.choice.target);
    match target
        .map_err(|e| e.to_string())
        .and_then(|target| tool(arguments, target.copy))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => refuse(&problem),
    }
}

fn generate(arguments: &Arguments, copy: &'static EngineCopy) -> Result<(), String> {
    let settings = Settings::parse(arguments.game, &arguments.commands)?;
    let game = copy.game(settings.game);
    datagen(
        game.ok_or_else(|| format!("this build does not play {}", settings.game.name()))?,
        &settings,
    )
}

fn refuse(problem: &str) -> ExitCode {
    eprintln!("baize: {problem}");
    ExitCode::from(2)
}
