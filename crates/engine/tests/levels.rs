//! The levels for people: which mistakes they make.

use engine::{Agent, Defaults, Nets, OwnSpec, Request};
use search::{Choice, Control, Limits};
use shogi::{ExchangeValues, Move, Position};

/// What is called a piece: a silver or more. Knights and lances are given for a pawn's promotion often enough.
const PIECE: i32 = 500;
/// A game is open up to this value.
const OPEN: i32 = 500;
/// Positions, each asked about so many times.
const POSITIONS: usize = 60;
const TIMES: usize = 4;

fn agent(text: &str) -> Agent {
    let spec: OwnSpec = text.parse().unwrap();
    Agent::new(&spec.resolve(&Defaults::matches()), &mut Nets::default()).unwrap()
}

fn choice(agent: &mut Agent, position: &Position, limits: Limits) -> Option<Move> {
    let answer = agent.play(&Request::new(position, limits), &Control::new(), &mut |_| {}).unwrap();
    match answer.choice {
        Choice::Move(m) => Some(m),
        Choice::Resign | Choice::Declare => None,
    }
}

/// Whether a move takes a piece that is lost whatever is taken back.
fn takes_a_piece(position: &Position, m: Move) -> bool {
    position.piece(m.to()).is_some() && position.exchange_gains(m, PIECE, &ExchangeValues::default())
}

fn wins_a_piece(position: &Position) -> bool {
    position.legal_moves().iter().any(|&m| takes_a_piece(position, m))
}

fn after(position: &Position, m: Move) -> Position {
    let mut next = position.clone();
    next.play(m);
    next
}

/// What a search of full strength would play, and the value for the side to move; it knows nothing from before.
fn judged(judge: &mut Agent, position: &Position) -> (Option<Move>, i32) {
    judge.new_game();
    let limits = Limits { nodes: Some(4000), ..Limits::default() };
    let answer = judge.play(&Request::new(position, limits), &Control::new(), &mut |_| {}).unwrap();
    (answer.line.first().copied(), answer.score.map_or(0, search::Score::value))
}

/// Positions of open games in which a move may leave a piece hanging and another one need not: games of a middling level,
/// every fifth ply.
fn positions(judge: &mut Agent) -> Vec<Position> {
    let mut found = Vec::new();
    for seed in 1.. {
        let mut player = agent(&format!("alphabeta(hash=1, skill=9, seed={seed})"));
        let mut position = Position::start();
        for ply in 0..120 {
            let moves = position.legal_moves();
            let hanging = moves.iter().filter(|&&m| wins_a_piece(&after(&position, m))).count();
            let is_choice = ply % 5 == 4 && hanging > 0 && hanging < moves.len();
            if is_choice && judged(judge, &position).1.abs() < OPEN {
                found.push(position.clone());
            }
            if found.len() == POSITIONS {
                return found;
            }
            if position.game_end(0).is_some() {
                break;
            }
            let Some(m) = choice(&mut player, &position, Limits::default()) else { break };
            position.play(m);
        }
    }
    found
}

/// How many of a level's moves leave a piece hanging: there was another move, the best reply takes it, and that makes
/// the move worse than the best one by most of what the piece is worth; less, and there was something for it.
fn hung(level: u32, positions: &[Position], judge: &mut Agent) -> usize {
    let mut player = agent(&format!("alphabeta(hash=1, skill={level}, seed={})", 100 + level));
    let mut count = 0;
    for position in positions {
        let (_, best) = judged(judge, position);
        for _ in 0..TIMES {
            let Some(m) = choice(&mut player, position, Limits::default()) else { continue };
            let next = after(position, m);
            if !wins_a_piece(&next) {
                continue;
            }
            let (reply, value) = judged(judge, &next);
            let Some(reply) = reply.filter(|&reply| takes_a_piece(&next, reply)) else { continue };
            let worth = search::exchange::gain(&next, reply, &ExchangeValues::default());
            count += usize::from(best + value > worth * 3 / 5);
        }
    }
    count
}

#[test]
fn middle_levels_leave_no_pieces_hanging_and_beginners_do() {
    let mut judge = agent("alphabeta(hash=1)");
    let positions = positions(&mut judge);
    let counts = [0, 4, 8, 10, 12, 14].map(|level| hung(level, &positions, &mut judge));
    println!("of {} moves of levels 0, 4, 8, 10, 12, 14: {counts:?}", POSITIONS * TIMES);
    let [beginner, low, nearly @ .., twelve, fourteen] = counts;
    assert!(
        beginner > POSITIONS * TIMES / 30 && beginner > low,
        "the measure sees what beginners do: {counts:?}"
    );
    assert!(nearly.iter().all(|&hung| hung <= POSITIONS * TIMES / 80), "{counts:?}");
    assert_eq!([twelve, fourteen], [0; 2], "{counts:?}");
}
