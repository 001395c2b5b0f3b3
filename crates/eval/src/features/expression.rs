//! Conditions over features: `ply >= 60 && abs(material) < 200 && !in_check`.
//!
//! From loose to tight: `||`, `&&`, `!`, comparisons, `+ -`, `* /`, sign. Functions: `abs(x)`, `min(x, y)`,
//! `max(x, y)`. What is not 0 is true; whatever involves a number that is not known is not.

use std::fmt;
use std::str::FromStr;

use super::{Feature, FeatureSource};

/// An expression over features.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    root: Node,
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(f64),
    Feature(Feature),
    Not(Box<Node>),
    Negative(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    Abs(Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Unequal,
    Add,
    Subtract,
    Multiply,
    Divide,
    Min,
    Max,
}

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}', at character {at}: expected {expected}, found {found}")]
#[allow(missing_docs)]
pub struct ExpressionError {
    text: String,
    at: usize,
    expected: String,
    found: String,
}

impl Expression {
    /// Its value for a position.
    #[must_use]
    pub fn value(&self, features: &impl FeatureSource) -> f64 {
        self.root.value(features)
    }

    /// Whether it holds for a position.
    #[must_use]
    pub fn holds(&self, features: &impl FeatureSource) -> bool {
        is_true(self.value(features))
    }

    /// The features that it asks for, as often as it names them.
    #[must_use]
    pub fn features(&self) -> Vec<Feature> {
        let mut found = Vec::new();
        self.root.collect_features(&mut found);
        found
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn is_true(value: f64) -> bool {
    value != 0.0 && !value.is_nan()
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

impl Node {
    fn collect_features(&self, found: &mut Vec<Feature>) {
        match self {
            Node::Number(_) => {}
            Node::Feature(feature) => found.push(*feature),
            Node::Not(node) | Node::Negative(node) | Node::Abs(node) => node.collect_features(found),
            Node::Binary(_, a, b) => [a, b].into_iter().for_each(|node| node.collect_features(found)),
        }
    }

    fn value(&self, features: &impl FeatureSource) -> f64 {
        match self {
            Node::Number(number) => *number,
            Node::Feature(feature) => features.get(*feature),
            Node::Not(node) => {
                let value = node.value(features);
                if value.is_nan() { value } else { truth(value == 0.0) }
            }
            Node::Negative(node) => -node.value(features),
            Node::Abs(node) => node.value(features).abs(),
            Node::Binary(operator, a, b) => operator.apply(a.value(features), b.value(features)),
        }
    }
}

impl Operator {
    fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Operator::Or => truth(is_true(a) || is_true(b)),
            Operator::And => truth(is_true(a) && is_true(b)),
            _ if a.is_nan() || b.is_nan() => f64::NAN,
            Operator::Less => truth(a < b),
            Operator::LessOrEqual => truth(a <= b),
            Operator::Greater => truth(a > b),
            Operator::GreaterOrEqual => truth(a >= b),
            Operator::Equal => truth(a == b),
            Operator::Unequal => truth(a != b),
            Operator::Add => a + b,
            Operator::Subtract => a - b,
            Operator::Multiply => a * b,
            Operator::Divide => a / b,
            Operator::Min => a.min(b),
            Operator::Max => a.max(b),
        }
    }
}

/// Operators by how tightly they bind, the loosest first; longer spellings before their beginnings.
const LEVELS: [&[(&str, Operator)]; 5] = [
    &[("||", Operator::Or)],
    &[("&&", Operator::And)],
    &[
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide)],
];
/// The level below which `!` stands: it negates whole comparisons.
const COMPARISONS: usize = 2;
/// Parentheses and signs deeper than this are a mistake, and would exhaust the stack.
const DEEPEST: usize = 100;
/// Texts of more bytes are a mistake too: each operator makes the tree of the expression deeper.
const LONGEST: usize = 4096;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        if text.len() > LONGEST {
            return Err(parser.error(format!("at most {LONGEST} bytes")));
        }
        let root = parser.level(0)?;
        parser.skip_spaces();
        if parser.at < text.len() {
            return Err(parser.error("an operator or the end"));
        }
        Ok(Expression { text: text.trim().to_owned(), root })
    }
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, word: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn error(&self, expected: impl Into<String>) -> ExpressionError {
        let rest = self.rest();
        let word: String = rest.chars().take_while(|c| !c.is_whitespace()).take(20).collect();
        ExpressionError {
            text: self.text.to_owned(),
            at: self.text[..self.at].chars().count() + 1,
            expected: expected.into(),
            found: if word.is_empty() { "the end".to_owned() } else { format!("'{word}'") },
        }
    }

    fn level(&mut self, level: usize) -> Result<Node, ExpressionError> {
        let Some(operators) = LEVELS.get(level) else { return self.signed() };
        if level == COMPARISONS && self.take_not() {
            return Ok(Node::Not(Box::new(self.deeper(|parser| parser.level(level))?)));
        }
        let mut left = self.level(level + 1)?;
        while let Some(&(_, operator)) = operators.iter().find(|(word, _)| self.take(word)) {
            let right = self.level(level + 1)?;
            left = Node::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn take_not(&mut self) -> bool {
        self.skip_spaces();
        !self.rest().starts_with("!=") && self.take("!")
    }

    fn signed(&mut self) -> Result<Node, ExpressionError> {
        self.deeper(|parser| {
            if parser.take("-") { Ok(Node::Negative(Box::new(parser.signed()?))) } else { parser.operand() }
        })
    }

    /// Reads what is inside of something.
    fn deeper(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Node, ExpressionError>,
    ) -> Result<Node, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("fewer parentheses"));
        }
        let node = read(self)?;
        self.depth -= 1;
        Ok(node)
    }

    fn operand(&mut self) -> Result<Node, ExpressionError> {
        if self.take("(") {
            let node = self.level(0)?;
            return if self.take(")") { Ok(node) } else { Err(self.error("')'")) };
        }
        self.skip_spaces();
        let rest = self.rest();
        let word: String =
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')).collect();
        if let Ok(number) = word.parse::<f64>()
            && word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        {
            self.at += word.len();
            return Ok(Node::Number(number));
        }
        if let Some(feature) = Feature::named(&word) {
            self.at += word.len();
            return Ok(Node::Feature(feature));
        }
        let function = match word.as_str() {
            "abs" => None,
            "min" => Some(Operator::Min),
            "max" => Some(Operator::Max),
            _ => {
                let names: Vec<&str> = Feature::ALL.iter().map(|(_, name, _)| *name).collect();
                return Err(
                    self.error(format!("a number, '(', abs, min, max or one of {}", names.join(", ")))
                );
            }
        };
        self.at += word.len();
        self.call(function)
    }

    fn call(&mut self, operator: Option<Operator>) -> Result<Node, ExpressionError> {
        if !self.take("(") {
            return Err(self.error("'('"));
        }
        let first = Box::new(self.level(0)?);
        let node = match operator {
            None => Node::Abs(first),
            Some(_) if !self.take(",") => return Err(self.error("','")),
            Some(operator) => Node::Binary(operator, first, Box::new(self.level(0)?)),
        };
        if self.take(")") { Ok(node) } else { Err(self.error("')'")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Features;
    use shogi::Position;

    fn value(text: &str) -> f64 {
        text.parse::<Expression>().unwrap().value(&Features::of(&Position::start(), 3, [f32::NAN; 2]))
    }

    #[test]
    fn operators_bind_as_usual() {
        for (text, expected) in [
            ("1 + 2 * 3 - 4 / 2", 5.0),
            ("-(2 - 5) * 2", 6.0),
            ("1 < 2 && 2 < 1 || 3 >= 3", 1.0),
            ("!ply == 1", 0.0),
            ("!(ply > 1) && left == 3", 1.0),
            ("abs(-3) + min(1, 2) + max(1, 2)", 6.0),
            ("moves != 30", 0.0),
            ("5 - 3 - 1", 1.0),
            ("progress*100", 0.0),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_true() {
        let features = Features::of(&Position::start(), 3, [f32::NAN; 2]);
        for text in ["rating > 1000", "rating <= 1000", "!(rating > 1000)", "rating == rating"] {
            assert!(!text.parse::<Expression>().unwrap().holds(&features), "{text}");
        }
        assert!("rating > 1000 || ply == 1".parse::<Expression>().unwrap().holds(&features));
    }

    #[test]
    fn refusals_name_place_and_remedy() {
        for (text, expected) in [
            ("ply >", "at character 6: expected a number"),
            ("pli > 3", "one of ply, left, progress"),
            ("(ply > 3", "expected ')', found the end"),
            ("ply 3", "at character 5: expected an operator or the end, found '3'"),
            ("min(1)", "expected ','"),
            ("", "found the end"),
        ] {
            let error = text.parse::<Expression>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!("(".repeat(5000).parse::<Expression>().is_err());
        assert!("-".repeat(5000).parse::<Expression>().is_err());
    }
}
