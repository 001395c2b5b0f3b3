//! Shogi as a game for trees.

use ::tree::{End, Game};
use eval::Evaluator;
use shogi::{Declaration, Move, MoveList, Pointless, Position, Repetition, Stage};

use super::settings::LeafSettings;
use super::value_cache::{Known, ValueCache};
use crate::score::{self, Value};
use crate::{Root, Rules};

/// A shogi position, the evaluator that follows it, and the rules in force.
pub struct ShogiGame<'a, E> {
    pub(super) position: Position,
    eval: &'a mut E,
    rules: Rules,
    /// What a draw is worth to the side to move at the root.
    draw: Value,
    root_side: shogi::Color,
    leaf: LeafSettings,
    cache: ValueCache,
    nodes: u64,
}

impl<'a, E: Evaluator> ShogiGame<'a, E> {
    /// The game at the root of a search.
    pub fn new(root: &Root, eval: &'a mut E, leaf: LeafSettings) -> ShogiGame<'a, E> {
        let position = root.position.clone();
        eval.reset(&position);
        let root_side = position.side();
        ShogiGame {
            draw: root.draw_value(root_side),
            position,
            eval,
            rules: root.rules,
            root_side,
            leaf,
            cache: ValueCache::new(),
            nodes: 0,
        }
    }

    /// The captures and answers to checks that lead to the position whose evaluation is this one's value.
    #[must_use]
    pub fn settling_moves(&mut self) -> Vec<Move> {
        self.quiet_line(self.leaf.quiescence)
    }

    fn draw_value(&self) -> Value {
        if self.position.side() == self.root_side { self.draw } else { -self.draw }
    }

    #[inline(always)]
    pub(super) fn step(&mut self, m: Move) {
        let delta = self.position.play(m);
        self.eval.push(&delta);
        self.nodes += 1;
    }

    #[inline(always)]
    pub(super) fn step_back(&mut self) {
        self.position.undo();
        self.eval.pop();
    }

    /// The static evaluation within its limits.
    #[inline(always)]
    pub(super) fn static_eval(&mut self) -> Value {
        self.eval.evaluate(&self.position).clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
    }

    /// The end by the fourth occurrence of the position.
    fn repeated_by_rule(&self) -> Option<End> {
        self.position.repetition().map(|repetition| match repetition {
            Repetition::Win => End::Win(0),
            Repetition::Loss => End::Loss(0),
            _ => End::Value(self.draw_value()),
        })
    }

    /// The end by declaration or by length.
    fn declared_or_too_long(&mut self) -> Option<End> {
        if let Some(Declaration::Win | Declaration::Try(_)) =
            self.position.declaration(self.rules.declaration)
        {
            return Some(End::Win(1));
        }
        let is_too_long = self.position.is_too_long(self.rules.max_moves) && self.position.has_legal_move();
        is_too_long.then(|| End::Value(self.draw_value()))
    }

    /// The end by repetition. The fourth occurrence is a rule of the game; an earlier one inside the tree, and a board
    /// that comes back with another hand, are the search's own opinion.
    fn repeated(&self, ply: usize) -> Option<End> {
        if let Some(end) = self.repeated_by_rule() {
            return Some(end);
        }
        let value = match self.position.repetition_in_search(ply)? {
            Repetition::Draw => self.draw_value(),
            Repetition::Win | Repetition::Superior => score::SUPERIOR,
            Repetition::Loss | Repetition::Inferior => -score::SUPERIOR,
        };
        Some(End::PathValue(value))
    }

    /// A short mate by the side to move, as far as asked for.
    fn short_mate(&mut self) -> Option<End> {
        match self.leaf.mate {
            0 => None,
            1 | 2 => (!self.position.in_check() && mate::mate_in_one(&mut self.position).is_some())
                .then_some(End::Win(1)),
            _ => mate::mate_in_three(&mut self.position).map(|_| End::Win(3)),
        }
    }
}

impl<E: Evaluator> Game for ShogiGame<'_, E> {
    type Move = Move;

    fn pack(m: Move) -> u16 {
        m.bits()
    }

    fn unpack(bits: u16) -> Move {
        Move::from_bits(bits).expect("the tree holds moves that were packed")
    }

    fn moves(&mut self, list: &mut Vec<Move>) {
        list.clear();
        let pointless = if self.rules.all_moves { Pointless::Include } else { Pointless::Skip };
        let mut pseudo = MoveList::new();
        let stages: &[Stage] = if self.position.in_check() {
            &[Stage::Evasions]
        } else {
            &[Stage::Loud, Stage::Quiets, Stage::Drops]
        };
        for &stage in stages {
            self.position.generate(stage, pointless, &mut pseudo);
        }
        let info = self.position.check_info();
        list.extend(pseudo.into_iter().filter(|&m| self.position.pseudo_is_legal(m, &info)));
    }

    fn play(&mut self, m: Move) {
        self.step(m);
    }

    fn undo(&mut self) {
        self.step_back();
    }

    fn end(&mut self, ply: usize) -> Option<End> {
        if self.position.is_checkmate() {
            return Some(End::Loss(0));
        }
        if let Some(end) = self.repeated(ply) {
            return Some(end);
        }
        self.declared_or_too_long().or_else(|| self.short_mate())
    }

    fn end_by_rule(&mut self) -> Option<End> {
        self.repeated_by_rule().or_else(|| self.declared_or_too_long())
    }

    fn no_moves(&self) -> End {
        End::Loss(0)
    }

    fn evaluate(&mut self, beta: Value) -> Value {
        let key = self.position.key();
        if let Some(known) = self.cache.get(key)
            && (known.exact || known.value >= beta)
        {
            return known.value;
        }
        let value = self.quiesce(-score::INFINITE, beta, self.leaf.quiescence);
        let value = value.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT);
        self.cache.put(key, Known { value, exact: value < beta });
        value
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use eval::Material;

    use super::*;

    const LEAF: LeafSettings = LeafSettings { quiescence: 8, mate: 1 };

    fn root(sfen: &str, moves: &str, times: usize) -> Root {
        let mut position: Position = sfen.parse().unwrap();
        for _ in 0..times {
            for m in moves.split_whitespace() {
                position.play(m.parse().unwrap());
            }
        }
        Root { position, rules: Rules { draw_value: [-7, 9], ..Rules::default() } }
    }

    /// What the game says after moves from the root, ply by ply.
    fn ends(root: &Root, moves: &str) -> Vec<Option<End>> {
        let mut eval = Material::new();
        let mut game = ShogiGame::new(root, &mut eval, LEAF);
        let play = |(ply, m): (usize, &str)| {
            game.play(m.parse().unwrap());
            game.end(ply + 1)
        };
        moves.split_whitespace().enumerate().map(play).collect()
    }

    #[test]
    fn the_fourth_occurrence_is_a_draw_by_rule_and_the_second_below_the_root_by_judgement() {
        let cycle = "2h3h 8b7b 3h2h 7b8b";
        let fourth = ends(&root(shogi::START_SFEN, cycle, 2), cycle);
        assert_eq!(fourth, [None, None, None, Some(End::Value(-7))]);
        // The root itself comes back: not yet a draw. The position after the first move does so below the root.
        let below = ends(&root(shogi::START_SFEN, "", 0), "2h3h 8b7b 3h2h 7b8b 2h3h");
        assert_eq!(below, [None, None, None, None, Some(End::PathValue(7))]);
    }

    #[test]
    fn perpetual_check_loses_for_the_checker() {
        let sfen = "4k4/9/9/9/9/9/9/9/R3K4 b - 1";
        let mut checks = root(sfen, "9i9a 5a5b 9a9b 5b5a", 1);
        for m in ["9b9a", "5a5b", "9a9b", "5b5a"].repeat(2) {
            checks.position.play(m.parse().unwrap());
        }
        let last = *ends(&checks, "9b9a 5a5b 9a9b 5b5a").last().unwrap();
        assert_eq!(last, Some(End::Loss(0)), "Black, to move, gave all the checks");
    }

    #[test]
    fn length_declaration_and_mate_end_the_game() {
        let mut long = root("4k4/9/9/9/9/9/9/9/4K4 b - 256", "", 0);
        long.rules.max_moves = 256;
        assert_eq!(ends(&long, "5i5h"), [Some(End::Value(7))]);
        let mated = root("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "", 0);
        assert_eq!(ends(&mated, "G*5b"), [Some(End::Loss(0))]);
        assert_eq!(ends(&mated, "G*1a"), [None]);
        let mates = root("4k4/9/4P4/9/9/9/9/9/4K4 w G 1", "", 0);
        assert_eq!(ends(&mates, "5a4a"), [None]);
        let entered = "K+P+P+P+P+P+P+P+P/RB7/RB7/9/9/9/9/9/k8 w - 1";
        assert_eq!(ends(&root(entered, "", 0), "9i8i"), [Some(End::Win(1))]);
    }

    #[test]
    fn random_games_end_by_the_rules_alone() {
        // A mate in one, and a board that came before with another hand: opinions of a search, no rules.
        let mates = root("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "", 0);
        let mut eval = Material::new();
        let mut game = ShogiGame::new(&mates, &mut eval, LEAF);
        assert_eq!((game.end(0), game.end_by_rule()), (Some(End::Win(1)), None));
        let mut long = root("4k4/9/9/9/9/9/9/9/4K4 b - 256", "5i5h", 1);
        long.rules.max_moves = 256;
        assert_eq!(ShogiGame::new(&long, &mut eval, LEAF).end_by_rule(), Some(End::Value(9)));
    }

    #[test]
    fn moves_are_the_legal_ones_less_the_pointless() {
        let mut eval = Material::new();
        let start = root(shogi::START_SFEN, "7g7f 3c3d", 1);
        let mut game = ShogiGame::new(&start, &mut eval, LEAF);
        let mut list = Vec::new();
        game.moves(&mut list);
        let legal = start.position.legal_moves();
        assert!(list.iter().all(|m| legal.contains(m)));
        let missing: Vec<String> = legal.iter().filter(|m| !list.contains(m)).map(Move::to_string).collect();
        assert_eq!(missing, ["8h2b", "8h3c"]);
    }

    #[test]
    fn a_value_is_the_evaluation_where_the_captures_end() {
        let mut positions = 0;
        for sfen in [
            "4k4/9/9/4r4/9/9/9/4R4/4K4 b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "ln1gk2nl/1r1s1+B3/p1pp1p1pp/4p4/9/2P6/PP1PPPP1P/7R1/LNSGKGSNL w SPbg 24",
        ] {
            let start = root(sfen, "", 0);
            let mut eval = Material::new();
            let mut game = ShogiGame::new(&start, &mut eval, LEAF);
            let value = game.evaluate(score::INFINITE);
            let line = game.settling_moves();
            line.iter().for_each(|&m| game.play(m));
            let end = game.static_eval();
            assert_eq!(value, if line.len().is_multiple_of(2) { end } else { -end }, "{sfen}: {line:?}");
            positions += usize::from(!line.is_empty());
        }
        assert!(positions >= 2, "captures matter in {positions} of them");
    }

    #[test]
    fn captures_are_played_out_before_a_position_is_judged() {
        let sfen = "4k4/9/9/4r4/9/9/9/4R4/4K4 b - 1";
        let value = |quiescence| {
            let mut eval = Material::new();
            let start = root(sfen, "", 0);
            ShogiGame::new(&start, &mut eval, LeafSettings { quiescence, mate: 0 }).evaluate(score::INFINITE)
        };
        assert!(value(8) > value(0) + 500);
    }
}
