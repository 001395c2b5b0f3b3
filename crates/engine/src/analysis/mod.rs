//! A played game, move by move: what each position is worth, and what each move cost.
//!
//! The last position is searched first. What a search of a later position leaves in the hash table serves
//! the earlier ones, so that a move is judged by one who already knows how the game went on.

mod annotation;
mod loss;
mod summary;

use contract::{Effort, LogisticScale};
use records::game::{EndReason, Evaluation, Game};
use search::{Control, Limits, Score};
use shogi::{Color, GameEnd, GameResult, Move, Position};

use crate::agent::{Agent, GameRules, Request, SearchFailed};
use crate::win_rate::{evaluation_of, win_rate_loss};

pub use annotation::{annotated, value_text};
pub use loss::LossClass;
pub use search::Choice;
pub use summary::Summary;

/// What a search said about one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The value.
    pub evaluation: Evaluation,
    /// What the side to move should do; `None` if a rule has ended the game.
    pub choice: Option<Choice>,
    /// The best line, legal as far as it goes.
    pub line: Vec<Move>,
    /// The last whole iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// What a move of the game was worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Review {
    /// Whose move it is.
    pub side: Color,
    /// The move.
    pub played: Move,
    /// Whether it is what the search would have done.
    pub is_best: bool,
    /// The value of the best move.
    pub best: Evaluation,
    /// The value of the move: that of the best one if it is, else that of the position it leads to.
    pub value: Evaluation,
    /// How much of the mover's win rate was lost, from 0 to 1.
    pub loss: f64,
}

impl Review {
    /// What to call the loss, if it deserves a name.
    #[must_use]
    pub fn class(&self) -> Option<LossClass> {
        LossClass::of(self.loss)
    }
}

/// A game with a judgement of every position.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The positions, the start first: one more than there are moves.
    pub judgements: Vec<Judgement>,
    /// The moves.
    pub reviews: Vec<Review>,
    /// How win rates were found from values.
    pub scale: LogisticScale,
}

/// Searches every position of a game, the last one first; blocks meanwhile. `each` is called after each.
/// Both sides must have a king.
pub fn run(
    agent: &mut Agent,
    game: &Game,
    effort: Effort,
    scale: LogisticScale,
    each: &mut dyn FnMut(),
) -> Result<Analysis, SearchFailed> {
    agent.new_game();
    let mut position = game.last_position();
    let rules = rules_of(game, &position);
    let mut judgements = Vec::with_capacity(game.moves.len() + 1);
    judgements.push(match end_by_rule(game, &position) {
        Some(evaluation) => Judgement { evaluation, choice: None, line: Vec::new(), depth: 0, nodes: 0 },
        None => judge(agent, &position, rules, effort)?,
    });
    each();
    for _ in &game.moves {
        position.undo();
        judgements.push(judge(agent, &position, rules, effort)?);
        each();
    }
    judgements.reverse();
    let reviews = review(game, &judgements, scale);
    Ok(Analysis { judgements, reviews, scale })
}

/// The rules that the record tells. A limit of moves that the game itself went past was none.
fn rules_of(game: &Game, last: &Position) -> GameRules {
    let past_limit = |&limit: &u16| u32::from(last.ply()) > u32::from(limit) + 1;
    let limit = game.info.max_moves.and_then(|limit| u16::try_from(limit).ok());
    GameRules {
        declaration: game.info.declaration_rule.unwrap_or_default(),
        max_moves: limit.filter(|limit| !past_limit(limit)).unwrap_or(0),
    }
}

/// The value of the last position if the rules ended the game there, which a search from it cannot see.
fn end_by_rule(game: &Game, last: &Position) -> Option<Evaluation> {
    let at_limit = game.outcome.as_ref().is_some_and(|outcome| outcome.reason == EndReason::MaxMoves);
    let repeated = last.repetition().map(GameEnd::Repetition);
    let end = repeated.or(at_limit.then_some(GameEnd::MaxMoves))?;
    Some(match end.result(last.side()) {
        GameResult::Win(winner) => Evaluation::Mate { winner, plies: Some(0) },
        GameResult::Draw => Evaluation::BlackCp(0),
    })
}

fn judge(
    agent: &mut Agent,
    position: &Position,
    rules: GameRules,
    effort: Effort,
) -> Result<Judgement, SearchFailed> {
    let limits = Limits { lines: 1, ..effort.limits() };
    let control = Control::new();
    effort.start_clock(&control);
    let request = Request { rules, analysis: true, ..Request::new(position, limits) };
    let answer = agent.play(&request, &control, &mut |_| {})?;
    let mated = evaluation_of(Score::MatedIn(0), position.side());
    Ok(Judgement {
        evaluation: answer.score.map_or(mated, |score| evaluation_of(score, position.side())),
        choice: Some(answer.choice),
        line: legal_part(answer.line, position.clone()),
        depth: answer.depth.unwrap_or(0),
        nodes: answer.nodes.unwrap_or(0),
    })
}

fn legal_part(line: Vec<Move>, mut position: Position) -> Vec<Move> {
    let is_next = |m: &Move| {
        let legal = position.is_legal(*m);
        if legal {
            position.play(*m);
        }
        legal
    };
    line.into_iter().take_while(is_next).collect()
}

fn review(game: &Game, judgements: &[Judgement], scale: LogisticScale) -> Vec<Review> {
    let mut side = game.start.side();
    let mut reviews = Vec::with_capacity(game.moves.len());
    for (played, pair) in game.moves.iter().zip(judgements.windows(2)) {
        let [before, after] = pair else { unreachable!("windows of two") };
        let is_best = before.choice == Some(Choice::Move(played.m));
        let value = if is_best { before.evaluation } else { after.evaluation };
        let loss = win_rate_loss(scale, side, before.evaluation, value);
        reviews.push(Review { side, played: played.m, is_best, best: before.evaluation, value, loss });
        side = !side;
    }
    reviews
}

#[cfg(test)]
mod tests;
