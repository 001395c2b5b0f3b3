//! Live data: a stream of server-sent events that ends what feeds it when its reader goes away.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc;

/// A word now and then keeps proxies and our own patience from ending the connection.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Events that may wait for a slow reader.
const WAITING: usize = 8;

/// Where events go. Clones feed the same reader.
#[derive(Clone)]
pub(crate) struct Feed(mpsc::Sender<Bytes>);

/// The reader's end as a body.
struct Events(mpsc::Receiver<Bytes>);

impl Stream for Events {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(Ok))
    }
}

/// A feed, and the response that its reader gets.
pub(crate) fn stream() -> (Feed, Response) {
    let (sender, receiver) = mpsc::channel(WAITING);
    let mut response = Response::new(Body::from_stream(Events(receiver)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (Feed(sender), response)
}

/// An event as its line of text. JSON has no line feeds of its own.
pub(crate) fn event(name: &str, data: &impl Serialize) -> Bytes {
    let json = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    Bytes::from(format!("event: {name}\ndata: {json}\n\n"))
}

impl Feed {
    /// Sends, waiting for a slow reader; `false` if there is none any more.
    pub(crate) async fn send(&self, bytes: Bytes) -> bool {
        self.0.send(bytes).await.is_ok()
    }

    /// Sends from a thread that must not wait long: what a slow reader has no room for is lost.
    pub(crate) fn offer(&self, bytes: Bytes) {
        let _ = self.0.try_send(bytes);
    }

    /// Sends from a thread of its own, waiting for a slow reader.
    pub(crate) fn send_blocking(&self, bytes: Bytes) -> bool {
        self.0.blocking_send(bytes).is_ok()
    }

    /// Whether the reader has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// Ends when the reader has gone.
    pub(crate) async fn closed(&self) {
        self.0.closed().await;
    }

    /// A line that means nothing.
    pub(crate) async fn keep_alive(&self) -> bool {
        self.send(Bytes::from_static(b":\n\n")).await
    }
}
