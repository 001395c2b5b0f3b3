//! What is answered at once, whatever the worker does: it takes no player.

use protocol::usi::{EngineMessage, GuiMessage};

use super::{Flow, Job, Session};

/// Every command, in the order of a conversation.
const COMMANDS: [(&str, &str); 16] = [
    ("usi", "who this is and what can be set; ends in usiok"),
    ("setoption name N value V", "sets an option"),
    ("getoption [N]", "shows what options are set to"),
    ("isready", "loads what a game needs and forgets the last one; ends in readyok"),
    ("usinewgame", "a game begins"),
    ("position startpos|sfen S [moves M ...]", "what to think about"),
    (
        "go [btime T] [wtime T] [byoyomi T] [binc T] [winc T] [ponder]",
        "thinks by the clock; ends in bestmove",
    ),
    ("go [depth N] [nodes N] [movetime T] [infinite] [searchmoves M ...]", "thinks so far or so long"),
    ("go mate [T|infinite]", "solves a mate problem; ends in checkmate"),
    ("go perft N", "counts the leaves below each move"),
    ("stop", "ends what goes on, with an answer"),
    ("ponderhit", "the expected move was played: the clock runs"),
    ("gameover win|lose|draw", "the game is over"),
    ("d, eval", "show the board, its static value"),
    ("bench [DEPTH]", "measures the speed"),
    ("quit", "ends"),
];

impl Session {
    /// Says something about the conversation itself, as an info string.
    pub fn remark(&self, text: impl Into<String>) {
        (self.sink)(EngineMessage::info_string(text));
    }

    /// Keeps something to say until `isready`.
    pub fn remark_when_ready(&mut self, remarks: Vec<String>) {
        self.remarks.extend(remarks);
    }

    pub(super) fn say_error(&self, error: &dyn std::fmt::Display) -> Flow {
        self.remark(format!("error: {error}"));
        Flow::Continue
    }

    pub(super) fn introduce(&self) {
        let say = |message| (self.sink)(message);
        say(EngineMessage::IdName(format!("Yomi {}", env!("CARGO_PKG_VERSION"))));
        say(EngineMessage::IdAuthor("the Yomi authors".to_owned()));
        self.initial.declarations().for_each(|declaration| say(EngineMessage::Option(declaration)));
        say(EngineMessage::UsiOk);
    }

    pub(super) fn list_commands(&self) {
        for (command, meaning) in COMMANDS {
            (self.sink)(EngineMessage::Text(format!("{command}: {meaning}")));
        }
        (self.sink)(EngineMessage::Text("T is milliseconds. Everything else: yomi --help".to_owned()));
    }

    pub(super) fn set_option(&mut self, name: String, value: Option<String>) -> Flow {
        let log = self.options.debug_log.clone();
        if let Err(error) = self.options.set(&name, value.as_deref()) {
            return self.say_error(&error);
        }
        if self.options.debug_log != log {
            self.continue_log();
        }
        self.queue(Job::Message(GuiMessage::SetOption { name, value }))
    }

    /// Keeps the log where the options say.
    pub(super) fn continue_log(&self) {
        let name = &self.options.debug_log;
        if let Err(error) = self.log.continue_in(name) {
            self.say_error(&format!("cannot write the log {name}: {error}"));
        }
    }

    pub(super) fn report_options(&self, name: Option<&str>) {
        let known =
            self.options.values().filter(|(known, _)| name.is_none_or(|n| n.eq_ignore_ascii_case(known)));
        for (name, value) in known {
            self.remark(format!("{name} = {value}"));
        }
    }
}
