//! Everything that can be set from outside, in one table.
//!
//! Options that make up the player are its [`Settings`], which a spec can name too: the field is the key. The others
//! are about the session: which player, how positions and rules are sent, how often there is a report.

use std::path::Path;
use std::time::Duration;

use protocol::usi::{OptionDeclaration, OptionKind};
use search::Rules;
use search::alphabeta::Params;
use search::params::{Kind, Parameter};
use shogi::DeclarationRule;

use crate::agent::GameRules;
use crate::clock::ClockSettings;
use crate::suggest;

/// One option: its declaration, and how it is read and written.
pub struct OptionEntry {
    /// Its name, without spaces.
    pub name: &'static str,
    /// What it does, in one line.
    pub meaning: &'static str,
    kind: fn() -> OptionKind,
    place: Place,
}

/// Where the value of an option is kept.
enum Place {
    Session(Access<Options>),
    /// With the key that specs name it by.
    Settings(&'static str, Access<Settings>),
}

/// How a value is read and written as text.
struct Access<T> {
    get: fn(&T) -> String,
    set: fn(&mut T, &str) -> bool,
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum OptionError {
    #[error("there is no option '{name}'{}", suggest::question(.similar))]
    Unknown { name: String, similar: Vec<&'static str> },
    #[error("{name} takes {expected}, not '{found}'")]
    Value { name: &'static str, expected: String, found: String },
}

macro_rules! option_type {
    (check) => {
        bool
    };
    (spin) => {
        i64
    };
    (combo) => {
        String
    };
    (text) => {
        String
    };
    (file) => {
        String
    };
}

macro_rules! option_kind {
    (check $default:literal) => {
        OptionKind::Check { default: $default }
    };
    (spin $default:literal $min:literal $max:literal) => {
        OptionKind::Spin { default: $default, min: $min, max: $max }
    };
    (combo $default:literal) => {
        OptionKind::Combo {
            default: $default.to_owned(),
            choices: DeclarationRule::NAMES.iter().map(|(_, name)| (*name).to_owned()).collect(),
        }
    };
    (text $default:literal) => {
        OptionKind::Text { default: $default.to_owned() }
    };
    (file $default:literal) => {
        OptionKind::File { default: $default.to_owned() }
    };
}

macro_rules! option_access {
    ($values:ident $field:ident $($kind:tt)*) => {
        Access {
            get: |values: &$values| values.$field.to_string(),
            set: |values: &mut $values, text: &str| {
                let value = checked(&option_kind!($($kind)*), text).and_then(|text| text.parse().ok());
                value.map(|value| values.$field = value).is_some()
            },
        }
    };
}

macro_rules! option_place {
    (session $field:ident $($kind:tt)*) => {
        Place::Session(option_access!(Options $field $($kind)*))
    };
    (settings $field:ident $($kind:tt)*) => {
        Place::Settings(stringify!($field), option_access!(Settings $field $($kind)*))
    };
}

/// Declares the two structs: sorts the rows by the word that they begin with.
macro_rules! option_structs {
    ([$($s:tt)*] [$($o:tt)*] settings $field:ident $kind:ident $default:literal $meaning:literal; $($rest:tt)*) => {
        option_structs! { [$($s)* $field $kind $default $meaning;] [$($o)*] $($rest)* }
    };
    ([$($s:tt)*] [$($o:tt)*] session $field:ident $kind:ident $default:literal $meaning:literal; $($rest:tt)*) => {
        option_structs! { [$($s)*] [$($o)* $field $kind $default $meaning;] $($rest)* }
    };
    ([$($s:ident $s_kind:ident $s_default:literal $s_meaning:literal;)*] [$($o:ident $o_kind:ident $o_default:literal $o_meaning:literal;)*]) => {
        /// What makes up a player besides its method and its evaluator: every value is there.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Settings {
            $(#[doc = $s_meaning] pub $s: option_type!($s_kind),)*
        }

        impl Default for Settings {
            fn default() -> Self {
                Settings { $($s: $s_default.into(),)* }
            }
        }

        /// The values of all options.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Options {
            $(#[doc = $o_meaning] pub $o: option_type!($o_kind),)*
            /// What makes up the player, unless its spec says otherwise.
            pub settings: Settings,
            /// The parameters of the search; options of their own in builds for tuning.
            pub params: Params,
        }

        impl Default for Options {
            fn default() -> Self {
                Options { $($o: $o_default.into(),)* settings: Settings::default(), params: Params::default() }
            }
        }
    };
}

/// Declares the options and their table: `settings field "Name" kind default [min max], meaning;` for what makes up a
/// player, `session …` for the rest.
macro_rules! options {
    ($($group:ident $field:ident $name:literal $kind:ident $default:literal $($bound:literal)*, $meaning:literal;)*) => {
        option_structs! { [] [] $($group $field $kind $default $meaning;)* }

        impl Options {
            /// Every option, in the order in which boards show them.
            pub const TABLE: &'static [OptionEntry] = &[
                $(OptionEntry {
                    name: $name,
                    meaning: $meaning,
                    kind: || option_kind!($kind $default $($bound)*),
                    place: option_place!($group $field $kind $default $($bound)*),
                },)*
            ];
        }
    };
}

options! {
    session player "Player" text "alphabeta", "the player as a spec; what it leaves open, the other options say";
    settings hash "USI_Hash" spin 256 1 1_048_576, "megabytes of hash table";
    settings threads "Threads" spin 1 1 1024, "threads that search";
    settings ponder "USI_Ponder" check false, "whether the opponent's time will be used as well";
    settings ponder_opponent "PonderOpponent" check false, "whether to think at the opponent's position while he does, for all of his replies, and not behind the one that is expected";
    settings multipv "MultiPV" spin 1 1 600, "how many best lines to find";
    session eval_dir "EvalDir" text "eval", "the folder of an nn.bin, if it is not to be the net inside the program";
    session eval_file "EvalFile" file "", "a net file, instead of the one in EvalDir";
    settings fv_scale "FV_SCALE" spin 0 0 128, "divisor of the net's output; 0 means what the net says, or 16";
    settings search "SearchFile" file "", "what alpha-beta search has learned (yomi learn search); the model inside the program if empty";
    settings kinds "Kinds" text "", "what kinds of move take from the depth of alpha-beta search, in percent of a ply: a file (yomi tune kinds) or a list, check=50;drop.gold=110; a ply each if empty";
    settings weights "WeightsFile" file "", "weights of features that eval=material lacks, as yomi fit --out leaves them in result.json";
    settings linear "LinearFile" file "", "the weights of eval=linear (yomi learn linear); those inside the program if empty";
    settings own_book "USI_OwnBook" check true, "whether the book is used";
    settings book "BookFile" file "", "the opening book";
    settings book_moves "BookMoves" spin 16 0 10_000, "the last ply at which the book is used";
    settings book_ignore_rate "BookIgnoreRate" spin 0 0 100, "percent of moves at which the book is not used";
    settings narrow_book "NarrowBook" check false, "whether moves seldom played are left out";
    settings book_eval_diff "BookEvalDiff" spin 30 0 99_999, "how much worse than the best a book move may be";
    settings book_eval_black_limit "BookEvalBlackLimit" spin 0 -99_999 99_999, "the least value of a book move for Black";
    settings book_eval_white_limit "BookEvalWhiteLimit" spin -140 -99_999 99_999, "the least value of a book move for White";
    settings book_depth_limit "BookDepthLimit" spin 16 0 99_999, "the least depth of a book move; 0 means any";
    settings consider_book_count "ConsiderBookMoveCount" check false, "whether moves are chosen as often as they were played";
    settings ignore_book_ply "IgnoreBookPly" check false, "whether a position is found at any ply";
    settings flipped_book "FlippedBook" check true, "whether a position is also looked up turned around";
    settings network_delay "NetworkDelay" spin 0 0 10_000, "the usual lag of moves, in milliseconds: each is answered so much earlier";
    settings network_delay2 "NetworkDelay2" spin -1 -1 10_000, "the largest lag to be safe from, in milliseconds, kept in hand also in byoyomi; -1 keeps a share that grows with the time";
    settings minimum_time "MinimumThinkingTime" spin 0 0 100_000, "the least time for a move while there is plenty, in milliseconds";
    settings slow_mover "SlowMover" spin 100 1 1000, "percent of the usual time for a move";
    settings round_up "RoundUpToFullSecond" check false, "whether to think up to whole seconds, where only those count";
    settings mate_search "MateSearch" check true, "whether a mate solver looks at the position before the search does";
    settings win_rate_scale "WinRateScale" spin 0 0 100_000, "logistic scale of win rates in centipawns, as yomi fit finds it; 0 means what fits the evaluator";
    settings resign "ResignValue" spin 99_999 0 99_999, "resign when this far behind";
    session declaration "EnteringKingRule" combo "CSARule27", "how an entered king wins";
    session max_moves "MaxMovesToDraw" spin 0 0 10_000, "the ply after which the game is a draw; 0 means never";
    settings draw_value_black "DrawValueBlack" spin -2 -30_000 30_000, "what a draw is worth when thinking for Black";
    settings draw_value_white "DrawValueWhite" spin -2 -30_000 30_000, "what a draw is worth when thinking for White";
    session pv_interval "PvInterval" spin 300 0 100_000_000, "milliseconds between reports; none in analysis";
    session consideration "ConsiderationMode" check false, "analysis: every report";
    settings all_moves "GenerateAllLegalMoves" check false, "whether to consider pointless moves without promotion";
    settings depth_limit "DepthLimit" spin 0 0 127, "the deepest iteration; 0 means no limit";
    settings nodes_limit "NodesLimit" spin 0 0 9_007_199_254_740_992, "positions to visit; 0 means no limit";
    settings skill "SkillLevel" spin 20 0 20, "from a beginner (0) to full strength (20)";
    session debug_log "DebugLogFile" file "", "a file to which all that is said in both directions is added";
    settings seed "Seed" spin 0 0 9_007_199_254_740_992, "of whatever is left to chance; 0 means another one each time";
}

/// The text in the form that parses, if it is a value of this kind.
fn checked(kind: &OptionKind, text: &str) -> Option<String> {
    let text = text.trim();
    match kind {
        OptionKind::Check { .. } => {
            ["true", "false"].into_iter().find(|word| word.eq_ignore_ascii_case(text)).map(str::to_owned)
        }
        OptionKind::Spin { min, max, .. } => {
            text.parse::<i64>().ok().filter(|n| (min..=max).contains(&n)).map(|n| n.to_string())
        }
        OptionKind::Combo { choices, .. } => {
            choices.iter().find(|choice| choice.eq_ignore_ascii_case(text)).cloned()
        }
        OptionKind::Text { .. } | OptionKind::File { .. } if text == "<empty>" => Some(String::new()),
        OptionKind::Text { .. } | OptionKind::File { .. } => Some(text.to_owned()),
        OptionKind::Button => None,
    }
}

fn expected(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { .. } => "true or false".to_owned(),
        OptionKind::Spin { min, max, .. } => format!("a number from {min} to {max}"),
        OptionKind::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
        OptionKind::Button | OptionKind::Text { .. } | OptionKind::File { .. } => "a text".to_owned(),
    }
}

/// A parameter as an option.
fn option_kind<P: Default>(parameter: &Parameter<P>) -> OptionKind {
    let default = parameter.default_text();
    match parameter.kind {
        Kind::Integer { min, max } => OptionKind::Spin {
            default: default.parse().unwrap_or_default(),
            min: min.into(),
            max: max.into(),
        },
        Kind::Real { .. } => OptionKind::Text { default },
        Kind::Word(words) => {
            OptionKind::Combo { default, choices: words().into_iter().map(str::to_owned).collect() }
        }
    }
}

/// Options that boards set on every engine, whether it has them or not, and other engines' names of ours.
const ALIASES: [(&str, &str); 4] = [
    ("Hash", "USI_Hash"),
    ("Ponder", "USI_Ponder"),
    ("USI_MultiPV", "MultiPV"),
    ("NumberOfThreads", "Threads"),
];

impl Options {
    /// What `usi` declares: the values are the defaults, so that boards show and keep them.
    pub fn declarations(&self) -> impl Iterator<Item = OptionDeclaration> {
        let tunable = if cfg!(feature = "tuning") { Params::TABLE } else { &[] };
        let fixed = Self::TABLE.iter().map(|entry| (entry.name, self.declared(entry)));
        let tuned = tunable.iter().map(|p| (p.name, option_kind(p)));
        fixed.chain(tuned).map(|(name, kind)| OptionDeclaration { name: name.to_owned(), kind })
    }

    /// The kind of an option with its value for a default.
    fn declared(&self, entry: &OptionEntry) -> OptionKind {
        let (mut kind, value) = ((entry.kind)(), self.value(entry));
        match &mut kind {
            OptionKind::Check { default } => *default = value == "true",
            OptionKind::Spin { default, .. } => *default = value.parse().unwrap_or(*default),
            // Boards split the line at spaces: a default with one would arrive as half of it.
            OptionKind::Combo { default, .. }
            | OptionKind::Text { default }
            | OptionKind::File { default }
                if !value.contains(char::is_whitespace) =>
            {
                *default = value;
            }
            _ => {}
        }
        kind
    }

    fn entry(name: &str) -> Option<&'static OptionEntry> {
        let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
        let name = alias.map_or(name, |(_, ours)| ours);
        Self::TABLE.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option from text; a missing value is an empty text.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let value = value.unwrap_or("");
        let Some(entry) = Self::entry(name) else { return self.set_parameter(name, value) };
        let taken = match &entry.place {
            Place::Session(access) => (access.set)(self, value),
            Place::Settings(_, access) => (access.set)(&mut self.settings, value),
        };
        if taken {
            return Ok(());
        }
        let (name, expected) = (entry.name, expected(&(entry.kind)()));
        Err(OptionError::Value { name, expected, found: value.to_owned() })
    }

    fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        use search::params::{ParameterError, set};
        let unknown = || {
            let similar = suggest::like(name, Self::TABLE.iter().map(|entry| entry.name));
            OptionError::Unknown { name: name.to_owned(), similar }
        };
        if !cfg!(feature = "tuning") {
            return Err(unknown());
        }
        set(Params::TABLE, &mut self.params, name, value).map_err(|error| match error {
            ParameterError::Unknown(_) => unknown(),
            ParameterError::Value { name, expected, found } => OptionError::Value { name, expected, found },
        })
    }

    /// The value of an option as text.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<String> {
        Self::entry(name).map(|entry| self.value(entry))
    }

    /// Every option with its value.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, String)> {
        Self::TABLE.iter().map(|entry| (entry.name, self.value(entry)))
    }

    fn value(&self, entry: &OptionEntry) -> String {
        match &entry.place {
            Place::Session(access) => (access.get)(self),
            Place::Settings(_, access) => (access.get)(&self.settings),
        }
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> GameRules {
        GameRules {
            declaration: self.declaration.parse().unwrap_or_default(),
            max_moves: self.max_moves as u16,
        }
    }
}

/// A setting that a spec may name.
pub(crate) struct Setting {
    /// The key.
    pub(crate) key: &'static str,
    pub(crate) kind: fn() -> OptionKind,
    access: &'static Access<Settings>,
}

impl Setting {
    /// Every setting, in the order of the table.
    pub(crate) fn all() -> impl Iterator<Item = Setting> {
        Options::TABLE.iter().filter_map(|entry| match &entry.place {
            Place::Settings(key, access) => Some(Setting { key, kind: entry.kind, access }),
            Place::Session(_) => None,
        })
    }

    /// The setting of a key.
    pub(crate) fn of(key: &str) -> Option<Setting> {
        Setting::all().find(|setting| setting.key.eq_ignore_ascii_case(key))
    }

    /// The value as text.
    pub(crate) fn get(&self, settings: &Settings) -> String {
        (self.access.get)(settings)
    }

    /// Sets it; what would be right, if the text is no value.
    pub(crate) fn set(&self, settings: &mut Settings, text: &str) -> Result<(), String> {
        if (self.access.set)(settings, text) { Ok(()) } else { Err(expected(&(self.kind)())) }
    }
}

impl Settings {
    /// What the clock is to heed.
    #[must_use]
    pub fn clock(&self, max_moves: u16) -> ClockSettings {
        let ms = |ms: i64| Duration::from_millis(ms as u64);
        ClockSettings {
            network_delay: ms(self.network_delay),
            network_delay2: u64::try_from(self.network_delay2).ok().map(Duration::from_millis),
            minimum: ms(self.minimum_time),
            slow_mover: self.slow_mover as u32,
            round_up: self.round_up,
            ponder: self.ponder,
            max_moves,
        }
    }

    /// The rules of a game with what the player makes of them.
    #[must_use]
    pub fn rules(&self, rules: GameRules) -> Rules {
        Rules {
            declaration: rules.declaration,
            max_moves: rules.max_moves,
            draw_value: [self.draw_value_black as i32, self.draw_value_white as i32],
            all_moves: self.all_moves,
        }
    }

    /// The book's file; `None` if there is none or it is not to be used.
    #[must_use]
    pub fn book_path(&self) -> Option<&Path> {
        // Boards keep the choice of other engines, which name the absence of a book.
        let named = self.own_book && !self.book.is_empty() && self.book != NO_BOOK;
        named.then(|| Path::new(&self.book))
    }
}

/// The name of no book at all.
pub(crate) const NO_BOOK: &str = "no_book";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_defaults_have_no_spaces_and_are_unique() {
        let declarations: Vec<_> = Options::default().declarations().collect();
        for declaration in &declarations {
            let same = declarations.iter().filter(|d| d.name.eq_ignore_ascii_case(&declaration.name));
            assert_eq!(same.count(), 1, "{}", declaration.name);
            assert!(!declaration.name.contains(' '), "{}", declaration.name);
            if let OptionKind::Text { default } | OptionKind::File { default } = &declaration.kind {
                assert!(!default.contains(' '), "{}", declaration.name);
            }
        }
    }

    #[test]
    fn every_option_changes_its_own_field_and_takes_its_default_back() {
        for entry in Options::TABLE {
            let mut options = Options::default();
            let other = match (entry.kind)() {
                OptionKind::Check { default } => (!default).to_string(),
                OptionKind::Spin { default, min, max } => {
                    (if default == min { max } else { min }).to_string()
                }
                OptionKind::Combo { choices, .. } => choices[0].clone(),
                _ => "a path".to_owned(),
            };
            let before = options.get(entry.name).unwrap();
            options.set(&entry.name.to_uppercase(), Some(&other)).unwrap();
            assert_eq!(options.get(entry.name).as_ref(), Some(&other), "{}", entry.name);
            let base = Options::default();
            let changed = options.values().zip(base.values()).filter(|(a, b)| a != b).count();
            assert_eq!(changed, 1, "{}", entry.name);
            options.set(entry.name, Some(&before)).unwrap();
            assert_eq!(options, base, "{}", entry.name);
        }
    }

    #[test]
    fn refusals_say_what_would_be_right() {
        let mut options = Options::default();
        for (name, value, expected) in [
            ("Thread", "1", "there is no option 'Thread'; did you mean Threads?"),
            ("Threads", "0", "Threads takes a number from 1 to 1024, not '0'"),
            ("usi_ponder", "maybe", "USI_Ponder takes true or false, not 'maybe'"),
            ("EnteringKingRule", "x", "EnteringKingRule takes one of NoEnteringKing, CSARule24,"),
        ] {
            let error = options.set(name, Some(value)).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        assert_eq!(options, Options::default());
    }

    #[test]
    fn other_engines_names_are_understood() {
        let mut options = Options::default();
        options.set("usi_multipv", Some("3")).unwrap();
        options.set("NumberOfThreads", Some("2")).unwrap();
        assert_eq!((options.settings.multipv, options.settings.threads), (3, 2));
    }
}
