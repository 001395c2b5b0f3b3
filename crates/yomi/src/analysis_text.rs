//! An analysis as a table for people.

use std::fmt::Write as _;

use contract::Effort;
use engine::analysis::{Analysis, Choice, Judgement, LossClass, Summary, value_text};
use shogi::{Color, Move};

/// Longer lines would be broken by most terminals.
const LINE_MOVES: usize = 8;

/// How long each position was thought about.
pub(crate) fn effort(effort: Effort) -> String {
    match effort {
        Effort::Nodes(nodes) => format!("{nodes} nodes"),
        Effort::Depth(depth) => format!("depth {depth}"),
        Effort::Time(time) => format!("{} ms", time.as_millis()),
    }
}

/// A row for each move: its number, side, value, Black's win rate, loss and class, and what would have been better.
pub(crate) fn table(analysis: &Analysis) -> String {
    let mut text = format!(
        "{:>4}    {:<6} {:>9} {:>6} {:>7}  {:<10}      best  line\n",
        "ply", "move", "value", "win %", "loss %", "class"
    );
    for (number, (review, before)) in
        (analysis.skipped + 1..).zip(analysis.reviews.iter().zip(&analysis.judgements))
    {
        let class = review.class().map_or("", LossClass::name);
        let loss = if review.loss > 0.0 { format!("{:.1}", review.loss * 100.0) } else { "-".to_owned() };
        let best = if review.is_best { format!("{:>8}", "=") } else { best(before) };
        let _ = writeln!(
            text,
            "{number:>4}  {} {:<6} {:>9} {:>6.1} {loss:>7}  {class:<10}  {best}",
            side_letter(review.side),
            review.played.to_string(),
            value_text(review.value),
            engine::win_rate(analysis.scale, review.value, Color::Black) * 100.0,
        );
        for (rank, candidate) in (2..).zip(before.candidates.iter().skip(1)) {
            let rank = format!("{rank}.");
            let _ = writeln!(
                text,
                "{rank:>51}{:>7}  {}",
                value_text(candidate.evaluation),
                line_text(&candidate.line)
            );
        }
    }
    text
}

/// Both sides' moves in numbers, a column each.
pub(crate) fn summary(analysis: &Analysis) -> String {
    let both = Color::ALL.map(|side| Summary::of(&analysis.reviews, side));
    let scale = analysis.scale.centipawns();
    let mut text = format!(
        "win % is Black's, at a scale of {scale} centipawns\n\n{:<14} {:>8} {:>8}\n",
        "", "Black", "White"
    );
    let mut row = |label: &str, cell: &dyn Fn(&Summary) -> String| {
        let _ = writeln!(text, "{label:<14} {:>8} {:>8}", cell(&both[0]), cell(&both[1]));
    };
    row("moves", &|side| side.moves.to_string());
    row("best move", &|side| format!("{:.1} %", side.agreement() * 100.0));
    row("mean loss", &|side| format!("{:.2} %", side.mean_loss() * 100.0));
    for class in LossClass::ALL {
        row(class.name(), &|side| side.counts[class as usize].to_string());
    }
    text
}

/// `b` or `w`, as in SFEN.
pub(crate) fn side_letter(side: Color) -> char {
    match side {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

fn best(before: &Judgement) -> String {
    let value = format!("{:>8}", value_text(before.evaluation));
    match before.choice {
        Some(Choice::Declare) => format!("{value}  declare the win"),
        _ => format!("{value}  {}", line_text(before.line())),
    }
}

fn line_text(line: &[Move]) -> String {
    let moves: Vec<String> = line.iter().take(LINE_MOVES).map(ToString::to_string).collect();
    moves.join(" ")
}
