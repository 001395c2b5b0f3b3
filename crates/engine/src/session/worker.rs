//! Where messages are worked off, one after the other.

use std::time::Duration;

use protocol::usi::{EngineMessage, GuiMessage, PositionCommand};
use search::alphabeta::Params;
use search::params;
use shogi::{Color, Lettering, Position};

use super::Sink;
use super::keep_alive::KeepAlive;
use super::mate_command::MateSolver;
use crate::agent::{Agent, Nets, rng_of};
use crate::bench;
use crate::options::{Options, Settings};
use crate::placement::place;
use crate::spec::{Defaults, MethodSpec, OwnSpec, PlayerSpec, ResolvedSpec};
use contract::{Effort, Rng};

/// Boards give up on an engine that loads in silence.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Everything that a conversation is about.
pub(super) struct EngineWorker {
    pub(super) options: Options,
    pub(super) position: Position,
    /// For times that are given roughly.
    pub(super) rng: Rng,
    pub(super) sink: Sink,
    /// The player, or why there is none.
    agent: Option<Result<Agent, String>>,
    nets: Nets,
    pub(super) mate_solver: MateSolver,
}

impl EngineWorker {
    pub(super) fn new(options: Options, sink: Sink) -> EngineWorker {
        EngineWorker {
            options,
            position: Position::start(),
            rng: Rng::new(0),
            sink,
            agent: None,
            nets: Nets::default(),
            mate_solver: MateSolver::default(),
        }
    }

    pub(super) fn say(&self, message: EngineMessage) {
        (self.sink)(message);
    }

    pub(super) fn info_string(&self, text: impl Into<String>) {
        self.say(EngineMessage::info_string(text));
    }

    /// Works off a message that is no `go` and does not reach into a search.
    pub(super) fn handle(&mut self, message: GuiMessage) {
        match message {
            GuiMessage::IsReady => self.prepare(),
            GuiMessage::SetOption { name, value } => {
                // The session has set it before and found nothing wrong.
                let _ = self.options.set(&name, value.as_deref());
            }
            GuiMessage::Position(command) => self.set_position(&command),
            GuiMessage::Display => self.display(),
            GuiMessage::Eval => self.evaluate(),
            // `isready` prepares for a game already, and some boards send nothing else.
            GuiMessage::NewGame => {}
            // These never come here: the session acts on them at once.
            GuiMessage::Usi
            | GuiMessage::GetOption(_)
            | GuiMessage::Help
            | GuiMessage::Unknown(_)
            | GuiMessage::Go(_)
            | GuiMessage::Bench(_)
            | GuiMessage::Stop
            | GuiMessage::PonderHit(_)
            | GuiMessage::GameOver(_)
            | GuiMessage::Quit => {}
        }
    }

    /// Loads and clears whatever a game needs. Says that it is alive as long as that takes. A player that cannot be built is
    /// not ready: to say so and to resign later would only look like a game.
    fn prepare(&mut self) {
        let keep_alive = KeepAlive::start(Sink::clone(&self.sink), KEEP_ALIVE);
        self.rng = rng_of(self.settings().seed);
        let was_current = self.is_current();
        if let (Ok(agent), true) = (self.agent(), was_current) {
            agent.new_game();
        }
        self.open_book();
        keep_alive.stop();
        match &self.agent {
            Some(Err(reason)) => self.info_string(format!("error: not ready: {reason}")),
            _ => self.say(EngineMessage::ReadyOk),
        }
    }

    /// Becomes the player that the options describe by now, without an answer and without forgetting the game.
    pub(super) fn refresh(&mut self) {
        match self.agent() {
            Ok(_) => self.open_book(),
            Err(reason) => self.info_string(format!("error: not ready: {reason}")),
        }
    }

    /// Reads the book anew only if it is another one. Without it the game goes on.
    fn open_book(&mut self) {
        let Some(Ok(agent)) = &mut self.agent else { return };
        match agent.open_book() {
            Ok(None) => {}
            Ok(Some(positions)) => {
                let name = &agent.spec().settings.book;
                let text = format!("book {name}: {positions} positions");
                self.info_string(text);
            }
            Err(error) => self.info_string(format!("error: {error}")),
        }
    }

    /// A position that cannot be leaves the last good one in place.
    fn set_position(&mut self, command: &PositionCommand) {
        match place(command) {
            Ok(position) => self.position = position,
            Err(error) => {
                self.info_string(format!("error: {error}; the position remains '{}'", self.position));
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
            return self
                .info_string("error: a mate problem, where a king is missing, has no value; try go mate");
        }
        let position = self.position.clone();
        let text = match self.agent() {
            Ok(agent) => format!("static evaluation for {}: {}", position.side(), agent.evaluate(&position)),
            Err(reason) => format!("error: {reason}"),
        };
        self.info_string(text);
    }

    /// Whether a king is missing, so that there is nothing to play for but mate.
    pub(super) fn is_problem(&self) -> bool {
        Color::ALL.into_iter().any(|side| self.position.king(side).is_none())
    }

    /// The player that the options describe; built anew if they changed what it is built of.
    pub(super) fn agent(&mut self) -> Result<&mut Agent, String> {
        if !self.is_current() {
            self.build_agent();
        }
        match &mut self.agent {
            Some(Ok(agent)) => Ok(agent),
            Some(Err(reason)) => Err(reason.clone()),
            None => Err("there is no player".to_owned()),
        }
    }

    /// Whether the player is, or could become, the one that the options describe.
    fn is_current(&mut self) -> bool {
        let wanted = self.wanted();
        match (&mut self.agent, wanted) {
            (Some(Ok(agent)), Ok(wanted)) => agent.adopt(&wanted),
            _ => false,
        }
    }

    /// Builds the player of the options; on failure keeps the reason, for all who ask for the player. An engine that
    /// plays by something else than it was asked to would only look well.
    fn build_agent(&mut self) {
        // The old hash table goes before the new one comes.
        self.agent = None;
        let built = self
            .wanted()
            .and_then(|spec| Agent::without_book(&spec, &mut self.nets).map_err(|error| error.to_string()));
        if let Ok(agent) = &built {
            self.info_string(match agent.net() {
                Some(net) => format!(
                    "net {}: {}, FV_SCALE {}",
                    net.path().display(),
                    net.architecture(),
                    net.fv_scale()
                ),
                None => "evaluation by material".to_owned(),
            });
        }
        self.agent = Some(built);
    }

    /// How far a bench looks unless asked otherwise.
    pub(super) fn usual_effort(&self) -> Effort {
        bench::usual_effort(&self.wanted().map(|spec| spec.method).unwrap_or_default())
    }

    /// The player's settings; those of the options if its spec is none.
    pub(super) fn settings(&self) -> Settings {
        self.wanted().map_or_else(|_| self.options.settings.clone(), |spec| spec.settings)
    }

    /// The player's spec with what it leaves open filled in by the other options.
    fn wanted(&self) -> Result<ResolvedSpec, String> {
        let options = &self.options;
        let mut spec: OwnSpec = match options.player.parse().map_err(|error| format!("Player: {error}"))? {
            PlayerSpec::Own(spec) => *spec,
            PlayerSpec::External(_) => return Err("Player: another program cannot play here".to_owned()),
        };
        // Parameters set as options; they keep their defaults but in builds for tuning.
        if let MethodSpec::AlphaBeta(chosen) = &mut spec.method {
            for (name, value) in params::changed(Params::TABLE, &options.params) {
                // A text that one table wrote is one that it reads.
                let _ = params::set(Params::TABLE, chosen, name, &value);
            }
        }
        Ok(spec.resolve(&Defaults::of_options(options)))
    }
}
