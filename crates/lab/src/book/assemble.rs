//! From searched positions to a book: the graph that they make, its values, and the moves that are worth playing.

use std::cmp::Reverse;
use std::collections::HashMap;

use records::book::{Book, BookMove};
use records::packed::PackError;
use serde::Serialize;
use shogi::{Move, Position};

use super::backup::{Edge, Node, Worth, back_up};
use super::collect::Met;
use super::search::Searched;

/// How wide a book is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Moves for each position, at most.
    pub moves: usize,
    /// How much worse than the best they may be, in centipawns.
    pub within: i32,
}

/// A book, and what came of making it.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The book.
    pub book: Book,
    /// What there is to say about it.
    pub made: MadeBook,
}

/// What came of making a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MadeBook {
    /// Its positions.
    pub positions: usize,
    /// Their moves.
    pub moves: usize,
    /// Positions that several others lead to.
    pub transpositions: usize,
    /// Positions that lead back to themselves.
    pub in_cycles: usize,
    /// Positions where the book's values led to another move than the search of the position alone.
    pub changed: usize,
    /// Positions whose best move is not the one that was played most.
    pub unlike_records: usize,
    /// What the start is worth for Black, if it is in the book.
    pub start_value: Option<i32>,
}

/// A move with what the book makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    m: Move,
    value: i32,
    /// The position of the book that it leads to.
    to: Option<usize>,
    reply: Option<Move>,
}

/// A book of searched positions. Those that nobody has searched are left out.
pub fn assemble(
    positions: &[Met],
    searched: &HashMap<u64, Searched>,
    shape: Shape,
) -> Result<Assembled, PackError> {
    let graph = Graph::new(positions, searched);
    let worths = back_up(&graph.nodes);
    let options: Vec<Vec<Candidate>> =
        (0..graph.nodes.len()).map(|node| graph.options(&worths, node)).collect();
    let mut book = Book::new();
    let mut moves = 0;
    for (node, place) in graph.places.iter().enumerate() {
        let best = options[node].first().map_or(0, |best| best.value);
        let fit = options[node].iter().filter(|option| best - option.value <= shape.within).take(shape.moves);
        let fit: Vec<BookMove> = fit.map(|option| graph.book_move(&options, node, option)).collect();
        moves += fit.len();
        if !fit.is_empty() {
            book.add(&place.met.setup, fit)?;
        }
    }
    let best = |node: usize| options[node].first().map(|option| option.m);
    let differs = |node: usize, other: Option<Move>| other.is_some() && best(node) != other;
    let count =
        |is_meant: &dyn Fn(usize) -> bool| (0..graph.nodes.len()).filter(|&node| is_meant(node)).count();
    let made = MadeBook {
        positions: book.len(),
        moves,
        transpositions: graph.parents().into_iter().filter(|&parents| parents > 1).count(),
        in_cycles: count(&|node| worths[node].rank > 0 || is_in_cycle(&graph.nodes, &worths, node)),
        changed: count(&|node| differs(node, graph.places[node].found.lines.first().map(|line| line.m))),
        unlike_records: count(&|node| differs(node, graph.places[node].met.moves.first().map(|(m, _)| *m))),
        start_value: graph.by_key.get(&Position::start().key()).map(|&node| worths[node].value),
    };
    Ok(Assembled { book, made })
}

fn is_in_cycle(nodes: &[Node], worths: &[Worth], node: usize) -> bool {
    nodes[node].edges.iter().any(|edge| worths[edge.to].component == worths[node].component)
}

/// A book of the moves that were played, the most frequent ones of each position.
pub fn count(positions: &[Met], moves: usize) -> Result<Book, PackError> {
    let mut book = Book::new();
    for met in positions.iter().filter(|met| !met.moves.is_empty()) {
        let most = met.moves.iter().take(moves);
        book.add(&met.setup, most.map(|&(m, count)| BookMove { count, ..BookMove::new(m) }))?;
    }
    Ok(book)
}

/// A position that was searched.
struct Place<'a> {
    met: &'a Met,
    found: &'a Searched,
    /// Its moves to other positions, in the order of the node's edges.
    inside: Vec<Move>,
}

/// The positions of a book and the moves between them: all that are legal, whether somebody played them or not.
struct Graph<'a> {
    places: Vec<Place<'a>>,
    nodes: Vec<Node>,
    by_key: HashMap<u64, usize>,
}

impl<'a> Graph<'a> {
    fn new(positions: &'a [Met], searched: &'a HashMap<u64, Searched>) -> Graph<'a> {
        let mut known = Vec::new();
        for met in positions {
            // A position that cannot be was not searched.
            let Ok(position) = Position::new(&met.setup) else { continue };
            if let Some(found) = searched.get(&position.key()) {
                known.push((met, found, position));
            }
        }
        let by_key = known.iter().zip(0..).map(|((_, _, position), node)| (position.key(), node)).collect();
        let mut graph = Graph { places: Vec::new(), nodes: Vec::new(), by_key };
        for (met, found, mut position) in known {
            let (node, inside) = graph.node(found, &mut position);
            graph.nodes.push(node);
            graph.places.push(Place { met, found, inside });
        }
        graph
    }

    fn node(&self, found: &Searched, position: &mut Position) -> (Node, Vec<Move>) {
        let (mut edges, mut inside) = (Vec::new(), Vec::new());
        for m in position.legal_moves() {
            if let Some(&to) = self.by_key.get(&position.key_after(m)) {
                position.play(m);
                edges.push(Edge { to, is_check: position.in_check() });
                position.undo();
                inside.push(m);
            }
        }
        let leaving = found.lines.iter().filter(|line| !inside.contains(&line.m)).map(|line| line.value);
        // Who needs no move to win leaves the book.
        let exit = leaving.max().or(found.lines.is_empty().then_some(found.value));
        (Node { side: position.side(), exit, edges }, inside)
    }

    /// How many positions lead to each.
    fn parents(&self) -> Vec<usize> {
        let mut parents = vec![0; self.nodes.len()];
        self.nodes.iter().flat_map(|node| &node.edges).for_each(|edge| parents[edge.to] += 1);
        parents
    }

    /// The moves of a position with their values, the best first. Where the side to move has the advantage, moves that keep
    /// it but only go round are left out.
    fn options(&self, worths: &[Worth], node: usize) -> Vec<Candidate> {
        let Place { found, inside, .. } = &self.places[node];
        let own = worths[node];
        let goes_round = |to: Worth| {
            own.value > 0 && to.component == own.component && -to.value >= own.value && to.rank > own.rank
        };
        let mut options: Vec<Candidate> = Vec::new();
        for (&m, edge) in inside.iter().zip(&self.nodes[node].edges) {
            let to = worths[edge.to];
            if !goes_round(to) {
                options.push(Candidate { m, value: -to.value, to: Some(edge.to), reply: None });
            }
        }
        let leaving = found.lines.iter().filter(|line| !inside.contains(&line.m));
        options.extend(leaving.map(|line| Candidate {
            m: line.m,
            value: line.value,
            to: None,
            reply: line.reply,
        }));
        // Of moves of the same value that which was searched first, or played most.
        let place = |m: Move| found.lines.iter().position(|line| line.m == m).unwrap_or(usize::MAX);
        options.sort_by_key(|option| (Reverse(option.value), place(option.m), option.m.bits()));
        options
    }

    /// A move as it stands in a book. Counts are all the same, so that values decide.
    fn book_move(&self, options: &[Vec<Candidate>], node: usize, option: &Candidate) -> BookMove {
        let reply = option.to.and_then(|to| options[to].first()).map(|best| best.m).or(option.reply);
        let depth = self.depth(options, node, option);
        BookMove { ponder: reply, value: Some(option.value), depth: Some(depth), ..BookMove::new(option.m) }
    }

    /// How deep the search for a value was: along the best moves to where the book is left, and the search there. A line that
    /// comes round ends there.
    fn depth(&self, options: &[Vec<Candidate>], node: usize, option: &Candidate) -> u32 {
        let (mut at, mut next, mut way) = (node, option.to, vec![node]);
        while let Some(to) = next.filter(|to| !way.contains(to)) {
            at = to;
            way.push(to);
            next = options[to].first().and_then(|best| best.to);
        }
        let plies = way.len() as u32 - 1;
        if next.is_some() { plies + 1 } else { plies + self.places[at].found.depth }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::search::SearchedLine;
    use records::book::PlyMatch;

    /// Positions of the book: the moves that lead there, and what a search said about moves there.
    fn book(positions: &[(&str, &str)], shape: Shape) -> Assembled {
        let (mut met, mut searched) = (Vec::new(), HashMap::new());
        for (way, lines) in positions {
            let position = after(way);
            let line = |words: &str| {
                let (m, value) = words.split_once('=').unwrap();
                SearchedLine { m: m.parse().unwrap(), reply: None, value: value.parse().unwrap() }
            };
            let lines: Vec<SearchedLine> = lines.split_whitespace().map(line).collect();
            let (key, setup) = (position.key(), position.setup());
            met.push(Met { setup: setup.clone(), count: 1, moves: Vec::new() });
            let value = lines.first().map_or(0, |line| line.value);
            searched.insert(key, Searched { key, position: setup, value, depth: 9, nodes: 1, lines });
        }
        assemble(&met, &searched, shape).unwrap()
    }

    fn after(way: &str) -> Position {
        let mut position = Position::start();
        for text in way.split_whitespace() {
            let m = text.parse().unwrap();
            assert!(position.is_legal(m), "{text}");
            position.play(m);
        }
        position
    }

    /// `move/reply=value@depth`
    fn moves(book: &Book, way: &str) -> Vec<String> {
        let entry = book.entry(&after(way).setup(), PlyMatch::Any).unwrap();
        let text = |m: &BookMove| {
            let reply = m.ponder.map_or_else(String::new, |reply| format!("/{reply}"));
            format!("{}{reply}={}@{}", m.m, m.value.unwrap(), m.depth.unwrap())
        };
        entry.moves.iter().map(text).collect()
    }

    const WIDE: Shape = Shape { moves: 4, within: 1000 };

    #[test]
    fn a_later_refutation_changes_the_first_move() {
        let positions = [("", "7g7f=50 2g2f=40"), ("7g7f", "3c3d=60 8c8d=-70")];
        let Assembled { book, made } = book(&positions, WIDE);
        assert_eq!(moves(&book, ""), ["2g2f=40@9", "7g7f/3c3d=-60@10"]);
        assert_eq!((made.changed, made.start_value, made.positions), (1, Some(40), 2));
    }

    #[test]
    fn a_transposition_carries_its_value_to_every_way_there() {
        // Nobody searched or played 2g2f after 3c3d, and it leads to a position of the book.
        let positions = [
            ("2g2f", "3c3d=-20"),
            ("2g2f 3c3d", "1g1f=10"),
            ("7g7f 3c3d", "6g6f=15"),
            ("2g2f 3c3d 7g7f", "4c4d=-80"),
        ];
        let Assembled { book, made } = book(&positions, WIDE);
        assert_eq!(moves(&book, "7g7f 3c3d"), ["2g2f/4c4d=80@10", "6g6f=15@9"]);
        assert_eq!(moves(&book, "2g2f 3c3d"), ["7g7f/4c4d=80@10", "1g1f=10@9"]);
        assert_eq!(moves(&book, "2g2f"), ["3c3d/7g7f=-80@11"]);
        assert_eq!(made.transpositions, 1);
    }

    #[test]
    fn a_cycle_is_a_draw_unless_somebody_has_better() {
        let round = |gain: i32| {
            let last = format!("7g7f={gain}");
            let positions = [
                ("", "1g1f=-30"),
                ("2h3h", "1c1d=-90"),
                ("2h3h 8b7b", &*last),
                ("2h3h 8b7b 3h2h", "1c1d=-90"),
            ];
            book(&positions, WIDE)
        };
        let Assembled { book, made } = round(-30);
        assert_eq!(moves(&book, "")[0], "2h3h/8b7b=0@4");
        assert_eq!((made.in_cycles, made.start_value), (4, Some(0)));
        let Assembled { book, made } = round(40);
        assert_eq!(made.start_value, Some(40));
        assert_eq!(moves(&book, "2h3h 8b7b"), ["7g7f=40@9"], "going round again wins nothing");
    }

    #[test]
    fn width_is_bounded_by_number_and_by_value() {
        let positions = [("", "7g7f=50 2g2f=40 1g1f=30 9g9f=-5")];
        let found =
            |moves, within| super::tests::moves(&book(&positions, Shape { moves, within }).book, "").len();
        assert_eq!((found(4, 1000), found(2, 1000), found(4, 20), found(4, 0)), (4, 2, 3, 1));
    }

    #[test]
    fn a_book_by_counts_has_the_moves_that_were_played_most() {
        let [first, second] = ["7g7f", "2g2f"].map(|text| text.parse::<Move>().unwrap());
        let met = Met { setup: Position::start().setup(), count: 9, moves: vec![(first, 5), (second, 4)] };
        let book = count(&[met], 1).unwrap();
        let entry = book.entry(&Position::start().setup(), PlyMatch::Exact).unwrap();
        assert_eq!(entry.moves, [BookMove { count: 5, ..BookMove::new(first) }]);
    }
}
