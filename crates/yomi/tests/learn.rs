//! `yomi selfplay`, `data` and `learn`: from nothing to a net that plays.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("learn").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn yomi(folder: &PathBuf, arguments: &str) -> Output {
    let arguments = arguments.split_whitespace();
    Command::new(env!("CARGO_BIN_EXE_yomi")).current_dir(folder).args(arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn from_nothing_to_a_net_that_plays() {
    let folder = folder("whole");
    let player = "--player alphabeta(eval=material,hash=1)";
    let games = json(&yomi(
        &folder,
        &format!("selfplay {player} --nodes 40 --games 16 --max-moves 120 --out games --json"),
    ));
    assert_eq!(games["games"], 16);
    assert!(games["speed"]["positions_per_second"].as_f64().unwrap() > 0.0);
    let again =
        yomi(&folder, &format!("selfplay {player} --nodes 41 --games 16 --max-moves 120 --out games"));
    assert!(
        String::from_utf8_lossy(&again.stderr).contains("is another run: effort.nodes was 40 and is now 41")
    );
    let data = json(&yomi(
        &folder,
        "data games --calibrate 600 --outlook 8 --max-score 30000 --validation 0.4 --seed 2 --out data --json",
    ));
    let (training, validation) = (data["training"].as_u64().unwrap(), data["validation"].as_u64().unwrap());
    assert!(training >= 64 && validation > 0, "{data}");
    let scale = &data["readings"][0][1]["scale"];
    assert!(scale.as_f64().unwrap() > 1.0, "{data}");
    let look = json(&yomi(&folder, "data games --json"));
    assert_eq!(look["positions"], data["stats"]["positions"]);
    let net = json(&yomi(&folder, "learn nnue --data data --batch 64 --epochs 1 --out net --json"));
    assert_eq!(net["is_complete"], true);
    let farther = json(&yomi(
        &folder,
        "learn nnue --data data --from net/nn.bin --batch 64 --epochs 1 --out farther --json",
    ));
    let best = |run: &Value| run["best"][0].as_f64().unwrap();
    assert!(best(&farther) < best(&net), "a second epoch from the first one's net: {farther} {net}");
    let other =
        yomi(&folder, "learn nnue --data data --from net/nn.bin --arch zonekp256 --batch 64 --out other");
    let words = String::from_utf8_lossy(&other.stderr);
    assert!(words.contains("net/nn.bin is no net of the shape zonekp256"), "{words}");
    let result = json(&yomi(
        &folder,
        &format!(
            "match --player alphabeta(hash=1,net=net/nn.bin) {player} --nodes 40 --games 2 --max-moves 40 --json"
        ),
    ));
    assert_eq!((&result["games"], &result["crashes"]), (&2.into(), &0.into()));
}

#[test]
fn errors_say_which_arguments_would_be_right() {
    let folder = folder("wrong");
    fs::write(folder.join("empty.psv"), "").unwrap();
    for (arguments, code, expected) in [
        ("learn nnue --data x --arch kp512 --out y", 2, "there are kp256, zonekp256, halfkp256, halfkp256f"),
        ("learn nnue --data x --lambda 2 --out y", 2, "expected a number from 0 to 1"),
        ("learn nnue --data nowhere.psv --out y", 1, "cannot read nowhere.psv"),
        ("learn nnue --data empty.psv --validation empty.psv --out z", 1, "fewer than a batch of 4096"),
        ("learn nnue --data x --from x --out y", 1, "cannot read x"),
        ("data nowhere", 2, "cannot read nowhere: No such file"),
        ("learn softmax --player softmax(net=x) --out y", 2, "say --from FILE for the first one"),
        (
            "learn softmax --regression 0 --bootstrap 0 --out y",
            2,
            "one of --regression, --bootstrap and --policy",
        ),
        ("learn softmax --player uct --out y", 1, "'uct' backs up no expectations over a tree"),
        ("learn softmax --from empty.psv --out y", 1, "too short for a net"),
        ("learn nnue --data empty.psv --batch 100 --out y", 2, "expected a multiple of 64, as 64 or 128"),
        ("data empty.psv --validation 0.9", 2, "expected a share from 0 to 0.5"),
        ("selfplay --player usi:x --games 1 --out s", 1, "only players of our own"),
    ] {
        let output = yomi(&folder, arguments);
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains(expected), "{arguments}: {words}");
        assert_eq!(output.status.code(), Some(code), "{arguments}");
    }
}

#[test]
fn bad_data_leave_no_run_behind_and_are_named() {
    let folder = folder("bad");
    let noise: Vec<u8> = (0..40_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::write(folder.join("noise.psv"), noise).unwrap();
    fs::create_dir(folder.join("games")).unwrap();
    fs::write(folder.join("games/games.yomi"), "").unwrap();
    for (arguments, expected) in [
        ("learn nnue --data noise.psv --validation noise.psv --batch 64 --out run", "record"),
        ("learn nnue --data noise.psv --batch 64 --out run", "there is no position to judge by"),
        ("learn nnue --data games --out run", "'yomi data games --out DIR' makes one"),
        ("learn nnue --data games/games.yomi --out run", "makes one of its games"),
        ("data noise.psv --out run", "nothing is left to learn from"),
        ("data noise.psv", "games or records refused"),
    ] {
        let output = yomi(&folder, arguments);
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {words}");
        assert!(words.contains(expected), "{arguments}: {words}");
        assert!(!folder.join("run").exists(), "{arguments}: the folder is free for the right command");
    }
}

#[test]
fn a_net_learns_under_softmax_search_and_plays() {
    let folder = folder("softmax");
    let learn =
        "learn softmax --games 2 --nodes 100 --policy 0.1 --lr 0.01 --threads 1 --out net --json --steps";
    assert_eq!(json(&yomi(&folder, &format!("{learn} 1")))["steps"], 1);
    let learned = json(&yomi(&folder, &format!("{learn} 2")));
    assert_eq!((&learned["games"], &learned["is_complete"]), (&4.into(), &true.into()));
    assert!(learned["last"]["regression"].as_f64().unwrap() > 0.0, "{learned}");
    let result = json(&yomi(
        &folder,
        "match --player softmax(hash=1,net=net/nn.bin) --player softmax(hash=1) --nodes 100 --games 2 --max-moves 30 --json",
    ));
    assert_eq!((&result["games"], &result["crashes"]), (&2.into(), &0.into()));
}

const BETS: &str = "learn search --from-guess --games 4 --nodes 3000 --move-share 64 --value-share 64 --shortcut-share 16 \
                    --seed 5 --json --out";

#[test]
fn what_the_search_learns_is_the_same_again_and_after_a_kill() {
    let folder = folder("search");
    let first = json(&yomi(&folder, &format!("{BETS} first --threads 1")));
    assert_eq!(first["games"], 4);
    let tried = first["shortcuts"].as_array().unwrap().iter().map(|record| record["count"].as_u64().unwrap());
    assert!(tried.sum::<u64>() > 100, "{first}");
    let loss = |of: &str| first["fitted"][of].as_f64().unwrap();
    assert!(loss("loss") < loss("loss_of_mean"), "{first}");
    let mut killed = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .current_dir(&folder)
        .args(format!("{BETS} second --threads 1").split_whitespace())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let log = folder.join("second/bets.log");
    while fs::metadata(&log).map_or(0, |file| file.len()) == 0 && killed.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    json(&yomi(&folder, &format!("{BETS} second --threads 2")));
    let model = |run: &str| fs::read_to_string(folder.join(run).join("alphabeta.model")).unwrap();
    assert!(model("first") == model("second"), "the same games, the same model");
    let player = "alphabeta(search=first/alphabeta.model,hash=1)";
    let result = json(&yomi(
        &folder,
        &format!(
            "match --player {player} --player alphabeta(hash=1) --nodes 100 --games 2 --max-moves 30 --json"
        ),
    ));
    assert_eq!((&result["games"], &result["crashes"]), (&2.into(), &0.into()));
}

const SEARCHES: &str = "learn time --games 6 --nodes 1600 --share 1 --seed 6 --json --out";

#[test]
fn what_is_learned_about_time_is_the_same_again_and_after_a_kill() {
    let folder = folder("time");
    let first = json(&yomi(&folder, &format!("{SEARCHES} first --threads 1")));
    assert_eq!(first["games"], 6);
    assert!(first["searches"].as_u64().unwrap() > 100, "{first}");
    let loss = |of: &str| first["fitted"][of].as_f64().unwrap();
    assert!(loss("loss") < loss("loss_of_mean"), "{first}");
    let log = fs::read(folder.join("first/searches.jsonl")).unwrap();
    let whole = log.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // A folder as a kill leaves it: the first game, and a part of the second.
    fs::create_dir(folder.join("second")).unwrap();
    fs::copy(folder.join("first/manifest.json"), folder.join("second/manifest.json")).unwrap();
    fs::write(folder.join("second/searches.jsonl"), &log[..whole + 30]).unwrap();
    json(&yomi(&folder, &format!("{SEARCHES} second --threads 2")));
    let file = |run: &str, name: &str| fs::read_to_string(folder.join(run).join(name)).unwrap();
    assert!(file("first", "searches.jsonl") == file("second", "searches.jsonl"), "the same games");
    assert!(file("first", "alphabeta.model") == file("second", "alphabeta.model"), "the same model");
    let judge = |text: &str| text.lines().filter(|line| line.starts_with("judge ")).map(str::to_owned).next();
    let inside = include_str!("../../search/models/alphabeta.model");
    assert_ne!(judge(&file("first", "alphabeta.model")), judge(inside));
}

#[test]
fn what_the_mate_solver_learns_is_the_same_again() {
    let folder = folder("mate");
    let player = "--player alphabeta(eval=material,hash=1)";
    json(&yomi(
        &folder,
        &format!("selfplay {player} --nodes 40 --games 8 --max-moves 300 --out games --json"),
    ));
    let learned = |rounds: u32| {
        let arguments = format!("learn mate games/games.yomi --positions 80 --rounds {rounds} --seed 3");
        let output = yomi(&folder, &arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let table = learned(2);
    let (card, rows): (Vec<&str>, Vec<&str>) = table.lines().partition(|line| line.starts_with('#'));
    assert!(card[1].contains("rounds 2, seed 3") && !card[1].contains(" 0 mates"), "{card:?}");
    let inside =
        include_str!("../../mate/src/first_numbers.tsv").lines().filter(|line| !line.starts_with('#'));
    let classes = |line: &str| line.split('\t').next().map(str::to_owned);
    assert!(rows.iter().map(|line| classes(line)).eq(inside.map(classes)), "the classes are those inside");
    assert!(table == learned(2), "the same games, rounds and seed, the same table");
    let rows_of = |text: &str| {
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(rows_of(&table) != rows_of(&learned(1)), "the second round searches with the table of the first");
}
