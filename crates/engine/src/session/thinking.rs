//! From `go` to `bestmove`.

use std::time::{Duration, Instant};

use contract::LogisticScale;
use protocol::usi::{BestMove, EngineMessage, Go, Info, Score};
use search::{Choice, Decision, Limits, Root};
use shogi::{Leaves, Move, Position, perft};

use super::desk::Desk;
use super::flight::{Flight, Task, Timing};
use super::reports::Reports;
use crate::bench::{self, Effort};
use crate::book;
use crate::skill::Skill;
use crate::win_rate::{evaluation_of, win_rate};

impl Desk {
    /// Answers a `go`, exactly once.
    pub(super) fn go(&mut self, flight: &Flight) {
        match &flight.task {
            Task::Bench(how) => self.bench(how, flight),
            Task::Go(go) => {
                if !go.ignored.is_empty() {
                    self.remark(format!("not understood in go: {}", go.ignored.join(" ")));
                }
                if let Some(depth) = go.perft {
                    self.perft(depth, flight);
                } else if go.mate.is_some() {
                    self.mate(go, flight);
                } else {
                    let best = self.best_move(go, flight);
                    flight.wait_for_leave();
                    self.say(EngineMessage::BestMove(best));
                }
            }
        }
        flight.finish();
    }

    fn best_move(&mut self, go: &Go, flight: &Flight) -> BestMove {
        flight.begin(self.timing(go));
        if self.is_problem() {
            self.remark("error: cannot play: a king is missing; go mate solves mate problems");
            return BestMove::Resign;
        }
        if let Some(best) = self.book_move(go).or_else(|| self.mating_move(go, flight)) {
            return best;
        }
        let mut limits = self.limits(go);
        let skill = Skill::of(self.options.skill_level);
        if let Some(skill) = skill {
            skill.restrict(&mut limits);
        }
        let root = Root { position: self.position.clone(), rules: self.options.rules() };
        let mut reports = Reports::new(self.sink.clone(), self.report_interval(go));
        let player = match self.player() {
            Ok(player) => player,
            Err(reason) => {
                self.remark(format!("error: cannot play: {reason}"));
                return BestMove::Resign;
            }
        };
        let scale = player.scale();
        let thought = player.think(&root, &limits, &flight.control, &mut |report| reports.take(report));
        reports.flush();
        let Ok(mut decision) = thought else {
            self.remark("error: the search failed inside; playing any move");
            return any_move(&root.position);
        };
        self.tell_win_rate(decision.score, scale);
        if let (Some(skill), Choice::Move(_)) = (skill, decision.choice)
            && let Some((m, ponder)) = skill.pick(reports.latest(), &mut self.rng)
        {
            decision.choice = Choice::Move(m);
            decision.ponder = ponder;
        }
        // The last iteration may have been cut short before it found a reply.
        if let (None, Some(line)) = (decision.ponder, reports.latest().first())
            && line.pv.first().is_some_and(|&m| decision.choice == Choice::Move(m))
        {
            decision.ponder = line.pv.get(1).copied();
        }
        self.concluded(&decision)
    }

    /// What the score means, for the side to move.
    fn tell_win_rate(&self, score: Score, scale: LogisticScale) {
        let side = self.position.side();
        let percent = win_rate(scale, evaluation_of(score, side), side) * 100.0;
        self.remark(format!("win rate {percent:.1} %, at a scale of {}", scale.centipawns()));
    }

    /// A move of the book. In analysis and among chosen moves the book has no say.
    fn book_move(&mut self, go: &Go) -> Option<BestMove> {
        let (_, open) = self.book.as_ref()?;
        if go.infinite || !go.search_moves.is_empty() || !self.options.own_book {
            return None;
        }
        let found = open.look_up(&self.position, &self.options);
        if !found.illegal.is_empty() {
            let moves: Vec<String> = found.illegal.iter().map(Move::to_string).collect();
            self.remark(format!("the book has illegal moves here: {}", moves.join(" ")));
        }
        let chosen = book::choose(&found.moves, &self.position, &self.options, &mut self.rng)?;
        let ponder = self.legal_reply(chosen.m, chosen.ponder);
        self.say(EngineMessage::Info(Box::new(Info {
            depth: chosen.depth,
            score: chosen.value.map(Score::Centipawns),
            pv: [Some(chosen.m), ponder].into_iter().flatten().collect(),
            ..Info::default()
        })));
        self.remark(format!("book move, one of {}", found.moves.len()));
        Some(BestMove::Move { best: chosen.m, ponder })
    }

    /// What to say about a decision: what is lost is given up as soon as the user wants it.
    fn concluded(&self, decision: &Decision) -> BestMove {
        let lost = i64::from(decision.score.value()) <= -self.options.resign_value;
        match decision.choice {
            Choice::Resign => BestMove::Resign,
            Choice::Declare => BestMove::Win,
            Choice::Move(_) if lost => BestMove::Resign,
            // A reply taken from the hash table may not fit.
            Choice::Move(best) => BestMove::Move { best, ponder: self.legal_reply(best, decision.ponder) },
        }
    }

    fn legal_reply(&self, best: Move, reply: Option<Move>) -> Option<Move> {
        let mut after = self.position.clone();
        after.play(best);
        reply.filter(|&m| after.is_legal(m))
    }

    fn timing(&mut self, go: &Go) -> Timing {
        let chance = self.rng.unit();
        Timing {
            settings: self.options.clock_settings(),
            side: self.position.side(),
            ply: self.position.ply(),
            exact: go.movetime.or(go.rtime.map(|time| time.mul_f64(1.0 + chance))),
            bounded: go.depth.is_some() || go.nodes.is_some(),
        }
    }

    /// Limits of the command and of the options; the tighter ones hold.
    fn limits(&self, go: &Go) -> Limits {
        let least = |a: Option<u64>, b: i64| a.into_iter().chain((b > 0).then_some(b as u64)).min();
        let legal = |m: &&Move| self.position.is_legal(**m);
        Limits {
            depth: least(go.depth.map(u64::from), self.options.depth_limit).map(|depth| depth as u32),
            nodes: least(go.nodes, self.options.nodes_limit),
            search_moves: go.search_moves.iter().filter(legal).copied().collect(),
            lines: self.options.multi_pv as usize,
        }
    }

    /// Whether the options let something else than the clock bound or weaken the search.
    pub(super) fn is_bounded(&self) -> bool {
        let options = &self.options;
        let is_weaker = Skill::of(options.skill_level).is_some();
        is_weaker || options.depth_limit > 0 || options.nodes_limit > 0 || options.multi_pv > 1
    }

    fn report_interval(&self, go: &Go) -> Duration {
        if go.infinite || self.options.consideration {
            Duration::ZERO
        } else {
            Duration::from_millis(self.options.pv_interval as u64)
        }
    }

    /// Counts leaves below each move. Can be stopped between moves.
    fn perft(&mut self, depth: u32, flight: &Flight) {
        let started = Instant::now();
        let mut position = self.position.clone();
        let mut total = 0;
        for m in if depth == 0 { Default::default() } else { position.legal_moves() } {
            if flight.control.is_stopped() {
                break;
            }
            position.play(m);
            let nodes = perft(&mut position, depth - 1, Leaves::Bulk);
            position.undo();
            total += nodes;
            self.say(EngineMessage::Text(format!("{m}: {nodes}")));
        }
        total = if depth == 0 { 1 } else { total };
        let seconds = started.elapsed().as_secs_f64();
        self.say(EngineMessage::Text(format!("nodes {total} in {seconds:.3} s")));
    }

    /// Measures the speed; the argument is a depth.
    fn bench(&mut self, how: &str, flight: &Flight) {
        let told = how.split_whitespace().find_map(|word| word.parse().ok()).map(Effort::Depth);
        let usual = self.usual_effort();
        let sink = self.sink.clone();
        let outcome = self.player().and_then(|player| {
            let mut each = |number, nodes| {
                sink(EngineMessage::Text(format!("position {number}: {nodes} nodes")));
            };
            bench::run(player, told.unwrap_or(usual), &|| flight.control.is_stopped(), &mut each)
                .map_err(|e| e.to_string())
        });
        match outcome {
            Ok(outcome) => {
                let seconds = outcome.elapsed.as_secs_f64();
                let (nodes, nps) = (outcome.nodes, outcome.nodes_per_second());
                self.say(EngineMessage::Text(format!("nodes {nodes} seconds {seconds:.3} nps {nps}")));
            }
            Err(reason) => self.remark(format!("error: {reason}")),
        }
    }
}

fn any_move(position: &Position) -> BestMove {
    position.legal_moves().first().map_or(BestMove::Resign, |&best| BestMove::Move { best, ponder: None })
}
