//! A game of a tree search against itself, and the lessons of its moves.

use std::sync::Arc;

use contract::Rng;
use engine::MethodSpec;
use eval::{Net, Nnue};
use runs::OpeningSet;
use search::mcss::Mcss;
use search::softmax::Softmax;
use search::tree::{self, Resources, TreeSettings};
use search::{Choice, Control, Limits, Method, Root};
use shogi::{GameResult, Position};

use super::lesson::Lesson;
use super::reading::{Read, Reading, TreeReader};

/// The longest game.
const MAX_MOVES: u16 = 320;

/// The settings of trees that a player's method has; none if its values are no expectations over a tree.
pub(super) fn tree_settings(method: &MethodSpec) -> Option<&TreeSettings> {
    match method {
        MethodSpec::Softmax(_, settings) | MethodSpec::Mcss(_, settings) => Some(settings),
        _ => None,
    }
}

/// A game and what it teaches.
pub(super) struct Taught {
    pub(super) result: GameResult,
    pub(super) plies: usize,
    pub(super) lessons: Vec<Lesson>,
}

/// A player of one thread.
pub(super) struct Player {
    method: Box<dyn Method>,
    reader: TreeReader,
    limits: Limits,
}

impl Player {
    /// A player that evaluates by a net and visits so many positions for each move; none if its values are no expectations over
    /// a tree.
    pub(super) fn new(
        net: &Arc<Net>,
        method: &MethodSpec,
        resources: Resources,
        reading: Reading,
        nodes: u64,
    ) -> Option<Player> {
        let evaluator = || Nnue::new(Arc::clone(net));
        let method = match method.clone() {
            MethodSpec::Softmax(params, settings) => {
                tree::method(evaluator, resources, settings, Softmax::new(params))
            }
            MethodSpec::Mcss(params, settings) => {
                tree::method(evaluator, resources, settings, Mcss::new(params))
            }
            _ => return None,
        };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        Some(Player { method, reader: TreeReader::new(net, reading), limits })
    }

    /// Plays the game of a seed.
    pub(super) fn play(&mut self, openings: &OpeningSet, seed: u64) -> Taught {
        let mut rng = Rng::new(seed);
        self.method.new_game();
        let mut position = crate::search::beginning(openings, &mut rng);
        let (before, mut lessons) = (position.plies_played(), Vec::new());
        let result = loop {
            let side = position.side();
            if let Some(end) = position.game_end(MAX_MOVES) {
                break end.result(side);
            }
            let (choice, lesson) = self.think(&position, &mut rng);
            lessons.extend(lesson);
            match choice {
                Choice::Move(m) => drop(position.play(m)),
                Choice::Declare => break GameResult::Win(side),
                Choice::Resign => break GameResult::Win(!side),
            }
        };
        Taught { result, plies: position.plies_played() - before, lessons }
    }

    /// The search, with the tree of its last thought.
    #[cfg(test)]
    pub(super) fn method(&self) -> &dyn Method {
        self.method.as_ref()
    }

    /// Searches a position, and draws a move from the policy at its root.
    pub(super) fn think(&mut self, position: &Position, rng: &mut Rng) -> (Choice, Option<Lesson>) {
        let mut root = Root::new(position.clone());
        root.rules.max_moves = MAX_MOVES;
        let decision = self.method.think(&root, &self.limits, &Control::new(), &mut |_| {});
        // What is decided is played as it is: a mate, a declaration, the only move.
        let is_open = matches!(decision.choice, Choice::Move(_))
            && matches!(decision.score, search::Score::Centipawns(_));
        if !is_open {
            return (decision.choice, None);
        }
        let Read { drawn, lesson } = self.reader.read(&root, self.method.as_ref(), rng);
        (drawn.map_or(decision.choice, Choice::Move), lesson)
    }
}
