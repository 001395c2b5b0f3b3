//! `yomi curve` and `yomi fit`: what they print, keep and refuse.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder with games in which whoever is ahead in the record's evaluations wins, mostly.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("curve").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(path.join("games")).unwrap();
    for number in 0..12 {
        let (black_wins, value) = (number % 2 == 0, 40 * (number + 1));
        // One game in six is won by the side that stood worse.
        let value = if black_wins == (number % 6 != 4) { value } else { -value };
        // Whoever is to move resigns.
        let end = if black_wins { "+8822UM\n%TORYO\n" } else { "+8822UM\n-3122GI\n%TORYO\n" };
        let text = format!("V2.2\nN+a\nN-b\nPI\n+\n+7776FU\n'** {value}\n-3334FU\n'** {value}\n{end}");
        fs::write(path.join(format!("games/{number}.csa")), text).unwrap();
    }
    path
}

fn yomi(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomi")).args(arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn games(folder: &std::path::Path) -> String {
    folder.join("games").display().to_string()
}

#[test]
fn stored_values_have_their_numbers() {
    let games = games(&folder("stored"));
    let arguments = ["curve", "--records", &games, "--stored", "--mate-nodes", "0", "--least", "1", "--json"];
    let result = json(&yomi(&arguments));
    assert_eq!(result["games"], 12);
    let player = &result["players"][0];
    // Two evaluations in each game, and in one of six they are wrong.
    assert_eq!((player["name"].as_str(), player["positions"].as_u64()), (Some("stored"), Some(24)));
    let number = |name: &str| player[name].as_f64().unwrap_or_else(|| panic!("{name}: {player}"));
    assert!((number("ACC") - 10.0 / 12.0).abs() < 1e-12, "{player}");
    for name in
        ["FSC", "LFT", "ROC", "APR", "BEP", "tau", "tau_b", "E_v", "brier", "calibration_error", "scale"]
    {
        assert!(number(name).is_finite(), "{name}");
    }
}

#[test]
fn pictures_tables_and_positions_are_kept_and_values_used_again() {
    let folder = folder("kept");
    let (games, out) = (games(&folder), folder.join("run").display().to_string());
    let arguments = [
        "curve",
        "--records",
        &games,
        "--stored",
        "--player",
        "alphabeta(hash=1)@static",
        "--player",
        "alphabeta(hash=1)@nodes=50",
        "--mate-nodes",
        "100",
        "--least",
        "1",
        "--when",
        "ply <= 2",
        "--out",
        &out,
    ];
    let text = String::from_utf8(yomi(&arguments).stdout).unwrap();
    for expected in ["of 12 games; draws are left out", "tau-b", "alphabeta(hash=1) @nodes=50", "ply <= 2 "] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let run = folder.join("run");
    for name in
        ["manifest.json", "result.json", "report.html", "curves.svg", "conditions-3.svg", "positions.parquet"]
    {
        assert!(run.join(name).is_file(), "{name}");
    }
    let table = fs::read_to_string(run.join("positions.csv")).unwrap();
    let head: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    assert_eq!(
        (&head[..4], &head[head.len() - 3..]),
        (&["game", "sfen", "result", "ply"][..], &["value1", "value2", "value3"][..])
    );
    assert_eq!(table.lines().count(), 1 + 6 * 4 + 6 * 5);
    assert!(table.lines().all(|line| line.split(',').count() == head.len()));
    // Values of the second time are those of the first: another value in the cache is believed.
    for entry in fs::read_dir(run.join("cache")).unwrap().flatten() {
        let path = entry.path();
        let lines = fs::read_to_string(&path).unwrap();
        if !path.display().to_string().contains("mates") {
            let changed: String = lines.lines().map(|line| format!("{} 777\n", &line[..16])).collect();
            fs::write(&path, changed).unwrap();
        }
    }
    assert!(yomi(&arguments).status.success());
    let table = fs::read_to_string(run.join("positions.csv")).unwrap();
    assert!(table.lines().skip(1).all(|line| line.ends_with(",777,777")), "{table}");
}

#[test]
fn another_program_judges_as_well() {
    let folder = folder("external");
    let (games, out) = (games(&folder), folder.join("run").display().to_string());
    let other = format!("usi:{}(USI_Hash=1)@depth=2", env!("CARGO_BIN_EXE_yomi"));
    let arguments = [
        "curve",
        "--records",
        &games,
        "--player",
        &other,
        "--player",
        "alphabeta(hash=1)@depth=2",
        "--mate-nodes",
        "0",
        "--least",
        "1",
        "--concurrency",
        "2",
        "--out",
        &out,
        "--json",
    ];
    let result = json(&yomi(&arguments));
    assert_eq!(result["players"][0]["positions"], result["positions"]);
    let table = fs::read_to_string(folder.join("run/positions.csv")).unwrap();
    for line in table.lines().skip(1) {
        let mut cells = line.rsplit(',');
        assert_eq!(cells.next(), cells.next(), "the same player inside and outside: {line}");
    }
}

#[test]
fn packed_positions_have_results_and_values_of_their_own() {
    let folder = folder("packed");
    let (games, packed) = (games(&folder), folder.join("all.psv").display().to_string());
    assert!(yomi(&["convert", &games, &packed]).status.success());
    let arguments =
        ["curve", "--records", &packed, "--stored", "--when", "ply >= 1", "--least", "1", "--json"];
    let result = json(&yomi(&arguments));
    let player = &result["players"][0];
    assert_eq!(player["splits"][0]["positions"], player["positions"]);
    assert!((player["ACC"].as_f64().unwrap() - 10.0 / 12.0).abs() < 1e-12, "{player}");
}

#[test]
fn fit_finds_a_scale_and_weights() {
    let games = games(&folder("fit"));
    let arguments = [
        "fit",
        "--records",
        &games,
        "--stored",
        "--mate-nodes",
        "0",
        "--least",
        "1",
        "--add",
        "black_to_move",
        "--json",
    ];
    let result = json(&yomi(&arguments));
    let fitted = &result[0];
    assert!(fitted["scale"].as_f64().unwrap() > 0.0, "{fitted}");
    assert_eq!(fitted["weights"].as_array().unwrap().len(), 1);
    assert!(fitted["after"].as_f64() <= fitted["before"].as_f64(), "{fitted}");
}

#[test]
fn mistakes_are_reported() {
    let games = games(&folder("mistakes"));
    let with = |more: &[&'static str]| {
        let mut all = vec!["curve", "--records", games.as_str(), "--mate-nodes", "0"];
        all.extend(more);
        let output = yomi(&all);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (more, code, expected) in [
        (&[][..], 2, "nobody gives values"),
        (&["--player", "alphabeta@swift"], 2, "'swift' is no effort"),
        (&["--stored", "--when", "pli > 3"], 2, "expected a number"),
        (&["--stored", "--only", "ply > 900"], 1, "no position meets --only"),
        (&["--player", "usi:/no/such/engine", "--depth", "1"], 1, "/no/such/engine"),
    ] {
        let (found, error) = with(more);
        assert_eq!(found, Some(code), "{more:?}: {error}");
        assert!(error.contains(expected), "{more:?}: {error}");
    }
}

#[test]
fn players_are_compared_by_the_positions_that_all_of_them_know() {
    let folder = folder("compared");
    let (games, out) = (games(&folder), folder.join("run").display().to_string());
    let players = ["--stored", "--player", "alphabeta(hash=1)@static", "--mate-nodes", "0", "--least", "1"];
    let arguments = [&["curve", "--records", &games], &players[..], &["--out", &out, "--json"]].concat();
    let result = json(&yomi(&arguments));
    assert_eq!(result["compared"], 24, "the records have two values each");
    assert!(result["positions"].as_u64().unwrap() > 24);
    for player in result["players"].as_array().unwrap() {
        assert_eq!(player["positions"], 24, "{player}");
    }
    let page = fs::read_to_string(folder.join("run/report.html")).unwrap();
    assert!(page.contains("players are compared by the 24 that all of them gave a value"));
    let help = String::from_utf8(yomi(&["curve", "--help"]).stdout).unwrap();
    for metric in ["ACC", "FSC", "LFT", "ROC", "APR", "BEP", "tau-b", "E(v)", "Brier", "calib."] {
        assert!(page.contains(&format!("<td>{metric}</td>")), "{metric} has its meaning in the page");
        assert!(help.contains(&format!("\n  {metric} ")), "{metric} has its meaning in the help");
    }
}

#[test]
fn fitted_weights_come_in_a_table_with_their_errors() {
    let folder = folder("fit_page");
    let (games, out) = (games(&folder), folder.join("run").display().to_string());
    let input =
        ["fit", "--records", &games, "--stored", "--mate-nodes", "0", "--least", "1", "--from", "csa"];
    let output = yomi(&[&input[..], &["--add", "black_to_move", "--out", &out, "--json"]].concat());
    let fitted = &json(&output)[0];
    assert!(fitted["scale_error"].as_f64().unwrap() > 0.0, "{fitted}");
    assert!(fitted["weight_errors"][0].as_f64().unwrap() > 0.0, "{fitted}");
    let page = fs::read_to_string(folder.join("run/fit.html")).unwrap();
    for expected in
        ["<td>black_to_move</td>", "95 % interval", "centipawns a unit", "another one: that of each curve"]
    {
        assert!(page.contains(expected), "{expected}");
    }
}

#[test]
fn where_one_side_won_every_game_words_stand_in_place_of_numbers() {
    let path = folder("one-sided");
    for number in (1..12).step_by(2) {
        fs::remove_file(path.join(format!("games/{number}.csa"))).unwrap();
    }
    let games = games(&path);
    let output = yomi(&["curve", "--records", &games, "--stored", "--mate-nodes", "0", "--least", "1"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("one side won every game") && text.contains(" none"), "{text}");
    assert!(!text.contains("NaN"), "{text}");
}
