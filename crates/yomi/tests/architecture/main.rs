//! What ARCHITECTURE.md and CONTRIBUTING.md promise about the sources, held against the sources.

mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;
use sources::Source;

/// Each room and the rooms it may lean on. A crate that is not here, or an arrow that is not, fails.
const ARROWS: &[(&str, &[&str])] = &[
    ("contract", &[]),
    ("memory", &[]),
    ("shogi", &[]),
    ("tree", &["contract", "memory"]),
    ("eval", &["contract", "memory", "shogi"]),
    ("mate", &["memory", "shogi"]),
    ("protocol", &["contract", "shogi"]),
    ("records", &["contract", "shogi"]),
    ("search", &["contract", "eval", "mate", "memory", "shogi", "tree"]),
    ("engine", &["contract", "eval", "mate", "memory", "protocol", "records", "search", "shogi", "tree"]),
    ("plot", &["contract", "engine", "records", "search", "shogi", "tree"]),
    ("runs", &["contract", "engine", "protocol", "records", "search", "shogi"]),
    (
        "lab",
        &[
            "contract", "engine", "eval", "mate", "plot", "protocol", "records", "runs", "search", "shogi",
            "tree",
        ],
    ),
    ("learn", &["contract", "engine", "eval", "plot", "records", "runs", "search", "shogi"]),
    ("web", &["contract", "engine", "lab", "mate", "plot", "records", "runs", "search", "shogi", "tree"]),
    (
        "yomi",
        &[
            "contract", "engine", "lab", "learn", "mate", "plot", "protocol", "records", "runs", "search",
            "shogi", "tree", "web",
        ],
    ),
];

/// The search methods, each a folder of its own.
const METHODS: [&str; 4] = ["alphabeta", "softmax", "mcss", "uct"];

const LONGEST_FILE: usize = 500;
const LONGEST_FUNCTION: usize = 60;
/// The nodes of the search are one function each, on purpose.
const LONG_ON_PURPOSE: [(&str, &str); 2] =
    [("alphabeta/node.rs", "node"), ("alphabeta/quiescence.rs", "quiescence")];

/// Fails with everything that was found.
fn none(found: &[String], rule: &str) {
    assert!(found.is_empty(), "{rule}:\n  {}", found.join("\n  "));
}

/// The packages of the workspace as Cargo sees them.
fn packages() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--locked"])
        .current_dir(sources::root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    serde_json::from_value(metadata["packages"].take()).expect("a list of packages")
}

fn name(value: &Value) -> &str {
    value["name"].as_str().expect("a name")
}

fn dependencies(package: &Value) -> impl Iterator<Item = &Value> {
    package["dependencies"].as_array().into_iter().flatten()
}

#[test]
fn arrows_between_rooms_are_those_drawn() {
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    let packages = packages();
    let mut found = Vec::new();
    for package in &packages {
        let room = name(package);
        let Some(below) = allowed.get(room) else {
            found.push(format!("{room} is not in the table of rooms"));
            continue;
        };
        let inside = dependencies(package).filter(|dependency| dependency["path"].is_string());
        found.extend(
            inside.map(name).filter(|other| !below.contains(other)).map(|other| format!("{room} -> {other}")),
        );
    }
    let rooms: BTreeSet<&str> = packages.iter().map(name).collect();
    let missing = ARROWS.iter().filter(|(room, _)| !rooms.contains(room));
    found.extend(missing.map(|(room, _)| format!("{room} does not exist")));
    none(&found, "arrows that nobody drew");
}

#[test]
fn every_dependency_is_used_by_the_crate_that_names_it() {
    let sources = sources::all();
    let mut found = Vec::new();
    for package in &packages() {
        let room = name(package);
        let own: Vec<&Source> = sources.iter().filter(|source| source.room() == room).collect();
        for dependency in dependencies(package).map(name) {
            let word = dependency.replace('-', "_");
            if !own.iter().any(|source| source.has_word(&word)) {
                found.push(format!("{room} -> {dependency}"));
            }
        }
    }
    none(&found, "dependencies that no line uses");
}

#[test]
fn only_yomi_prints() {
    let sources = sources::all();
    let others = sources.iter().filter(|source| source.is_built() && source.room() != "yomi");
    let found: Vec<String> = others.flat_map(Source::prints).collect();
    none(&found, "only the crate yomi may print");
    // The rule would see it.
    assert!(sources.iter().any(|source| source.room() == "yomi" && !source.prints().is_empty()));
}

#[test]
fn a_search_method_imports_no_other() {
    let sources = sources::all();
    let mut found = Vec::new();
    for method in METHODS {
        let (folder, file) = (format!("/{method}/"), format!("/{method}.rs"));
        let own: Vec<&Source> = sources
            .iter()
            .filter(|source| source.is_built() && ["search", "tree"].contains(&source.room()))
            .filter(|source| source.path.contains(&folder) || source.path.ends_with(&file))
            .collect();
        assert!(!own.is_empty(), "there is no folder of {method}");
        for source in own {
            let others = METHODS.iter().filter(|&&other| other != method);
            found.extend(
                others
                    .filter(|other| source.has_word(other))
                    .map(|other| format!("{}: {other}", source.path)),
            );
        }
    }
    none(&found, "a method speaks of another");
}

#[test]
fn files_and_functions_are_short() {
    let mut found = Vec::new();
    for source in sources::all() {
        let lines = source.text.lines().count();
        if lines > LONGEST_FILE {
            found.push(format!("{}: {lines} lines", source.path));
        }
        for function in source.functions().iter().filter(|function| function.lines > LONGEST_FUNCTION) {
            let on_purpose = LONG_ON_PURPOSE
                .iter()
                .any(|(file, name)| source.path.ends_with(file) && function.name == *name);
            if !on_purpose {
                found.push(format!("{}: {} has {} lines", source.path, function.name, function.lines));
            }
        }
    }
    none(&found, "too long for one idea");
}

/// The files between the marks of the list in ARCHITECTURE.md.
fn files_with_unsafe_code_by_the_book() -> BTreeSet<String> {
    let book = std::fs::read_to_string(sources::root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let list =
        book.split("Invariant: `unsafe` code is in these files and no others:").nth(1).expect("the list");
    let list = list.split("\n\n").next().expect("a paragraph");
    list.split('`').filter(|word| word.ends_with(".rs")).map(str::to_owned).collect()
}

#[test]
fn unsafe_code_is_where_the_architecture_says() {
    let sources = sources::all();
    let unsafe_files: BTreeSet<String> =
        sources.iter().filter(|source| source.has_word("unsafe")).map(|source| source.path.clone()).collect();
    assert_eq!(unsafe_files, files_with_unsafe_code_by_the_book());
}

#[test]
fn every_room_refuses_unsafe_code_elsewhere() {
    let sources = sources::all();
    let mut found = Vec::new();
    for &(room, _) in ARROWS {
        let built = || sources.iter().filter(|source| source.room() == room && source.is_built());
        let with_unsafe = built().filter(|source| source.has_word("unsafe")).count();
        let lint = match with_unsafe {
            0 => "#![forbid(unsafe_code)]",
            // The room is that code.
            _ if with_unsafe == built().count() => continue,
            _ => "#![deny(unsafe_code)]",
        };
        let is_root =
            |source: &&Source| ["/src/lib.rs", "/src/main.rs"].iter().any(|end| source.path.ends_with(end));
        if !built().filter(is_root).all(|source| source.text.contains(lint)) {
            found.push(format!("{room}: {lint} is missing"));
        }
    }
    none(&found, "rooms open to unsafe code");
}
