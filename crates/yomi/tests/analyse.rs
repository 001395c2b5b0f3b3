//! `yomi analyse`: what it prints, writes and refuses.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use records::game::{Evaluation, Game};
use records::text::read_games;
use serde_json::Value;

/// White gives a bishop away on the fourth ply, and Black takes it.
const GAME: &str =
    "V2.2\nN+alice\nN-<bob>\nPI\n+\n+7776FU\nT12\n-3334FU\n' quick\n+2726FU\n-2255KA\n+8855KA\n%TORYO\n";

/// A folder of this test alone with the game in it.
struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Room {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("analyse").join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("game.csa"), GAME).unwrap();
        Room(path)
    }

    fn analyse(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_yomi"))
            .args(["analyse", "--player", "alphabeta(hash=1)"])
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    /// What an analysis of the game to depth 2 prints.
    fn printed(&self, arguments: &[&str]) -> String {
        let output = self.analyse(&[&["game.csa", "--depth", "2"], arguments].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn game(&self, name: &str) -> Game {
        read_games(&fs::read(self.0.join(name)).unwrap(), None).unwrap().remove(0)
    }
}

#[test]
fn the_table_names_the_mistake_and_the_summary_counts_it() {
    let text = Room::new("table").printed(&[]);
    assert!(text.starts_with("black  alice\nwhite  <bob>\n"), "{text}");
    let row = text.lines().find(|line| line.contains("w 2b5e")).unwrap();
    assert!(row.contains("mistake") || row.contains("blunder"), "{row}");
    let taken = text.lines().find(|line| line.contains("b 8h5e")).unwrap();
    assert!(taken.ends_with('='), "{taken}");
    for label in ["moves ", "best move ", "mean loss ", "inaccuracy ", "dubious ", "mistake ", "blunder "] {
        assert!(text.lines().any(|line| line.starts_with(label)), "{label}: {text}");
    }
}

#[test]
fn json_holds_every_position_and_move() {
    let report: Value = serde_json::from_str(&Room::new("json").printed(&["--json"])).unwrap();
    assert_eq!(report["players"], serde_json::json!(["alice", "<bob>"]));
    assert_eq!((&report["limit"], &report["scale"]), (&"depth 2".into(), &320.0.into()));
    assert_eq!(report["values"].as_array().unwrap().len(), 6);
    let moves = report["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 5);
    assert_eq!((&moves[3]["move"], &moves[3]["side"]), (&"2b5e".into(), &"w".into()));
    assert!(moves[3]["loss"].as_f64().unwrap() >= 0.2 && moves[3]["class"].is_string());
    assert!(moves[3]["best_line"].as_array().is_some_and(|line| !line.is_empty()));
    assert_eq!((&moves[4]["is_best"], &moves[4]["loss"]), (&true.into(), &0.0.into()));
    assert_eq!((&report["black"]["moves"], &report["white"]["moves"]), (&3.into(), &2.into()));
    let counted: u64 =
        ["mistakes", "blunders"].iter().map(|class| report["white"][class].as_u64().unwrap()).sum();
    assert_eq!(counted, 1);
}

#[test]
fn the_scale_decides_what_a_loss_is() {
    let room = Room::new("scale");
    let report: Value = serde_json::from_str(&room.printed(&["--json", "--scale", "100000"])).unwrap();
    assert_eq!(report["moves"][3]["class"], Value::Null);
}

#[test]
fn annotated_records_keep_the_game_and_gain_values() {
    let room = Room::new("out");
    let original = room.game("game.csa");
    for name in ["a.csa", "a.kif", "a.kifu", "a.jkf"] {
        room.printed(&["--out", name]);
        let noted = room.game(name);
        assert_eq!(noted.info.players, original.info.players, "{name}");
        assert_eq!(noted.outcome.as_ref().unwrap().reason, original.outcome.as_ref().unwrap().reason);
        assert!(noted.comments.iter().any(|line| line.contains("depth 2")), "{name}: {:?}", noted.comments);
        for (noted, original) in noted.moves.iter().zip(&original.moves) {
            assert_eq!(noted.m, original.m);
            assert!(noted.evaluation.is_some() && !noted.pv.is_empty() && noted.nodes.is_some(), "{name}");
        }
        assert!(noted.moves[1].comments.iter().any(|line| line.trim() == "quick"), "{name}");
        assert!(noted.moves[3].comments[0].contains("win rate lost; better"), "{name}");
        assert!(matches!(noted.moves[3].evaluation, Some(Evaluation::BlackCp(500..))), "{name}");
    }
}

#[test]
fn the_picture_is_whole_and_shows_the_mistake() {
    let room = Room::new("svg");
    room.printed(&["--svg", "game.svg"]);
    let svg = fs::read_to_string(room.0.join("game.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("Black: alice, White: &lt;bob&gt;") && svg.contains("4. White 2b5e: "));
    assert_eq!(fs::read_dir(&room.0).unwrap().count(), 2, "nothing else is left behind");
}

#[test]
fn wrong_arguments_and_files_end_with_code_2_before_any_work() {
    let room = Room::new("refusals");
    fs::write(room.0.join("empty.csa"), "V2.2\nPI\n+\n").unwrap();
    fs::write(room.0.join("two.csa"), format!("{GAME}/\n{GAME}")).unwrap();
    fs::write(room.0.join("bad.csa"), "V2.2\nPI\n+\n+7775FU\n").unwrap();
    for (arguments, expected) in [
        (["none.csa"].as_slice(), "cannot read none.csa"),
        (&["bad.csa"], "cannot read bad.csa"),
        (&["empty.csa"], "the game has no moves"),
        (&["game.csa", "--game", "2"], "there is no game 2: the file holds 1"),
        (&["game.csa", "--depth", "1", "--nodes", "5"], "cannot be used with"),
        (&["game.csa", "--depth", "0"], "expected a whole number from 1 to 100"),
        (&["game.csa", "--scale", "0"], "expected a number above 0"),
        (&["game.csa", "--out", "a.txt"], "expected a .csa, .kif, .kifu or .jkf file"),
        (&["game.csa", "--out", "a.sfen"], "no room for values"),
        (&["game.csa", "--out", "game.csa"], "the record itself"),
        (&["game.csa", "--out", "a.csa", "--svg", "a.csa"], "the same file"),
        (&["game.csa", "--out", "-"], "standard output has no extension"),
        (&["game.csa", "--plies", "5-4"], "expected FIRST-LAST"),
        (&["two.csa", "--out", "a.kif"], "2 games do not fit into one file"),
        (&["two.csa", "--svg", "a.svg"], "a folder gets one for each"),
    ] {
        let output = room.analyse(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty() && message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn a_player_that_cannot_be_had_is_a_failure() {
    let room = Room::new("failure");
    let output = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(["analyse", "game.csa", "--player", "alphabeta(net=none.bin)"])
        .current_dir(&room.0)
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && message.contains("none.bin"), "{message}");
}

/// The values and lines of an analysis with 2,000 nodes a position.
fn rows(room: &Room) -> Vec<Value> {
    let output = room.analyse(&["game.csa", "--nodes", "2000", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["moves"].as_array().unwrap().clone()
}

/// Twenty plies of quiet development.
const QUIET: &str = "V2.2\nPI\n+\n+7776FU\n-8384FU\n+2726FU\n-8485FU\n+8877KA\n-3334FU\n+7988GI\n-4132KI\n+6978KI\n-2277UM\n+8877GI\n-3142GI\n+3938GI\n-7172GI\n+3736FU\n-6364FU\n+3837GI\n-7263GI\n+4746FU\n-1314FU\n%TORYO\n";

#[test]
fn lines_are_whole_and_no_best_move_is_rated_below_the_one_played() {
    let room = Room::new("one_root");
    fs::write(room.0.join("game.csa"), QUIET).unwrap();
    let rows = rows(&room);
    assert_eq!(rows.len(), 20);
    for row in &rows {
        let sign = if row["side"] == "b" { 1 } else { -1 };
        let [best, value] = ["best_value", "value"].map(|name| row[name]["cp"].as_i64().unwrap() * sign);
        assert!(best >= value, "{row}");
        assert_eq!(row["is_best"].as_bool().unwrap(), row["best_line"][0] == row["move"], "{row}");
    }
    let stumps = rows.iter().filter(|row| row["best_line"].as_array().unwrap().len() < 3).count();
    assert!(stumps <= 4, "{stumps} of 20 lines are no longer than two moves");
}

#[test]
fn the_record_and_the_table_tell_the_same_values() {
    let room = Room::new("same_values");
    let report: Value = serde_json::from_str(&room.printed(&["--json", "--out", "a.kifu"])).unwrap();
    for (noted, row) in room.game("a.kifu").moves.iter().zip(report["moves"].as_array().unwrap()) {
        let Some(Evaluation::BlackCp(cp)) = noted.evaluation else { panic!("{noted:?}") };
        assert_eq!(row["value"]["cp"], cp);
    }
}

#[test]
fn a_folder_of_files_of_games_is_analysed_game_by_game() {
    let room = Room::new("many");
    fs::create_dir(room.0.join("in")).unwrap();
    fs::write(room.0.join("in/two.csa"), format!("{GAME}/\n{GAME}")).unwrap();
    fs::write(room.0.join("in/one.csa"), GAME).unwrap();
    let arguments = ["in", "--depth", "1", "--plies", "4-", "--candidates", "2", "--json"];
    let output =
        room.analyse(&[&arguments[..], &["--out", "out/", "--to", "kifu", "--svg", "out/"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let reports: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<(&str, u64)> = reports
        .iter()
        .map(|report| (report["record"].as_str().unwrap(), report["game"].as_u64().unwrap()))
        .collect();
    assert_eq!(names, [("in/one.csa", 1), ("in/two.csa", 1), ("in/two.csa", 2)]);
    for report in &reports {
        let moves = report["moves"].as_array().unwrap();
        assert_eq!((moves.len(), &moves[0]["ply"]), (2, &4.into()));
        assert!(moves.iter().all(|row| row["candidates"].as_array().unwrap().len() == 2));
    }
    let mut made: Vec<String> = fs::read_dir(room.0.join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    made.sort();
    let expected =
        ["one.kifu", "one.svg", "two-00001.kifu", "two-00001.svg", "two-00002.kifu", "two-00002.svg"];
    assert_eq!(made, expected);
}

#[test]
fn a_bad_game_among_good_ones_is_reported_and_the_others_are_analysed() {
    let room = Room::new("bad_among_good");
    fs::write(room.0.join("bad.csa"), "V2.2\nPI\n+\n+7775FU\n").unwrap();
    let output = room.analyse(&["bad.csa", "game.csa", "--depth", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("refused: cannot read bad.csa") && said.ends_with("error: 1 refused\n"), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("b 8h5e"));
}
