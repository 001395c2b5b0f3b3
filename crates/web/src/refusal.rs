//! Why a request is refused: a status, a code for programs, words for people, as JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

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
    pub(crate) fn words(&self, lang: Lang) -> &str {
        match self.code {
            "not-found" => lang.say("not_found"),
            "no-runs" => lang.say("no_runs_folder"),
            _ => &self.message,
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
        (self.status, Json(body)).into_response()
    }
}
