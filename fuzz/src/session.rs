//! USI sessions.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::{Flow, Options, Session};
use protocol::usi::{EngineMessage, GuiMessage, Info, SyntaxError};

/// How long a session may take to say what is left to say.
const PATIENCE: Duration = Duration::from_secs(30);
/// Options that take memory, threads or files as the input likes.
const COSTLY: [&str; 6] = ["hash", "threads", "file", "dir", "player", "multipv"];

/// Every `go` is answered or refused once, whatever else is said, and the session ends. A player that needs no net keeps it
/// fast; searches are stopped as soon as all is said.
pub fn answers_every_go(text: &str) {
    let (sender, messages) = mpsc::channel();
    let sender = Mutex::new(sender);
    let sink = Arc::new(move |message| {
        let _ = sender.lock().unwrap().send(message);
    });
    let player = "alphabeta(eval=material, hash=1)".to_owned();
    let mut session = Session::new(Options { player, ..Options::default() }, sink);
    let mut asked = 0;
    for line in text.lines().take(40).filter(|line| !is_costly(line)) {
        let is_go = matches!(GuiMessage::parse(line), Some(Ok(GuiMessage::Go(_)) | Err(SyntaxError::Go(_))));
        if session.line(line) == Flow::Quit {
            break;
        }
        asked += usize::from(is_go);
    }
    session.end();
    let mut answered = 0;
    loop {
        match messages.recv_timeout(PATIENCE) {
            Ok(EngineMessage::BestMove(_) | EngineMessage::Checkmate(_)) => answered += 1,
            Ok(EngineMessage::Info(info)) => answered += usize::from(is_refusal(&info)),
            Ok(_) => {}
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("no end after {text:?}"),
        }
    }
    assert_eq!(answered, asked, "{text:?}");
}

fn is_refusal(info: &Info) -> bool {
    info.string.as_ref().is_some_and(|text| text.starts_with("error: go refused"))
}

fn is_costly(line: &str) -> bool {
    let line = line.to_lowercase();
    line.contains("setoption") && COSTLY.iter().any(|word| line.contains(word))
}
