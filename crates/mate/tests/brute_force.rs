//! The solver against a plain search that knows no tables, hands or numbers, on small random positions.
//!
//! `YOMI_POSITIONS` is how many; a few hundred by default.

mod small_positions;

use mate::{Answer, Effort, Length, Solver, mate_in_three, verify};
use shogi::{Move, MoveList, Position};
use small_positions::{Random, positions, random_position};

/// How many positions the plain search may visit.
const BUDGET: usize = 3_000;

fn checks(position: &Position) -> MoveList {
    let info = position.check_info();
    position.legal_moves().into_iter().filter(|&m| position.gives_check(m, &info)).collect()
}

/// Whether the side to move mates within some plies. Gives up, with any answer, when no positions are `left`.
fn mates_within(position: &mut Position, plies: usize, left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    *left > 0
        && checks(position).into_iter().any(|m| {
            position.play(m);
            let replies = position.legal_moves();
            let mates = (replies.is_empty() || plies >= 3)
                && replies.into_iter().all(|reply| {
                    position.play(reply);
                    let mates = mates_within(position, plies - 2, left);
                    position.undo();
                    mates
                });
            position.undo();
            mates
        })
}

/// The length of the shortest mate of at most five plies, 0 if there is none; `None` if that is too much work.
fn short_mate(position: &Position) -> Option<usize> {
    let mut left = BUDGET;
    let found = [1, 3, 5].into_iter().find(|&plies| mates_within(&mut position.clone(), plies, &mut left));
    (left > 0).then_some(found.unwrap_or(0))
}

/// Whether the side to move mates at all: every line to its end, where a repeated position is no mate. `None`
/// if that takes too many positions.
fn mates(position: &mut Position, way: &mut Vec<u64>, left: &mut usize) -> Option<bool> {
    *left = left.checked_sub(1)?;
    if way.contains(&position.key()) {
        return Some(false);
    }
    way.push(position.key());
    let mut found = false;
    for m in checks(position) {
        position.play(m);
        let mut all = true;
        for reply in position.legal_moves() {
            position.play(reply);
            let mates = mates(position, way, left);
            position.undo();
            match mates {
                Some(true) => {}
                Some(false) => all = false,
                None => {
                    position.undo();
                    way.pop();
                    return None;
                }
            }
            if !all {
                break;
            }
        }
        position.undo();
        if all {
            found = true;
            break;
        }
    }
    way.pop();
    Some(found)
}

fn solve(solver: &mut Solver, position: &Position, length: Length) -> Answer {
    solver.solve(position, &Effort { nodes: Some(3_000), length }, &mut |_| false).answer
}

#[test]
fn short_mates_are_found_at_their_length_and_no_others() {
    let mut random = Random(1);
    let mut solver = Solver::new(1).unwrap();
    let (mut counts, mut quick, mut undecided) = ([0; 4], 0, 0);
    while counts.iter().sum::<usize>() < positions() {
        let Some(position) = random_position(&mut random) else { continue };
        let Some(shortest) = short_mate(&position) else { continue };
        let answer = solve(&mut solver, &position, Length::Shortest);
        match (shortest, &answer) {
            (0, Answer::Mate(mate)) => {
                assert!(mate.line.len() > 5 || !mate.is_shortest, "{position}: {:?}", mate.line);
            }
            (0, _) => counts[3] += 1,
            (plies, Answer::Mate(mate)) => {
                assert_eq!((mate.line.len(), mate.is_shortest), (plies, true), "{position}: {:?}", mate.line);
                counts[plies / 2] += 1;
            }
            (plies, Answer::NoMate) => panic!("{position}: there is a mate in {plies}"),
            (_, Answer::Unknown) => undecided += 1,
        }
        if let Answer::Mate(mate) = &answer {
            assert_eq!(verify(&position, &mate.line), Ok(()), "{position}");
        }
        if let Some(m) = mate_in_three(&mut position.clone()) {
            assert!(shortest == 1 || shortest == 3, "{position}: {m} is no mate in three");
            quick += 1;
        }
    }
    assert!(counts.iter().all(|&count| count * 100 > positions()), "too few of some kind: {counts:?}");
    assert!(undecided * 500 < positions(), "{undecided} mates are undecided");
    assert!(quick * 10 >= (counts[0] + counts[1]) * 7, "{quick} of {counts:?} were found quickly");
}

#[test]
fn answers_agree_with_every_line_played_to_its_end() {
    let mut random = Random(2);
    // A table so small that it is collected all the time, and one that never is.
    let mut solvers = [Solver::new(1).unwrap(), Solver::new(16).unwrap()];
    let (mut with, mut without, mut undecided) = (0, 0, 0);
    while with < positions() / 8 || without < positions() / 4 {
        let Some(position) = random_position(&mut random) else { continue };
        let Some(expected) = mates(&mut position.clone(), &mut Vec::new(), &mut { BUDGET }) else { continue };
        for solver in &mut solvers {
            match solve(solver, &position, Length::Shortened) {
                Answer::Mate(mate) => {
                    assert!(expected, "{position}: no mate, but {:?}", mate.line);
                }
                Answer::NoMate => assert!(!expected, "{position}: there is a mate"),
                Answer::Unknown => undecided += 1,
            }
        }
        if expected { with += 1 } else { without += 1 }
    }
    assert!(undecided * 50 < positions(), "{undecided} positions are undecided");
}

#[test]
fn a_mate_is_proven_against_every_defence() {
    // Whatever the defender plays along the line, the rest is a mate too, and no longer than said.
    let mut random = Random(3);
    let mut solver = Solver::new(4).unwrap();
    let mut tried = 0;
    while tried < 30 {
        let Some(mut position) = random_position(&mut random) else { continue };
        let Answer::Mate(mate) = solve(&mut solver, &position, Length::Shortest) else { continue };
        let mut left = mate.line.len();
        if left < 5 {
            continue;
        }
        tried += 1;
        let mut line: Vec<Move> = mate.line;
        while left > 1 {
            position.play(line[0]);
            let replies = position.legal_moves();
            position.play(replies[random.below(replies.len())]);
            let rest = match solve(&mut solver, &position, Length::Shortest) {
                Answer::Mate(rest) => rest,
                Answer::NoMate => panic!("{position}: no mate any more"),
                Answer::Unknown => break,
            };
            assert!(
                !rest.is_shortest || rest.line.len() <= left - 2,
                "{position}: {} plies of {left}",
                rest.line.len()
            );
            (line, left) = (rest.line.clone(), rest.line.len());
        }
    }
}
