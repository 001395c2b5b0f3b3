//! `option`: what can be set.

use std::fmt;

/// Something that can be set. Boards split these lines at single spaces: names and defaults have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// Its name, without spaces.
    pub name: String,
    /// Its type and its default.
    pub kind: OptionKind,
}

/// The type of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// Its default.
        default: bool,
    },
    /// A number.
    Spin {
        /// Its default.
        default: i64,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// Its default.
        default: String,
        /// All of them.
        choices: Vec<String>,
    },
    /// Something to do now.
    Button,
    /// A text.
    Text {
        /// Its default.
        default: String,
    },
    /// A path.
    File {
        /// Its default.
        default: String,
    },
}

const EMPTY: &str = "<empty>";

impl OptionDeclaration {
    /// Reads what follows the word `option`.
    pub(super) fn parse(rest: &str) -> Option<OptionDeclaration> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let at = words.iter().position(|&word| word == "type")?;
        let (["name", name @ ..], ["type", kind, fields @ ..]) = words.split_at(at) else { return None };
        let name = Some(name.join(" ")).filter(|name| !name.is_empty())?;
        Some(OptionDeclaration { name, kind: OptionKind::parse(kind, fields)? })
    }
}

/// The words after `key`, up to the next key.
fn field(fields: &[&str], key: &str) -> Option<String> {
    let at = fields.iter().position(|&word| word == key)?;
    let values = fields[at + 1..].iter().take_while(|word| !["default", "min", "max", "var"].contains(word));
    Some(values.copied().collect::<Vec<_>>().join(" "))
}

impl OptionKind {
    fn parse(kind: &str, fields: &[&str]) -> Option<OptionKind> {
        let text =
            || Some(field(fields, "default")?).map(|text| if text == EMPTY { String::new() } else { text });
        Some(match kind {
            "check" => OptionKind::Check { default: field(fields, "default")? == "true" },
            "spin" => {
                let number = |key| field(fields, key).and_then(|text| text.parse::<i64>().ok());
                let default = number("default")?;
                let (min, max) = (number("min").unwrap_or(i64::MIN), number("max").unwrap_or(i64::MAX));
                OptionKind::Spin { default, min, max }
            }
            "combo" => {
                let starts = (0..fields.len()).filter(|&i| fields[i] == "var");
                let choices = starts.filter_map(|i| field(&fields[i..], "var")).collect();
                OptionKind::Combo { default: text()?, choices }
            }
            "button" => OptionKind::Button,
            "string" => OptionKind::Text { default: text().unwrap_or_default() },
            "filename" => OptionKind::File { default: text().unwrap_or_default() },
            _ => return None,
        })
    }
}

fn shown(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {}", shown(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } => write!(f, "string default {}", shown(default)),
            OptionKind::File { default } => write!(f, "filename default {}", shown(default)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_written_as_they_were_read() {
        for text in [
            "option name USI_Ponder type check default false",
            "option name USI_Hash type spin default 256 min 1 max 65536",
            "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule27",
            "option name Clear type button",
            "option name EvalDir type string default eval",
            "option name BookFile type filename default <empty>",
        ] {
            let declaration = OptionDeclaration::parse(text.strip_prefix("option ").unwrap()).unwrap();
            assert_eq!(declaration.to_string(), text);
        }
        assert_eq!(OptionDeclaration::parse("name X type fancy default 3"), None);
        assert_eq!(OptionDeclaration::parse("type spin default 3"), None);
    }
}
