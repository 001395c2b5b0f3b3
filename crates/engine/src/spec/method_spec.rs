//! A search method and its settings, as a spec has them.

use search::params::{self, ParameterError, Setting};
use search::tree::TreeSettings;
use search::{alphabeta, mcss, softmax, uct};

use super::SpecError;

/// A search method of ours with its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum MethodSpec {
    /// Alpha-beta search.
    AlphaBeta(Box<alphabeta::Params>),
    /// Softmax search.
    Softmax(softmax::Params, TreeSettings),
    /// Monte Carlo softmax search.
    Mcss(mcss::Params, TreeSettings),
    /// UCT.
    Uct(uct::Params, TreeSettings),
}

impl Default for MethodSpec {
    fn default() -> Self {
        MethodSpec::AlphaBeta(Box::default())
    }
}

impl MethodSpec {
    /// The methods' names.
    pub const NAMES: [&'static str; 4] = ["alphabeta", "softmax", "mcss", "uct"];

    /// The method of a name, as it is unless told.
    #[must_use]
    pub fn named(name: &str) -> Option<MethodSpec> {
        Some(match name {
            "alphabeta" => MethodSpec::default(),
            "softmax" => MethodSpec::Softmax(softmax::Params::default(), TreeSettings::default()),
            "mcss" => MethodSpec::Mcss(mcss::Params::default(), TreeSettings::default()),
            "uct" => MethodSpec::Uct(uct::Params::default(), TreeSettings::default()),
            _ => return None,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let [alphabeta, softmax, mcss, uct] = Self::NAMES;
        match self {
            MethodSpec::AlphaBeta(_) => alphabeta,
            MethodSpec::Softmax(..) => softmax,
            MethodSpec::Mcss(..) => mcss,
            MethodSpec::Uct(..) => uct,
        }
    }

    /// Whether it keeps a tree.
    #[must_use]
    pub fn keeps_tree(&self) -> bool {
        !matches!(self, MethodSpec::AlphaBeta(_))
    }

    /// Sets what a key names; `None` if there is no such key.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Option<Result<(), SpecError>> {
        match self {
            MethodSpec::AlphaBeta(params) => set_parameter(params, key, value),
            MethodSpec::Softmax(params, tree) => set_either(softmax::Params::TABLE, params, tree, key, value),
            MethodSpec::Mcss(params, tree) => set_either(mcss::Params::TABLE, params, tree, key, value),
            MethodSpec::Uct(params, tree) => set_either(uct::Params::TABLE, params, tree, key, value),
        }
    }

    /// The keys it knows.
    pub(super) fn keys(&self) -> Vec<&'static str> {
        fn of<P>(table: &[Setting<P>]) -> Vec<&'static str> {
            let shared = TreeSettings::TABLE.iter().map(|setting| setting.name);
            table.iter().map(|setting| setting.name).chain(shared).collect()
        }
        match self {
            MethodSpec::AlphaBeta(_) => alphabeta::Params::TABLE.iter().map(|p| p.name).collect(),
            MethodSpec::Softmax(..) => of(softmax::Params::TABLE),
            MethodSpec::Mcss(..) => of(mcss::Params::TABLE),
            MethodSpec::Uct(..) => of(uct::Params::TABLE),
        }
    }

    /// Every key whose value is not the default, with its value.
    pub(super) fn pairs(&self) -> Vec<(&'static str, String)> {
        match self {
            MethodSpec::AlphaBeta(params) => {
                let changed = alphabeta::Params::TABLE.iter().filter(|p| (p.get)(params) != p.default);
                changed.map(|p| (p.name, (p.get)(params).to_string())).collect()
            }
            MethodSpec::Softmax(params, tree) => differing(softmax::Params::TABLE, params, tree),
            MethodSpec::Mcss(params, tree) => differing(mcss::Params::TABLE, params, tree),
            MethodSpec::Uct(params, tree) => differing(uct::Params::TABLE, params, tree),
        }
    }
}

fn set_parameter(params: &mut alphabeta::Params, key: &str, value: &str) -> Option<Result<(), SpecError>> {
    match params::set(alphabeta::Params::TABLE, params, key, value) {
        Ok(()) => Some(Ok(())),
        Err(ParameterError::Unknown(_)) => None,
        Err(ParameterError::Value { name, min, max, found }) => {
            let expected = format!("a number from {min} to {max}");
            Some(Err(SpecError::Value { key: name.to_owned(), expected, found }))
        }
    }
}

fn set_one<P>(table: &[Setting<P>], params: &mut P, key: &str, value: &str) -> Option<Result<(), SpecError>> {
    let setting = table.iter().find(|setting| setting.name.eq_ignore_ascii_case(key))?;
    Some(if (setting.set)(params, value) {
        Ok(())
    } else {
        let (key, expected) = (setting.name.to_owned(), (setting.expected)());
        Err(SpecError::Value { key, expected, found: value.to_owned() })
    })
}

fn set_either<P>(
    table: &[Setting<P>],
    params: &mut P,
    tree: &mut TreeSettings,
    key: &str,
    value: &str,
) -> Option<Result<(), SpecError>> {
    set_one(table, params, key, value).or_else(|| set_one(TreeSettings::TABLE, tree, key, value))
}

fn differing<P: Default>(
    table: &[Setting<P>],
    params: &P,
    tree: &TreeSettings,
) -> Vec<(&'static str, String)> {
    fn of<P: Default>(table: &[Setting<P>], params: &P) -> Vec<(&'static str, String)> {
        let base = P::default();
        let pairs = table.iter().map(|setting| (setting.name, (setting.get)(params), (setting.get)(&base)));
        pairs.filter(|(_, value, default)| value != default).map(|(name, value, _)| (name, value)).collect()
    }
    let mut pairs = of(table, params);
    pairs.extend(of(TreeSettings::TABLE, tree));
    pairs
}
