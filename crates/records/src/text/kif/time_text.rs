//! Time controls in Japanese: 15分＋30秒, 各５時間, 10分（1手5秒加算）.

use std::time::Duration;

use super::super::csa::time_limit;
use super::super::seconds::{parse_seconds, write_seconds};
use super::numerals::narrow;
use crate::game::TimeControl;

/// Understands a time control; `None` for anything in other words.
pub(super) fn parse(value: &str) -> Option<TimeControl> {
    let text: String = narrow(value).chars().filter(|c| !c.is_whitespace()).collect();
    if let Some(time) = time_limit(&text) {
        return Some(time);
    }
    let text = text.strip_prefix('各').unwrap_or(&text);
    let (text, increment) = match text.split_once("(1手") {
        Some((text, rest)) => (text, span(rest.strip_suffix("加算)")?)?),
        None => (text, Duration::ZERO),
    };
    let (initial, byoyomi) = match text.split_once('+').or_else(|| text.split_once("切れたら")) {
        Some((initial, rest)) => (initial, span(rest.strip_suffix("将棋").unwrap_or(rest))?),
        None => (text, Duration::ZERO),
    };
    Some(TimeControl { initial: span(initial)?, byoyomi, increment })
}

/// `1時間30分5秒`, any of the parts.
fn span(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = Duration::ZERO;
    for (unit, seconds) in [("時間", 3600), ("分", 60), ("秒", 1)] {
        if let Some((number, after)) = rest.split_once(unit) {
            total += parse_seconds(number)?.checked_mul(seconds)?;
            rest = after;
        }
    }
    (rest.is_empty() && !text.is_empty()).then_some(total)
}

/// The text that [`parse`] understands as this.
pub(super) fn write(time: TimeControl) -> String {
    let mut text = write_span(time.initial);
    if !time.byoyomi.is_zero() {
        text += &format!("＋{}秒", write_seconds(time.byoyomi));
    }
    if !time.increment.is_zero() {
        text += &format!("（1手{}秒加算）", write_seconds(time.increment));
    }
    text
}

fn write_span(time: Duration) -> String {
    let (hours, minutes) = (time.as_secs() / 3600, time.as_secs() / 60 % 60);
    let rest = time - Duration::from_secs(hours * 3600 + minutes * 60);
    let mut text = String::new();
    if hours > 0 {
        text += &format!("{hours}時間");
    }
    if minutes > 0 || (hours == 0 && rest.is_zero()) {
        text += &format!("{minutes}分");
    }
    if !rest.is_zero() {
        text += &format!("{}秒", write_seconds(rest));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_texts_are_understood() {
        for (text, initial, byoyomi, increment) in [
            ("各５時間", 18_000, 0, 0),
            ("15分＋30秒", 900, 30, 0),
            ("60分 切れたら1分将棋", 3600, 60, 0),
            ("00:25+00", 1500, 0, 0),
            ("10分（1手5秒加算）", 600, 0, 5),
        ] {
            let time = parse(text).unwrap();
            assert_eq!(
                [time.initial, time.byoyomi, time.increment].map(|t| t.as_secs()),
                [initial, byoyomi, increment],
                "{text}"
            );
        }
        for text in ["一億年", "15分＋30秒＋（考慮時間10分）", "", "分", "秒読み"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn written_times_are_read_back() {
        for millis in [0, 500, 60_000, 3_600_000, 3_661_250, 5_400_000] {
            let span = Duration::from_millis(millis);
            for time in [
                TimeControl { initial: span, ..TimeControl::default() },
                TimeControl { initial: span, byoyomi: span, increment: Duration::from_secs(3) },
            ] {
                assert_eq!(parse(&write(time)), Some(time));
            }
        }
    }
}
