//! A search tree as text, JSON and a picture.

use std::fmt::Write as _;

use search::Score;
use search::tree::{TreeView, ViewNode};
use serde_json::{Value, json};
use shogi::{Color, Position};

/// The visible part of a tree, its root's position, and who made it.
pub(crate) struct SearchTree<'a> {
    pub(crate) view: &'a TreeView,
    pub(crate) position: &'a Position,
    pub(crate) heading: &'a str,
}

const COLUMN: f64 = 176.0;
const ROW: f64 = 44.0;
const BOX_WIDTH: f64 = 148.0;
const BOX_HEIGHT: f64 = 36.0;
const LEFT: f64 = 24.0;
const TOP: f64 = 92.0;
/// The picture is at least as wide as its heading.
const LEAST_WIDTH: f64 = 820.0;

/// Colours and letters, then what differs on a dark page.
const STYLE: &str = "\
.ground{fill:#fff;stroke:#d0d4da}\
.edge{fill:none;stroke:#8fa3b8}\
.box{stroke-width:1.2}\
.black{fill:#e8f1fb;stroke:#1c6fd0}\
.white{fill:#fdf0e3;stroke:#c4670c}\
.closed{stroke-dasharray:4 3}\
text{fill:#23282d;font-family:system-ui,'Noto Sans','Noto Sans CJK JP',sans-serif;font-size:13px}\
.title{font-size:17px;font-weight:600}\
.faint{fill:#5f6770;font-size:12px}\
.small{fill:#4a525a;font-size:10.5px}\
.move{font-weight:600}\
.end{text-anchor:end}\
@media (prefers-color-scheme:dark){\
.ground{fill:#16191d;stroke:#3a4048}\
.edge{stroke:#66788a}\
.black{fill:#15293f;stroke:#58a6ff}\
.white{fill:#3a2410;stroke:#f0a04b}\
text{fill:#e8ebee}\
.faint{fill:#a4acb6}\
.small{fill:#bcc4cc}\
}";

fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(value) => format!("{value:+}"),
        Score::MateIn(plies) => format!("wins in {plies}"),
        Score::MatedIn(0) => "mated".to_owned(),
        Score::MatedIn(plies) => format!("loses in {plies}"),
        Score::Mating => "wins".to_owned(),
        Score::Mated => "loses".to_owned(),
    }
}

/// The search depth; nothing sensible for what is proven.
fn depth_text(node: &ViewNode) -> String {
    match node.score {
        Score::Centipawns(_) => format!("D {:.1}", node.depth),
        _ => "proven".to_owned(),
    }
}

fn move_text(node: &ViewNode) -> String {
    node.played.map_or_else(|| "root".to_owned(), |m| m.to_string())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

impl SearchTree<'_> {
    fn nodes(&self) -> &[ViewNode] {
        &self.view.nodes
    }

    fn children_of(&self, parent: usize) -> impl Iterator<Item = usize> {
        let is_child = move |(_, node): &(usize, &ViewNode)| node.parent == Some(parent);
        self.nodes().iter().enumerate().filter(is_child).map(|(index, _)| index)
    }

    fn ply(&self, index: usize) -> usize {
        std::iter::successors(self.nodes()[index].parent, |&parent| self.nodes()[parent].parent).count()
    }

    /// The nodes in the order in which they are read: a node, then all below its first child, and so on.
    fn reading_order(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            order.push(index);
            let below: Vec<usize> = self.children_of(index).collect();
            open.extend(below.into_iter().rev());
        }
        order
    }

    fn summary(&self) -> String {
        let TreeView { expansions, size, .. } = self.view;
        let shown = self.nodes().len();
        format!("{expansions} nodes expanded, {size} in memory, the {shown} most probable shown")
    }

    /// As an indented list.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}\n{}\n\n", self.heading, self.summary());
        let _ = writeln!(
            text,
            "{:<34} {:>12} {:>6} {:>8} {:>8} {:>8}",
            "move", "value", "win", "among", "line", "visits"
        );
        for index in self.reading_order() {
            let node = &self.nodes()[index];
            let name = format!("{}{}", "  ".repeat(self.ply(index)), move_text(node));
            let _ = writeln!(
                text,
                "{name:<34} {:>12} {:>5.1}% {:>7.2}% {:>7.2}% {:>8}  {}",
                score_text(node.score),
                node.win_rate * 100.0,
                node.probability * 100.0,
                node.realization * 100.0,
                node.visits,
                depth_text(node),
            );
        }
        text
    }

    /// As a list of nodes that name their parents.
    pub(crate) fn json(&self) -> Vec<Value> {
        let nodes = self.nodes().iter().enumerate().map(|(index, node)| {
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

    /// As a picture: a column for each ply, lines as thick as moves are probable.
    pub(crate) fn svg(&self) -> String {
        let rows = self.rows();
        let plies = (0..self.nodes().len()).map(|index| self.ply(index)).max().unwrap_or(0);
        let last = rows.iter().copied().fold(0.0, f64::max);
        let width = (2.0 * LEFT + plies as f64 * COLUMN + BOX_WIDTH).max(LEAST_WIDTH);
        let height = TOP + (last + 1.0) * ROW + 16.0;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>Search tree</title>\n<style>{STYLE}</style>\n\
             <rect class=\"ground\" x=\"1\" y=\"1\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"30\">{}</text>\n\
             <text class=\"faint\" x=\"{LEFT}\" y=\"50\">{}; blue: Black's moves, orange: White's</text>\n\
             <text class=\"faint\" x=\"{LEFT}\" y=\"68\">value for the side that moves; share among its siblings and of the whole line, search depth D, visits</text>\n",
            width - 2.0,
            height - 2.0,
            escaped(&clipped(self.heading, (width / 9.0) as usize)),
            escaped(&self.summary()),
        );
        for (index, node) in self.nodes().iter().enumerate() {
            if let Some(parent) = node.parent {
                self.write_edge(&mut svg, parent, index, &rows);
            }
        }
        for index in 0..self.nodes().len() {
            self.write_box(&mut svg, index, &rows);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The row of each node: leaves one below the other, a parent beside its first child.
    fn rows(&self) -> Vec<f64> {
        let mut rows = vec![0.0; self.nodes().len()];
        let mut next = 0.0;
        for index in self.reading_order() {
            let first = self.nodes()[index]
                .parent
                .is_none_or(|parent| self.children_of(parent).next() == Some(index));
            if !first {
                next += 1.0;
            }
            rows[index] = next;
        }
        rows
    }

    fn corner(&self, index: usize, rows: &[f64]) -> (f64, f64) {
        (LEFT + self.ply(index) as f64 * COLUMN, TOP + rows[index] * ROW)
    }

    fn write_edge(&self, svg: &mut String, parent: usize, child: usize, rows: &[f64]) {
        let ((x0, y0), (x1, y1)) = (self.corner(parent, rows), self.corner(child, rows));
        let (x0, y0, y1) = (x0 + BOX_WIDTH, y0 + BOX_HEIGHT / 2.0, y1 + BOX_HEIGHT / 2.0);
        let middle = (x0 + x1) / 2.0;
        let thickness = 1.0 + 5.0 * f64::from(self.nodes()[child].probability);
        let _ = writeln!(
            svg,
            "<path class=\"edge\" stroke-width=\"{thickness:.2}\" d=\"M{x0} {y0}C{middle} {y0} {middle} {y1} {x1} {y1}\"/>"
        );
    }

    fn write_box(&self, svg: &mut String, index: usize, rows: &[f64]) {
        let node = &self.nodes()[index];
        let (x, y) = self.corner(index, rows);
        let first = self.position.side();
        // The root was chosen by the opponent.
        let mover = if self.ply(index).is_multiple_of(2) { !first } else { first };
        let color = if mover == Color::Black { "black" } else { "white" };
        let closed = if node.closed { " closed" } else { "" };
        let _ = writeln!(
            svg,
            "<rect class=\"box {color}{closed}\" x=\"{x}\" y=\"{y}\" width=\"{BOX_WIDTH}\" height=\"{BOX_HEIGHT}\" rx=\"5\"/>\n\
             <text class=\"move\" x=\"{}\" y=\"{}\">{}</text><text class=\"end\" x=\"{}\" y=\"{}\">{}</text>\n\
             <text class=\"small\" x=\"{}\" y=\"{}\">{:.0}% {:.1}%</text><text class=\"small end\" x=\"{}\" y=\"{}\">{} n {}</text>",
            x + 8.0,
            y + 15.0,
            move_text(node),
            x + BOX_WIDTH - 8.0,
            y + 15.0,
            score_text(node.score),
            x + 8.0,
            y + 29.5,
            node.probability * 100.0,
            node.realization * 100.0,
            x + BOX_WIDTH - 8.0,
            y + 29.5,
            depth_text(node),
            short(node.visits),
        );
    }
}

/// A number in few letters.
fn short(number: u32) -> String {
    match number {
        0..=9_999 => number.to_string(),
        10_000..=999_999 => format!("{}k", number / 1000),
        _ => format!("{:.1}M", f64::from(number) / 1e6),
    }
}

fn clipped(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
}
