//! Players that are asked.

use std::io::Write as _;
use std::time::Duration;

use search::{Choice, Control, Limits, Score};
use shogi::{Move, PieceKind, Position};

use super::*;
use crate::spec::{Defaults, OwnSpec};

fn agent(text: &str) -> Agent {
    let spec: OwnSpec = text.parse().unwrap();
    Agent::new(&spec.resolve(&Defaults::matches()), &mut Nets::default()).unwrap()
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn a_player_answers_and_reports_meanwhile() {
    let (mut agent, start) = (agent("alphabeta(hash=1)"), Position::start());
    let request = Request::new(&start, depth(3));
    let (mut depths, mut win_rates) = (Vec::new(), 0);
    let answer = agent.play(&request, &Control::new(), &mut |event| match event {
        Event::Report(report) => depths.push(report.depth),
        Event::WinRate { .. } => win_rates += 1,
        _ => {}
    });
    let answer = answer.unwrap();
    assert!(matches!(answer.choice, Choice::Move(m) if answer.line[0] == m && request.position.is_legal(m)));
    assert_eq!((depths.last(), win_rates), (Some(&3), 1));
}

#[test]
fn nnue_load_failure_does_not_fall_back_silently() {
    let spec: OwnSpec = "alphabeta(net=no/such/net.bin, hash=1)".parse().unwrap();
    let error =
        Agent::new(&spec.resolve(&Defaults::matches()), &mut Nets::default()).err().unwrap().to_string();
    assert!(error.contains("no/such/net.bin") && error.contains("the current folder is /"), "{error}");
}

#[test]
fn a_book_that_cannot_be_read_is_an_error_and_one_that_can_is_played() {
    let spec: OwnSpec = "alphabeta(book=no/such/book.db, hash=1)".parse().unwrap();
    let error = Agent::new(&spec.resolve(&Defaults::matches()), &mut Nets::default()).err().unwrap();
    assert!(matches!(error, AgentError::Book(_)), "{error}");
    let mut file = tempfile::NamedTempFile::with_suffix(".db").unwrap();
    let text = format!("#YANEURAOU-DB2016 1.00\nsfen {}\n1g1f 9c9d 30 32 9\n", shogi::START_SFEN);
    file.write_all(text.as_bytes()).unwrap();
    let mut agent = agent(&format!("alphabeta(book={}, hash=1)", file.path().display()));
    let start = Position::start();
    let mut request = Request::new(&start, depth(1));
    let answer = agent.play(&request, &Control::new(), &mut |_| {}).unwrap();
    assert_eq!(answer.choice, Choice::Move("1g1f".parse().unwrap()));
    assert_eq!((answer.score, answer.nodes), (Some(Score::Centipawns(30)), None));
    request.analysis = true;
    assert!(
        agent.play(&request, &Control::new(), &mut |_| {}).unwrap().nodes.is_some(),
        "analysis has no book"
    );
}

#[test]
fn mates_are_looked_for_first_only_where_a_clock_decides() {
    let mut agent = agent("alphabeta(hash=1)");
    let position: Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
    let mut proven = |time, limits| {
        let request = Request { time, ..Request::new(&position, limits) };
        let mut found = false;
        let answer = agent.play(&request, &Control::new(), &mut |event| {
            found |= matches!(event, Event::ProvenMate { .. });
        });
        assert_eq!(answer.unwrap().choice, Choice::Move("G*5b".parse().unwrap()));
        found
    };
    let time = Time::Exactly(Duration::from_secs(1));
    assert!(proven(time, Limits::default()));
    assert!(!proven(time, depth(2)));
}

#[test]
fn what_is_lost_is_given_up_if_the_player_says_so() {
    let position: Position = "4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g 1".parse().unwrap();
    let request = Request::new(&position, depth(2));
    let choice = |text: &str| agent(text).play(&request, &Control::new(), &mut |_| {}).unwrap().choice;
    assert!(matches!(choice("alphabeta(hash=1, eval=material)"), Choice::Move(_)));
    assert_eq!(choice("alphabeta(hash=1, eval=material, resign=500)"), Choice::Resign);
}

#[test]
fn static_values_do_not_depend_on_the_positions_before() {
    for text in ["alphabeta(hash=1)", "alphabeta(hash=1, eval=material)"] {
        let mut agent = agent(text);
        let positions = crate::bench::POSITIONS.map(|sfen| sfen.parse::<Position>().unwrap());
        let values: Vec<i32> = positions.iter().map(|position| agent.evaluate(position)).collect();
        for (position, value) in positions.iter().zip(values).rev() {
            assert_eq!(agent.evaluate(position), value);
        }
    }
}

#[test]
fn the_seed_of_a_spec_is_that_of_its_tree() {
    let position = Position::start();
    let of = |text: &str| {
        let request = Request::new(&position, Limits { nodes: Some(3000), ..Limits::default() });
        let mut depths = Vec::new();
        let answer = agent(text).play(&request, &Control::new(), &mut |event| {
            if let Event::Report(report) = event {
                depths.push((report.nodes, report.score));
            }
        });
        (answer.unwrap().line, depths)
    };
    assert_eq!(of("mcss(hash=16)"), of("mcss(hash=16, seed=1)"));
    assert_eq!(of("mcss(hash=16)"), of("mcss(hash=16, seed=0)"), "trees are the same each time unless said");
    assert_ne!(of("mcss(hash=16)"), of("mcss(hash=16, seed=2)"));
}

#[test]
fn what_the_machine_cannot_bear_is_refused() {
    let refusal = |text: &str| {
        let spec: OwnSpec = text.parse().unwrap();
        Agent::new(&spec.resolve(&Defaults::default()), &mut Nets::default()).err().unwrap().to_string()
    };
    let is_small = memory::free_bytes().is_some_and(|bytes| bytes < 1 << 40);
    for method in ["alphabeta", "softmax"].into_iter().filter(|_| is_small) {
        let error = refusal(&format!("{method}(hash=1048576)"));
        assert!(error.starts_with("there is no memory for a hash table of 1048576 MB"), "{error}");
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores * 32 < 1024 {
        let error = refusal("alphabeta(threads=1024, hash=1)");
        assert!(error.starts_with("1024 threads are too many for "), "{error}");
    }
}

#[test]
fn fitted_weights_change_the_evaluation_by_material_and_are_refused_for_a_net() {
    let mut file = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    file.write_all(br#"[{"features": ["black_to_move"], "weights": [77]}]"#).unwrap();
    let start = Position::start();
    let plain = agent("alphabeta(eval=material, hash=1)").evaluate(&start);
    let with =
        |method: &str| agent(&format!("{method}(eval=material, hash=1, weights={})", file.path().display()));
    let request = Request::new(&start, depth(1));
    for method in ["alphabeta", "softmax", "mcss", "uct"] {
        let mut fitted = with(method);
        assert_eq!(fitted.evaluate(&start), plain + 77, "{method}");
        assert!(fitted.play(&request, &Control::new(), &mut |_| {}).is_ok(), "{method}");
    }
    let spec: OwnSpec = format!("alphabeta(hash=1, weights={})", file.path().display()).parse().unwrap();
    let error = Agent::new(&spec.resolve(&Defaults::matches()), &mut Nets::default()).err().unwrap();
    assert!(error.to_string().contains("is for eval=material"), "{error}");
}

/// What a child sees who knows the rules: a mate in one, the greatest piece that can be taken, else any move.
fn childs_move(position: &Position, rng: &mut Rng) -> Move {
    let moves = position.legal_moves();
    let mates = |m: &&Move| {
        let mut after = position.clone();
        after.play(**m);
        after.legal_moves().is_empty()
    };
    let worth = |m: &Move| match position.piece(m.to()).map(shogi::Piece::kind) {
        None => 0,
        Some(PieceKind::Pawn) => 1,
        Some(PieceKind::Lance | PieceKind::Knight) => 3,
        Some(PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon) => 9,
        Some(_) => 5,
    };
    if let Some(mate) = moves.iter().find(mates) {
        return *mate;
    }
    let most = moves.iter().map(worth).max().unwrap_or(0);
    let best: Vec<Move> = moves.iter().copied().filter(|m| worth(m) == most).collect();
    best[rng.draw() as usize % best.len()]
}

#[test]
fn the_lowest_level_is_beatable_by_a_child_who_knows_the_rules() {
    let mut weak = agent("alphabeta(hash=1, skill=0, seed=5, resign=3000)");
    let mut rng = Rng::new(11);
    let mut childs_half_points = 0;
    const GAMES: usize = 24;
    for game in 0..GAMES {
        let child = if game % 2 == 0 { shogi::Color::Black } else { shogi::Color::White };
        let mut position = Position::start();
        let result = loop {
            if let Some(end) = position.game_end(300) {
                break end.result(position.side());
            }
            let m = if position.side() == child {
                childs_move(&position, &mut rng)
            } else {
                let request = Request::new(&position, Limits::default());
                match weak.play(&request, &Control::new(), &mut |_| {}).unwrap().choice {
                    Choice::Move(m) => m,
                    _ => break shogi::GameResult::Win(child),
                }
            };
            position.play(m);
        };
        childs_half_points += match result {
            shogi::GameResult::Win(winner) => 2 * usize::from(winner == child),
            shogi::GameResult::Draw => 1,
        };
    }
    assert!(childs_half_points >= GAMES / 4, "{childs_half_points} half points of {GAMES} games");
}
