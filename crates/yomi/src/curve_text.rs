//! Evaluation curves as a table for people.

use std::fmt::Write as _;

use lab::curve::PlayerCurve;

/// Remarks, the numbers of all players, and the splits of each.
pub(crate) fn summary(remarks: &[String], players: &[PlayerCurve]) -> String {
    let mut text = remarks.join("\n") + "\n\n";
    let widest = players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(6);
    let _ = writeln!(
        text,
        "{:<widest$} {:>9} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>7} {:>7} {:>6}",
        "player",
        "positions",
        "ACC",
        "FSC",
        "LFT",
        "ROC",
        "APR",
        "BEP",
        "tau",
        "tau-b",
        "E(v)",
        "Brier",
        "calib.",
        "scale"
    );
    for player in players {
        let m = &player.metrics;
        let _ = write!(text, "{:<widest$} {:>9}", player.name, m.positions);
        for share in [m.acc, m.fsc, m.lft, m.roc, m.apr, m.bep, m.tau, m.tau_b] {
            let _ = write!(text, " {share:>6.3}");
        }
        let _ =
            writeln!(text, " {:>7.1} {:>7.4} {:>7.4} {:>6.0}", m.e_v, m.brier, m.calibration_error, m.scale);
    }
    for player in players.iter().filter(|player| !player.splits.is_empty()) {
        let _ = writeln!(text, "\n{}: does Black win more often than the values say?", player.name);
        let widest = player.splits.iter().map(|split| split.condition.chars().count()).max().unwrap_or(0);
        for split in &player.splits {
            let _ = writeln!(
                text,
                "  {:<widest$}  {:>8} positions of {:>6} games  {:>+6.1} %  z {:>+6.2}  p {:.2e}",
                split.condition,
                split.positions,
                split.games,
                split.shift * 100.0,
                split.z,
                split.p
            );
        }
    }
    text
}
