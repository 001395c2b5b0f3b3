//! Runs in the browser.

use serde_json::json;

use crate::driver::{Browser, Look};
use crate::server::{Server, free, settings};

#[test]
fn runs_are_listed_opened_and_stopped_and_names_stay_text() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let run = runs.join("some <b>run");
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join("manifest.json"), r#"{"kind":"selfplay","version":"1"}"#).unwrap();
    std::fs::write(
        run.join("loss.svg"),
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>",
    )
    .unwrap();
    std::fs::write(
        run.join("report.html"),
        "<title>x</title><script>document.title = top === self ? 'alone' : 'framed'</script>",
    )
    .unwrap();
    let mut wanted = settings(free(), folder.path());
    wanted.runs = Some(runs);
    let server = Server::with(wanted);
    let browser = Browser::start(Look::default());
    browser.open(&server.url("/lab"));
    browser.until("document.querySelector('#runs a')");
    assert_eq!(browser.text("#runs a"), "some <b>run");
    assert!(browser.text("#runs").contains("selfplay"));
    browser.picture("lab");
    browser.click("#runs a");
    browser.until("document.querySelector('#stop')");
    assert_eq!(browser.script("return document.querySelectorAll('figure img').length"), json!(1));
    browser.until("document.querySelector('figure img').naturalWidth === 9");
    browser.until("document.querySelector('iframe.report')");
    browser.picture("lab-run");
    browser.click("#stop");
    browser.until("/stops after/.test(document.querySelector('#notice').innerText)");
    assert!(run.join("stop").exists());
    // The page of a run may run its script, and nothing of this site is its own.
    browser.open(&server.url("/lab/file?name=some%20%3Cb%3Erun&file=report.html"));
    browser.until("document.title === 'alone'");
    let refused = browser.script("try { return document.cookie } catch (error) { return error.name }");
    assert_eq!(refused, json!("SecurityError"));
}

#[test]
fn a_loop_is_one_run_whose_page_leads_to_the_runs_it_is_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    for (name, kind) in [("nets", "loop"), ("nets/turn-001/games", "selfplay")] {
        std::fs::create_dir_all(runs.join(name)).unwrap();
        std::fs::write(runs.join(name).join("manifest.json"), json!({ "kind": kind }).to_string()).unwrap();
    }
    let mut wanted = settings(free(), folder.path());
    wanted.runs = Some(runs.clone());
    let server = Server::with(wanted);
    let browser = Browser::start(Look::default());
    browser.open(&server.url("/lab"));
    browser.until("document.querySelector('#runs a')");
    assert_eq!(browser.script("return document.querySelectorAll('#runs a').length"), json!(1));
    assert!(browser.text("#runs").contains("loop"));
    browser.click("#runs a");
    browser.until("document.querySelector('li a')");
    assert_eq!(browser.text("li a"), "nets/turn-001/games");
    browser.click("li a");
    browser.until("document.querySelector('h1').innerText === 'nets/turn-001/games'");
    browser.click("#stop");
    browser.until("/stops after/.test(document.querySelector('#notice').innerText)");
    assert!(runs.join("nets/turn-001/games/stop").exists() && !runs.join("nets/stop").exists());
}
