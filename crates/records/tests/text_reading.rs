//! What records say is understood: evaluations, times, outcomes, conditions.

use std::time::Duration;

use records::game::{EndReason, Evaluation, Game, GameResult, TimeControl};
use records::text::{Format, read_games};
use shogi::{Color, DeclarationRule};

fn one(text: &str) -> Game {
    let mut games = read_games(text.as_bytes(), None).unwrap();
    assert_eq!(games.len(), 1);
    games.remove(0)
}

fn scores(game: &Game) -> Vec<Option<i32>> {
    let score = |evaluation| match evaluation {
        Evaluation::BlackCp(cp) => cp,
        Evaluation::Mate { .. } => panic!("no mates here"),
    };
    game.moves.iter().map(|played| played.evaluation.map(score)).collect()
}

#[test]
fn evaluations_may_stand_after_or_before_their_move() {
    let after = "PI\n+\n+7776FU\nT1\n'** 30 -3334FU\n-3334FU\nT1\n'** -20 +2726FU\n+2726FU\n";
    assert_eq!(scores(&one(after)), [Some(30), Some(-20), None]);
    let before = "PI\n+\n'** 30 +7776FU -3334FU\n+7776FU\nT1\n'** -20 -3334FU\n-3334FU\nT1\n+2726FU\n";
    let game = one(before);
    assert_eq!(scores(&game), [Some(30), Some(-20), None]);
    assert_eq!(game.moves[0].pv, ["3c3d".parse().unwrap()]);
    let sent = "PI\n+\n+7776FU,'* 30 -3334FU\n";
    assert_eq!(scores(&one(sent)), [Some(30)]);
}

#[test]
fn a_floodgate_record_tells_ratings_conditions_and_winner() {
    let game = one("V2\nN+alice\nN-bob\n'Max_Moves:256\n'Increment:10\n\
         $EVENT:wdoor+floodgate-300-10F+alice+bob+20210405160009\n$START_TIME:2021/04/05 16:00:04\nPI\n+\n\
         'black_rate:alice+507782308a:3382.0\n'white_rate:bob+507782308a:3613.5\n+7776FU\nT14\n\
         'P1-KY\n'summary:time up:bob lose:alice win\n'$END_TIME:2021/04/05 16:25:34\n");
    assert_eq!(game.info.ratings, [Some(3382.0), Some(3613.5)]);
    assert_eq!(game.info.max_moves, Some(256));
    let time = TimeControl {
        initial: Duration::from_secs(300),
        byoyomi: Duration::ZERO,
        increment: Duration::from_secs(10),
    };
    assert_eq!(game.info.time, [Some(time); 2]);
    assert_eq!(game.info.ended.as_deref(), Some("2021/04/05 16:25:34"));
    let outcome = game.outcome.unwrap();
    assert_eq!((outcome.result, outcome.reason), (Some(GameResult::Win(Color::Black)), EndReason::TimeUp));
}

#[test]
fn version_three_has_milliseconds_and_rules() {
    let game =
        one("'CSA encoding=UTF-8\nV3.0\n$TIME+:900+0+5\n$TIME-:600.5+30+0\n$MAX_MOVES:320\n$JISHOGI:24\n\
         PI\n+\n+7776FU\nT6.123\n%MAX_MOVES\n");
    assert_eq!(game.moves[0].time, Some(Duration::from_millis(6123)));
    assert_eq!(game.info.time[1].unwrap().initial, Duration::from_millis(600_500));
    assert_eq!(game.info.declaration_rule, Some(DeclarationRule::Points24));
    assert_eq!(game.outcome.unwrap().reason, EndReason::MaxMoves);
}

#[test]
fn csa_words_name_the_right_winner() {
    use EndReason as R;
    let (black, white) = (Some(GameResult::Win(Color::Black)), Some(GameResult::Win(Color::White)));
    // White is to move.
    for (word, result, reason) in [
        ("%TORYO", black, R::Resignation),
        ("%TIME_UP", black, R::TimeUp),
        ("%ILLEGAL_MOVE", black, R::IllegalMove(None)),
        ("%+ILLEGAL_ACTION", white, R::IllegalMove(None)),
        ("%-ILLEGAL_ACTION", black, R::IllegalMove(None)),
        ("%KACHI", white, R::Declaration),
        ("%TSUMI", black, R::Mate),
        ("%SENNICHITE", Some(GameResult::Draw), R::Repetition),
        ("%CHUDAN", None, R::Interrupted),
        ("%SOMETHING", None, R::Other("SOMETHING".into())),
        ("#RESIGN", black, R::Resignation),
    ] {
        let outcome = one(&format!("PI\n+\n+7776FU\n{word}\n")).outcome.unwrap();
        assert_eq!((outcome.result, outcome.reason), (result, reason), "{word}");
    }
}

#[test]
fn the_mover_of_a_recorded_illegal_move_loses() {
    // Whose foul it was is clear from the move, whatever side the word after it would blame.
    for end in ["%ILLEGAL_MOVE", "%+ILLEGAL_ACTION", "%-ILLEGAL_ACTION"] {
        let game = one(&format!("PI\n+\n+7776FU\n-2288UM\n{end}\n"));
        let outcome = game.outcome.unwrap();
        assert_eq!(game.moves.len(), 1);
        assert_eq!(outcome.result, Some(GameResult::Win(Color::Black)));
        assert_eq!(outcome.reason, EndReason::IllegalMove(Some("2b8h+".parse().unwrap())));
    }
    let kif = one("手合割：平手\n   1 ７六歩(77)\n   2 ８八角成(22)\n   3 反則勝ち\n");
    assert_eq!((kif.moves.len(), kif.winner()), (1, Some(Color::Black)));
}

#[test]
fn a_foul_that_cannot_be_a_move_is_kept_as_a_comment() {
    let game = one("PI\n+\n+7776FU\n-5554KI\n%ILLEGAL_MOVE\n");
    assert_eq!(game.outcome.unwrap().reason, EndReason::IllegalMove(None));
    assert_eq!(game.moves[0].comments, ["-5554KI"]);
}

#[test]
fn games_of_a_csa_file_are_separated_by_slashes() {
    let text = "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n-3334FU\n%CHUDAN\n/\n";
    let games = read_games(text.as_bytes(), Some(Format::Csa)).unwrap();
    assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn kif_keeps_the_main_line_with_times_comments_and_evaluations() {
    let game = one(
        "開始日時：2020/01/01\n手合割：平手　　\n先手：甲\n後手：\n持ち時間：各５時間\n備考：メモ\n\
         手数----指手---------消費時間--\n*はじめに\n   1 ７六歩(77)   ( 1:16/00:01:16)+\n*#評価値=-102\n\
         *#読み筋=△８四歩▲２六歩\n*互角\n   2 ３四歩(33)   ( 0:00/00:00:00)\n**詰み=後手勝ち:8手\n\
         3 ２二角成(88)\n   4 同　銀(31)\n   5 切れ負け     ( 0:09/00:00:09)\nまで4手で時間切れにより後手の勝ち\n\n\
         変化：2手\n   2 ８四歩(83)\n",
    );
    assert_eq!(game.comments, ["はじめに"]);
    assert_eq!(game.info.players, [Some("甲".to_owned()), None]);
    assert_eq!(game.info.time[0].unwrap().initial, Duration::from_secs(5 * 3600));
    assert_eq!(game.info.other["備考"], "メモ");
    let moves: Vec<String> = game.moves.iter().map(|played| played.m.to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3d", "8h2b+", "3a2b"]);
    assert_eq!(game.moves[0].time, Some(Duration::from_secs(76)));
    assert_eq!(game.moves[0].evaluation, Some(Evaluation::BlackCp(-102)));
    assert_eq!(game.moves[0].pv.len(), 2);
    assert_eq!(game.moves[0].comments, ["互角"]);
    let mate = Evaluation::Mate { winner: Color::White, plies: Some(8) };
    assert_eq!(game.moves[1].evaluation, Some(mate));
    assert_eq!(game.moves[2].time, None);
    let outcome = game.outcome.unwrap();
    assert_eq!((outcome.result, outcome.reason), (Some(GameResult::Win(Color::White)), EndReason::TimeUp));
    assert_eq!(outcome.time, Some(Duration::from_secs(9)));
    let [variation] = &game.variations[..] else { panic!("{:?}", game.variations) };
    assert_eq!((variation.after, variation.moves[0].m.to_string()), (1, "8c8d".to_owned()));
}

#[test]
fn headers_alone_are_an_empty_game() {
    for text in
        ["手合割：二枚落ち\n", "V2.2\nN+a\nN-b\nPI\n+\n", "startpos\n", "{\"header\":{},\"moves\":[{}]}"]
    {
        assert!(one(text).moves.is_empty(), "{text}");
    }
}

#[test]
fn usi_lists_may_have_comments_prefixes_and_bare_positions() {
    let text = "# openings\n\nposition startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n\
                sfen 4k4/9/4P4/9/9/9/9/9/9 b 2G 1 moves G*5b\n4k4/9/4P4/9/9/9/9/9/9 b 2G 1\n";
    let games = read_games(text.as_bytes(), None).unwrap();
    assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [1, 2, 1, 0]);
}

#[test]
fn a_jkf_move_without_origin_is_a_drop_or_as_spoken() {
    let text = r#"{"moves":[{},
        {"move":{"to":{"x":7,"y":6},"piece":"FU"}},
        {"move":{"to":{"x":3,"y":4},"piece":"FU"}},
        {"move":{"to":{"x":2,"y":2},"piece":"KA","promote":true}},
        {"move":{"same":true,"piece":"GI"}},
        {"move":{"to":{"x":5,"y":8},"piece":"KI","relative":"R"}},
        {"move":{"to":{"x":5,"y":5},"piece":"KA"}}]}"#;
    let moves: Vec<String> = one(text).moves.iter().map(|played| played.m.to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3d", "8h2b+", "3a2b", "4i5h", "B*5e"]);
}

/// The lines of a game as text: where each leaves, its moves, those that leave it in brackets.
fn lines(variations: &[records::game::Variation]) -> String {
    let line = |line: &records::game::Variation| {
        let moves: Vec<String> = line.moves.iter().map(|played| played.m.to_string()).collect();
        let inner = lines(&line.variations);
        let inner = if inner.is_empty() { inner } else { format!(" [{inner}]") };
        format!("{} {}{inner}", line.after, moves.join(" "))
    };
    variations.iter().map(line).collect::<Vec<_>>().join("; ")
}

#[test]
fn variations_of_kif_leave_the_line_before_them() {
    let head = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 投了\n";
    let game = one(&format!(
        "{head}\n変化：3手\n   3 ６六歩(67)\n*安全\n   4 ８四歩(83)\n   5 ７八銀(79)\n\n変化：５手\n   5 ６八飛(28)\n\n\
         変化：4手\n   4 ４四歩(43)\n   5 中断\n\n変化：2手\n   2 ８四歩(83)\n\n変化:2手\n   2 ４四歩(43)\n"
    ));
    assert_eq!(lines(&game.variations), "1 8c8d; 1 4c4d; 2 6g6f 8c8d 7i7h [3 4c4d; 4 2h6h]",);
    assert_eq!(game.variations[2].moves[0].comments, ["安全"]);
    assert_eq!((game.moves.len(), game.winner()), (3, Some(Color::Black)));
    // After the resignation; after the main line, not after the variation before it, which is shorter.
    let game = one(&format!("{head}変化：2手\n   2 ８四歩(83)\n変化：4手\n   4 ４四歩(43)\n"));
    assert_eq!(lines(&game.variations), "1 8c8d; 3 4c4d");
}

#[test]
fn a_variation_that_cannot_be_read_costs_only_its_rest() {
    let head = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
    let game = one(&format!(
        "{head}変化：2手\n   2 ８四歩(83)\n   3 ５五角打\n   4 ３四歩(33)\n変化：1手\n   1 ２六歩(27)\n   2 what\n\
         変化：99手\n  99 ８四歩(83)\n変化：0手\n   1 ２六歩(27)\n変化：x\n   1 ２六歩(27)\n変化：2手\n   2 投了\n"
    ));
    assert_eq!(lines(&game.variations), "0 2g2f; 1 8c8d");
    let many = "変化：1手\n   1 ２六歩(27)\n".repeat(3000);
    assert_eq!(one(&format!("{head}{many}")).variations.len(), 1000, "no more than anybody notes");
}

#[test]
fn forks_of_jkf_are_variations() {
    let m = |from: &str, to: &str| {
        let place = |text: &str| format!(r#"{{"x":{},"y":{}}}"#, &text[..1], &text[1..]);
        format!(r#""move":{{"from":{},"to":{},"piece":"FU"}}"#, place(from), place(to))
    };
    let nested = format!(r#"{{{}}},{{{},"forks":[[{{{}}}]]}}"#, m("67", "66"), m("83", "84"), m("43", "44"));
    let game = one(&format!(
        r#"{{"header":{{}},"moves":[{{}},{{{}}},{{{}}},{{{},"forks":[[{nested}],[{{"special":"TORYO"}}]]}},{{"special":"TORYO","forks":[[{{{}}}]]}}]}}"#,
        m("77", "76"),
        m("33", "34"),
        m("27", "26"),
        m("83", "84"),
    ));
    assert_eq!(lines(&game.variations), "2 6g6f 8c8d [3 4c4d]; 3 8c8d");
}
