//! From the numbers of the children to those of a position, and to the limits of the next child.
//!
//! df-pn (Nagai 2002): the least number of one kind, the sum of the other. Limits grow by a share, not by one (1 + epsilon, Pawlewicz and
//! Lew 2007). Sums count twice what can be reached by several ways, and grow without end in circles, so:
//!
//! - Of children that were first met nearer to the root, which may lead in circles, only the greatest counts (df-pn(r), Kishimoto and
//!   Müller 2003).
//! - Of pieces dropped in between, only the greatest counts, whatever the square: what is dropped is taken, and then the same mate
//!   follows.
//! - All children but the greatest add no more than [`MOST_OTHERS`]. Small numbers are sums, which tell positions apart best; great ones
//!   become weak proof numbers (Ueda, Hashimoto, Hashimoto, Iida 2008: the greatest and a little for the others), which cannot explode.

use shogi::Move;

use crate::crew::with_threads_below;
use crate::known::{DISPROOF, Known, NEVER, Number, PROOF};
use crate::table::PositionKey;

/// Whose move it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mover {
    /// One move must mate: an OR node.
    Attacker,
    /// All moves must be answered: an AND node.
    Defender,
}

impl Mover {
    /// The number of which the mover needs the least of all children.
    pub(crate) const fn own(self) -> usize {
        match self {
            Mover::Attacker => PROOF,
            Mover::Defender => DISPROOF,
        }
    }

    pub(crate) const fn other(self) -> Mover {
        match self {
            Mover::Attacker => Mover::Defender,
            Mover::Defender => Mover::Attacker,
        }
    }
}

/// A move and what is known of the position after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) m: Move,
    /// The child that must fail before this one is looked at; its own place if there is none.
    pub(crate) waits_for: u16,
    /// With which children it is counted as one.
    pub(crate) group: Group,
    /// How many other threads are below it.
    pub(crate) threads_below: u8,
    /// The logarithm of the positions visited below it the last time.
    pub(crate) work: u8,
    pub(crate) key: PositionKey,
    pub(crate) known: Known,
}

/// Children that are likely to lead to the same positions: of a group only the greatest counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Group {
    /// Counts for itself.
    None,
    /// The position after it has been met nearer to the root.
    Old,
    /// A piece is dropped in between.
    Between,
}

/// What the children of a position come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sum {
    /// `[PROOF]` and `[DISPROOF]` of the position.
    pub(crate) numbers: [Number; 2],
    /// The child to go to: with the least own number.
    pub(crate) best: usize,
    /// The own number of the best, and of the next best as other threads have it seem.
    first: Number,
    second: Number,
    /// What the open children besides the best add to the other number.
    others: Number,
}

/// The share by which the limit of a child is greater than the next best number: one part in so many.
const EPSILON: Number = 4;
/// What all children but the greatest add at most.
const MOST_OTHERS: Number = 4096;
/// What a child counts at most, so that sums stay below [`NEVER`].
const GREATEST: Number = NEVER - 1 - MOST_OTHERS;

impl Sum {
    /// Over all children that do not wait.
    pub(crate) fn of(mover: Mover, children: &[Child]) -> Sum {
        let (own, all) = (mover.own(), mover.other().own());
        let mut sum = Sum { numbers: [NEVER; 2], best: 0, first: NEVER, second: NEVER, others: 0 };
        let (mut least, mut tie, mut total, mut greatest, mut groups) = (NEVER, NEVER, 0, 0, [0; 3]);
        for (i, child) in children.iter().enumerate() {
            let numbers = child.known.numbers;
            if numbers[own] == 0 {
                sum.best = i;
                sum.numbers[own] = 0;
                sum.numbers[all] = NEVER;
                return sum;
            }
            let before = usize::from(child.waits_for);
            if numbers[all] == 0 || before != i && children[before].known.numbers[all] != 0 {
                continue;
            }
            let number = numbers[all].min(GREATEST);
            greatest = number.max(greatest);
            total += match child.group {
                Group::None => number,
                group => {
                    let before = groups[group as usize];
                    groups[group as usize] = number.max(before);
                    number.saturating_sub(before)
                }
            };
            sum.numbers[own] = sum.numbers[own].min(numbers[own]);
            let seeming = with_threads_below(numbers[own], child.threads_below.into());
            if seeming < least || seeming == least && numbers[all] < tie {
                (sum.first, sum.second, sum.best) = (numbers[own], least, i);
                (least, tie) = (seeming, numbers[all]);
            } else {
                sum.second = sum.second.min(seeming);
            }
        }
        if total == 0 {
            sum.numbers[all] = 0;
            return sum;
        }
        let counted = match children[sum.best].group {
            Group::None => children[sum.best].known.numbers[all].min(GREATEST),
            group => groups[group as usize],
        };
        sum.others = (total - counted).min(MOST_OTHERS);
        sum.numbers[all] = greatest + (total - greatest).min(MOST_OTHERS);
        sum
    }

    /// The limits of the best child, from those of its parent.
    pub(crate) fn limits(&self, mover: Mover, limits: [Number; 2]) -> [Number; 2] {
        let (own, all) = (mover.own(), mover.other().own());
        let mut child = [0; 2];
        // A child that is best only since others are at work on a better one is searched a little, whatever the limit.
        child[own] =
            limits[own].min(self.second.saturating_add(1 + self.second / EPSILON)).max(self.first + 1);
        child[all] = if limits[all] == NEVER { NEVER } else { limits[all] - self.others };
        child
    }
}

#[cfg(test)]
mod tests {
    use shogi::Hand;

    use super::*;

    fn children(numbers: &[[Number; 2]]) -> Vec<Child> {
        let key = PositionKey { board_key: 0, hand: Hand::EMPTY };
        let m: Move = "7g7f".parse().unwrap();
        let child = |(i, n): (usize, &[Number; 2])| Child {
            m,
            waits_for: i as u16,
            group: Group::None,
            threads_below: 0,
            work: 0,
            key,
            known: Known::open(n[0], n[1]),
        };
        numbers.iter().enumerate().map(child).collect()
    }

    #[test]
    fn the_attacker_needs_the_least_proof_and_the_defender_the_least_disproof() {
        let children = children(&[[3, 4], [2, 7], [NEVER, 0]]);
        let sum = Sum::of(Mover::Attacker, &children);
        assert_eq!((sum.numbers, sum.best), ([2, 11], 1));
        assert_eq!(sum.limits(Mover::Attacker, [NEVER, 20]), [4, 16]);
        let sum = Sum::of(Mover::Defender, &children[..2]);
        assert_eq!((sum.numbers, sum.best), ([5, 4], 0));
    }

    #[test]
    fn one_child_or_all_of_them_solve_a_position() {
        let children = children(&[[0, NEVER], [5, 5], [NEVER, 0]]);
        assert_eq!(Sum::of(Mover::Attacker, &children).numbers, [0, NEVER]);
        assert_eq!(Sum::of(Mover::Defender, &children).numbers, [NEVER, 0]);
        assert_eq!(Sum::of(Mover::Attacker, &children[2..]).numbers, [NEVER, 0]);
        assert_eq!(Sum::of(Mover::Defender, &children[..1]).numbers, [0, NEVER]);
        assert_eq!(Sum::of(Mover::Defender, &[]).numbers, [0, NEVER]);
    }

    #[test]
    fn a_child_waits_until_the_one_before_it_fails() {
        let mut children = children(&[[3, 4], [1, 1]]);
        children[1].waits_for = 0;
        assert_eq!(Sum::of(Mover::Attacker, &children).numbers, [3, 4]);
        children[0].known = Known::open(NEVER, 0);
        assert_eq!(Sum::of(Mover::Attacker, &children).numbers, [1, 1]);
    }

    #[test]
    fn of_children_met_nearer_to_the_root_the_greatest_counts() {
        let mut children = children(&[[3, 4], [4, 7], [5, 2]]);
        children[1].group = Group::Old;
        children[2].group = Group::Old;
        let sum = Sum::of(Mover::Attacker, &children);
        assert_eq!(sum.numbers, [3, 11]);
        assert_eq!(sum.limits(Mover::Attacker, [NEVER, 20])[DISPROOF], 13);
    }

    #[test]
    fn the_best_of_a_group_may_grow_as_far_as_the_greatest_for_nothing() {
        let mut children = children(&[[6, 2], [9, 3], [4, 5], [1, 6]]);
        children[0].group = Group::Between;
        children[1].group = Group::Between;
        children[3].group = Group::Old;
        let sum = Sum::of(Mover::Defender, &children);
        assert_eq!((sum.numbers, sum.best), ([14, 2], 0));
        assert_eq!(sum.limits(Mover::Defender, [20, NEVER])[PROOF], 15);
    }

    #[test]
    fn a_child_with_threads_below_it_seems_harder_but_counts_as_it_is() {
        let mut children = children(&[[4, 1], [5, 1]]);
        children[0].threads_below = 1;
        let sum = Sum::of(Mover::Attacker, &children);
        assert_eq!((sum.numbers, sum.best), ([4, 2], 1));
        assert_eq!(sum.limits(Mover::Attacker, [5, 20]), [6, 19]);
    }

    #[test]
    fn great_numbers_leave_room_for_the_next_child() {
        let children = children(&[[NEVER - 1, NEVER - 1], [NEVER - 1, NEVER - 1], [NEVER - 1, 5]]);
        for mover in [Mover::Attacker, Mover::Defender] {
            let sum = Sum::of(mover, &children);
            assert!(sum.numbers.iter().all(|&number| number > 0 && number < NEVER), "{sum:?}");
            let limits = sum.limits(mover, [NEVER; 2]);
            let best = children[sum.best].known.numbers;
            assert!(limits[0] > best[0] && limits[1] > best[1], "{limits:?} for {best:?}");
        }
    }
}
