//! The pages of the laboratory: all runs, and one of them.

use axum::Extension;
use axum::extract::State;
use axum::response::{Html, IntoResponse as _, Response};
use maud::{Markup, html};
use serde_json::json;

use super::api::{Named, folder, place};
use super::folder::RunPlace;
use crate::app::App;
use crate::body::Asked;
use crate::layout::Page;
use crate::refusal::Refusal;
use crate::visitor::Visitor;
use crate::words::Lang;

/// All runs, and a form for a new match.
pub(super) async fn runs(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Html<String> {
    let lang = visitor.lang;
    let has_runs = folder(&app).is_ok();
    let module = has_runs.then_some("lab.js");
    let page = Page { visitor: &visitor, title: lang.say("lab"), part: "/lab", module, data: json!({}) };
    page.with(&html! {
        h1 { (lang.say("lab")) }
        @if has_runs {
            p id="notice" class="notice" role="alert" hidden {}
            label class="field" { span { (lang.say("filter")) } input id="filter" autocomplete="off" spellcheck="false"; }
            div id="runs" class="cards" {}
            @if app.launcher.can_start() { (new_match(lang)) }
        } @else {
            p { (lang.say("no_runs_folder")) }
        }
    })
}

fn new_match(lang: Lang) -> Markup {
    html! {
        details class="card opening" {
            summary { (lang.say("new_match")) }
            form id="new-match" {
                @for (name, word, value) in [("first", "player", "alphabeta"), ("second", "player", "alphabeta(eval=material)"), ("nodes", "nodes_each", "2000"), ("games", "games_number", "100"), ("name", "run_name", "")] {
                    label class="field" { span { (field_word(lang, word)) } input name=(name) value=(value) required maxlength="1000" spellcheck="false" autocomplete="off"; }
                }
                button class="primary" { (lang.say("start_match")) }
            }
        }
    }
}

fn field_word(lang: Lang, word: &str) -> &'static str {
    match word {
        "nodes_each" => lang.say("nodes_each"),
        "games_number" => lang.say("games_number"),
        "run_name" => lang.say("run_name"),
        _ => lang.say("player"),
    }
}

/// One run: its standing, its games, its report and its files.
pub(super) async fn run(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Asked(named): Asked<Named>,
) -> Response {
    match place(&app, &named) {
        Ok(run) => run_page(&visitor, &run).into_response(),
        Err(refusal) => refused(&visitor, &refusal),
    }
}

fn refused(visitor: &Visitor, refusal: &Refusal) -> Response {
    let title = visitor.lang.say("error");
    let page = Page { visitor, title, part: "/lab", module: None, data: json!({}) };
    let body = page.with(&html! { h1 { (title) } p { (refusal.message) } });
    (refusal.status, body).into_response()
}

fn run_page(visitor: &Visitor, run: &RunPlace) -> Html<String> {
    let lang = visitor.lang;
    let data = json!({ "run": run.name });
    let page = Page { visitor, title: &run.name, part: "/lab", module: Some("run.js"), data };
    let files = run.files();
    let encoded = escaped(&run.name);
    page.with(&html! {
        p { a href="/lab" { "← " (lang.say("lab")) } }
        h1 { (run.name) }
        p id="notice" class="notice" role="alert" hidden {}
        div id="standing" class="card" hidden {}
        div class="buttons" {
            button type="button" id="stop" { (lang.say("stop_run")) }
            button type="button" id="go-on" { (lang.say("go_on_run")) }
            a class="button" href={ "/lab/report?name=" (encoded) } target="_blank" rel="noopener" { (lang.say("report")) }
        }
        @if files.iter().any(|file| file.name == "report.html" || file.name == "games.jsonl") {
            iframe class="report" id="report" src={ "/lab/report?name=" (encoded) } sandbox="allow-scripts" title=(lang.say("report")) {}
        }
        section id="games-section" hidden {
            h2 { (lang.say("games")) }
            div class="wide" { table id="match-games" {} }
        }
        h2 { (lang.say("files")) }
        ul {
            @for file in &files {
                li { a href={ "/lab/file?name=" (encoded) "&file=" (escaped(&file.name)) } target="_blank" rel="noopener" { (file.name) } }
            }
        }
        @for file in files.iter().filter(|file| file.name.ends_with(".svg")) {
            figure { img src={ "/lab/file?name=" (encoded) "&file=" (escaped(&file.name)) } alt=(file.name) loading="lazy"; }
        }
    })
}

/// A text as part of an address.
fn escaped(text: &str) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(byte);
    text.bytes()
        .map(|byte| if is_plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
