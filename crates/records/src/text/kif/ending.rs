//! How games end, in the words of KIF: a special move (投了) or a closing line (まで85手で先手の勝ち).

use shogi::{Color, Position};

use super::super::csa::special::perpetual_check;
use crate::game::{EndReason, GameResult, Outcome};

/// What a special move means when `side` is to move; `None` if it is none.
pub(super) fn special(
    word: &str,
    side: Color,
    position: &Position,
) -> Option<(Option<GameResult>, EndReason)> {
    use EndReason as R;
    use GameResult::{Draw, Win};
    Some(match word {
        "投了" => (Some(Win(!side)), R::Resignation),
        "切れ負け" | "時間切れ" => (Some(Win(!side)), R::TimeUp),
        "反則負け" => (Some(Win(!side)), R::IllegalMove(None)),
        "反則勝ち" => (Some(Win(side)), R::IllegalMove(None)),
        "入玉勝ち" => (Some(Win(side)), R::Declaration),
        "詰み" | "詰" => (Some(Win(!side)), R::Mate),
        "不戦勝" => (Some(Win(side)), R::Forfeit),
        "不戦敗" => (Some(Win(!side)), R::Forfeit),
        "千日手" => (Some(Draw), R::Repetition),
        "連続王手の千日手" => (perpetual_check(side, position), R::PerpetualCheck),
        "持将棋" => (Some(Draw), R::Impasse),
        "引き分け" | "引分け" | "引分" => (Some(Draw), R::Draw),
        "最大手数" => (Some(Draw), R::MaxMoves),
        "不詰" => (None, R::NoMate),
        "中断" | "封じ手" => (None, R::Interrupted),
        "待った" => (None, R::TakenBack),
        "エラー" => (None, R::Error),
        _ => return None,
    })
}

/// The special move for an outcome.
pub(super) fn word(outcome: &Outcome, side: Color) -> &'static str {
    let wins = outcome.result == Some(GameResult::Win(side));
    match &outcome.reason {
        EndReason::Resignation => "投了",
        EndReason::TimeUp => "切れ負け",
        // An illegal move that is written out passes the turn to the winner.
        EndReason::IllegalMove(Some(_)) => "反則勝ち",
        EndReason::IllegalMove(None) if wins => "反則勝ち",
        EndReason::IllegalMove(None) => "反則負け",
        EndReason::Declaration => "入玉勝ち",
        EndReason::Mate => "詰み",
        EndReason::Forfeit if wins => "不戦勝",
        EndReason::Forfeit => "不戦敗",
        EndReason::Repetition => "千日手",
        EndReason::PerpetualCheck => "連続王手の千日手",
        EndReason::Impasse => "持将棋",
        EndReason::Draw => "引き分け",
        EndReason::MaxMoves => "最大手数",
        EndReason::NoMate => "不詰",
        EndReason::TakenBack => "待った",
        EndReason::Error => "エラー",
        EndReason::Interrupted | EndReason::Other(_) => "中断",
    }
}

/// What a closing line says when `side` is to move; `None` if it says nothing about the end.
pub(super) fn closing(
    line: &str,
    side: Color,
    position: &Position,
) -> Option<(Option<GameResult>, EndReason)> {
    let text = line.trim().strip_prefix("まで")?;
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c));
    let text = text.trim().strip_prefix('手').unwrap_or(text);
    let text = text.strip_prefix('で').unwrap_or(text).trim();
    if let Some(end) = special(text, side, position) {
        return Some(end);
    }
    let winner = named_winner(text)?;
    let reason = if text.contains("反則") {
        EndReason::IllegalMove(None)
    } else if text.contains("時間切れ") || text.contains("切れ負け") {
        EndReason::TimeUp
    } else if text.contains("入玉") || text.contains("宣言") {
        EndReason::Declaration
    } else if text.contains("不戦") {
        EndReason::Forfeit
    } else if text.contains("千日手") {
        EndReason::PerpetualCheck
    } else if text.contains("詰") {
        EndReason::Mate
    } else if winner != side {
        EndReason::Resignation
    } else {
        EndReason::Other(text.to_owned())
    };
    Some((Some(GameResult::Win(winner)), reason))
}

/// Who a closing line says won: 先手の勝ち, 後手の反則負け.
fn named_winner(text: &str) -> Option<Color> {
    let (before, is_win) = match (text.strip_suffix("勝ち"), text.strip_suffix("負け")) {
        (Some(before), _) => (before, true),
        (_, Some(before)) => (before, false),
        _ => return None,
    };
    let last = |names: [&str; 2]| names.iter().filter_map(|name| before.rfind(name)).max();
    let named = match (last(["先手", "下手"]), last(["後手", "上手"])) {
        (None, None) => return None,
        (black, white) if black > white => Color::Black,
        _ => Color::White,
    };
    Some(if is_win { named } else { !named })
}

/// The closing line for an outcome after `count` moves, `side` to move.
pub(super) fn closing_line(outcome: &Outcome, count: usize, side: Color, is_handicap: bool) -> String {
    let name = |color: Color| match (color, is_handicap) {
        (Color::Black, false) => "先手",
        (Color::White, false) => "後手",
        (Color::Black, true) => "下手",
        (Color::White, true) => "上手",
    };
    let end = match (&outcome.reason, outcome.result) {
        (EndReason::Resignation, Some(GameResult::Win(winner))) => format!("{}の勝ち", name(winner)),
        (EndReason::TimeUp, Some(GameResult::Win(winner))) => format!("時間切れにより{}の勝ち", name(winner)),
        (EndReason::IllegalMove(_), Some(GameResult::Win(winner))) if winner == side => {
            format!("{}の反則勝ち", name(winner))
        }
        (EndReason::IllegalMove(_), Some(GameResult::Win(winner))) => format!("{}の反則負け", name(!winner)),
        (EndReason::Declaration, Some(GameResult::Win(winner))) => {
            format!("入玉宣言により{}の勝ち", name(winner))
        }
        (EndReason::PerpetualCheck, Some(GameResult::Win(winner))) => {
            format!("連続王手の千日手により{}の勝ち", name(winner))
        }
        (EndReason::Forfeit, Some(GameResult::Win(winner))) => format!("不戦により{}の勝ち", name(winner)),
        (EndReason::Mate, Some(GameResult::Win(winner))) if winner != side => {
            return format!("まで{count}手で詰み");
        }
        (EndReason::Mate, Some(GameResult::Win(winner))) => format!("詰みにより{}の勝ち", name(winner)),
        _ => word(outcome, side).to_owned(),
    };
    format!("まで{count}手で{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(line: &str) -> Option<(Option<GameResult>, EndReason)> {
        closing(line, Color::White, &Position::start())
    }

    #[test]
    fn closing_lines_name_winner_and_reason() {
        let (black, white) = (Some(GameResult::Win(Color::Black)), Some(GameResult::Win(Color::White)));
        for (line, result, reason) in [
            ("まで85手で先手の勝ち", black, EndReason::Resignation),
            ("まで102手で下手の勝ち", black, EndReason::Resignation),
            ("まで14手で時間切れにより後手の勝ち", white, EndReason::TimeUp),
            ("まで2手で先手の反則負け", white, EndReason::IllegalMove(None)),
            ("まで3手で後手の反則勝ち", white, EndReason::IllegalMove(None)),
            ("まで7手詰", black, EndReason::Mate),
            ("まで3手で千日手", Some(GameResult::Draw), EndReason::Repetition),
            ("まで52手で封じ手", None, EndReason::Interrupted),
        ] {
            assert_eq!(closed(line), Some((result, reason)), "{line}");
        }
        assert_eq!(closed("まで"), None);
        assert_eq!(closed("まで10手で何か"), None);
    }
}
