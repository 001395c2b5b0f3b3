//! Who asks: the visitor's name, language and tastes, as cookies and headers tell them.

use axum::http::{HeaderMap, Uri, header};
use plot::PieceSet;

use crate::random::{self, VISITOR_NAME};
use crate::words::Lang;

/// The cookie of the visitor's name.
pub(crate) const NAME_COOKIE: &str = "yomi_visitor";
/// The cookie of the token.
pub(crate) const TOKEN_COOKIE: &str = "yomi_token";

/// Light or dark, if the visitor chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
}

/// Whoever sent a request.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// A secret that only this browser knows: games belong to it.
    pub(crate) name: String,
    pub(crate) lang: Lang,
    pub(crate) theme: Option<Theme>,
    pub(crate) pieces: PieceSet,
}

impl Theme {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// The value of a parameter that needs no decoding.
pub(crate) fn parameter<'a>(uri: &'a Uri, name: &str) -> Option<&'a str> {
    let mut pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

impl Visitor {
    /// The visitor of a request, and whether the name is new; `None` if no name can be made.
    pub(crate) fn of(headers: &HeaderMap, uri: &Uri) -> Option<(Visitor, bool)> {
        let known = cookie(headers, NAME_COOKIE).filter(|name| random::is_name(name, VISITOR_NAME));
        let name = known.map_or_else(|| random::name(VISITOR_NAME), |name| Some(name.to_owned()))?;
        let accepted = || headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok();
        let lang = parameter(uri, "lang")
            .and_then(Lang::named)
            .or_else(|| cookie(headers, "yomi_lang").and_then(Lang::named));
        let theme = match cookie(headers, "yomi_theme") {
            Some("light") => Some(Theme::Light),
            Some("dark") => Some(Theme::Dark),
            _ => None,
        };
        let lang = lang.unwrap_or_else(|| Lang::accepted(accepted().unwrap_or_default()));
        let chosen = PieceSet::ALL.into_iter().find(|set| cookie(headers, "yomi_pieces") == Some(set.name()));
        let pieces = chosen.unwrap_or_default();
        Some((Visitor { name, lang, theme, pieces }, known.is_none()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn cookies_and_parameters_are_found_by_their_whole_name() {
        let mut headers = HeaderMap::new();
        headers
            .insert(header::COOKIE, HeaderValue::from_static("xyomi_lang=en; yomi_lang=ja;yomi_theme=dark"));
        assert_eq!(cookie(&headers, "yomi_lang"), Some("ja"));
        assert_eq!(cookie(&headers, "lang"), None);
        let uri: Uri = "/play?xlang=a&lang=en".parse().unwrap();
        assert_eq!(parameter(&uri, "lang"), Some("en"));
        let (visitor, is_new) = Visitor::of(&headers, &uri).unwrap();
        assert!(is_new && visitor.lang == Lang::English && visitor.theme == Some(Theme::Dark));
    }

    #[test]
    fn a_forged_name_is_replaced() {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("yomi_visitor=../../../../../../etc/x"));
        let (visitor, is_new) = Visitor::of(&headers, &Uri::from_static("/")).unwrap();
        assert!(is_new && random::is_name(&visitor.name, VISITOR_NAME));
    }
}
