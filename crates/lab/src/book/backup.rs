//! What the positions of a book are worth when its lines are followed to their ends.
//!
//! The positions are the nodes of a graph, not of a tree: several ways lead to one position, and some lead back to it. The
//! side to move may leave the book, for what a search says that is worth, or go on inside. Play that goes round in the book
//! for ever ends by the rules of repetition: whoever did nothing but give check has lost, else it is a draw. Such a game
//! has a value in every node, and players who need no memory reach it (deterministic graphical games, Washburn 1990);
//! that is also what the rule of four occurrences makes of it, for who needs no memory goes round again and again.
//!
//! Where no way leads back, values follow from those of the children. Positions that lead to each other (a strongly connected
//! component, by Tarjan 1972) are solved together: for each value that a side could hope for, from the highest, the
//! positions from which it can force that much or a perpetual check by the opponent.

use contract::score::MATE;
use shogi::Color;

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Who is to move.
    pub side: Color,
    /// The best that leaving the book is worth, for the side to move; none if it knows no such move.
    pub exit: Option<i32>,
    /// The moves that lead to positions of the book.
    pub edges: Vec<Edge>,
}

/// A move from one position of the book to another, where the opponent is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The number of the other.
    pub to: usize,
    /// Whether it gives check.
    pub is_check: bool,
}

/// What a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Worth {
    /// For the side to move.
    pub value: i32,
    /// Positions of the same number lead to each other.
    pub component: usize,
    /// Among positions that lead to each other: whoever has the advantage must never move to a higher rank of the same
    /// value, which only goes round.
    pub rank: usize,
}

/// Beyond all exits: the opponent gives perpetual check.
const PERPETUAL: i32 = MATE;

/// The worth of every node. A node without moves is worth a loss.
#[must_use]
pub fn back_up(nodes: &[Node]) -> Vec<Worth> {
    let mut worths = vec![Worth::default(); nodes.len()];
    for (number, members) in components(nodes).iter().enumerate() {
        members.iter().for_each(|&member| worths[member].component = number);
        if let [single] = members[..] {
            worths[single].value = outside(nodes, &worths, single).unwrap_or(-MATE);
        } else {
            Component::new(nodes, &worths, members).solve(&mut worths);
        }
    }
    worths
}

/// The best that a node has without the positions that lead back to it, all others being known.
fn outside(nodes: &[Node], worths: &[Worth], node: usize) -> Option<i32> {
    let own = worths[node].component;
    let edges = nodes[node].edges.iter().filter(|edge| worths[edge.to].component != own);
    edges.map(|edge| -worths[edge.to].value).chain(nodes[node].exit).max()
}

/// Positions that lead to each other.
struct Component<'a> {
    nodes: &'a [Node],
    members: &'a [usize],
    /// For each node of the book what it has outside the component, for the side to move.
    outside: Vec<Option<i32>>,
}

impl<'a> Component<'a> {
    fn new(nodes: &'a [Node], worths: &[Worth], members: &'a [usize]) -> Component<'a> {
        let outside = members.iter().map(|&member| outside(nodes, worths, member)).collect();
        Component { nodes, members, outside }
    }

    /// What cannot be decided for either side is a draw.
    fn solve(&self, worths: &mut [Worth]) {
        let edges = self.inner_edges();
        let mut decided: Vec<Option<Color>> = vec![None; self.members.len()];
        let mut rank = 0;
        for hopeful in Color::ALL {
            for hope in self.hopes(hopeful) {
                loop {
                    let forced = self.forced(&edges, &decided, hopeful, hope);
                    if forced.is_empty() {
                        break;
                    }
                    rank += 1;
                    for member in forced {
                        decided[member] = Some(hopeful);
                        let number = self.members[member];
                        let value = if self.nodes[number].side == hopeful { hope } else { -hope };
                        worths[number] = Worth { value, rank, ..worths[number] };
                    }
                }
            }
        }
    }

    /// For each member its moves to other members, by their places among the members.
    fn inner_edges(&self) -> Vec<Vec<Edge>> {
        let place = |number: usize| self.members.binary_search(&number).ok();
        let inner = |edge: &Edge| Some(Edge { to: place(edge.to)?, ..*edge });
        let edges = self.members.iter().map(|&number| self.nodes[number].edges.iter().filter_map(inner));
        edges.map(Iterator::collect).collect()
    }

    fn side(&self, member: usize) -> Color {
        self.nodes[self.members[member]].side
    }

    /// What a side could hope for beyond a draw, the best first.
    fn hopes(&self, hopeful: Color) -> Vec<i32> {
        let ends = self.outside.iter().enumerate().filter_map(|(member, value)| {
            let value = (*value)?;
            Some(if self.side(member) == hopeful { value } else { -value })
        });
        let mut hopes: Vec<i32> = ends.filter(|&value| value > 0).chain([PERPETUAL]).collect();
        hopes.sort_unstable_by(|a, b| b.cmp(a));
        hopes.dedup();
        hopes
    }

    /// Undecided members from which the hopeful side gets its hope, at least those nearest to it.
    ///
    /// The opponent escapes where he can leave for less, or can go on and on and not by checks alone: a Büchi game. Of its
    /// nested fixed points this is one round of the outer one, so that the rounds rank the members.
    fn forced(
        &self,
        edges: &[Vec<Edge>],
        decided: &[Option<Color>],
        hopeful: Color,
        hope: i32,
    ) -> Vec<usize> {
        let opponents: Vec<bool> = decided.iter().map(|&by| by == Some(hopeful.opponent())).collect();
        let is_open = |member: usize| decided[member] != Some(hopeful);
        let mut escapes = opponents;
        loop {
            let escaping = |member: &usize| {
                let (outside, mut inner) = (self.outside[*member], edges[*member].iter());
                if self.side(*member) == hopeful {
                    outside.is_none_or(|value| value < hope) && inner.all(|edge| escapes[edge.to])
                } else {
                    outside.is_some_and(|value| -value < hope)
                        || inner.any(|edge| if edge.is_check { escapes[edge.to] } else { is_open(edge.to) })
                }
            };
            let more: Vec<usize> =
                (0..decided.len()).filter(|&m| is_open(m) && !escapes[m]).filter(escaping).collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|member| escapes[member] = true);
        }
        (0..decided.len()).filter(|&member| is_open(member) && !escapes[member]).collect()
    }
}

/// The strongly connected components, each sorted, those first to which others lead (Tarjan), without recursion.
fn components(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut search = Tarjan {
        index: vec![None; nodes.len()],
        low: vec![0; nodes.len()],
        is_open: vec![false; nodes.len()],
        open: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for root in 0..nodes.len() {
        if search.index[root].is_none() {
            search.walk(nodes, root);
        }
    }
    search.found
}

struct Tarjan {
    /// When a node was first visited.
    index: Vec<Option<usize>>,
    /// The earliest open node that it leads to.
    low: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    next: usize,
    found: Vec<Vec<usize>>,
}

impl Tarjan {
    fn walk(&mut self, nodes: &[Node], root: usize) {
        // Nodes on the way, each with its next edge.
        let mut way = vec![(root, 0)];
        self.enter(root);
        while let Some((node, edge)) = way.last_mut() {
            let node = *node;
            if let Some(to) = nodes[node].edges.get(*edge).map(|edge| edge.to) {
                *edge += 1;
                match self.index[to] {
                    None => {
                        self.enter(to);
                        way.push((to, 0));
                    }
                    Some(index) if self.is_open[to] => self.low[node] = self.low[node].min(index),
                    Some(_) => {}
                }
                continue;
            }
            way.pop();
            if let Some(&(parent, _)) = way.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if Some(self.low[node]) == self.index[node] {
                self.close(node);
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.index[node] = Some(self.next);
        self.low[node] = self.next;
        self.next += 1;
        self.is_open[node] = true;
        self.open.push(node);
    }

    fn close(&mut self, first: usize) {
        let start = self.open.iter().rposition(|&node| node == first).unwrap_or(0);
        let mut members = self.open.split_off(start);
        members.iter().for_each(|&member| self.is_open[member] = false);
        members.sort_unstable();
        self.found.push(members);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A node of Black for an even number, else of White; checks have an exclamation mark after them.
    fn graph(nodes: &[(Option<i32>, &str)]) -> Vec<Node> {
        let edge = |word: &str| Edge {
            to: word.trim_end_matches('!').parse().unwrap(),
            is_check: word.ends_with('!'),
        };
        let node = |(number, (exit, edges)): (usize, &(Option<i32>, &str))| {
            let side = Color::ALL[number % 2];
            Node { side, exit: *exit, edges: edges.split_whitespace().map(edge).collect() }
        };
        nodes.iter().enumerate().map(node).collect()
    }

    fn values(nodes: &[(Option<i32>, &str)]) -> Vec<i32> {
        back_up(&graph(nodes)).iter().map(|worth| worth.value).collect()
    }

    #[test]
    fn a_transposition_is_one_position_to_all_who_lead_to_it() {
        // Black chooses between two moves, after which White has the same reply besides one of his own.
        let book = [(Some(-9), "1 3"), (Some(-30), "2"), (Some(10), ""), (Some(25), "2")];
        assert_eq!(values(&book), [10, -10, 10, 25].map(|value| value));
        // What is found at the common position changes both.
        let deeper = [(Some(-9), "1 3"), (Some(-30), "2"), (Some(70), ""), (Some(-50), "2")];
        assert_eq!(values(&deeper), [50, -30, 70, -50]);
    }

    #[test]
    fn going_round_is_a_draw_and_better_than_leaving_for_less() {
        // Each side may leave, at a loss: both go round.
        assert_eq!(values(&[(Some(-20), "1"), (Some(-20), "2"), (Some(-20), "3"), (Some(-20), "0")]), [0; 4]);
        // Black may leave for a gain: he does, wherever he goes round.
        let gain = [(Some(-20), "1"), (Some(-80), "2"), (Some(35), "3"), (Some(-80), "0")];
        assert_eq!(values(&gain), [35, -35, 35, -35]);
        // White prefers a small loss to the greater one that waits.
        let prevented = [(Some(-20), "1"), (Some(-10), "2"), (Some(35), "3"), (Some(-80), "0")];
        assert_eq!(values(&prevented), [10, -10, 35, -10]);
    }

    #[test]
    fn perpetual_check_loses_for_the_checker() {
        // Black checks for ever, White must move his king to and fro.
        assert_eq!(
            values(&[(None, "1!"), (None, "2"), (None, "3!"), (None, "0")]),
            [-MATE, MATE, -MATE, MATE]
        );
        // So Black leaves, even for a loss.
        let leaves = [(Some(-400), "1!"), (None, "2"), (Some(-90), "3!"), (None, "0")];
        assert_eq!(values(&leaves), [-90, 90, -90, 90]);
        // One quiet move makes it a draw.
        let quiet = [(Some(-400), "1!"), (None, "2"), (Some(-90), "3"), (None, "0")];
        assert_eq!(values(&quiet), [0; 4]);
    }

    #[test]
    fn moves_to_a_higher_rank_only_go_round() {
        let worths = back_up(&graph(&[(None, "1 3"), (None, "2"), (Some(35), "3"), (None, "0")]));
        assert_eq!(worths[0].value, 35);
        let ranks: Vec<usize> = worths.iter().map(|worth| worth.rank).collect();
        assert!(ranks[2] < ranks[1] && ranks[1] <= ranks[0] && ranks[0] < ranks[3], "{ranks:?}");
        assert!(worths.iter().all(|worth| worth.component == worths[0].component));
    }

    #[test]
    fn long_lines_need_no_stack() {
        let last = 200_000;
        let nodes: Vec<Node> = (0..=last)
            .map(|number| Node {
                side: Color::ALL[number % 2],
                exit: (number == last).then_some(7),
                edges: (number < last)
                    .then_some(Edge { to: number + 1, is_check: false })
                    .into_iter()
                    .collect(),
            })
            .collect();
        assert_eq!(back_up(&nodes)[0].value, 7);
    }

    /// The value by trying every way until a position comes again, which ends it by the rule: slow, and obviously right.
    fn by_all_ways(nodes: &[Node], way: &mut Vec<(usize, bool)>, node: usize) -> i32 {
        let mut best = nodes[node].exit.unwrap_or(-MATE);
        for edge in &nodes[node].edges {
            let value = match way.iter().position(|&(known, _)| known == edge.to) {
                Some(start) => {
                    let moves: Vec<(Color, bool)> = way[start..]
                        .iter()
                        .skip(1)
                        .chain(&[(edge.to, edge.is_check)])
                        .zip(&way[start..])
                        .map(|(to, from)| (nodes[from.0].side, to.1))
                        .collect();
                    let only_checks = |side| moves.iter().filter(|m| m.0 == side).all(|m| m.1);
                    let us = nodes[node].side;
                    if only_checks(us) {
                        -MATE
                    } else if only_checks(us.opponent()) {
                        MATE
                    } else {
                        0
                    }
                }
                None => {
                    way.push((edge.to, edge.is_check));
                    let value = -by_all_ways(nodes, way, edge.to);
                    way.pop();
                    value
                }
            };
            best = best.max(value);
        }
        best
    }

    /// Half the number of a node, and whether the move there gives check if its side ever does.
    type Drawn = (usize, bool);

    /// Small graphs in which one side, if any, gives check.
    fn graphs() -> impl Strategy<Value = Vec<Node>> {
        let node = (
            proptest::option::weighted(0.6, -4i32..=4),
            proptest::collection::vec((0usize..3, any::<bool>()), 0..4),
        );
        (proptest::collection::vec(node, 6), 0usize..3).prop_map(|(nodes, checking)| {
            let node = |(number, (exit, edges)): (usize, (Option<i32>, Vec<Drawn>))| {
                let checks = number % 2 == checking;
                let edge = |(to, is_check): (usize, bool)| Edge {
                    to: 2 * to + (number + 1) % 2,
                    is_check: is_check && checks,
                };
                let mut edges: Vec<Edge> = edges.into_iter().map(edge).collect();
                edges.sort_by_key(|edge| edge.to);
                edges.dedup_by_key(|edge| edge.to);
                Node { side: Color::ALL[number % 2], exit, edges }
            };
            nodes.into_iter().enumerate().map(node).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn values_are_those_of_trying_every_way(nodes in graphs()) {
            let worths = back_up(&nodes);
            for (number, worth) in worths.iter().enumerate() {
                prop_assert_eq!(worth.value, by_all_ways(&nodes, &mut vec![(number, false)], number), "node {}", number);
            }
        }
    }
}
