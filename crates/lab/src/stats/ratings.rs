//! Ratings of several players: the most likely ones, a draw counting as half a win and half a loss (Bradley and
//! Terry 1952).

use serde::{Deserialize, Serialize};

use super::linear::solve;
use super::student::student_confidence;

/// Games between two players, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The one whose points are counted.
    pub player: usize,
    /// The other.
    pub opponent: usize,
    /// The player's points, draws as halves.
    pub points: f64,
    /// All games.
    pub games: f64,
}

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Elo above the mean of all players.
    pub elo: f64,
    /// Half width of its 95 % interval.
    pub error: f64,
}

/// Elo per unit of the logistic scale.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings under which the results are most likely. Where somebody won or lost everything there are none; then
/// every pair of players that met is credited with one more drawn game.
#[must_use]
pub fn ratings(players: usize, meetings: &[Meeting]) -> Vec<Rating> {
    let meetings: Vec<Meeting> = meetings.iter().filter(|m| m.games > 0.0).copied().collect();
    let met = if are_comparable(players, &meetings) { meetings } else { with_draws(&meetings) };
    let mut strengths = vec![0.0; players];
    for _ in 0..200 {
        let (slope, mut information) = slope_and_information(&strengths, &met);
        anchor(&mut information);
        let Some(step) = solve(information, &slope) else { break };
        // Far from the solution whole steps overshoot.
        let longest = step.iter().fold(0.0_f64, |longest, s| longest.max(s.abs()));
        let share = 1.0_f64.min(2.0 / longest.max(1e-300));
        strengths.iter_mut().zip(&step).for_each(|(strength, s)| *strength += share * s);
        if longest < 1e-11 {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / players.max(1) as f64;
    let (_, mut information) = slope_and_information(&strengths, &met);
    anchor(&mut information);
    let deviation = |i: usize| {
        let unit: Vec<f64> = (0..players).map(|k| f64::from(u8::from(k == i))).collect();
        let column = solve(information.clone(), &unit)?;
        Some((column[i] - 1.0 / (players * players) as f64).max(0.0).sqrt())
    };
    // As wide as so few pairs of games demand.
    let confidence = |i: usize| {
        let met = met.iter().filter(|m| m.player == i || m.opponent == i);
        student_confidence((met.map(|m| m.games).sum::<f64>() / 2.0).max(1.0))
    };
    (0..players)
        .map(|i| Rating {
            elo: ELO * (strengths[i] - mean),
            error: deviation(i).map_or(0.0, |deviation| confidence(i) * ELO * deviation),
        })
        .collect()
}

/// Whether everybody can be reached from everybody by games not lost, so that finite ratings exist.
fn are_comparable(players: usize, meetings: &[Meeting]) -> bool {
    let reaches_all = |beats: &dyn Fn(&Meeting) -> Option<(usize, usize)>| {
        let mut reached = vec![false; players];
        let mut open = vec![0];
        while let Some(player) = open.pop() {
            if !std::mem::replace(&mut reached[player], true) {
                let next = meetings.iter().flat_map(|m| {
                    let back = Meeting {
                        player: m.opponent,
                        opponent: m.player,
                        points: m.games - m.points,
                        games: m.games,
                    };
                    [*m, back]
                });
                open.extend(
                    next.filter_map(|m| beats(&m)).filter(|(from, _)| *from == player).map(|(_, to)| to),
                );
            }
        }
        reached.into_iter().all(|is| is)
    };
    players == 0
        || reaches_all(&|m| (m.points > 0.0).then_some((m.player, m.opponent)))
            && reaches_all(&|m| (m.points < m.games).then_some((m.player, m.opponent)))
}

fn with_draws(meetings: &[Meeting]) -> Vec<Meeting> {
    meetings.iter().map(|m| Meeting { points: m.points + 0.5, games: m.games + 1.0, ..*m }).collect()
}

/// The derivative of the log likelihood by each strength, and minus the second derivatives.
fn slope_and_information(strengths: &[f64], meetings: &[Meeting]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = strengths.len();
    let (mut slope, mut information) = (vec![0.0; n], vec![vec![0.0; n]; n]);
    for m in meetings {
        let expected = 1.0 / (1.0 + (strengths[m.opponent] - strengths[m.player]).exp());
        let surplus = m.points - m.games * expected;
        slope[m.player] += surplus;
        slope[m.opponent] -= surplus;
        let weight = m.games * expected * (1.0 - expected);
        for (i, k, sign) in [
            (m.player, m.player, 1.0),
            (m.opponent, m.opponent, 1.0),
            (m.player, m.opponent, -1.0),
            (m.opponent, m.player, -1.0),
        ] {
            information[i][k] += sign * weight;
        }
    }
    (slope, information)
}

/// Only differences matter: makes the matrix regular by holding the mean.
fn anchor(information: &mut [Vec<f64>]) {
    information.iter_mut().flatten().for_each(|entry| *entry += 1.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Tally, elo_of_score};

    /// Wins of row over column in the American League, eastern division, 1987 (Agresti, Categorical Data Analysis,
    /// 2nd ed., table 10.10).
    const LEAGUE: [[u32; 7]; 7] = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];

    #[test]
    fn a_published_league_is_rated_as_published() {
        let meetings: Vec<Meeting> = (0..7)
            .flat_map(|i| (0..i).map(move |k| (i, k)))
            .map(|(player, opponent)| {
                let (won, lost) = (LEAGUE[player][opponent], LEAGUE[opponent][player]);
                Meeting { player, opponent, points: won.into(), games: (won + lost).into() }
            })
            .collect();
        let found = ratings(7, &meetings);
        for (i, expected) in [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0].into_iter().enumerate() {
            let strength = (found[i].elo - found[6].elo) / ELO;
            assert!((strength - expected).abs() < 0.006, "{i}: {strength}");
        }
    }

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let found = ratings(2, &[Meeting { player: 0, opponent: 1, points: 151.5, games: 200.0 }]);
        let difference = found[0].elo - found[1].elo;
        assert!((difference - elo_of_score(0.7575)).abs() < 1e-6, "{difference}");
        // Without draws the error of the difference is that of independent games.
        let found = ratings(2, &[Meeting { player: 0, opponent: 1, points: 120.0, games: 200.0 }]);
        let games = Tally { wins: 120, losses: 80, draws: 0 }.estimate().unwrap();
        assert!((2.0 * found[0].error - games.error).abs() < 1.0, "{found:?} {games:?}");
    }

    #[test]
    fn a_player_without_a_win_still_gets_a_rating() {
        let found = ratings(
            3,
            &[
                Meeting { player: 0, opponent: 1, points: 10.0, games: 10.0 },
                Meeting { player: 1, opponent: 2, points: 5.0, games: 10.0 },
            ],
        );
        assert!(found.iter().all(|r| r.elo.is_finite() && r.error > 0.0), "{found:?}");
        assert!(found[0].elo > found[1].elo + 200.0);
    }
}
