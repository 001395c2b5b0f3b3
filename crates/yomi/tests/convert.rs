//! `yomi convert` and `yomi show` with files: what they write, tell and refuse.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const GAMES: &str = "V2.2\nN+alice\nN-bob\nPI\n+\n+7776FU\nT12\n'** 30 -3334FU\n-3334FU\nT3\n'** 25\n%TORYO\n/\n\
    PI\n+\n+2726FU\n-3334FU\n%CHUDAN\n";

/// A folder of this test alone, empty.
struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Room {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Room(path)
    }

    fn with(self, name: &str, text: &str) -> Room {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn yomi(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_yomi")).args(arguments).current_dir(&self.0).output().unwrap()
    }

    /// The counts of a conversion: read, written, refused, left out; and the exit code and complaints.
    fn convert(&self, arguments: &[&str]) -> ([u64; 4], i32, String) {
        let output = self.yomi(&[&["convert", "--json"], arguments].concat());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        let counts = ["read", "written", "refused", "left_out"].map(|key| report[key].as_u64().unwrap_or(99));
        (counts, output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    /// A conversion that must succeed: read, written, left out.
    fn converted(&self, arguments: &[&str]) -> [u64; 3] {
        let ([read, written, refused, left_out], code, errors) = self.convert(arguments);
        assert_eq!((code, refused, errors.as_str()), (0, 0, ""), "{arguments:?}");
        [read, written, left_out]
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// Everything in the folder, sorted.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn games_go_through_every_format_and_keep_their_moves() {
    let room = Room::new("every-format").with("a.csa", GAMES);
    let expected = "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 3c3d\n";
    assert_eq!(room.converted(&["a.csa", "direct.sfen"]), [2, 2, 0]);
    assert_eq!(room.text("direct.sfen"), expected);
    for (format, name) in [("csa", "b.csa"), ("csa3", "c.csa"), ("compact", "d.yomi"), ("usi", "e.usi")] {
        assert_eq!(room.converted(&["a.csa", name, "--to", format]), [2, 2, 0]);
        assert_eq!(room.converted(&[name, "again.sfen", "--force"]), [2, 2, 0]);
        assert_eq!(room.text("again.sfen"), expected, "{format}");
    }
    for format in ["kif", "kifu", "ki2", "ki2u", "jkf"] {
        assert_eq!(room.converted(&["a.csa", format, "--to", format]), [2, 2, 0]);
        let files = [format!("a-00001.{format}"), format!("a-00002.{format}")];
        assert_eq!(room.names(format), files);
        assert_eq!(room.converted(&[format, "again.sfen", "--force"]), [2, 2, 0]);
        assert_eq!(room.text("again.sfen"), expected, "{format}");
    }
}

#[test]
fn positions_need_evaluation_and_result_and_become_each_other_or_lines() {
    let room = Room::new("positions").with("a.csa", GAMES);
    assert_eq!(room.converted(&["a.csa", "--to", "psv", "a.psv"]), [2, 2, 2], "options may stand anywhere");
    assert_eq!(room.converted(&["a.csa", "a.yomi"]), [2, 2, 0]);
    assert_eq!(room.converted(&["a.yomi", "b.psv"]), [2, 2, 2]);
    assert_eq!(fs::read(room.0.join("a.psv")).unwrap(), fs::read(room.0.join("b.psv")).unwrap());
    assert_eq!(room.converted(&["a.psv", "a.hcpe"]), [2, 2, 0]);
    assert_eq!(room.converted(&["a.csa", "b.hcpe"]), [2, 2, 2]);
    assert_eq!(fs::read(room.0.join("a.hcpe")).unwrap(), fs::read(room.0.join("b.hcpe")).unwrap());
    fs::copy(room.0.join("a.psv"), room.0.join("a.bin")).unwrap();
    assert_eq!(room.converted(&["a.bin", "a.sfen", "--from", "psv"]), [2, 2, 0]);
    let lines = room.text("a.sfen");
    assert!(lines.starts_with("startpos moves 7g7f\nsfen lnsgkgsnl/1r5b1/"), "{lines}");
    assert!(lines.ends_with(" w - 2 moves 3c3d\n"), "{lines}");
}

#[test]
fn a_bad_game_is_reported_with_its_place_and_the_rest_goes_on() {
    let bad = GAMES.replace("-3334FU\nT3", "-3335FU\nT3");
    let room =
        Room::new("bad-game").with("in/a.csa", &bad).with("in/sub/b.kif", "rubbish").with("in/c.txt", "?");
    let (counts, code, errors) = room.convert(&["in", "out.sfen"]);
    assert_eq!((counts, code), ([1, 1, 2, 0], 1));
    assert!(errors.contains("a.csa: game 1, line 9, ply 2: expected a legal move in"), "{errors}");
    assert!(
        errors.contains("b.kif: game 1, line 1: expected a header, a board or a move, found"),
        "{errors}"
    );
    assert!(errors.ends_with("error: 2 refused\n"), "{errors}");
    assert_eq!(room.text("out.sfen"), "startpos moves 2g2f 3c3d\n");
}

#[test]
fn what_is_there_stays_unless_forced_and_failures_leave_nothing() {
    let room =
        Room::new("existing").with("a.csa", GAMES).with("b.sfen", "precious").with("bad.csa", "rubbish");
    let (_, code, errors) = room.convert(&["a.csa", "b.sfen"]);
    assert_eq!(code, 1);
    assert!(errors.contains("b.sfen is already there; --force replaces it"), "{errors}");
    assert_eq!(room.text("b.sfen"), "precious");
    for to in ["c.sfen", "c.yomi", "c.psv", "c.csa"] {
        assert_eq!(room.convert(&["bad.csa", to]).1, 1);
    }
    assert_eq!(room.convert(&["a.csa", "no/such/folder.sfen"]).1, 1);
    assert_eq!(room.names("."), ["a.csa", "b.sfen", "bad.csa"]);
    room.converted(&["a.csa", "b.sfen", "--force"]);
    assert!(room.text("b.sfen").starts_with("startpos"));
}

#[test]
fn files_of_the_same_name_get_different_names_and_folders_are_kept() {
    let one = "PI\n+\n+7776FU\n%TORYO\n";
    let room = Room::new("names").with("x/g.csa", one).with("y/g.csa", one).with("y/sub/g.csa", one);
    assert_eq!(room.converted(&["x", "y", "out", "--to", "kifu"]), [3, 3, 0]);
    assert_eq!(room.names("out"), ["g.2.kifu", "g.kifu", "sub"]);
    assert_eq!(room.names("out/sub"), ["g.kifu"]);
}

#[test]
fn books_are_merged_and_put_in_order() {
    let header = "#YANEURAOU-DB2016 1.00\n";
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
    let other = "sfen 4k4/9/9/9/9/9/9/9/4K4 b G 5\n";
    let room = Room::new("books")
        .with("a.db", &format!("{header}{start}7g7f none 10 5 3\n"))
        .with("b.db", &format!("{header}{start}2g2f none\n{other}G*5b\n"));
    assert_eq!(room.converted(&["a.db", "b.db", "both.db"]), [3, 2, 0]);
    let expected =
        format!("{header}{other}G*5b none none none 1\n{start}7g7f none 10 5 3\n2g2f none none none 1\n");
    assert_eq!(room.text("both.db"), expected);
}

#[test]
fn what_makes_no_sense_is_refused_with_the_reason() {
    let room =
        Room::new("nonsense").with("a.csa", GAMES).with("a.bin", "?").with("a.psv", "?").with("a.sbk", "?");
    for (arguments, code, expected) in [
        (["a.csa", "b"].as_slice(), 2, "name one with --to"),
        (&["a.csa", "b.bin"], 2, "'.bin' files may hold psv or hcpe positions or a book"),
        (&["a.csa", "b.sbk"], 2, "books of ShogiGUI are not supported"),
        (&["a.csa", "b.sfen", "--from", "apery"], 2, "by hash only, which nobody can invert"),
        (&["a.csa", "b", "--to", "pgn"], 2, "'pgn' is no format; the formats are csa, csa3, kif"),
        (&["a.csa", "b.db"], 1, "csa holds games and cannot become db"),
        (&["a.psv", "b.kif"], 1, "positions are no games"),
        (&["a.psv", "b.hcpe"], 1, "1 bytes at byte 0, at the end of the stream; a record has 40"),
        (&["a.bin", "b.sfen"], 1, "'.bin' files may hold"),
        (&["a.sbk", "b.db"], 1, "sbk cannot be converted"),
        (&["none.csa", "b.sfen"], 1, "none.csa: cannot be read: "),
        (&["a.csa", "b.kif"], 1, "game 2: the file to write holds one game"),
    ] {
        let (_, found, errors) = room.convert(arguments);
        assert_eq!(found, code, "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    }
}

#[test]
fn show_tells_about_a_game_of_a_file() {
    let mate = "V2.2\nPI\n+\n+7776FU\n'** -31999\n%TORYO\n";
    let room = Room::new("show").with("a.csa", GAMES).with("mate.csa", mate);
    let shown = |arguments: &[&str]| {
        let output = room.yomi(&[&["show"], arguments].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let last = shown(&["a.csa"]);
    let header = "black  alice\nwhite  bob\nlength 2 moves\nresult White wins: resignation\n\n後手の持駒";
    assert!(last.starts_with(header), "{last}");
    assert!(last.ends_with(" b - 3\ntime   3s\neval   +25 for Black\n"), "{last}");
    let first = shown(&["a.csa", "--ply", "1"]);
    assert!(first.ends_with(" w - 2\ntime   12s\neval   +30 for Black\nline   3c3d\n"), "{first}");
    assert!(shown(&["a.csa", "--game", "2"]).contains("result none: interrupted\n"));
    let mated = shown(&["mate.csa"]);
    assert!(mated.ends_with("eval   White mates (noted as -31999)\n"), "{mated}");
    room.converted(&["a.csa", "a.yomi"]);
    assert!(shown(&["a.yomi", "--game", "2", "--ply", "1"]).contains("last   2g2f\n"));
    for (arguments, code, expected) in [
        (["show", "a.csa", "--game", "3"].as_slice(), 1, "there is no game 3: the file holds 2"),
        (&["show", "a.csa", "--ply", "3"], 2, "there are 2 moves, so 0 to 2 can be shown"),
        (&["show", "none.csa"], 1, "cannot show none.csa: cannot be read: "),
        (&["show", "a.csa", "--from", "psv"], 1, "psv holds positions, not games"),
    ] {
        let output = room.yomi(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    }
    assert!(!Path::new(&room.0).join("none.csa").exists());
}
