//! How a match stands: all that can be said about the games so far.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use shogi::{Color, GameResult};

use super::end::End;
use super::row::{FaultKind, GameRow};
use crate::stats::{Estimate, Meeting, Pentanomial, Rating, Sprt, SprtState, Tally, Verdict, ratings};

/// The games between two players, as the first of them sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// The player.
    pub player: usize,
    /// Its opponent.
    pub opponent: usize,
    /// All games.
    pub games: Tally,
    /// Those with Black.
    pub as_black: Tally,
    /// Those with White.
    pub as_white: Tally,
    /// Pairs of which both games are over.
    pub pairs: Pentanomial,
}

/// What a player did that no player should.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Faults {
    pub illegal: u64,
    pub time_losses: u64,
    pub crashes: u64,
    pub stalls: u64,
    /// Answers with more lines than anybody reads; no game is lost by them.
    pub floods: u64,
    /// Lines that are no messages; no game is lost by them.
    pub garbage: u64,
}

/// How a match stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchStats {
    pairings: Vec<Pairing>,
    faults: Vec<Faults>,
    /// Whether each player has made a move in any game.
    moved: Vec<bool>,
    ends: BTreeMap<End, u64>,
    black_wins: u64,
    white_wins: u64,
    /// Half points of the first game of pairs whose other game is not over: by pair.
    halves: HashMap<u64, [Option<usize>; 2]>,
    games: u64,
    plies: u64,
    overhead_us: f64,
    worst_overhead_us: f64,
    latest_us: Option<i64>,
    seconds: f64,
    /// The log-likelihood ratio after each pair.
    course: Vec<f64>,
    sprt: Option<Sprt>,
    verdict: Option<Verdict>,
}

impl MatchStats {
    /// Before the first game.
    #[must_use]
    pub fn new(players: usize, meetings: &[(usize, usize)], sprt: Option<Sprt>) -> MatchStats {
        let pairing = |&(player, opponent)| Pairing { player, opponent, ..Pairing::default() };
        MatchStats {
            pairings: meetings.iter().map(pairing).collect(),
            faults: vec![Faults::default(); players],
            moved: vec![false; players],
            sprt,
            ..MatchStats::default()
        }
    }

    /// Counts a game. One that is counted already changes nothing.
    pub fn add(&mut self, row: &GameRow) {
        let pair = self.halves.entry(row.pair).or_default();
        let place = &mut pair[usize::from(row.game.min(1))];
        if place.is_some() {
            return;
        }
        let half_points = row.first_half_points();
        *place = Some(half_points);
        let pair = *pair;
        let Some(pairing) = self.pairings.iter_mut().find(|p| (p.player, p.opponent) == row.players()) else {
            return;
        };
        pairing.games.add(half_points);
        (if row.game == 0 { &mut pairing.as_black } else { &mut pairing.as_white }).add(half_points);
        let completed = if let [Some(first), Some(second)] = pair {
            pairing.pairs.add(first + second);
            Some(pairing.pairs)
        } else {
            None
        };
        self.count(row);
        if let (Some(pairs), Some(sprt)) = (completed, self.sprt) {
            let state = sprt.state(&pairs);
            self.course.push(state.llr);
            // The first verdict stands, whatever the pairs say that were under way.
            if self.verdict.is_none() && state.verdict != Verdict::Undecided {
                self.verdict = Some(state.verdict);
            }
        }
    }

    fn count(&mut self, row: &GameRow) {
        self.games += 1;
        match row.winner {
            GameResult::Win(Color::Black) => self.black_wins += 1,
            GameResult::Win(Color::White) => self.white_wins += 1,
            GameResult::Draw => {}
        }
        *self.ends.entry(row.end).or_default() += 1;
        self.plies += row.times_us.len() as u64;
        self.overhead_us += row.overhead_us * row.times_us.len() as f64;
        self.worst_overhead_us = self.worst_overhead_us.max(row.worst_overhead_us.unwrap_or(0.0));
        self.latest_us = self.latest_us.max(row.latest_us);
        self.seconds += row.seconds;
        if let Some(fault) = &row.fault
            && let Some(faults) = self.faults.get_mut(fault.player)
        {
            match fault.kind {
                FaultKind::IllegalMove => faults.illegal += 1,
                FaultKind::TimeLoss => faults.time_losses += 1,
                FaultKind::Crash => faults.crashes += 1,
                FaultKind::Stall => faults.stalls += 1,
            }
        }
        for side in row.movers() {
            if let Some(moved) = self.moved.get_mut(row.player(side)) {
                *moved = true;
            }
        }
        for (player, noise) in [row.black, row.white].into_iter().zip(row.noise) {
            if let Some(faults) = self.faults.get_mut(player) {
                faults.floods += noise.floods;
                faults.garbage += noise.garbage;
            }
        }
    }

    /// Whether a game is counted.
    #[must_use]
    pub fn has(&self, pair: u64, game: u8) -> bool {
        self.halves.get(&pair).is_some_and(|halves| halves[usize::from(game.min(1))].is_some())
    }

    /// Whether a player has made a move in any game.
    #[must_use]
    pub fn has_moved(&self, player: usize) -> bool {
        self.moved.get(player).copied().unwrap_or(false)
    }

    /// The first player's games against all others, as if these were one.
    #[must_use]
    pub fn of_first(&self) -> Pairing {
        let mut sum = Pairing { opponent: 1, ..Pairing::default() };
        for pairing in self.pairings.iter().filter(|pairing| pairing.player == 0) {
            sum.games.join(&pairing.games);
            sum.as_black.join(&pairing.as_black);
            sum.as_white.join(&pairing.as_white);
            sum.pairs.join(&pairing.pairs);
        }
        sum
    }

    /// Games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The meetings.
    #[must_use]
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// Each player's faults.
    #[must_use]
    pub fn faults(&self) -> &[Faults] {
        &self.faults
    }

    /// All faults together.
    #[must_use]
    pub fn all_faults(&self) -> Faults {
        self.faults.iter().fold(Faults::default(), |sum, one| Faults {
            illegal: sum.illegal + one.illegal,
            time_losses: sum.time_losses + one.time_losses,
            crashes: sum.crashes + one.crashes,
            stalls: sum.stalls + one.stalls,
            floods: sum.floods + one.floods,
            garbage: sum.garbage + one.garbage,
        })
    }

    /// How often games ended how.
    #[must_use]
    pub fn ends(&self) -> &BTreeMap<End, u64> {
        &self.ends
    }

    /// Games won by Black and by White.
    #[must_use]
    pub fn colour_wins(&self) -> (u64, u64) {
        (self.black_wins, self.white_wins)
    }

    /// Plies that players thought about.
    #[must_use]
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Microseconds per move that no player used.
    #[must_use]
    pub fn overhead_us(&self) -> f64 {
        self.overhead_us / self.plies.max(1) as f64
    }

    /// The most microseconds that a move took and no player used.
    #[must_use]
    pub fn worst_overhead_us(&self) -> f64 {
        self.worst_overhead_us
    }

    /// The largest overrun of a clock in microseconds.
    #[must_use]
    pub fn latest_us(&self) -> Option<i64> {
        self.latest_us
    }

    /// Seconds of all games together.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// How the test stands; `None` without a test. Once a verdict was reached it stays.
    #[must_use]
    pub fn sprt(&self) -> Option<SprtState> {
        let state = self.sprt?.state(&self.pairings.first()?.pairs);
        let verdict = self.verdict.unwrap_or(Verdict::Undecided);
        let games_to_go = state.games_to_go.filter(|_| verdict == Verdict::Undecided);
        Some(SprtState { verdict, games_to_go, ..state })
    }

    /// The log-likelihood ratio after each pair.
    #[must_use]
    pub fn course(&self) -> &[f64] {
        &self.course
    }

    /// Whether there is a verdict.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.verdict.is_some()
    }

    /// The most likely ratings.
    #[must_use]
    pub fn ratings(&self) -> Vec<Rating> {
        let meetings: Vec<Meeting> = self
            .pairings
            .iter()
            .map(|p| Meeting {
                player: p.player,
                opponent: p.opponent,
                points: p.games.wins as f64 + p.games.draws as f64 / 2.0,
                games: p.games.games() as f64,
            })
            .collect();
        ratings(self.faults.len(), &meetings)
    }

    /// All games of a player against whomever.
    #[must_use]
    pub fn of_player(&self, player: usize) -> Tally {
        let mut sum = Tally::default();
        for pairing in &self.pairings {
            let Tally { wins, losses, draws } = pairing.games;
            let (wins, losses) = match player {
                _ if pairing.player == player => (wins, losses),
                _ if pairing.opponent == player => (losses, wins),
                _ => continue,
            };
            sum.wins += wins;
            sum.losses += losses;
            sum.draws += draws;
        }
        sum
    }
}

impl Pairing {
    /// The Elo difference: from pairs if there are any, else from games.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        self.pairs.estimate().or_else(|| self.games.estimate())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use records::compact::EndCode;

    use super::*;

    const BLACK: GameResult = GameResult::Win(Color::Black);
    const WHITE: GameResult = GameResult::Win(Color::White);

    pub(crate) fn row(pair: u64, game: u8, winner: GameResult) -> GameRow {
        let (black, white) = if game == 0 { (0, 1) } else { (1, 0) };
        GameRow {
            pair,
            game,
            black,
            white,
            opening: 0,
            start: shogi::START_SFEN.to_owned(),
            opening_plies: 0,
            moves: String::new(),
            winner,
            end: End::Regular(EndCode::Mate),
            fault: None,
            times_us: Vec::new(),
            evals: Vec::new(),
            nodes: Vec::new(),
            depths: Vec::new(),
            seconds: 0.0,
            overhead_us: 0.0,
            worst_overhead_us: None,
            noise: Default::default(),
            latest_us: None,
            never_moved: None,
        }
    }

    #[test]
    fn pairs_count_once_and_whole() {
        let mut stats = MatchStats::new(2, &[(0, 1)], None);
        stats.add(&row(0, 1, BLACK));
        assert_eq!(stats.pairings()[0].pairs.pairs(), 0, "half a pair is none");
        stats.add(&row(0, 1, BLACK));
        stats.add(&row(0, 0, BLACK));
        stats.add(&row(1, 0, GameResult::Draw));
        stats.add(&row(1, 1, WHITE));
        let pairing = &stats.pairings()[0];
        assert_eq!(pairing.pairs.counts, [0, 0, 1, 1, 0]);
        assert_eq!(pairing.games, Tally { wins: 2, losses: 1, draws: 1 });
        assert_eq!(pairing.as_black, Tally { wins: 1, losses: 0, draws: 1 });
        assert_eq!(stats.games(), 4);
        assert!(stats.has(0, 0) && stats.has(1, 1) && !stats.has(2, 0));
    }

    #[test]
    fn the_first_verdict_stands() {
        let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
        let mut stats = MatchStats::new(2, &[(0, 1)], Some(sprt));
        let mut pair = 0;
        while !stats.is_decided() {
            let winner = if pair % 3 == 0 { WHITE } else { BLACK };
            stats.add(&row(pair, 0, winner));
            stats.add(&row(pair, 1, WHITE));
            pair += 1;
            assert!(pair < 1000);
        }
        assert_eq!(stats.sprt().unwrap().verdict, Verdict::H1);
        for late in 0..2 {
            stats.add(&row(pair + late, 0, WHITE));
            stats.add(&row(pair + late, 1, BLACK));
        }
        let state = stats.sprt().unwrap();
        assert_eq!(state.verdict, Verdict::H1);
        assert!(state.llr < state.upper);
    }

    #[test]
    fn three_players_are_rated_together() {
        let mut stats = MatchStats::new(3, &[(0, 1), (0, 2), (1, 2)], None);
        for pair in 0..12 {
            for game in 0..2 {
                let mut one = row(pair, game, if (pair + u64::from(game)) % 4 == 0 { WHITE } else { BLACK });
                let (a, b) = [(0, 1), (0, 2), (1, 2)][(pair % 3) as usize];
                (one.black, one.white) = if game == 0 { (a, b) } else { (b, a) };
                stats.add(&one);
            }
        }
        assert_eq!(stats.ratings().len(), 3);
        let games: u64 = (0..3).map(|player| stats.of_player(player).games()).sum();
        assert_eq!(games, 2 * stats.games());
        let first = stats.of_first();
        assert_eq!((first.games.games(), first.pairs.pairs()), (16, 8));
        assert_eq!(first.games, stats.of_player(0));
        assert_eq!(first.as_black.games() + first.as_white.games(), 16);
    }
}
