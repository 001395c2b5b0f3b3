//! Evaluation curves as a table for people.

use std::fmt::Write as _;

use lab::curve::{PlayerCurve, numbers};

/// Remarks, the numbers of all players, and the splits of each.
pub(crate) fn summary(remarks: &[String], players: &[PlayerCurve]) -> String {
    let mut text = remarks.join("\n") + "\n\n";
    text += &table(players);
    for player in players.iter().filter(|player| !player.splits.is_empty()) {
        let _ = writeln!(text, "\n{}: does Black win more often than the values say?", player.name);
        let widest = player.splits.iter().map(|split| split.condition.chars().count()).max().unwrap_or(0);
        for split in &player.splits {
            let _ = writeln!(
                text,
                "  {:<widest$}  {:>8} positions of {:>6} games  {:>+6.1} %  z {:>+6.2}  p {:.2e}  ACC {}, {} in the phases of all",
                split.condition,
                split.positions,
                split.games,
                split.shift * 100.0,
                split.z,
                split.p,
                share(split.numbers.acc),
                split.balanced.map_or("none".to_owned(), |balanced| share(balanced.acc))
            );
        }
    }
    text
}

/// A share of 1, if it is known.
fn share(share: f64) -> String {
    if share.is_finite() { format!("{share:.3}") } else { "none".to_owned() }
}

/// A row for each player, below its headings; columns are as wide as they must be.
fn table(players: &[PlayerCurve]) -> String {
    let names = players.iter().map(|player| player.name.chars().count());
    let widest = names.max().unwrap_or(0).max("player".len());
    let mut text = String::new();
    for (number, player) in players.iter().enumerate() {
        let cells = numbers(player);
        if number == 0 {
            let _ = write!(text, "{:<widest$}", "player");
            cells.iter().for_each(|(head, _)| {
                let _ = write!(text, " {:>width$}", head, width = width_of(head));
            });
            text.push('\n');
        }
        let _ = write!(text, "{:<widest$}", player.name);
        cells.iter().for_each(|(head, cell)| {
            let _ = write!(text, " {:>width$}", cell, width = width_of(head));
        });
        text.push('\n');
    }
    text
}

/// Room for a heading and for the numbers below it.
fn width_of(head: &str) -> usize {
    head.chars().count().max(6)
}
