//! How long to think.
//!
//! Pure: clocks and settings in, two durations out. `soft` is about how much a move deserves; the search stops at
//! a fraction of it that depends on how settled its mind is. `hard` is never exceeded.
//!
//! The rule, with `T` = what may be used on this move by law (own time + byoyomi; an increment arrives only
//! after the move):
//!
//! - A margin is kept from `T` for our own lateness: a 25th of it between 5 and 30 ms. On top of it the larger of `NetworkDelay` and
//!   `NetworkDelay2` is kept in hand, whatever `T` is; only a tenth of `T` is always thought. Where nothing is known of lag
//!   (`NetworkDelay2` of -1), it is an eighth of what exceeds one second, up to one second: byoyomi of 100 ms keeps 5, of 500 ms 20, of 10 s 1030.
//! - No main time to speak of (less than a fifth of the byoyomi): everything but the margin is used, since unused byoyomi is lost.
//! - Otherwise the main time is spread over the own moves that games usually still have (60 at the start, 25
//!   in long games, fewer if the game is soon declared a draw), and byoyomi and most of the increment are added.
//! - A single move may take five such shares but no more than 30 % of the main time.

use std::time::Duration;

use contract::Clock;
use shogi::Color;

/// The clocks of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockSettings {
    /// The usual lag between a move and the clock, taken off what a move deserves.
    pub network_delay: Duration,
    /// The largest lag to be safe from; `None` if nothing is known of it.
    pub network_delay2: Option<Duration>,
    /// A move deserves at least this, if there is plenty of main time.
    pub minimum: Duration,
    /// Percent of the usual share.
    pub slow_mover: u32,
    /// Think up to whole seconds, for servers that count only those.
    pub round_up: bool,
    /// Whether the opponent's time is used as well.
    pub ponder: bool,
    /// The ply after which the game is a draw; 0 means never.
    pub max_moves: u16,
}

impl Default for ClockSettings {
    fn default() -> Self {
        ClockSettings {
            network_delay: Duration::ZERO,
            network_delay2: None,
            minimum: Duration::ZERO,
            slow_mover: 100,
            round_up: false,
            ponder: false,
            max_moves: 0,
        }
    }
}

/// How long to think about one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// About what the move deserves.
    pub soft: Duration,
    /// What it must not exceed.
    pub hard: Duration,
}

/// So large that no share of it comes before the hard limit.
const USE_ALL: u32 = 20;
const MOST_MOVES_LEFT: f64 = 60.0;
const LEAST_MOVES_LEFT: f64 = 25.0;
/// The lag that is kept in hand at most where nothing is known of it.
const UNKNOWN_LAG: Duration = Duration::from_secs(1);
/// The part of the time that is thought whatever the lag may be.
const LEAST_THOUGHT: u32 = 10;

impl Budget {
    /// The whole of a time that was given for exactly one move.
    #[must_use]
    pub fn exactly(time: Duration) -> Budget {
        let hard = time.saturating_sub(short_margin(time)).max(Duration::from_millis(1));
        Budget { soft: hard * USE_ALL, hard }
    }

    /// For the side to move at a ply (1 at the start); `None` if the clock says nothing about that side.
    #[must_use]
    pub fn from_clock(clock: &Clock, side: Color, ply: u16, settings: &ClockSettings) -> Option<Budget> {
        let time = clock.time[side.index()];
        let byoyomi = clock.byoyomi.unwrap_or_default();
        let increment = clock.increment[side.index()].unwrap_or_default();
        if time.is_none() && byoyomi.is_zero() && increment.is_zero() {
            return None;
        }
        // A runner that gives only an increment means: this much, and nothing is saved up.
        let time = time.unwrap_or(if byoyomi.is_zero() { increment } else { Duration::ZERO });
        let lawful = time + byoyomi;
        let law = lawful.saturating_sub(kept_in_hand(lawful, settings)).max(Duration::from_millis(1));
        if !byoyomi.is_zero() && time < byoyomi / 5 {
            return Some(Budget { soft: law * USE_ALL, hard: law });
        }
        Some(share(time, byoyomi, increment, law, ply, settings))
    }
}

/// A move's share of the main time.
fn share(
    time: Duration,
    byoyomi: Duration,
    increment: Duration,
    law: Duration,
    ply: u16,
    settings: &ClockSettings,
) -> Budget {
    let mut moves = (MOST_MOVES_LEFT + 5.0 - 0.45 * f64::from(ply)).clamp(LEAST_MOVES_LEFT, MOST_MOVES_LEFT);
    if settings.max_moves > 0 {
        let left = f64::from(settings.max_moves.saturating_sub(ply) / 2 + 1);
        moves = moves.min(left);
    }
    let part = time.div_f64(moves) + increment.mul_f64(0.8);
    let eager = if settings.ponder { 1.25 } else { 1.0 };
    let mut soft = (part + byoyomi).mul_f64(eager * f64::from(settings.slow_mover) / 100.0);
    if settings.minimum * 40 < time {
        soft = soft.max(settings.minimum);
    }
    if settings.round_up && soft > Duration::from_millis(500) {
        soft = Duration::from_secs(soft.as_secs() + 1);
    }
    soft = soft.saturating_sub(settings.network_delay.min(soft / 2));
    let longest = byoyomi + (part * 5).min(time.mul_f64(0.3).max(part));
    let hard = law.min(longest.max(soft));
    Budget { soft: soft.min(law), hard }
}

/// The margin of times so short that no network can be in play.
fn short_margin(time: Duration) -> Duration {
    (time / 25).clamp(Duration::from_millis(5), Duration::from_millis(30)).min(time / 2)
}

/// What is kept of a lawful time for lag and for our own lateness, so that no clock is overrun.
fn kept_in_hand(lawful: Duration, settings: &ClockSettings) -> Duration {
    let unknown = || (lawful.saturating_sub(Duration::from_secs(1)) / 8).min(UNKNOWN_LAG);
    let lag = settings.network_delay2.unwrap_or_else(unknown).max(settings.network_delay);
    let margin = short_margin(lawful);
    (margin + lag).min((lawful - lawful / LEAST_THOUGHT).max(margin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(time: u64, byoyomi: u64, increment: u64) -> Clock {
        let some = |value| (value > 0).then(|| ms(value));
        Clock { time: [Some(ms(time)); 2], byoyomi: some(byoyomi), increment: [some(increment); 2] }
    }

    fn budget(time: u64, byoyomi: u64, increment: u64, ply: u16) -> Budget {
        let clock = clock(time, byoyomi, increment);
        Budget::from_clock(&clock, Color::Black, ply, &ClockSettings::default()).unwrap()
    }

    #[test]
    fn byoyomi_alone_is_used_but_for_the_margin() {
        for (byoyomi, hard) in
            [(100, 95), (300, 288), (500, 480), (1000, 970), (2000, 1845), (10_000, 8970), (60_000, 58_970)]
        {
            let budget = budget(0, byoyomi, 0, 30);
            assert_eq!(budget.hard.as_micros().div_ceil(1000), hard, "{byoyomi}");
            assert!(budget.soft.mul_f64(0.1) > budget.hard, "{byoyomi}: nothing saved by ending early");
        }
    }

    #[test]
    fn the_lag_is_kept_in_hand_whatever_the_time() {
        for (delay, delay2) in [(500, 500), (0, 500), (500, 0), (120, 900), (0, 30)] {
            let settings = ClockSettings {
                network_delay: ms(delay),
                network_delay2: Some(ms(delay2)),
                ..ClockSettings::default()
            };
            let lag = ms(delay.max(delay2));
            for (time, byoyomi, increment) in
                [(0, 1000, 0), (0, 10_000, 0), (1000, 0, 0), (1000, 0, 1000), (300, 1000, 0), (60_000, 0, 0)]
            {
                let clock = clock(time, byoyomi, increment);
                let Budget { hard, .. } = Budget::from_clock(&clock, Color::Black, 30, &settings).unwrap();
                assert!(hard + lag <= ms(time + byoyomi).max(lag + ms(100)), "{time} {byoyomi}: {hard:?}");
            }
            let soft =
                |settings| Budget::from_clock(&clock(600_000, 0, 0), Color::Black, 1, settings).unwrap().soft;
            assert_eq!(soft(&settings) + ms(delay), soft(&ClockSettings::default()));
        }
    }

    #[test]
    fn a_lag_longer_than_the_time_leaves_a_tenth_of_it() {
        let settings = ClockSettings { network_delay2: Some(ms(1120)), ..ClockSettings::default() };
        let hard =
            |byoyomi| Budget::from_clock(&clock(0, byoyomi, 0), Color::Black, 30, &settings).unwrap().hard;
        assert_eq!((hard(1000), hard(20)), (ms(100), ms(2)));
    }

    #[test]
    fn no_clock_is_ever_overrun() {
        for time in [0, 1, 5, 50, 99, 400, 1000, 3000, 60_000, 900_000, 36_000_000] {
            for byoyomi in [0, 1, 10, 100, 1000, 10_000, 60_000] {
                for increment in [0, 10, 1000, 10_000] {
                    for ply in [1, 40, 100, 300, 511] {
                        if time + byoyomi < 4 {
                            continue;
                        }
                        let Budget { hard, .. } = budget(time, byoyomi, increment, ply);
                        let lawful = ms(time + byoyomi);
                        assert!(hard < lawful && !hard.is_zero(), "{time} {byoyomi} {increment}: {hard:?}");
                        assert!(lawful >= ms(100) || lawful - hard >= lawful / 2 || lawful - hard >= ms(5));
                    }
                }
            }
        }
    }

    #[test]
    fn main_time_lasts_for_the_game() {
        let Budget { soft, hard } = budget(600_000, 0, 0, 1);
        assert!((ms(8_000)..ms(12_000)).contains(&soft), "{soft:?}");
        assert!(hard <= ms(60_000) && hard > soft * 2, "{hard:?}");
        let late = budget(600_000, 0, 0, 120);
        assert!(late.soft > soft * 2, "fewer moves are left to share it with");
    }

    #[test]
    fn byoyomi_and_increment_are_spent_on_top() {
        let plain = budget(600_000, 0, 0, 1).soft;
        assert!(budget(600_000, 10_000, 0, 1).soft > plain + ms(9_000));
        assert!(budget(600_000, 0, 10_000, 1).soft > plain + ms(7_000));
    }

    #[test]
    fn the_last_moves_before_a_draw_get_what_is_left() {
        let settings = ClockSettings { max_moves: 256, ..ClockSettings::default() };
        let clock = clock(60_000, 0, 0);
        let last = Budget::from_clock(&clock, Color::White, 256, &settings).unwrap();
        assert!(last.hard > ms(50_000), "{last:?}");
    }

    #[test]
    fn settings_do_what_they_say() {
        let clock = clock(600_000, 0, 0);
        let with = |settings| Budget::from_clock(&clock, Color::Black, 1, &settings).unwrap().soft;
        let usual = with(ClockSettings::default());
        assert!(with(ClockSettings { slow_mover: 200, ..ClockSettings::default() }) > usual.mul_f64(1.9));
        assert!(with(ClockSettings { ponder: true, ..ClockSettings::default() }) > usual.mul_f64(1.2));
        assert!(with(ClockSettings { minimum: ms(14_000), ..ClockSettings::default() }) > ms(13_000));
        let round = with(ClockSettings { round_up: true, ..ClockSettings::default() });
        assert_eq!(round, Duration::from_secs(round.as_secs()));
    }

    #[test]
    fn a_side_without_a_clock_has_no_budget() {
        let clock = Clock { time: [Some(ms(1000)), None], ..Clock::default() };
        let settings = ClockSettings::default();
        assert!(Budget::from_clock(&clock, Color::Black, 1, &settings).is_some());
        assert_eq!(Budget::from_clock(&clock, Color::White, 1, &settings), None);
        assert_eq!(Budget::from_clock(&Clock::default(), Color::Black, 1, &settings), None);
    }

    #[test]
    fn a_time_for_one_move_is_used_up() {
        assert_eq!(Budget::exactly(ms(1000)).hard, ms(970));
        assert_eq!(Budget::exactly(ms(50)).hard, ms(45));
        assert!(Budget::exactly(Duration::ZERO).hard >= ms(1));
    }
}
