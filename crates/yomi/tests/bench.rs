//! The signature of the search: what `yomi bench` counts with nothing said is pinned here.

use std::process::{Command, Stdio};

use serde_json::Value;

/// The nodes of the bench. A change of search or evaluation changes it here, and says so in its commit message;
/// any other change leaves it alone.
const SIGNATURE: u64 = 877_633;

#[test]
fn the_signature_of_the_search_is_the_stated_one() {
    let output = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(["bench", "--json"])
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let outcome: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(outcome["signature"], SIGNATURE, "{outcome}");
    assert_eq!(outcome["nodes"], SIGNATURE, "the count, not a limit: {outcome}");
}
