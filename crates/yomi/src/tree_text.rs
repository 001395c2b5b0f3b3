//! A search tree as text and as JSON.

use std::fmt::Write as _;

use plot::{depth_label, move_label, score_label, tree_places, tree_summary};
use search::Score;
use search::tree::TreeView;
use serde_json::{Value, json};

/// An indented list.
pub(crate) fn text(view: &TreeView, heading: &str) -> String {
    let mut text = format!("{heading}\n{}\n\n", tree_summary(view));
    let _ = writeln!(
        text,
        "{:<34} {:>12} {:>6} {:>8} {:>8} {:>8}",
        "move", "value", "win", "among", "line", "visits"
    );
    for place in tree_places(view) {
        let node = &view.nodes[place.node];
        let name = format!("{}{}", "  ".repeat(place.ply), move_label(node));
        let _ = writeln!(
            text,
            "{name:<34} {:>12} {:>5.1}% {:>7.2}% {:>7.2}% {:>8}  {}",
            score_label(node),
            node.win_rate * 100.0,
            node.probability * 100.0,
            node.realization * 100.0,
            node.visits,
            depth_label(node),
        );
    }
    text
}

/// A list of nodes that name their parents.
pub(crate) fn json(view: &TreeView) -> Vec<Value> {
    let nodes = view.nodes.iter().enumerate().map(|(index, node)| {
        let (value, mate) = match node.score {
            Score::Centipawns(value) => (json!(value), Value::Null),
            Score::MateIn(plies) => (Value::Null, json!(plies)),
            Score::MatedIn(plies) => (Value::Null, json!(-i64::from(plies))),
            Score::Mating | Score::Mated => (Value::Null, Value::Null),
        };
        json!({
            "id": index,
            "parent": node.parent,
            "move": node.played.map(|m| m.to_string()),
            "value": value,
            "mate": mate,
            "win_rate": node.win_rate,
            "probability": node.probability,
            "realization": node.realization,
            "depth": node.depth,
            "visits": node.visits,
            "children": node.children,
            "closed": node.closed,
        })
    });
    nodes.collect()
}
