//! The rules at full speed, beside two other Rust libraries in the same run.
//!
//! `cargo bench -p shogi --bench perft [-- ROUNDS]`. The programs take turns within each round and the best
//! time of each counts, so that other load on the machine hits all alike; ratios are what to look at.

use std::hint::black_box;
use std::time::Instant;

use rsshogi::board::movegen::generate_legal_all_move32;
use rsshogi::board::{Move32List, Position as RsPosition};
use shogi::{Leaves, Position, START_SFEN, perft};

const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
const MANY: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

struct Task {
    name: &'static str,
    sfen: &'static str,
    depth: u32,
    leaves: Leaves,
    nodes: u64,
}

const TASKS: [Task; 5] = [
    Task { name: "start, bulk", sfen: START_SFEN, depth: 5, leaves: Leaves::Bulk, nodes: 19_861_490 },
    Task { name: "middle game, bulk", sfen: MIDDLE, depth: 3, leaves: Leaves::Bulk, nodes: 4_809_015 },
    Task { name: "593 moves, bulk", sfen: MANY, depth: 3, leaves: Leaves::Bulk, nodes: 53_393_368 },
    Task { name: "start, leaves played", sfen: START_SFEN, depth: 4, leaves: Leaves::Played, nodes: 719_731 },
    Task {
        name: "middle game, leaves played",
        sfen: MIDDLE,
        depth: 3,
        leaves: Leaves::Played,
        nodes: 4_809_015,
    },
];

fn main() {
    let rounds: usize = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(7);
    check_counts();
    println!("M nodes per second, best of {rounds} rounds; ratio of yomi to each");
    println!("{:28} {:>8} {:>16} {:>16}", "", "yomi", "haitaka", "rsshogi");
    for task in &TASKS {
        let mut best = [f64::INFINITY; 3];
        for _ in 0..rounds {
            for (best, run) in best.iter_mut().zip([yomi, haitaka, rsshogi]) {
                let start = Instant::now();
                let nodes = black_box(run(task));
                *best = best.min(start.elapsed().as_secs_f64());
                assert_eq!(nodes, task.nodes, "{}", task.name);
            }
        }
        let speed = best.map(|seconds| task.nodes as f64 / seconds / 1e6);
        let beside = |other: f64| format!("{other:.1} ({:.2}x)", speed[0] / other);
        println!("{:28} {:8.1} {:>16} {:>16}", task.name, speed[0], beside(speed[1]), beside(speed[2]));
    }
}

/// All published counts, the deep ones too.
fn check_counts() {
    let lines = include_str!("../tests/perft_counts.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut checked = 0;
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, sfen, depth, leaves] = fields[..] else { panic!("four fields in {line}") };
        let mut position: Position = sfen.parse().expect("legal");
        let counted = perft(&mut position, depth.parse().expect("a number"), Leaves::Bulk);
        assert_eq!(counted, leaves.parse::<u64>().expect("a number"), "{name} depth {depth}");
        checked += 1;
    }
    println!("{checked} published counts agree");
}

fn yomi(task: &Task) -> u64 {
    perft(&mut task.sfen.parse::<Position>().expect("legal"), task.depth, task.leaves)
}

fn haitaka(task: &Task) -> u64 {
    let board = haitaka::Board::from_sfen(task.sfen).expect("legal");
    haitaka_perft(&board, task.depth, task.leaves)
}

fn haitaka_perft(board: &haitaka::Board, depth: u32, leaves: Leaves) -> u64 {
    let mut nodes = 0;
    let mut visit = |moves: haitaka::PieceMoves| {
        if depth == 1 && leaves == Leaves::Bulk {
            nodes += moves.into_iter().len() as u64;
            return false;
        }
        for m in moves {
            let mut next = board.clone();
            next.play_unchecked(m);
            nodes += if depth == 1 {
                black_box(&next);
                1
            } else {
                haitaka_perft(&next, depth - 1, leaves)
            };
        }
        false
    };
    board.generate_board_moves(&mut visit);
    board.generate_drops(&mut visit);
    nodes
}

fn rsshogi(task: &Task) -> u64 {
    let mut position = RsPosition::from_sfen(task.sfen).expect("legal");
    position.init_stack();
    rsshogi_perft(&mut position, task.depth, task.leaves)
}

fn rsshogi_perft(position: &mut RsPosition, depth: u32, leaves: Leaves) -> u64 {
    let mut moves = Move32List::new();
    generate_legal_all_move32(position, &mut moves);
    if depth == 1 && leaves == Leaves::Bulk {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for &m in moves.iter() {
        position.apply_move32(m);
        nodes += if depth == 1 { 1 } else { rsshogi_perft(position, depth - 1, leaves) };
        position.undo_move32(m).expect("just played");
    }
    nodes
}
