//! Every package that Yomi is built or tested with may be used under a permissive licence.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, LicenseReq, ParseMode};

/// Licences that ask for no more than a notice. Copyleft (GPL, AGPL, LGPL, MPL) is absent on purpose.
const PERMISSIVE: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];

/// Exceptions that only give further permission.
const HARMLESS_EXCEPTIONS: [&str; 1] = ["LLVM-exception"];

/// Whether the licence of a package lets us use it under permissive terms; why not, if it does not.
fn judge(licence: Option<&str>) -> Result<(), String> {
    let text = licence.ok_or("names no licence")?;
    // Lax: older packages separate their licences by a slash.
    let expression = Expression::parse_mode(text, ParseMode::LAX)
        .map_err(|error| format!("'{text}': {}", error.reason))?;
    if expression.evaluate(is_permissive) { Ok(()) } else { Err(format!("'{text}' is not permissive")) }
}

fn is_permissive(requirement: &LicenseReq) -> bool {
    let exception = requirement.addition.as_ref().map(ToString::to_string);
    requirement.license.id().is_some_and(|id| PERMISSIVE.contains(&id.name))
        && exception.is_none_or(|name| HARMLESS_EXCEPTIONS.contains(&name.as_str()))
}

/// What Cargo resolved for all platforms, with development and build dependencies.
fn metadata() -> Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The ids of all packages that the workspace leads to, its own included.
fn reachable(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata["resolve"]["nodes"].as_array().expect("a resolved graph");
    let edges: BTreeMap<&str, &Value> =
        nodes.iter().map(|node| (node["id"].as_str().expect("an id"), &node["dependencies"])).collect();
    let mut open: Vec<&str> = texts(&metadata["workspace_members"]).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(texts(edges[id]));
        }
    }
    found
}

#[test]
fn every_package_in_the_dependency_tree_is_permissive() {
    let metadata = metadata();
    let reachable = reachable(&metadata);
    let packages = metadata["packages"].as_array().expect("packages");
    let reached: Vec<&Value> =
        packages.iter().filter(|package| reachable.contains(package["id"].as_str().unwrap_or(""))).collect();
    assert_eq!(reached.len(), reachable.len(), "every reachable package is described");
    assert!(reached.len() > 10, "only {} packages: the walk is broken", reached.len());
    let offenders: Vec<String> = reached
        .into_iter()
        .filter_map(|package| {
            let why = judge(package["license"].as_str()).err()?;
            Some(format!("{} {}: {why}", package["name"], package["version"]))
        })
        .collect();
    assert!(offenders.is_empty(), "not permissive:\n{}", offenders.join("\n"));
}

#[test]
fn copyleft_and_missing_licences_are_refused() {
    for licence in
        ["GPL-3.0-only", "AGPL-3.0-or-later", "LGPL-2.1-only", "MPL-2.0", "MIT AND GPL-3.0-only", "nonsense"]
    {
        assert!(judge(Some(licence)).is_err(), "{licence}");
    }
    assert_eq!(judge(None), Err("names no licence".to_owned()));
}

#[test]
fn a_permissive_choice_is_enough() {
    for licence in [
        "MIT",
        "MIT OR GPL-3.0-only",
        "MIT/Apache-2.0",
        "Apache-2.0 WITH LLVM-exception OR MPL-2.0",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
    ] {
        assert_eq!(judge(Some(licence)), Ok(()), "{licence}");
    }
}
