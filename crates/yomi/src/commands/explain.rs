//! `yomi explain`: why linear evaluation values a position as it does, and what a move changes in that.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueHint};
use engine::{Explained, ExplainedPart, explain, linear_weights};
use records::position_text::{self, PositionTextError};
use shogi::{Move, Position};

use crate::output;
use crate::target::{Force, Target, check_all};

/// Say why a position has its value: what material, hands, threats, cover, pins, places and kings add for either side, and what
/// a move changes in it.
///
/// The numbers are those of linear evaluation (eval=linear): a value is the sum of the weights of all features of the position, and
/// every feature belongs to a theme. A side's number is what its own features add for it; the balance is Black's less White's.
/// Weights are learned together, so that one theme may make good what another exaggerates: trust the large differences, and the
/// changes by a move more than the numbers themselves. Nothing is searched: a hanging piece is a matter of 'threats' and 'cover'
/// until it is taken.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    /// The position: startpos, a handicap or an SFEN, also with moves after it
    #[arg(value_name = "POSITION", value_parser = read)]
    position: Box<Position>,

    /// A move there, as in USI: what does it change?
    #[arg(value_name = "MOVE")]
    played: Option<Move>,

    /// Show what every block of features adds, not only the themes
    #[arg(long)]
    all: bool,

    /// Weights that 'yomi learn linear' made; those inside the program unless given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    weights: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Also write a picture to this file; - writes it, and nothing else, to standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    svg: Option<Target>,

    #[command(flatten)]
    force: Force,
}

const EXAMPLES: &str = "\
Examples:
  yomi explain startpos
  yomi explain 'startpos moves 7g7f 3c3d' 8h2b+                what does the exchange of bishops change?
  yomi explain 'startpos moves 7g7f 3c3d' 2g2f --all
  yomi explain '4k4/4g4/4P4/9/9/9/9/9/4K4 b G 1' G*6b --json
  yomi explain 'startpos moves 2g2f 8c8d' 2f2e --svg why.svg";

fn read(text: &str) -> Result<Box<Position>, PositionTextError> {
    position_text::game_or_problem(text).map(Box::new)
}

impl Explain {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let existing = self.force.existing();
        let is_printed = check_all(&[&self.svg], existing)?;
        if let Some(m) = self.played.filter(|&m| !self.position.is_legal(m)) {
            bail!("{m} is not legal here; the position is {}", self.position);
        }
        let weights = linear_weights(self.weights.as_deref())?;
        let explained = explain(&weights, &self.position, self.played);
        if let Some(target) = &self.svg {
            let picture = plot::explanation_picture(&self.position, &explained);
            target.write(picture.to_file().as_bytes(), existing)?;
        }
        if is_printed {
            return Ok(());
        }
        output::print(&if self.json {
            serde_json::to_string(&explained)? + "\n"
        } else {
            text(&explained, self.all)
        })
    }
}

fn text(explained: &Explained, all: bool) -> String {
    let Explained { side, value, progress, themes, .. } = explained;
    let mut text = format!(
        "{side} to move, {value:+.0} for Black, {:.0} % on the way to the endgame\n\n",
        100.0 * progress
    );
    let after = explained.played.map_or(String::new(), |m| format!("{:>9}{:>9}", m.to_string(), "change"));
    text += &format!("{:<14}{:>9}{:>9}{:>9}{after}\n", "", "Black", "White", "balance");
    for theme in themes {
        text += &line(theme, 14);
        if all {
            for part in theme.parts.iter().filter(|part| is_heard_of(part)) {
                text +=
                    &format!("    {}\n{}", part.name, line(&ExplainedPart { name: "", ..part.clone() }, 14));
            }
        }
    }
    let sum = |sides: fn(&ExplainedPart) -> f64| themes.iter().map(sides).sum::<f64>();
    text += &format!(
        "{:<14}{:>9.0}{:>9.0}{value:>+9.0}",
        "together",
        sum(|part| part.now.black),
        sum(|part| part.now.white)
    );
    if let Some(after) = explained.value_after {
        text += &format!("{after:>+9.0}{:>+9.0}", after - value);
    }
    text + "\n"
}

/// Whether it has anything to say.
fn is_heard_of(part: &ExplainedPart) -> bool {
    let sides = [Some(part.now), part.after];
    sides.into_iter().flatten().any(|sides| sides.black.abs() >= 0.5 || sides.white.abs() >= 0.5)
}

fn line(part: &ExplainedPart, width: usize) -> String {
    let ExplainedPart { name, now, after, .. } = part;
    let changed = after.zip(part.change());
    let changed =
        changed.map_or(String::new(), |(after, change)| format!("{:>+9.0}{change:>+9.0}", after.balance()));
    format!("{name:<width$}{:>9.0}{:>9.0}{:>+9.0}{changed}\n", now.black, now.white, now.balance())
}
