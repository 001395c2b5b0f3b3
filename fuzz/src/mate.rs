//! The mate solver on whatever is a position.

use mate::{Answer, Effort, Length, Solver, verify};
use shogi::{Position, Setup};

/// A mate that is claimed can be played out, and where none is said to be, no plain search of three plies finds one: with a table so small
/// that it overflows, alone and with a helper.
pub fn holds(text: &str) {
    let Ok(setup) = text.parse::<Setup>() else { return };
    let Ok(position) = Position::problem(&setup) else { return };
    for (threads, length) in [(1, Length::Shortest), (2, Length::Any)] {
        let mut solver = Solver::new(1).expect("a megabyte").with_threads(threads);
        let effort = Effort { nodes: Some(6_000), length };
        match solver.solve(&position, &effort, &mut |_| false).answer {
            Answer::Mate(mate) => assert_eq!(verify(&position, &mate.line), Ok(()), "{position}"),
            Answer::NoMate => assert!(!mates_in(&mut position.clone(), 3), "{position}"),
            Answer::Unknown => {}
        }
    }
}

/// Whether the side to move mates within so many plies, by trying everything.
fn mates_in(position: &mut Position, plies: usize) -> bool {
    let info = position.check_info();
    let moves = position.legal_moves();
    moves.into_iter().filter(|&m| position.gives_check(m, &info)).collect::<Vec<_>>().into_iter().any(|m| {
        position.play(m);
        let replies = position.legal_moves();
        let mates = (replies.is_empty() || plies > 1)
            && replies.into_iter().all(|reply| {
                position.play(reply);
                let mates = mates_in(position, plies - 2);
                position.undo();
                mates
            });
        position.undo();
        mates
    })
}
