//! How long ten million values take to become a curve and its numbers.

use std::time::Instant;

use contract::Rng;
use lab::curve::{Curve, Metrics, choose_delta};

const VALUES: usize = 10_000_000;
const CLIP: f64 = 3000.0;

fn main() {
    let mut rng = Rng::new(1);
    let data: Vec<(f64, f64)> = (0..VALUES)
        .map(|_| {
            let value = ((rng.unit() + rng.unit() + rng.unit() - 1.5) * 4000.0).round();
            let won = rng.unit() < 1.0 / (1.0 + (-value / 600.0).exp());
            (value, f64::from(u8::from(won)))
        })
        .collect();
    let started = Instant::now();
    // A hundred positions a game.
    let by_game: Vec<(u32, f64)> = (0..).zip(&data).map(|(i, (value, _))| (i / 100, *value)).collect();
    let curve = Curve::of(&data, choose_delta(&[by_game], CLIP), 100, CLIP);
    let metrics = Metrics::of(&data, CLIP);
    let (seconds, bins) = (started.elapsed().as_secs_f64(), curve.bins.len());
    println!("{VALUES} values in {seconds:.2} s, {bins} intervals, scale {:.1}", metrics.scale);
}
