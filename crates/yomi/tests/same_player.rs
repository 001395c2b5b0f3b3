//! One spec is one player: in a session, at the board of a match, as a program of its own there, and in self-play.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use contract::{Clock, Effort};
use engine::{Defaults, ExternalSpec, GameRules, Options, OwnSpec, PlayerSpec, Session, evaluation_of};
use lab::seat::{Request, Seat, take_seat};
use protocol::usi::{BestMove, EngineMessage, Info};
use records::compact::{Eval, EvalKind, GameReader, StoredGame};
use records::game::Evaluation;
use search::{Choice, Score};
use shogi::{Color, Move, Position};

const NODES: u64 = 400;
const MAX_MOVES: u16 = 60;
const LONG: Duration = Duration::from_secs(60);

/// A move and what its player thought of it.
type Ply = (Move, Evaluation);

/// Who asks for a move after the moves so far; all ask the same player for both sides.
trait Room {
    fn ask(&mut self, moves: &[Move]) -> Ply;
}

/// The game of self-play.
fn selfplay(spec: &str) -> Vec<Ply> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let status = Command::new(env!("CARGO_BIN_EXE_yomi"))
        .args(["selfplay", "--player", spec, "--nodes", &NODES.to_string(), "--games", "1", "--threads", "1"])
        .args(["--opening-plies", "0", "--balance", "10000", "--max-moves", &MAX_MOVES.to_string(), "--out"])
        .arg(&out)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{spec}");
    let file = BufReader::new(File::open(out.join("games.yomi")).unwrap());
    let mut game = StoredGame::empty();
    assert!(GameReader::new(file).unwrap().read_into(&mut game).unwrap());
    let sides = [Color::Black, Color::White].into_iter().cycle();
    game.plies.iter().zip(sides).map(|(ply, side)| (ply.m, evaluation_of(score_of(ply.eval), side))).collect()
}

fn score_of(eval: Eval) -> Score {
    match eval.kind() {
        EvalKind::Score(value) => Score::Centipawns(value.into()),
        EvalKind::MateIn(plies) => Score::MateIn(plies.into()),
        EvalKind::MatedIn(plies) => Score::MatedIn(plies.into()),
        kind => panic!("no value: {kind:?}"),
    }
}

/// A session that speaks USI.
struct UsiSession {
    session: Session,
    messages: Receiver<EngineMessage>,
}

impl UsiSession {
    fn new(spec: &str) -> UsiSession {
        let (sender, messages) = mpsc::channel();
        let sender = Mutex::new(sender);
        let options = Options { player: spec.to_owned(), max_moves: MAX_MOVES.into(), ..Options::default() };
        let sink = Arc::new(move |message| {
            // A test that has ended listens no more.
            let _ = sender.lock().unwrap().send(message);
        });
        let mut session = Session::new(options, sink);
        session.line("isready");
        UsiSession { session, messages }
    }
}

impl Room for UsiSession {
    fn ask(&mut self, moves: &[Move]) -> Ply {
        let words: Vec<String> = moves.iter().map(Move::to_string).collect();
        self.session.line(&format!("position startpos moves {}", words.join(" ")));
        self.session.line(&format!("go nodes {NODES}"));
        let mut last: Option<Box<Info>> = None;
        let side = if moves.len().is_multiple_of(2) { Color::Black } else { Color::White };
        loop {
            match self.messages.recv_timeout(LONG).expect("an answer") {
                EngineMessage::Info(info) if info.score.is_some() && info.multipv.unwrap_or(1) == 1 => {
                    last = Some(info);
                }
                EngineMessage::BestMove(BestMove::Move { best, .. }) => {
                    let score = last.and_then(|info| info.score).expect("a value");
                    return (best, evaluation_of(score, side));
                }
                EngineMessage::BestMove(best) => panic!("{best:?}"),
                _ => {}
            }
        }
    }
}

/// A seat of a match.
struct AtTheBoard(Box<dyn Seat>);

impl AtTheBoard {
    fn new(spec: &PlayerSpec) -> AtTheBoard {
        let mut seat = take_seat(spec, rules()).unwrap_or_else(|error| panic!("{spec}: {error}"));
        seat.new_game().unwrap();
        AtTheBoard(seat)
    }
}

fn rules() -> GameRules {
    GameRules { max_moves: MAX_MOVES, ..GameRules::default() }
}

impl Room for AtTheBoard {
    fn ask(&mut self, moves: &[Move]) -> Ply {
        let response = self.0.think(&Request {
            start: Position::start().setup(),
            moves: moves.to_vec(),
            rules: rules(),
            clock: Clock::default(),
            limits: Effort::Nodes(NODES).limits(),
            lawful: None,
            grace: LONG,
        });
        let response = response.unwrap();
        match response.choice {
            Ok(Choice::Move(m)) => (m, response.evaluation.expect("a value")),
            choice => panic!("{choice:?}"),
        }
    }
}

/// What a room answers along a game. Self-play weighs the opening before the game, with the same tables: so do all.
fn answers(room: &mut dyn Room, game: &[Ply]) -> Vec<Ply> {
    let moves: Vec<Move> = game.iter().map(|(m, _)| *m).collect();
    room.ask(&[]);
    (0..moves.len()).map(|ply| room.ask(&moves[..ply])).collect()
}

fn compare(text: &str) {
    let spec: OwnSpec = text.parse().unwrap();
    let resolved = spec.resolve(&Defaults::self_play()).to_string();
    let game = selfplay(&resolved);
    assert!(game.len() > 20, "{text}: {} plies", game.len());
    assert_eq!(answers(&mut UsiSession::new(&resolved), &game), game, "{text} in a session");
    let seated: PlayerSpec = resolved.parse().unwrap();
    assert_eq!(answers(&mut AtTheBoard::new(&seated), &game), game, "{text} at the board");
    let path = PathBuf::from(env!("CARGO_BIN_EXE_yomi"));
    let program = ExternalSpec { path, options: vec![("Player".to_owned(), resolved)] };
    let outside = answers(&mut AtTheBoard::new(&PlayerSpec::External(program)), &game);
    // A program's last line may hold a bound, which a seat does not take for a value.
    let moves = |plies: &[Ply]| plies.iter().map(|(m, _)| *m).collect::<Vec<Move>>();
    assert_eq!(moves(&outside), moves(&game), "{text} as a program");
    let same = outside.iter().zip(&game).filter(|(outside, own)| outside == own).count();
    assert!(same * 2 > game.len(), "{text}: {same} of {} values are the same", game.len());
}

#[test]
fn a_spec_plays_the_same_moves_everywhere() {
    compare("alphabeta");
    compare("alphabeta(eval=material, hash=1, static_cut_z=60)");
}

#[test]
fn weak_players_and_tree_methods_too() {
    compare("alphabeta(skill=5, seed=9)");
    compare("mcss(hash=8)");
}
