//! One game, by the rules.

use std::time::{Duration, Instant};

use records::compact::EndCode;
use records::game::Evaluation;
use runs::Opening;
use search::Choice;
use shogi::{Color, Declaration, GameResult, Move, Position};

use super::adjudication::Arbiter;
use super::conditions::{Allowance, Clocks, Conditions};
use super::end::End;
use super::row::{Fault, FaultKind, GameRow, number_of};
use super::schedule::Unit;
use crate::seat::{Failure, FailureKind, ProtocolWarnings, Request, Response, Seat};

/// A game to be played.
pub struct Table<'a> {
    /// Who plays.
    pub unit: Unit,
    /// The game of the pair: 0, or 1 with colours reversed.
    pub game: u8,
    /// From where.
    pub opening: &'a Opening,
    /// Under which conditions.
    pub conditions: &'a Conditions,
}

/// A game under way.
struct Course<'a> {
    table: &'a Table<'a>,
    /// The players by number: `[color]`.
    players: [usize; 2],
    position: Position,
    moves: Vec<Move>,
    clocks: Clocks,
    arbiter: Arbiter,
    responses: Vec<Response>,
    latest_us: Option<i64>,
    /// What moves took besides thinking, all together and the longest.
    overhead: Duration,
    worst_overhead: Option<Duration>,
    /// What a player said last that gave up without a move and without a value.
    gave_up: Option<Vec<String>>,
}

/// How a game ended.
struct Ending {
    winner: GameResult,
    end: End,
    fault: Option<Fault>,
}

impl Ending {
    fn regular(winner: GameResult, code: EndCode) -> Ending {
        Ending { winner, end: End::Regular(code), fault: None }
    }
}

/// Plays a game; `seats` are Black's and White's. Blocks until it is over. Whatever players do, it ends.
pub fn play(table: &Table<'_>, seats: [&mut dyn Seat; 2]) -> GameRow {
    let Unit { first, second, .. } = table.unit;
    let players = if table.game == 0 { [first, second] } else { [second, first] };
    let odds = players.map(|player| table.conditions.odds.get(player).copied().unwrap_or(1.0));
    let mut course = Course {
        table,
        players,
        position: table.opening.position(),
        moves: table.opening.moves.clone(),
        clocks: Clocks::new(
            players.map(|player| table.conditions.time_of(player)),
            odds,
            table.conditions.nodes,
        ),
        arbiter: Arbiter::new(table.conditions.adjudication),
        responses: Vec::new(),
        latest_us: None,
        overhead: Duration::ZERO,
        worst_overhead: None,
        gave_up: None,
    };
    let [black, white] = seats;
    let seats = &mut [black, white];
    let failed = Color::ALL.into_iter().find_map(|side| {
        let failure = seats[side.index()].new_game().err()?;
        Some(course.failed(side, failure))
    });
    let began = Instant::now();
    let ending = failed.unwrap_or_else(|| course.run(seats));
    let elapsed = began.elapsed();
    for side in Color::ALL {
        seats[side.index()].game_over(ending.winner.seen_by(side).half_points());
    }
    let noise = Color::ALL.map(|side| seats[side.index()].take_warnings());
    course.row(ending, elapsed, noise)
}

impl Course<'_> {
    fn run(&mut self, seats: &mut [&mut dyn Seat; 2]) -> Ending {
        loop {
            if let Some(ending) = self.end_by_rule() {
                return ending;
            }
            let (side, began) = (self.position.side(), Instant::now());
            let turn = self.responses.len();
            if let Some(ending) = self.turn(side, &mut *seats[side.index()]) {
                return ending;
            }
            if let Some(response) = self.responses.get(turn) {
                let overhead = began.elapsed().saturating_sub(response.used);
                self.overhead += overhead;
                self.worst_overhead = self.worst_overhead.max(Some(overhead));
            }
        }
    }

    fn end_by_rule(&self) -> Option<Ending> {
        let end = self.position.game_end(self.table.conditions.max_moves)?;
        let winner = end.result(self.position.side());
        Some(Ending::regular(winner, end.into()))
    }

    /// Asks for a move and makes it; the game's end, if this is it.
    fn turn(&mut self, side: Color, seat: &mut dyn Seat) -> Option<Ending> {
        let conditions = self.table.conditions;
        let request = self.request(side);
        let lawful = request.lawful;
        let response = match seat.think(&request) {
            Ok(response) => response,
            Err(failure) => return Some(self.failed(side, failure)),
        };
        if let Some(lawful) = lawful {
            let late = response.used.as_micros() as i64 - lawful.as_micros() as i64;
            self.latest_us = Some(self.latest_us.map_or(late, |latest| latest.max(late)));
            if response.used > lawful + conditions.margin() {
                let words = format!("{} ms used of {}", response.used.as_millis(), lawful.as_millis());
                return Some(self.lost(side, FaultKind::TimeLoss, words, seat.last_lines()));
            }
        }
        self.clocks.spend(side, response.used);
        let expected = response.ponder;
        let ending = self.decide(side, seat, response);
        if conditions.ponder && ending.is_none() {
            self.ponder(side, seat, expected);
        }
        ending
    }

    /// What a side is asked now.
    fn request(&self, side: Color) -> Request {
        let conditions = self.table.conditions;
        let Allowance { clock, limits, lawful } = self.clocks.allowance(side);
        Request {
            start: self.table.opening.start.clone(),
            moves: self.moves.clone(),
            rules: conditions.rules(),
            clock,
            limits,
            lawful,
            grace: conditions.grace(),
        }
    }

    /// After a move of `side`: lets it think about its answer to the reply that it expects.
    fn ponder(&self, side: Color, seat: &mut dyn Seat, expected: Option<Move>) {
        if let Some(reply) = expected.filter(|reply| self.position.is_legal(*reply)) {
            let mut request = self.request(side);
            request.moves.push(reply);
            seat.ponder(&request);
        }
    }

    /// Whether a side has made no move.
    fn is_idle(&self, side: Color) -> bool {
        let first = self.table.opening.position().side();
        self.responses.len() < if side == first { 1 } else { 2 }
    }

    fn decide(&mut self, side: Color, seat: &dyn Seat, response: Response) -> Option<Ending> {
        let claim = self.position.declaration(self.table.conditions.rules().declaration);
        let m = match &response.choice {
            Ok(Choice::Resign) => {
                if self.is_idle(side) && response.evaluation.is_none() {
                    self.gave_up = Some(seat.last_lines());
                }
                return Some(Ending::regular(GameResult::Win(!side), EndCode::Resignation));
            }
            Ok(Choice::Declare) => {
                let winner = match claim {
                    Some(Declaration::Win) => GameResult::Win(side),
                    Some(Declaration::Draw) => GameResult::Draw,
                    Some(Declaration::Try(_)) | None => {
                        let words = "declared a win that is none".to_owned();
                        return Some(self.lost(side, FaultKind::IllegalMove, words, seat.last_lines()));
                    }
                };
                return Some(Ending::regular(winner, EndCode::Declaration));
            }
            Ok(Choice::Move(m)) if self.position.is_legal(*m) => *m,
            Ok(Choice::Move(m)) => {
                let words = format!("{m} is not legal");
                return Some(self.lost(side, FaultKind::IllegalMove, words, seat.last_lines()));
            }
            Err(text) => {
                let words = format!("'{text}' is no move");
                return Some(self.lost(side, FaultKind::IllegalMove, words, seat.last_lines()));
            }
        };
        self.position.play(m);
        self.moves.push(m);
        let evaluation = response.evaluation;
        self.responses.push(response);
        if claim == Some(Declaration::Try(m)) {
            return Some(Ending::regular(GameResult::Win(side), EndCode::Declaration));
        }
        self.adjudicate(side, evaluation)
    }

    /// The rules of the game come first.
    fn adjudicate(&mut self, side: Color, evaluation: Option<Evaluation>) -> Option<Ending> {
        let (winner, code) = self.arbiter.judge(side, evaluation, &self.position)?;
        self.end_by_rule().or(Some(Ending { winner, end: End::Adjudicated(code), fault: None }))
    }

    fn failed(&self, side: Color, failure: Failure) -> Ending {
        let kind = match failure.kind {
            FailureKind::Crash => FaultKind::Crash,
            FailureKind::Stall => FaultKind::Stall,
        };
        self.lost(side, kind, failure.words, failure.last_lines)
    }

    /// A loss by a fault.
    fn lost(&self, side: Color, kind: FaultKind, words: String, last_lines: Vec<String>) -> Ending {
        let position = format!("sfen {} moves {}", self.table.opening.start, moves_text(&self.moves));
        let player = self.players[side.index()];
        let fault = Fault { player, kind, words, position, last_lines };
        Ending { winner: GameResult::Win(!side), end: End::Fault(kind), fault: Some(fault) }
    }

    fn row(self, ending: Ending, elapsed: Duration, noise: [ProtocolWarnings; 2]) -> GameRow {
        let never_moved = match &ending.fault {
            Some(fault) => {
                let side = if self.players[0] == fault.player { Color::Black } else { Color::White };
                self.is_idle(side).then(|| without_a_move(&fault.words, &fault.last_lines))
            }
            None => self.gave_up.as_ref().map(|lines| without_a_move("it resigned", lines)),
        };
        GameRow {
            pair: self.table.unit.pair,
            game: self.table.game,
            black: self.players[0],
            white: self.players[1],
            opening: self.table.unit.opening,
            start: self.table.opening.start.to_string(),
            opening_plies: self.table.opening.moves.len(),
            moves: moves_text(&self.moves),
            winner: ending.winner,
            end: ending.end,
            fault: ending.fault,
            times_us: self.responses.iter().map(|response| response.used.as_micros() as u64).collect(),
            evals: self.responses.iter().map(|response| response.evaluation.map(number_of)).collect(),
            nodes: self.responses.iter().map(|response| response.nodes).collect(),
            depths: self.responses.iter().map(|response| response.depth).collect(),
            seconds: elapsed.as_secs_f64(),
            overhead_us: self.overhead.as_secs_f64() * 1e6 / self.responses.len().max(1) as f64,
            worst_overhead_us: self.worst_overhead.map(|overhead| overhead.as_secs_f64() * 1e6),
            noise,
            latest_us: self.latest_us,
            never_moved,
        }
    }
}

fn without_a_move(words: &str, last_lines: &[String]) -> String {
    let said = last_lines.iter().map(|line| format!("\n  {line}")).collect::<String>();
    if said.is_empty() { words.to_owned() } else { format!("{words}; it said last:{said}") }
}

fn moves_text(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}
