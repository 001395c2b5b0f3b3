//! What floodgate's server writes into comment lines: conditions, ratings and the result.

use std::time::Duration;

use shogi::Color;

use super::super::building::GameBuilder;
use super::special::perpetual_check;
use crate::game::{EndReason, GameInfo, GameResult, TimeControl};

/// Takes a comment that has meaning; `None` if it has none.
pub(super) fn absorb(builder: &mut GameBuilder, text: &str) -> Option<()> {
    let (key, value) = text.trim_end().split_once(':')?;
    match key {
        "Max_Moves" => builder.info().max_moves = Some(value.trim().parse().ok()?),
        "Increment" => {
            let increment = Duration::from_secs(value.trim().parse().ok()?);
            for time in &mut builder.info().time {
                time.get_or_insert_default().increment = increment;
            }
        }
        "black_rate" => builder.info().ratings[0] = Some(rate(value)?),
        "white_rate" => builder.info().ratings[1] = Some(rate(value)?),
        "$END_TIME" => builder.info().ended = Some(value.to_owned()),
        "summary" => summary(builder, value)?,
        _ => return None,
    }
    Some(())
}

/// The rating after the last colon; the player's identity stands before it.
fn rate(value: &str) -> Option<f64> {
    value.rsplit(':').next()?.trim().parse().ok().filter(|rate: &f64| rate.is_finite())
}

/// `toryo:alice win:bob lose`, the players in any order. A result line of the record itself stands.
fn summary(builder: &mut GameBuilder, value: &str) -> Option<()> {
    let (word, players) = value.split_once(':')?;
    let winner = winner(builder.info(), players);
    let result = if players.contains(" draw") { Some(GameResult::Draw) } else { None };
    let result = winner.map(GameResult::Win).or(result);
    let reason = match word {
        "toryo" => EndReason::Resignation,
        "time up" => EndReason::TimeUp,
        "illegal move" | "uchifuzume" => EndReason::IllegalMove(None),
        "sennichite" => EndReason::Repetition,
        "oute_sennichite" => EndReason::PerpetualCheck,
        "kachi" => EndReason::Declaration,
        "jishogi" => EndReason::Impasse,
        "max_moves" => EndReason::MaxMoves,
        "abnormal" => EndReason::Interrupted,
        word => EndReason::Other(word.to_owned()),
    };
    let result = match (&reason, result) {
        (EndReason::PerpetualCheck, None) => perpetual_check(builder.side(), builder.position()),
        (_, result) => result,
    };
    builder.end(result, reason);
    Some(())
}

fn winner(info: &GameInfo, players: &str) -> Option<Color> {
    let winner = players.split(':').find_map(|player| player.strip_suffix(" win"))?;
    let named = |color: Color| info.players[color.index()].as_deref() == Some(winner);
    match (named(Color::Black), named(Color::White)) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    }
}

/// The conditions in the name that floodgate gives a game: `…-300-10F+…` is 300 seconds and 10 more with
/// each move, without the F 10 seconds of byoyomi.
pub(super) fn time_of_event(event: &str) -> Option<TimeControl> {
    let game = event.split('+').nth(1)?;
    let mut parts = game.rsplit('-');
    let (extra, initial) = (parts.next()?, parts.next()?);
    parts.next()?;
    let seconds = |text: &str| text.parse::<u32>().ok().map(|n| Duration::from_secs(n.into()));
    let initial = seconds(initial)?;
    match extra.strip_suffix('F') {
        Some(increment) => {
            Some(TimeControl { initial, increment: seconds(increment)?, ..TimeControl::default() })
        }
        None => Some(TimeControl { initial, byoyomi: seconds(extra)?, ..TimeControl::default() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_game_tells_its_time() {
        let time = time_of_event("wdoor+floodgate-300-10F+a+b+20210405160009").unwrap();
        assert_eq!((time.initial.as_secs(), time.increment.as_secs(), time.byoyomi.as_secs()), (300, 10, 0));
        let time = time_of_event("wdoor+floodgate-900-0+a+b+2010").unwrap();
        assert_eq!((time.initial.as_secs(), time.byoyomi.as_secs()), (900, 0));
        assert_eq!(time_of_event("13th World Computer Shogi Championship"), None);
        assert_eq!(time_of_event("a+b-c+d"), None);
    }
}
