//! The matches of `yomi learn loop`: a candidate against the best net, until pairs of games decide.

use engine::Defaults;
use lab::matches::{
    Adjudication, Conditions, Entrant, Format, Manifest, Match, MatchStats, PlayerFacts, RecordFormat,
    ResignRule, TimeControl,
};
use lab::report::MatchResult;
use lab::stats::{Sprt, SprtState, Verdict};
use learn::turns::{Contest, ContestResult, ContestTerms, ContestVerdict, Referee, TurnError};
use runs::{Header, Opening, RunDir};

use super::match_games::play;

/// Plays matches on this machine, as `yomi match` does.
pub(super) struct NetMatch<'a> {
    /// From where games begin.
    pub(super) openings: &'a [Opening],
    /// Pairs of games at a time.
    pub(super) concurrency: usize,
}

/// What `learn` knows only by its words.
fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> TurnError {
    TurnError::Match(error.into())
}

impl Referee for NetMatch<'_> {
    fn decide(&mut self, contest: &Contest<'_>) -> Result<Option<ContestResult>, TurnError> {
        // A match that is over is as good as its log, whatever build played it.
        if let Ok(dir) = RunDir::existing(contest.folder) {
            let manifest: Manifest = dir.manifest()?;
            let (stats, _) = Match::stats(&dir, &manifest)?;
            if let Some(result) = result_of(&manifest, &stats) {
                lab::report::write(&dir, &MatchResult::new(&manifest, &stats, total(&manifest)))?;
                return Ok(Some(result));
            }
        }
        let entrants = [contest.candidate, contest.best]
            .map(|(net, player)| Entrant { name: net.to_string(), spec: player.clone() });
        let manifest = manifest_of(contest.terms, &entrants, contest.seed);
        let dir = contest.open(&manifest)?;
        let game = Match {
            manifest: &manifest,
            entrants: &entrants,
            openings: self.openings,
            dir: &dir,
            records: RecordFormat::None,
            concurrency: self.concurrency,
            // By nodes nobody needs a core of its own.
            cores: Vec::new(),
            refuse_idle: true,
        };
        let stats = play(&game).map_err(failed)?;
        lab::report::write(&dir, &MatchResult::new(&manifest, &stats, total(&manifest)))?;
        Ok(result_of(&manifest, &stats))
    }
}

fn total(manifest: &Manifest) -> u64 {
    Match::schedule(manifest).games()
}

fn manifest_of(terms: &ContestTerms, entrants: &[Entrant], seed: u64) -> Manifest {
    let resign = terms.resign.map(|(cp, moves)| ResignRule { cp, moves });
    let conditions = Conditions {
        max_moves: terms.max_moves,
        adjudication: Adjudication { resign, ..Adjudication::default() },
        ..Conditions::usual(TimeControl::Nodes(terms.nodes), entrants.len())
    };
    Manifest {
        header: Header::of_this_program(Manifest::KIND),
        players: entrants.iter().map(|entrant| PlayerFacts::of(entrant, &Defaults::matches())).collect(),
        format: Format::RoundRobin,
        games: terms.games,
        conditions,
        openings: terms.openings.clone(),
        seed,
        sprt: Some(Sprt { elo0: terms.elo0, elo1: terms.elo1, alpha: terms.alpha, beta: terms.beta }),
    }
}

/// What came of a match; `None` if it is not over.
fn result_of(manifest: &Manifest, stats: &MatchStats) -> Option<ContestResult> {
    if !stats.is_decided() && stats.games() < total(manifest) {
        return None;
    }
    let pairing = stats.of_first();
    let SprtState { llr, verdict, .. } = stats.sprt()?;
    let estimate = pairing.estimate();
    Some(ContestResult {
        wins: pairing.games.wins,
        losses: pairing.games.losses,
        draws: pairing.games.draws,
        elo: estimate.map(|estimate| estimate.elo).filter(|elo| elo.is_finite()),
        error: estimate.map(|estimate| estimate.error).filter(|error| error.is_finite()),
        llr,
        verdict: match verdict {
            Verdict::H1 => ContestVerdict::Better,
            Verdict::H0 => ContestVerdict::NotBetter,
            Verdict::Undecided => ContestVerdict::Undecided,
        },
    })
}
