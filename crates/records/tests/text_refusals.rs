//! Bytes that are no record end in an error that names the place, and never in a panic or an empty game.

use records::text::{Format, RecordError, read_each, read_games};

const CSA: &str = "V2.2\nN+alice\nN-bob\n$TIME_LIMIT:00:25+00\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n\
P2 * -HI *  *  *  *  * -KA * \nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \n\
P5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n\
P8 * +KA *  *  *  *  * +HI * \nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n+7776FU\nT12\n'** 30 -3334FU +2726FU #99\n\
-3334FU,T6\n+8822UM\n-3122GI\n+0055KA\n%TORYO,T3\n'summary:toryo:alice lose:bob win\n";
const KIF: &str = "開始日時：1999/07/15(木) 19:07:12\n手合割：平手\n先手：甲\n後手：乙\n持ち時間：15分＋30秒\n\
手数----指手---------消費時間--\n   1 ７六歩(77) ( 0:16/00:00:16)\n*#評価値=30\n*#読み筋=△３四歩▲２六歩\n   \
2 ３四歩(33)   ( 0:00/00:00:00)+\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 ５五角打\n   6 投了\n\
まで5手で先手の勝ち\n\n変化：2手\n   2 ８四歩(83)\n";
const BOARD: &str = "後手の持駒：飛　角　金四　銀三　桂四　香四　歩十五\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n\
+---------------------------+\n| ・ ・ ・ ・ ・ ・ ・v歩v玉|一\n| ・ ・ ・ ・ ・ ・ ・ ・v歩|二\n\
| ・ ・ ・ ・ ・ ・ ・ 銀 ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n\
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：飛　角\n先手番\n\
手数----指手---------消費時間--\n   1 １二銀(23)\n";
const KI2: &str = "手合割：香落ち\n下手：甲\n上手：乙\n\n△３四歩    ▲７六歩    △４四歩\n*一言\n▲２六歩 △３二銀\n\
まで5手で中断\n";
const JKF: &str = r#"{"header":{"先手":"甲","持ち時間":"各５時間"},"initial":{"preset":"HIRATE"},"moves":[{},
{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU","color":0},"time":{"now":{"m":0,"s":1}}},
{"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"},"comments":["** 5"]},
{"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"piece":"KA","promote":true}},{"special":"CHUDAN"}]}"#;
const USI: &str = "# list\nstartpos moves 7g7f 3c3d\nposition sfen 4k4/9/4P4/9/9/9/9/9/9 b 2G 1 moves G*5b\n";

const ALL: [(&str, Format); 6] = [
    (CSA, Format::Csa),
    (KIF, Format::Kifu),
    (BOARD, Format::Kifu),
    (KI2, Format::Ki2u),
    (JKF, Format::Jkf),
    (USI, Format::Usi),
];

#[test]
fn the_samples_themselves_are_records() {
    let count = |(text, format): (&str, Format)| {
        read_games(text.as_bytes(), Some(format)).unwrap_or_else(|e| panic!("{format:?}: {e}"))[0].moves.len()
    };
    assert_eq!(ALL.map(count), [5, 5, 1, 5, 3, 2]);
}

#[test]
fn nothing_and_garbage_are_errors_in_every_format() {
    let garbage: [&[u8]; 9] =
        [b"", b"\n\n", b"\xEF\xBB\xBF", b"hello", b"\x00\x01\x02", b"<html></html>", b"{}", b"[]", b"/\n/\n"];
    for bytes in garbage {
        assert!(read_games(bytes, None).is_err(), "{bytes:?}");
        for format in Format::ALL {
            assert!(read_games(bytes, Some(format)).is_err(), "{bytes:?} as {format:?}");
        }
    }
}

#[test]
fn a_record_of_another_format_is_an_error() {
    for (text, format) in ALL {
        for other in [Format::Csa, Format::Jkf, Format::Usi] {
            let is_refused = read_games(text.as_bytes(), Some(other)).is_err();
            assert!(other == format || is_refused, "{format:?} as {other:?}");
        }
    }
}

#[test]
fn an_illegal_move_is_named_with_its_ply() {
    let texts = [
        ("PI\n+\n+7776FU\n-3334FU\n+8834KA\n", Format::Csa),
        ("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ３四角(88)\n", Format::Kifu),
        ("手合割：平手\n▲７六歩△３四歩\n▲３三飛\n", Format::Ki2u),
        ("startpos moves 7g7f 3c3d 8h1a", Format::Usi),
    ];
    for (text, format) in texts {
        match read_games(text.as_bytes(), Some(format)) {
            Err(RecordError::IllegalMove { ply: 3, .. }) => {}
            other => panic!("{format:?}: {other:?}"),
        }
    }
}

#[test]
fn an_illegal_move_in_the_middle_is_an_error_even_if_the_game_ended_by_another() {
    let text = "PI\n+\n+7775FU\n-3334FU\n%ILLEGAL_MOVE\n";
    assert!(matches!(read_games(text.as_bytes(), None), Err(RecordError::IllegalMove { ply: 1, .. })));
}

#[test]
fn errors_say_where() {
    let bad = CSA.replace("-3122GI", "-31x2GI");
    let error = read_games(bad.as_bytes(), None).unwrap_err();
    assert_eq!(error.to_string(), "game 1, line 20: expected a move such as +7776FU, found '-31x2GI'");
    let second_bad = format!("{CSA}/\n{bad}");
    let results: Vec<_> = read_each(second_bad.as_bytes(), None).unwrap().collect();
    assert!(results[0].is_ok());
    assert_eq!(
        results[1].as_ref().unwrap_err().to_string(),
        "game 2, line 44: expected a move such as +7776FU, found '-31x2GI'"
    );
}

#[test]
fn a_start_that_cannot_be_is_an_error() {
    for (text, format) in [
        ("9/9/9/9/9/9/9/9/9 b - 1", Format::Usi),
        ("PI51OU\n+\n", Format::Csa),
        ("P-11OU12FU13FU\nP+59OU\n+\n", Format::Csa),
    ] {
        let result = read_games(text.as_bytes(), Some(format));
        assert!(matches!(result, Err(RecordError::Start { .. })), "{text}");
    }
}

#[test]
fn a_move_that_fits_two_pieces_is_an_error() {
    let text = "手合割：平手\n▲７六歩△３四歩▲５八金\n";
    match read_games(text.as_bytes(), None) {
        Err(RecordError::AmbiguousMove { ply: 3, fits, .. }) => assert_eq!(fits.len(), 2),
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_mutation_of_a_record_panics() {
    let mut state = 0x1234_5678_9ABC_DEF1u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let spice =
        ["+", "-", "'", "%", "00", "11", ",", "\n", "同", "▲", "：", "**", "99999999999", "{", "手合割"];
    for round in 0..6000 {
        let (text, format) = ALL[round % ALL.len()];
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..1 + below(4) {
            let at = below(bytes.len());
            match below(4) {
                0 => bytes[at] = below(256) as u8,
                1 if bytes.len() > 1 => drop(bytes.remove(at)),
                2 => drop(bytes.splice(at..at, spice[below(spice.len())].bytes())),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let _ = read_games(&bytes, Some(format));
        let _ = read_games(&bytes, None);
    }
}
