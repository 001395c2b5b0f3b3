//! What the server does when asked by strangers: within bounds, refused in good order, and alive afterwards.

mod client;
mod flood;
#[path = "../server/mod.rs"]
mod server;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use client::{ask, connect, get, post, read};
use server::{Server, free, settings};

/// A new game; its name and the visitor's cookie.
fn begin(address: SocketAddr, level: u32) -> (String, String) {
    let cookie = get(address, "/play").cookie("yomi_visitor");
    let wanted = format!("{{\"start\":\"startpos\",\"human\":\"black\",\"level\":{level},\"clock\":null}}");
    let answer = post(address, "/api/games", &cookie, &wanted);
    assert_eq!(answer.status, 201, "{}", answer.body);
    (answer.json()["id"].as_str().unwrap().to_owned(), cookie)
}

fn is_alive(address: SocketAddr) -> bool {
    get(address, "/health").json()["status"] == "ok"
}

#[test]
fn every_answer_carries_its_protection_and_refusals_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for path in [
        "/play",
        "/analyse",
        "/trees",
        "/compare",
        "/assets/style.css",
        "/health",
        "/nothing",
        "/api/position",
    ] {
        let answer = get(server.address, path);
        assert!(
            answer.head.contains("content-security-policy: default-src 'none'; script-src 'self'"),
            "{path}"
        );
        assert!(answer.head.contains("x-content-type-options: nosniff"), "{path}");
        assert!(
            !answer.body.contains(" style=") && !answer.body.contains(" onclick="),
            "{path}: nothing inline"
        );
    }
    for (method, path, status, code) in [
        ("GET", "/nothing", 404, "not-found"),
        ("GET", "/api/games/aaaaaaaaaaaaaaaa", 404, "not-found"),
        ("DELETE", "/api/games", 405, "method"),
        ("POST", "/api/games", 415, "content-type"),
        ("GET", "/api/position?moves=7g7e", 400, "position"),
        ("GET", "/api/position?lines=x", 400, "query"),
        ("GET", "/api/search?player=usi:/bin/sh", 400, "player"),
        ("GET", "/api/tree?player=alphabeta", 400, "player"),
    ] {
        let answer = ask(server.address, method, path, &[], "");
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (status, code),
            "{method} {path}: {}",
            answer.body
        );
    }
    let wrong = post(server.address, "/api/games", "", "{\"start\":1}");
    assert_eq!((wrong.status, wrong.code().as_str()), (400, "json"));
}

#[test]
fn refusals_are_told_in_the_language_of_the_visitor() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let message = |path: &str, language: &str| {
        let header = format!("Accept-Language: {language}");
        let answer = ask(server.address, "GET", path, &[&header], "");
        answer.json()["error"]["message"].as_str().unwrap_or_default().to_owned()
    };
    let plain = "/api/tree?player=alphabeta";
    assert_eq!(message(plain, "en"), "only softmax, mcss and uct keep a tree");
    assert_eq!(message(plain, "ja"), "探索木を保持するのはsoftmax、mcss、uctだけです。");
    let detailed = message("/api/position?moves=7g7e", "ja");
    assert!(detailed.starts_with("局面を読み取れません（") && detailed.contains("7g7e"), "{detailed}");
}

#[test]
fn paths_lead_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for path in [
        "/assets/../../../etc/passwd",
        "/assets/..%2f..%2fetc%2fpasswd",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets//etc/passwd",
        "/play/../../etc/passwd",
        "/api/games/..%2f..%2f..%2fetc%2fpasswd",
        "/api/games/%00",
        "/api/games/aaaaaaaaaaaaaaaa/record/../../x",
        "/%ff%fe",
    ] {
        let answer = get(server.address, path);
        assert!(answer.status == 404 || answer.status == 400, "{path}: {}", answer.status);
        assert!(!answer.body.contains("root:"), "{path}");
    }
    assert!(is_alive(server.address));
}

#[test]
fn other_sites_may_neither_change_anything_nor_make_the_machine_think() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let (game, cookie) = begin(server.address, 0);
    let cookie = format!("Cookie: {cookie}");
    let own = format!("Origin: http://{}", server.address);
    let path = format!("/api/games/{game}/resign");
    for headers in [
        vec!["Origin: http://evil.example"],
        vec!["Origin: null"],
        vec!["Sec-Fetch-Site: cross-site"],
        vec!["Sec-Fetch-Site: same-site"],
        vec![own.as_str(), "Sec-Fetch-Site: cross-site"],
        vec!["Host: evil.example"],
        vec!["Host: localhost.evil.example:8730"],
    ] {
        let all = [headers.clone(), vec!["Content-Type: application/json", &cookie]].concat();
        let answer = ask(server.address, "POST", &path, &all, "{\"ply\":0}");
        assert_eq!(answer.status, 403, "{headers:?}: {}", answer.body);
    }
    let answer = ask(server.address, "GET", "/api/search", &["Sec-Fetch-Site: cross-site"], "");
    assert_eq!(answer.status, 403);
    // A form of another site could send this type without asking.
    let answer = ask(server.address, "POST", &path, &["Content-Type: text/plain", &cookie], "{\"ply\":0}");
    assert_eq!(answer.status, 415);
    let answer = ask(
        server.address,
        "POST",
        &path,
        &["Content-Type: application/json", &cookie, &own, "Sec-Fetch-Site: same-origin"],
        "{\"ply\":0}",
    );
    assert_eq!(answer.status, 200, "{}", answer.body);
    let (game, _) = begin(server.address, 0);
    let answer = post(server.address, &format!("/api/games/{game}/resign"), "", "{\"ply\":0}");
    assert_eq!((answer.status, answer.code().as_str()), (403, "spectator"), "somebody else's game");
}

/// A program that speaks USI: it thinks about its first move until it is told to stop, and writes down that it was.
#[cfg(unix)]
const PROGRAM: &str = r#"#!/bin/sh
while read -r line; do
  case "$line" in
    usi) echo "id name slow at first"; echo usiok ;;
    isready) echo readyok ;;
    go*) echo go >> "$0.log"; if [ "$(grep -c go "$0.log")" -gt 1 ]; then echo "bestmove 3c3d"; fi ;;
    stop) echo stop >> "$0.log"; echo "bestmove 8c8d" ;;
    quit) exit ;;
  esac
done
"#;

#[cfg(unix)]
#[test]
fn a_program_plays_if_it_was_offered_and_hears_that_a_move_was_taken_back() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    std::fs::write(&program, PROGRAM).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut wanted = settings(free(), folder.path());
    wanted.players = vec![format!("other=usi:{}", program.display()).parse().unwrap()];
    let server = Server::with(wanted);
    let cookie = get(server.address, "/play").cookie("yomi_visitor");
    let command = |path: &str, body: String| post(server.address, path, &cookie, &body);
    let game = |player: &str, level: &str| {
        format!(
            "{{\"start\":\"startpos\",\"human\":\"black\",\"player\":\"{player}\",\"level\":{level},\"clock\":null}}"
        )
    };
    for (player, level) in
        [("usi:/bin/sh", "null"), (&format!("usi:{}", program.display()), "null"), ("other", "3")]
    {
        assert_eq!(command("/api/games", game(player, level)).status, 400, "{player}");
    }
    let id = command("/api/games", game("other", "null")).json()["id"].as_str().unwrap().to_owned();
    let played = || command(&format!("/api/games/{id}/move"), "{\"move\":\"7g7f\",\"ply\":0}".to_owned());
    let log = || std::fs::read_to_string(folder.path().join("program.log")).unwrap_or_default();
    let wait = |what: &str, is_so: &dyn Fn() -> bool| {
        let began = Instant::now();
        while !is_so() {
            // By itself it would stop after six seconds and a half.
            assert!(began.elapsed() < Duration::from_secs(6), "{what}: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    assert_eq!(played().status, 200);
    wait("it thinks", &|| log().contains("go"));
    assert_eq!(command(&format!("/api/games/{id}/take-back"), "{\"ply\":1}".to_owned()).status, 200);
    wait("it is told to stop", &|| log().contains("stop"));
    assert_eq!(played().status, 200);
    let state = || get(server.address, &format!("/api/games/{id}")).json();
    wait("it moves", &|| state()["moves"].as_array().is_some_and(|moves| moves.len() == 2));
    assert_eq!(state()["moves"][1]["usi"], "3c3d", "what it said about a move taken back is not played");
    assert!(is_alive(server.address));
}

#[test]
fn a_net_that_is_refused_is_told_with_its_reason_at_the_start_and_later() {
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("some.nn.bin");
    let with_net = || {
        let mut wanted = settings(free(), folder.path());
        wanted.players = vec![format!("mine=alphabeta(net={}, hash=1)", net.display()).parse().unwrap()];
        wanted
    };
    // Whoever starts the server hears it, and there is no server with a player that cannot play.
    std::fs::write(&net, "no net at all").unwrap();
    let error =
        web::serve(with_net(), &|| true, &mut |_| panic!("it does not serve")).unwrap_err().to_string();
    assert!(error.contains("the player mine cannot play") && error.contains("some.nn.bin"), "{error}");
    // A net that went bad meanwhile: whoever asks for the player hears it.
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/yomi.nn.bin"), &net).unwrap();
    let server = Server::with(with_net());
    std::fs::remove_file(&net).unwrap();
    let answer = get(server.address, "/api/search?player=mine&nodes=100");
    assert!(answer.body.contains("event: failed") && answer.body.contains("some.nn.bin"), "{}", answer.body);
    let cookie = get(server.address, "/play").cookie("yomi_visitor");
    let wanted =
        "{\"start\":\"startpos\",\"human\":\"white\",\"player\":\"mine\",\"level\":null,\"clock\":null}";
    let id = post(server.address, "/api/games", &cookie, wanted).json()["id"].as_str().unwrap().to_owned();
    let began = Instant::now();
    let trouble = loop {
        let state = get(server.address, &format!("/api/games/{id}")).json();
        if let Some(words) = state["trouble"].as_str() {
            break words.to_owned();
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{state}");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(trouble.contains("some.nn.bin"), "{trouble}");
}

#[test]
fn a_search_by_linear_evaluation_tells_what_its_themes_add_and_others_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let found = |player: &str| {
        let path = format!("/api/search?moves=7g7f,3c3d&player={player}&nodes=2000");
        let answer = get(server.address, &path);
        let done = answer.body.split("event: done").nth(1).expect("it ends");
        let data = done.lines().find_map(|line| line.strip_prefix("data:")).expect("data");
        serde_json::from_str::<serde_json::Value>(data.trim()).expect("JSON")
    };
    let linear = found("alphabeta(eval=linear)");
    let explained = &linear["explained"];
    assert_eq!(explained["move"], linear["lines"][0]["moves"][0]["usi"]);
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let themes = explained["themes"].as_array().expect("themes");
    let sum: f64 =
        themes.iter().map(|theme| number(&theme["now"]["black"]) - number(&theme["now"]["white"])).sum();
    assert!((sum - number(&explained["value"])).abs() < 1e-6, "{explained}");
    let after: f64 =
        themes.iter().map(|theme| number(&theme["after"]["black"]) - number(&theme["after"]["white"])).sum();
    assert!((after - number(&explained["value_after"])).abs() < 1e-6, "{explained}");
    assert!(found("alphabeta")["explained"].is_null());
}

#[test]
fn without_the_token_nothing_is_shown_and_an_open_address_needs_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = settings(free(), folder.path());
    wanted.token = Some("a-long-secret".to_owned());
    let server = Server::with(wanted);
    let with = |path: &str, header: &str| ask(server.address, "GET", path, &[header], "").status;
    for header in
        ["X: y", "Authorization: Bearer wrong", "Cookie: yomi_token=a-long-secre", "Authorization: Bearer "]
    {
        assert_eq!(with("/play", header), 401, "{header}");
        assert_eq!(with("/api/position", header), 401, "{header}");
        assert_eq!(with("/assets/board.js", header), 401, "{header}");
    }
    assert_eq!(get(server.address, "/play?token=wrong").status, 401);
    assert_eq!(with("/play", "Authorization: Bearer a-long-secret"), 200);
    let answer = get(server.address, "/play?token=a-long-secret");
    assert_eq!((answer.status, answer.cookie("yomi_token").as_str()), (303, "yomi_token=a-long-secret"));
    assert!(answer.head.contains("location: /play\n"), "the token leaves the address: {}", answer.head);
    assert_eq!(with("/play", "Cookie: yomi_token=a-long-secret"), 200);
    let open = SocketAddr::from(([0, 0, 0, 0], 0));
    let refused = web::serve(settings(open, folder.path()), &|| true, &mut |_| {});
    assert!(matches!(refused, Err(web::ServeError::NoToken { .. })));
}

#[test]
fn oversized_and_endless_bodies_are_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let large = "x".repeat(3 << 20);
    let answer =
        ask(server.address, "POST", "/api/records", &["Content-Type: application/octet-stream"], &large);
    assert_eq!((answer.status, answer.code().as_str()), (413, "too-large"));
    let answer = post(server.address, "/api/games", "", &large);
    assert_eq!(answer.status, 413);
    // A length that lies, and a body without a length that never ends.
    let mut stream = connect(server.address);
    let head = format!(
        "POST /api/records HTTP/1.1\r\nHost: {}\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = format!("10000\r\n{}\r\n", "y".repeat(0x10000));
    let sent = (0..1000).take_while(|_| stream.write_all(chunk.as_bytes()).is_ok()).count();
    assert!(sent < 1000, "somebody listened to all of it");
    let head =
        format!("GET /play HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", server.address, "z".repeat(200_000));
    let mut stream = connect(server.address);
    let _ = stream.write_all(head.as_bytes());
    assert!(read(stream).status >= 400 || is_alive(server.address));
    assert!(is_alive(server.address));
}

#[test]
fn a_search_ends_when_its_reader_goes_away() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let running = || get(server.address, "/health").json()["searches"]["running"].as_u64();
    let mut stream = connect(server.address);
    let head = format!("GET /api/search?moves=7g7f HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).unwrap();
    let mut bytes = [0; 600];
    stream.read_exact(&mut bytes).unwrap();
    let wait = |count: u64, otherwise: &str| {
        let began = Instant::now();
        while running() != Some(count) {
            assert!(began.elapsed() < Duration::from_secs(20), "{otherwise}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    wait(1, "it never searches");
    drop(stream);
    wait(0, "it searches on for nobody");
}

/// Twenty games at once and a hundred who watch one of them, some of whom never read.
#[test]
fn twenty_games_and_a_hundred_spectators_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let games: Vec<(String, String)> = (0..20).map(|_| begin(server.address, 2)).collect();
    let watch = |game: &str| {
        let mut stream = connect(server.address);
        let head = format!("GET /api/games/{game}/events HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let mut spectators: Vec<TcpStream> = (0..100).map(|_| watch(&games[0].0)).collect();
    let mut slowest = Duration::ZERO;
    for m in ["7g7f", "9g9f", "1g1f"] {
        for (game, cookie) in &games {
            let state = get(server.address, &format!("/api/games/{game}")).json();
            let ply = state["moves"].as_array().unwrap().len();
            let legal = state["position"]["legal"].as_array().unwrap();
            if state["thinking"] == true || !legal.iter().any(|known| known == m) {
                continue;
            }
            let began = Instant::now();
            let answer = post(
                server.address,
                &format!("/api/games/{game}/move"),
                cookie,
                &format!("{{\"move\":\"{m}\",\"ply\":{ply}}}"),
            );
            slowest = slowest.max(began.elapsed());
            assert_eq!(answer.status, 200, "{}", answer.body);
        }
        std::thread::sleep(Duration::from_millis(300));
    }
    assert!(slowest < Duration::from_secs(10), "{slowest:?}");
    // Half of them read at last: each has the latest state, whatever it missed.
    for stream in spectators.iter_mut().step_by(2) {
        let mut seen = Vec::new();
        let mut bytes = [0; 1 << 16];
        while !String::from_utf8_lossy(&seen).contains("\"usi\":\"7g7f\"") {
            let count = stream.read(&mut bytes).expect("news");
            assert!(count > 0, "the stream ended");
            seen.extend(&bytes[..count]);
        }
    }
    println!("the slowest of 60 moves was answered within {slowest:?}");
}

#[test]
fn games_leave_in_every_format_and_their_names_are_no_markup() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let (game, cookie) = begin(server.address, 0);
    let answer =
        post(server.address, &format!("/api/games/{game}/move"), &cookie, "{\"move\":\"7g7f\",\"ply\":0}");
    assert_eq!(answer.status, 200, "{}", answer.body);
    let stale =
        post(server.address, &format!("/api/games/{game}/move"), &cookie, "{\"move\":\"2g2f\",\"ply\":0}");
    assert_eq!((stale.status, stale.code().as_str()), (409, "stale"));
    for (format, sign) in
        [("kifu", "７六歩"), ("csa", "+7776FU"), ("jkf", "\"FU\""), ("usi", "startpos moves 7g7f")]
    {
        let answer = get(server.address, &format!("/api/games/{game}/record/{format}"));
        assert!(answer.status == 200 && answer.body.contains(sign), "{format}: {}", answer.body);
        assert!(answer.head.contains("content-disposition: attachment"));
    }
}
