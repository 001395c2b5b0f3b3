//! What a match came to, as `result.json` keeps it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::matches::{End, Faults, Manifest, MatchStats, Pairing};
use crate::stats::{SprtState, Tally, Verdict};

/// What a match came to, as the first player sees it.
#[derive(Serialize)]
pub struct MatchResult {
    player: String,
    opponents: Vec<String>,
    /// The first player's; its wins, losses and draws add up to them, and so do its pairs and colours.
    games: u64,
    /// Those of all players.
    all_games: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    score: f64,
    elo: Option<f64>,
    error: Option<f64>,
    /// The 95 % interval, which need not lie evenly around the estimate.
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    normalised_elo: Option<f64>,
    normalised_error: Option<f64>,
    los: Option<f64>,
    draw_rate: f64,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points.
    pairs: [u64; 5],
    as_black: Tally,
    as_white: Tally,
    /// In games of all players.
    black_wins: u64,
    white_wins: u64,
    llr: Option<f64>,
    sprt: Option<SprtState>,
    verdict: Option<Verdict>,
    finished: bool,
    illegal: u64,
    time_losses: u64,
    crashes: u64,
    stalls: u64,
    floods: u64,
    garbage: u64,
    ends: BTreeMap<End, u64>,
    overhead_us: f64,
    worst_overhead_us: f64,
    latest_us: Option<i64>,
    players: Vec<PlayerResult>,
    /// Every two that meet, as the first of them sees it; players by number.
    pairings: Vec<Pairing>,
}

#[derive(Serialize)]
struct PlayerResult {
    name: String,
    rating: f64,
    error: f64,
    games: Tally,
    faults: Faults,
}

impl MatchResult {
    /// The result of a match of `total` games, as far as it has come.
    #[must_use]
    pub fn new(manifest: &Manifest, stats: &MatchStats, total: u64) -> MatchResult {
        let pairing = stats.of_first();
        let (first, estimate) = (pairing.games, pairing.estimate());
        let (black_wins, white_wins) = stats.colour_wins();
        let faults = stats.all_faults();
        let sprt = stats.sprt();
        let ratings = stats.ratings();
        let names = manifest.names();
        let player = |(number, name): (usize, &String)| PlayerResult {
            name: name.clone(),
            rating: ratings[number].elo,
            error: ratings[number].error,
            games: stats.of_player(number),
            faults: stats.faults()[number],
        };
        MatchResult {
            player: names[0].clone(),
            opponents: names[1..].to_vec(),
            games: first.games(),
            all_games: stats.games(),
            wins: first.wins,
            losses: first.losses,
            draws: first.draws,
            score: first.score(),
            elo: estimate.map(|e| e.elo),
            error: estimate.map(|e| e.error),
            elo_low: estimate.map(|e| e.low),
            elo_high: estimate.map(|e| e.high),
            normalised_elo: estimate.map(|e| e.normalised_elo),
            normalised_error: estimate.map(|e| e.normalised_error),
            los: estimate.map(|e| e.los),
            draw_rate: first.draws as f64 / first.games().max(1) as f64,
            pairs: pairing.pairs.counts,
            as_black: pairing.as_black,
            as_white: pairing.as_white,
            black_wins,
            white_wins,
            llr: sprt.map(|state| state.llr),
            sprt,
            verdict: sprt.map(|state| state.verdict),
            finished: stats.games() >= total || stats.is_decided(),
            illegal: faults.illegal,
            time_losses: faults.time_losses,
            crashes: faults.crashes,
            stalls: faults.stalls,
            floods: faults.floods,
            garbage: faults.garbage,
            ends: stats.ends().clone(),
            overhead_us: stats.overhead_us(),
            worst_overhead_us: stats.worst_overhead_us(),
            latest_us: stats.latest_us(),
            players: names.iter().enumerate().map(player).collect(),
            pairings: stats.pairings().to_vec(),
        }
    }
}
