//! A whole game reviewed: what every move was worth, and what would have been better.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use contract::Effort;
use engine::analysis::{self, Analysis, Choice, Judgement, LossClass, Plan, Review, Summary};
use records::game::Game;
use serde_json::{Value, json};
use shogi::{Color, Position};

use super::question::Question;
use super::scores::ValueView;
use super::stream::{Attended, attended};
use crate::app::App;
use crate::body::Asked;
use crate::events::event;
use crate::players::USUAL;
use crate::position_view::{MoveName, PositionView, side_name};
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// Positions to visit for each position unless told, and at most.
const NODES: u64 = 30_000;
const MOST_NODES: u64 = 2_000_000;

/// Every move of a game.
pub(super) async fn review(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Asked(question): Asked<Question>,
) -> Result<Response, Refusal> {
    let last = question.position()?;
    let game = game_to(last);
    if game.moves.is_empty() {
        return Err(Refusal::bad("position", "a game without moves has no mistakes"));
    }
    let player = if question.player.is_empty() { USUAL } else { &question.player };
    let spec = app.players.judge(player)?;
    let nodes = if question.nodes == 0 { NODES } else { question.nodes.min(MOST_NODES) };
    let name = visitor.name.clone();
    attended(&app, &visitor, move |seats, attended| match seats.agent(&spec, &name) {
        Ok(agent) => {
            let plan = Plan::new(Effort::Nodes(nodes), agent.scale());
            let result = run(agent, &game, &plan, attended);
            agent.new_game();
            match result {
                Ok(analysis) => attended.finish("done", &view(&game, &analysis)),
                Err(error) => attended.fail(&error),
            }
        }
        Err(error) => attended.fail(&error),
    })
}

fn run(
    agent: &mut engine::Agent,
    game: &Game,
    plan: &Plan,
    attended: &Attended,
) -> Result<Analysis, engine::SearchFailed> {
    let (done, all) = (AtomicUsize::new(0), game.moves.len() + 1);
    let control = &attended.control;
    analysis::run(agent, game, plan, &|| control.is_stopped(), &mut || {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        attended.feed.offer(event("progress", &json!({ "done": done, "all": all })));
    })
}

/// The game that led to a position.
fn game_to(mut last: Position) -> Game {
    let moves: Vec<_> = last.moves_played().flatten().collect();
    for _ in &moves {
        last.undo();
    }
    let mut game = Game::new(last);
    moves.into_iter().for_each(|m| game.push(m));
    game
}

/// The review as JSON: values of every position, and every move with its cost. Mistakes come with all that is needed to look for
/// the better move oneself.
pub(super) fn view(game: &Game, analysis: &Analysis) -> Value {
    let value = |evaluation| ValueView::of(evaluation, analysis.scale);
    let values: Vec<ValueView> =
        (0..analysis.judgements.len()).map(|moves| value(analysis.value_after(moves))).collect();
    let mut position = game.start.clone();
    let mut moves = Vec::new();
    for (number, played) in game.moves.iter().enumerate() {
        if let Some(at) = number.checked_sub(analysis.skipped).filter(|at| *at < analysis.reviews.len()) {
            moves.push(move_view(
                number + 1,
                &analysis.reviews[at],
                &analysis.judgements[at],
                &position,
                analysis,
            ));
        }
        position.play(played.m);
    }
    let sides = Color::ALL.map(|side| side_view(&Summary::of(&analysis.reviews, side)));
    json!({
        "skipped": analysis.skipped,
        "values": values,
        "moves": moves,
        "black": sides[0],
        "white": sides[1],
        "scale": analysis.scale.centipawns(),
    })
}

fn move_view(
    ply: usize,
    review: &Review,
    before: &Judgement,
    position: &Position,
    analysis: &Analysis,
) -> Value {
    let class = review.class();
    let candidates: Vec<Value> = before
        .candidates
        .iter()
        .map(|known| json!({ "value": ValueView::of(known.evaluation, analysis.scale), "usi": known.line[0].to_string() }))
        .collect();
    json!({
        "ply": ply,
        "side": side_name(review.side),
        "usi": review.played.to_string(),
        "is_best": review.is_best,
        "best": ValueView::of(review.best, analysis.scale),
        "value": ValueView::of(review.value, analysis.scale),
        "loss": review.loss,
        "class": class.map(LossClass::name),
        "declare": before.choice == Some(Choice::Declare),
        "better": class.map(|_| MoveName::line(before.line(), position)),
        "candidates": candidates,
        "line": MoveName::line(&review.line, position),
        "position": class.map(|_| PositionView::of(position)),
    })
}

fn side_view(summary: &Summary) -> Value {
    let counts: Value = LossClass::ALL
        .into_iter()
        .zip(summary.counts)
        .map(|(class, count)| (class.name().to_owned(), json!(count)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    json!({
        "moves": summary.moves,
        "agreement": summary.agreement(),
        "mean_loss": summary.mean_loss(),
        "counts": counts,
    })
}
