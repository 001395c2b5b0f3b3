//! What the solver promises, each on a position made for it.

use mate::{Answer, Effort, Length, LineError, Solver, verify};
use shogi::{Move, Position};

/// Microcosmos by Koji Hashimoto, 1,525 plies: whoever wants a problem that does not end soon.
const LONG: &str =
    "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

fn problem(sfen: &str) -> Position {
    Position::problem(&sfen.parse().unwrap()).unwrap()
}

fn solve(sfen: &str) -> Answer {
    let effort = Effort { nodes: Some(100_000), length: Length::Shortest };
    Solver::new(4).unwrap().solve(&problem(sfen), &effort, &mut |_| false).answer
}

fn plies(sfen: &str) -> usize {
    match solve(sfen) {
        Answer::Mate(mate) => mate.line.len(),
        other => panic!("{sfen}: {other:?}"),
    }
}

#[test]
fn perpetual_check_is_no_mate() {
    // A rook or a dragon alone can check for ever.
    for sfen in ["4k4/9/9/9/9/9/9/7r1/K8 w - 1", "7k1/9/9/9/9/9/9/9/1R7 b - 1", "8k/9/9/9/9/9/9/9/+R8 b - 1"]
    {
        assert_eq!(solve(sfen), Answer::NoMate, "{sfen}");
    }
}

#[test]
fn a_position_that_occurred_thrice_already_can_be_mated_in() {
    let mut game: Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
    for _ in 0..2 {
        for m in ["5i4i", "5a4a", "4i5i", "4a5a"] {
            game.play(m.parse().unwrap());
        }
    }
    assert_eq!(game.occurrences(), 3);
    let solution = Solver::new(1).unwrap().solve(&game, &Effort::default(), &mut |_| false);
    assert!(matches!(solution.answer, Answer::Mate(mate) if mate.line == ["G*5b".parse().unwrap()]));
}

#[test]
fn mate_by_a_pawn_drop_is_none() {
    assert_eq!(solve("8k/9/8N/9/9/9/9/9/9 b - 1"), Answer::NoMate);
    // A pawn before the king in the corner would mate, and may not be dropped.
    assert_eq!(solve("7nk/7g1/7S1/9/9/9/9/9/9 b P 1"), Answer::NoMate);
}

#[test]
fn every_interposition_counts() {
    // The rook mates on the last rank. A defender with nothing in hand is mated at once; each piece he can put
    // in between, though it is taken at once, makes the line longer.
    let without = plies("k8/9/1K1+B5/9/9/9/9/9/8R b - 1");
    let with = plies("k8/9/1K1+B5/9/9/9/9/9/8R b p 1");
    assert_eq!((without, with), (1, 3));
}

#[test]
fn both_sides_can_attack_with_and_without_a_king() {
    for sfen in
        ["4k4/9/4P4/9/9/9/9/9/9 b G 1", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "9/9/9/9/9/9/4p4/9/4K4 w g 1"]
    {
        assert_eq!(plies(sfen), 1, "{sfen}");
    }
    // With a king of his own the attacker may have to think of it: here it is in check.
    let in_check = "4k4/9/4P4/9/4r4/9/9/9/4K4 b G 1";
    assert_ne!(solve(in_check), solve("4k4/9/4P4/9/4r4/9/9/9/9 b G 1"));
}

#[test]
fn a_mated_attacker_has_no_mate() {
    assert_eq!(solve("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), Answer::NoMate);
}

#[test]
fn lines_that_are_no_mates_are_refused() {
    let position = problem("4k4/9/4P4/9/9/9/9/9/9 b 2G 1");
    let line = |text: &str| text.split(' ').map(|m| m.parse().unwrap()).collect::<Vec<Move>>();
    assert_eq!(verify(&position, &line("G*5b")), Ok(()));
    let m = |text: &str| text.parse().unwrap();
    assert_eq!(verify(&position, &line("G*5c")), Err(LineError::Illegal { number: 1, m: m("G*5c") }));
    assert_eq!(verify(&position, &line("G*9i")), Err(LineError::NoCheck { number: 1, m: m("G*9i") }));
    assert_eq!(verify(&position, &line("G*4b")), Err(LineError::NoMate));
    assert_eq!(verify(&position, &line("G*4b 5a6a")), Err(LineError::NoMate));
    assert_eq!(verify(&position, &[]), Err(LineError::NoMate));
}

#[test]
fn limits_hold() {
    let mut solver = Solver::new(1).unwrap();
    let effort = Effort { nodes: Some(5_000), length: Length::Any };
    let solution = solver.solve(&problem(LONG), &effort, &mut |_| false);
    assert_eq!(solution.answer, Answer::Unknown);
    assert!((4_900..=5_100).contains(&solution.nodes), "{} nodes", solution.nodes);
}

/// A position takes microseconds, so that so many take less than 5 ms; `docs/mate.md` has the times.
#[test]
fn a_stop_is_heard_within_a_thousand_positions() {
    const FEW: u64 = 1000;
    for threads in [1, 2] {
        // The table grows and fills up meanwhile.
        let mut solver = Solver::new(16).unwrap().with_threads(threads);
        let (mut asked, mut longest) = (0, 0);
        let mut interrupted = |nodes| {
            longest = longest.max(nodes - asked);
            asked = nodes;
            nodes >= 200_000
        };
        let solution = solver.solve(&problem(LONG), &Effort::default(), &mut interrupted);
        assert!(solution.answer == Answer::Unknown && solution.nodes >= 200_000);
        // How much the others do while one of several threads does not run is up to the machine.
        if threads == 1 {
            let late = solution.nodes - asked;
            assert!(longest <= FEW && late <= FEW, "{longest} between two questions, {late} after the stop");
        }
    }
}

#[test]
fn threads_together_prove_what_one_proves() {
    // A classic with a mate, and a circle without end.
    for (sfen, has_mate) in [
        ("9/7B1/9/9/n1p6/+p8/4n4/+B1k1S4/N8 b G2S2r3gsn4l16p 1", true),
        ("8k/9/9/9/9/9/9/9/+R8 b - 1", false),
    ] {
        let mut solver = Solver::new(16).unwrap().with_threads(2);
        // The second thread helps to find a mate, and to find a shorter one.
        let effort = Effort { nodes: Some(20_000_000), length: Length::Shortened };
        match solver.solve(&problem(sfen), &effort, &mut |_| false).answer {
            Answer::Mate(mate) => assert!(has_mate && verify(&problem(sfen), &mate.line).is_ok(), "{sfen}"),
            Answer::NoMate => assert!(!has_mate, "{sfen}"),
            Answer::Unknown => panic!("{sfen} is not that hard"),
        }
    }
}

#[test]
fn a_table_that_overflows_all_the_time_gives_the_same_answers() {
    // More positions than a megabyte holds: it is collected many times before the mate is proven.
    let sfen = "1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1";
    let effort = Effort { nodes: Some(150_000), length: Length::Any };
    let solution = Solver::new(1).unwrap().solve(&problem(sfen), &effort, &mut |_| false);
    assert!(solution.nodes > 100_000 && solution.hash_permille <= 1000, "{solution:?}");
    match solution.answer {
        Answer::Mate(mate) => assert_eq!(verify(&problem(sfen), &mate.line), Ok(())),
        Answer::Unknown => {}
        Answer::NoMate => panic!("a classic with a mate in 69"),
    }
}
