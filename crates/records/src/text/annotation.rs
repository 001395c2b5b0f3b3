//! Evaluations inside comments.
//!
//! Two habits are understood, in every format: floodgate's and CSA V3's `** 113 -3334FU +2625FU #5000`, and
//! the `#評価値=-102`, `#読み筋=△８五歩▲７七角`, `#ノード数=5000`, `#詰み=先手勝ち:15手` lines of Japanese
//! programs (`*` instead of `#` for the player's own). Both give scores as Black sees them, after the move.

use shogi::{Color, Move, Position};

use super::csa::notation as csa;
use super::kif::spoken;
use crate::game::{Evaluation, PlayedMove};

/// Takes a comment on the move that led to `after`: as its evaluation, PV or nodes, or as plain comment.
pub(crate) fn absorb(played: &mut PlayedMove, after: &Position, text: &str) {
    let understood = match text.strip_prefix("**") {
        Some(rest) => absorb_csa(played, after, rest),
        None => absorb_japanese(played, after, text),
    };
    if understood.is_none() {
        played.comments.push(text.to_owned());
    }
}

/// Whether a comment has the form `** score …`.
pub(crate) fn is_csa_evaluation(text: &str) -> bool {
    let score = text.strip_prefix("**").and_then(|rest| rest.split_whitespace().next());
    score.and_then(parse_score).is_some()
}

/// ` score [pv] [#nodes] [more words]`; words that are none of these stay as a comment.
fn absorb_csa(played: &mut PlayedMove, after: &Position, text: &str) -> Option<()> {
    let mut words = text.split_whitespace().flat_map(split_moves).peekable();
    let score = parse_score(words.next()?)?;
    if played.evaluation.is_some() {
        return None;
    }
    played.evaluation = Some(Evaluation::BlackCp(score));
    // Some engines begin the PV with the move itself.
    if words.peek().is_some_and(|word| csa::names_move(word, played.m)) {
        words.next();
    }
    let mut position = after.clone();
    while let Some(m) = words.peek().and_then(|word| read_move(word, &position)) {
        played.pv.push(m);
        position.play(m);
        words.next();
    }
    let mut rest: Vec<&str> = words.collect();
    if let Some(nodes) = rest.last().and_then(|word| word.strip_prefix('#')?.parse().ok()) {
        played.nodes = Some(nodes);
        rest.pop();
    }
    if !rest.is_empty() {
        played.comments.push(rest.join(" "));
    }
    Some(())
}

/// Some engines leave no space between the moves of a PV: `-3334FU+2726FU`.
fn split_moves(word: &str) -> Vec<&str> {
    let moves: Vec<&str> =
        word.as_bytes().chunks(CSA_MOVE).map_while(|c| std::str::from_utf8(c).ok()).collect();
    let are_moves = moves.len() > 1 && moves.iter().all(|part| csa::describe(part).is_some());
    if are_moves { moves } else { vec![word] }
}

/// The length of a CSA move such as `+7776FU`.
const CSA_MOVE: usize = 7;

/// Scores are whole numbers; some programs write a sign or a fraction.
fn parse_score(word: &str) -> Option<i32> {
    if let Ok(score) = word.parse::<i32>() {
        return Some(score);
    }
    let looks_right = word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.'));
    // A cast from a float saturates, so no number is too large.
    word.parse::<f64>().ok().filter(|_| looks_right).map(|score| score as i32)
}

fn read_move(word: &str, position: &Position) -> Option<Move> {
    csa::read_move(word, position).or_else(|| word.parse().ok()).filter(|&m| position.is_legal(m))
}

fn absorb_japanese(played: &mut PlayedMove, after: &Position, text: &str) -> Option<()> {
    let (key, value) = text.strip_prefix(['#', '*'])?.split_once('=')?;
    match key {
        "評価値" if played.evaluation.is_none() => {
            played.evaluation = Some(Evaluation::BlackCp(parse_score(value.trim())?));
        }
        "詰み" if played.evaluation.is_none() => played.evaluation = Some(parse_mate(value)?),
        "読み筋" if played.pv.is_empty() => played.pv = spoken::read_line(value, after)?,
        "ノード数" if played.nodes.is_none() => played.nodes = Some(value.trim().parse().ok()?),
        _ => return None,
    }
    Some(())
}

/// `先手勝ち` or `後手勝ち:8手`.
fn parse_mate(value: &str) -> Option<Evaluation> {
    let (who, length) = match value.split_once(':') {
        Some((who, length)) => (who, Some(length.trim().trim_end_matches('手').parse().ok()?)),
        None => (value, None),
    };
    let winner = match who.trim() {
        "先手勝ち" => Color::Black,
        "後手勝ち" => Color::White,
        _ => return None,
    };
    Some(Evaluation::Mate { winner, plies: length })
}

/// What CSA writes for a mate, which it has no word for: this less the plies.
const CSA_MATE: i64 = 32_000;

/// ` score [pv] [#nodes]` for a `'**` line, if the move has an evaluation.
pub(crate) fn csa_line(played: &PlayedMove, after: &Position) -> Option<String> {
    let score = match played.evaluation? {
        Evaluation::BlackCp(cp) => i64::from(cp),
        Evaluation::Mate { winner, plies } => {
            let score = (CSA_MATE - i64::from(plies.unwrap_or(0))).max(1);
            if winner == Color::Black { score } else { -score }
        }
    };
    let mut line = format!(" {score}");
    let mut position = after.clone();
    for &m in played.pv.iter() {
        if !position.is_legal(m) {
            break;
        }
        line.push(' ');
        line += &csa::write_move(m, &position);
        position.play(m);
    }
    if let Some(nodes) = played.nodes {
        line += &format!(" #{nodes}");
    }
    Some(line)
}

/// The `#…=…` lines for what is noted about a move.
pub(crate) fn japanese_lines(played: &PlayedMove, after: &Position) -> Vec<String> {
    let mut lines = Vec::new();
    match played.evaluation {
        Some(Evaluation::BlackCp(cp)) => lines.push(format!("#評価値={cp}")),
        Some(Evaluation::Mate { winner, plies }) => {
            let who = if winner == Color::Black { "先手" } else { "後手" };
            lines.push(match plies {
                Some(plies) => format!("#詰み={who}勝ち:{plies}手"),
                None => format!("#詰み={who}勝ち"),
            });
        }
        None => {}
    }
    if !played.pv.is_empty() {
        lines.push(format!("#読み筋={}", spoken::write_line(&played.pv, after)));
    }
    if let Some(nodes) = played.nodes {
        lines.push(format!("#ノード数={nodes}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_76() -> (PlayedMove, Position) {
        let m: Move = "7g7f".parse().unwrap();
        let mut position = Position::start();
        position.play(m);
        (PlayedMove::new(m), position)
    }

    fn absorbed(text: &str) -> PlayedMove {
        let (mut played, after) = after_76();
        absorb(&mut played, &after, text);
        played
    }

    #[test]
    fn a_pv_may_be_in_csa_or_usi_and_begin_with_the_move_itself() {
        for text in [
            "** 113 -3334FU +2726FU #5000",
            "** 113 +7776FU -3334FU +2726FU #5000",
            "** 113 7g7f 3c3d 2g2f #5000",
            "** 113 +7776FU-3334FU+2726FU #5000",
        ] {
            let played = absorbed(text);
            assert_eq!(played.evaluation, Some(Evaluation::BlackCp(113)));
            assert_eq!(format!("{:?}", played.pv), "[3c3d, 2g2f]");
            assert_eq!(played.nodes, Some(5000));
            assert!(played.comments.is_empty());
        }
    }

    #[test]
    fn a_pv_ends_where_it_becomes_illegal_and_the_rest_is_a_comment() {
        let played = absorbed("** -20 -3334FU +3334FU joseki");
        assert_eq!(format!("{:?}", played.pv), "[3c3d]");
        assert_eq!(played.comments, ["+3334FU joseki"]);
    }

    #[test]
    fn comments_that_are_no_evaluation_stay_comments() {
        for text in
            ["** hello", "**", "評価値=3", "#評価値=x", "#詰み=", "#読み筋=△", "** NaN", "#ノード数=-1"]
        {
            assert_eq!(absorbed(text).comments, [text]);
        }
    }

    #[test]
    fn what_is_written_is_understood_again() {
        let (mut played, after) = after_76();
        played.pv = vec!["3c3d".parse().unwrap(), "8h2b+".parse().unwrap(), "3a2b".parse().unwrap()];
        played.nodes = Some(123);
        for evaluation in [
            Evaluation::BlackCp(-42),
            Evaluation::Mate { winner: Color::White, plies: Some(7) },
            Evaluation::Mate { winner: Color::Black, plies: None },
        ] {
            played.evaluation = Some(evaluation);
            let mut again = PlayedMove::new(played.m);
            for line in japanese_lines(&played, &after) {
                absorb(&mut again, &after, &line);
            }
            assert_eq!(again, played);
        }
        played.evaluation = Some(Evaluation::BlackCp(-42));
        assert_eq!(absorbed(&format!("**{}", csa_line(&played, &after).unwrap())), played);
    }
}
