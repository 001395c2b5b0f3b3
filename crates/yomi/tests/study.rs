//! `yomi study`: what it plans, runs, keeps and refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("study").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn studies() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn yomi(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomi")).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn every_study_of_the_papers_can_be_planned() {
    assert!(studies().len() >= 4);
    for file in studies() {
        let text = text(&yomi(&["study", &file.display().to_string(), "--dry-run", "--concurrency", "2"]));
        let last = text.lines().last().unwrap();
        assert!(last.contains(" games in all, about "), "{}: {last}", file.display());
        assert!(text.contains("  yomi match --player "), "{}", file.display());
    }
}

/// A study of every kind of step, small enough for a test.
const SMALL: &str = r#"
title = "A small study"
about = ["All kinds of steps."]
[players]
material = "alphabeta(eval=material, hash=1)"
fitted = "alphabeta(eval=material, hash=1, weights={fit}/result.json)"
mc = "uct(select=even, leaf=playout, leaf_mate=0, hash=1)"
[[step]]
run = "selfplay"
name = "games"
section = "Records"
players = ["material"]
nodes = 40
games = 400
max-moves = 250
[[step]]
run = "fit"
name = "fit"
section = "Weights"
records = "{games}/games.yomi"
players = ["material@static"]
add = ["castle"]
least = 5
draws = true
mate-nodes = 0
[[step]]
run = "match"
name = "match"
section = "Games"
players = ["fitted", "material"]
nodes = 60
games = 100
max-moves = 40
paper = "600-392-8"
[[step]]
run = "curve"
name = "curve"
section = "Curves"
records = "{games}/games.yomi"
games = 1
players = ["fitted@static", "mc@nodes=300"]
draws = true
least = 1
mate-nodes = 0
when = ["ply < 30"]
[[step]]
run = "tune"
name = "tune"
section = "Constants"
players = ["mcss(hash=1, eval=material)"]
param = "c=0..1"
nodes = 60
steps = 100
[[step]]
run = "rank"
name = "rank"
section = "Ranks"
curve = "curve"
match = "match"
"#;

#[test]
fn a_study_runs_its_steps_once_and_makes_one_page_of_them() {
    let folder = folder("small");
    let (file, out) = (folder.join("small.toml"), folder.join("run"));
    fs::write(&file, SMALL).unwrap();
    let [file, out] = [file, out].map(|path| path.display().to_string());
    let arguments = ["study", &file, "--scale", "0.05", "--out", &out];
    assert!(text(&yomi(&arguments)).starts_with("5 of 5 steps are done"));
    let read = |name: &str| fs::read_to_string(Path::new(&out).join(name)).unwrap();
    let page = read("report.md");
    for part in [
        "## Games",
        "| 600-392-8 |",
        "rank correlation with ratings",
        "castle",
        "figures/curve-curves.svg",
        "    yomi match ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(read("report.html").contains("data:image/svg+xml,"));
    assert!(read("figures/curve-win_rates.svg").starts_with("<svg "));
    // What is done is not done again, and a step whose folder is gone is.
    let games = read("match/games.jsonl");
    fs::remove_dir_all(Path::new(&out).join("tune")).unwrap();
    let again = yomi(&arguments);
    assert!(text(&again).starts_with("5 of 5 steps are done"));
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(said.contains("step 'tune'") && !said.contains("step 'match'"), "{said}");
    assert_eq!(read("match/games.jsonl"), games);
    fs::write(&file, SMALL.replace("nodes = 60\ngames = 100", "nodes = 70\ngames = 100")).unwrap();
    let changed = yomi(&arguments);
    let error = String::from_utf8_lossy(&changed.stderr).into_owned();
    assert!(
        !changed.status.success() && error.contains("step 'match' was done by another command"),
        "{error}"
    );
}

/// Some minutes: for a night.
#[test]
#[ignore = "takes minutes"]
fn every_study_of_the_papers_runs_at_a_small_scale() {
    let folder = folder("papers");
    for file in studies() {
        let out = folder.join(file.file_stem().unwrap()).display().to_string();
        let file = file.display().to_string();
        let arguments =
            ["study", &file, "--scale", "0.02", "--effort", "0.02", "--concurrency", "2", "--out", &out];
        let said = text(&yomi(&arguments));
        let (done, of) = said.split_once(" of ").unwrap();
        assert!(of.starts_with(&format!("{done} steps are done")), "{file}: {said}");
    }
}

#[test]
fn what_is_wrong_with_a_study_is_said_before_anything_runs() {
    let folder = folder("wrong");
    let file = folder.join("wrong.toml").display().to_string();
    let out = folder.join("run").display().to_string();
    for (study, arguments, reason) in [
        ("title = 1", &[][..], "'title' takes a text"),
        (SMALL, &["--only", "walk"], "there is no step 'walk'; the steps are games, fit"),
        (SMALL, &["--scale", "0"], "expected a number above 0"),
    ] {
        fs::write(&file, study).unwrap();
        let all = [&["study", &file, "--out", &out][..], arguments].concat();
        let output = yomi(&all);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(reason), "{error}");
    }
}
