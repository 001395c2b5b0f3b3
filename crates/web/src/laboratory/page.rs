//! The pages of the laboratory: all runs, and one of them.

use axum::Extension;
use axum::extract::State;
use axum::response::{Html, IntoResponse as _, Response};
use lab::matches::Manifest;
use maud::{Markup, html};
use serde_json::json;

use super::api::{Named, folder, place};
use super::folder::{RunPlace, RunsFolder};
use super::work::NETS;
use crate::app::App;
use crate::body::Asked;
use crate::layout::Page;
use crate::refusal::Refusal;
use crate::visitor::Visitor;
use crate::words::Lang;

/// All runs, and forms for new ones.
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
            @if app.launcher.can_start() { (new_run(lang, &folder(&app).map(RunsFolder::studies).unwrap_or_default())) }
        } @else {
            p { (lang.say("no_runs_folder")) }
        }
    })
}

/// A field of a form: its name, its words, and what can be said in it.
struct Field {
    name: &'static str,
    word: &'static str,
    input: Input,
}

enum Input {
    Text(&'static str),
    /// A number and the least one.
    Number(f64, f64),
    /// One of these.
    Choice(Vec<String>),
    /// A run of a kind, which the page lists.
    Run(&'static str),
}

/// What can be started: its name, its words, its fields.
type Kind = (&'static str, &'static str, Vec<Field>);

const fn field(name: &'static str, word: &'static str, input: Input) -> Field {
    Field { name, word, input }
}

fn player(lang: Lang, name: &'static str, value: &'static str) -> Field {
    field(name, lang.say("player"), Input::Text(value))
}

fn nodes(lang: Lang, value: f64, least: f64) -> Field {
    field("nodes", lang.say("nodes_each"), Input::Number(value, least))
}

fn net(lang: Lang) -> Field {
    field("arch", lang.say("net_arch"), Input::Choice(NETS.map(str::to_owned).to_vec()))
}

fn run_of_games(lang: Lang) -> Field {
    field("run", lang.say("run_of_games"), Input::Run("selfplay"))
}

fn kinds(lang: Lang, studies: &[String]) -> Vec<Kind> {
    let mut kinds = kinds_of_games(lang);
    kinds.extend(kinds_of_nets(lang));
    if !studies.is_empty() {
        let file = field("file", lang.say("study_file"), Input::Choice(studies.to_vec()));
        let scale = field("scale", lang.say("study_scale"), Input::Number(0.1, 0.001));
        kinds.push(("study", lang.say("kind_study"), vec![file, scale]));
    }
    kinds
}

fn kinds_of_games(lang: Lang) -> Vec<Kind> {
    let games = |value| field("games", lang.say("games_number"), Input::Number(value, 1.0));
    let first = player(lang, "first", "alphabeta");
    let second = player(lang, "second", "alphabeta(eval=material)");
    let one = || player(lang, "player", "alphabeta");
    vec![
        ("match", lang.say("kind_match"), vec![first, second, nodes(lang, 2000.0, 1.0), games(100.0)]),
        ("selfplay", lang.say("kind_selfplay"), vec![one(), nodes(lang, 500.0, 1.0), games(1000.0)]),
        ("curve", lang.say("kind_curve"), vec![run_of_games(lang), one(), nodes(lang, 0.0, 0.0)]),
    ]
}

fn kinds_of_nets(lang: Lang) -> Vec<Kind> {
    let validation = field("validation", lang.say("validation_share"), Input::Number(0.05, 0.01));
    let data = field("run", lang.say("run_of_data"), Input::Run("data"));
    let epochs = field("epochs", lang.say("epochs"), Input::Number(20.0, 1.0));
    let games = field("games", lang.say("games_of_turn"), Input::Number(10_000.0, 1.0));
    let turns = field("turns", lang.say("turns"), Input::Number(10.0, 1.0));
    vec![
        ("data", lang.say("kind_data"), vec![run_of_games(lang), validation]),
        ("learn", lang.say("kind_learn"), vec![data, net(lang), epochs]),
        ("loop", lang.say("kind_loop"), vec![net(lang), nodes(lang, 250.0, 1.0), games, turns]),
    ]
}

fn new_run(lang: Lang, studies: &[String]) -> Markup {
    html! {
        details class="card opening" {
            summary { (lang.say("new_run")) }
            @for (kind, title, fields) in kinds(lang, studies) {
                details class="new-run" {
                    summary { (title) }
                    form data-kind=(kind) {
                        @for field in &fields { (field_markup(field)) }
                        label class="field" { span { (lang.say("run_name")) }
                            input name="name" required pattern="[A-Za-z0-9_-]+" maxlength="60" spellcheck="false" autocomplete="off";
                        }
                        button class="primary" { (lang.say("start_run")) }
                    }
                }
            }
        }
    }
}

fn field_markup(field: &Field) -> Markup {
    let name = field.name;
    html! {
        label class="field" {
            span { (field.word) }
            @match &field.input {
                Input::Text(value) => { input name=(name) value=(value) required maxlength="1000" spellcheck="false" autocomplete="off"; }
                Input::Number(value, least) => { input name=(name) type="number" value=(value.to_string()) min=(least.to_string()) step="any" required; }
                Input::Choice(choices) => { select name=(name) { @for choice in choices { option { (choice) } } } }
                Input::Run(kind) => { select name=(name) data-runs=(kind) required {} }
            }
        }
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
    let body = page.with(&html! { h1 { (title) } p { (refusal.words(visitor.lang)) } });
    (refusal.status, body).into_response()
}

fn run_page(visitor: &Visitor, run: &RunPlace) -> Html<String> {
    let lang = visitor.lang;
    let is_match = run.kind().as_deref() == Some(Manifest::KIND);
    let data = json!({ "run": run.name, "is_match": is_match });
    let page = Page { visitor, title: &run.name, part: "/lab", module: Some("run.js"), data };
    let (files, parts) = (run.files(), run.parts());
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
        @if !parts.is_empty() {
            h2 { (lang.say("parts")) }
            ul {
                @for part in &parts {
                    li { a href={ "/lab/run?name=" (escaped(&part.name)) } { (part.name) } }
                }
            }
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
