//! `yomi tree` as people and scripts use it.

use std::process::{Command, Output};

fn yomi(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomi")).arg("tree").args(arguments).output().expect("the binary runs")
}

#[test]
fn every_tree_method_shows_its_tree_as_text_json_and_picture() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [json, svg] = ["tree.json", "tree.svg"].map(|name| folder.path().join(name).display().to_string());
    for player in ["softmax(hash=4)", "mcss(hash=4)", "uct(hash=4)"] {
        let output = yomi(&[
            "--player", player, "--nodes", "4000", "--budget", "25", "--force", "--json", &json, "--svg",
            &svg,
        ]);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.starts_with(player) && text.contains("\nroot "), "{text}");
        let tree: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).expect("JSON");
        let nodes = tree["nodes"].as_array().unwrap();
        assert_eq!((nodes.len(), tree["bytes_per_node"].as_u64()), (25, Some(32)), "{player}");
        assert!(tree["best"].as_str().is_some_and(|best| nodes.iter().any(|node| node["move"] == best)));
        for (index, node) in nodes.iter().enumerate().skip(1) {
            let parent = node["parent"].as_u64().unwrap() as usize;
            let [own, above] = [node, &nodes[parent]].map(|node| node["realization"].as_f64().unwrap());
            assert!(parent < index && own <= above + 1e-6, "{player}: {node}");
        }
        let picture = std::fs::read_to_string(&svg).unwrap();
        assert_eq!(picture.matches("<rect class=\"box").count(), 25);
        assert!(picture.contains("prefers-color-scheme:dark") && picture.ends_with("</svg>\n"));
    }
}

#[test]
fn a_player_without_a_tree_is_refused() {
    for (player, expected) in [
        ("alphabeta", "alphabeta keeps no tree; softmax, mcss and uct do"),
        ("usi:./other", "another program does not show its tree"),
    ] {
        let output = yomi(&["--player", player]);
        assert_eq!(output.status.code(), Some(2));
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(words.contains(expected), "{words}");
    }
}

#[test]
fn the_help_lists_the_parameters_of_the_players() {
    let help = String::from_utf8(yomi(&["--help"]).stdout).expect("UTF-8");
    for word in ["select", "decide", "qdepth", "temperature of selection", "yomi tree --player"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

#[test]
fn the_root_is_shown_as_the_side_to_move_sees_it() {
    for (sfen, root) in
        [("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "wins in 1"), ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2", "mated")]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_yomi"))
            .args(["tree", "--player", "softmax(hash=8)", "--nodes", "500", "--sfen", sfen])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().find(|line| line.starts_with("root")).unwrap_or_else(|| panic!("{text}"));
        assert!(line.contains(root), "{sfen}: {line}");
        assert!(line.contains(if root == "mated" { " 0.0%" } else { "100.0%" }), "{sfen}: {line}");
    }
}
