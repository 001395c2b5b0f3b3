//! The rules against two independent libraries, and against themselves, over random games.
//!
//! A short run by default. The long one:
//! `YOMI_PLIES=1000000 cargo test --release -p shogi --test oracles`

mod peers;
mod random;
mod selfcheck;

use peers::Peers;
use random::{Random, starts};
use shogi::Position;

fn plies_wanted() -> usize {
    std::env::var("YOMI_PLIES").ok().and_then(|plies| plies.parse().ok()).unwrap_or(20_000)
}

/// Plays random games until enough plies are seen, and shows each position with the legal moves and a
/// source of chance to `check`.
fn walk(seed: u64, mut check: impl FnMut(&mut Game, &mut Random)) {
    let mut random = Random::new(seed);
    let mut seen = 0;
    let mut starts = starts(seed);
    while seen < plies_wanted() {
        let mut game = Game { position: starts.next().expect("endless"), shuffling: random.below(4) == 0 };
        for _ in 0..300 {
            check(&mut game, &mut random);
            seen += 1;
            let Some(m) = random.choose_move(&game.position, game.shuffling) else { break };
            game.position.play(m);
        }
    }
}

struct Game {
    position: Position,
    /// Whether the players like to go back and forth, so that positions repeat.
    shuffling: bool,
}

#[test]
fn rules_agree_with_other_libraries() {
    let mut peers = Peers::default();
    walk(1, |game, _| peers.compare(&game.position));
    peers.summary();
}

#[test]
fn moves_agree_with_each_other() {
    walk(2, |game, random| selfcheck::moves(&game.position, random));
}

#[test]
fn playing_and_undoing_restores_every_field_and_key() {
    walk(3, |game, random| selfcheck::play_and_undo(&mut game.position, random));
}

#[test]
fn texts_round_trip() {
    walk(4, |game, _| {
        let position = &game.position;
        let sfen = position.to_string();
        assert_eq!(sfen.parse::<Position>().unwrap().setup(), position.setup());
        assert_eq!(position.setup().rotated().rotated(), position.setup());
        assert_eq!(position.setup().mirrored().mirrored(), position.setup());
    });
}
