//! Seconds with up to three decimals.

use std::time::Duration;

/// Reads `12` or `6.123`; digits beyond milliseconds are dropped.
pub(crate) fn parse_seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let millis: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(Duration::from_secs(whole.parse::<u32>().ok()?.into()) + Duration::from_millis(millis.parse().ok()?))
}

/// Writes whole seconds, or all three decimals if there are any.
pub(crate) fn write_seconds(time: Duration) -> String {
    match time.subsec_millis() {
        0 => time.as_secs().to_string(),
        millis => format!("{}.{millis:03}", time.as_secs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_round_trip_in_milliseconds() {
        for (text, millis) in [("0", 0), ("12", 12_000), ("6.123", 6_123), ("0.050", 50)] {
            assert_eq!(parse_seconds(text), Some(Duration::from_millis(millis)));
            assert_eq!(write_seconds(Duration::from_millis(millis)), text);
        }
        assert_eq!(parse_seconds("1.5"), Some(Duration::from_millis(1500)));
        for text in ["", ".", "-1", "1.x", "+1", "99999999999", "１"] {
            assert_eq!(parse_seconds(text), None, "{text}");
        }
    }
}
