//! First numbers from trees that the solver searched itself.
//!
//! Positions drawn at random from the trees are solved each on its own. A class of them (see [`crate::first_numbers`]) is as hard to
//! prove as the mean logarithm of the positions that its proofs took, and as the share of it that was proven: the first number is their
//! quotient, the work until one more proof is found. Disproofs likewise.

use shogi::{Color, Position};

use crate::first_numbers::{CLASSES, FirstNumbers, name};
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
/// How many positions of its kind (check or reply) a class is mixed with, so that rare ones come out sane.
const PRIOR: f64 = 20.0;
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
        let kind = |class: usize| name(class).starts_with("check");
        FirstNumbers::of_classes(|i| {
            let alike = (0..CLASSES).filter(|&other| kind(other) == kind(i)).map(|other| self.classes[other]);
            let prior = alike.fold(Class::default(), Class::plus);
            let class = self.classes[i].plus(prior.scaled(PRIOR / prior.drawn.max(1.0)));
            [class.number(PROOF), class.number(DISPROOF)]
        })
    }
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

    fn number(&self, which: usize) -> u32 {
        let solved = self.solved[which].max(0.1);
        let work = (self.logarithms[which] / solved).exp() * self.drawn.max(0.1) / solved;
        (work.powf(POWER) * UNIT).round().clamp(1.0, 4095.0) as u32
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
        assert_eq!((class.number(PROOF), class.number(DISPROOF)), (20, 4));
    }
}
