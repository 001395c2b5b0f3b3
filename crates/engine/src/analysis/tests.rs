//! Whole analyses of short games.

use records::game::Outcome;
use records::text::{Format, read_games, write_game};

use super::*;
use crate::agent::Nets;
use crate::spec::{Defaults, OwnSpec};

fn game(line: &str) -> Game {
    read_games(line.as_bytes(), Some(Format::Usi)).unwrap().remove(0)
}

fn analysed(game: &Game) -> Analysis {
    let spec: OwnSpec = "alphabeta(hash=1)".parse().unwrap();
    let mut agent = Agent::new(&spec.resolve(&Defaults::analysis()), &mut Nets::default()).unwrap();
    let mut steps = 0;
    let plan = Plan::new(Effort::Depth(2), LogisticScale::default());
    let analysis = run(&mut agent, game, &plan, &|| false, &mut || steps += 1).unwrap();
    assert_eq!(steps, game.moves.len() + 1);
    analysis
}

/// White's last move leaves the bishop to be taken for nothing, and Black takes it.
const BISHOP_LOST: &str = "startpos moves 7g7f 3c3d 2g2f 2b5e 8h5e";

#[test]
fn a_piece_given_away_is_named_and_taking_it_is_not() {
    let analysis = analysed(&game(BISHOP_LOST));
    let lost = &analysis.reviews[3];
    assert_eq!(lost.side, Color::White);
    assert!(!lost.is_best && lost.class() >= Some(LossClass::Mistake), "{lost:?}");
    let taken = &analysis.reviews[4];
    assert!(taken.is_best && taken.loss == 0.0, "{taken:?}");
    assert!(matches!(analysis.judgements[4].evaluation, Evaluation::BlackCp(cp) if cp > 500));
}

#[test]
fn a_mate_on_the_board_belongs_to_who_gave_it() {
    let game = game("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b");
    let analysis = analysed(&game);
    assert_eq!(analysis.judgements[0].evaluation, Evaluation::Mate { winner: Color::Black, plies: Some(1) });
    let mated = &analysis.judgements[1];
    assert_eq!(mated.evaluation, Evaluation::Mate { winner: Color::Black, plies: Some(0) });
    assert_eq!((mated.choice, mated.line().len()), (Some(Choice::Resign), 0));
    assert!(analysis.reviews[0].is_best);
}

#[test]
fn an_end_by_rule_is_worth_what_the_rule_says() {
    let shuffle = " 2h3h 8b7b 3h2h 7b8b".repeat(3);
    let analysis = analysed(&game(&format!("startpos moves{shuffle}")));
    let last = analysis.judgements.last().unwrap();
    assert_eq!((last.evaluation, last.choice), (Evaluation::BlackCp(0), None));

    let mut limited = game(BISHOP_LOST);
    limited.outcome = Some(Outcome::draw(EndReason::MaxMoves));
    let analysis = analysed(&limited);
    assert_eq!(analysis.judgements[5].evaluation, Evaluation::BlackCp(0));
}

#[test]
fn annotations_survive_every_format_that_has_words_for_them() {
    let game = game(BISHOP_LOST);
    let analysis = analysed(&game);
    let noted = annotated(&game, &analysis, "by a test");
    assert_eq!(noted.comments, ["analysis: by a test"]);
    let comments = &noted.moves[3].comments;
    assert!(comments.len() == 1 && comments[0].contains("% of the win rate lost; better ("), "{comments:?}");
    for format in [Format::Csa, Format::CsaV3, Format::Kif, Format::Kifu, Format::Jkf] {
        let again = read_games(&write_game(&noted, format), Some(format)).unwrap().remove(0);
        assert_eq!(again.comments, noted.comments, "{format:?}");
        for (read, (written, review)) in again.moves.iter().zip(noted.moves.iter().zip(&analysis.reviews)) {
            assert_eq!(read, written, "{format:?}");
            assert_eq!(read.evaluation, Some(review.value));
            assert_eq!(read.pv, review.line[1..]);
        }
    }
}

#[test]
fn a_second_analysis_replaces_the_first_and_nothing_else() {
    let mut game = game(BISHOP_LOST);
    game.moves[3].comments.push("oops".to_owned());
    let analysis = analysed(&game);
    let once = annotated(&game, &analysis, "by a test");
    assert_eq!(annotated(&once, &analysis, "by a test"), once);
    assert_eq!(once.moves[3].comments[0], "oops");
}

/// Moves of beginners, so that a search often knows better.
const WANDERING: &str = "startpos moves 9g9f 1c1d 9i9g 9c9d 7i6h 7c7d 4i4h 8b7b 5g5f 6c6d 5i5h 5a4b 8h7i";

fn planned(plan: &Plan, is_stopped: &(dyn Fn() -> bool + Sync)) -> Analysis {
    let spec: OwnSpec = "alphabeta(hash=1)".parse().unwrap();
    let mut agent = Agent::new(&spec.resolve(&Defaults::analysis()), &mut Nets::default()).unwrap();
    run(&mut agent, &game(WANDERING), plan, is_stopped, &mut || {}).unwrap()
}

#[test]
fn the_best_move_is_never_rated_below_the_one_that_was_played() {
    for effort in [Effort::Nodes(300), Effort::Nodes(2000), Effort::Depth(3)] {
        let analysis = planned(&Plan::new(effort, LogisticScale::default()), &|| false);
        for (review, before) in analysis.reviews.iter().zip(&analysis.judgements) {
            assert!(
                value_for(review.best, review.side) >= value_for(review.value, review.side),
                "{review:?}"
            );
            assert_eq!((review.best, review.line[0]), (before.evaluation, review.played));
            assert_eq!(before.choice, Some(Choice::Move(before.line()[0])));
        }
    }
}

#[test]
fn only_the_plies_that_were_asked_for_are_judged_with_as_many_candidates() {
    let plan = Plan { candidates: 3, plies: 4..=6, ..Plan::new(Effort::Depth(2), LogisticScale::default()) };
    let analysis = planned(&plan, &|| false);
    assert_eq!((analysis.skipped, analysis.reviews.len(), analysis.judgements.len()), (3, 3, 4));
    assert_eq!(analysis.reviews[0].played.to_string(), "9c9d");
    for (before, review) in analysis.judgements.iter().zip(&analysis.reviews) {
        assert_eq!(before.candidates.len(), 3);
        let worth = |known: &Candidate| value_for(known.evaluation, review.side);
        assert!(before.candidates.is_sorted_by(|a, b| worth(a) >= worth(b)), "{before:?}");
    }
    let noted = annotated(&game(WANDERING), &analysis, "by a test");
    let has_value: Vec<bool> = noted.moves.iter().map(|played| played.evaluation.is_some()).collect();
    assert_eq!(has_value.iter().filter(|has| **has).count(), 3);
    assert!(has_value[3..6].iter().all(|has| *has));
}

#[test]
fn an_analysis_that_is_stopped_keeps_the_later_moves() {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let is_stopped = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 40;
    let analysis = planned(&Plan::new(Effort::Depth(2), LogisticScale::default()), &is_stopped);
    assert!((1..13).contains(&analysis.reviews.len()), "{}", analysis.reviews.len());
    assert_eq!(analysis.skipped + analysis.reviews.len(), 13);
    assert_eq!(analysis.judgements.len(), analysis.reviews.len() + 1);
    assert_eq!(analysis.reviews.last().unwrap().played.to_string(), "8h7i");
}
