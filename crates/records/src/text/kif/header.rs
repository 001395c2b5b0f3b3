//! The lines `key：value` before the moves, and the same pairs in JKF's header.

use super::time_text;
use crate::game::GameInfo;

/// Takes a pair that tells about the game. Pairs about the start (手合割, 持駒) are not for here.
pub(crate) fn absorb(info: &mut GameInfo, key: &str, value: &str) {
    let value = value.trim();
    if value.is_empty() {
        return;
    }
    let own = || Some(value.to_owned());
    match key {
        "先手" | "下手" => info.players[0] = own(),
        "後手" | "上手" => info.players[1] = own(),
        "棋戦" => info.event = own(),
        "場所" => info.site = own(),
        "戦型" => info.opening = own(),
        "開始日時" => info.started = own(),
        "終了日時" => info.ended = own(),
        _ => {
            if absorb_condition(info, key, value).is_none() {
                info.other.insert(key.to_owned(), value.to_owned());
            }
        }
    }
}

/// Takes a condition; `None` if it is none or is in words that are not understood.
fn absorb_condition(info: &mut GameInfo, key: &str, value: &str) -> Option<()> {
    let rating = || value.parse().ok().filter(|rating: &f64| rating.is_finite());
    match key {
        "持ち時間" => info.time = [Some(time_text::parse(value)?); 2],
        "先手の持ち時間" => info.time[0] = Some(time_text::parse(value)?),
        "後手の持ち時間" => info.time[1] = Some(time_text::parse(value)?),
        "先手のレーティング" => info.ratings[0] = Some(rating()?),
        "後手のレーティング" => info.ratings[1] = Some(rating()?),
        "最大手数" => info.max_moves = Some(value.parse().ok()?),
        "入玉宣言" => info.declaration_rule = Some(value.parse().ok()?),
        _ => return None,
    }
    Some(())
}

/// The pairs for what is known about a game, except the start.
pub(crate) fn pairs(info: &GameInfo, is_handicap: bool) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut add = |key: &str, value: Option<String>| {
        pairs.extend(value.filter(|value| !value.is_empty()).map(|value| (key.to_owned(), value)));
    };
    add("開始日時", info.started.clone());
    add("終了日時", info.ended.clone());
    add("棋戦", info.event.clone());
    add("場所", info.site.clone());
    add("戦型", info.opening.clone());
    let names = if is_handicap { ["下手", "上手"] } else { ["先手", "後手"] };
    add(names[0], info.players[0].clone());
    add(names[1], info.players[1].clone());
    match info.time {
        [Some(black), Some(white)] if black == white => add("持ち時間", Some(time_text::write(black))),
        [black, white] => {
            add("先手の持ち時間", black.map(time_text::write));
            add("後手の持ち時間", white.map(time_text::write));
        }
    }
    let rating = |rating: f64| rating.is_finite().then(|| format!("{rating:?}"));
    add("先手のレーティング", info.ratings[0].and_then(rating));
    add("後手のレーティング", info.ratings[1].and_then(rating));
    add("最大手数", info.max_moves.map(|n| n.to_string()));
    add("入玉宣言", info.declaration_rule.map(|rule| rule.to_string()));
    for (key, value) in &info.other {
        add(key, Some(value.clone()));
    }
    pairs
}
