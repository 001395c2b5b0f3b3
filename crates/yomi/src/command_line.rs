//! The arguments: what they may be, and what to say when they are not.

use std::ops::RangeInclusive;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Parser};

use crate::commands::{self, Usi};

/// Yomi, a shogi player and a laboratory for game-tree search.
#[derive(Parser)]
#[command(version, max_term_width = 100, disable_help_subcommand = true, after_help = EXAMPLES)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    command: Option<commands::Command>,
}

const EXAMPLES: &str = "\
Examples:
  yomi                                 play by USI: this is what boards start
  yomi web                             play in a browser
  yomi bench                           measure the speed
  yomi perft --depth 5                 count the positions five plies below the start
  yomi show 'startpos moves 7g7f'      show the board after a move
  yomi convert game.kif game.csa       convert a game record
  yomi analyse game.kif                find the mistakes in a game
  yomi mate '4k4/9/4P4/9/9/9/9/9/4K4 b G 1'
                                       solve a mate problem
  yomi tree --player softmax           look at the tree of a search
  yomi match --player alphabeta --player usi:./other --games 100
                                       play a match between two players
  yomi curve --records games/ --player alphabeta
                                       see how often an evaluation came true
  yomi selfplay --games 10000 --out runs/games
                                       play games to learn from
  yomi perft --help                    more about one command";

/// The arguments of this process, or why they are none of ours.
pub(crate) fn parse() -> anyhow::Result<CommandLine> {
    CommandLine::try_parse().map_err(|error| with_tip(error).into())
}

/// Does what the arguments ask; without a command, plays by USI, as boards expect of an engine.
pub(crate) fn run(line: CommandLine) -> anyhow::Result<()> {
    match line.command {
        Some(command) => command.run(),
        None => Usi::default().run(),
    }
}

/// The error for a value that can only be judged together with others.
pub(crate) fn bad_value(command: &str, message: impl std::fmt::Display) -> clap::Error {
    let mut all = CommandLine::command();
    all.build();
    let command = all.find_subcommand_mut(command).expect("a command names itself");
    command.error(ErrorKind::ValueValidation, message)
}

/// Reads a whole number within a range.
pub(crate) fn whole_number(
    range: RangeInclusive<u32>,
) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text| {
        text.parse()
            .ok()
            .filter(|number| range.contains(number))
            .ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Where nothing that exists resembles a mistyped word, lists what exists.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            format!("the commands are {}", command_names().join(", "))
        }
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            match (error.get(ContextKind::InvalidArg), options_of_used_command()) {
                (Some(ContextValue::String(word)), _) if !word.starts_with('-') => {
                    "put an argument that contains spaces, as an SFEN does, in quotes".to_owned()
                }
                (_, Some(options)) => format!("the options here are {}", options.join(", ")),
                (_, None) => return error,
            }
        }
        _ => return error,
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    error
}

/// The command that the arguments begin with, as far as they name one: `learn`, or `learn nnue`.
fn used_command() -> Command {
    let mut used = CommandLine::command();
    for name in std::env::args().skip(1) {
        match used.find_subcommand(&name) {
            Some(below) => used = below.clone(),
            None => break,
        }
    }
    used
}

fn command_names() -> Vec<String> {
    used_command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// The long options of the command that is used, if there is one.
fn options_of_used_command() -> Option<Vec<String>> {
    let used = used_command();
    let options = used.get_arguments().filter_map(|arg| arg.get_long()).map(|long| format!("--{long}"));
    Some(options.collect()).filter(|_| used.get_name() != "yomi")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn numbers_outside_their_range_are_refused_with_the_range() {
        let read = whole_number(1..=9);
        assert_eq!(read("9"), Ok(9));
        for text in ["0", "10", "-1", "", "x", "1.5", "99999999999"] {
            assert_eq!(read(text), Err("expected a whole number from 1 to 9".to_owned()), "{text}");
        }
    }
}
