//! `yomi book show`: what a book says about a position.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use engine::{Defaults, OpenBook, PlayerSpec, Settings, book_chances};
use records::book::{BookMove, Found};
use records::position_text;
use serde_json::{Value, json};
use shogi::Position;

use crate::command_line::bad_value;
use crate::output;

/// Show what a book says about a position: its moves, the replies it expects, values and depths, and how likely a player
/// plays each.
///
/// Values are for the side to move. The position is looked up at any ply, and turned around if it is not there as it is. The
/// last column is what a player makes of it by its options (BookEvalDiff, BookDepthLimit and so on); --player says which.
/// DB2016 books and, if the name ends in .bin, Apery's.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Show {
    /// The book
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    book: PathBuf,

    /// The position: startpos, a handicap or an SFEN, also with moves after it
    #[arg(value_name = "POSITION", default_value = "startpos", value_parser = position_text::game_position)]
    position: Position,

    /// The player whose options count
    #[arg(long, value_name = "SPEC", default_value = "alphabeta")]
    player: PlayerSpec,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi book show a.db
  yomi book show a.db 'startpos moves 7g7f 3c3d'
  yomi book show a.db --player 'alphabeta(book_eval_diff=100, book_depth_limit=0)' --json";

impl Show {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let PlayerSpec::Own(player) = &self.player else {
            return Err(bad_value("book", "only players of our own have options that we know").into());
        };
        let settings = player.resolve(&Defaults::default()).settings;
        let anywhere = Settings { ignore_book_ply: true, flipped_book: true, ..settings.clone() };
        let found = OpenBook::load(&self.book)?.look_up(&self.position, &anywhere);
        let chances = book_chances(&found.moves, &self.position, &settings);
        output::print(&if self.json {
            json(&self.position, &found, &chances).to_string() + "\n"
        } else {
            text(&self.position, &found, &chances)
        })
    }
}

fn json(position: &Position, found: &Found, chances: &[f64]) -> Value {
    let one = |(known, chance): (&BookMove, &f64)| {
        let BookMove { m, ponder, value, depth, count } = known;
        json!({"move": m, "reply": ponder, "value": value, "depth": depth, "count": count, "chance": chance})
    };
    let moves: Vec<Value> = found.moves.iter().zip(chances).map(one).collect();
    json!({"position": position.to_string(), "moves": moves, "illegal": found.illegal})
}

fn text(position: &Position, found: &Found, chances: &[f64]) -> String {
    let mut text = format!("position  {position}\n");
    if found.moves.is_empty() {
        text.push_str("moves     none: the position is not in the book\n");
    } else {
        let _ = writeln!(
            text,
            "{:<8} {:<8} {:>6} {:>6} {:>8} {:>7}",
            "move", "reply", "value", "depth", "count", "played"
        );
    }
    for (known, chance) in found.moves.iter().zip(chances) {
        let [reply, value, depth] = [
            known.ponder.map(|reply| reply.to_string()),
            known.value.map(|value| value.to_string()),
            known.depth.map(|depth| depth.to_string()),
        ]
        .map(|text| text.unwrap_or_else(|| "-".to_owned()));
        let (m, percent) = (known.m.to_string(), format!("{:.0} %", chance * 100.0));
        let _ = writeln!(text, "{m:<8} {reply:<8} {value:>6} {depth:>6} {:>8} {percent:>7}", known.count);
    }
    if !found.illegal.is_empty() {
        let illegal: Vec<String> = found.illegal.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "illegal   {}", illegal.join(", "));
    }
    text
}
