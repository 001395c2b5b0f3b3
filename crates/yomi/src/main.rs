//! The `yomi` command: parses its arguments and calls the rooms below.

#![forbid(unsafe_code)]

mod analysis_text;
mod command_line;
mod commands;
mod curve_text;
mod game_input;
mod game_text;
mod interrupt;
mod live_table;
mod match_text;
mod mate_text;
mod output;
mod progress;
mod run_output;
mod standard_input;
mod study_input;
mod target;
mod tree_text;

use std::process::ExitCode;

fn main() -> ExitCode {
    match command_line::parse().and_then(command_line::run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::report(&error),
    }
}
