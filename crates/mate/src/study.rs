//! First numbers from trees that the solver searched itself.
//!
//! Positions drawn at random from the trees are solved each on its own. A class of them (see [`crate::first_numbers`]) is as hard to
//! prove as the mean logarithm of the positions that its proofs took, and as the share of it that was proven: the first number is their
//! quotient, the work until one more proof is found. Disproofs likewise.
//!
//! Rare classes lean on what is common to all: a regression of the logarithms on the features of a class (steps, takers, hand, ...), each
//! with an effect of its own, says what a class should come to, and counts as much as some positions of it.

use shogi::{Color, Position};

use crate::first_numbers::{CLASSES, FirstNumbers, is_check, levels};
use crate::known::{DISPROOF, Known, PROOF, UNLIMITED};
use crate::search::Watch;
use crate::solver::Solver;

/// What is known so far of every class.
pub struct Study {
    classes: Vec<Class>,
    mates: u64,
    random: u64,
}

/// What came of the positions of a class.
#[derive(Clone, Copy, Default)]
struct Class {
    drawn: f64,
    /// `[PROOF]`, `[DISPROOF]`: how many came out so, and the sum of the logarithms of the positions that took.
    solved: [f64; 2],
    logarithms: [f64; 2],
}

/// Positions drawn from a tree.
pub(crate) struct Draw {
    random: u64,
    seen: u64,
    drawn: Vec<Drawn>,
}

/// A position, its class, and who attacks.
pub(crate) struct Drawn {
    class: usize,
    position: Position,
    attacker: Color,
}

/// Positions to visit in the tree that is drawn from, and for each position drawn.
const NODES: u64 = 3_000;
/// Positions drawn from a tree.
const DRAWN: usize = 12;
/// How many positions of a class the regression counts as much as.
const PRIOR: f64 = 20.0;
/// How often the effects of the regression are fitted in turn, each to what the others leave.
const SWEEPS: usize = 50;
/// A number is the work to this power, in quarters.
const POWER: f64 = 0.5;
const UNIT: f64 = 4.0;

impl Study {
    /// Nothing yet. The same seed, positions and first numbers of the solver give the same table.
    #[must_use]
    pub fn new(seed: u64) -> Study {
        Study { classes: vec![Class::default(); CLASSES], mates: 0, random: seed }
    }

    /// Searches a position for a mate, and if there is one, solves some positions of the tree that found it.
    pub fn add(&mut self, solver: &mut Solver, position: &Position) {
        self.random = self.random.wrapping_add(1);
        let draw = Draw { random: crate::way::mix(self.random), seen: 0, drawn: Vec::new() };
        let (root, _, draw) = solver.study(position, position.side(), Some(draw), NODES);
        if !root.is_mate() {
            return;
        }
        self.mates += 1;
        for Drawn { class, position, attacker } in draw.into_iter().flat_map(|draw| draw.drawn) {
            let (known, nodes, _) = solver.study(&position, attacker, None, NODES);
            let class = &mut self.classes[class];
            class.drawn += 1.0;
            for which in [PROOF, DISPROOF] {
                if known.numbers[which] == 0 {
                    class.solved[which] += 1.0;
                    class.logarithms[which] += (nodes as f64).ln();
                }
            }
        }
    }

    /// How many mates were found.
    #[must_use]
    pub fn mates(&self) -> u64 {
        self.mates
    }

    /// How many positions were drawn.
    #[must_use]
    pub fn drawn(&self) -> u64 {
        self.classes.iter().map(|class| class.drawn).sum::<f64>() as u64
    }

    /// The first numbers that follow.
    #[must_use]
    pub fn first_numbers(&self) -> FirstNumbers {
        let [proof, disproof] = [PROOF, DISPROOF].map(|which| {
            let mut numbers = self.numbers(which, true);
            numbers.extend(self.numbers(which, false));
            numbers
        });
        FirstNumbers::of_classes(|class| [proof[class], disproof[class]])
    }

    /// The numbers of all classes of checks, or of replies.
    fn numbers(&self, which: usize, of_checks: bool) -> Vec<u32> {
        let classes: Vec<usize> = (0..CLASSES).filter(|&class| is_check(class) == of_checks).collect();
        let all = classes.iter().fold(Class::default(), |all, &class| all.plus(self.classes[class]));
        let one_more = all.scaled(1.0 / all.drawn.max(1.0));
        let rows: Vec<Row> = classes
            .iter()
            .map(|&class| {
                let counted = self.classes[class];
                Row {
                    levels: levels(class),
                    weight: counted.drawn,
                    value: counted.plus(one_more).work(which).ln(),
                }
            })
            .collect();
        let expected = additive_fit(&rows);
        let value = |(row, expected): (&Row, &f64)| {
            (row.value * row.weight + expected * PRIOR) / (row.weight + PRIOR)
        };
        rows.iter().zip(&expected).map(value).map(|value| in_units(value.exp())).collect()
    }
}

/// A class for the regression: the levels of its features, the logarithm of its work, and how many positions tell it.
struct Row {
    levels: Vec<usize>,
    weight: f64,
    value: f64,
}

/// What each row should come to by the mean of all and the effects of its levels, by least squares; effects that few positions tell are
/// small.
fn additive_fit(rows: &[Row]) -> Vec<f64> {
    let weights: f64 = rows.iter().map(|row| row.weight).sum();
    let mean = rows.iter().map(|row| row.weight * row.value).sum::<f64>() / weights.max(1.0);
    let count = rows.iter().flat_map(|row| &row.levels).max().map_or(0, |&last| last + 1);
    let mut effects = vec![0.0; count];
    let fitted =
        |effects: &[f64], row: &Row| mean + row.levels.iter().map(|&level| effects[level]).sum::<f64>();
    for level in (0..SWEEPS).flat_map(|_| 0..count) {
        let (mut left, mut weight) = (0.0, 1.0);
        for row in rows.iter().filter(|row| row.levels.contains(&level)) {
            left += row.weight * (row.value - fitted(&effects, row) + effects[level]);
            weight += row.weight;
        }
        effects[level] = left / weight;
    }
    rows.iter().map(|row| fitted(&effects, row)).collect()
}

/// Work as a first number.
fn in_units(work: f64) -> u32 {
    (work.powf(POWER) * UNIT).round().clamp(1.0, 4095.0) as u32
}

impl Class {
    fn plus(self, other: Class) -> Class {
        let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        Class {
            drawn: self.drawn + other.drawn,
            solved: add(self.solved, other.solved),
            logarithms: add(self.logarithms, other.logarithms),
        }
    }

    fn scaled(self, by: f64) -> Class {
        let times = |a: [f64; 2]| a.map(|x| x * by);
        Class { drawn: self.drawn * by, solved: times(self.solved), logarithms: times(self.logarithms) }
    }

    /// Positions until one more is proven or disproven.
    fn work(&self, which: usize) -> f64 {
        let solved = self.solved[which].max(0.1);
        (self.logarithms[which] / solved).exp() * self.drawn.max(0.1) / solved
    }
}

impl Draw {
    /// Maybe takes a position that is met for the first time: each of them with the same chance (reservoir sampling).
    pub(crate) fn meet(&mut self, class: usize, position: &Position, attacker: Color) {
        self.seen += 1;
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let place = ((self.random >> 33) % self.seen) as usize;
        if place < DRAWN {
            let drawn = Drawn { class, position: position.clone(), attacker };
            if self.drawn.len() < DRAWN { self.drawn.push(drawn) } else { self.drawn[place] = drawn }
        }
    }
}

impl Solver {
    /// Searches a position, of either mover, afresh.
    fn study(
        &mut self,
        position: &Position,
        attacker: Color,
        draw: Option<Draw>,
        nodes: u64,
    ) -> (Known, u64, Option<Draw>) {
        self.clear();
        let mut never = |_| false;
        let mut searcher = self.searcher(position, attacker, Watch { nodes, interrupted: &mut never });
        searcher.draw = draw;
        let known = searcher.prove(UNLIMITED);
        (known, searcher.nodes(), searcher.draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_positions_give_the_same_table_and_only_mates_are_learned_from() {
        let table = || {
            let mut solver = Solver::new(1).unwrap();
            let mut study = Study::new(7);
            study.add(&mut solver, &"7nl/7k1/6ppp/9/9/9/9/9/4K4 b 2G2R 1".parse().unwrap());
            study.add(&mut solver, &Position::start());
            assert_eq!(study.mates(), 1);
            (study.drawn(), study.first_numbers().to_string())
        };
        let (drawn, text) = table();
        assert!((1..=DRAWN as u64).contains(&drawn));
        assert_eq!(text.lines().count(), CLASSES);
        assert_eq!(table(), (drawn, text));
    }

    #[test]
    fn what_is_seldom_proven_has_a_great_number() {
        let class = Class { drawn: 100.0, solved: [4.0, 96.0], logarithms: [0.0, 0.0] };
        // One position each, but proven one time in 25: the root of that, in quarters.
        assert_eq!([PROOF, DISPROOF].map(|which| in_units(class.work(which))), [20, 4]);
    }

    #[test]
    fn a_class_that_was_never_drawn_is_as_its_features_say() {
        let row =
            |levels: [usize; 2], weight: f64, value: f64| Row { levels: levels.to_vec(), weight, value };
        // The first feature adds 2, the second 3; both together were never seen.
        let rows =
            [row([0, 2], 1e6, 1.0), row([1, 2], 1e6, 3.0), row([0, 3], 1e6, 4.0), row([1, 3], 0.0, 99.0)];
        let fit = additive_fit(&rows);
        assert!((fit[3] - 6.0).abs() < 0.01, "{fit:?}");
    }
}
