//! An analysed game as a page that is one file, to send to a friend.

use engine::analysis::Analysis;
use maud::{DOCTYPE, PreEscaped, html};
use plot::PieceSet;
use records::game::Game;
use serde_json::json;

use super::{page, record_view, review};
use crate::assets;
use crate::layout::{json as inert, pieces_sign, sprite};
use crate::words::Lang;

/// Each after those that it imports.
const MODULES: [&str; 10] = [
    "page.js",
    "position.js",
    "board.js",
    "game_tree.js",
    "graph.js",
    "lines.js",
    "record_input.js",
    "record_output.js",
    "streams.js",
    "analyse.js",
];

/// The page of analysis for one game, with nothing left to fetch. `heading` tells how it was analysed.
#[must_use]
pub fn report_page(game: &Game, analysis: &Analysis, heading: &str) -> String {
    let lang = Lang::English;
    let names = game.info.players.each_ref().map(|name| name.as_deref().unwrap_or("?"));
    let title = format!("☗ {} – ☖ {}", names[0], names[1]);
    let data = json!({
        "live": false,
        "record": record_view::view(game),
        "review": review::view(game, analysis),
    });
    let script = assets::bundle(&MODULES).replace("</", "<\\/");
    let page = html! {
        (DOCTYPE)
        html lang="en" data-pieces=(PieceSet::Kanji.name()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
                title { (title) }
                style { (PreEscaped(assets::sheet())) }
            }
            body {
                header class="top" {
                    strong { (title) }
                    span class="faint" { (heading) }
                    div class="tastes" {
                        button type="button" id="pieces" { (pieces_sign()) }
                        button type="button" id="theme" { "◐" }
                    }
                }
                main id="main" { (page::desk(lang, None)) }
                (sprite())
                (inert("words", &lang.for_modules()))
                (inert("data", &data))
                script type="module" { (PreEscaped(script)) }
            }
        }
    };
    page.into_string() + "\n"
}
