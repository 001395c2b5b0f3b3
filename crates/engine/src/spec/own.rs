//! A player of ours: its method, its evaluator, and what it says about its settings.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use contract::LogisticScale;

use super::{MethodSpec, SpecError};
use crate::options::{Setting, Settings};
use crate::suggest;
use crate::win_rate::scale_of;

/// What to evaluate positions by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalName {
    /// Pieces and where they stand.
    Material,
    /// Weights of millions of features.
    Linear,
    /// A net.
    Nnue,
}

/// What a player evaluates by, once everything about it is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalSource {
    /// Pieces and where they stand.
    Material,
    /// Weights of features, of the file that the settings name.
    Linear,
    /// The net inside the program.
    OwnNet,
    /// The net of a file.
    NetFile(PathBuf),
}

/// A player of ours as somebody describes it; what it does not say is left open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnSpec {
    /// The evaluator; a net unless said.
    pub eval: Option<EvalName>,
    /// The net's file, or [`OwnSpec::EMBEDDED`].
    pub net: Option<PathBuf>,
    /// The settings that were said, with their values, in the order of the table.
    pub(super) said: Vec<(&'static str, String)>,
    /// The search method.
    pub method: MethodSpec,
}

/// The keys of the evaluator.
const EVAL_KEYS: [&str; 2] = ["eval", "net"];
/// So many keys are named when none resembles a wrong one.
const MOST_NAMED: usize = 12;

impl OwnSpec {
    /// The name of the net inside the program.
    pub const EMBEDDED: &'static str = "embedded";

    pub(super) fn from_pairs(method: MethodSpec, pairs: &[(String, String)]) -> Result<OwnSpec, SpecError> {
        let mut spec = OwnSpec { method, ..OwnSpec::default() };
        for (key, value) in pairs {
            spec.set(key, value)?;
        }
        Ok(spec)
    }

    /// Sets what a key names.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        match key.to_ascii_lowercase().as_str() {
            "eval" => self.eval = Some(value.parse()?),
            "net" => self.net = Some(value.into()),
            _ => match Setting::of(key) {
                Some(setting) => self.say(&setting, value)?,
                None => return self.method.set(key, value).unwrap_or_else(|| Err(self.unknown(key))),
            },
        }
        Ok(())
    }

    fn say(&mut self, setting: &Setting, value: &str) -> Result<(), SpecError> {
        let mut settings = Settings::default();
        let wrong =
            |expected| SpecError::Value { key: setting.key.to_owned(), expected, found: value.to_owned() };
        setting.set(&mut settings, value).map_err(wrong)?;
        self.said.retain(|(key, _)| *key != setting.key);
        self.said.push((setting.key, setting.get(&settings)));
        let place = |key: &str| Setting::all().position(|setting| setting.key == key);
        self.said.sort_by_key(|(key, _)| place(key));
        Ok(())
    }

    /// The value of a setting, if it was said.
    #[must_use]
    pub fn said(&self, key: &str) -> Option<&str> {
        self.said.iter().find(|(known, _)| *known == key).map(|(_, value)| value.as_str())
    }

    /// Writes what was said over the settings of others.
    pub(super) fn apply(&self, settings: &mut Settings) {
        for (key, value) in &self.said {
            // Checked when it was said.
            let _ = Setting::of(key).map(|setting| setting.set(settings, value));
        }
    }

    fn unknown(&self, key: &str) -> SpecError {
        let own: Vec<&str> = EVAL_KEYS.into_iter().chain(Setting::all().map(|setting| setting.key)).collect();
        let mut similar = suggest::like(key, own.iter().copied().chain(self.method.keys()));
        if similar.is_empty() {
            similar = own.into_iter().take(MOST_NAMED).collect();
        }
        SpecError::Key { player: self.method.name(), key: key.to_owned(), similar }
    }

    /// What it evaluates by; `net` is the file for a player that names none.
    #[must_use]
    pub fn eval_source(&self, net: Option<&Path>) -> EvalSource {
        match self.eval {
            Some(EvalName::Material) => return EvalSource::Material,
            Some(EvalName::Linear) => return EvalSource::Linear,
            Some(EvalName::Nnue) | None => {}
        }
        match self.net.as_deref().or(net) {
            Some(file) if file != Path::new(Self::EMBEDDED) => EvalSource::NetFile(file.to_owned()),
            _ => EvalSource::OwnNet,
        }
    }

    /// What turns its values into win rates: as said, or what fits its evaluator.
    #[must_use]
    pub fn scale(&self) -> LogisticScale {
        let said = self.said("win_rate_scale").and_then(|text| LogisticScale::new(text.parse().ok()?));
        said.unwrap_or_else(|| scale_of(&self.eval_source(None)))
    }

    /// Every key that was said, with its value, but for the method's: the evaluator's first.
    pub(super) fn pairs(&self) -> Vec<(&'static str, String)> {
        let eval = self.eval.map(|eval| ("eval", eval.to_string()));
        let net = self.net.as_ref().map(|net| ("net", net.display().to_string()));
        let mut pairs: Vec<_> = eval.into_iter().chain(net).collect();
        let (of_net, others): (Vec<_>, Vec<_>) =
            self.said.iter().cloned().partition(|(key, _)| *key == "fv_scale");
        pairs.extend(of_net);
        pairs.extend(others);
        pairs
    }
}

impl FromStr for EvalName {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "material" => Ok(EvalName::Material),
            "linear" => Ok(EvalName::Linear),
            "nnue" => Ok(EvalName::Nnue),
            _ => Err(SpecError::Value {
                key: "eval".to_owned(),
                expected: "material, linear or nnue".to_owned(),
                found: text.to_owned(),
            }),
        }
    }
}

impl fmt::Display for EvalName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EvalName::Material => "material",
            EvalName::Linear => "linear",
            EvalName::Nnue => "nnue",
        })
    }
}
