//! Whether a value fits what a program declares about its option.

use protocol::usi::{OptionDeclaration, OptionKind};

/// Options that every program knows, declared or not: the protocol says so.
const IMPLIED: [&str; 2] = ["USI_Hash", "USI_Ponder"];

/// What a value should have been; `None` if it fits.
pub(super) fn expected(option: &OptionDeclaration, value: &str) -> Option<String> {
    match &option.kind {
        OptionKind::Check { .. } => (!["true", "false"].contains(&value)).then(|| "true or false".to_owned()),
        OptionKind::Spin { min, max, .. } => {
            let fits = value.parse::<i64>().is_ok_and(|number| (min..=max).contains(&&number));
            (!fits).then(|| format!("a whole number from {min} to {max}"))
        }
        OptionKind::Combo { choices, .. } => {
            (!choices.iter().any(|choice| choice == value)).then(|| format!("one of {}", choices.join(", ")))
        }
        OptionKind::Button | OptionKind::Text { .. } | OptionKind::File { .. } => None,
    }
}

/// Whether a program that declares these options takes one of this name.
pub(super) fn is_known(options: &[OptionDeclaration], name: &str) -> bool {
    let is_implied = IMPLIED.iter().any(|implied| implied.eq_ignore_ascii_case(name));
    is_implied || options.iter().any(|option| option.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_held_against_type_and_range() {
        let of = |kind: OptionKind, value: &str| {
            expected(&OptionDeclaration { name: "Option".to_owned(), kind }, value)
        };
        let check = OptionKind::Check { default: true };
        assert_eq!(of(check.clone(), "false"), None);
        assert_eq!(of(check, "yes").unwrap(), "true or false");
        let spin = OptionKind::Spin { default: 1, min: 1, max: 512 };
        assert_eq!(of(spin.clone(), "512"), None);
        for wrong in ["0", "513", "many", "1.5", ""] {
            assert_eq!(of(spin.clone(), wrong).unwrap(), "a whole number from 1 to 512", "{wrong}");
        }
        let choices = ["a", "b"].map(str::to_owned).to_vec();
        let combo = OptionKind::Combo { default: "a".to_owned(), choices };
        assert_eq!(of(combo.clone(), "b"), None);
        assert_eq!(of(combo, "c").unwrap(), "one of a, b");
        assert_eq!(of(OptionKind::File { default: String::new() }, "/none"), None);
        assert!(is_known(&[], "usi_hash") && !is_known(&[], "Threads"));
    }
}
