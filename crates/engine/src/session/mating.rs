//! `go mate`: is there a mate?
//!
//! The search answers, not a solver: the mates that it finds are mates, but it cannot prove that there is none.

use std::time::Duration;

use protocol::usi::{Checkmate, EngineMessage, Go, MateTime};
use search::{Control, Limits, Root, Score};
use shogi::{Move, Position};

use super::desk::Desk;
use super::flight::{Flight, Timing};
use super::reports::Reports;

/// Longer than anybody waits. With a clock of any kind the search ends when it has found a mate.
const UNLIMITED: Duration = Duration::from_secs(30 * 24 * 3600);

impl Desk {
    /// Answers `go mate`, exactly once.
    pub(super) fn mate(&mut self, go: &Go, flight: &Flight) {
        let time = match go.mate {
            Some(MateTime::Within(time)) => time,
            _ => UNLIMITED,
        };
        let (side, ply) = (self.position.side(), self.position.ply());
        let settings = self.options.clock_settings();
        flight.begin(Timing { settings, side, ply, exact: Some(time), bounded: false });
        let answer = if self.position.has_legal_move() {
            self.mating_line(&flight.control).map_or(Checkmate::Timeout, Checkmate::Mate)
        } else {
            Checkmate::NoMate
        };
        self.say(EngineMessage::Checkmate(answer));
    }

    /// The moves up to the mate. A line may break off before it; then the search goes on from there.
    fn mating_line(&mut self, control: &Control) -> Option<Vec<Move>> {
        let mut position = self.position.clone();
        let mut line = Vec::new();
        let mut left = None;
        while position.has_legal_move() {
            let (plies, pv) = self.mate_from(&position, left, control)?;
            for &m in pv.iter().take_while(|_| !control.is_stopped()) {
                position.play(m);
                line.push(m);
            }
            let next = plies.checked_sub(pv.len() as u32)?;
            // What is left gets shorter each time, or the line leads nowhere.
            if left.is_some_and(|left| next >= left) || (next == 0 && position.has_legal_move()) {
                return None;
            }
            left = Some(next);
        }
        Some(line)
    }

    /// How long the mate takes and how it begins, by whichever side.
    fn mate_from(
        &mut self,
        position: &Position,
        known: Option<u32>,
        control: &Control,
    ) -> Option<(u32, Vec<Move>)> {
        let root = Root { position: position.clone(), rules: self.options.rules() };
        let limits = Limits { depth: known.map(|plies| plies + 4), ..Limits::default() };
        let mut reports = Reports::new(self.sink.clone(), Duration::from_secs(1));
        self.player().ok()?.think(&root, &limits, control, &mut |report| reports.take(report)).ok()?;
        reports.flush();
        let best = reports.latest().first()?;
        match best.score {
            Score::Mate(plies) if plies > 0 || known.is_some() => {
                Some((plies.unsigned_abs(), best.pv.clone()))
            }
            _ => None,
        }
    }
}
