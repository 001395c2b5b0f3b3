//! The words of the page, English and Japanese, in one table.

use serde_json::{Map, Value};

use crate::word_table::WORDS;

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lang {
    English,
    Japanese,
}

impl Lang {
    /// The code of the language in HTML and cookies.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Lang::English => "en",
            Lang::Japanese => "ja",
        }
    }

    pub(crate) fn named(code: &str) -> Option<Lang> {
        [Lang::English, Lang::Japanese].into_iter().find(|lang| lang.code() == code)
    }

    pub(crate) const fn other(self) -> Lang {
        match self {
            Lang::English => Lang::Japanese,
            Lang::Japanese => Lang::English,
        }
    }

    /// What its speakers call it.
    pub(crate) const fn own_name(self) -> &'static str {
        match self {
            Lang::English => "English",
            Lang::Japanese => "日本語",
        }
    }

    /// The language that a browser would rather have: Japanese if it comes before English.
    pub(crate) fn accepted(header: &str) -> Lang {
        let quality = |part: &str| {
            let quality = part.split(";q=").nth(1).and_then(|text| text.trim().parse::<f32>().ok());
            quality.unwrap_or(1.0)
        };
        let best = |code: &str| {
            let parts = header.split(',').map(str::trim).filter(|part| part.starts_with(code));
            parts.map(quality).fold(0.0, f32::max)
        };
        if best("ja") > best("en") { Lang::Japanese } else { Lang::English }
    }

    /// The words for a key; the key itself if there are none, which a test does not allow.
    pub(crate) fn say(self, key: &'static str) -> &'static str {
        let found = WORDS.iter().find(|(known, _, _)| *known == key);
        found.map_or(key, |&(_, english, japanese)| match self {
            Lang::English => english,
            Lang::Japanese => japanese,
        })
    }

    /// All words, for the modules in the browser.
    pub(crate) fn for_modules(self) -> Value {
        let pairs = WORDS.iter().map(|&(key, _, _)| (key.to_owned(), Value::from(self.say(key))));
        Value::Object(pairs.collect::<Map<_, _>>())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// The texts between `begin` and the next quote.
    fn keys<'a>(text: &'a str, begin: &'a str) -> impl Iterator<Item = &'a str> {
        text.split(begin).skip(1).filter_map(|rest| rest.split('"').next())
    }

    fn sources(folder: &Path, texts: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, texts);
            } else if !path.ends_with("words.rs") {
                texts.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }

    #[test]
    fn every_key_that_is_used_has_words_in_both_languages() {
        let known: BTreeSet<&str> = WORDS.iter().map(|(key, _, _)| *key).collect();
        assert_eq!(known.len(), WORDS.len(), "a key stands twice");
        assert!(WORDS.iter().all(|(_, english, japanese)| !english.is_empty() && !japanese.is_empty()));
        let mut texts = Vec::new();
        for folder in ["src", "assets"] {
            sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut texts);
        }
        for text in &texts {
            for key in keys(text, "say(\"").chain(keys(text, " say(\"")) {
                assert!(known.contains(key), "there are no words for '{key}'");
            }
        }
    }

    #[test]
    fn every_theme_of_an_explanation_has_words() {
        let spec: engine::OwnSpec = "alphabeta(eval=linear, hash=1)".parse().unwrap();
        let spec = spec.resolve(&engine::Defaults::matches());
        let agent = engine::Agent::new(&spec, &mut engine::Nets::default()).unwrap();
        let explained = agent.explainer().unwrap().explain(&shogi::Position::start(), None);
        assert!(explained.themes.len() > 5);
        for theme in explained.themes {
            let key = format!("theme_{}", theme.name);
            assert!(WORDS.iter().any(|(known, _, _)| *known == key), "there are no words for '{key}'");
        }
    }

    #[test]
    fn a_browser_gets_what_it_would_rather_have() {
        for (header, expected) in [
            ("ja,en;q=0.8", Lang::Japanese),
            ("en-GB,en;q=0.9,ja;q=0.8", Lang::English),
            ("de,ja;q=0.5,en;q=0.3", Lang::Japanese),
            ("", Lang::English),
            ("fr;q=x", Lang::English),
        ] {
            assert_eq!(Lang::accepted(header), expected, "{header}");
        }
    }
}
