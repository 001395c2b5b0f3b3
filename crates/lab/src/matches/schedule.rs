//! Who plays whom from where: a function of a pair's number.

use contract::Rng;
use serde::{Deserialize, Serialize};

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// One opening, to be played twice with colours reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The pair's number.
    pub pair: u64,
    /// Black in the first game, White in the second.
    pub first: usize,
    /// The other player.
    pub second: usize,
    /// The opening's number.
    pub opening: usize,
    /// How many games it has: two, or one for the last of an odd number.
    pub games: u8,
}

/// All pairs of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    meetings: Vec<(usize, usize)>,
    order: Vec<usize>,
    games: u64,
}

impl Schedule {
    /// Pairs of so many players and openings, `games` games for every two players that meet.
    #[must_use]
    pub fn new(players: usize, format: Format, openings: usize, games: u64, seed: u64) -> Schedule {
        let meetings = match format {
            Format::Gauntlet => (1..players).map(|other| (0, other)).collect(),
            Format::RoundRobin => (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect(),
        };
        let mut order: Vec<usize> = (0..openings).collect();
        let mut rng = Rng::new(seed);
        for i in (1..order.len()).rev() {
            order.swap(i, (rng.draw() % (i as u64 + 1)) as usize);
        }
        Schedule { meetings, order, games }
    }

    /// Who meets whom.
    #[must_use]
    pub fn meetings(&self) -> &[(usize, usize)] {
        &self.meetings
    }

    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.games.div_ceil(2) * self.meetings.len() as u64
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games * self.meetings.len() as u64
    }

    /// A pair. All meetings go through the openings in the same order, round by round.
    #[must_use]
    pub fn unit(&self, pair: u64) -> Unit {
        let meetings = self.meetings.len() as u64;
        let round = pair / meetings;
        let (first, second) = self.meetings[(pair % meetings) as usize];
        let opening = self.order[(round % self.order.len() as u64) as usize];
        let games = (self.games - 2 * round).min(2) as u8;
        Unit { pair, first, second, opening, games }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_meeting_has_its_games_and_the_same_openings() {
        let schedule = Schedule::new(3, Format::RoundRobin, 5, 7, 1);
        assert_eq!((schedule.pairs(), schedule.games()), (12, 21));
        let units: Vec<Unit> = (0..schedule.pairs()).map(|pair| schedule.unit(pair)).collect();
        assert_eq!(units.iter().map(|unit| u64::from(unit.games)).sum::<u64>(), 21);
        for round in units.chunks(3) {
            assert!(round.iter().all(|unit| unit.opening == round[0].opening));
        }
        assert_eq!(Schedule::new(4, Format::Gauntlet, 5, 2, 1).meetings(), [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn the_seed_decides_the_order_and_no_opening_comes_twice_before_all_came() {
        let order = |seed| {
            let schedule = Schedule::new(2, Format::RoundRobin, 50, 100, seed);
            (0..50).map(|pair| schedule.unit(pair).opening).collect::<Vec<_>>()
        };
        assert_eq!(order(3), order(3));
        assert_ne!(order(3), order(4));
        let mut all = order(3);
        all.sort_unstable();
        assert_eq!(all, (0..50).collect::<Vec<_>>());
    }
}
