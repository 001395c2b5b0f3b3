//! Connections: how many there may be, and that each ends when nothing has moved on it for long, in either direction.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// As many connections as there may be; clones are the same.
#[derive(Clone)]
pub(crate) struct Connections {
    places: Arc<Semaphore>,
    pub(crate) most: usize,
}

impl Connections {
    pub(crate) fn new(most: usize) -> Connections {
        Connections { places: Arc::new(Semaphore::new(most)), most }
    }

    /// Waits for a place.
    pub(crate) async fn take_one(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        Arc::clone(&self.places).acquire_owned().await
    }

    /// How many there are; the place that the next one will have counts once it is taken.
    pub(crate) fn open(&self) -> usize {
        self.most - self.places.available_permits()
    }
}

/// A connection with its share of the connections there may be.
pub(crate) struct Watched {
    stream: TcpStream,
    patience: Duration,
    end: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl Watched {
    pub(crate) fn new(stream: TcpStream, patience: Duration, permit: OwnedSemaphorePermit) -> Watched {
        Watched { stream, patience, end: Box::pin(sleep(patience)), _permit: permit }
    }

    /// Puts the end off if something moved; else fails once it has come.
    fn judged<T>(&mut self, polled: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            let end = Instant::now() + self.patience;
            self.end.as_mut().reset(end);
            return polled;
        }
        match self.end.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.judged(polled, context)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judged(polled, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
