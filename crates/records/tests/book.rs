//! Opening books: the text, lookups, Apery's hashes.

mod random_games;

use std::fs;

use random_games::{Random, random_positions};
use records::book::apery::{AperyBookError, apery_key};
use records::book::db2016::{self, BookError};
use records::book::{AperyBook, Book, BookMove, PlyMatch, Rotation};
use shogi::{Move, Position, Setup};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
const HEADER: &str = "#YANEURAOU-DB2016 1.00\n";

fn book(text: &str) -> Book {
    db2016::read(text.as_bytes()).unwrap()
}

fn text(book: &Book) -> String {
    let mut bytes = Vec::new();
    db2016::write(book, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn m(usi: &str) -> Move {
    usi.parse().unwrap()
}

fn random_book(seed: u64, positions: usize) -> Book {
    let mut random = Random::new(seed);
    let mut book = Book::new();
    for position in random_positions(seed, positions) {
        let moves: Vec<BookMove> = position
            .legal_moves()
            .into_iter()
            .take(4)
            .map(|m| BookMove {
                m,
                ponder: (random.below(2) == 0).then_some(m.rotated()),
                value: (random.below(3) > 0).then(|| random.below(400) as i32 - 200),
                depth: (random.below(3) > 0).then(|| random.below(40) as u32),
                count: random.below(5) as u64,
            })
            .collect();
        book.add(&position.setup(), moves).unwrap();
    }
    book
}

#[test]
fn a_written_book_reads_back_and_writes_the_same_text() {
    let written = text(&random_book(1, 800));
    assert_eq!(text(&book(&written)), written);
}

#[test]
fn a_saved_book_replaces_the_old_file_as_a_whole() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("book.db");
    fs::write(&path, "something older and longer than it should be").unwrap();
    let book = random_book(2, 100);
    db2016::save(&book, &path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), text(&book));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn positions_are_sorted_by_their_bytes_and_moves_by_count_and_value() {
    let mut random_order: Vec<String> =
        random_positions(3, 50).map(|position| position.to_string()).collect();
    random_order.reverse();
    let body: String = random_order.iter().map(|sfen| format!("sfen {sfen}\n7g7f\n")).collect();
    let written = text(&book(&format!("{HEADER}{body}")));
    let lines: Vec<&str> = written.lines().filter(|line| line.starts_with("sfen")).collect();
    assert!(lines.is_sorted_by(|a, b| a.as_bytes() < b.as_bytes()));

    let moves = "2g2f none 5 1 3\n7g7f none 9 1 3\n1g1f none 99 1 2\n9g9f none none none 3\n";
    let written = text(&book(&format!("{HEADER}sfen {START} 1\n{moves}")));
    let order: Vec<&str> = written.lines().skip(2).map(|line| &line[..4]).collect();
    assert_eq!(order, ["7g7f", "2g2f", "9g9f", "1g1f"]);
}

#[test]
fn the_smallest_ply_is_written_and_every_ply_is_found() {
    let text_in = format!("{HEADER}sfen {START} 9\n2g2f\nsfen {START} 3\n7g7f\nsfen {START} 5\n1g1f\n");
    let book = book(&text_in);
    assert_eq!(text(&book), format!("{HEADER}sfen {START} 3\n7g7f none none none 1\n"));
    for (ply, exact) in [(9, Some("2g2f")), (3, Some("7g7f")), (5, Some("1g1f")), (4, None)] {
        let setup = Setup { ply, ..Position::start().setup() };
        let position = Position::new(&setup).unwrap();
        let found = book.look_up(&position, PlyMatch::Exact, Rotation::Never).moves;
        assert_eq!(found.first().map(|entry| entry.m), exact.map(m));
        let found = book.look_up(&position, PlyMatch::Any, Rotation::Never).moves;
        assert_eq!(found[0].m, m("7g7f"));
    }
}

#[test]
fn comments_marks_and_line_ends_do_not_matter() {
    let plain = format!("{HEADER}sfen {START} 1\n2g2f 8c8d 10 20 30\n7g7f none none none 5\n");
    let variants = [
        plain.replace('\n', "\r\n"),
        format!("\u{FEFF}{plain}"),
        plain.replace("30\n", "30 #why\n// a line\n#another\n\n"),
        plain.trim_end().to_owned(),
        plain.replace("none none none 5", "None   5"),
    ];
    for variant in variants {
        assert_eq!(book(&variant), book(&plain), "{variant}");
    }
    let mut foreign = plain.clone().into_bytes();
    foreign.extend(b"# \x8F\x8A\x8A\xFC\n");
    assert_eq!(db2016::read(&foreign[..]).unwrap(), book(&plain));
}

#[test]
fn what_is_no_book_is_refused_with_the_line() {
    let sfen = format!("sfen {START} 1\n");
    let cases = [
        (String::new(), "line 1 is '' instead of the header '#YANEURAOU-DB2016 1.00'"),
        ("#YANEURAOU-DB2016 2.00\n".to_owned(), "line 1 is '#YANEURAOU-DB2016 2.00' instead of the header"),
        (sfen.clone(), "line 1 is 'sfen lnsgkgsnl/"),
        (format!("{HEADER}7g7f\n"), "line 2: a move before the first position: '7g7f'"),
        (format!("{HEADER}{sfen}7g7f\nsfen 9/9 b - 1\n"), "line 4: the board has 2 ranks instead of 9"),
        (format!("{HEADER}{sfen}hello\n"), "line 3: 'hello' is no move"),
        (
            format!("{HEADER}sfen {START} 1\n7g7f none 1 2 3\nsfen k8/9/9/9/9/9/9/9/8K b 3R 1\n"),
            "line 4: 3 pieces",
        ),
    ];
    for (text, expected) in cases {
        let error = db2016::read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let binary = [0xFFu8; 5000];
    assert!(matches!(db2016::read(&binary[..]), Err(BookError::Header { .. })));
}

#[test]
fn a_position_is_also_found_as_the_other_side_sees_it() {
    let book = book(&format!("{HEADER}sfen {START} 1\n7g7f 3c3d 50 9 3\n"));
    let turned = Position::new(&Position::start().setup().rotated()).unwrap();
    assert!(book.look_up(&turned, PlyMatch::Any, Rotation::Never).moves.is_empty());
    let found = book.look_up(&turned, PlyMatch::Any, Rotation::Also);
    assert_eq!((found.moves[0].m, found.moves[0].ponder), (m("3c3d"), Some(m("7g7f"))));
    assert!(found.illegal.is_empty());
}

#[test]
fn illegal_moves_are_never_offered_but_reported() {
    let book = book(&format!("{HEADER}sfen {START} 1\n5e5d\n7g7f\n"));
    let found = book.look_up(&Position::start(), PlyMatch::Exact, Rotation::Never);
    assert_eq!((found.moves.len(), found.moves[0].m), (1, m("7g7f")));
    assert_eq!(found.illegal, [m("5e5d")]);
}

/// Bytes of an entry of Apery's.
fn apery_entry(key: u64, m: u16, count: u16, score: i32) -> Vec<u8> {
    [&key.to_le_bytes()[..], &m.to_le_bytes(), &count.to_le_bytes(), &score.to_le_bytes()].concat()
}

#[test]
fn apery_keys_are_those_of_books_in_use() {
    let mut position = Position::start();
    let line = [
        (0xEEBE_8EE7_E1AD_7E15, "2g2f"),
        (0x721B_DA18_9BE4_F0F1, "3c3d"),
        (0x2ABB_0410_62B3_0610, "7g7f"),
        (0xFA7E_9575_D56C_58D0, "4c4d"),
    ];
    for (key, next) in line {
        assert_eq!(apery_key(&position), key);
        position.play(m(next));
    }
}

#[test]
fn apery_books_are_looked_up_by_position() {
    let key = apery_key(&Position::start());
    let bytes = [
        apery_entry(1, 0x1E3B, 1, 0),
        apery_entry(key, 0x1E3B, 5, 10),
        apery_entry(key, 0x078E, 9, -10),
        apery_entry(key, 0x4546, 1, 0),
    ]
    .concat();
    let book = AperyBook::read(&bytes[..]).unwrap();
    let found = book.look_up(&Position::start());
    let moves: Vec<_> = found.moves.iter().map(|entry| (entry.m, entry.count, entry.value)).collect();
    assert_eq!(moves, [(m("2g2f"), 9, Some(-10)), (m("7g7f"), 5, Some(10))]);
    assert_eq!(found.illegal, [m("2b8h+")]);
    assert_eq!(book.len(), 4);
}

#[test]
fn broken_apery_books_are_refused() {
    let good = apery_entry(7, 0x1E3B, 1, 0);
    let unsorted = [good.clone(), apery_entry(6, 0x1E3B, 1, 0)].concat();
    let error = AperyBook::read(&unsorted[..]).unwrap_err();
    assert!(matches!(error, AperyBookError::Unsorted { offset: 16, found: 6 }));
    assert!(matches!(AperyBook::read(&good[..15]), Err(AperyBookError::Length { length: 15 })));
    let no_move = apery_entry(7, 0, 1, 0);
    assert!(matches!(AperyBook::read(&no_move[..]), Err(AperyBookError::NoMove { offset: 0 })));
    let bad_move = apery_entry(7, 0xFFFF, 1, 0);
    assert!(matches!(AperyBook::read(&bad_move[..]), Err(AperyBookError::Move { offset: 0, .. })));
}
