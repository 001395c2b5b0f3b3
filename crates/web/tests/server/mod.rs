//! A server for tests, in this process: on a free port, with a folder of its own, able to end and begin again.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;

use web::{Settings, serve};

/// A server that runs.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts with these settings.
    pub(crate) fn with(settings: Settings) -> Server {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let flag = Arc::clone(&is_stopped);
        let thread = std::thread::spawn(move || {
            serve(settings, &|| flag.load(Ordering::Relaxed), &mut |address| sender.send(address).unwrap())
                .unwrap();
        });
        let address = receiver.recv().expect("it listens");
        Server { address, is_stopped, thread: Some(thread) }
    }

    /// Starts on an address.
    pub(crate) fn at(address: SocketAddr, data: &Path) -> Server {
        Server::with(settings(address, data))
    }

    /// Starts on a free port.
    #[allow(dead_code, reason = "each test binary uses its own part")]
    pub(crate) fn start(data: &Path) -> Server {
        Server::at(free(), data)
    }

    #[allow(dead_code, reason = "each test binary uses its own part")]
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Ends it, and waits for that.
    pub(crate) fn stop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The usual settings.
pub(crate) fn settings(address: SocketAddr, data: &Path) -> Settings {
    let (token, runs, program, players) = (None, None, None, Vec::new());
    let (searches, connections, patience) = (2, 256, web::PATIENCE);
    Settings {
        address,
        token,
        data: data.to_owned(),
        runs,
        program,
        players,
        searches,
        connections,
        patience,
    }
}

/// An address that nobody listens on.
pub(crate) fn free() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address")
}
