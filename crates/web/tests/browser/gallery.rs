//! Every page in every language, width and theme: nothing is wider than its window, no script fails. With `YOMI_SCREENSHOTS`
//! naming a folder, pictures of all of them are kept there, and `YOMI_RUNS` may name runs to be seen in the laboratory.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::driver::{Browser, Look};
use crate::server::{Server, free, settings};

/// A middle game with pieces in hand.
const MIDDLE: &str = "ln1g1k1nl/1r1s1gs2/p1pppp1pp/1p4p2/9/2P4P1/PP1PPPP1P/2GS3R1/LN2KGSNL b Bb 1";
/// An exchange of bishops, and a bishop that is given away.
const GAME: &str = "7g7f,3c3d,2g2f,4c4d,2f2e,2b3c,4g4f,3c2d,2e2d";

#[test]
fn in_english_on_a_desk() {
    see_all("en", 1280, 900);
}

#[test]
fn in_english_on_a_phone() {
    see_all("en", 390, 844);
}

#[test]
fn in_japanese_on_a_desk() {
    see_all("ja", 1280, 900);
}

#[test]
fn in_japanese_on_a_phone() {
    see_all("ja", 390, 844);
}

fn see_all(language: &'static str, width: u32, height: u32) {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = settings(free(), folder.path());
    wanted.runs = Some(runs(folder.path()));
    wanted.program = Some("/bin/false".into());
    let server = Server::with(wanted);
    for dark in [false, true] {
        let browser = Browser::start(Look { language, width, height, dark });
        let place = if width < 500 { "phone" } else { "desk" };
        let look = format!("{language}-{place}-{}", if dark { "dark" } else { "light" });
        let visit = Visit { browser: &browser, server: &server, look: &look };
        visit.all_pages();
        assert_eq!(browser.script("return document.documentElement.lang"), json!(language));
        let log = browser.log();
        assert!(log.is_empty(), "{look}: {log:?}");
        browser.open(&server.url("/lab/run?name=nothing"));
        visit.seen("error");
        let words = if language == "ja" { "見つかりませんでした" } else { "nothing of this name" };
        assert!(browser.text("main").contains(words), "{}", browser.text("main"));
    }
}

/// Runs to be seen.
fn runs(folder: &Path) -> PathBuf {
    if let Some(known) = std::env::var_os("YOMI_RUNS") {
        return known.into();
    }
    let runs = folder.join("runs");
    for (name, kind) in [("games", "selfplay"), ("nets", "loop"), ("nets/turn-001/games", "selfplay")] {
        std::fs::create_dir_all(runs.join(name)).unwrap();
        std::fs::write(runs.join(name).join("manifest.json"), json!({ "kind": kind }).to_string()).unwrap();
    }
    runs
}

/// One look at everything.
struct Visit<'a> {
    browser: &'a Browser,
    server: &'a Server,
    look: &'a str,
}

impl Visit<'_> {
    fn all_pages(&self) {
        let browser = self.browser;
        self.open("/play", "document.querySelector('#new-game')");
        browser.click("#new-game details summary");
        self.seen("setup");
        browser.write("[name=sfen]", MIDDLE);
        browser.script("document.querySelector('[name=strength]').value = '0'");
        browser.click("#new-game .primary");
        browser.until("document.querySelector('.movable')");
        browser.click("[data-square=\"2f\"]");
        self.seen("game-chosen");
        browser.click("[data-square=\"2e\"]");
        browser.until("document.querySelectorAll('#moves button').length >= 3");
        self.seen("game");
        browser.click("#resign");
        browser.until("document.querySelector('dialog[open]')");
        self.seen("game-dialog");
        self.study_pages();
        self.open("/lab", "document.querySelector('#runs a')");
        browser.script("document.querySelectorAll('details').forEach((details) => (details.open = true))");
        self.seen("lab");
        browser.click("#runs a");
        browser.until("document.querySelector('#stop')");
        self.seen("lab-run");
    }

    fn study_pages(&self) {
        let browser = self.browser;
        self.open(
            &format!("/analyse?moves={GAME}"),
            "document.querySelectorAll('#moves button').length === 10",
        );
        browser.click("#review");
        browser.until("document.querySelector('#moves .blunder, #moves .mistake, #moves .dubious')");
        browser.until("document.querySelector('#graph .dot')");
        browser.click("#engine");
        browser.until("document.querySelectorAll('#search-lines li').length === 3");
        self.seen("analyse");
        browser.click("#engine");
        browser.click("#learn");
        browser.until("!document.querySelector('#learning').hidden");
        self.seen("analyse-learn");
        self.open("/trees", "document.querySelector('#go')");
        browser.click("#go");
        browser.until("document.querySelectorAll('#tree tbody tr').length > 10");
        browser.until("document.querySelectorAll('#search-lines li').length === 1");
        self.seen("trees");
        self.open("/compare", "document.querySelector('#go')");
        browser.script("document.querySelector('#right input').value = 'alphabeta(eval=linear)'");
        browser.click("#go");
        browser.until("document.querySelector('#left li')");
        browser.until("document.querySelectorAll('#right .why tbody tr').length === 12");
        assert!(!browser.text("#right .why").contains("theme_"), "{}", browser.text("#right .why"));
        assert_eq!(browser.text("#left .why"), "", "a net explains nothing");
        self.seen("compare");
    }

    fn open(&self, path: &str, is_there: &str) {
        self.browser.open(&self.server.url(path));
        self.browser.until(is_there);
    }

    /// Looks at the whole page.
    fn seen(&self, name: &str) {
        let wider = "const root = document.documentElement;
             if (root.scrollWidth <= innerWidth) return null;
             const beyond = [...document.querySelectorAll('main *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1);
             return `${root.scrollWidth} > ${innerWidth}: ${beyond.map((each) => each.tagName + '.' + each.className).slice(0, 5)}`";
        let wider = self.browser.script(wider);
        self.browser.whole_picture(&format!("{name}-{}", self.look));
        assert!(wider.is_null(), "{name}, {}: {wider}", self.look);
    }
}
