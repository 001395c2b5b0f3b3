//! An analysis as notes in the game's record.

use records::game::{Evaluation, Game};
use search::Choice;
use shogi::Color;

use super::{Analysis, Judgement, Review};

/// Our comments begin with this, so that the next analysis can replace them.
const PREFIX: &str = "analysis: ";

/// The game with the values of the analysis in place of those it had. Each judged move gets its value and how play
/// would go on after it; one with a named loss also a comment with what was better.
/// `heading` becomes a comment before the first move. Other comments stay.
#[must_use]
pub fn annotated(game: &Game, analysis: &Analysis, heading: &str) -> Game {
    let mut game = game.clone();
    replace_comment(&mut game.comments, Some(heading.to_owned()));
    let moves = game.moves.iter_mut().skip(analysis.skipped);
    for (played, (review, before)) in moves.zip(analysis.reviews.iter().zip(&analysis.judgements)) {
        played.evaluation = Some(review.value);
        played.pv = review.line[1..].to_vec();
        played.nodes = Some(before.nodes);
        replace_comment(&mut played.comments, comment(review, before));
    }
    game
}

fn replace_comment(comments: &mut Vec<String>, comment: Option<String>) {
    comments.retain(|line| !line.starts_with(PREFIX));
    comments.extend(comment.map(|text| format!("{PREFIX}{text}")));
}

fn comment(review: &Review, before: &Judgement) -> Option<String> {
    let class = review.class()?;
    let better = match before.choice {
        Some(Choice::Declare) => "to declare the win".to_owned(),
        _ => before.line().iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    };
    let loss = review.loss * 100.0;
    Some(format!("{class}, {loss:.1} % of the win rate lost; better ({}): {better}", value_text(review.best)))
}

/// A value as Black sees it, short: `+120`, `-mate 4`.
///
/// ```
/// use engine::analysis::value_text;
/// use records::game::Evaluation;
/// assert_eq!(value_text(Evaluation::BlackCp(120)), "+120");
/// assert_eq!(value_text(Evaluation::Mate { winner: shogi::Color::White, plies: Some(4) }), "-mate 4");
/// ```
#[must_use]
pub fn value_text(evaluation: Evaluation) -> String {
    match evaluation {
        Evaluation::BlackCp(cp) => format!("{cp:+}"),
        Evaluation::Mate { winner, plies } => {
            let sign = if winner == Color::Black { '+' } else { '-' };
            plies.map_or_else(|| format!("{sign}mate"), |plies| format!("{sign}mate {plies}"))
        }
    }
}
