//! A player in one line of text: `alphabeta`, `alphabeta(eval=nnue, net=my.bin, hash=256)`, `softmax(T=80)`,
//! `usi:/usr/games/some-engine(USI_Hash=64)`.
//!
//! The same text means the same player on command lines, in USI options, in matches and in run directories. What a spec
//! leaves open, the [`Defaults`] of a job fill in: the [`ResolvedSpec`] then says everything.

mod defaults;
mod method_spec;
mod own;
mod resolved;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use contract::LogisticScale;

use crate::suggest;
pub use defaults::Defaults;
pub use method_spec::{MethodSpec, ParameterFacts};
pub use own::{EvalName, EvalSource, OwnSpec};
pub use resolved::ResolvedSpec;

/// A player's description.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerSpec {
    /// One of ours.
    Own(Box<OwnSpec>),
    /// A program that speaks USI.
    External(ExternalSpec),
}

/// A program that speaks USI, and its options in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalSpec {
    /// The program.
    pub path: PathBuf,
    /// Names and values.
    pub options: Vec<(String, String)>,
}

/// Why a text is no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SpecError {
    #[error("there is no player '{name}'{}", suggest::question(.similar))]
    Player { name: String, similar: Vec<&'static str> },
    #[error("'{text}' is another program; a player of ours is expected")]
    External { text: String },
    #[error("'{text}': expected name(key=value, …)")]
    Form { text: String },
    #[error("'{text}' is no key=value")]
    Pair { text: String },
    #[error("{player} has no '{key}'{}", suggest::question(.similar))]
    Key { player: &'static str, key: String, similar: Vec<&'static str> },
    #[error("{key} is given twice")]
    Twice { key: String },
    #[error("{key} takes {expected}, not '{found}'")]
    Value { key: String, expected: String, found: String },
}

const EXTERNAL: &str = "usi:";

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let (name, pairs) = match text.strip_suffix(')') {
            Some(inner) => {
                let (name, pairs) =
                    inner.split_once('(').ok_or_else(|| SpecError::Form { text: text.to_owned() })?;
                (name.trim(), split_pairs(pairs)?)
            }
            None if text.contains('(') => return Err(SpecError::Form { text: text.to_owned() }),
            None => (text, Vec::new()),
        };
        if let Some(path) = name.strip_prefix(EXTERNAL).filter(|path| !path.is_empty()) {
            return Ok(PlayerSpec::External(ExternalSpec { path: path.into(), options: pairs }));
        }
        match MethodSpec::named(name) {
            Some(method) => OwnSpec::from_pairs(method, &pairs).map(|spec| PlayerSpec::Own(Box::new(spec))),
            None => {
                let known = MethodSpec::NAMES.into_iter().chain(["usi:PATH"]);
                let similar = suggest::like(name, known);
                Err(SpecError::Player { name: name.to_owned(), similar })
            }
        }
    }
}

impl PlayerSpec {
    /// The text of the player with what is left open filled in; another program's is as it is.
    #[must_use]
    pub fn resolved_text(&self, defaults: &Defaults) -> String {
        match self {
            PlayerSpec::Own(spec) => spec.resolve(defaults).to_string(),
            PlayerSpec::External(_) => self.to_string(),
        }
    }

    /// What turns the player's values into win rates, as far as the spec tells.
    #[must_use]
    pub fn scale(&self) -> LogisticScale {
        match self {
            PlayerSpec::Own(spec) => spec.scale(),
            PlayerSpec::External(spec) => {
                let said = |name: &str| {
                    let mut named = spec.options.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
                    named.next().map(|(_, value)| value.as_str())
                };
                let inner = || said("Player")?.parse().ok().map(|spec: PlayerSpec| spec.scale());
                let scale = said("WinRateScale").and_then(|text| LogisticScale::new(text.parse().ok()?));
                scale.or_else(inner).unwrap_or_default()
            }
        }
    }
}

fn split_pairs(text: &str) -> Result<Vec<(String, String)>, SpecError> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut depth = 0;
    // Commas inside parentheses belong to a value, as to that of `Player=alphabeta(hash=64, threads=2)`.
    let outer_comma = |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    for pair in text.split(outer_comma).map(str::trim).filter(|pair| !pair.is_empty()) {
        let wrong = || SpecError::Pair { text: pair.to_owned() };
        let (key, value) = pair.split_once('=').ok_or_else(wrong)?;
        let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
        if key.is_empty() {
            return Err(wrong());
        }
        if pairs.iter().any(|(known, _)| known.eq_ignore_ascii_case(&key)) {
            return Err(SpecError::Twice { key });
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

impl FromStr for OwnSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse()? {
            PlayerSpec::Own(spec) => Ok(*spec),
            PlayerSpec::External(_) => Err(SpecError::External { text: text.to_owned() }),
        }
    }
}

impl fmt::Display for OwnSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method.name())?;
        write_pairs(f, self.pairs().into_iter().chain(self.method.changed_pairs()))
    }
}

fn write_pairs<K: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    pairs: impl IntoIterator<Item = (K, String)>,
) -> fmt::Result {
    let pairs: Vec<String> = pairs.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
    if pairs.is_empty() { Ok(()) } else { write!(f, "({})", pairs.join(", ")) }
}

/// The shortest text that means the same player.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Own(spec) => spec.fmt(f),
            PlayerSpec::External(spec) => {
                write!(f, "{EXTERNAL}{}", spec.path.display())?;
                write_pairs(f, spec.options.iter().map(|(key, value)| (key, value.clone())))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::win_rate::scale_of;

    fn refused(text: &str) -> String {
        text.parse::<PlayerSpec>().unwrap_err().to_string()
    }

    #[test]
    fn a_spec_is_written_as_it_was_read() {
        for text in [
            "alphabeta",
            "alphabeta(hash=8, book=my.db, mate_search=false, resign=3000, skill=4, seed=7)",
            "alphabeta(eval=nnue, net=a/b.bin, fv_scale=24, hash=64, threads=2, multipv=3, win_rate_scale=450, static_cut_z=99)",
            "softmax(T=60, adapt=depth)",
            "mcss(hash=64, select=16, c=0.25, Ts=100, Tb=30, Td=90, decide=pv0, qdepth=4)",
            "uct(c=1.4, select=tuned, leaf=score, leaf_mate=3)",
            "usi:/usr/games/other",
            "usi:./other(USI_Hash=64, BookFile=no_book)",
            "usi:yomi(Player=alphabeta(hash=64, threads=2), MultiPV=2)",
        ] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
        let spaced: PlayerSpec = " alphabeta( hash = 64 ,threads=2, ) ".parse().unwrap();
        assert_eq!(spaced.to_string(), "alphabeta(hash=64, threads=2)");
        let first = &search::alphabeta::Params::TABLE[0];
        let spelled: PlayerSpec =
            format!("alphabeta({}={})", first.name, first.default_text()).parse().unwrap();
        assert_eq!(spelled.to_string(), "alphabeta", "a default needs no mention");
        assert_eq!("mcss(select=0, decide=PV3)".parse::<PlayerSpec>().unwrap().to_string(), "mcss");
    }

    #[test]
    fn a_player_evaluates_by_the_net_inside_by_default() {
        for (text, expected) in [
            ("alphabeta", EvalSource::OwnNet),
            ("alphabeta(eval=nnue)", EvalSource::OwnNet),
            ("alphabeta(net=embedded)", EvalSource::OwnNet),
            ("alphabeta(net=x.bin)", EvalSource::NetFile("x.bin".into())),
            ("alphabeta(eval=material)", EvalSource::Material),
            ("alphabeta(net=x.bin, eval=material)", EvalSource::Material),
            ("softmax(eval=linear, linear=x.weights)", EvalSource::Linear),
        ] {
            assert_eq!(text.parse::<OwnSpec>().unwrap().eval_source(None), expected, "{text}");
        }
    }

    #[test]
    fn a_scale_is_said_or_that_of_the_evaluator() {
        let scale_in = |text: &str| text.parse::<PlayerSpec>().unwrap().scale().centipawns();
        assert_eq!(scale_in("alphabeta(win_rate_scale=450)"), 450.0);
        assert_eq!(scale_in("alphabeta"), scale_of(&EvalSource::OwnNet).centipawns());
        assert_eq!(scale_in("alphabeta(eval=material)"), scale_of(&EvalSource::Material).centipawns());
        assert_eq!(scale_in("alphabeta(net=x)"), scale_of(&EvalSource::NetFile("x".into())).centipawns());
        assert_eq!(scale_in("usi:other(WinRateScale=500)"), 500.0);
        assert_eq!(scale_in("usi:yomi(Player=alphabeta(win_rate_scale=70))"), 70.0);
        assert_eq!(scale_in("usi:other"), LogisticScale::default().centipawns());
    }

    #[test]
    fn refusals_name_the_wrong_word_and_the_right_ones() {
        for (text, expected) in [
            ("alphabet", "there is no player 'alphabet'; did you mean alphabeta?"),
            ("", "there is no player ''; one of alphabeta, softmax, mcss, uct, usi:PATH would be right"),
            ("softmx", "did you mean softmax?"),
            ("softmax(T=0)", "T takes a number from 1 to 5000, not '0'"),
            ("mcss(decide=pv9)", "decide takes one of pv0, pv1, pv2, pv3, not 'pv9'"),
            ("uct(slect=puct)", "uct has no 'slect'; did you mean select?"),
            ("uct(static_cut_z=9)", "uct has no 'static_cut_z'"),
            ("usi:", "there is no player 'usi:'"),
            ("alphabeta(hash=64", "'alphabeta(hash=64': expected name(key=value, …)"),
            ("alphabeta)", "'alphabeta)': expected name(key=value, …)"),
            ("alphabeta(hash)", "'hash' is no key=value"),
            ("alphabeta(hsah=64)", "alphabeta has no 'hsah'; did you mean hash?"),
            ("alphabeta(static_cut=64)", "alphabeta has no 'static_cut'; "),
            (
                "alphabeta(zzzzzzzzzzzzzzzz=64)",
                "alphabeta has no 'zzzzzzzzzzzzzzzz'; one of eval, net, hash, threads,",
            ),
            ("alphabeta(mate_search=1)", "mate_search takes true or false, not '1'"),
            ("alphabeta(hash=0)", "hash takes a number from 1 to 1048576, not '0'"),
            ("alphabeta(static_cut_z=x)", "static_cut_z takes a number from "),
            ("alphabeta(eval=magic)", "eval takes material, linear or nnue, not 'magic'"),
            ("alphabeta(hash=1, HASH=2)", "HASH is given twice"),
        ] {
            let error = refused(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
