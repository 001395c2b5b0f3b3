//! One table of parameters per method: spec keys, USI options, tuning and documentation are read off it.

/// One parameter of a method's table `P`.
pub struct Parameter<P> {
    /// Its name in specs and options.
    pub name: &'static str,
    /// What it does, in one line.
    pub meaning: &'static str,
    /// Which values it takes.
    pub kind: Kind,
    /// Its value as text.
    pub get: fn(&P) -> String,
    /// Sets it from text; `false` if that is no value of it.
    pub set: fn(&mut P, &str) -> bool,
}

/// Which values a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Whole numbers, bounds included.
    Integer {
        /// The smallest value that makes sense.
        min: i32,
        /// The largest value that makes sense.
        max: i32,
    },
    /// Numbers with a fraction, bounds included.
    Real {
        /// The smallest value that makes sense.
        min: f32,
        /// The largest value that makes sense.
        max: f32,
    },
    /// One of a few words.
    Word(fn() -> Vec<&'static str>),
}

/// Why a parameter was not set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ParameterError {
    #[error("there is no parameter '{0}'")]
    Unknown(String),
    #[error("{name} takes {expected}, not '{found}'")]
    Value { name: &'static str, expected: String, found: String },
}

/// Significant digits of a number that becomes the text of a real parameter.
const DIGITS: i32 = 4;

impl Kind {
    /// What it takes, in words.
    #[must_use]
    pub fn expected(&self) -> String {
        match self {
            Kind::Integer { min, max } => format!("a number from {min} to {max}"),
            Kind::Real { min, max } => format!("a number from {min} to {max}"),
            Kind::Word(words) => format!("one of {}", words().join(", ")),
        }
    }

    /// The smallest and the largest number; `None` if it takes words.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        match *self {
            Kind::Integer { min, max } => Some((min.into(), max.into())),
            Kind::Real { min, max } => Some((min.into(), max.into())),
            Kind::Word(_) => None,
        }
    }

    /// A number as a value of this kind: within the range, a whole one or of four significant digits; `None` if it takes
    /// words.
    ///
    /// ```
    /// use contract::params::Kind;
    /// let kind = Kind::Real { min: 0.0, max: 100.0 };
    /// assert_eq!(kind.text_of(12.34567), Some("12.35".to_owned()));
    /// assert_eq!(Kind::Integer { min: 0, max: 10 }.text_of(96.6), Some("10".to_owned()));
    /// ```
    #[must_use]
    pub fn text_of(&self, number: f64) -> Option<String> {
        let (least, most) = self.range()?;
        Some(match *self {
            Kind::Integer { .. } => format!("{}", number.round().clamp(least, most) as i64),
            Kind::Real { min, max } => {
                let magnitude = if number == 0.0 { 0 } else { number.abs().log10().floor() as i32 };
                let unit = 10f64.powi(DIGITS - 1 - magnitude);
                (((number * unit).round() / unit) as f32).clamp(min, max).to_string()
            }
            Kind::Word(_) => return None,
        })
    }
}

impl<P> Parameter<P> {
    /// Its default as text.
    #[must_use]
    pub fn default_text(&self) -> String
    where
        P: Default,
    {
        (self.get)(&P::default())
    }

    /// Its value as a number; `None` if it takes words.
    #[must_use]
    pub fn number(&self, params: &P) -> Option<f64> {
        self.kind.range()?;
        (self.get)(params).parse().ok()
    }
}

/// The parameter of a name, in whatever case.
#[must_use]
pub fn find<'a, P>(table: &'a [Parameter<P>], name: &str) -> Option<&'a Parameter<P>> {
    table.iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name))
}

/// Sets the parameter of that name from text.
pub fn set<P>(table: &[Parameter<P>], params: &mut P, name: &str, text: &str) -> Result<(), ParameterError> {
    let parameter = find(table, name).ok_or_else(|| ParameterError::Unknown(name.to_owned()))?;
    if (parameter.set)(params, text) {
        return Ok(());
    }
    let (name, expected) = (parameter.name, parameter.kind.expected());
    Err(ParameterError::Value { name, expected, found: text.to_owned() })
}

/// Names and values of all parameters that are not at their defaults.
pub fn changed<P: Default>(table: &[Parameter<P>], params: &P) -> Vec<(&'static str, String)> {
    let values = table.iter().map(|parameter| (parameter, (parameter.get)(params)));
    let changed = values.filter(|(parameter, value)| *value != parameter.default_text());
    changed.map(|(parameter, value)| (parameter.name, value)).collect()
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

    /// Every word.
    #[must_use]
    fn words() -> Vec<&'static str> {
        Self::WORDS.iter().map(|(word, _)| *word).collect()
    }
}

/// A number within bounds from text.
#[must_use]
pub fn number_within<T: std::str::FromStr + PartialOrd>(text: &str, min: T, max: T) -> Option<T> {
    text.trim().parse().ok().filter(|value| (min..=max).contains(value))
}

/// Declares a struct of parameters and its table in one place. Either whole numbers only, named as their fields, or
/// whole numbers, reals and words with names of their own.
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
                $($crate::numeric_parameter!($name, $field, stringify!($field), Integer, $min, $max, $meaning),)*
            ];
        }
    };
    ($(#[$doc:meta])* $name:ident {
        integers { $($integer:ident $integer_key:literal = $integer_default:literal in $integer_min:literal ..= $integer_max:literal, $integer_meaning:literal;)* }
        reals { $($real:ident $real_key:literal = $real_default:literal in $real_min:literal ..= $real_max:literal, $real_meaning:literal;)* }
        words { $($word:ident $word_key:literal: $type:ty = $word_default:expr, $word_meaning:literal;)* }
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $(#[doc = $integer_meaning] pub $integer: i32,)*
            $(#[doc = $real_meaning] pub $real: f32,)*
            $(#[doc = $word_meaning] pub $word: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($integer: $integer_default,)* $($real: $real_default,)* $($word: $word_default,)* }
            }
        }

        impl $name {
            /// Every parameter.
            pub const TABLE: &'static [$crate::params::Parameter<$name>] = &[
                $($crate::numeric_parameter!($name, $integer, $integer_key, Integer, $integer_min, $integer_max, $integer_meaning),)*
                $($crate::numeric_parameter!($name, $real, $real_key, Real, $real_min, $real_max, $real_meaning),)*
                $($crate::params::Parameter {
                    name: $word_key,
                    meaning: $word_meaning,
                    kind: $crate::params::Kind::Word(<$type as $crate::params::Words>::words),
                    get: |params: &$name| $crate::params::Words::word(params.$word).to_owned(),
                    set: |params: &mut $name, text| {
                        let value = <$type as $crate::params::Words>::of_word(text);
                        value.map(|value| params.$word = value).is_some()
                    },
                },)*
            ];
        }
    };
}

/// One entry of a table: a part of [`parameters!`].
#[doc(hidden)]
#[macro_export]
macro_rules! numeric_parameter {
    ($name:ident, $field:ident, $key:expr, $kind:ident, $min:literal, $max:literal, $meaning:literal) => {
        $crate::params::Parameter {
            name: $key,
            meaning: $meaning,
            kind: $crate::params::Kind::$kind { min: $min, max: $max },
            get: |params: &$name| params.$field.to_string(),
            set: |params: &mut $name, text| {
                let value = $crate::params::number_within(text, $min, $max);
                value.map(|value| params.$field = value).is_some()
            },
        }
    };
}

#[cfg(test)]
#[allow(missing_docs, unreachable_pub)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Way {
        Up,
        Down,
    }

    impl Words for Way {
        const WORDS: &'static [(&'static str, Self)] = &[("up", Way::Up), ("down", Way::Down)];
    }

    parameters! {
        /// A table of every kind.
        Made {
            integers { count "n" = 3 in -5 ..= 10, "how many"; }
            reals { rate "rate" = 0.5 in 0.0 ..= 2.0, "how fast"; }
            words { way "way": Way = Way::Up, "where to"; }
        }
    }

    #[test]
    fn texts_out_of_range_and_unknown_names_are_refused_with_what_would_be_right() {
        let mut made = Made::default();
        for (name, text) in [("n", "-5"), ("RATE", " 1.25 "), ("way", "Down")] {
            set(Made::TABLE, &mut made, name, text).unwrap();
        }
        assert_eq!(made, Made { count: -5, rate: 1.25, way: Way::Down });
        assert_eq!(
            changed(Made::TABLE, &made),
            [("n", "-5".to_owned()), ("rate", "1.25".to_owned()), ("way", "down".to_owned())]
        );
        for (name, text, error) in [
            ("n", "11", "n takes a number from -5 to 10, not '11'"),
            ("n", "1.5", "n takes a number from -5 to 10, not '1.5'"),
            ("rate", "NaN", "rate takes a number from 0 to 2, not 'NaN'"),
            ("way", "left", "way takes one of up, down, not 'left'"),
            ("no", "1", "there is no parameter 'no'"),
        ] {
            assert_eq!(set(Made::TABLE, &mut made, name, text).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn numbers_become_texts_that_their_parameters_take() {
        let made = Made::default();
        let [count, rate, way] = Made::TABLE else { panic!("three entries") };
        assert_eq!(
            (count.number(&made), rate.number(&made), way.number(&made)),
            (Some(3.0), Some(0.5), None)
        );
        for (parameter, number, text) in [
            (count, 2.6, "3"),
            (count, 99.0, "10"),
            (rate, 0.012_345_6, "0.01235"),
            (rate, 0.0, "0"),
            (rate, 1.999_99, "2"),
            (rate, 7.0, "2"),
        ] {
            assert_eq!(parameter.kind.text_of(number).unwrap(), text);
            assert!((parameter.set)(&mut Made::default(), text));
        }
    }
}
