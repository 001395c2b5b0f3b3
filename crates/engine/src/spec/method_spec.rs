//! A search method and its settings, as a spec has them.

use search::params::{self, Kind, Parameter, ParameterError};
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

    /// The method of a name with its default parameters.
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

    /// Whether what it finds is a win rate, and centipawns are made of it: so it is with bandits over wins and losses.
    #[must_use]
    pub fn values_win_rates(&self) -> bool {
        matches!(self, MethodSpec::Uct(params, _) if params.leaf != uct::Leaf::Score)
    }

    /// Sets what a key names; `None` if there is no such key.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Option<Result<(), SpecError>> {
        let result = match self {
            MethodSpec::AlphaBeta(params) => params::set(alphabeta::Params::TABLE, params, key, value),
            MethodSpec::Softmax(params, tree) => set_either(softmax::Params::TABLE, params, tree, key, value),
            MethodSpec::Mcss(params, tree) => set_either(mcss::Params::TABLE, params, tree, key, value),
            MethodSpec::Uct(params, tree) => set_either(uct::Params::TABLE, params, tree, key, value),
        };
        match result {
            Ok(()) => Some(Ok(())),
            Err(ParameterError::Unknown(_)) => None,
            Err(ParameterError::Value { name, expected, found }) => {
                Some(Err(SpecError::Value { key: name.to_owned(), expected, found }))
            }
        }
    }

    /// Every parameter it has, with its present value.
    #[must_use]
    pub fn parameters(&self) -> Vec<ParameterFacts> {
        match self {
            MethodSpec::AlphaBeta(params) => facts(alphabeta::Params::TABLE, params).collect(),
            MethodSpec::Softmax(params, tree) => facts_of_both(softmax::Params::TABLE, params, tree),
            MethodSpec::Mcss(params, tree) => facts_of_both(mcss::Params::TABLE, params, tree),
            MethodSpec::Uct(params, tree) => facts_of_both(uct::Params::TABLE, params, tree),
        }
    }

    /// The parameter of a name, in whatever case.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<ParameterFacts> {
        self.parameters().into_iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name))
    }

    /// The keys it knows.
    pub(super) fn keys(&self) -> Vec<&'static str> {
        self.parameters().into_iter().map(|parameter| parameter.name).collect()
    }

    /// Every key with its value.
    pub(super) fn all_pairs(&self) -> Vec<(&'static str, String)> {
        self.parameters().into_iter().map(|parameter| (parameter.name, parameter.value)).collect()
    }

    /// Every key whose value is not the default, with its value.
    pub(super) fn changed_pairs(&self) -> Vec<(&'static str, String)> {
        let changed = self.parameters().into_iter().filter(|parameter| parameter.value != parameter.default);
        changed.map(|parameter| (parameter.name, parameter.value)).collect()
    }
}

/// A parameter as it stands in a spec.
#[derive(Clone, Debug)]
pub struct ParameterFacts {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub meaning: &'static str,
    /// Which values it takes.
    pub kind: Kind,
    /// Its default.
    pub default: String,
    /// Its value.
    pub value: String,
}

fn facts<P: Default>(table: &'static [Parameter<P>], params: &P) -> impl Iterator<Item = ParameterFacts> {
    let base = P::default();
    table.iter().map(move |parameter| ParameterFacts {
        name: parameter.name,
        meaning: parameter.meaning,
        kind: parameter.kind,
        default: (parameter.get)(&base),
        value: (parameter.get)(params),
    })
}

fn facts_of_both<P: Default>(
    table: &'static [Parameter<P>],
    params: &P,
    tree: &TreeSettings,
) -> Vec<ParameterFacts> {
    facts(table, params).chain(facts(TreeSettings::TABLE, tree)).collect()
}

fn set_either<P>(
    table: &[Parameter<P>],
    params: &mut P,
    tree: &mut TreeSettings,
    key: &str,
    value: &str,
) -> Result<(), ParameterError> {
    match params::set(table, params, key, value) {
        Err(ParameterError::Unknown(_)) => params::set(TreeSettings::TABLE, tree, key, value),
        result => result,
    }
}
