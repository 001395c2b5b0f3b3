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
