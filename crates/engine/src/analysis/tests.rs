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
    let analysis =
        run(&mut agent, game, Effort::Depth(2), LogisticScale::default(), &mut || steps += 1).unwrap();
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
    assert_eq!((mated.choice, mated.line.len()), (Some(Choice::Resign), 0));
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
        for (read, (written, judgement)) in
            again.moves.iter().zip(noted.moves.iter().zip(&analysis.judgements[1..]))
        {
            assert_eq!(read, written, "{format:?}");
            assert_eq!(read.evaluation, Some(judgement.evaluation));
            assert_eq!(read.pv, judgement.line);
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
