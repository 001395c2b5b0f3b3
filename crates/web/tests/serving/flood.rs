//! More connections than the server takes, and readers that do not read: bounded, and over some time later.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::begin;
use crate::client::{connect, get, post};
use crate::server::{Server, free, settings};

fn is_alive(address: SocketAddr) -> bool {
    get(address, "/health").json()["status"] == "ok"
}

/// Connections that the server has, that of the question included.
fn open(address: SocketAddr) -> u64 {
    get(address, "/health").json()["connections"]["open"].as_u64().unwrap_or(0)
}

/// Megabytes of this process, in which the server runs; nothing where the system does not tell.
fn megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().split(' ').next()?.parse::<u64>().ok().map(|kilobytes| kilobytes >> 10)
}

#[test]
fn a_flood_of_idle_connections_ends_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut idle: Vec<TcpStream> = Vec::new();
    for number in 0..700 {
        let Ok(mut stream) = TcpStream::connect_timeout(&server.address, Duration::from_secs(5)) else {
            break;
        };
        // Some say half a request and no more.
        if number % 2 == 0 {
            let _ = stream.write_all(b"GET /play HTTP/1.1\r\nHo");
        }
        idle.push(stream);
    }
    assert!(idle.len() > 300, "{}", idle.len());
    let began = Instant::now();
    assert!(is_alive(server.address));
    assert!(began.elapsed() < Duration::from_secs(45), "{:?}", began.elapsed());
}

#[test]
fn thousands_of_connections_are_served_or_wait_and_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = settings(free(), folder.path());
    (wanted.connections, wanted.patience) = (64, Duration::from_secs(5));
    let server = Server::with(wanted);
    let address = server.address;
    assert!(is_alive(address));
    // Other tests run in this process and take memory when they begin: what a flood leaves behind it leaves every time.
    let grown = |_| {
        let before = megabytes();
        flood(address);
        before.zip(megabytes()).is_some_and(|(before, after)| after >= before + 100)
    };
    assert!(!(0..3).all(grown), "{:?} MB in the end", megabytes());
}

/// Thousands of connections, of which whoever asks and reads is answered; ends when all are closed.
fn flood(address: SocketAddr) {
    // Forty at a time: most ask and read, some hang up in the middle of a request or before its answer.
    let one = |number: usize| -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(20))?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let request = format!("GET /health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        let all = request.as_bytes();
        if number.is_multiple_of(10) {
            stream.write_all(&all[..20])?;
            return Ok(false);
        }
        stream.write_all(all)?;
        let mut answer = String::new();
        if number % 10 > 1 {
            stream.read_to_string(&mut answer)?;
        }
        Ok(answer.contains("\"status\":\"ok\""))
    };
    const ALL: usize = 4000;
    const AT_ONCE: usize = 40;
    let began = Instant::now();
    let served: usize = std::thread::scope(|scope| {
        let is_served = |number: &usize| one(*number).is_ok_and(|is_served| is_served);
        let work =
            |thread: usize| move || (0..ALL).filter(|n| n % AT_ONCE == thread).filter(is_served).count();
        let threads: Vec<_> = (0..AT_ONCE).map(|thread| scope.spawn(work(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    println!("{served} of {ALL} connections were answered in {:?}", began.elapsed());
    assert_eq!(served, ALL * 8 / 10, "whoever asks and reads is answered");
    assert!(began.elapsed() < Duration::from_secs(120), "{:?}", began.elapsed());
    let began = Instant::now();
    // The place for the next one counts, too.
    while open(address) > 2 {
        assert!(began.elapsed() < Duration::from_secs(30), "{} connections are left", open(address));
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn readers_that_do_not_read_are_left_by_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = settings(free(), folder.path());
    wanted.patience = Duration::from_secs(2);
    let server = Server::with(wanted);
    let address = server.address;
    assert!(is_alive(address));
    let before = megabytes();
    // Each asks for far more than any buffer holds, over and over, and reads nothing.
    let request = format!("GET /assets/board.js HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let deaf: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = connect(address);
            stream.set_write_timeout(Some(Duration::from_millis(50))).unwrap();
            let _ = (0..2000).try_for_each(|_| stream.write_all(request.as_bytes()));
            stream
        })
        .collect();
    let began = Instant::now();
    while open(address) > 2 {
        assert!(began.elapsed() < Duration::from_secs(30), "{} connections are left", open(address));
        std::thread::sleep(Duration::from_millis(200));
    }
    if let (Some(before), Some(after)) = (before, megabytes()) {
        assert!(after < before + 150, "{before} MB before, {after} MB after");
    }
    drop(deaf);
    assert!(is_alive(address));
}

/// What a visitor does in some seconds: pages, a game, a search that is left, a tree, a review, a file.
fn visit(address: SocketAddr) {
    for page in
        ["/play", "/analyse", "/trees", "/compare", "/assets/board.js", "/api/position?moves=7g7f,3c3d"]
    {
        assert_eq!(get(address, page).status, 200, "{page}");
    }
    let (game, cookie) = begin(address, 2);
    for m in ["7g7f", "2g2f", "9g9f"] {
        let began = Instant::now();
        let state = loop {
            let state = get(address, &format!("/api/games/{game}")).json();
            if state["thinking"] == false || began.elapsed() > Duration::from_secs(20) {
                break state;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let ply = state["moves"].as_array().map_or(0, Vec::len);
        let body = format!("{{\"move\":\"{m}\",\"ply\":{ply}}}");
        post(address, &format!("/api/games/{game}/move"), &cookie, &body);
    }
    for path in ["/api/search?moves=7g7f", "/api/tree?player=softmax(hash=16)"] {
        let mut stream = connect(address);
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut bytes = [0; 2000];
        let _ = stream.read(&mut bytes);
        std::thread::sleep(Duration::from_millis(200));
    }
    let review = get(address, "/api/review?moves=7g7f,3c3d,2g2f,2b5e,8h5e&nodes=300");
    assert!(review.body.contains("event: done"), "{}", review.body);
    let moves = "[{\"usi\":\"7g7f\"},{\"usi\":\"3c3d\",\"after\":0},{\"usi\":\"8c8d\",\"after\":0}]";
    let wanted = format!("{{\"start\":\"startpos\",\"moves\":{moves}}}");
    assert!(post(address, "/api/records/kifu", &cookie, &wanted).body.contains("変化：2手"));
}

/// With `YOMI_MINUTES=20` for so long; else some rounds, of which the first ones fill what is kept.
#[test]
fn memory_does_not_grow_with_use() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let minutes: u64 = std::env::var("YOMI_MINUTES").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let (began, mut rounds) = (Instant::now(), 0);
    let mut seen = Vec::new();
    while rounds < 12 || began.elapsed() < Duration::from_secs(60 * minutes) {
        visit(server.address);
        rounds += 1;
        seen.extend(megabytes());
        if minutes > 0 {
            std::thread::sleep(Duration::from_secs(2));
        }
    }
    // Searches under way, also those of other tests, come and go, and a player may just be replaced by another: what stays
    // is the lower quartile of many looks.
    let third = seen.len() / 3;
    let usual = |looks: &[u64]| {
        let mut sorted = looks.to_vec();
        sorted.sort_unstable();
        sorted.get(looks.len() / 4).copied()
    };
    let Some((early, late)) = usual(&seen[third..2 * third]).zip(usual(&seen[2 * third..])) else { return };
    println!(
        "{rounds} rounds in {:?}: {early} MB in the second third, {late} MB in the last; all: {seen:?}",
        began.elapsed()
    );
    assert!(late < early + 60, "{seen:?}");
}
