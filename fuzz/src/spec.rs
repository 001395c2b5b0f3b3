//! Players' specs.

use engine::PlayerSpec;

/// A spec that is read is printed as one that is read as the same.
pub fn settles(text: &str) {
    let Ok(spec) = text.parse::<PlayerSpec>() else { return };
    let printed = spec.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(&spec), "{text:?} is printed as {printed:?}");
}
