//! The gate that every request passes: from which site it comes, whether it knows the token, who it is; and what every
//! answer says about itself.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::layout;
use crate::refusal::Refusal;
use crate::visitor::{NAME_COOKIE, TOKEN_COOKIE, Visitor, cookie, parameter};

/// Only what this server sends, no inline scripts or styles, in nobody's frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// A year.
const LONG: &str = "Max-Age=31536000; Path=/; SameSite=Strict";

/// The token as it is kept: its hash, so that comparing takes equally long whatever is wrong with a guess.
#[derive(Clone)]
pub(crate) struct Token([u8; 32]);

impl Token {
    pub(crate) fn new(text: &str) -> Token {
        Token(Sha256::digest(text.as_bytes()).into())
    }

    fn is(&self, guess: &str) -> bool {
        let guess = Token::new(guess).0;
        self.0.iter().zip(guess).fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
    }
}

/// Lets a request through, or not.
pub(crate) async fn gate(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let mut response = match admitted(&app, &request) {
        Ok((visitor, cookies)) => {
            let lang = visitor.lang;
            request.extensions_mut().insert(visitor);
            let mut response = next.run(request).await;
            if let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
                *response.body_mut() = refusal.told_in(lang).into_response().into_body();
                response.headers_mut().remove(header::CONTENT_LENGTH);
            }
            for cookie in cookies {
                if let Ok(value) = HeaderValue::from_str(&cookie) {
                    response.headers_mut().append(header::SET_COOKIE, value);
                }
            }
            response
        }
        Err(response) => *response,
    };
    protect(response.headers_mut());
    response
}

/// The visitor and the cookies that the browser is to keep, or what is answered instead.
fn admitted(app: &App, request: &Request) -> Result<(Visitor, Vec<String>), Box<Response>> {
    let (headers, uri) = (request.headers(), request.uri());
    check_site(app, headers, request.method(), uri).map_err(|refusal| Box::new(refusal.into_response()))?;
    let Some((visitor, is_new)) = Visitor::of(headers, uri) else {
        return Err(Box::new(Refusal::fault("the system has no randomness").into_response()));
    };
    if let Some(token) = &app.token {
        check_token(token, headers, uri, &visitor)?;
    }
    let mut cookies = Vec::new();
    if is_new {
        cookies.push(format!("{NAME_COOKIE}={}; HttpOnly; {LONG}", visitor.name));
    }
    if parameter(uri, "lang").is_some() {
        cookies.push(format!("yomi_lang={}; {LONG}", visitor.lang.code()));
    }
    Ok((visitor, cookies))
}

/// Whether a request may come from where it comes from: another site's pages may neither change anything nor make this
/// machine think, and a name of somebody else's that leads here (DNS rebinding) is none of ours.
fn check_site(app: &App, headers: &HeaderMap, method: &Method, uri: &Uri) -> Result<(), Refusal> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    if app.token.is_none() && !is_loopback(host) {
        return Err(Refusal::forbidden("host", "this server answers to localhost only"));
    }
    // No address of ours needs an escape, and no trick with one gets any further.
    if uri.path().contains(['%', '\\']) || uri.path().contains("..") {
        return Err(Refusal::missing("page"));
    }
    let is_safe = *method == Method::GET || *method == Method::HEAD;
    if is_safe && !uri.path().starts_with("/api/") {
        return Ok(());
    }
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let is_foreign = site.is_some_and(|site| site != "same-origin" && !(is_safe && site == "none"));
    let origin = text(header::ORIGIN);
    let is_other = origin.is_some_and(|origin| origin.split_once("://").is_none_or(|(_, from)| from != host));
    if is_foreign || is_other {
        return Err(Refusal::forbidden("origin", "only pages of this server may ask this"));
    }
    Ok(())
}

/// Whether a host, with or without a port, is this machine as it sees itself.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A right token in the address becomes a cookie, and goes from the address.
fn check_token(
    token: &Token,
    headers: &HeaderMap,
    uri: &Uri,
    visitor: &Visitor,
) -> Result<(), Box<Response>> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let shown =
        bearer.and_then(|text| text.strip_prefix("Bearer ")).or_else(|| cookie(headers, TOKEN_COOKIE));
    if shown.is_some_and(|guess| token.is(guess)) || uri.path() == "/health" {
        return Ok(());
    }
    if let Some(guess) = parameter(uri, "token").filter(|guess| token.is(guess)) {
        let keep = format!("{TOKEN_COOKIE}={guess}; HttpOnly; {LONG}");
        let headers = [(header::SET_COOKIE, keep), (header::LOCATION, uri.path().to_owned())];
        return Err(Box::new((StatusCode::SEE_OTHER, headers).into_response()));
    }
    if uri.path().starts_with("/api/") || uri.path().starts_with("/assets/") && uri.path() != layout::SHEET {
        let refusal = Refusal::new(
            StatusCode::UNAUTHORIZED,
            "token",
            "this server wants its token, as ?token=… once or as a bearer",
        );
        return Err(Box::new(refusal.told_in(visitor.lang).into_response()));
    }
    if uri.path() == layout::SHEET {
        return Ok(());
    }
    Err(Box::new((StatusCode::UNAUTHORIZED, layout::token_page(visitor)).into_response()))
}

/// What every answer says.
fn protect(headers: &mut HeaderMap) {
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
        ("cache-control", "no-store"),
    ] {
        let name = HeaderName::from_static(name);
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_loopback() {
        for host in ["localhost", "localhost:8730", "127.0.0.1:1", "[::1]:8730", "127.9.9.9", "LOCALHOST"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in
            ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "[::2]"]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn a_token_is_only_itself() {
        let token = Token::new("right");
        assert!(token.is("right"));
        for guess in ["", "righ", "right ", "Right", "rightright"] {
            assert!(!token.is(guess), "{guess}");
        }
    }
}
