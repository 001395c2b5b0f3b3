//! Sessions under pressure: one answer for each `go`, whatever the timing.

use std::io::Write as _;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use engine::{Flow, Options, Session, Settings};
use protocol::usi::{BestMove, Bound, EngineMessage};
use shogi::Position;

const LONG: Duration = Duration::from_secs(20);
/// Less than a session waits for work that cannot be interrupted.
const PROMPT: Duration = Duration::from_millis(1500);

fn session(settings: Settings) -> (Session, Receiver<EngineMessage>) {
    session_of(Options { settings, ..Options::default() })
}

fn session_of(mut options: Options) -> (Session, Receiver<EngineMessage>) {
    options.settings.hash = 1;
    let (sender, messages) = mpsc::channel();
    let sender = Mutex::new(sender);
    let sink = Arc::new(move |message| {
        // A test that has ended listens no more.
        let _ = sender.lock().unwrap().send(message);
    });
    (Session::new(options, sink), messages)
}

fn say(session: &mut Session, lines: &[&str]) {
    for line in lines {
        assert_eq!(session.line(line), Flow::Continue, "{line}");
    }
}

fn best_move(messages: &Receiver<EngineMessage>) -> BestMove {
    loop {
        if let EngineMessage::BestMove(best) = messages.recv_timeout(LONG).expect("an answer") {
            return best;
        }
    }
}

/// All that is said until the worker of a session that has ended is gone; fails if it stays.
fn rest(messages: &Receiver<EngineMessage>) -> Vec<EngineMessage> {
    let mut rest = Vec::new();
    loop {
        match messages.recv_timeout(LONG) {
            Ok(message) => rest.push(message),
            Err(RecvTimeoutError::Disconnected) => return rest,
            Err(RecvTimeoutError::Timeout) => panic!("the worker goes on after the end"),
        }
    }
}

fn count_answers(messages: &Receiver<EngineMessage>) -> usize {
    rest(messages).iter().filter(|message| matches!(message, EngineMessage::BestMove(_))).count()
}

#[test]
fn stop_publishes_exactly_one_bestmove() {
    for ponder_opponent in [false, true] {
        let (mut session, messages) = session(Settings { ponder_opponent, ..Settings::default() });
        let rounds = 120;
        say(&mut session, &["isready", "position startpos moves 7g7f"]);
        for round in 0..rounds {
            let go =
                ["go infinite", "go ponder btime 1000 wtime 1000", "go nodes 50", "go movetime 2"][round % 4];
            say(&mut session, &[go]);
            std::thread::sleep(Duration::from_micros((round as u64 * 37) % 3000));
            match round % 3 {
                0 => say(&mut session, &["stop"]),
                1 => say(&mut session, &["ponderhit", "stop", "gameover win"]),
                _ => say(&mut session, &["gameover lose", "ponderhit"]),
            }
        }
        session.end();
        assert_eq!(count_answers(&messages), rounds);
    }
}

#[test]
fn who_ponders_at_the_opponents_position_answers_a_hit_by_the_clock_and_a_miss_at_once() {
    for player in ["alphabeta", "softmax", "mcss", "uct"] {
        let settings = Settings { ponder_opponent: true, ..Settings::default() };
        let (mut session, messages) =
            session_of(Options { settings, player: player.to_owned(), ..Options::default() });
        say(&mut session, &["isready", "position startpos moves 7g7f", "go ponder byoyomi 200"]);
        std::thread::sleep(Duration::from_millis(100));
        let is_answer = |message: &EngineMessage| matches!(message, EngineMessage::BestMove(_));
        assert!(messages.try_iter().all(|message| !is_answer(&message)), "{player}: nobody asked yet");
        say(&mut session, &["ponderhit"]);
        let started = Instant::now();
        assert!(matches!(best_move(&messages), BestMove::Move { .. }), "{player}");
        assert!(started.elapsed() < PROMPT, "{player}: {:?}", started.elapsed());
        say(&mut session, &["position startpos moves 7g7f 3c3d", "go ponder byoyomi 60000"]);
        std::thread::sleep(Duration::from_millis(50));
        let started = Instant::now();
        say(&mut session, &["stop"]);
        let BestMove::Move { best, .. } = best_move(&messages) else { panic!("{player}: no move") };
        assert!(started.elapsed() < PROMPT, "{player}: {:?}", started.elapsed());
        let mut position = Position::start();
        ["7g7f", "3c3d"].iter().for_each(|m| {
            position.play(m.parse().unwrap());
        });
        assert!(position.is_legal(best), "{player}: {best}");
        session.end();
    }
}

#[test]
fn stop_reaches_searches_that_have_not_begun() {
    let (mut session, messages) = session(Settings::default());
    say(&mut session, &["go infinite", "go infinite", "go ponder", "stop"]);
    // The end of a session stops searches too: the answers must come before it.
    for _ in 0..3 {
        best_move(&messages);
    }
    session.end();
    assert_eq!(count_answers(&messages), 0);
}

#[test]
fn quit_is_not_answered_but_ends() {
    let (mut session, messages) = session(Settings::default());
    say(&mut session, &["isready", "go infinite"]);
    let is_report = |message| matches!(message, EngineMessage::Info(info) if info.depth.is_some());
    while !is_report(messages.recv_timeout(LONG).expect("a report")) {}
    let started = Instant::now();
    assert_eq!(session.line("quit"), Flow::Quit);
    session.end();
    assert!(started.elapsed() < PROMPT, "the end waits for a search that should have been stopped");
    // What is left to say is about the search.
    let is_of_search =
        |message: &EngineMessage| matches!(message, EngineMessage::Info(_) | EngineMessage::BestMove(_));
    let left = rest(&messages);
    assert!(left.iter().all(is_of_search), "{left:?}");
    assert_eq!(left.iter().filter(|message| matches!(message, EngineMessage::BestMove(_))).count(), 1);
}

#[test]
fn the_book_is_played_and_its_illegal_moves_are_named() {
    let mut file = tempfile::NamedTempFile::with_suffix(".db").unwrap();
    let text =
        format!("#YANEURAOU-DB2016 1.00\nsfen {}\n1g1f 9c9d 30 32 9\n5i5a none 99 32 1\n", shogi::START_SFEN);
    file.write_all(text.as_bytes()).unwrap();
    let settings = Settings { book: file.path().display().to_string(), ..Settings::default() };
    let (mut session, messages) = session(settings);
    say(&mut session, &["isready", "position startpos", "go nodes 100"]);
    let mut remarks = Vec::new();
    let best = loop {
        match messages.recv_timeout(LONG).unwrap() {
            EngineMessage::BestMove(best) => break best,
            message => remarks.push(message.to_string()),
        }
    };
    assert_eq!(best.to_string(), "bestmove 1g1f ponder 9c9d");
    assert!(remarks.iter().any(|r| r.ends_with("the book has illegal moves here: 5i5a")), "{remarks:?}");
    assert!(remarks.iter().any(|r| r == "info depth 32 score cp 30 pv 1g1f 9c9d"), "{remarks:?}");
    say(&mut session, &["setoption name USI_OwnBook value false", "go depth 1 searchmoves 2g2f"]);
    assert!(best_move(&messages).to_string().starts_with("bestmove 2g2f"));
    session.end();
}

#[test]
fn a_bad_book_is_named_and_the_game_goes_on() {
    let (mut session, messages) =
        session(Settings { book: "no/such/book.db".to_owned(), ..Settings::default() });
    say(&mut session, &["isready", "go depth 1"]);
    assert!(matches!(best_move(&messages), BestMove::Move { .. }));
    session.end();
}

#[test]
fn the_same_seed_plays_the_same_weak_game() {
    let game = |seed: i64| {
        let (mut session, messages) = session(Settings { skill: 1, seed, ..Settings::default() });
        let mut line = "position startpos moves".to_owned();
        say(&mut session, &["isready"]);
        for _ in 0..12 {
            say(&mut session, &[&line, "go"]);
            let BestMove::Move { best, .. } = best_move(&messages) else { break };
            line = format!("{line} {best}");
        }
        session.end();
        line
    };
    assert_eq!(game(3), game(3));
    assert_ne!(game(3), game(4));
}

#[test]
fn reports_are_held_back_but_the_last_one_gets_through() {
    let (mut session, messages) = session_of(Options { pv_interval: 100_000, ..Options::default() });
    say(&mut session, &["isready", "position startpos", "go depth 6"]);
    let mut depths = Vec::new();
    loop {
        match messages.recv_timeout(LONG).unwrap() {
            EngineMessage::Info(info) => depths.extend(info.depth),
            EngineMessage::BestMove(_) => break,
            _ => {}
        }
    }
    assert_eq!(depths, [1, 6]);
    session.end();
}

#[test]
fn every_move_comes_with_the_reply_to_expect_and_hardly_ever_with_a_bound() {
    let (mut session, messages) = session(Settings::default());
    let (mut line, mut position) = ("position startpos moves".to_owned(), Position::start());
    say(&mut session, &["isready"]);
    let mut bounds = 0;
    for ply in 0..40 {
        // They end anywhere in an iteration.
        let go = format!("go nodes {}", 4000 + 397 * ply);
        say(&mut session, &[&line, &go]);
        let mut last = None;
        let (best, ponder) = loop {
            match messages.recv_timeout(LONG).expect("an answer") {
                EngineMessage::BestMove(BestMove::Move { best, ponder }) => break (best, ponder),
                EngineMessage::BestMove(other) => panic!("{other:?} after {line}"),
                EngineMessage::Info(info) if info.score.is_some() => last = Some(info),
                _ => {}
            }
        };
        let last = last.expect("a value");
        assert_eq!(last.pv.first(), Some(&best), "{line}");
        bounds += usize::from(last.bound != Bound::Exact);
        position.play(best);
        line = format!("{line} {best}");
        assert_eq!(ponder.is_some(), position.has_legal_move(), "{line}");
    }
    // A move may be the best for the first time, and its value not yet known.
    assert!(bounds < 10, "{bounds} of 40");
    session.end();
}

/// Time that has passed without a word means nothing: all is asked before the search is stopped.
#[test]
fn what_is_asked_during_a_search_is_answered_before_it_ends() {
    let (mut session, messages) = session(Settings::default());
    say(&mut session, &["isready", "position startpos", "go infinite"]);
    say(&mut session, &["isready", "usi", "setoption name MultiPV value x", "getoption MultiPV"]);
    let (mut ready, mut introduced, mut refused, mut value) = (0, false, false, false);
    while !(ready == 2 && introduced && refused && value) {
        match messages.recv_timeout(LONG).expect("an answer") {
            EngineMessage::ReadyOk => ready += 1,
            EngineMessage::UsiOk => introduced = true,
            EngineMessage::BestMove(best) => panic!("{best:?} before stop"),
            EngineMessage::Info(info) => {
                let text = info.string.unwrap_or_default();
                refused |= text.starts_with("error: MultiPV takes a number");
                value |= text == "MultiPV = 1";
            }
            _ => {}
        }
    }
    say(&mut session, &["stop"]);
    best_move(&messages);
    session.end();
    assert_eq!(count_answers(&messages), 0);
}

#[test]
fn what_is_set_during_a_search_holds_after_it() {
    let (mut session, messages) = session(Settings::default());
    say(&mut session, &["isready", "go infinite", "setoption name EvalFile value no/such/net.bin"]);
    say(&mut session, &["stop", "isready", "go depth 1", "setoption name EvalFile value", "go depth 1"]);
    session.finish();
    let said = rest(&messages);
    let count = |start: &str| said.iter().filter(|message| message.to_string().starts_with(start)).count();
    assert_eq!((count("readyok"), count("bestmove ")), (1, 2), "{said:?}");
    assert_eq!(count("info string error: not ready: cannot read no/such/net.bin"), 1, "{said:?}");
    assert_eq!(count("info string error: go refused"), 1, "{said:?}");
}

#[test]
fn nobody_is_ready_before_there_is_a_player() {
    let (mut session, messages) = session(Settings::default());
    let bad = "setoption name EvalFile value no/such/net.bin";
    say(&mut session, &[bad, "isready", "go infinite", "go mate infinite", "isready", "stop", "isready"]);
    session.finish();
    let said = rest(&messages);
    assert!(!said.contains(&EngineMessage::ReadyOk), "{said:?}");
}

#[test]
fn every_isready_is_answered_once_whatever_is_searched() {
    let (mut session, messages) = session(Settings::default());
    let rounds = 60;
    for round in 0..rounds {
        let go = ["go infinite", "go nodes 50", "go mate infinite", "go perft 2", "go depth x"][round % 5];
        say(&mut session, &[go]);
        std::thread::sleep(Duration::from_micros((round as u64 * 37) % 1500));
        say(&mut session, &["isready", "stop"]);
    }
    session.finish();
    let ready = rest(&messages).iter().filter(|message| **message == EngineMessage::ReadyOk).count();
    assert_eq!(ready, rounds);
}

#[test]
fn both_directions_go_into_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("usi.log");
    let (mut session, messages) = session(Settings::default());
    let setting = format!("setoption name DebugLogFile value {}", path.display());
    say(&mut session, &[&setting, "isready", "go depth 1"]);
    session.finish();
    rest(&messages);
    let log = std::fs::read_to_string(&path).unwrap();
    for line in [" > isready", " < readyok", " > go depth 1", " < bestmove "] {
        assert!(log.contains(line), "{line}: {log}");
    }
    let (mut session, messages) = session_of(Options::default());
    say(&mut session, &["setoption name DebugLogFile value no/such/folder/usi.log"]);
    session.end();
    let said = rest(&messages);
    assert!(said[0].to_string().contains("cannot write the log no/such/folder/usi.log: "), "{said:?}");
}
