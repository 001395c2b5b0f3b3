//! Where messages are worked off, one after the other.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use contract::Rng;
use protocol::usi::{EngineMessage, GuiMessage, PositionCommand};
use search::alphabeta::Params;
use search::params;
use shogi::{Color, Lettering, Position};

use super::Sink;
use super::mating::Mating;
use super::ticker::Ticker;
use crate::bench::Effort;
use crate::book::OpenBook;
use crate::options::Options;
use crate::placement::place;
use crate::player::{Nets, Player};
use crate::spec::{EvalName, MethodSpec, OwnSpec, PlayerSpec};

/// Boards lose patience with an engine that loads in silence.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// The net's name in `EvalDir`.
const NET_NAME: &str = "nn.bin";

/// Everything that a conversation is about.
pub(super) struct Desk {
    pub(super) options: Options,
    pub(super) position: Position,
    pub(super) rng: Rng,
    pub(super) sink: Sink,
    /// The player and the spec that it was built from, or why there is none.
    player: Option<(OwnSpec, Result<Player, String>)>,
    nets: Nets,
    /// The book and the file that it was read from.
    pub(super) book: Option<(String, OpenBook)>,
    pub(super) mating: Mating,
}

impl Desk {
    pub(super) fn new(options: Options, sink: Sink) -> Desk {
        Desk {
            options,
            position: Position::start(),
            rng: Rng::new(0),
            sink,
            player: None,
            nets: Nets::default(),
            book: None,
            mating: Mating::default(),
        }
    }

    pub(super) fn say(&self, message: EngineMessage) {
        (self.sink)(message);
    }

    pub(super) fn remark(&self, text: impl Into<String>) {
        self.say(EngineMessage::remark(text));
    }

    /// Works off a message that is no `go` and does not reach into a search.
    pub(super) fn handle(&mut self, message: GuiMessage) {
        match message {
            GuiMessage::Usi => self.introduce(),
            GuiMessage::IsReady => self.prepare(),
            GuiMessage::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            GuiMessage::GetOption(name) => self.tell_options(name.as_deref()),
            GuiMessage::Position(command) => self.set_position(&command),
            GuiMessage::Display => self.display(),
            GuiMessage::Eval => self.evaluate(),
            GuiMessage::Unknown(line) => self.remark(format!("unknown command: {line}")),
            // `isready` prepares for a game already, and some boards send nothing else.
            GuiMessage::NewGame => {}
            // These never come here: the session acts on them at once.
            GuiMessage::Go(_)
            | GuiMessage::Bench(_)
            | GuiMessage::Stop
            | GuiMessage::PonderHit(_)
            | GuiMessage::GameOver(_)
            | GuiMessage::Quit => {}
        }
    }

    fn introduce(&self) {
        self.say(EngineMessage::IdName(format!("Yomi {}", env!("CARGO_PKG_VERSION"))));
        self.say(EngineMessage::IdAuthor("the Yomi authors".to_owned()));
        for declaration in Options::declarations() {
            self.say(EngineMessage::Option(declaration));
        }
        self.say(EngineMessage::UsiOk);
    }

    /// Loads and clears whatever a game needs. Says that it is alive as long as that takes.
    fn prepare(&mut self) {
        let ticker = Ticker::start(Sink::clone(&self.sink), KEEP_ALIVE);
        self.rng = Rng::new(match self.options.seed {
            0 => SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64),
            seed => seed as u64,
        });
        self.mating.new_game();
        if self.has_current_player() {
            self.player().map(Player::new_game).unwrap_or_default();
        } else {
            self.build_player();
        }
        self.open_book();
        ticker.stop();
        self.say(EngineMessage::ReadyOk);
    }

    /// Reads the book anew only if it is another one. Without it the game goes on.
    fn open_book(&mut self) {
        let name = &self.options.book_file;
        // Boards keep the choice of other engines, which name the absence of a book.
        if !self.options.own_book || name.is_empty() || name == "no_book" {
            self.book = None;
        } else if self.book.as_ref().is_none_or(|(known, _)| known != name) {
            match OpenBook::load(Path::new(name)) {
                Ok(book) => {
                    self.remark(format!("book {name}: {} positions", book.len()));
                    self.book = Some((name.clone(), book));
                }
                Err(error) => {
                    self.remark(format!("error: {error}"));
                    self.book = None;
                }
            }
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if let Err(error) = self.options.set(name, value) {
            self.remark(format!("error: {error}"));
        }
    }

    fn tell_options(&self, name: Option<&str>) {
        let known =
            self.options.values().filter(|(known, _)| name.is_none_or(|n| n.eq_ignore_ascii_case(known)));
        for (name, value) in known {
            self.remark(format!("{name} = {value}"));
        }
    }

    /// A position that cannot be leaves the last good one in place.
    fn set_position(&mut self, command: &PositionCommand) {
        match place(command) {
            Ok(position) => self.position = position,
            Err(error) => {
                self.remark(format!("error: {error}; the position remains '{}'", self.position));
            }
        }
    }

    fn display(&self) {
        let board = self.position.text_board(Lettering::Letters).to_string();
        for line in board.lines() {
            self.say(EngineMessage::Text(line.to_owned()));
        }
        let checkers: Vec<String> = self.position.checkers().into_iter().map(|s| s.to_string()).collect();
        self.say(EngineMessage::Text(format!("sfen {}", self.position)));
        self.say(EngineMessage::Text(format!("key {:016x}", self.position.key())));
        self.say(EngineMessage::Text(format!("checkers {}", checkers.join(" "))));
    }

    fn evaluate(&mut self) {
        if self.is_problem() {
            return self.remark("error: a mate problem, where a king is missing, has no value; try go mate");
        }
        let position = self.position.clone();
        let text = match self.player() {
            Ok(player) => {
                format!("static evaluation for {}: {}", position.side(), player.evaluate(&position))
            }
            Err(reason) => format!("error: {reason}"),
        };
        self.remark(text);
    }

    /// Whether a king is missing, so that there is nothing to play for but mate.
    pub(super) fn is_problem(&self) -> bool {
        Color::ALL.into_iter().any(|side| self.position.king(side).is_none())
    }

    /// The player that the options describe; built anew if they changed.
    pub(super) fn player(&mut self) -> Result<&mut Player, String> {
        if !self.has_current_player() {
            self.build_player();
        }
        match &mut self.player {
            Some((_, Ok(player))) => Ok(player),
            Some((_, Err(reason))) => Err(reason.clone()),
            None => Err("there is no player".to_owned()),
        }
    }

    fn has_current_player(&self) -> bool {
        let wanted = self.wanted();
        matches!((&self.player, &wanted), (Some((spec, Ok(_))), Ok(wanted)) if spec == wanted)
    }

    /// Builds the player of the options. On failure the reason is told now and again at each `go`: an engine that
    /// plays by something else than it was told to would only look well.
    fn build_player(&mut self) {
        // The old hash table goes before the new one comes.
        self.player = None;
        let wanted = self.wanted();
        let (spec, player) = match wanted {
            Ok(spec) => {
                let player = Player::new(&spec, &mut self.nets).map_err(|error| error.to_string());
                (spec, player)
            }
            Err(reason) => (OwnSpec::default(), Err(reason)),
        };
        match &player {
            Ok(player) => match player.net() {
                Some(net) => self.remark(format!(
                    "net {}: {}, FV_SCALE {}",
                    net.path().display(),
                    net.architecture(),
                    net.fv_scale()
                )),
                None => self.remark("evaluation by material"),
            },
            Err(reason) => self.remark(format!("error: {reason}")),
        }
        self.player = Some((spec, player));
    }

    /// How far a bench looks unless told.
    pub(super) fn usual_effort(&self) -> Effort {
        Effort::usual(&self.wanted().map(|spec| spec.method).unwrap_or_default())
    }

    /// The player's spec with what it leaves open filled in by the other options.
    fn wanted(&self) -> Result<OwnSpec, String> {
        let options = &self.options;
        let mut spec = match options.player.parse().map_err(|error| format!("Player: {error}"))? {
            PlayerSpec::Own(spec) => *spec,
            PlayerSpec::External(_) => return Err("Player: another program cannot play here".to_owned()),
        };
        spec.hash = spec.hash.or(Some(options.hash as usize));
        spec.threads = spec.threads.or(Some(options.threads as usize));
        spec.multipv = spec.multipv.or(Some(options.multi_pv as usize));
        let scale = options.win_rate_scale;
        spec.win_rate_scale = spec.win_rate_scale.or((scale > 0).then_some(scale as u32));
        spec.fv_scale = spec.fv_scale.or((options.fv_scale > 0).then_some(options.fv_scale as u32));
        if spec.net.is_none() && spec.eval != Some(EvalName::Material) {
            spec.net = self.net_path();
        }
        // Parameters set as options; they keep their defaults but in builds for tuning.
        if let MethodSpec::AlphaBeta(chosen) = &mut spec.method {
            for (name, value) in params::changed(Params::TABLE, &options.params) {
                // A text that one table wrote is one that it reads.
                let _ = params::set(Params::TABLE, chosen, name, &value);
            }
        }
        Ok(spec)
    }

    /// The net that the options name. The folder that nobody named may be without one: then the net inside the
    /// program serves.
    fn net_path(&self) -> Option<PathBuf> {
        if !self.options.eval_file.is_empty() {
            return Some(PathBuf::from(&self.options.eval_file));
        }
        let path = Path::new(&self.options.eval_dir).join(NET_NAME);
        let named = self.options.eval_dir != Options::default().eval_dir;
        (named || path.exists()).then_some(path)
    }
}
