//! Every E and D of a tree, held against values that are computed by the definitions from exact values of the leaves.

use eval::Material;
use search::mcss::Mcss;
use search::softmax::Softmax;
use search::tree::{End, Game, Resources, ShogiGame, TreeSettings, TreeView};
use search::{Control, Limits, LogisticScale, Method, Root, Rules, Score, mcss, softmax, tree};

/// The opening, and positions where much is to be captured.
const POSITIONS: [&str; 3] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l3k2n1/1r1sgs1bl/2n1pp2p/pp4pp1/3pP1P2/1Pp2G1PP/PS1P1P3/4GS1R1/LN1GK2NL w bp 34",
    "ln2gkS1+P/1P7/p3sg1pp/2spp1pb1/P4P2P/1g1PP1P2/2N1K1S1N/2+r6/L1N1G3L b RLPb3p 75",
];

/// What is known of a node for the side that chooses it.
#[derive(Clone, Copy, Debug)]
enum Exact {
    Known {
        value: f64,
        depth: f64,
    },
    /// Proven, to win or to lose.
    Proven(bool),
}

/// How a method's temperatures follow from the values of children, less the best of them.
struct Temperatures<'a> {
    of_values: &'a dyn Fn(&[f64]) -> f64,
    of_depths: &'a dyn Fn(&[f64]) -> f64,
}

/// A whole tree with the children of every node.
struct Whole<'a> {
    view: TreeView,
    children: Vec<Vec<usize>>,
    temperatures: Temperatures<'a>,
    /// The largest errors found so far, of values and of depths.
    worst: (f64, f64),
    leaves: usize,
}

impl Whole<'_> {
    /// The exact numbers of a node, whose position the game stands at; its descendants are compared with theirs.
    fn exact(&mut self, game: &mut ShogiGame<'_, Material>, place: usize, ply: usize) -> Exact {
        let exact = if self.children[place].is_empty() {
            self.leaves += 1;
            leaf(game, ply)
        } else {
            let mut below = Vec::new();
            for child in self.children[place].clone() {
                game.play(self.view.nodes[child].played.expect("a child has a move"));
                below.push(self.exact(game, child, ply + 1));
                game.undo();
            }
            expectation(&below, &self.temperatures)
        };
        let node = &self.view.nodes[place];
        match (exact, node.score) {
            (Exact::Known { value, depth }, Score::Centipawns(found)) => {
                let errors = (value - f64::from(found), depth - f64::from(node.depth));
                self.worst = (self.worst.0.max(errors.0.abs()), self.worst.1.max(errors.1.abs()));
            }
            (Exact::Proven(wins), score) => {
                assert!(if wins { is_win(score) } else { is_loss(score) }, "{node:?}");
            }
            (exact, score) => panic!("{exact:?} is shown as {score:?}"),
        }
        exact
    }
}

fn is_win(score: Score) -> bool {
    score.value() > 0 && !matches!(score, Score::Centipawns(_))
}

fn is_loss(score: Score) -> bool {
    score.value() < 0 && !matches!(score, Score::Centipawns(_))
}

/// A leaf by the rules, or by its captures without any window.
fn leaf(game: &mut ShogiGame<'_, Material>, ply: usize) -> Exact {
    let known = |value: i32| Exact::Known { value: f64::from(-value), depth: 0.0 };
    match game.end(ply) {
        Some(End::Win(_)) => Exact::Proven(false),
        Some(End::Loss(_)) => Exact::Proven(true),
        Some(End::Value(value) | End::PathValue(value)) => known(value),
        None => known(game.evaluate(search::score::INFINITE)),
    }
}

/// The definitions: what is proven first, then expectations over the children that do not lose.
fn expectation(below: &[Exact], temperatures: &Temperatures<'_>) -> Exact {
    let mut open = Vec::new();
    for child in below {
        match *child {
            Exact::Proven(true) => return Exact::Proven(false),
            Exact::Proven(false) => {}
            Exact::Known { value, depth } => open.push((value, depth)),
        }
    }
    if open.is_empty() {
        return Exact::Proven(true);
    }
    let best = open.iter().map(|child| child.0).fold(f64::NEG_INFINITY, f64::max);
    let behind: Vec<f64> = open.iter().map(|child| child.0 - best).collect();
    let mean = |temperature: f64, of: &dyn Fn(&(f64, f64)) -> f64| {
        let weights: Vec<f64> = behind.iter().map(|behind| (behind / temperature).exp()).collect();
        let total: f64 = weights.iter().sum();
        open.iter().zip(&weights).map(|(child, weight)| of(child) * weight / total).sum::<f64>()
    };
    Exact::Known {
        value: -mean((temperatures.of_values)(&behind), &|child| child.0),
        depth: mean((temperatures.of_depths)(&behind), &|child| child.1 + 1.0),
    }
}

/// Grows a tree and compares all of it: the largest errors of E and D.
fn errors(mut method: Box<dyn Method>, sfen: &str, temperatures: Temperatures<'_>) -> (f64, f64) {
    let root = Root { position: sfen.parse().unwrap(), rules: Rules::default() };
    let limits = Limits { nodes: Some(40_000), ..Limits::default() };
    method.think(&root, &limits, &Control::new(), &mut |_| {});
    let view = method.view(usize::MAX).expect("a tree method has a tree");
    let mut children = vec![Vec::new(); view.nodes.len()];
    for (place, node) in view.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(place);
        }
    }
    let is_whole = view.nodes.iter().zip(&children).all(|(node, children)| node.children == children.len());
    assert!(is_whole, "the view is the whole tree");
    let mut whole = Whole { view, children, temperatures, worst: (0.0, 0.0), leaves: 0 };
    let mut eval = Material::new();
    whole.exact(&mut ShogiGame::new(&root, &mut eval, TreeSettings::default().leaf()), 0, 0);
    assert!(whole.leaves > 300, "{} leaves", whole.leaves);
    whole.worst
}

fn resources() -> Resources {
    Resources { megabytes: 4, threads: 1, scale: LogisticScale::default(), seed: 1 }
}

/// Scores are shown in whole centipawns.
fn assert_exact((value, depth): (f64, f64), name: &str) {
    assert!(value < 0.6 && depth < 0.01, "{name}: E is off by up to {value:.2}, D by up to {depth:.3}");
}

#[test]
fn mcss_has_the_exact_e_and_d_of_every_node() {
    let params = mcss::Params { margin: 0.0, ..mcss::Params::default() };
    let [tb, td] = [params.backup_temperature, params.depth_temperature].map(f64::from);
    for sfen in POSITIONS {
        let policy = Mcss::new(params.clone());
        let method = tree::method(Material::new, resources(), TreeSettings::default(), policy);
        assert_exact(errors(method, sfen, Temperatures { of_values: &|_| tb, of_depths: &|_| td }), sfen);
    }
}

#[test]
fn softmax_has_the_exact_e_and_d_of_every_node() {
    let params = softmax::Params { margin: 0.0, ..softmax::Params::default() };
    let (base, power) = (f64::from(params.temperature), f64::from(params.spread));
    // adapt=spread: the children that lie less than 400 behind, against a usual spread of 100, within limits.
    let temperature = |behind: &[f64]| {
        let good: Vec<f64> = behind.iter().filter(|behind| **behind > -400.0).map(|b| b * b).collect();
        let spread = (good.iter().sum::<f64>() / good.len() as f64).sqrt();
        base * (spread.max(1.0) / 100.0).powf(power).clamp(0.4, 2.5)
    };
    for sfen in POSITIONS {
        let policy = Softmax::new(params.clone());
        let method = tree::method(Material::new, resources(), TreeSettings::default(), policy);
        assert_exact(
            errors(method, sfen, Temperatures { of_values: &temperature, of_depths: &temperature }),
            sfen,
        );
    }
}
