//! `yomi match`, `report` and `openings`: what they print, keep and refuse.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("match").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn yomi(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomi"));
    command.args(arguments);
    command
}

const PLAYERS: [&str; 4] =
    ["--player", "alphabeta(hash=1)", "--player", "alphabeta(hash=1, static_cut_z=50)"];

fn play(arguments: &[&str]) -> Output {
    yomi(&[&["match"], &PLAYERS[..], arguments].concat()).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn the_last_line_is_an_object_about_the_first_player() {
    let result = json(&play(&["--nodes", "100", "--games", "4", "--sprt=-5,5", "--json"]));
    let number = |name: &str| result[name].as_f64().unwrap_or_else(|| panic!("{name}: {result}"));
    assert_eq!(number("games"), 4.0);
    assert_eq!(number("wins") + number("losses") + number("draws"), 4.0);
    for name in ["elo", "error", "llr", "los", "overhead_us", "worst_overhead_us"] {
        assert!(number(name).is_finite());
    }
    for name in ["illegal", "time_losses", "crashes", "stalls", "floods", "garbage"] {
        assert_eq!(number(name), 0.0);
    }
    assert_eq!(result["verdict"], "undecided");
    assert_eq!(result["players"].as_array().unwrap().len(), 2);
}

#[test]
fn players_of_ours_play_over_usi_as_well() {
    let result = json(&play(&[
        "--processes",
        "--time-ms",
        "20",
        "--margin-ms",
        "5000",
        "--games",
        "2",
        "--max-moves",
        "60",
        "--json",
    ]));
    assert_eq!(result["games"], 2);
    assert_eq!(result["crashes"], 0);
    assert_eq!(result["illegal"], 0);
}

#[test]
fn a_killed_match_goes_on_and_ends_as_one_that_was_not() {
    let (killed, whole) = (folder("killed"), folder("whole"));
    let arguments = |path: &PathBuf| {
        let out = path.join("run").display().to_string();
        ["--nodes", "300", "--games", "12", "--concurrency", "2", "--json", "--out"]
            .map(str::to_owned)
            .into_iter()
            .chain([out])
            .collect::<Vec<_>>()
    };
    let words: Vec<String> = arguments(&killed);
    let words: Vec<&str> =
        [&["match"], &PLAYERS[..]].concat().into_iter().chain(words.iter().map(String::as_str)).collect();
    for wait in [150, 60, 230, 100] {
        let mut child = yomi(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let result = json(&yomi(&words).output().unwrap());
    let unbroken: Vec<String> = arguments(&whole);
    let unbroken: Vec<&str> = unbroken.iter().map(String::as_str).collect();
    let expected = json(&play(&unbroken));
    for name in ["games", "wins", "losses", "draws", "pairs", "elo", "ends"] {
        assert_eq!(result[name], expected[name], "{name}");
    }
    let log = fs::read_to_string(killed.join("run/games.jsonl")).unwrap();
    let mut ids: Vec<(u64, u64)> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|row| (row["pair"].as_u64().unwrap(), row["game"].as_u64().unwrap()))
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..6).flat_map(|pair| [(pair, 0), (pair, 1)]).collect::<Vec<_>>());
}

#[test]
fn a_run_is_reported_and_refused_under_another_command() {
    let path = folder("report").join("run");
    let out = path.display().to_string();
    let arguments = ["--depth", "1", "--games", "2", "--out", &out];
    let text = String::from_utf8(play(&arguments).stdout).unwrap();
    assert!(text.contains("Elo ") && text.contains("pairs ") && text.contains("colours "), "{text}");
    for file in ["manifest.json", "games.jsonl", "result.json", "report.html", "records/000001-1.csa"] {
        assert!(path.join(file).is_file(), "{file}");
    }
    fs::remove_file(path.join("report.html")).unwrap();
    assert!(yomi(&["report", &out]).output().unwrap().status.success());
    let html = fs::read_to_string(path.join("report.html")).unwrap();
    for expected in
        ["Win rates", "<svg", "Pairs by the first player", "Length of games", "prefers-color-scheme:dark"]
    {
        assert!(html.contains(expected), "{expected}");
    }
    assert!(html.trim_end().ends_with("</html>"));
    let other = play(&["--depth", "2", "--games", "2", "--out", &out]);
    assert_eq!(other.status.code(), Some(1));
    let error = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(error.contains("conditions.time.depth was 1 and is now 2"), "{error}");
}

#[test]
fn mistakes_are_reported_before_the_first_game() {
    for (arguments, expected) in [
        (&["match", "--player", "alphabeta"][..], "a match needs two players"),
        (
            &["match", "--player", "alphabeta", "--player", "usi:/no/such/engine"],
            "/no/such/engine: cannot be started",
        ),
        (&["match", "--player", "alphabeta", "--player", "alphabeta", "--sprt", "5,0"], "ELO0 below ELO1"),
        (
            &["match", "--player", "alphabeta", "--player", "alphabeta", "--odds", "1"],
            "1 shares for 2 players",
        ),
        (&["match", "--player", "alphabeta", "--player", "alphabeta", "--tc", "x"], "BASE+INC in seconds"),
        (
            &["match", "--player", "alphabeta", "--player", "alphabeta", "--openings", "/none"],
            "cannot read /none",
        ),
        (
            &["match", "--player", "alphabeta", "--player", "alphabeta", "--depth", "3", "--nodes", "5"],
            "cannot be used with",
        ),
    ] {
        let output = yomi(arguments).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    let output = yomi(&["report", "/no/such/run"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn openings_are_made_by_search_and_serve_a_match() {
    let path = folder("openings").join("few.sfen");
    let file = path.display().to_string();
    let arguments =
        ["--count", "3", "--plies", "6", "--nodes", "200", "--check-nodes", "500", "--within", "200"];
    let output =
        yomi(&[&["openings"], &arguments[..], &["--player", "alphabeta(hash=1)", "--out", &file]].concat())
            .output()
            .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(&path).unwrap().matches("startpos moves ").count(), 3);
    let result = json(&play(&["--depth", "1", "--games", "2", "--openings", &file, "--json"]));
    assert_eq!(result["games"], 2);
}

#[test]
fn three_players_add_up() {
    let players = [&PLAYERS[..], &["--player", "alphabeta(hash=2)"]].concat();
    let rest = ["--name", "a", "--name", "b", "--name", "c", "--nodes", "50", "--games", "4", "--json"];
    let result = json(&yomi(&[&["match"], &players[..], &rest].concat()).output().unwrap());
    let number = |value: &Value| value.as_u64().unwrap();
    assert_eq!(number(&result["all_games"]), 12);
    assert_eq!(number(&result["games"]), 8);
    let sum =
        |value: &Value| ["wins", "losses", "draws"].iter().map(|name| number(&value[name])).sum::<u64>();
    assert_eq!((sum(&result), sum(&result["as_black"]), sum(&result["as_white"])), (8, 4, 4));
    let pairs = result["pairs"].as_array().unwrap();
    assert_eq!(pairs.iter().map(number).sum::<u64>(), 4);
    assert_eq!(result["players"][2]["name"], "c");
    assert_eq!(result["pairings"].as_array().unwrap().len(), 3);
    assert!(result["overhead_us"].as_f64().unwrap() <= result["worst_overhead_us"].as_f64().unwrap());
}

#[test]
fn results_and_ends_each_add_up_to_all_games() {
    let path = folder("ends").join("run");
    let out = path.display().to_string();
    assert!(play(&["--nodes", "60", "--games", "4", "--max-moves", "30", "--out", &out]).status.success());
    let html = fs::read_to_string(path.join("report.html")).unwrap();
    for head in ["<th>result</th>", "<th>end</th>"] {
        let table = html.split(head).nth(1).and_then(|rest| rest.split("</table>").next()).unwrap();
        let cells = table.split("<td").filter_map(|cell| cell.split(['>', '<']).nth(1));
        let shares = cells.filter_map(|cell| cell.strip_suffix(" %")?.parse::<f64>().ok());
        assert!((shares.sum::<f64>() - 100.0).abs() < 0.3, "{table}");
    }
}

#[test]
fn few_pairs_are_not_told_as_certain() {
    // The second one is so weak that it loses every game.
    let weak = ["--player", "alphabeta(hash=1)", "--player", "alphabeta(hash=1, eval=material, skill=0)"];
    let rest = ["--nodes", "3000", "--games", "4", "--max-moves", "400", "--json"];
    let result = json(&yomi(&[&["match"], &weak[..], &rest].concat()).output().unwrap());
    let number = |name: &str| result[name].as_f64().unwrap();
    assert!(number("los") < 0.96, "two pairs prove little: {result}");
    assert!(number("error") > 300.0 && number("elo_low") < 0.0, "{result}");
}

#[test]
fn a_match_can_be_prolonged_but_not_shortened() {
    let path = folder("prolonged").join("run");
    let out = path.display().to_string();
    let of = |games| {
        play(&[
            "--nodes",
            "60",
            "--games",
            games,
            "--sprt=-5,5",
            "--max-moves",
            "60",
            "--json",
            "--out",
            &out,
        ])
    };
    assert_eq!(json(&of("3"))["games"], 3);
    let longer = json(&of("6"));
    assert_eq!((&longer["games"], &longer["finished"]), (&6.into(), &true.into()));
    let log = fs::read_to_string(path.join("games.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 6, "what was played is kept");
    assert_eq!(of("4").status.code(), Some(1));
}

#[test]
fn a_net_that_is_not_there_ends_the_match_with_the_programs_words() {
    let program = env!("CARGO_BIN_EXE_yomi");
    for (options, words) in [
        ("EvalFile=/nonexist/nn.bin", "/nonexist/nn.bin"),
        ("Threads=0", "the option Threads takes a whole number from 1"),
        ("MultiPV=many", "the option MultiPV takes a whole number"),
    ] {
        let player = format!("usi:{program}({options})");
        let output = yomi(&["match", "--player", "alphabeta(hash=1)", "--player", &player, "--games", "2"])
            .args(["--nodes", "10"])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && output.stdout.is_empty(), "{options}: {error}");
        assert!(error.contains(words), "{options}: {error}");
    }
}

#[test]
#[cfg(unix)]
fn players_ponder_where_they_are_told_to() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder("ponder");
    let (log, program) = (folder.join("log"), folder.join("engine.sh"));
    let script = format!("#!/bin/sh\ntee -a '{}' | '{}'\n", log.display(), env!("CARGO_BIN_EXE_yomi"));
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let player = format!("usi:{}(Threads=1)", program.display());
    let arguments = ["--time-ms", "40", "--games", "2", "--max-moves", "50", "--margin-ms", "9000"];
    let result = json(
        &yomi(&["match", "--player", &player, "--player", "alphabeta(hash=1)", "--ponder", "--json"])
            .args(arguments)
            .args(["--patience-ms", "60000", "--nodes", "100000"])
            .output()
            .unwrap(),
    );
    for name in ["illegal", "time_losses", "crashes", "stalls"] {
        assert_eq!(result[name], 0, "{name}: {result}");
    }
    let said = fs::read_to_string(log).unwrap();
    for word in ["setoption name USI_Ponder value true", "go ponder ", "stop", "ponderhit", " nodes 100000"] {
        assert!(said.contains(word), "{word}: {said}");
    }
}

#[test]
fn each_player_has_its_own_measure_and_name() {
    let path = folder("times").join("run");
    let out = path.display().to_string();
    let arguments = ["--times", "nodes=40,nodes=80", "--name", "quick", "--name", "slow", "--games", "2"];
    let output = play(&[&arguments[..], &["--max-moves", "40", "--out", &out]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("A  quick\n") && text.contains("40 nodes a move : 80 nodes a move"), "{text}");
    let (error, code) = {
        let output = play(&["--times", "nodes=40", "--games", "2"]);
        (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code())
    };
    assert_eq!(code, Some(2));
    assert!(error.contains("--times has 1 measures for 2 players"), "{error}");
}

#[test]
fn a_search_for_openings_that_there_are_not_ends() {
    let output =
        yomi(&["openings", "--count", "500", "--plies", "1", "--nodes", "100", "--check-nodes", "30000"])
            .args(["--player", "alphabeta(hash=1)", "--within", "1000", "--choice", "1000"])
            .output()
            .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains(" of 500 openings found; more --plies"), "{error}");
}
