//! Evaluations per second for each family of instructions that this CPU has.
//!
//! `cargo bench -p eval --bench nnue -- path/to/nn.bin`; without a path, random nets of the two smallest shapes.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eval::nnue::{Architecture, Simd, random_net_file};
use eval::{Evaluator, Material, Net, NetOptions, Nnue};
use shogi::{Delta, Move, Position};

/// How long each figure is measured.
const SPAN: Duration = Duration::from_millis(700);

/// Follows without evaluating: what playing and taking back alone cost.
struct Nothing;

impl Evaluator for Nothing {
    fn reset(&mut self, _: &Position) {}
    fn push(&mut self, delta: &Delta) {
        black_box(delta);
    }
    fn pop(&mut self) {}
    fn evaluate(&mut self, position: &Position) -> i32 {
        i32::from(position.ply())
    }
}

/// A position of a game with some moves and some replies to each: the shape of a search near its leaves.
struct Bush {
    position: Position,
    branches: Vec<(Move, Vec<Move>)>,
}

fn bushes(games: usize) -> Vec<Bush> {
    let mut state = 1u64;
    let mut pick = move |moves: &[Move]| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        moves.get((state >> 33) as usize % moves.len().max(1)).copied()
    };
    let mut bushes = Vec::new();
    for _ in 0..games {
        let mut position = Position::start();
        for _ in 0..80 {
            let Some(next) = pick(&position.legal_moves()) else { break };
            position.play(next);
            if position.ply().is_multiple_of(8) {
                let mut bush = Bush { position: position.clone(), branches: Vec::new() };
                for _ in 0..12 {
                    let Some(branch) = pick(&position.legal_moves()) else { break };
                    position.play(branch);
                    let replies = (0..4).filter_map(|_| pick(&position.legal_moves())).collect();
                    position.undo();
                    bush.branches.push((branch, replies));
                }
                bushes.push(bush);
            }
        }
    }
    bushes
}

/// Evaluates everything in the bushes; says how many values that were.
fn walk<E: Evaluator>(bushes: &mut [Bush], evaluator: &mut E) -> u64 {
    let mut values = 0;
    for Bush { position, branches } in bushes {
        evaluator.reset(position);
        for (branch, replies) in branches.iter() {
            evaluator.push(&position.play(*branch));
            black_box(evaluator.evaluate(position));
            for reply in replies {
                evaluator.push(&position.play(*reply));
                black_box(evaluator.evaluate(position));
                position.undo();
                evaluator.pop();
            }
            values += 1 + replies.len() as u64;
            position.undo();
            evaluator.pop();
        }
    }
    values
}

/// Nanoseconds for each value, for work that says how many it computed. Others use the machine as well, so the
/// work is cut into short pieces and the best time of each counts.
fn nanoseconds(bushes: &mut [Bush], mut work: impl FnMut(&mut [Bush]) -> u64) -> f64 {
    let mut pieces: Vec<_> = bushes.chunks_mut(10).map(|bushes| (bushes, 0, f64::INFINITY)).collect();
    let start = Instant::now();
    while start.elapsed() < SPAN {
        for (bushes, values, best) in &mut pieces {
            let run = Instant::now();
            *values = work(bushes);
            *best = best.min(run.elapsed().as_nanos() as f64);
        }
    }
    let values: u64 = pieces.iter().map(|piece| piece.1).sum();
    pieces.iter().map(|piece| piece.2).sum::<f64>() / values as f64
}

fn report(name: &str, total: f64, playing: f64) {
    let rate = |ns: f64| 1e3 / ns;
    let own = total - playing;
    println!(
        "{name:<24} {own:8.1} ns each, {:6.2} M/s; with play and undo {:6.2} M/s",
        rate(own),
        rate(total)
    );
}

fn measure(bytes: &[u8], name: &Path, bushes: &mut [Bush], playing: f64) {
    for simd in Simd::available() {
        let options = NetOptions { simd: Some(simd), ..NetOptions::default() };
        let net = match Net::from_bytes(bytes, name, &options) {
            Ok(net) => net,
            Err(error) => return eprintln!("{error}"),
        };
        println!("{net}");
        let full = nanoseconds(bushes, |bushes| {
            for bush in bushes.iter() {
                black_box(net.raw_output(&bush.position));
            }
            bushes.len() as u64
        });
        report("  from nothing", full, 0.0);
        let mut nnue = Nnue::new(Arc::clone(&net));
        report("  following", nanoseconds(bushes, |bushes| walk(bushes, &mut nnue)), playing);
    }
}

fn main() {
    let mut bushes = bushes(30);
    let playing = nanoseconds(&mut bushes, |bushes| walk(bushes, &mut Nothing));
    report("play and undo alone", playing, 0.0);
    let mut material = Material::new();
    report("material", nanoseconds(&mut bushes, |bushes| walk(bushes, &mut material)), playing);
    match std::env::args().nth(1).filter(|argument| !argument.starts_with("--")) {
        Some(path) => match std::fs::read(&path) {
            Ok(bytes) => measure(&bytes, Path::new(&path), &mut bushes, playing),
            Err(error) => eprintln!("cannot read {path}: {error}"),
        },
        None => {
            for architecture in &Architecture::ALL[..3] {
                let bytes = random_net_file(*architecture, 1);
                measure(&bytes, Path::new("random"), &mut bushes, playing);
            }
        }
    }
}
