//! Kinds of move that take their own amounts from the depth, as a player's search shows them.

use eval::Material;
use search::alphabeta::{AlphaBeta, Kinds, Model, Params};
use search::{Control, Decision, Limits, Method, Root, Score};

fn think(params: Params, kinds: Option<Kinds>, sfen: &str, depth: u32) -> Decision {
    let player = AlphaBeta::new(Material::new, 16, 1, params, Model::embedded()).unwrap();
    let mut player = match kinds {
        Some(kinds) => player.with_kinds(kinds),
        None => player,
    };
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    player.think(&Root::new(sfen.parse().unwrap()), &limits, &Control::new(), &mut |_| {})
}

fn plain() -> Params {
    Params { plain: 1, quiescence_exchange: 1, leaf_depth: 1, ..Params::default() }
}

const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

#[test]
fn a_ply_for_every_kind_changes_nothing_and_less_or_more_changes_the_tree() {
    let usual = think(plain(), None, MIDDLE, 2);
    let said = think(plain(), Some(Kinds::default()), MIDDLE, 2);
    assert_eq!((usual.nodes, usual.score), (said.nodes, said.score));
    let cheap = think(Params { kind_capture: 50, ..plain() }, None, MIDDLE, 2);
    let listed = think(plain(), Some(Kinds::default().read_list("capture=50").unwrap()), MIDDLE, 2);
    assert_eq!((cheap.nodes, cheap.score), (listed.nodes, listed.score), "a key and a list say the same");
    assert!(cheap.nodes > usual.nodes, "captures are followed deeper: {} and {}", cheap.nodes, usual.nodes);
    let dear = think(Params { kind_drop: 200, kind_board: 200, ..plain() }, None, MIDDLE, 2);
    assert!(dear.nodes < usual.nodes, "{} and {}", dear.nodes, usual.nodes);
}

#[test]
fn cheap_checks_find_a_mate_beyond_the_base_depth() {
    // Three plies: a check, the king's step, a check.
    let sfen = "7nl/7k1/6ppp/9/9/9/9/9/4K4 b 2G2R 1";
    assert!(!matches!(think(plain(), None, sfen, 1).score, Score::MateIn(_)));
    let found = think(Params { kind_check: 10, kind_no_check: 40, ..plain() }, None, sfen, 1);
    assert!(matches!(found.score, Score::MateIn(_)), "{:?}", found.score);
}

#[test]
fn the_exchange_is_followed_on_the_last_square_only() {
    // White's rook attacks a silver and a gold, and only one of them can be saved: nobody sees that who looks at the last
    // square alone.
    let sfen = "4k4/9/9/9/r3S4/9/9/G8/4K4 b - 1";
    let score = |params| match think(params, None, sfen, 1).score {
        Score::Centipawns(value) => value,
        other => panic!("{other:?}"),
    };
    let seeing = score(Params { plain: 1, ..Params::default() });
    let blind = score(plain());
    assert!(blind > seeing + 200, "{blind} and {seeing}");
}
