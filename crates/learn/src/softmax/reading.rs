//! From the tree that a search left to a lesson.

use std::sync::Arc;

use contract::Rng;
use eval::{Evaluator as _, Net, Nnue};
use search::tree::{Game as _, LeafSettings, ShogiGame, TreeView};
use search::{LeafGradient, Method, Root, Score, score};
use shogi::{Move, Position};

use super::lesson::{Judged, Lesson, Mix};
use crate::nnue::Arch;
use crate::nnue::pulled::{Pull, rows_of};

/// The most probable nodes that are looked at: moves at the root, and nodes that judge themselves.
const LOOKED_AT: usize = 400;

/// How trees are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) arch: Arch,
    pub(super) leaf: LeafSettings,
    pub(super) mix: Mix,
    /// The temperature by which moves are drawn, in centipawns.
    pub(super) temperature: f64,
    /// Leaves and nodes with a smaller share are left out.
    pub(super) least: f64,
}

/// What a tree says.
pub(super) struct Read {
    /// The move that was drawn; none if all is decided.
    pub(super) drawn: Option<Move>,
    /// Nothing is learned where all is decided.
    pub(super) lesson: Option<Lesson>,
}

/// Reads trees; the evaluators are of the net that they were searched with.
pub(super) struct TreeReader {
    reading: Reading,
    following: Nnue,
    still: Nnue,
}

/// The probabilities of moves whose values are given, at a temperature.
fn policy(values: &[f64], temperature: f64) -> Vec<f64> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = values.iter().map(|value| ((value - best) / temperature).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

/// A value that is neither a mate nor a verdict of the rules.
fn centipawns(score: Score) -> Option<f64> {
    match score {
        Score::Centipawns(value) if value.abs() < score::SUPERIOR => Some(f64::from(value)),
        _ => None,
    }
}

impl TreeReader {
    pub(super) fn new(net: &Arc<Net>, reading: Reading) -> TreeReader {
        let evaluator = || Nnue::new(Arc::clone(net));
        TreeReader { reading, following: evaluator(), still: evaluator() }
    }

    /// Draws a move from the policy of the root that was searched, and gathers what it teaches.
    pub(super) fn read(&mut self, root: &Root, method: &dyn Method, rng: &mut Rng) -> Read {
        let Some(view) = method.view(LOOKED_AT) else { return Read { drawn: None, lesson: None } };
        let top = view.nodes.first().and_then(|top| centipawns(top.score));
        let choices: Vec<(Move, f64)> = view
            .nodes
            .iter()
            .filter(|node| node.parent == Some(0))
            .filter_map(|node| Some((node.played?, centipawns(node.score)?)))
            .collect();
        let values: Vec<f64> = choices.iter().map(|(_, value)| *value).collect();
        let probabilities = policy(&values, self.reading.temperature);
        let (Some(top), Some(drawn)) = (top, rng.weighted(&probabilities)) else {
            return Read { drawn: None, lesson: None };
        };
        let mut lesson = Lesson {
            mover: root.position.side(),
            value: -top,
            leaves: Vec::new(),
            log_probability: probabilities[drawn].max(f64::MIN_POSITIVE).ln(),
            choice: Vec::new(),
            nodes: Vec::new(),
        };
        let Reading { mix, least, temperature, .. } = self.reading;
        let mut leaves = LeafReader::new(self, root);
        if mix.regression != 0.0 {
            lesson.leaves = leaves.pulls(&[], method.leaf_gradients(&[], least).unwrap_or_default(), 1.0);
        }
        if mix.policy != 0.0 {
            for (index, ((m, _), probability)) in choices.iter().zip(&probabilities).enumerate() {
                let slope = (if index == drawn { 1.0 } else { 0.0 }) - probability;
                if slope.abs() >= least {
                    let found = method.leaf_gradients(&[*m], least / slope.abs()).unwrap_or_default();
                    // A child's value is for the side to move there, and that by which it is chosen for the other one.
                    lesson.choice.extend(leaves.pulls(&[*m], found, -slope / temperature));
                }
            }
        }
        if mix.bootstrap != 0.0 {
            lesson.nodes = leaves.judged(&view);
        }
        Read { drawn: Some(choices[drawn].0), lesson: Some(lesson) }
    }
}

/// Finds the positions whose static values leaves have.
struct LeafReader<'a> {
    reading: Reading,
    game: ShogiGame<'a, Nnue>,
    still: &'a mut Nnue,
    position: Position,
}

impl<'a> LeafReader<'a> {
    fn new(reader: &'a mut TreeReader, root: &Root) -> LeafReader<'a> {
        let TreeReader { reading, following, still } = reader;
        let game = ShogiGame::new(root, following, reading.leaf);
        LeafReader { reading: *reading, game, still, position: root.position.clone() }
    }

    /// The position whose static value is that of the position after a line, and that value for the side to move after the line. The slope
    /// is 1 or -1, as the same or the other side is to move in the end.
    fn settled(&mut self, line: &[Move]) -> Option<(Pull, f64)> {
        line.iter().for_each(|&m| self.game.play(m));
        let settling = self.game.settling_moves();
        line.iter().for_each(|_| self.game.undo());
        for &m in line.iter().chain(&settling) {
            self.position.play(m);
        }
        self.still.reset(&self.position);
        let slope = if settling.len().is_multiple_of(2) { 1.0 } else { -1.0 };
        let value = slope * f64::from(self.still.evaluate(&self.position));
        let rows = rows_of(self.reading.arch, &self.position);
        line.iter().chain(&settling).for_each(|_| self.position.undo());
        Some((Pull { rows: rows?, slope }, value))
    }

    /// Leaves as positions, their gradients times a factor. What has a bound for a value, or one that only the search knows, is left out.
    fn pulls(&mut self, below: &[Move], leaves: Vec<LeafGradient>, factor: f64) -> Vec<Pull> {
        let pull = |leaf: LeafGradient| {
            let (pull, value) = self.settled(&[below, &leaf.line].concat())?;
            let is_exact = (value - leaf.value).abs() < 0.5;
            is_exact.then_some(Pull { slope: pull.slope * leaf.gradient * factor, ..pull })
        };
        leaves.into_iter().filter_map(pull).collect()
    }

    /// The probable nodes that have a tree behind them.
    fn judged(&mut self, view: &TreeView) -> Vec<Judged> {
        let line = |mut index: usize| {
            let mut moves = Vec::new();
            while let Some(parent) = view.nodes[index].parent {
                moves.extend(view.nodes[index].played);
                index = parent;
            }
            moves.reverse();
            moves
        };
        let (nodes, least) = (view.nodes.iter().enumerate(), self.reading.least);
        let inner = nodes
            .filter(|(_, node)| node.children > 0 && !node.closed && f64::from(node.realization) >= least);
        let judged = inner.filter_map(|(index, node)| {
            let tree_value = -centipawns(node.score)?;
            let (own, own_value) = self.settled(&line(index))?;
            Some(Judged { own, own_value, tree_value, share: f64::from(node.realization) })
        });
        judged.collect()
    }
}
