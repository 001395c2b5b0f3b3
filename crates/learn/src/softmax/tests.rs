//! The slopes are those of whole trees, learning lowers the loss, and a run that was stopped comes to the same net.

use std::collections::BTreeMap;
use std::path::Path;

use contract::{LogisticScale, Rng, logistic};
use engine::{MethodSpec, OwnSpec, PlayerSpec};
use eval::{Net, NetOptions};
use runs::{Header, OpeningSet, RunDir};
use search::tree::Resources;
use shogi::{Color, GameResult, Move, Position};

use super::game::{Player, tree_settings};
use super::lesson::{Judged, Lesson, Mix, result_for};
use super::reading::Reading;
use super::*;
use crate::nnue::Arch;
use crate::nnue::pulled::{Pace, Pull, PulledNet, rows_of};

const MIX: Mix = Mix { regression: 1.0, bootstrap: 1.0, policy: 0.1 };
const RESULT_OF_GAME: GameResult = GameResult::Win(Color::White);
const TEMPERATURE: f64 = 100.0;

fn spec(text: &str) -> OwnSpec {
    match text.parse().unwrap() {
        PlayerSpec::Own(spec) => *spec,
        PlayerSpec::External(_) => panic!("one of ours"),
    }
}

fn scale() -> LogisticScale {
    LogisticScale::new(600.0).unwrap()
}

fn player(net: &[u8], method: &MethodSpec, mix: Mix, nodes: u64) -> Player {
    let net = Net::from_bytes(net, Path::new("x"), &NetOptions::default()).unwrap();
    let leaf = tree_settings(method).unwrap().leaf();
    let reading = Reading { arch: Arch::Kp256, leaf, mix, temperature: TEMPERATURE, least: 0.0 };
    let resources = Resources { megabytes: 4, threads: 1, scale: scale(), seed: 1 };
    Player::new(&net, method, resources, reading, nodes).unwrap()
}

fn position() -> Position {
    let mut position = Position::start();
    for m in "7g7f 3c3d 2g2f 8c8d".split(' ') {
        position.play(m.parse().unwrap());
    }
    position
}

/// A tree by its lines: the value of the position after `line` for the side to move there.
fn value(leaves: &BTreeMap<Vec<Move>, f64>, line: &[Move], temperature: f64) -> f64 {
    if let Some(value) = leaves.get(line) {
        return *value;
    }
    let children = children(leaves, line, temperature);
    let best = children.values().copied().fold(f64::NEG_INFINITY, f64::max);
    let weight = |value: f64| ((value - best) / temperature).exp();
    let total: f64 = children.values().map(|value| weight(*value)).sum();
    children.values().map(|value| value * weight(*value) / total).sum()
}

/// The values of the moves after a line for the side that plays them.
fn children(leaves: &BTreeMap<Vec<Move>, f64>, line: &[Move], temperature: f64) -> BTreeMap<Move, f64> {
    let below = leaves.keys().filter(|other| other.starts_with(line)).map(|other| other[line.len()]);
    let moves: std::collections::BTreeSet<Move> = below.collect();
    moves.into_iter().map(|m| (m, -value(leaves, &[line, &[m]].concat(), temperature))).collect()
}

/// The losses of a tree but for bootstrapping, by its leaves; `chance` is what the result is compared with.
fn loss(leaves: &BTreeMap<Vec<Move>, f64>, drawn: Move, chance: f64, backup: f64) -> f64 {
    let result = result_for(RESULT_OF_GAME, Color::Black);
    let win = logistic(value(leaves, &[], backup) / 600.0);
    let root = children(leaves, &[], backup);
    let total: f64 = root.values().map(|value| (value / TEMPERATURE).exp()).sum();
    let log_probability = root[&drawn] / TEMPERATURE - total.ln();
    let entropy = -result * win.ln() - (1.0 - result) * (1.0 - win).ln();
    MIX.regression * entropy - MIX.policy * (result - chance) * log_probability
}

fn summed(pulls: impl IntoIterator<Item = Pull>) -> BTreeMap<Vec<u32>, f64> {
    pulls.into_iter().fold(BTreeMap::new(), |mut sums, pull| {
        *sums.entry(pull.rows).or_default() += pull.slope;
        sums
    })
}

fn check_whole_tree(text: &str, backup: f64) {
    let method = spec(text).method;
    let mut player = player(Net::embedded_file(), &method, MIX, 300);
    let position = position();
    let (choice, lesson) = player.think(&position, &mut Rng::new(3));
    let (search::Choice::Move(drawn), Some(lesson)) = (choice, lesson) else { panic!("a move and a lesson") };
    let found = player.method().leaf_gradients(&[], 0.0).unwrap();
    let mut leaves: BTreeMap<Vec<Move>, f64> =
        found.into_iter().map(|leaf| (leaf.line, leaf.value)).collect();
    let whole = value(&leaves, &[], backup);
    assert!((whole - lesson.value).abs() < 1.0, "{whole} by the leaves, {} by the search", lesson.value);
    let chance = logistic(lesson.value / 600.0);
    let shift = 0.5;
    let mut expected: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
    for line in leaves.keys().cloned().collect::<Vec<_>>() {
        let mut at = |change: f64| {
            *leaves.get_mut(&line).unwrap() += change;
            let loss = loss(&leaves, drawn, chance, backup);
            *leaves.get_mut(&line).unwrap() -= change;
            loss
        };
        let slope = (at(shift) - at(-shift)) / (2.0 * shift);
        let mut end = position.clone();
        for &m in &line {
            end.play(m);
        }
        *expected.entry(rows_of(Arch::Kp256, &end).unwrap()).or_default() += slope;
    }
    let trees = Lesson { nodes: Vec::new(), ..lesson };
    let found = summed(trees.pulls(RESULT_OF_GAME, scale(), &MIX, 1.0));
    let largest = expected.values().copied().fold(0.0, |a: f64, b: f64| a.max(b.abs()));
    let mut seen = 0;
    for (rows, slope) in &expected {
        let got = found.get(rows).copied().unwrap_or(0.0);
        let error = (got - slope).abs();
        assert!(error < 0.03 * slope.abs() + 0.001 * largest, "{text}: {got} instead of {slope}");
        seen += usize::from(slope.abs() > 0.02 * largest);
    }
    assert!(seen >= 4, "{text}: {seen} leaves that matter");
}

#[test]
fn slopes_are_the_finite_differences_of_whole_trees() {
    check_whole_tree("softmax(T=100, adapt=fixed, margin=0, qdepth=0, leaf_mate=0)", 100.0);
    check_whole_tree("softmax(T=100, Tb=200, adapt=fixed, margin=0, qdepth=0, leaf_mate=0)", 200.0);
    check_whole_tree("mcss(Ts=100, Tb=150, margin=0, qdepth=0, leaf_mate=0)", 150.0);
}

#[test]
fn bootstrapping_pulls_a_node_towards_its_tree() {
    let mix = Mix { regression: 0.0, bootstrap: 1.0, policy: 0.0 };
    let mut player = player(Net::embedded_file(), &spec("softmax(T=100)").method, mix, 3000);
    let lesson = player.think(&position(), &mut Rng::new(3)).1.unwrap();
    assert!(lesson.nodes.len() > 5, "{} nodes", lesson.nodes.len());
    for index in 0..lesson.nodes.len() {
        let at = |change: f64| {
            let mut moved = lesson.clone();
            moved.nodes[index].own_value += change;
            moved.losses(RESULT_OF_GAME, scale()).bootstrap
        };
        let expected = (at(0.5) - at(-0.5)) * lesson.nodes[index].own.slope;
        let pulls = lesson.clone().pulls(RESULT_OF_GAME, scale(), &mix, 1.0);
        assert!((pulls[index].slope - expected).abs() < 1e-7, "{} instead of {expected}", pulls[index].slope);
    }
}

/// Positions of a game by chance, with results by rote.
fn positions() -> Vec<(Position, GameResult)> {
    let (mut rng, mut position) = (Rng::new(11), position());
    let next = |number: usize| {
        let moves = position.legal_moves();
        position.play(moves[rng.draw() as usize % moves.len()]);
        let winner = if number.is_multiple_of(3) { Color::White } else { Color::Black };
        (position.clone(), GameResult::Win(winner))
    };
    (0..12).map(next).collect()
}

/// What trees of a net teach about these positions.
fn lessons(net: &PulledNet, mix: Mix) -> Vec<(Lesson, GameResult)> {
    let mut player = player(&net.to_file(), &spec("softmax(T=60)").method, mix, 1000);
    let mut lesson = |(position, result): (Position, GameResult)| {
        Some((player.think(&position, &mut Rng::new(1)).1?, result))
    };
    positions().into_iter().filter_map(&mut lesson).collect()
}

/// Makes a step by lessons; their mean loss before it.
fn step(net: &mut PulledNet, lessons: Vec<(Lesson, GameResult)>, mix: Mix, rate: f64) -> f64 {
    let weight = 1.0 / lessons.len() as f64;
    let loss: f64 = lessons.iter().map(|(lesson, result)| lesson.losses(*result, scale()).mixed(&mix)).sum();
    let pulls = lessons.into_iter().flat_map(|(lesson, result)| lesson.pulls(result, scale(), &mix, weight));
    net.step(&pulls.collect::<Vec<_>>(), Pace { rate, decay: 0.0 });
    loss * weight
}

fn shipped() -> PulledNet {
    let file = Net::embedded_file();
    PulledNet::from_file(file, Path::new("x"), eval::nnue::DEFAULT_FV_SCALE, 1).unwrap().unwrap()
}

#[test]
fn regression_lowers_the_loss_of_a_small_set() {
    let mix = Mix { regression: 1.0, bootstrap: 0.0, policy: 0.0 };
    let mut net = shipped();
    let losses: Vec<f64> = (0..9)
        .map(|_| {
            let lessons = lessons(&net, mix);
            step(&mut net, lessons, mix, 2e-3)
        })
        .collect();
    // Another net has other trees: single steps go up and down.
    let last = losses[6..].iter().sum::<f64>() / 3.0;
    assert!(last < losses[0] - 0.1, "{losses:?}");
}

#[test]
fn bootstrapping_lowers_the_loss_of_a_small_set() {
    let mix = Mix { regression: 0.0, bootstrap: 1.0, policy: 0.0 };
    let mut net = shipped();
    // The values of the trees are the goal, and stay, all too high by as much; those of the nodes themselves are the net's.
    let mut lessons = lessons(&net, mix);
    let nodes = |lessons: &mut Vec<(Lesson, GameResult)>, change: &mut dyn FnMut(&mut Judged)| {
        lessons.iter_mut().flat_map(|(lesson, _)| &mut lesson.nodes).for_each(change);
    };
    nodes(&mut lessons, &mut |node| node.tree_value += 300.0);
    let mut losses = Vec::new();
    for _ in 0..20 {
        losses.push(step(&mut net, lessons.clone(), mix, 3e-4));
        let value = net.values();
        nodes(&mut lessons, &mut |node| node.own_value = node.own.slope * value(&node.own.rows));
    }
    assert!(losses[19] < 0.8 * losses[0], "{losses:?}");
}

fn run(folder: &Path, steps: u64, threads: usize) -> Outcome {
    let settings = Settings {
        nodes: 100,
        games: 2,
        mix: MIX,
        temperature: 60.0,
        scale: 600.0,
        least: 0.05,
        rate: 1e-3,
        decay: 0.0,
        seed: 7,
    };
    let player = spec("mcss(hash=1)");
    let manifest = Manifest {
        header: Header::new(Manifest::KIND),
        from: String::new(),
        player: resolved(&player).to_string(),
        settings,
    };
    let dir = RunDir::open(folder, &manifest).unwrap();
    let openings = OpeningSet::own().unwrap();
    let learn = LearnSoftmax {
        manifest: &manifest,
        player: &player,
        from: None,
        openings: &openings,
        dir: &dir,
        steps,
        threads,
    };
    learn.run(&mut |_| {}).unwrap()
}

#[test]
fn a_run_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!((run(folder.path(), 1, 1).steps, run(folder.path(), 2, 2).steps), (1, 2));
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let (log, net) = (read(LOG), read(NET));
    let ended = run(folder.path(), 3, 2);
    assert!(ended.is_complete && (ended.steps, ended.games) == (3, 6), "{ended:?}");
    assert!(read(LOG).starts_with(&log) && read(LOG).len() > log.len(), "a step more, none again");
    assert!(read(NET) != net && net != Net::embedded_file(), "something was learned");
    let (log, checkpoint) = (read(LOG), read(CHECKPOINT));
    assert_eq!(run(folder.path(), 3, 1), ended, "a run that is complete stays as it is");
    assert!(read(LOG) == log && read(CHECKPOINT) == checkpoint);
}
