//! Mates: the answer to `go mate`, and mates that the player need not search for.

use std::time::{Duration, Instant};

use mate::{Answer, Effort, Length, Mate, Solver};
use protocol::usi::{BestMove, Checkmate, EngineMessage, Go, Info, MateTime, Score};
use shogi::{Move, Position};

use super::desk::Desk;
use super::flight::{Flight, Timing};

/// Longer than anybody waits.
const UNLIMITED: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often `go mate` tells how far it is.
const REPORT_EVERY: Duration = Duration::from_secs(1);
/// Megabytes for mates while playing.
const SLICE_HASH: usize = 16;
/// Positions that the solver may visit before the search begins: some twenty milliseconds.
const SLICE_NODES: u64 = 10_000;
/// The share of the time for a move that this may take.
const SLICE_SHARE: f64 = 0.05;
/// When the opponent leaves the line of a mate that is proven, it is found again whatever it takes, nearly.
const AGAIN_NODES: u64 = 1_000_000;
const AGAIN_SHARE: f64 = 0.5;

/// What a session keeps for mates.
#[derive(Default)]
pub(super) struct Mating {
    /// The solver of `go mate` and its megabytes.
    solver: Option<(usize, Solver)>,
    /// The solver that looks before the search does.
    slice: Option<Solver>,
    /// The rest of a proven mate: what to play in which position, by its key.
    plan: Vec<(u64, Move)>,
}

impl Mating {
    /// The solver of `go mate` with so many megabytes; `None` if there are not.
    fn solver(&mut self, megabytes: usize) -> Option<&mut Solver> {
        if self.solver.as_ref().is_none_or(|(size, _)| *size != megabytes) {
            // The old table goes before the new one comes.
            self.solver = None;
            self.solver = Some((megabytes, Solver::new(megabytes)?));
        }
        self.solver.as_mut().map(|(_, solver)| solver)
    }

    /// Forgets the mate of the last game.
    pub(super) fn new_game(&mut self) {
        self.plan.clear();
    }

    /// A mate for the side to move: the rest of one already proven, else one that a short search proves.
    fn find(&mut self, position: &Position, flight: &Flight) -> Option<Vec<Move>> {
        let known = self.plan.iter().position(|&(key, m)| key == position.key() && position.is_legal(m));
        if let Some(at) = known {
            return Some(self.plan[at..].iter().map(|&(_, m)| m).collect());
        }
        let (nodes, share) =
            if self.plan.is_empty() { (SLICE_NODES, SLICE_SHARE) } else { (AGAIN_NODES, AGAIN_SHARE) };
        self.plan.clear();
        if self.slice.is_none() {
            self.slice = Solver::new(SLICE_HASH);
        }
        let control = &flight.control;
        let mut interrupted = |_| control.must_end() || control.is_enough(share);
        let effort = Effort { nodes: Some(nodes), length: Length::Shortened };
        let solution = self.slice.as_mut()?.solve(position, &effort, &mut interrupted);
        let Answer::Mate(Mate { line, .. }) = solution.answer else { return None };
        let mut after = position.clone();
        for &m in &line {
            self.plan.push((after.key(), m));
            after.play(m);
        }
        Some(line)
    }
}

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
        let answer = match self.solve(go, flight) {
            Some(Answer::Mate(mate)) => Checkmate::Mate(mate.line),
            Some(Answer::NoMate) => Checkmate::NoMate,
            Some(Answer::Unknown) => Checkmate::Timeout,
            None => {
                self.remark("error: there is no memory for the mate solver; a smaller USI_Hash may help");
                Checkmate::Timeout
            }
        };
        self.say(EngineMessage::Checkmate(answer));
    }

    /// The solver's answer; `None` without memory for it.
    fn solve(&mut self, go: &Go, flight: &Flight) -> Option<Answer> {
        let sink = self.sink.clone();
        let solver = self.mating.solver(self.options.hash as usize)?;
        let (started, mut told) = (Instant::now(), Instant::now());
        let mut interrupted = |nodes| {
            if told.elapsed() >= REPORT_EVERY {
                told = Instant::now();
                sink(progress(nodes, started.elapsed()));
            }
            flight.control.must_end()
        };
        let effort = Effort { nodes: go.nodes, length: Length::Shortened };
        let solution = solver.solve(&self.position, &effort, &mut interrupted);
        if let Answer::Mate(mate) = &solution.answer {
            self.say(mate_info(&mate.line, Some(solution.nodes), Some(started.elapsed())));
        }
        Some(solution.answer)
    }

    /// The first move of a mate, where a clock decides how long to think. Fixed depths and nodes, chosen moves,
    /// several lines and weaker play are left to the search alone.
    pub(super) fn mating_move(&mut self, go: &Go, flight: &Flight) -> Option<BestMove> {
        let is_bounded = go.depth.is_some() || go.nodes.is_some() || self.is_bounded();
        if is_bounded || go.infinite || !go.search_moves.is_empty() || !self.options.mate_search {
            return None;
        }
        let line = self.mating.find(&self.position, flight)?;
        let last = u32::from(self.position.ply()) + line.len() as u32 - 1;
        if self.options.max_moves > 0 && i64::from(last) > self.options.max_moves {
            return None;
        }
        self.say(mate_info(&line, None, None));
        self.remark("win rate 100.0 %, a proven mate");
        let ponder = line.get(1).copied();
        Some(BestMove::Move { best: *line.first()?, ponder })
    }
}

fn progress(nodes: u64, elapsed: Duration) -> EngineMessage {
    let nps = (nodes as f64 / elapsed.as_secs_f64().max(1e-3)) as u64;
    EngineMessage::Info(Box::new(Info {
        time: Some(elapsed),
        nodes: Some(nodes),
        nps: Some(nps),
        ..Info::default()
    }))
}

fn mate_info(line: &[Move], nodes: Option<u64>, time: Option<Duration>) -> EngineMessage {
    EngineMessage::Info(Box::new(Info {
        time,
        nodes,
        score: Some(Score::MateIn(line.len() as u32)),
        pv: line.to_vec(),
        ..Info::default()
    }))
}
