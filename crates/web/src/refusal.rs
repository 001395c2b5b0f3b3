//! Why a request is refused: a status, a code for programs, words for people, as JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::refusal_words::japanese;
use crate::words::Lang;

/// A refusal.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { status, code, message: message.into() }
    }

    /// What was sent makes no sense.
    pub(crate) fn bad(code: &'static str, message: &(impl ToString + ?Sized)) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, code, message.to_string())
    }

    /// There is no such thing.
    pub(crate) fn missing(what: &str) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "not-found", format!("there is no such {what}"))
    }

    /// Not for this visitor.
    pub(crate) fn forbidden(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, code, message)
    }

    /// It does not fit what has happened meanwhile.
    pub(crate) fn conflict(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, code, message)
    }

    /// Too much is going on.
    pub(crate) fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    /// What a page says about it.
    pub(crate) fn words(&self, lang: Lang) -> String {
        match (self.code, lang) {
            ("not-found", _) => lang.say("not_found").to_owned(),
            ("no-runs", _) => lang.say("no_runs_folder").to_owned(),
            (_, Lang::English) => self.message.clone(),
            (code, Lang::Japanese) => japanese(code, &self.message),
        }
    }

    /// The same refusal in the words of a language.
    pub(crate) fn told_in(self, lang: Lang) -> Refusal {
        match lang {
            Lang::English => self,
            Lang::Japanese => Refusal { message: self.words(lang), ..self },
        }
    }

    /// A fault of this machine, of which outsiders learn no more than that.
    pub(crate) fn fault(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "fault", message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "code": self.code, "message": self.message } });
        let mut response = (self.status, Json(body)).into_response();
        // The gate, which knows the visitor's language, says it in other words.
        response.extensions_mut().insert(self);
        response
    }
}
