//! A search tree: a column for each ply, edges as thick as their moves are probable.

use std::fmt::Display;

use contract::Score;
use maud::{Markup, html};
use shogi::Color;
use tree::{TreeView, ViewNode};

use crate::names::{columns_in, shortened};
use crate::style::TITLE_SIZE;
use crate::svg::{Path, Px, Svg};

/// The visible part of a tree, who is to move at its root, and who made it.
pub struct TreePicture<'a, M> {
    /// The nodes.
    pub view: &'a TreeView<M>,
    /// The side to move at the root.
    pub side: Color,
    /// Above the tree.
    pub heading: &'a str,
}

/// Where a node stands when a tree is read: itself, then all below its first child, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreePlace {
    /// Which node of the view.
    pub node: usize,
    /// Moves from the root.
    pub ply: usize,
    /// Leaves stand one below the other, a parent beside its first child.
    pub row: usize,
}

const COLUMN: f64 = 220.0;
const ROW: f64 = 46.0;
const BOX_WIDTH: f64 = 190.0;
const BOX_HEIGHT: f64 = 38.0;
const LEFT: f64 = 24.0;
const TOP: f64 = 92.0;
/// The picture is at least as wide as its explanations.
const LEAST_WIDTH: f64 = 820.0;

/// The places of all nodes, in the order in which they are read.
#[must_use]
pub fn tree_places<M>(view: &TreeView<M>) -> Vec<TreePlace> {
    let mut children = vec![Vec::new(); view.nodes.len()];
    for (node, parent) in view.nodes.iter().enumerate().filter_map(|(i, node)| Some((i, node.parent?))) {
        children[parent].push(node);
    }
    let mut places: Vec<TreePlace> = Vec::new();
    // Each with its ply, and whether it is its parent's first child and stands beside it.
    let mut open = vec![(0, 0, true)];
    while let Some((node, ply, is_first)) = open.pop() {
        let row = places.last().map_or(0, |last| last.row + usize::from(!is_first));
        places.push(TreePlace { node, ply, row });
        let below = children[node].iter().enumerate().map(|(i, &child)| (child, ply + 1, i == 0));
        open.extend(below.rev());
    }
    places
}

/// Turns the numbers of the root, which a tree keeps for the side that led to it, to the side to move: a ply nearer to a
/// mate. A position without legal moves has no tree, but is lost.
pub fn turn_root<M>(view: &mut TreeView<M>, is_mated: bool) {
    let Some(root) = view.nodes.first_mut() else { return };
    root.win_rate = if is_mated { 0.0 } else { 1.0 - root.win_rate };
    root.closed |= is_mated;
    root.score = match root.score {
        _ if is_mated => Score::MatedIn(0),
        Score::Centipawns(value) => Score::Centipawns(-value),
        Score::MateIn(plies) => Score::MatedIn(plies.saturating_sub(1)),
        Score::MatedIn(plies) => Score::MateIn(plies.saturating_sub(1)),
        Score::Mating => Score::Mated,
        Score::Mated => Score::Mating,
    };
}

/// How much of the tree is shown.
#[must_use]
pub fn tree_summary<M>(view: &TreeView<M>) -> String {
    let TreeView { expansions, size, nodes, .. } = view;
    format!("{expansions} nodes expanded, {size} in memory, the {} most probable shown", nodes.len())
}

/// The move that leads to a node.
#[must_use]
pub fn move_label<M: Display>(node: &ViewNode<M>) -> String {
    node.played.as_ref().map_or_else(|| "root".to_owned(), ToString::to_string)
}

/// The value of a node for the side that chooses it.
#[must_use]
pub fn score_label<M>(node: &ViewNode<M>) -> String {
    match node.score {
        Score::Centipawns(value) => format!("{value:+}"),
        Score::MateIn(plies) => format!("wins in {plies}"),
        Score::MatedIn(0) => "mated".to_owned(),
        Score::MatedIn(plies) => format!("loses in {plies}"),
        Score::Mating => "wins".to_owned(),
        Score::Mated => "loses".to_owned(),
    }
}

/// The search depth, which means nothing for what is proven.
#[must_use]
pub fn depth_label<M>(node: &ViewNode<M>) -> String {
    match node.score {
        Score::Centipawns(_) => format!("D {:.1}", node.depth),
        _ => "proven".to_owned(),
    }
}

impl<M: Display> TreePicture<'_, M> {
    /// The tree as a picture.
    #[must_use]
    pub fn svg(&self) -> Svg {
        let places = tree_places(self.view);
        let plies = places.iter().map(|place| place.ply).max().unwrap_or(0);
        let rows = places.last().map_or(0, |last| last.row) + 1;
        let width = (2.0 * LEFT + plies as f64 * COLUMN + BOX_WIDTH).max(LEAST_WIDTH);
        let mut of_node = vec![None; self.view.nodes.len()];
        places.iter().for_each(|place| of_node[place.node] = Some(*place));
        let parent_of =
            |place: &TreePlace| self.view.nodes[place.node].parent.and_then(|parent| of_node[parent]);
        let heading = shortened(self.heading, columns_in(width - 2.0 * LEFT, TITLE_SIZE));
        let body = html! {
            text class="title" x=(Px(LEFT)) y="30" { (heading) }
            text class="faint" x=(Px(LEFT)) y="51" { (tree_summary(self.view)) "; blue: Black's moves, orange: White's" }
            text class="faint" x=(Px(LEFT)) y="71" {
                "value for the side to move or that moved; share among siblings and of the whole line, search depth D, visits"
            }
            @for place in &places {
                @if let Some(parent) = parent_of(place) { (self.edge(&parent, place)) }
            }
            @for place in &places { (self.node(place)) }
        };
        let height = TOP + rows as f64 * ROW + 12.0;
        Svg { kind: "tree", width, height, title: "Search tree".to_owned(), description: String::new(), body }
    }

    /// The tree as a file of its own.
    #[must_use]
    pub fn to_file(&self) -> String {
        self.svg().to_file()
    }

    fn edge(&self, parent: &TreePlace, child: &TreePlace) -> Markup {
        let ((x0, y0), (x1, y1)) = (corner(parent), corner(child));
        let (x0, y0, y1) = (x0 + BOX_WIDTH, y0 + BOX_HEIGHT / 2.0, y1 + BOX_HEIGHT / 2.0);
        let middle = (x0 + x1) / 2.0;
        let thickness = 1.0 + 5.0 * f64::from(self.view.nodes[child.node].probability);
        let curve = Path::from(x0, y0).curve((middle, y0), (middle, y1), (x1, y1));
        html! { path class="edge" stroke-width=(Px(thickness)) d=(curve) {} }
    }

    fn node(&self, place: &TreePlace) -> Markup {
        let node = &self.view.nodes[place.node];
        let (x, y) = corner(place);
        let (left, right) = (x + 8.0, x + BOX_WIDTH - 8.0);
        // The root is no move: its numbers are for the side to move, and all of the tree is below it.
        let mover = if place.ply == 0 || !place.ply.is_multiple_of(2) { self.side } else { !self.side };
        let color = match mover {
            _ if place.ply == 0 => "stand",
            Color::Black => "black",
            Color::White => "white",
        };
        let shares = if place.ply == 0 {
            format!("for {}", self.side)
        } else {
            format!("{:.0}% {:.1}%", node.probability * 100.0, node.realization * 100.0)
        };
        html! {
            rect class={ "box " (color) @if node.closed { " closed" } } x=(Px(x)) y=(Px(y)) width=(Px(BOX_WIDTH))
                height=(Px(BOX_HEIGHT)) rx="5" {}
            text class="strong" x=(Px(left)) y=(Px(y + 16.0)) { (move_label(node)) }
            text class="end" x=(Px(right)) y=(Px(y + 16.0)) { (score_label(node)) }
            text class="small" x=(Px(left)) y=(Px(y + 31.0)) { (shares) }
            text class="small end" x=(Px(right)) y=(Px(y + 31.0)) { (depth_label(node)) " n " (abbreviated(node.visits)) }
        }
    }
}

/// The upper left corner of a node's box.
fn corner(place: &TreePlace) -> (f64, f64) {
    (LEFT + place.ply as f64 * COLUMN, TOP + place.row as f64 * ROW)
}

/// A number in few letters.
fn abbreviated(number: u32) -> String {
    match number {
        0..=9_999 => number.to_string(),
        10_000..=999_999 => format!("{}k", number / 1000),
        1_000_000..=99_999_999 => format!("{:.1}M", f64::from(number) / 1e6),
        _ => format!("{}M", number / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use shogi::Move;

    use super::*;
    use crate::names::text_width;
    use crate::style::LETTER_SIZE;

    fn node(parent: Option<usize>, played: Option<&str>, score: Score) -> ViewNode<Move> {
        ViewNode {
            parent,
            played: played.map(|text| text.parse().unwrap()),
            score,
            win_rate: 0.5,
            probability: 0.5,
            realization: 0.25,
            depth: 3.0,
            visits: 12_345,
            children: 0,
            closed: matches!(score, Score::MatedIn(_)),
        }
    }

    /// The root, two moves, and a reply to the first of them.
    fn view() -> TreeView<Move> {
        let nodes = vec![
            node(None, None, Score::Centipawns(0)),
            node(Some(0), Some("7g7f"), Score::Centipawns(40)),
            node(Some(0), Some("2g2f"), Score::Centipawns(-30)),
            node(Some(1), Some("3c3d"), Score::MatedIn(4)),
        ];
        TreeView { nodes, expansions: 100, size: 2000, bytes_per_node: 32 }
    }

    #[test]
    fn a_node_is_read_before_its_children_and_these_before_its_siblings() {
        let places: Vec<_> = tree_places(&view()).iter().map(|p| (p.node, p.ply, p.row)).collect();
        assert_eq!(places, [(0, 0, 0), (1, 1, 0), (3, 2, 0), (2, 1, 1)]);
    }

    #[test]
    fn every_node_is_a_box_in_its_movers_colour() {
        let (view, heading) = (view(), "softmax <T>");
        let svg = TreePicture { view: &view, side: Color::Black, heading }.to_file();
        assert_eq!(svg.matches("<rect class=\"box ").count(), 4);
        assert_eq!(svg.matches("<rect class=\"box black\"").count(), 2);
        assert_eq!(svg.matches("<rect class=\"box white closed\"").count(), 1);
        assert!(svg.contains("<rect class=\"box stand\"") && svg.contains(">for Black</text>"));
        assert_eq!(svg.matches("class=\"edge\"").count(), 3);
        assert!(
            svg.contains("softmax &lt;T&gt;")
                && svg.contains(">7g7f</text>")
                && svg.contains(">loses in 4</text>")
        );
        assert!(svg.contains("n 12k") && svg.contains("prefers-color-scheme:dark"));
    }

    /// Where a text of a box stands: its height, left end and right end.
    fn extent(element: &str) -> (String, f64, f64) {
        let attribute = |name: &str| element.split(&format!(" {name}=\"")).nth(1)?.split('"').next();
        let (class, y) = (attribute("class").unwrap(), attribute("y").unwrap());
        let x: f64 = attribute("x").unwrap().parse().unwrap();
        let words = element.split(['>', '<']).nth(1).unwrap();
        let width = text_width(words, if class.contains("small") { 11.0 } else { LETTER_SIZE });
        let left = if class.contains("end") { x - width } else { x };
        (y.to_owned(), left, left + width)
    }

    #[test]
    fn texts_of_a_box_do_not_overlap() {
        for side in Color::ALL {
            for (score, depth) in [
                (Score::Centipawns(-31_000), 123.4),
                (Score::MateIn(123), 0.0),
                (Score::MatedIn(124), 0.0),
                (Score::MatedIn(0), 0.0),
            ] {
                let root = ViewNode { depth, visits: u32::MAX, ..node(None, None, score) };
                let reply = node(Some(0), Some("8h2b+"), score);
                let reply = ViewNode { depth, visits: u32::MAX, probability: 1.0, realization: 1.0, ..reply };
                let view = TreeView { nodes: vec![root, reply], expansions: 1, size: 2, bytes_per_node: 32 };
                let svg = TreePicture { view: &view, side, heading: "" }.to_file();
                let boxes = svg.split("<rect class=\"box ").skip(1);
                for one in boxes {
                    let texts: Vec<_> = one.split("<text").skip(1).take(4).map(extent).collect();
                    for pair in texts.chunks(2) {
                        assert_eq!(pair[0].0, pair[1].0, "two on a line");
                        assert!(pair[0].2 < pair[1].1, "{score:?}: {one}");
                    }
                }
            }
        }
    }
}
