//! The pages of trees and of comparisons: a board, and what searches say about it.

use axum::Extension;
use axum::extract::State;
use axum::response::Html;
use maud::{Markup, html};
use serde_json::json;

use crate::app::App;
use crate::layout::Page;
use crate::visitor::Visitor;
use crate::words::Lang;

/// A tree as it grows, and the line of alpha-beta beside it.
pub(super) async fn trees(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Html<String> {
    let lang = visitor.lang;
    let page = Page {
        visitor: &visitor,
        title: lang.say("trees"),
        part: "/trees",
        module: Some("trees.js"),
        data: json!({}),
    };
    let names: Vec<&str> = app.players.judges().collect();
    page.with(&html! {
        h1 { (lang.say("trees")) }
        p class="lead" { (lang.say("trees_lead")) }
        form id="question" class="question" {
            (field(lang, "player", "softmax", "players"))
            (field(lang, "position_text", "startpos", ""))
            button class="primary" id="go" { (lang.say("go_on")) }
            button type="button" id="up" disabled { (lang.say("up")) }
        }
        (players(&["softmax", "softmax(T=60)", "mcss", "uct"], &names))
        p id="notice" class="notice" role="alert" hidden {}
        div class="table growing" {
            div class="board-place" id="board" {}
            section {
                p id="facts" class="faint" role="status" {}
                div class="wide" { table id="tree" class="tree-table" {} }
                h2 { (lang.say("beside")) }
                p id="search-facts" class="faint" {}
                ol id="search-lines" class="lines" {}
            }
        }
    })
}

/// Two players side by side.
pub(super) async fn compare(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Html<String> {
    let lang = visitor.lang;
    let page = Page {
        visitor: &visitor,
        title: lang.say("compare"),
        part: "/compare",
        module: Some("compare.js"),
        data: json!({}),
    };
    let names: Vec<&str> = app.players.judges().collect();
    page.with(&html! {
        h1 { (lang.say("compare")) }
        p class="lead" { (lang.say("compare_lead")) }
        form id="question" class="question single" {
            (field(lang, "position_text", "startpos", ""))
            button class="primary" id="go" { (lang.say("go_on")) }
        }
        (players(&["alphabeta", "alphabeta(eval=linear)", "alphabeta(eval=material)", "softmax", "mcss", "uct"], &names))
        p id="notice" class="notice" role="alert" hidden {}
        div class="table versus" {
            div class="board-place" id="board" {}
            section class="columns" {
                p id="verdict" role="status" {}
                @for (side, player) in [("left", "alphabeta"), ("right", "softmax")] {
                    div class="card" id=(side) {
                        label class="field" { span { (lang.say("player")) }
                            input name="player" list="players" value=(player) maxlength="1000" spellcheck="false" autocomplete="off";
                        }
                        p class="faint facts" {}
                        ol class="lines" {}
                        div class="why wide" {}
                    }
                }
            }
        }
    })
}

fn field(lang: Lang, name: &'static str, value: &str, list: &str) -> Markup {
    html! {
        label class="field" { span { (lang.say(name)) }
            input name=(name) value=(value) list=[(!list.is_empty()).then_some(list)] maxlength="8000" spellcheck="false" autocomplete="off";
        }
    }
}

fn players(usual: &[&str], named: &[&str]) -> Markup {
    html! { datalist id="players" { @for name in usual.iter().chain(named) { option value=(name) {} } } }
}
