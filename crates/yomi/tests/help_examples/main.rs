//! Every example of every `--help` and of README.md is run: as it stands, but for numbers that take long.

mod examples;
mod stock;

use std::io::BufRead as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

use examples::Example;

/// Options whose values only decide how long it takes.
const QUICKLY: [(&str, &str); 15] = [
    ("--bind", "127.0.0.1:0"),
    ("--games", "2"),
    ("--nodes", "100"),
    ("--time-ms", "20"),
    ("--tc", "1+0.01"),
    ("--depth", "2"),
    ("--steps", "1"),
    ("--updates", "2"),
    ("--pairs", "1"),
    ("--epochs", "1"),
    ("--count", "1"),
    ("--concurrency", "1"),
    ("--hash", "16"),
    ("--budget", "30"),
    ("--hours", "0.002"),
];

/// Further arguments of a command, unless its example says something about it, so that it ends soon.
fn besides(command: &str) -> &'static [&'static [&'static str]] {
    match command {
        "bench" => &[&["--depth", "2"]],
        "perft" => &[&["--depth", "2"]],
        "tree" => &[&["--nodes", "100"]],
        "analyse" => &[&["--nodes", "50"]],
        "match" => &[&["--nodes", "50"], &["--games", "2"], &["--max-moves", "30"]],
        "selfplay" => &[&["--nodes", "30"], &["--max-moves", "60"]],
        "curve" | "fit" => &[&["--nodes", "50"]],
        "tune kinds" => &[&["--updates", "2"], &["--max-moves", "60"]],
        "tune screen" => &[&["--nodes", "50"], &["--pairs", "1"]],
        "tune" => &[&["--nodes", "50"], &["--steps", "1"]],
        "openings" => &[&["--nodes", "100"], &["--check-nodes", "100"], &["--within", "1000"]],
        "study" => &[&["--effort", "0.02"], &["--scale", "0.001"], &["--only", "t60"]],
        "learn search" => &[&["--nodes", "5000"], &["--move-share", "64"], &["--value-share", "64"]],
        "book make" => &[&["--nodes", "100"], &["--plies", "3"], &["--least", "1"]],
        "book count" => &[&["--least", "1"]],
        "learn loop" => &[
            &["--hours", "0.002"],
            &["--games", "12"],
            &["--max-moves", "60"],
            &["--validation", "0.5"],
            &["--batch", "64"],
            &["--match-nodes", "50"],
            &["--match-games", "2"],
        ],
        "learn softmax" => &[&["--nodes", "100"], &["--games", "1"], &["--steps", "1"]],
        "learn time" => &[&["--nodes", "1600"], &["--share", "1"]],
        "learn mate" => &[&["--positions", "20"]],
        "learn" => &[&["--batch", "64"], &["--threads", "1"]],
        "convert" => &[&["--force"]],
        "web" => &[&["--bind", "127.0.0.1:0"]],
        _ => &[],
    }
}

/// Limits of thinking, of which only one may be given.
const EFFORTS: [&str; 7] = ["--nodes", "--depth", "--time-ms", "--tc", "--stored", "--static", "--list"];

fn run(folder: &Path, arguments: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

/// A server runs for ever: it is enough that it tells its address.
fn serve(folder: &Path, arguments: &[String]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut line = String::new();
    let told = std::io::BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line);
    child.kill().expect("it ends");
    let output = child.wait_with_output().expect("it ends");
    assert!(told.is_ok_and(|_| line.contains("http://127.0.0.1:")), "{output:?}");
    Output { status: std::process::ExitStatus::default(), ..output }
}

/// The arguments of an example, made quick.
fn quickly(example: &Example) -> Vec<String> {
    let mut arguments: Vec<String> = example.arguments.clone();
    for index in 1..arguments.len() {
        if let Some((_, value)) = QUICKLY.iter().find(|(option, _)| *option == arguments[index - 1]) {
            arguments[index] = (*value).to_owned();
        }
    }
    if let (Some("study"), Some(at)) =
        (arguments.first().map(String::as_str), arguments.iter().position(|word| word == "--scale"))
    {
        arguments[at + 1] = "0.001".to_owned();
    }
    // Of two games there is nothing to learn.
    if let (["learn", "loop"], Some(at)) = (
        arguments.iter().take(2).map(String::as_str).collect::<Vec<_>>().as_slice(),
        arguments.iter().position(|word| word == "--games"),
    ) {
        arguments[at + 1] = "12".to_owned();
    }
    // Programs of others are played by ourselves, with little to clear before every position.
    for argument in &mut arguments {
        *argument = argument.replace("usi:/usr/games/gpsusi", "usi:./other");
        *argument = argument.replace("usi:./other", "usi:./other(USI_Hash=1)");
    }
    let Some(command) = example.arguments.first().filter(|_| !example.asks_for_help()) else {
        return arguments;
    };
    // Some commands have commands of their own.
    let learner = [
        "book make",
        "book count",
        "learn loop",
        "learn mate",
        "learn search",
        "learn softmax",
        "learn time",
        "tune kinds",
        "tune screen",
    ]
    .into_iter()
    .find(|words| arguments.join(" ").starts_with(words));
    let command = learner.unwrap_or(command);
    for more in besides(command) {
        let is_effort = EFFORTS.contains(&more[0]);
        let is_given =
            |argument: &String| argument == more[0] || is_effort && EFFORTS.contains(&argument.as_str());
        if !arguments.iter().any(is_given) {
            arguments.extend(more.iter().map(|&word| word.to_owned()));
        }
    }
    arguments
}

/// Runs an example in a folder of its own; what went wrong, if something did.
fn trouble(example: &Example, stock: &Path) -> Option<String> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    stock::copy(stock, folder.path());
    let arguments = quickly(example);
    for pair in arguments.windows(2).filter(|pair| pair[0] == "--out") {
        stock::remove(&folder.path().join(&pair[1]));
    }
    let is_server = arguments.first().is_some_and(|command| command == "web") && !example.asks_for_help();
    let output = if is_server { serve(folder.path(), &arguments) } else { run(folder.path(), &arguments) };
    let code = output.status.code();
    let expected = if example.fails { Some(2) } else { Some(0) };
    (code != expected).then(|| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!(
            "{}: {}\n    run as: yomi {}\n    {code:?}: {errors}",
            example.place,
            example.text,
            arguments.join(" ")
        )
    })
}

#[test]
fn every_example_runs() {
    let stock = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    stock::fill(stock.path(), &|arguments| {
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let output = run(stock.path(), &arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    });
    let mut examples = examples::of_help(&|arguments| {
        let output = run(stock.path(), arguments);
        String::from_utf8(output.stdout).expect("UTF-8")
    });
    examples.extend(examples::of_readme());
    assert!(examples.len() > 60, "{} examples", examples.len());
    let queue = Mutex::new(examples.iter());
    let troubles = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(example) = { queue.lock().unwrap().next() } {
                    let trouble = trouble(example, stock.path());
                    troubles.lock().unwrap().extend(trouble);
                }
            });
        }
    });
    let troubles = troubles.into_inner().unwrap();
    assert!(troubles.is_empty(), "examples that do not run:\n{}", troubles.join("\n"));
}
