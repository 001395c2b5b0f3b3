//! `yomi web` as a process: its address, its refusals, and matches that are started from the page.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A server that ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_yomi"))
            .args(["web", "--bind", "127.0.0.1:0", "--data", "games", "--runs", "runs"])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut line = String::new();
        let told = BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line);
        assert!(told.is_ok(), "it tells its address");
        let address = line.trim().rsplit("http://").next().unwrap_or_default().to_owned();
        Server { child, address }
    }

    /// Asks; the status and what was answered.
    fn ask(&self, path: &str, command: Option<&Value>) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
        let body = command.map(ToString::to_string).unwrap_or_default();
        let method = if command.is_some() { "POST" } else { "GET" };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
        (status, serde_json::from_str(body).unwrap_or_default())
    }

    /// How many games of the only run are over.
    fn games(&self) -> u64 {
        let (_, found) = self.ask("/api/runs", None);
        found["runs"][0]["match"]["all_games"].as_u64().unwrap_or(0)
    }

    fn wait_for(&self, what: &str, is_so: impl Fn(&Server) -> bool) {
        let began = Instant::now();
        while !is_so(self) {
            assert!(began.elapsed() < Duration::from_secs(90), "{what}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_match_is_started_stopped_and_taken_up_again_from_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("runs")).expect("a folder");
    let server = Server::start(folder.path());
    let wanted = |players: [&str; 2], name: &str| json!({ "name": name, "work": { "kind": "match", "players": players, "nodes": 100, "games": 4000 } });
    for (players, name) in [
        (["alphabeta", "usi:/bin/sh"], "first"),
        (["alphabeta(net=/etc/passwd)", "uct"], "first"),
        (["alphabeta", "uct"], "../first"),
    ] {
        let (status, answer) = server.ask("/api/runs/start", Some(&wanted(players, name)));
        assert_eq!(status, 400, "{answer}");
    }
    let (status, answer) = server.ask("/api/runs/start", Some(&wanted(["alphabeta(hash=1)"; 2], "first")));
    assert_eq!(status, 200, "{answer}");
    server.wait_for("games are played", |server| server.games() >= 2);
    let (status, answer) = server.ask("/api/runs/start", Some(&wanted(["alphabeta(hash=1)"; 2], "second")));
    assert_eq!((status, &answer["error"]["code"]), (503, &json!("busy")), "one at a time");
    let named = json!({ "name": "first" });
    assert_eq!(server.ask("/api/runs/stop", Some(&named)).0, 200);
    // Once the process has ended, the same match can go on.
    server.wait_for("it goes on", |server| server.ask("/api/runs/go-on", Some(&named)).0 == 200);
    let before = server.games();
    server.wait_for("more games are played", |server| server.games() > before);
    assert_eq!(server.ask("/api/runs/stop", Some(&named)).0, 200);
    server.wait_for("the folder is left", |server| {
        let games = server.games();
        std::thread::sleep(Duration::from_millis(700));
        server.games() == games
    });
}

#[test]
fn self_play_its_data_its_curve_a_loop_and_a_study_are_started_from_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let runs = folder.path().join("runs");
    std::fs::create_dir(&runs).expect("a folder");
    let study = "title = \"Small\"\nabout = [\"Two players.\"]\n[players]\na = \"alphabeta(hash=1)\"\nb = \"alphabeta(eval=material, hash=1)\"\n\n[[step]]\nrun = \"match\"\nname = \"few\"\nsection = \"Games\"\nplayers = [\"a\", \"b\"]\nnodes = 20\ngames = 4\n";
    std::fs::write(runs.join("small.toml"), study).expect("a file");
    let server = Server::start(folder.path());
    let start = |name: &str, work: Value| {
        let wanted = json!({ "name": name, "work": work });
        // Whatever was started before must have ended.
        server.wait_for(&format!("{name} is started"), |server| {
            let (status, answer) = server.ask("/api/runs/start", Some(&wanted));
            assert!(status == 200 || answer["error"]["code"] == "busy", "{name}: {answer}");
            status == 200
        });
    };
    let has = |name: &str, file: &str| {
        server.wait_for(&format!("{name} leaves {file}"), |_| runs.join(name).join(file).exists());
    };
    start("games", json!({ "kind": "selfplay", "player": "alphabeta(hash=1)", "nodes": 50, "games": 12 }));
    has("games", "summary.json");
    start("set", json!({ "kind": "data", "run": "games", "validation": 0.3 }));
    has("set", "stats.json");
    start("curve", json!({ "kind": "curve", "run": "games", "player": "alphabeta(hash=1)", "nodes": 0 }));
    has("curve", "report.html");
    start("nets", json!({ "kind": "loop", "arch": "kp256", "nodes": 50, "games": 100_000, "turns": 1 }));
    has("nets", "turn-001/games/manifest.json");
    assert_eq!(server.ask("/api/runs/stop", Some(&json!({ "name": "nets" }))).0, 200);
    start("study", json!({ "kind": "study", "file": "small.toml", "scale": 1.0 }));
    has("study", "report.html");
    let (_, found) = server.ask("/api/runs", None);
    let kinds: Vec<&str> =
        found["runs"].as_array().unwrap().iter().filter_map(|run| run["kind"].as_str()).collect();
    assert_eq!(kinds, ["curve", "selfplay", "loop", "data", "study"], "{found}");
}

#[test]
fn an_address_that_others_reach_needs_a_token() {
    let output = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(["web", "--bind", "0.0.0.0:0"])
        .output()
        .expect("the binary runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("--token is needed"), "{errors}");
}
