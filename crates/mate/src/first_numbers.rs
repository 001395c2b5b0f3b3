//! The numbers of a position that has not been visited (df-pn+, Nagai and Imai 2002), by a class of the position.
//!
//! Per class the table has what a proof and a disproof took in positions of trees that the solver itself searched, each divided by how
//! often it came out so: `yomi learn mate` counts them, [`crate::Study`] makes the table of the counts.

use std::fmt;
use std::sync::LazyLock;

use shogi::attacks::king_attacks;
use shogi::{Color, Hand, Move, Position};

use crate::known::{Known, Number};

/// Classes of positions after a check, then those of positions after a reply.
pub(crate) const CLASSES: usize = CHECK_CLASSES + REPLY_CLASSES;
const CHECK_CLASSES: usize = STEPS * TAKERS * 2 * HANDS;
const REPLY_CLASSES: usize = REPLIES * NEAR * HANDS;
/// 0, 1, 2, 3 or more steps of the king, 0, 1, 2 or more others that take the checker.
const STEPS: usize = 5;
const TAKERS: usize = 3;
/// The king steps or takes, another piece takes, moves or is dropped in between.
const REPLIES: usize = 5;
/// 0, 1, 2 or more attackers beside the king.
const NEAR: usize = 3;
/// The attacker holds 0 or 1, 2 or 3, or more pieces.
const HANDS: usize = 3;

/// The numbers of positions that have not been visited, by their class: the table that is part of the program, unless another is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstNumbers([[Number; 2]; CLASSES]);

impl FirstNumbers {
    /// One for each: nothing is known of any class.
    #[must_use]
    pub fn ones() -> FirstNumbers {
        FirstNumbers([[1; 2]; CLASSES])
    }

    /// By class.
    pub(crate) fn of_classes(numbers: impl Fn(usize) -> [Number; 2]) -> FirstNumbers {
        FirstNumbers(std::array::from_fn(numbers))
    }

    /// What is known of a position of a class before it is visited.
    #[inline]
    pub(crate) fn of(&self, class: usize) -> Known {
        let [proof, disproof] = self.0[class];
        Known::open(proof, disproof)
    }
}

impl Default for FirstNumbers {
    fn default() -> FirstNumbers {
        static TABLE: LazyLock<FirstNumbers> = LazyLock::new(|| parse(include_str!("first_numbers.tsv")));
        TABLE.clone()
    }
}

/// A row for each class: its name, its numbers. The file is part of the program and tested.
fn parse(text: &str) -> FirstNumbers {
    let mut table = FirstNumbers::ones();
    for (row, line) in table.0.iter_mut().zip(text.lines().filter(|line| !line.starts_with('#'))) {
        for (number, column) in row.iter_mut().zip(line.split('\t').skip(1)) {
            *number = column.parse().unwrap_or(1);
        }
    }
    table
}

/// A line for each class: its name, its first proof and disproof number.
impl fmt::Display for FirstNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = self.0.iter().enumerate();
        rows.try_for_each(|(class, [proof, disproof])| writeln!(f, "{}\t{proof}\t{disproof}", name(class)))
    }
}

/// The class of a position in which the defender, in check, has these replies.
pub(crate) fn class_of_check(position: &Position, replies: &[Move]) -> usize {
    let defender = position.side();
    let king = position.king(defender);
    let (mut steps, mut takers, mut between) = (0, 0, false);
    for m in replies {
        if m.from().is_some() && m.from() == king {
            steps += 1;
        } else if position.checkers().has(m.to()) {
            takers += 1;
        } else {
            between = true;
        }
    }
    let class = steps.min(STEPS - 1) * TAKERS + takers.min(TAKERS - 1);
    (class * 2 + usize::from(between)) * HANDS + hand_class(position.hand(!defender))
}

/// The class of the position after a reply, in the position before it.
pub(crate) fn class_of_reply(position: &Position, m: Move) -> usize {
    let defender = position.side();
    let king = position.king(defender);
    let is_king = m.from().is_some() && m.from() == king;
    let reply = match (is_king, position.checkers().has(m.to()), m.is_drop()) {
        (true, _, _) => usize::from(position.piece(m.to()).is_some()),
        (false, true, _) => 2,
        (false, false, false) => 3,
        (false, false, true) => 4,
    };
    let near = if is_king { near(position, defender, Some(m.to())) } else { near(position, defender, king) };
    CHECK_CLASSES + (reply * NEAR + near) * HANDS + hand_class(position.hand(!defender))
}

/// Attackers beside a square.
fn near(position: &Position, defender: Color, king: Option<shogi::Square>) -> usize {
    king.map_or(0, |king| (king_attacks(king) & position.pieces(!defender)).count() as usize).min(NEAR - 1)
}

fn hand_class(hand: Hand) -> usize {
    let pieces: u8 = hand.counts().into_iter().sum();
    usize::from(pieces / 2).min(HANDS - 1)
}

/// The level of each feature of a class, told apart from those of other features; checks and replies have none in common.
pub(crate) fn levels(class: usize) -> Vec<usize> {
    let mut first = 0;
    let mut of_feature = |level: usize, levels: usize| {
        first += levels;
        first - levels + level
    };
    let (hand, rest) = (of_feature(class % HANDS, HANDS), class / HANDS);
    match class.checked_sub(CHECK_CLASSES) {
        None => vec![
            hand,
            of_feature(rest % 2, 2),
            of_feature(rest / 2 % TAKERS, TAKERS),
            of_feature(rest / 2 / TAKERS, STEPS),
        ],
        Some(reply) => {
            vec![hand, of_feature(reply / HANDS % NEAR, NEAR), of_feature(reply / HANDS / NEAR, REPLIES)]
        }
    }
}

/// Whether positions of a class are those after a check.
pub(crate) fn is_check(class: usize) -> bool {
    class < CHECK_CLASSES
}

/// What a class is, for the table.
pub(crate) fn name(class: usize) -> String {
    let hand = ["0-1", "2-3", "4-"][class % HANDS];
    let Some(reply) = class.checked_sub(CHECK_CLASSES) else {
        let between = ["", " between"][class / HANDS % 2];
        let (takers, steps) = (class / HANDS / 2 % TAKERS, class / HANDS / 2 / TAKERS);
        return format!("check: steps {steps} takers {takers}{between} hand {hand}");
    };
    let near = reply / HANDS % NEAR;
    let kind =
        ["king steps", "king takes", "taken", "moved between", "dropped between"][reply / HANDS / NEAR];
    format!("reply: {kind} near {near} hand {hand}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_class_in_order() {
        let text = include_str!("first_numbers.tsv");
        let rows: String =
            text.lines().filter(|line| !line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
        let table = FirstNumbers::default();
        assert_eq!(table.to_string(), rows);
        assert!(table.0.iter().flatten().all(|&number| number > 0 && number < 4096));
    }

    #[test]
    fn classes_tell_what_can_be_done_about_a_check() {
        let mut position: Position = "4k4/9/9/9/9/9/9/9/4K4 b RP 1".parse().unwrap();
        position.play("R*5e".parse().unwrap());
        let class = class_of_check(&position, &position.legal_moves());
        assert_eq!(name(class), "check: steps 4 takers 0 hand 0-1");
        let class = class_of_reply(&position, "5a4a".parse().unwrap());
        assert_eq!(name(class), "reply: king steps near 0 hand 0-1");
    }
}
