//! A played game, move by move: what each position is worth, and what each move cost.
//!
//! The last position is searched first. What a search of a later position leaves in the hash table serves
//! the earlier ones, so that a move is judged by one who already knows how the game went on.
//!
//! A move that is not the search's own choice is searched once more, beside the best ones and from the same root: values
//! of two searches cannot be compared, and the best move would often look worse than the one that was played.

mod annotation;
mod heard;
mod loss;
mod summary;

use std::ops::RangeInclusive;

use contract::score::mate_value;
use contract::{Effort, LogisticScale};
use records::game::{EndReason, Evaluation, Game};
use search::{Control, Limits, Report, Score};
use shogi::{Color, GameEnd, GameResult, Move, Position};

use crate::agent::{Agent, Answer, Event, GameRules, Request, SearchFailed};
use crate::win_rate::{evaluation_of, win_rate_loss};
use heard::Heard;

pub use annotation::{annotated, value_text};
pub use loss::LossClass;
pub use search::Choice;
pub use summary::Summary;

/// A move that was considered, with what a search said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The value.
    pub evaluation: Evaluation,
    /// The move and how play would go on, legal as far as it goes; never empty.
    pub line: Vec<Move>,
}

/// What a search said about one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The value.
    pub evaluation: Evaluation,
    /// What the side to move should do; `None` if a rule has ended the game.
    pub choice: Option<Choice>,
    /// The best moves, as many as were asked for, the best one first.
    pub candidates: Vec<Candidate>,
    /// The last whole iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

impl Judgement {
    /// The best line; empty if there is no move or a declaration is better than all.
    #[must_use]
    pub fn line(&self) -> &[Move] {
        match self.choice {
            Some(Choice::Move(_)) => self.candidates.first().map_or(&[], |best| &best.line),
            _ => &[],
        }
    }
}

/// What a move of the game was worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// Whose move it is.
    pub side: Color,
    /// The move.
    pub played: Move,
    /// Whether it is what the search would have done.
    pub is_best: bool,
    /// The value of the best move, never worse for the side than that of the move.
    pub best: Evaluation,
    /// The value of the move, judged beside the best one.
    pub value: Evaluation,
    /// The move and how play would go on.
    pub line: Vec<Move>,
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

/// What to find out about a game.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How long to think about each position.
    pub effort: Effort,
    /// How many of the best moves to list.
    pub candidates: usize,
    /// The moves to judge, counted from 1; what lies past the end is ignored.
    pub plies: RangeInclusive<usize>,
    /// From values to win rates.
    pub scale: LogisticScale,
}

impl Plan {
    /// The whole game, with the best move of each position.
    #[must_use]
    pub fn new(effort: Effort, scale: LogisticScale) -> Plan {
        Plan { effort, candidates: 1, plies: 1..=usize::MAX, scale }
    }

    /// The moves of a game that it asks for.
    #[must_use]
    pub fn plies_of(&self, game: &Game) -> RangeInclusive<usize> {
        *self.plies.start()..=(*self.plies.end()).min(game.moves.len())
    }
}

/// A game with a judgement of every position that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// How many moves were played before the first that is judged.
    pub skipped: usize,
    /// The positions, the one before the first judged move first: one more than there are reviews.
    pub judgements: Vec<Judgement>,
    /// The moves.
    pub reviews: Vec<Review>,
    /// How win rates were found from values.
    pub scale: LogisticScale,
}

impl Analysis {
    /// The value after so many of the judged moves.
    #[must_use]
    pub fn value_after(&self, moves: usize) -> Evaluation {
        match moves.checked_sub(1) {
            Some(last) => self.reviews[last].value,
            None => self.judgements[0].evaluation,
        }
    }
}

/// Searches the positions of a game, the last one first; blocks meanwhile. `each` is called after each position. Both
/// sides must have a king. As soon as `is_stopped`, what has been found by then is the result: the later moves.
pub fn run(
    agent: &mut Agent,
    game: &Game,
    plan: &Plan,
    is_stopped: &(dyn Fn() -> bool + Sync),
    each: &mut dyn FnMut(),
) -> Result<Analysis, SearchFailed> {
    agent.new_game();
    let mut position = game.last_position();
    let rules = rules_of(game, &position);
    let ended = end_by_rule(game, &position);
    let plies = plan.plies_of(game);
    let mut analysis =
        Analysis { skipped: *plies.end(), judgements: Vec::new(), reviews: Vec::new(), scale: plan.scale };
    (*plies.end()..game.moves.len()).for_each(|_| position.undo());
    let mut judge = Judge { agent, rules, plan, is_stopped };
    let mut after = match ended.filter(|_| *plies.end() == game.moves.len()) {
        Some(evaluation) => {
            Judgement { evaluation, choice: None, candidates: Vec::new(), depth: 0, nodes: 0 }
        }
        None => judge.best(&position, 1)?,
    };
    each();
    for ply in plies.rev() {
        position.undo();
        let (before, played) = judge.best_and_played(&position, game.moves[ply - 1].m, &after)?;
        if is_stopped() {
            break;
        }
        each();
        analysis.reviews.push(review(position.side(), &before, played, plan.scale));
        analysis.judgements.push(std::mem::replace(&mut after, before));
        analysis.skipped = ply - 1;
    }
    analysis.judgements.push(after);
    analysis.judgements.reverse();
    analysis.reviews.reverse();
    Ok(analysis)
}

/// Searches one position, without a game around it, for as many of its best moves as the plan asks for; blocks meanwhile.
/// Both sides must have a king.
pub fn judge(agent: &mut Agent, position: &Position, plan: &Plan) -> Result<Judgement, SearchFailed> {
    let mut judge = Judge { agent, rules: GameRules::default(), plan, is_stopped: &|| false };
    judge.best(position, plan.candidates.max(1))
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

/// Who searches, and how.
struct Judge<'a> {
    agent: &'a mut Agent,
    rules: GameRules,
    plan: &'a Plan,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Judge<'_> {
    /// The best moves of a position.
    fn best(&mut self, position: &Position, lines: usize) -> Result<Judgement, SearchFailed> {
        let (answer, heard) = self.search(position, Vec::new(), lines)?;
        let candidates = heard.latest().map(|report| candidate(report, position)).collect::<Vec<_>>();
        let mated = evaluation_of(Score::MatedIn(0), position.side());
        Ok(Judgement {
            evaluation: answer.score.map_or(mated, |score| evaluation_of(score, position.side())),
            choice: Some(choice(answer.choice, &candidates)),
            candidates,
            depth: answer.depth.unwrap_or(0),
            nodes: answer.nodes.unwrap_or(0),
        })
    }

    /// The best moves of a position and the one that was played there, all judged by one search; `after` is what became
    /// of it.
    fn best_and_played(
        &mut self,
        position: &Position,
        played: Move,
        after: &Judgement,
    ) -> Result<(Judgement, Candidate), SearchFailed> {
        let count = self.plan.candidates.max(1);
        let mut before = self.best(position, count)?;
        let is_listed = |candidates: &[Candidate]| candidates.iter().any(|known| known.line[0] == played);
        if !is_listed(&before.candidates) && !(self.is_stopped)() {
            let mut moves: Vec<Move> = before.candidates.iter().map(|known| known.line[0]).collect();
            moves.push(played);
            let (answer, heard) = self.search(position, moves.clone(), moves.len())?;
            let reports = heard.together(&moves);
            before.candidates = reports.into_iter().map(|report| candidate(report, position)).collect();
            before.nodes += answer.nodes.unwrap_or(0);
        }
        let side = position.side();
        let mut played = before.candidates.iter().find(|known| known.line[0] == played).cloned().unwrap_or(
            // A search that was cut short may have nothing to say about it.
            Candidate { evaluation: after.evaluation, line: vec![played] },
        );
        if after.choice.is_none() {
            played = Candidate { evaluation: after.evaluation, line: vec![played.line[0]] };
        } else if after.line().starts_with(&played.line[1..]) {
            played.line.truncate(1);
            played.line.extend(after.line());
        }
        before.adopt(&played, side, count);
        Ok((before, played))
    }

    fn search(
        &mut self,
        position: &Position,
        search_moves: Vec<Move>,
        lines: usize,
    ) -> Result<(Answer, Heard), SearchFailed> {
        let limits = Limits { lines, search_moves, ..self.plan.effort.limits() };
        let control = Control::new();
        self.plan.effort.start_clock(&control);
        let request = Request { rules: self.rules, analysis: true, ..Request::new(position, limits) };
        let (mut heard, is_stopped) = (Heard::default(), self.is_stopped);
        let answer = self.agent.play(&request, &control, &mut |event| {
            if let Event::Report(report) = event {
                heard.take(report);
            }
            if is_stopped() {
                control.stop();
            }
        })?;
        Ok((answer, heard))
    }
}

impl Judgement {
    /// Puts the move that was played where its value belongs among the candidates, of which it keeps the best. A winning
    /// declaration stays the choice.
    fn adopt(&mut self, played: &Candidate, side: Color, count: usize) {
        let worth = |known: &Candidate| value_for(known.evaluation, side);
        self.candidates.retain(|known| known.line[0] != played.line[0]);
        let was_best = self.choice == Some(Choice::Move(played.line[0]));
        let is_ahead = |known: &&Candidate| worth(known) > worth(played) - i32::from(!was_best);
        let place = self.candidates.iter().take_while(is_ahead).count();
        self.candidates.insert(place, played.clone());
        self.candidates.truncate(count);
        if self.choice != Some(Choice::Declare)
            && let Some(best) = self.candidates.first()
        {
            self.evaluation = best.evaluation;
            self.choice = Some(Choice::Move(best.line[0]));
        }
    }
}

/// What is best to do: the first of the moves, whatever a player would do that resigns or plays below its strength.
fn choice(answered: Choice, candidates: &[Candidate]) -> Choice {
    match (answered, candidates.first()) {
        (Choice::Declare, _) | (_, None) => answered,
        (_, Some(best)) => Choice::Move(best.line[0]),
    }
}

fn candidate(report: &Report, position: &Position) -> Candidate {
    let evaluation = evaluation_of(report.score, position.side());
    Candidate { evaluation, line: legal_part(&report.pv, position.clone()) }
}

/// The part of a line that can be played; its first move always can.
fn legal_part(line: &[Move], mut position: Position) -> Vec<Move> {
    let is_next = |m: &Move| {
        let legal = position.is_legal(*m);
        if legal {
            position.play(*m);
        }
        legal
    };
    line.iter().copied().take_while(is_next).collect()
}

/// A number that is greater the better the evaluation is for a side: centipawns, mates beyond them.
#[must_use]
pub fn value_for(evaluation: Evaluation, side: Color) -> i32 {
    match evaluation {
        Evaluation::BlackCp(cp) if side == Color::Black => cp,
        Evaluation::BlackCp(cp) => cp.saturating_neg(),
        Evaluation::Mate { winner, plies } => {
            let value = mate_value(plies);
            if winner == side { value } else { -value }
        }
    }
}

fn review(side: Color, before: &Judgement, played: Candidate, scale: LogisticScale) -> Review {
    let Candidate { evaluation: value, line } = played;
    let is_best = before.choice == Some(Choice::Move(line[0]));
    let best = before.evaluation;
    Review {
        side,
        played: line[0],
        is_best,
        best,
        value,
        loss: win_rate_loss(scale, side, best, value),
        line,
    }
}

#[cfg(test)]
mod tests;
