//! The page of analysis.

use axum::Extension;
use axum::extract::State;
use axum::response::Html;
use maud::{Markup, html};
use serde_json::json;

use crate::app::App;
use crate::layout::Page;
use crate::play::{FORMATS, steps};
use crate::visitor::Visitor;
use crate::words::Lang;

/// The page, empty: a record is pasted, dropped, or named in the address.
pub(super) async fn analyse(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Html<String> {
    let lang = visitor.lang;
    let data = json!({ "live": true });
    let page = Page {
        visitor: &visitor,
        title: lang.say("analyse"),
        part: "/analyse",
        module: Some("analyse.js"),
        data,
    };
    let names: Vec<&str> = app.players.judges().collect();
    page.with(&html! {
        h1 class="hidden" { (lang.say("analyse")) }
        (opening(lang))
        (desk(lang, Some(&names)))
    })
}

fn opening(lang: Lang) -> Markup {
    html! {
        details id="opening" class="card opening" {
            summary { (lang.say("open_record")) }
            form id="open" {
                textarea name="record" rows="5" placeholder=(lang.say("paste_here")) aria-label=(lang.say("paste_here")) spellcheck="false" {}
                div class="buttons" {
                    button class="primary" { (lang.say("open")) }
                    label class="button" { (lang.say("file")) input type="file" name="file" class="hidden"; }
                }
                p class="refusal" role="alert" hidden {}
            }
            ul id="games" hidden {}
        }
    }
}

/// Board, lines, moves and graph. `players` are those that can search; without a server there are none.
pub(super) fn desk(lang: Lang, players: Option<&[&str]>) -> Markup {
    html! {
        div class="table analysis" {
            div class="board-place" id="board" {}
            aside class="side" {
                p id="status" class="status" role="status" aria-live="polite" {}
                p id="notice" class="notice" role="alert" hidden {}
                @if let Some(players) = players { (engine(lang, players)) }
                div id="learning" class="card" hidden {}
                section class="moves" aria-labelledby="moves-title" {
                    h2 id="moves-title" { (lang.say("moves")) }
                    ol id="moves" class="tree" tabindex="0" {}
                    (steps(lang))
                }
                div class="buttons" {
                    button type="button" id="learn" hidden { (lang.say("learn")) }
                    button type="button" id="delete" hidden { (lang.say("delete_line")) }
                    button type="button" id="flip" { (lang.say("flip")) }
                }
                @if players.is_some() { (export(lang)) }
            }
            section class="below" {
                div id="graph" class="graph" aria-label=(lang.say("graph")) {}
                div id="summary" {}
                pre id="comment" class="comment" hidden {}
                p class="faint small" { (lang.say("keys")) }
            }
        }
    }
}

fn export(lang: Lang) -> Markup {
    html! {
        div id="export" class="export" { span { (lang.say("export")) ":" }
            @for (name, _) in FORMATS { button type="button" class="link" data-format=(name) { (name.to_uppercase()) } }
        }
    }
}

fn engine(lang: Lang, players: &[&str]) -> Markup {
    html! {
        section class="engine card" aria-label=(lang.say("engine")) {
            div class="bar" aria-hidden="true" { div id="bar" {} }
            div class="buttons" {
                button type="button" id="engine" aria-pressed="false" { (lang.say("engine_on")) }
                label class="inline" { (lang.say("lines")) " "
                    select id="lines" { @for n in 1..=5 { option value=(n) selected[n == 3] { (n) } } }
                }
                button type="button" id="review" { (lang.say("review")) }
                button type="button" id="mate" { (lang.say("find_mate")) }
            }
            label class="inline wide" { (lang.say("player")) " "
                input id="player" list="players" value="alphabeta" maxlength="1000" spellcheck="false" autocomplete="off";
                datalist id="players" {
                    @for name in ["alphabeta", "softmax", "mcss", "uct"].iter().chain(players) { option value=(name) {} }
                }
            }
            p id="search-facts" class="faint" {}
            ol id="search-lines" class="lines" {}
        }
    }
}
