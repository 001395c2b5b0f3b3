//! Requests as anybody could send them, byte by byte.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// What a server answered.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// The code of a refusal.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// A cookie that the server set, with its name.
    pub(crate) fn cookie(&self, name: &str) -> String {
        let line = self.head.lines().find_map(|line| {
            let value = line.strip_prefix("set-cookie: ")?;
            value.starts_with(name).then_some(value)
        });
        line.unwrap_or_default().split(';').next().unwrap_or_default().to_owned()
    }
}

/// A connection with some patience.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("connected");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
    stream
}

/// Sends a request whole and reads the answer whole.
pub(crate) fn ask(address: SocketAddr, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
    let mut stream = connect(address);
    let host = if headers.iter().any(|line| line.starts_with("Host:")) {
        String::new()
    } else {
        format!("Host: {address}\r\n")
    };
    let more: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let head = format!("{method} {path} HTTP/1.1\r\n{host}{more}{length}Connection: close\r\n\r\n");
    // A server that refuses early may close before all is sent.
    let _ = stream.write_all((head + body).as_bytes());
    read(stream)
}

/// Reads an answer to its end.
pub(crate) fn read(stream: TcpStream) -> Answer {
    let mut reader = BufReader::new(stream);
    let (mut head, mut line) = (String::new(), String::new());
    while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
        head += &line;
        line.clear();
    }
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    let mut body = Vec::new();
    let _ = reader.read_to_end(&mut body);
    Answer { status, head: head.replace("\r\n", "\n"), body: String::from_utf8_lossy(&body).into_owned() }
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Answer {
    ask(address, "GET", path, &[], "")
}

/// A command as a page sends it, by a visitor with a cookie.
pub(crate) fn post(address: SocketAddr, path: &str, cookie: &str, body: &str) -> Answer {
    let cookie = format!("Cookie: {cookie}");
    ask(address, "POST", path, &["Content-Type: application/json", &cookie], body)
}
