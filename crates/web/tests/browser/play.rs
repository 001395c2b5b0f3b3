//! Games by clicks.

use serde_json::{Value, json};

use crate::driver::{Browser, Look};
use crate::server::Server;

/// Where a visitor begins: a position, a side, a level.
struct Wanted<'a> {
    sfen: &'a str,
    side: &'a str,
    level: &'a str,
}

const EVEN: Wanted<'_> = Wanted { sfen: "", side: "black", level: "0" };

/// Begins a game by the form, as a visitor does.
fn begin(browser: &Browser, server: &Server, wanted: &Wanted<'_>) {
    browser.open(&server.url("/play"));
    browser.click(&format!("input[value={}] + span", wanted.side));
    browser.script(&format!("document.querySelector('[name=strength]').value = '{}'", wanted.level));
    if !wanted.sfen.is_empty() {
        browser.click("details summary");
        browser.write("[name=sfen]", wanted.sfen);
    }
    browser.click("#new-game .primary");
    browser.until("document.querySelector('.grid')");
}

fn square(name: &str) -> String {
    format!("[data-square=\"{name}\"]")
}

/// Moves by two clicks.
fn click_move(browser: &Browser, from: &str, to: &str) {
    browser.click(&square(from));
    browser.click(&square(to));
}

fn moves(browser: &Browser) -> usize {
    let count = browser.script("return document.querySelectorAll('#moves button').length - 1");
    count.as_u64().expect("a number") as usize
}

fn wait_for_turn(browser: &Browser) {
    browser.until("document.querySelector('.movable') || !/thinking|考慮中/.test(document.querySelector('#status').innerText)");
}

/// What stands on a square, as a screen reader says it.
fn said(browser: &Browser, name: &str) -> String {
    let label =
        browser.script(&format!("return document.querySelector('[data-square=\"{name}\"]').ariaLabel"));
    label.as_str().unwrap_or_default().to_owned()
}

#[test]
fn moves_are_made_by_clicks_by_dragging_and_by_text_and_illegal_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let browser = Browser::start(Look::default());
    begin(&browser, &server, &EVEN);
    browser.picture("play-start");
    browser.click(&square("7g"));
    assert!(said(&browser, "7f").contains("can go here") && !said(&browser, "7e").contains("can go here"));
    browser.picture("play-chosen");
    browser.click(&square("7e"));
    browser.until("/no legal move/.test(document.querySelector('#notice').innerText)");
    assert_eq!(moves(&browser), 0, "an illegal click changes nothing");
    click_move(&browser, "7g", "7f");
    browser.until("document.querySelectorAll('#moves button').length >= 3");
    wait_for_turn(&browser);
    assert_eq!((moves(&browser), said(&browser, "7f")), (2, "7f, Black pawn".to_owned()));
    browser.drag(&square("2g"), &square("2f"));
    browser.until("document.querySelectorAll('#moves button').length >= 5");
    wait_for_turn(&browser);
    browser.write("#typed input", "9g9f\n");
    browser.until("document.querySelectorAll('#moves button').length >= 7");
    browser.picture("play-moves");
    assert!(browser.log().is_empty(), "{:?}", browser.log());
}

#[test]
fn drops_promotion_choice_and_take_back_work_and_the_mate_ends_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let browser = Browser::start(Look::default());
    begin(&browser, &server, &Wanted { sfen: "4k4/9/4P4/9/1S7/9/9/9/4K4 b G 1", ..EVEN });
    // From 8e the silver enters nothing; from 8d it may promote.
    click_move(&browser, "8e", "8d");
    browser.until("document.querySelectorAll('#moves button').length >= 3");
    wait_for_turn(&browser);
    click_move(&browser, "8d", "8c");
    browser.until("document.querySelector('.chooser')");
    browser.picture("play-promotion");
    browser.press("\u{e00c}");
    browser.until("!document.querySelector('.chooser')");
    assert_eq!(moves(&browser), 2, "Escape cancels");
    click_move(&browser, "8d", "8c");
    browser.click(".chooser button:first-child");
    browser.until("document.querySelectorAll('#moves button').length >= 5");
    assert_eq!(said(&browser, "8c"), "8c, Black promoted silver");
    wait_for_turn(&browser);
    for left in [2, 0] {
        browser.click("#take-back");
        browser.until(&format!("document.querySelectorAll('#moves button').length === {}", left + 1));
    }
    browser.click("[data-drop=\"G*\"]");
    browser.click(&square("5b"));
    browser.until("/Black wins/.test(document.querySelector('#status').innerText)");
    assert!(browser.text("#status").contains("Checkmate"), "{}", browser.text("#status"));
    browser.picture("play-mate");
    assert!(browser.log().is_empty(), "{:?}", browser.log());
}

#[test]
fn a_game_survives_a_reload_a_restart_and_is_the_same_in_two_windows() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let address = server.address;
    let browser = Browser::start(Look::default());
    begin(&browser, &server, &EVEN);
    click_move(&browser, "7g", "7f");
    browser.until("document.querySelectorAll('#moves button').length >= 3");
    wait_for_turn(&browser);
    let game = browser.address();
    browser.reload();
    browser.until("document.querySelectorAll('#moves button').length === 3");
    server.stop();
    let server = Server::at(address, folder.path());
    // The same page, without a reload: it connects again by itself.
    browser.until("document.querySelector('#notice').hidden");
    click_move(&browser, "2g", "2f");
    browser.until("document.querySelectorAll('#moves button').length >= 5");
    wait_for_turn(&browser);
    // Somebody else watches, and cannot move.
    let other = Browser::start(Look { language: "ja", width: 390, height: 844, dark: true });
    other.open(&game);
    other.until("document.querySelectorAll('#moves button').length === 5");
    assert_eq!(other.script("return document.querySelectorAll('.movable').length"), json!(0));
    assert!(other.text("main").contains("観戦中"));
    other.picture("watch-ja-dark-phone");
    click_move(&browser, "9g", "9f");
    other.until("document.querySelectorAll('#moves button').length >= 6");
    let refused = other.script(
        "const x = new XMLHttpRequest(); x.open('POST', location.pathname.replace('/play', '/api/games') + '/resign', false);
         x.setRequestHeader('content-type', 'application/json'); x.send('{\"ply\":0}'); return JSON.parse(x.responseText)",
    );
    assert_eq!(refused["error"]["code"], "spectator");
    drop(server);
}

/// The game that the page shows, as the server tells it.
fn served(browser: &Browser) -> Value {
    browser.script(
        "const x = new XMLHttpRequest(); x.open('GET', location.pathname.replace('/play', '/api/games'), false);
         x.send(); return JSON.parse(x.responseText)",
    )
}

/// Makes a move of USI by clicks, once the page shows the position it belongs to.
fn click_usi(browser: &Browser, usi: &str, plies: usize) {
    browser.until(&format!(
        "document.querySelectorAll('#moves button').length - 1 === {plies} && document.querySelector('.movable')"
    ));
    let (from, to) = (&usi[..2], &usi[2..4]);
    browser.click(&if from.ends_with('*') {
        format!(".movable[data-drop=\"{from}\"]")
    } else {
        square(from)
    });
    browser.click(&square(to));
    if browser.script("return Boolean(document.querySelector('.chooser'))") == json!(true) {
        let choice = if usi.ends_with('+') { "first" } else { "last" };
        browser.click(&format!(".chooser button:{choice}-child"));
    }
    browser.until(&format!("document.querySelectorAll('#moves button').length - 1 > {plies}"));
}

/// From the first move to the last: the visitor's moves are those of a short search, so that the end is sure to come.
#[test]
fn a_whole_game_is_played_by_clicks_against_a_weak_player() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let browser = Browser::start(Look { width: 390, height: 844, ..Look::default() });
    let spec: engine::OwnSpec = "alphabeta(hash=8)".parse().unwrap();
    let mut visitor =
        engine::Agent::new(&spec.resolve(&engine::Defaults::matches()), &mut engine::Nets::default())
            .unwrap();
    begin(&browser, &server, &EVEN);
    browser.picture("play-phone");
    loop {
        let game = served(&browser);
        let played = game["moves"].as_array().expect("moves").len();
        if !game["end"].is_null() {
            break;
        }
        assert!(played < 300, "no end in sight: {game}");
        if game["thinking"] == json!(true) {
            std::thread::sleep(std::time::Duration::from_millis(20));
            continue;
        }
        let mut position = shogi::Position::start();
        for m in game["moves"].as_array().expect("moves") {
            position.play(m["usi"].as_str().expect("a move").parse().unwrap());
        }
        let limits = contract::Limits { nodes: Some(2000), ..contract::Limits::default() };
        let request = engine::Request::new(&position, limits);
        let answer = visitor.play(&request, &contract::Control::new(), &mut |_| {}).unwrap();
        let contract::Choice::Move(m) = answer.choice else { panic!("{:?} in {position}", answer.choice) };
        click_usi(&browser, &m.to_string(), played);
    }
    browser.until("/wins/.test(document.querySelector('#status').innerText)");
    let status = browser.text("#status");
    assert!(status.contains("Black wins"), "{status}");
    browser.picture("play-phone-end");
    assert!(browser.log().is_empty(), "{:?}", browser.log());
}

#[test]
fn the_page_is_japanese_for_those_who_ask_and_fits_every_width() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for (name, look) in [
        ("ja-desktop", Look { language: "ja", ..Look::default() }),
        ("ja-phone", Look { language: "ja", width: 360, height: 740, dark: false }),
        ("en-dark", Look { dark: true, ..Look::default() }),
        ("en-phone-dark", Look { width: 390, height: 844, dark: true, ..Look::default() }),
    ] {
        let browser = Browser::start(look);
        browser.open(&server.url("/play"));
        browser.picture(&format!("setup-{name}"));
        let is_japanese = look.language == "ja";
        assert_eq!(browser.text("h1"), if is_japanese { "新しい対局" } else { "New game" });
        begin(&browser, &server, &Wanted { sfen: "", side: "white", level: "2" });
        browser.until("document.querySelectorAll('#moves button').length >= 2");
        wait_for_turn(&browser);
        click_move(&browser, "3c", "3d");
        browser.until("document.querySelectorAll('#moves button').length >= 4");
        let overflow = browser
            .script("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert!(overflow.as_i64() <= Some(0), "{name}: nothing is wider than the window");
        let dark = browser.script("return getComputedStyle(document.body).backgroundColor");
        assert_eq!(dark == json!("rgb(15, 17, 20)"), look.dark, "{name}: {dark}");
        browser.picture(&format!("play-{name}"));
        browser.click("#pieces");
        browser.picture(&format!("letters-{name}"));
        assert!(browser.log().is_empty(), "{:?}", browser.log());
    }
}

/// Begins a game without the form.
fn begin_with(browser: &Browser, server: &Server, wanted: &Value) {
    browser.open(&server.url("/play"));
    let id = browser.script(&format!(
        "const x = new XMLHttpRequest(); x.open('POST', '/api/games', false); x.setRequestHeader('content-type', 'application/json');
         x.send(JSON.stringify({wanted})); return JSON.parse(x.responseText).id"
    ));
    browser.open(&server.url(&format!("/play/{}", id.as_str().expect("a game"))));
    browser.until("document.querySelector('.movable')");
}

#[test]
fn keys_walk_over_the_board_and_move_and_step_through_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let browser = Browser::start(Look::default());
    begin_with(
        &browser,
        &server,
        &json!({ "start": "startpos", "human": "black", "level": 0, "clock": null }),
    );
    let focused =
        || browser.script("return document.activeElement?.ariaLabel ?? ''").as_str().unwrap().to_owned();
    let [tab, enter, up, left, back] = ["\u{e004}", "\u{e007}", "\u{e013}", "\u{e012}", "\u{e012}"];
    // The whole board is one stop of the tab key.
    for _ in 0..40 {
        browser.press(tab);
        if focused().starts_with("5i") {
            break;
        }
    }
    for key in [up, up, left, left, enter] {
        browser.press(key);
    }
    assert_eq!(focused(), "7g, Black pawn, chosen");
    browser.press(up);
    assert_eq!(focused(), "7f, empty, can go here");
    browser.press(enter);
    browser.until("document.querySelectorAll('#moves button').length >= 3");
    // Away from the board, arrows step through the game.
    browser.click("#status");
    browser.script("document.activeElement.blur()");
    browser.press(back);
    browser.until("document.querySelector('#moves [aria-current]').dataset.ply === '1'");
    assert!(browser.log().is_empty(), "{:?}", browser.log());
}

#[test]
fn the_clock_runs_through_byoyomi_and_ends_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let browser = Browser::start(Look::default());
    let clock = json!({ "main": 1, "byoyomi": 4, "increment": 0 });
    begin_with(
        &browser,
        &server,
        &json!({ "start": "startpos", "human": "black", "level": 0, "clock": clock }),
    );
    browser.until("/byoyomi 0:0[1-4]/.test(document.querySelector('.player.black .clock').innerText)");
    browser.until("/White wins.*The time was up/.test(document.querySelector('#status').innerText)");
    assert_eq!(browser.script("return document.querySelectorAll('.movable').length"), json!(0));
}
