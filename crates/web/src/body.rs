//! What a request brings along: no more than it may, no slower than it may, and of the kind it says.

use std::time::Duration;

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// Commands are short.
const LARGEST_COMMAND: usize = 64 << 10;
/// The largest record that is read: a file of some hundred games.
pub(crate) const LARGEST_RECORD: usize = 2 << 20;
/// A body that takes longer is refused.
const PATIENCE: Duration = Duration::from_secs(20);

/// A command as JSON.
pub(crate) struct Command<T>(pub(crate) T);

/// Something longer as JSON.
pub(crate) struct Document<T>(pub(crate) T);

/// A record, as its file has it.
pub(crate) struct RecordBytes(pub(crate) Bytes);

/// What an address says after its question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let asked = Query::try_from_uri(&parts.uri).map_err(|error| Refusal::bad("query", &error))?;
        Ok(Asked(asked.0))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Command<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        read_json(request, LARGEST_COMMAND).await.map(Command)
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Document<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        read_json(request, LARGEST_RECORD).await.map(Document)
    }
}

async fn read_json<T: DeserializeOwned>(request: Request, largest: usize) -> Result<T, Refusal> {
    expect_type(&request, "application/json")?;
    let bytes = read(request, largest).await?;
    serde_json::from_slice(&bytes).map_err(|error| Refusal::bad("json", &error))
}

impl<S: Send + Sync> FromRequest<S> for RecordBytes {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        expect_type(&request, "application/octet-stream")?;
        read(request, LARGEST_RECORD).await.map(RecordBytes)
    }
}

/// A form of another site cannot send these types without asking first.
fn expect_type(request: &Request, expected: &str) -> Result<(), Refusal> {
    let found = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let found = found.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if found.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    let message = format!("expected the content type {expected}");
    Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "content-type", message))
}

async fn read(request: Request, largest: usize) -> Result<Bytes, Refusal> {
    let too_large = || {
        let message = format!("expected at most {largest} bytes");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
    };
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if declared.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > largest) {
        return Err(too_large());
    }
    match tokio::time::timeout(PATIENCE, to_bytes(request.into_body(), largest)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "the body took too long")),
    }
}
