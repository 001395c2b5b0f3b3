//! A player with nothing left open.

use std::fmt;

use contract::LogisticScale;
use protocol::usi::OptionKind;

use super::{Defaults, EvalName, EvalSource, MethodSpec, OwnSpec, write_pairs};
use crate::options::{NO_BOOK, Setting, Settings};
use crate::win_rate::scale_of;

/// A player of ours with a value for every setting. Its text names them all, the method's parameters included: it means
/// the same player under any defaults, those of later versions too.
///
/// ```
/// use engine::{Defaults, OwnSpec};
/// let spec: OwnSpec = "alphabeta(hash=8)".parse().unwrap();
/// let resolved = spec.resolve(&Defaults::matches());
/// let again: OwnSpec = resolved.to_string().parse().unwrap();
/// assert_eq!(again.resolve(&Defaults::self_play()), resolved);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedSpec {
    /// The search method.
    pub method: MethodSpec,
    /// What it evaluates by.
    pub eval: EvalSource,
    /// Everything else.
    pub settings: Settings,
}

impl OwnSpec {
    /// The player with what is left open filled in. What the spec says wins.
    #[must_use]
    pub fn resolve(&self, defaults: &Defaults) -> ResolvedSpec {
        let eval = self.eval_source(defaults.net.as_deref());
        let mut settings = defaults.settings.clone();
        self.apply(&mut settings);
        if settings.book_path().is_none() {
            settings.book = NO_BOOK.to_owned();
        }
        if settings.win_rate_scale == 0 {
            settings.win_rate_scale = scale_of(&eval).centipawns() as i64;
        }
        ResolvedSpec { method: self.method.clone(), eval, settings }
    }
}

impl ResolvedSpec {
    /// What turns its values into win rates.
    #[must_use]
    pub fn scale(&self) -> LogisticScale {
        LogisticScale::new(self.settings.win_rate_scale as f64).unwrap_or_default()
    }

    /// The first key whose value names a file, if there is one.
    #[must_use]
    pub fn file_key(&self) -> Option<&'static str> {
        if matches!(self.eval, EvalSource::NetFile(_)) {
            return Some("net");
        }
        if !self.settings.kinds.is_empty() && !self.settings.kinds.contains('=') {
            return Some("kinds");
        }
        let is_named = |setting: &Setting| {
            let value = setting.get(&self.settings);
            matches!((setting.kind)(), OptionKind::File { .. }) && !value.is_empty() && value != NO_BOOK
        };
        Setting::all().find(is_named).map(|setting| setting.key)
    }

    /// Whether a player built as `self` would be built as `other`: settings that only matter when it plays may differ.
    #[must_use]
    pub(crate) fn is_built_like(&self, other: &ResolvedSpec) -> bool {
        let built = |spec: &ResolvedSpec| {
            let Settings { hash, threads, fv_scale, win_rate_scale, seed, .. } = spec.settings;
            let seed = spec.method.keeps_tree().then_some(seed);
            (hash, threads, fv_scale, win_rate_scale, seed)
        };
        let files = |spec: &ResolvedSpec| {
            let Settings { search, weights, linear, kinds, .. } = &spec.settings;
            [search.clone(), weights.clone(), linear.clone(), kinds.clone()]
        };
        self.method == other.method
            && self.eval == other.eval
            && built(self) == built(other)
            && files(self) == files(other)
    }

    /// The spec that says all of it.
    #[must_use]
    pub fn spec(&self) -> OwnSpec {
        let mut spec = OwnSpec { method: self.method.clone(), ..OwnSpec::default() };
        match &self.eval {
            EvalSource::Material => spec.eval = Some(EvalName::Material),
            EvalSource::Linear => spec.eval = Some(EvalName::Linear),
            EvalSource::OwnNet => {
                (spec.eval, spec.net) = (Some(EvalName::Nnue), Some(OwnSpec::EMBEDDED.into()));
            }
            EvalSource::NetFile(file) => {
                (spec.eval, spec.net) = (Some(EvalName::Nnue), Some(file.clone()));
            }
        }
        for setting in Setting::all() {
            // Settings print what they read.
            let _ = spec.set(setting.key, &setting.get(&self.settings));
        }
        spec
    }
}

impl fmt::Display for ResolvedSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method.name())?;
        write_pairs(f, self.spec().pairs().into_iter().chain(self.method.all_pairs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolved_spec_means_the_same_player_under_any_defaults() {
        let jobs = [Defaults::default(), Defaults::matches(), Defaults::self_play(), Defaults::analysis()];
        let net = Defaults { net: Some("other.bin".into()), ..Defaults::default() };
        for text in [
            "alphabeta",
            "alphabeta(eval=material, threads=2, static_cut_z=99)",
            "alphabeta(net=x.bin, fv_scale=24, mate_search=false, book=b.db, book_eval_white_limit=-50)",
            "alphabeta(eval=linear, linear=x.weights)",
            "softmax(hash=16, T=60)",
            "mcss(seed=5, skill=3, resign=2000, draw_value_black=-7)",
            "uct(nodes_limit=100, network_delay=5, ponder=true, own_book=false)",
        ] {
            let spec: OwnSpec = text.parse().unwrap();
            for defaults in &jobs {
                let resolved = spec.resolve(defaults);
                let written = resolved.to_string();
                let again: OwnSpec = written.parse().unwrap();
                for others in jobs.iter().chain([&net]) {
                    assert_eq!(again.resolve(others), resolved, "{written}");
                    assert_eq!(again.resolve(others).to_string(), written);
                }
            }
        }
    }

    #[test]
    fn keys_that_name_files_are_known() {
        let key = |text: &str| text.parse::<OwnSpec>().unwrap().resolve(&Defaults::matches()).file_key();
        for file in ["net", "search", "weights", "linear", "kinds", "book"] {
            assert_eq!(key(&format!("alphabeta({file}=x)")), Some(file));
        }
        for text in
            ["alphabeta", "alphabeta(kinds=check=50)", "alphabeta(net=embedded)", "softmax(eval=linear)"]
        {
            assert_eq!(key(text), None, "{text}");
        }
    }

    #[test]
    fn every_setting_and_parameter_is_named_once() {
        let text = OwnSpec::default().resolve(&Defaults::default()).to_string();
        for name in MethodSpec::NAMES {
            let spec = OwnSpec { method: MethodSpec::named(name).unwrap(), ..OwnSpec::default() };
            let text = spec.resolve(&Defaults::default()).to_string();
            let named: Vec<&str> =
                text.split(['(', ',', ')']).filter_map(|pair| Some(pair.split_once('=')?.0.trim())).collect();
            let keys = Setting::all().map(|setting| setting.key).chain(spec.method.keys());
            for key in keys.chain(["eval", "net"]) {
                assert_eq!(named.iter().filter(|known| **known == key).count(), 1, "{key}: {text}");
            }
        }
        assert!(text.contains("eval=nnue, net=embedded") && text.contains("win_rate_scale=320"), "{text}");
    }

    #[test]
    fn what_a_spec_says_wins_over_the_defaults() {
        let spec: OwnSpec = "alphabeta(hash=64, mate_search=false)".parse().unwrap();
        let resolved = spec.resolve(&Defaults::matches());
        assert_eq!((resolved.settings.hash, resolved.settings.mate_search), (64, false));
        assert_eq!(resolved.settings.network_delay2, 0);
        let net = Defaults { net: Some("other.bin".into()), ..Defaults::default() };
        assert_eq!(spec.resolve(&net).eval, EvalSource::NetFile("other.bin".into()));
    }
}
