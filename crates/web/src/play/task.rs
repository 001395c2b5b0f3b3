//! A move to decide about, by a player of ours or by a program.

use std::sync::Arc;
use std::time::Duration;

use contract::Clock;
use engine::{ExternalSpec, GameRules, Request, Time};
use lab::seat;
use search::{Choice, Control, Limits};
use shogi::Position;

use crate::players::Opponent;
use crate::thinkers::Seats;

/// How long after its time, or after it was told to stop, an answer of a program is waited for.
const GRACE: Duration = Duration::from_secs(10);

pub(super) struct Task {
    pub(super) opponent: Opponent,
    pub(super) game: String,
    pub(super) position: Position,
    pub(super) clock: Clock,
    pub(super) rules: GameRules,
    pub(super) control: Arc<Control>,
}

impl Task {
    /// Decides; blocks meanwhile. What is wrong is said in words for visitors, who need not know what this machine is like.
    pub(super) fn answer(&self, seats: &mut Seats) -> Result<Choice, String> {
        if self.control.is_stopped() {
            return Err("taken back".to_owned());
        }
        match &self.opponent {
            Opponent::Own(spec) => {
                let agent = seats.agent(spec, &self.game).map_err(|error| error.to_string())?;
                let request = Request {
                    rules: self.rules,
                    time: Time::Clock(self.clock),
                    ..Request::new(&self.position, Limits::default())
                };
                let answer = agent.play(&request, &self.control, &mut |_| {});
                answer.map(|answer| answer.choice).map_err(|error| error.to_string())
            }
            Opponent::Program(spec) => self.ask_program(spec, seats),
        }
    }

    fn ask_program(&self, spec: &ExternalSpec, seats: &mut Seats) -> Result<Choice, String> {
        let started = seats.program(spec, self.rules, &self.game);
        let program = started.map_err(|_| "the program could not be started".to_owned())?;
        let response = program.think_until(&self.request(), Some(&|| self.control.is_stopped()));
        let choice = match response {
            Ok(response) => response.choice,
            Err(_) => Err("the program failed".to_owned()),
        };
        choice.map_err(|words| {
            seats.end_program();
            words.chars().take(100).collect()
        })
    }

    fn request(&self) -> seat::Request {
        let mut start = self.position.clone();
        let moves: Vec<_> = start.moves_played().flatten().collect();
        moves.iter().for_each(|_| start.undo());
        let left = self.clock.time[self.position.side().index()].unwrap_or_default();
        seat::Request {
            start: start.setup(),
            moves,
            rules: self.rules,
            clock: self.clock,
            limits: Limits::default(),
            lawful: Some(left + self.clock.byoyomi.unwrap_or_default()),
            grace: GRACE,
        }
    }
}
