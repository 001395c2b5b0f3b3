//! The pages of games: where they begin, and the game itself.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse as _, Response};
use maud::{Markup, html};
use serde_json::{Value, json};
use shogi::HANDICAPS;

use super::api::FORMATS;
use crate::app::App;
use crate::layout::Page;
use crate::players::LEVELS;
use crate::refusal::Refusal;
use crate::visitor::Visitor;
use crate::words::Lang;

/// The clocks that are offered: word, then seconds of main time, byoyomi and increment.
const CLOCKS: [(&str, [u32; 3]); 5] = [
    ("no_clock", [0, 0, 0]),
    ("clock_30", [0, 30, 0]),
    ("clock_5", [300, 30, 0]),
    ("clock_15", [900, 60, 0]),
    ("clock_fischer", [300, 0, 10]),
];

/// The level that is chosen at first.
const FIRST_LEVEL: i64 = 2;

/// Where a game begins.
pub(super) async fn setup(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Html<String> {
    let lang = visitor.lang;
    let page = Page {
        visitor: &visitor,
        title: lang.say("play"),
        part: "/play",
        module: Some("setup.js"),
        data: Value::Null,
    };
    page.with(&html! {
        div class="narrow" {
            h1 { (lang.say("new_game")) }
            p class="lead" { (lang.say("lead")) }
            form id="new-game" class="card" {
                (sides(lang))
                (strength(lang))
                (choice(lang, "handicap", HANDICAPS.iter().map(|h| (h.name, lang.say(h.name), h.name == "HIRATE"))))
                (choice(lang, "time", CLOCKS.iter().map(|(word, seconds)| (seconds, lang.say(word), *word == "no_clock"))
                    .map(|(seconds, text, chosen)| (seconds.map(|n| n.to_string()).join(","), text, chosen))))
                details {
                    summary { (lang.say("more")) }
                    @if app.players.names().next().is_some() {
                        (choice(lang, "opponent", std::iter::once(("", "Yomi", true)).chain(app.players.names().map(|name| (name, name, false)))))
                    }
                    label class="field" {
                        span { (lang.say("spec")) }
                        input name="player" maxlength="1000" autocomplete="off" spellcheck="false" placeholder="softmax(T=60)";
                        small { (lang.say("spec_hint")) }
                    }
                    label class="field" {
                        span { (lang.say("position")) }
                        input name="sfen" maxlength="200" autocomplete="off" spellcheck="false";
                    }
                }
                p class="refusal" role="alert" hidden {}
                button class="primary" { (lang.say("start")) }
            }
            section id="your-games" hidden { h2 { (lang.say("your_games")) } ul {} }
        }
    })
}

fn sides(lang: Lang) -> Markup {
    html! {
        fieldset class="field segments" {
            legend { (lang.say("your_side")) }
            @for (value, word) in [("black", "side_black"), ("white", "side_white"), ("random", "side_random")] {
                label { input type="radio" name="side" value=(value) checked[value == "black"]; span { (lang.say(word)) } }
            }
        }
    }
}

fn strength(lang: Lang) -> Markup {
    const KEYS: [&str; 11] = [
        "level_0", "level_2", "level_4", "level_6", "level_8", "level_10", "level_12", "level_14",
        "level_16", "level_18", "level_20",
    ];
    choice(
        lang,
        "strength",
        LEVELS.into_iter().zip(KEYS).map(|(level, key)| (level, lang.say(key), level == FIRST_LEVEL)),
    )
}

/// A field to choose from: values, words, and whether it is chosen at first.
fn choice<V: maud::Render, T: maud::Render>(
    lang: Lang,
    name: &'static str,
    options: impl Iterator<Item = (V, T, bool)>,
) -> Markup {
    html! {
        label class="field" {
            span { (lang.say(name)) }
            select name=(name) {
                @for (value, text, is_chosen) in options { option value=(value) selected[is_chosen] { (text) } }
            }
        }
    }
}

/// A game.
pub(super) async fn game(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Response {
    match game_page(&app, &visitor, &id) {
        Ok(page) => page.into_response(),
        Err(refusal) => {
            let title = visitor.lang.say("error");
            let page = Page { visitor: &visitor, title, part: "/play", module: None, data: Value::Null };
            let body = page
                .with(&html! { div class="narrow" { h1 { (title) } p { (refusal.words(visitor.lang)) } } });
            (refusal.status, body).into_response()
        }
    }
}

fn game_page(app: &App, visitor: &Visitor, id: &str) -> Result<Html<String>, Refusal> {
    let lang = visitor.lang;
    let live = app.games.find(app, id)?;
    let state: Value = serde_json::from_str(&live.snapshot(app)).unwrap_or_default();
    let is_own = live.belongs_to(&visitor.name);
    let data = json!({ "game": state, "own": is_own });
    let page = Page { visitor, title: lang.say("game"), part: "/play", module: Some("game.js"), data };
    Ok(page.with(&html! {
        h1 class="hidden" { (lang.say("game")) }
        div class="table" {
            div class="board-place" id="board" {}
            aside class="side" {
                p id="status" class="status" role="status" aria-live="polite" {}
                p id="notice" class="notice" role="alert" hidden {}
                div id="entering" class="card" hidden {}
                div class="buttons" hidden[!is_own] id="actions" {
                    button type="button" id="take-back" { (lang.say("take_back")) }
                    button type="button" id="resign" { (lang.say("resign")) }
                    button type="button" id="declare" hidden { (lang.say("declare")) }
                }
                @if !is_own { p class="notice" { (lang.say("watching")) } }
                section class="moves" aria-labelledby="moves-title" {
                    h2 id="moves-title" { (lang.say("moves")) }
                    ol id="moves" tabindex="0" {}
                    (steps(lang))
                }
                form id="typed" class="typed" hidden[!is_own] {
                    label { span class="hidden" { (lang.say("typed_move")) }
                        input name="move" placeholder="7g7f" maxlength="6" autocomplete="off" autocapitalize="off" spellcheck="false" title=(lang.say("typed_move"));
                    }
                }
                div class="buttons" {
                    button type="button" id="flip" { (lang.say("flip")) }
                    button type="button" id="sound" aria-pressed="false" { (lang.say("sound")) }
                    a class="button" href={ "/analyse?game=" (id) } { (lang.say("analyse_this")) }
                    a class="button" href="/play" { (lang.say("rematch")) }
                }
                p class="export" { (lang.say("export")) ": "
                    @for (name, _) in FORMATS { a href={ "/api/games/" (id) "/record/" (name) } download { (name.to_uppercase()) } " " }
                }
            }
        }
    }))
}

/// The bar that steps through moves.
pub(crate) fn steps(lang: Lang) -> Markup {
    html! {
        div class="steps" {
            @for (id, sign) in [("first", "«"), ("back", "‹"), ("forward", "›"), ("last", "»")] {
                button type="button" data-step=(id) title=(word(lang, id)) aria-label=(word(lang, id)) { (sign) }
            }
        }
    }
}

fn word(lang: Lang, id: &str) -> &'static str {
    match id {
        "first" => lang.say("first"),
        "back" => lang.say("back"),
        "forward" => lang.say("forward"),
        _ => lang.say("last"),
    }
}
