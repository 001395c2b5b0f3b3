//! Who can be asked to play and to judge: levels for people, and specs within bounds that keep the machine safe.

use std::str::FromStr;

use engine::{Defaults, ExternalSpec, GameRules, PlayerSpec, ResolvedSpec, Settings};
use lab::seat::{SeatError, take_seat};

use crate::refusal::Refusal;

/// A player by a name of its own, which whoever starts the server chose.
#[derive(Clone, Debug)]
pub struct NamedPlayer {
    /// What visitors see.
    pub name: String,
    /// Who it is: a player of ours, or a program that speaks USI and plays games.
    pub spec: PlayerSpec,
}

impl NamedPlayer {
    /// Loads or starts it once, so that whoever starts the server hears what is wrong with its files or the program.
    pub(crate) fn check(&self) -> Result<(), SeatError> {
        take_seat(&self.spec, GameRules::default()).map(drop)
    }
}

/// Whoever plays against a visitor.
#[derive(Clone, Debug)]
pub(crate) enum Opponent {
    /// One of ours.
    Own(Box<ResolvedSpec>),
    /// A program that whoever started the server offers.
    Program(ExternalSpec),
}

/// Why a text is no named player.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NamedPlayerError {
    #[error("expected NAME=SPEC, as strong=alphabeta(threads=2) or other=usi:/usr/games/engine(USI_Hash=64)")]
    Form,
    #[error(transparent)]
    Spec(#[from] engine::SpecError),
}

impl FromStr for NamedPlayer {
    type Err = NamedPlayerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, spec) = text.split_once('=').ok_or(NamedPlayerError::Form)?;
        let is_word = !name.trim().is_empty() && !name.contains(['(', ':']);
        if !is_word {
            return Err(NamedPlayerError::Form);
        }
        Ok(NamedPlayer { name: name.trim().to_owned(), spec: spec.parse()? })
    }
}

/// The levels that are offered, the weakest first; the last is full strength.
pub(crate) const LEVELS: [i64; 11] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20];
/// The player of the levels.
pub(crate) const USUAL: &str = "alphabeta";

/// Megabytes of hash table for a player that names none, and the most that a visitor may name.
const HASH: i64 = 32;
const MOST_HASH: i64 = 256;
/// The longest spec.
const LONGEST_SPEC: usize = 1000;

/// Everybody who can be asked.
pub(crate) struct Players {
    named: Vec<NamedPlayer>,
    cores: i64,
}

impl Players {
    pub(crate) fn new(named: Vec<NamedPlayer>) -> Players {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        Players { named, cores }
    }

    /// The names that whoever started the server gave.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|player| player.name.as_str())
    }

    /// Those of them that judge positions: other programs only play.
    pub(crate) fn judges(&self) -> impl Iterator<Item = &str> {
        let own = self.named.iter().filter(|player| matches!(player.spec, PlayerSpec::Own(_)));
        own.map(|player| player.name.as_str())
    }

    /// The player that a visitor asks for, for a game at some level.
    pub(crate) fn opponent(&self, text: &str, level: Option<i64>) -> Result<Opponent, Refusal> {
        if let Some(PlayerSpec::External(spec)) = self.named(text) {
            return match level {
                None => Ok(Opponent::Program(spec.clone())),
                Some(_) => {
                    Err(Refusal::bad("level", "this player has its own strength: no level can be chosen"))
                }
            };
        }
        let settings = Settings { hash: HASH, resign: 3000, ..Settings::default() };
        let mut resolved = self.resolved(text, &settings.into())?;
        if let Some(level) = level {
            if !(0..=20).contains(&level) {
                return Err(Refusal::bad("level", "a level is a number from 0 to 20"));
            }
            resolved.settings.skill = level;
        }
        Ok(Opponent::Own(Box::new(resolved)))
    }

    fn named(&self, name: &str) -> Option<&PlayerSpec> {
        self.named.iter().find(|player| player.name == name).map(|player| &player.spec)
    }

    /// The player that judges positions.
    pub(crate) fn judge(&self, text: &str) -> Result<ResolvedSpec, Refusal> {
        let analysis = Defaults::analysis();
        let settings = Settings { hash: 2 * HASH, ..analysis.settings };
        self.resolved(text, &settings.into())
    }

    /// Whether a text describes a player of ours that a visitor may name; names of this server's players are none to other
    /// programs.
    pub(crate) fn own_description(&self, text: &str) -> Result<(), Refusal> {
        if self.named(text).is_some() {
            return Err(Refusal::bad("player", "a match needs players described by specs"));
        }
        self.resolved(text, &Defaults::matches()).map(|_| ())
    }

    fn resolved(&self, text: &str, defaults: &Defaults) -> Result<ResolvedSpec, Refusal> {
        match self.named(text) {
            Some(PlayerSpec::Own(spec)) => return Ok(spec.resolve(defaults)),
            Some(PlayerSpec::External(_)) => {
                return Err(Refusal::bad("player", "this player plays games and does nothing else here"));
            }
            None => {}
        }
        if text.len() > LONGEST_SPEC {
            return Err(Refusal::bad("player", "a player is described in at most 1000 letters"));
        }
        let refused = |message: String| Refusal::bad("player", &message);
        let spec = match text.parse().map_err(|error: engine::SpecError| refused(error.to_string()))? {
            PlayerSpec::Own(spec) => spec,
            PlayerSpec::External(_) => {
                return Err(refused(
                    "programs are offered by whoever runs the server (--player NAME=usi:PATH), not named by visitors"
                        .to_owned(),
                ));
            }
        };
        let resolved = spec.resolve(defaults);
        // Files of this machine are not for visitors.
        if let Some(key) = resolved.file_key() {
            return Err(refused(format!(
                "{key} names a file of the server; --player NAME=SPEC offers such players"
            )));
        }
        if resolved.settings.hash > MOST_HASH || resolved.settings.threads > self.cores {
            let bounds = format!("at most hash={MOST_HASH} and threads={} here", self.cores);
            return Err(refused(bounds));
        }
        Ok(resolved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visitors_name_neither_files_nor_programs_nor_more_than_there_is() {
        let players = Players::new(vec!["mine=alphabeta(net=x.bin)".parse().unwrap()]);
        for text in [
            "usi:/bin/sh",
            "alphabeta(net=/etc/passwd)",
            "alphabeta(book=/etc/passwd)",
            "alphabeta(search=/etc/passwd)",
            "alphabeta(weights=/etc/passwd)",
            "alphabeta(kinds=/etc/passwd)",
            "alphabeta(eval=linear, linear=/etc/passwd)",
            "alphabeta(hash=100000)",
            "alphabeta(threads=1000)",
            "nobody",
            &format!("alphabeta({})", "x".repeat(2000)),
        ] {
            let refusal = players.opponent(text, None).unwrap_err();
            assert_eq!(refusal.code, "player", "{text}");
        }
        assert!(players.opponent("mine", Some(3)).is_ok(), "whoever starts the server may");
        let Ok(Opponent::Own(spec)) = players.opponent("softmax(T=60)", Some(0)) else { panic!() };
        assert_eq!(spec.settings.skill, 0);
        assert!(players.opponent(USUAL, Some(21)).is_err());
        assert!(players.judge("uct").is_ok());
    }

    #[test]
    fn a_program_that_was_offered_plays_and_does_nothing_else() {
        let named =
            ["other=usi:/opt/engine(USI_Hash=64)", "mine=alphabeta"].map(|text| text.parse().unwrap());
        let players = Players::new(named.to_vec());
        let Ok(Opponent::Program(spec)) = players.opponent("other", None) else { panic!() };
        assert_eq!(spec.path.to_str(), Some("/opt/engine"));
        assert_eq!(players.opponent("other", Some(3)).unwrap_err().code, "level");
        assert_eq!(players.judge("other").unwrap_err().code, "player");
        assert!(
            players.own_description("other").is_err() && players.opponent("usi:/opt/engine", None).is_err()
        );
        assert!(players.names().eq(["other", "mine"]) && players.judges().eq(["mine"]));
    }

    #[test]
    fn a_named_player_needs_a_name_and_a_spec() {
        assert!("strong=alphabeta(threads=2)".parse::<NamedPlayer>().is_ok());
        assert!("other=usi:engine(Threads=2)".parse::<NamedPlayer>().is_ok());
        for text in ["", "alphabeta", "=alphabeta", "alphabeta(threads=2)", "x=nobody", "usi:a=b"] {
            assert!(text.parse::<NamedPlayer>().is_err(), "{text}");
        }
    }
}
