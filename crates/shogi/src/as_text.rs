//! Values by serde: as the text that they are printed as and parsed from.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde_core::de::{Deserialize, Deserializer, Error, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::{Color, DeclarationRule, Move, Setup};

struct TextOf<T>(PhantomData<T>, &'static str);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextOf<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Serde by `Display` and `FromStr`.
macro_rules! as_text {
    ($($name:ty, $expected:literal;)*) => {
        $(impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(TextOf(PhantomData, $expected))
            }
        })*
    };
}

as_text! {
    Color, "Black or White";
    Move, "a move as USI writes it";
    Setup, "an SFEN";
    DeclarationRule, "the name of a declaration rule";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_text_that_they_print() {
        fn check<T: Serialize + for<'a> Deserialize<'a> + PartialEq + fmt::Display + fmt::Debug>(value: &T) {
            let json = serde_json::to_string(value).unwrap();
            assert_eq!(json, format!("\"{value}\""));
            assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value);
        }
        Color::ALL.iter().for_each(check);
        DeclarationRule::NAMES.iter().for_each(|(rule, _)| check(rule));
        check(&crate::Position::start().setup());
        ["7g7f", "8h2b+", "P*5e"].iter().for_each(|text| check::<Move>(&text.parse().unwrap()));
        let error = serde_json::from_str::<Move>("\"7g\"").unwrap_err().to_string();
        assert!(error.contains("7g"), "{error}");
        let error = serde_json::from_str::<Color>("7").unwrap_err().to_string();
        assert!(error.contains("expected Black or White"), "{error}");
    }
}
