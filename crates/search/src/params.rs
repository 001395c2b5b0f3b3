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
pub(crate) use parameters;
