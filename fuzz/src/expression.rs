//! Conditions over features.

use lab::curve::{Expression, Features};
use shogi::Position;

/// An expression that is read is printed as one that is read as the same, and has a value for any position.
pub fn settles(text: &str) {
    let Ok(expression) = text.parse::<Expression>() else { return };
    let printed = expression.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(&expression), "{text:?} is printed as {printed:?}");
    for features in [Features::UNKNOWN, Features::of(&Position::start(), 90, [1500.0, f32::NAN])] {
        let value = expression.value(&features);
        assert_eq!(expression.holds(&features), value != 0.0 && !value.is_nan(), "{text:?} is {value}");
    }
}
