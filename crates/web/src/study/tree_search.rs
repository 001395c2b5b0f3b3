//! A tree that grows: searched slice by slice, its most probable part shown after each.

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use engine::{Agent, Request, Time, evaluation_of};
use search::Limits;
use search::tree::TreeView;
use serde_json::{Value, json};
use shogi::Position;

use super::question::Question;
use super::scores::ValueView;
use super::stream::{Attended, attended};
use crate::app::App;
use crate::body::Asked;
use crate::events::event;
use crate::position_view::MoveName;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// The player that grows a tree unless another is named.
const USUAL_TREE: &str = "softmax";
/// How long a slice takes: the tree is shown between them.
const SLICE: Duration = Duration::from_millis(300);
/// Nodes that are shown unless told, and at most.
const SHOWN: usize = 60;
const MOST_SHOWN: usize = 300;

/// The tree of a position as it grows.
pub(super) async fn tree(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Asked(question): Asked<Question>,
) -> Result<Response, Refusal> {
    let position = question.position()?;
    let player = if question.player.is_empty() { USUAL_TREE } else { &question.player };
    let spec = app.players.judge(player)?;
    if !spec.method.keeps_tree() {
        return Err(Refusal::bad("player", "only softmax, mcss and uct keep a tree"));
    }
    let shown = if question.nodes == 0 { SHOWN } else { (question.nodes as usize).min(MOST_SHOWN) };
    // The tree of a later position of the same line is part of this one.
    let name = format!("tree of {}", visitor.name);
    attended(&app, &visitor, move |seats, attended| match seats.agent(&spec, &name) {
        Ok(agent) => grow(agent, &position, shown, attended),
        Err(error) => attended.fail(&error),
    })
}

fn grow(agent: &mut Agent, position: &Position, shown: usize, attended: &Attended) {
    let mut view = json!({ "nodes": [], "expansions": 0, "size": 0 });
    if position.game_end(0).is_some() {
        return attended.finish("done", &view);
    }
    let mut visited = 0;
    while !attended.control.is_stopped() {
        let request = Request {
            analysis: true,
            time: Time::Exactly(SLICE),
            ..Request::new(position, Limits::default())
        };
        let answer = match agent.play(&request, &search::Control::new(), &mut |_| {}) {
            Ok(answer) => answer,
            Err(error) => return attended.fail(&error),
        };
        visited += answer.nodes.unwrap_or(0);
        let Some(mut tree) = agent.tree_view(shown) else { return attended.fail("the player kept no tree") };
        plot::turn_root(&mut tree, false);
        view = tree_view(&tree, position, agent.scale());
        view["visited"] = json!(visited);
        view["choice"] = json!(answer.choice);
        attended.feed.offer(event("tree", &view));
        if tree.nodes.len() <= 1 || tree.nodes.first().is_some_and(|root| root.closed) {
            break;
        }
    }
    attended.finish("done", &view);
}

fn tree_view(tree: &TreeView, root: &Position, scale: contract::LogisticScale) -> Value {
    let mut nodes = Vec::with_capacity(tree.nodes.len());
    // Parents come before their children; each position is the parent's with a move.
    let mut positions: Vec<Position> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let parent = node.parent.and_then(|parent| positions.get(parent));
        let (position, name) = match (parent, node.played) {
            (Some(parent), Some(m)) if parent.is_legal(m) => {
                let name = MoveName::of(m, parent);
                let mut position = parent.clone();
                position.play(m);
                (position, Some(name))
            }
            _ => (root.clone(), None),
        };
        // The numbers of a node are for the side that chose it, those of the root for the side to move.
        let side = if name.is_some() { !position.side() } else { position.side() };
        nodes.push(json!({
            "parent": node.parent,
            "move": name,
            "value": ValueView::of(evaluation_of(node.score, side), scale),
            "win_rate": node.win_rate,
            "probability": node.probability,
            "realization": node.realization,
            "depth": node.depth,
            "visits": node.visits,
            "children": node.children,
            "closed": node.closed,
        }));
        positions.push(position);
    }
    json!({ "nodes": nodes, "expansions": tree.expansions, "size": tree.size })
}
