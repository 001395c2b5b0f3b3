//! What all pages have: head, navigation, the pieces, and the words that modules in the browser need.

use axum::response::Html;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use plot::PieceSet;
use serde_json::Value;

use crate::visitor::{Theme, Visitor};
use crate::words::Lang;

/// The address of the style sheet.
pub(crate) const SHEET: &str = "/assets/style.css";

/// The pages of the navigation: address, word.
const PAGES: [(&str, &str); 5] = [
    ("/play", "play"),
    ("/analyse", "analyse"),
    ("/trees", "trees"),
    ("/compare", "compare"),
    ("/lab", "lab"),
];

/// A page of the site.
pub(crate) struct Page<'a> {
    pub(crate) visitor: &'a Visitor,
    pub(crate) title: &'a str,
    /// The address of the part of the site that it belongs to.
    pub(crate) part: &'static str,
    /// The module that keeps it alive.
    pub(crate) module: Option<&'static str>,
    /// What that module is told.
    pub(crate) data: Value,
}

impl Page<'_> {
    /// The page around its content.
    pub(crate) fn with(&self, content: &Markup) -> Html<String> {
        let Visitor { lang, theme, pieces, .. } = *self.visitor;
        let page = html! {
            (DOCTYPE)
            html lang=(lang.code()) data-theme=[theme.map(Theme::name)] data-pieces=(pieces.name()) {
                (head(self.title, self.module))
                body {
                    a class="skip" href="#main" { (lang.say("skip")) }
                    (self.navigation(lang))
                    main id="main" { (content) }
                    (sprite())
                    (json("words", &lang.for_modules()))
                    (json("data", &self.data))
                }
            }
        };
        Html(page.into_string())
    }

    fn navigation(&self, lang: Lang) -> Markup {
        html! {
            header class="top" {
                a class="brand" href="/play" { "Yomi" }
                nav aria-label=(lang.say("pages")) {
                    @for (address, word) in PAGES {
                        a href=(address) aria-current=[(address == self.part).then_some("page")] { (lang.say(word)) }
                    }
                }
                div class="tastes" {
                    button type="button" id="pieces" title=(lang.say("pieces")) aria-label=(lang.say("pieces")) { (pieces_sign()) }
                    button type="button" id="theme" title=(lang.say("theme")) aria-label=(lang.say("theme")) { "◐" }
                    @let other = lang.other();
                    a href={ "?lang=" (other.code()) } lang=(other.code()) hreflang=(other.code()) { (other.own_name()) }
                }
            }
        }
    }
}

/// A piece, for the button that changes them.
pub(crate) fn pieces_sign() -> Markup {
    html! { svg viewBox="-22 -24.5 44 48" aria-hidden="true" { use href="#kanji-S" x="-22" y="-24.5" width="44" height="48" {} } }
}

pub(crate) fn head(title: &str, module: Option<&str>) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width,initial-scale=1";
            title { (title) " · Yomi" }
            link rel="stylesheet" href=(SHEET);
            link rel="icon" href="data:,";
            script type="module" src="/assets/page.js" {}
            @if let Some(module) = module { script type="module" src={ "/assets/" (module) } {} }
        }
    }
}

/// Every piece of both sets, for `use`.
pub(crate) fn sprite() -> Markup {
    html! {
        svg class="plot sprite" width="0" height="0" aria-hidden="true" {
            @for set in PieceSet::ALL { (set.symbols()) }
            (plot::rank_symbols())
        }
    }
}

/// Data for a module: inert, and unable to end its element.
pub(crate) fn json(id: &str, value: &Value) -> Markup {
    let text = value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    html! { script type="application/json" id=(id) { (PreEscaped(text)) } }
}

/// Asks for the token.
pub(crate) fn token_page(visitor: &Visitor) -> Html<String> {
    let lang = visitor.lang;
    let page = html! {
        (DOCTYPE)
        html lang=(lang.code()) {
            (head("Yomi", None))
            body {
                main id="main" class="narrow" {
                    h1 { "Yomi" }
                    form method="get" {
                        label { (lang.say("token")) " " input type="password" name="token" autocomplete="current-password" required; }
                        button { (lang.say("enter")) }
                    }
                }
            }
        }
    };
    Html(page.into_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_element() {
        let value = Value::String("</script><script>alert(1)</script>&amp;".to_owned());
        let markup = json("data", &value).into_string();
        assert_eq!(markup.matches("</script>").count(), 1, "{markup}");
        let inner = markup.split('>').nth(1).unwrap().split('<').next().unwrap();
        assert_eq!(serde_json::from_str::<Value>(inner).unwrap(), value);
    }
}
