//! Picks the copy of the engine for this machine.

use std::process::ExitCode;

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
        Action::Run => match cpu::detect(arguments.cpu.as_deref()) {
            Ok(detection) => return uci::session::run(&arguments, detection),
            Err(problem) => return refuse(&problem.to_string()),
        },
    }
    ExitCode::SUCCESS
}

fn refuse(problem: &str) -> ExitCode {
    eprintln!("baize: {problem}");
    ExitCode::from(2)
}
