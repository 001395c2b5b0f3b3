//! Known numbers of leaves. The deepest are left to `cargo bench -p shogi --bench perft`, which counts all.

use shogi::{Leaves, Position, divide, perft};

/// What a debug build still counts in a moment.
const FEW: u64 = 20_000_000;

fn counts() -> impl Iterator<Item = (&'static str, Position, u32, u64)> {
    include_str!("perft_counts.tsv").lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, sfen, depth, leaves] = fields[..] else { panic!("four fields in {line}") };
        (name, sfen.parse().unwrap(), depth.parse().unwrap(), leaves.parse().unwrap())
    })
}

#[test]
fn leaves_are_as_published() {
    assert_eq!(counts().count(), 28);
    for (name, mut position, depth, leaves) in counts().filter(|&(.., leaves)| leaves < FEW) {
        let before = position.clone();
        assert_eq!(perft(&mut position, depth, Leaves::Bulk), leaves, "{name} depth {depth}");
        assert_eq!(position, before);
    }
}

#[test]
fn counting_played_leaves_gives_the_same() {
    for (name, mut position, depth, leaves) in counts().filter(|&(.., leaves)| leaves < FEW / 20) {
        assert_eq!(perft(&mut position, depth, Leaves::Played), leaves, "{name} depth {depth}");
    }
}

#[test]
fn the_parts_add_up() {
    for (name, mut position, depth, leaves) in counts().filter(|&(.., leaves)| leaves < FEW / 20) {
        let parts = divide(&mut position, depth, Leaves::Bulk);
        assert_eq!(parts.len(), position.legal_moves().len());
        assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), leaves, "{name} depth {depth}");
    }
}

#[test]
fn mirrored_and_turned_positions_have_as_many_leaves() {
    for (name, position, depth, leaves) in counts().filter(|&(.., leaves)| leaves < FEW / 20) {
        for setup in [position.setup().mirrored(), position.setup().rotated()] {
            let mut position = Position::new(&setup).unwrap();
            assert_eq!(perft(&mut position, depth, Leaves::Bulk), leaves, "{name} depth {depth}");
        }
    }
}
