//! Analysis in the browser.

use serde_json::json;

use crate::driver::{Browser, Look};
use crate::server::Server;

/// A short game in KIF whose fourth move loses a bishop for nothing, and whose names and comments are full of markup.
const KIF: &str = "手合割：平手\n先手：<img src=x onerror=alert(1)>羽生\n後手：</script><b>谷川\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n*<script>document.title='hacked'</script>コメント\n   2 ３四歩(33)   ( 0:01/00:00:01)\n   3 ２六歩(27)   ( 0:01/00:00:02)\n   4 ５五角(22)   ( 0:01/00:00:02)\n   5 同　角(88)   ( 0:01/00:00:03)\n   6 投了\n";

/// Gives the page bytes as if a file were dropped on it.
fn drop_file(browser: &Browser, bytes: &[u8]) {
    let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
    browser.script(&format!(
        "const transfer = new DataTransfer(); transfer.items.add(new File([new Uint8Array([{}])], 'game.kif'));
         document.dispatchEvent(new DragEvent('drop', {{ dataTransfer: transfer, bubbles: true, cancelable: true }}))",
        list.join(",")
    ));
}

/// The game as a file that most programs write.
fn shift_jis() -> Vec<u8> {
    let games = records::text::read_games(KIF.as_bytes(), None).expect("a game");
    records::text::write_game(&games[0], records::text::Format::Kif)
}

#[test]
fn a_kif_in_shift_jis_full_of_markup_is_shown_searched_and_reviewed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let browser = Browser::start(Look::default());
    browser.open(&server.url("/analyse"));
    browser.until("document.querySelector('.grid')");
    drop_file(&browser, &shift_jis());
    browser.until("document.querySelectorAll('#moves button').length === 6");
    browser.click("#moves li:nth-child(2) button");
    browser.until("/hacked/.test(document.querySelector('#comment').innerText)");
    assert!(!browser.script("return document.title").as_str().unwrap().contains("hacked'"));
    assert_eq!(browser.script("return document.querySelectorAll('main img, main b').length"), json!(0));
    // Arrow keys step.
    browser.press("\u{e014}");
    browser.until("/^2\\. P-3d/.test(document.querySelector('#status').innerText)");
    browser.click("#engine");
    browser.until("document.querySelectorAll('#search-lines li').length === 3");
    browser.picture("analyse-search");
    browser.click("#engine");
    browser.click("#review");
    browser.until("document.querySelector('#moves .blunder, #moves .mistake')");
    browser.until("document.querySelector('#graph .dot')");
    browser.picture("analyse-review");
    browser.click("#learn");
    browser.until("!document.querySelector('#learning').hidden");
    browser.picture("analyse-learn");
    assert!(browser.log().is_empty(), "{:?}", browser.log());
}

#[test]
fn a_branch_is_kept_beside_the_game_and_survives_a_reload() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let browser = Browser::start(Look { language: "ja", ..Look::default() });
    browser.open(&server.url("/analyse?moves=7g7f,3c3d,2g2f,8c8d"));
    browser.until("document.querySelectorAll('#moves button').length === 5");
    browser.click("#moves li:nth-child(3) button");
    browser.until("document.querySelector('[data-square=\"6g\"]').classList.contains('movable')");
    browser.click("[data-square=\"6g\"]");
    browser.click("[data-square=\"6f\"]");
    browser.until("/☗６六歩/.test(document.querySelector('.variation')?.innerText ?? '')");
    assert_eq!(
        browser.script("return document.querySelectorAll('#moves > li:not(.whole)').length"),
        json!(4)
    );
    browser.picture("analyse-branch-ja");
    browser.open(&server.url("/analyse"));
    browser.until("/☗６六歩/.test(document.querySelector('.variation')?.innerText ?? '')");
    assert!(browser.log().is_empty(), "{:?}", browser.log());
}

#[test]
fn the_saved_game_has_the_branches_of_the_page_and_those_of_the_file_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let browser = Browser::start(Look::default());
    browser.open(&server.url("/analyse"));
    browser.until("document.querySelector('.grid')");
    let branched =
        format!("{KIF}\n変化：6手\n   6 ３三桂(21)\n\n変化：2手\n   2 ８四歩(83)\n   3 ２六歩(27)\n");
    drop_file(&browser, branched.as_bytes());
    browser.until("document.querySelectorAll('#moves .variation').length === 2");
    assert_eq!(
        browser.script("return document.querySelectorAll('#moves > li:not(.whole)').length"),
        json!(5),
        "the move after the resignation is none of the game",
    );
    browser.click("#moves li:nth-child(2) button");
    browser.until("document.querySelector('[data-square=\"4c\"]').classList.contains('movable')");
    browser.click("[data-square=\"4c\"]");
    browser.click("[data-square=\"4d\"]");
    browser.until("document.querySelectorAll('#moves .variation').length === 3");
    browser.click("#review");
    browser.until("document.querySelector('#moves .blunder, #moves .mistake')");
    // What would be kept as a file.
    browser.script(
        "URL.createObjectURL = (blob) => { blob.text().then((text) => (window.saved = text)); return '#'; }",
    );
    browser.click("[data-format=kifu]");
    browser.until("window.saved");
    let saved = browser.script("return window.saved");
    let game = records::text::read_games(saved.as_str().unwrap().as_bytes(), None).unwrap().remove(0);
    assert_eq!((game.moves.len(), game.winner()), (5, Some(shogi::Color::Black)), "{saved}");
    assert_eq!(game.info.players[0].as_deref(), Some("<img src=x onerror=alert(1)>羽生"));
    assert!(game.moves[3].comments.iter().any(|line| line.contains("???") || line.contains("??")), "{saved}");
    let leave = |after| game.variations.iter().filter(|line| line.after == after).count();
    assert_eq!((leave(1), leave(5)), (2, 1), "{saved}");
    assert!(leave(3) >= 1, "what was better is a variation: {saved}");
    assert!(browser.log().is_empty(), "{:?}", browser.log());
}

#[test]
fn a_mate_is_found_and_a_tree_grows_and_two_players_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let browser = Browser::start(Look::default());
    browser.open(&server.url("/analyse?start=7nl/7k1/6ppp/9/9/9/9/9/4K4%20b%202G2R%201"));
    browser.until("document.querySelector('#status').innerText");
    browser.click("#mate");
    browser.until("/Mate in 3/.test(document.querySelector('#notice').innerText)");
    browser.open(&server.url("/trees"));
    browser.click("#go");
    browser.until("document.querySelectorAll('#tree tbody tr').length > 10");
    browser.until("document.querySelectorAll('#search-lines li').length === 1");
    browser.picture("trees");
    browser.open(&server.url("/compare"));
    browser.click("#go");
    browser.until("document.querySelectorAll('#left li').length > 0");
    browser.picture("compare");
    assert!(browser.log().is_empty(), "{:?}", browser.log());
}

#[test]
fn the_page_of_one_game_needs_no_server() {
    let game = records::text::read_games(KIF.as_bytes(), None).expect("a game").remove(0);
    let spec: engine::OwnSpec = "alphabeta(hash=8)".parse().unwrap();
    let mut agent =
        engine::Agent::new(&spec.resolve(&engine::Defaults::analysis()), &mut engine::Nets::default())
            .unwrap();
    let plan = engine::analysis::Plan::new(contract::Effort::Nodes(2000), agent.scale());
    let analysis = engine::analysis::run(&mut agent, &game, &plan, &|| false, &mut || {}).unwrap();
    let html = web::report_page(&game, &analysis, "alphabeta, 2000 nodes");
    assert!(!html.contains("<b>谷川") && html.matches("<script").count() == 3, "names are text");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.html");
    std::fs::write(&path, html).unwrap();
    let browser = Browser::start(Look::default());
    browser.open(&format!("file://{}", path.display()));
    browser.until("document.querySelectorAll('#moves button').length === 6");
    browser.until("document.querySelector('#graph .dot')");
    browser.click("#learn");
    browser.until("document.querySelector('.movable')");
    browser.picture("report");
    browser.click("#learning button:first-child");
    browser.until("/better: /.test(document.querySelector('#learning').innerText)");
    assert!(browser.log().is_empty(), "{:?}", browser.log());
}
