//! One table of parameters per method: spec keys, USI options, tuning and documentation are read off it.

/// One parameter of a method's table `P`.
pub struct Parameter<P> {
    /// Its name in specs and options.
    pub name: &'static str,
    /// What it does, in one line.
    pub meaning: &'static str,
    /// The value it has unless told.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
    /// Reads it.
    pub get: fn(&P) -> i32,
    /// Writes it.
    pub set: fn(&mut P, i32),
}

/// Why a parameter was not set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ParameterError {
    #[error("there is no parameter '{0}'")]
    Unknown(String),
    #[error("{name} takes a number from {min} to {max}, not '{found}'")]
    Value { name: &'static str, min: i32, max: i32, found: String },
}

/// Sets the parameter of that name from text.
pub fn set<P>(table: &[Parameter<P>], params: &mut P, name: &str, text: &str) -> Result<(), ParameterError> {
    let parameter = table
        .iter()
        .find(|p| p.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| ParameterError::Unknown(name.to_owned()))?;
    let value = text.trim().parse().ok().filter(|v| (parameter.min..=parameter.max).contains(v));
    let (name, min, max) = (parameter.name, parameter.min, parameter.max);
    let value = value.ok_or_else(|| ParameterError::Value { name, min, max, found: text.to_owned() })?;
    (parameter.set)(params, value);
    Ok(())
}

/// Declares a struct of `i32` parameters and its table in one place.
#[macro_export]
macro_rules! parameters {
    ($(#[$doc:meta])* $name:ident { $($field:ident = $default:literal in $min:literal ..= $max:literal, $meaning:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $(#[doc = $meaning] pub $field: i32,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $name {
            /// Every parameter.
            pub const TABLE: &'static [$crate::params::Parameter<$name>] = &[
                $($crate::params::Parameter {
                    name: stringify!($field),
                    meaning: $meaning,
                    default: $default,
                    min: $min,
                    max: $max,
                    get: |params| params.$field,
                    set: |params, value| params.$field = value,
                },)*
            ];
        }
    };
}

/// One setting of a method whose values are numbers with a fraction, or words.
pub struct Setting<P> {
    /// Its name in specs.
    pub name: &'static str,
    /// What it does, in one line.
    pub meaning: &'static str,
    /// What it takes, in words.
    pub expected: fn() -> String,
    /// Its value as text.
    pub get: fn(&P) -> String,
    /// Sets it from text; `false` if that is no value of it.
    pub set: fn(&mut P, &str) -> bool,
}

/// A value that is one of a few words.
pub trait Words: Copy + PartialEq + 'static {
    /// Every value and its word.
    const WORDS: &'static [(&'static str, Self)];

    /// The word of the value.
    #[must_use]
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }

    /// The value of a word.
    #[must_use]
    fn of_word(text: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text.trim())).map(|(_, value)| *value)
    }
}

/// A number within bounds from text.
#[must_use]
pub fn number_within(text: &str, min: f32, max: f32) -> Option<f32> {
    text.trim().parse().ok().filter(|value| (min..=max).contains(value))
}

/// Declares a struct of settings and its table in one place: numbers with a fraction, then choices among words.
#[macro_export]
macro_rules! settings {
    ($(#[$doc:meta])* $name:ident {
        numbers { $($number:ident $key:literal = $default:literal in $min:literal ..= $max:literal, $meaning:literal;)* }
        choices { $($choice:ident $word:literal: $type:ty = $value:expr, $sense:literal;)* }
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $(#[doc = $meaning] pub $number: f32,)*
            $(#[doc = $sense] pub $choice: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($number: $default,)* $($choice: $value,)* }
            }
        }

        impl $name {
            /// Every setting.
            pub const TABLE: &'static [$crate::params::Setting<$name>] = &[
                $($crate::params::Setting {
                    name: $key,
                    meaning: $meaning,
                    expected: || format!("a number from {} to {}", $min, $max),
                    get: |settings| settings.$number.to_string(),
                    set: |settings, text| {
                        let value = $crate::params::number_within(text, $min, $max);
                        value.map(|value| settings.$number = value).is_some()
                    },
                },)*
                $($crate::params::Setting {
                    name: $word,
                    meaning: $sense,
                    expected: || {
                        let words = <$type as $crate::params::Words>::WORDS.iter().map(|(word, _)| *word);
                        format!("one of {}", words.collect::<Vec<_>>().join(", "))
                    },
                    get: |settings| $crate::params::Words::word(settings.$choice).to_owned(),
                    set: |settings, text| {
                        let value = <$type as $crate::params::Words>::of_word(text);
                        value.map(|value| settings.$choice = value).is_some()
                    },
                },)*
            ];
        }
    };
}
