//! The plain search against a slow minimax that knows no windows, no table and no order.

use super::*;
use crate::Depth;
use crate::exchange::VALUES;
use crate::score::{self, Value};
use searcher::Searcher;
use shogi::{Delta, MoveList, PieceKind, Pointless, Position, Stage};

/// Counts pieces, and a little for where they stand.
struct Count;

impl Evaluator for Count {
    fn reset(&mut self, _: &Position) {}
    fn push(&mut self, _: &Delta) {}
    fn pop(&mut self) {}
    fn evaluate(&mut self, position: &Position) -> i32 {
        evaluate(position)
    }
}

fn evaluate(position: &Position) -> i32 {
    let of = |color| -> i32 {
        let on_board = PieceKind::ALL.iter().filter(|kind| **kind != PieceKind::King).map(|&kind| {
            let squares = position.pieces_of(color, kind);
            squares.into_iter().map(|square| VALUES.of(kind) + (square.index() % 7) as i32).sum::<i32>()
        });
        let in_hand = position.hand(color).iter().map(|(kind, n)| i32::from(n) * VALUES.of(kind));
        on_board.chain(in_hand).sum()
    };
    of(position.side()) - of(!position.side())
}

fn rule_end(position: &Position, ply: usize) -> Option<Value> {
    use shogi::Repetition::{Draw, Inferior, Loss, Superior, Win};
    position.repetition_in_search(ply).map(|repetition| match repetition {
        Draw => 0,
        Win => score::mate_in(ply),
        Loss => score::mated_in(ply),
        Superior => score::SUPERIOR,
        Inferior => -score::SUPERIOR,
    })
}

fn legal(position: &Position, stages: &[Stage]) -> Vec<Move> {
    let mut list = MoveList::new();
    stages.iter().for_each(|&stage| position.generate(stage, Pointless::Skip, &mut list));
    let info = position.check_info();
    list.into_iter().filter(|&m| position.pseudo_is_legal(m, &info)).collect()
}

fn quiet_minimax(position: &mut Position, ply: usize) -> Value {
    if let Some(value) = rule_end(position, ply) {
        return value;
    }
    let in_check = position.in_check();
    let (mut best, moves) = if in_check {
        (score::mated_in(ply), legal(position, &[Stage::Evasions]))
    } else {
        let moves = legal(position, &[Stage::Loud]);
        let gains = moves.into_iter().filter(|&m| position.exchange_gains(m, 0, &VALUES));
        (evaluate(position), gains.collect())
    };
    for m in moves {
        position.play(m);
        best = best.max(-quiet_minimax(position, ply + 1));
        position.undo();
    }
    best
}

fn minimax(position: &mut Position, depth: i32, ply: usize) -> Value {
    if depth == 0 {
        return quiet_minimax(position, ply);
    }
    if ply > 0
        && let Some(value) = rule_end(position, ply)
    {
        return value;
    }
    let stages: &[Stage] =
        if position.in_check() { &[Stage::Evasions] } else { &[Stage::Loud, Stage::Quiets, Stage::Drops] };
    let mut best = score::mated_in(ply);
    // The root knows pointless moves too.
    let moves = if ply == 0 { position.legal_moves().to_vec() } else { legal(position, stages) };
    for m in moves {
        position.play(m);
        best = best.max(-minimax(position, depth - 1, ply + 1));
        position.undo();
    }
    best
}

fn plain_value(position: &Position, depth: u32) -> Value {
    let params = Params { plain: 1, ..Params::default() };
    let mut search = AlphaBeta::new(|| Count, 16, 1, params, Model::embedded()).unwrap();
    let mut root = Root::new(position.clone());
    root.rules.draw_value = [0, 0];
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    search.think(&root, &limits, &Control::new(), &mut |_| {}).score.value()
}

#[test]
fn the_plain_search_is_minimax() {
    let mut rng = contract::Rng::new(11);
    let mut compared = 0;
    for sfen in [
        "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "4k4/4g4/4p4/9/4s4/4P4/4S4/4G4/4K4 b - 1",
        "3gkg3/9/3p1p3/9/9/9/3P1P3/9/3GKG3 b Rr 1",
    ] {
        for _ in 0..3 {
            let mut position: Position = sfen.parse().unwrap();
            for _ in 0..rng.draw() % 10 {
                let moves = position.legal_moves();
                position.play(moves[rng.draw() as usize % moves.len()]);
                if position.game_end(0).is_some() {
                    position.undo();
                }
            }
            for depth in 1..=2 {
                let expected = minimax(&mut position, depth, 0);
                assert_eq!(plain_value(&position, depth as u32), expected, "depth {depth} of {position}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 24);
}

#[test]
fn windows_bound_the_same_value() {
    let position: Position =
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1".parse().unwrap();
    let exact = plain_value(&position, 3);
    let root = Root::new(position);
    let (table, params, model) =
        (Table::new(16).unwrap(), Params { plain: 1, ..Params::default() }, Model::embedded());
    let (limits, control) = (Limits::default(), Control::new());
    let task = Task {
        table: &table,
        params: &params,
        model: &model,
        kinds: None,
        root: &root,
        limits: &limits,
        control: &control,
        budget: Budget::new(None),
        is_over: AtomicBool::new(false),
    };
    let mut mind = Mind::new(Count, &params);
    let moves = root.position.legal_moves().to_vec();
    for beta in [exact - 300, exact, exact + 1, exact + 300] {
        let mut searcher = Searcher::new(&task, 0, &mut mind, &moves);
        let value = searcher.node(beta - 1, beta, Depth::plies(3), 0, node::Role::Pv);
        assert_eq!(value >= beta, exact >= beta, "{value} {beta} {exact}");
    }
}
