//! The whole player behind a spec: method, evaluator, book, mate solver, skill, resignation and clock.
//!
//! A session, a match, self-play, a curve and an analysis all ask an [`Agent`], so that a spec is the same player in all of
//! them. It prints and formats nothing: what happens meanwhile are typed [`Event`]s.

mod evaluation;
mod mate_finder;
mod parts;
mod request;
#[cfg(test)]
mod tests;
mod weights;

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use contract::{LogisticScale, Rng};
use eval::{Evaluator, Net};
use search::tree::TreeView;
use search::{Choice, Control, Decision, LeafGradient, Limits, Method, Report, Root, Score};
use shogi::{Move, Position};

use crate::book::{self, OpenBook};
use crate::clock::Budget;
use crate::explanation::Explainer;
use crate::skill::Skill;
use crate::spec::ResolvedSpec;
use crate::win_rate::{evaluation_of, win_rate};
use evaluation::Evaluation;
use mate_finder::{FoundMate, MateFinder};

pub use evaluation::linear_weights;
pub use parts::{AgentError, Nets, search_model};
pub use request::{Answer, BookChoice, Event, GameRules, Request, Time};
pub use weights::WeightsFileError;

/// Deep lines need more stack than threads have by default.
pub const STACK_BYTES: usize = 64 << 20;

/// The search did not survive; a fault of ours.
#[derive(Debug, thiserror::Error)]
#[error("the search failed inside")]
pub struct SearchFailed;

/// Hears what happens while a player decides.
pub type Listener<'a> = &'a mut (dyn FnMut(Event<'_>) + Send);

/// A player that can be asked.
pub struct Agent {
    spec: ResolvedSpec,
    method: Box<dyn Method>,
    evaluation: Evaluation,
    /// For static values; made when first needed.
    evaluator: Option<Box<dyn Evaluator + Send>>,
    /// The book and the file that it was read from.
    book: Option<(PathBuf, OpenBook)>,
    mates: MateFinder,
    rng: Rng,
}

impl Agent {
    /// Builds the player of a spec: loads its net and its book, takes its memory.
    pub fn new(spec: &ResolvedSpec, nets: &mut Nets) -> Result<Agent, AgentError> {
        let mut agent = Agent::without_book(spec, nets)?;
        agent.open_book()?;
        Ok(agent)
    }

    /// Builds the player but for its book.
    pub(crate) fn without_book(spec: &ResolvedSpec, nets: &mut Nets) -> Result<Agent, AgentError> {
        parts::check_resources(spec)?;
        let evaluation = Evaluation::load(spec, nets)?;
        let method = evaluation.method(spec)?;
        let mates = MateFinder::default();
        let rng = rng_of(spec.settings.seed);
        Ok(Agent { spec: spec.clone(), method, evaluation, evaluator: None, book: None, mates, rng })
    }

    /// Reads the book that the spec names, unless it is open; how many positions it has, if it was read now.
    pub(crate) fn open_book(&mut self) -> Result<Option<usize>, AgentError> {
        let Some(path) = self.spec.settings.book_path() else {
            self.book = None;
            return Ok(None);
        };
        if self.book.as_ref().is_some_and(|(known, _)| known == path) {
            return Ok(None);
        }
        self.book = None;
        let book = OpenBook::load(path)?;
        let positions = book.len();
        self.book = Some((path.to_owned(), book));
        Ok(Some(positions))
    }

    /// Becomes the player of another spec, as far as nothing must be built for it; else it stays what it was. A book
    /// is opened by [`Agent::open_book`].
    pub(crate) fn adopt(&mut self, spec: &ResolvedSpec) -> bool {
        let fits = self.spec.is_built_like(spec);
        if fits {
            self.spec.clone_from(spec);
        }
        fits
    }

    /// What it is, with nothing left open.
    #[must_use]
    pub fn spec(&self) -> &ResolvedSpec {
        &self.spec
    }

    /// The net, if it evaluates by one.
    #[must_use]
    pub fn net(&self) -> Option<&Arc<Net>> {
        self.evaluation.net()
    }

    /// What says why positions have their values, if its evaluation is linear. It can be asked while the player thinks.
    #[must_use]
    pub fn explainer(&self) -> Option<Explainer> {
        self.evaluation.explainer()
    }

    /// What turns its values into win rates.
    #[must_use]
    pub fn scale(&self) -> LogisticScale {
        self.spec.scale()
    }

    /// The most probable `budget` nodes of the tree that the last search left; `None` if the method keeps none.
    #[must_use]
    pub fn tree_view(&self, budget: usize) -> Option<TreeView> {
        self.method.view(budget)
    }

    /// Every leaf of the tree that the last search left with at least the share `least` in the value of the node after these moves; `None`
    /// where values are no expectations over a tree.
    #[must_use]
    pub fn leaf_gradients(&self, below: &[Move], least: f64) -> Option<Vec<LeafGradient>> {
        self.method.leaf_gradients(below, least)
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.method.new_game();
        self.mates.new_game();
        self.rng = rng_of(self.spec.settings.seed);
    }

    /// The evaluator for static values; whoever borrows it resets it first.
    pub fn evaluator(&mut self) -> &mut dyn Evaluator {
        let evaluator = self.evaluator.get_or_insert_with(|| self.evaluation.evaluator());
        evaluator.as_mut()
    }

    /// The static value of a position for the side to move.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let evaluator = self.evaluator();
        evaluator.reset(position);
        evaluator.evaluate(position)
    }

    /// Decides; blocks meanwhile. The search has a thread of its own with enough stack.
    pub fn play(
        &mut self,
        request: &Request<'_>,
        control: &Control,
        listener: Listener<'_>,
    ) -> Result<Answer, SearchFailed> {
        self.decide(request, control, listener, &mut |method, root, limits, report| {
            on_search_thread(move || method.think(root, limits, control, report))
        })
    }

    /// Thinks at the position of the opponent, who is to move, until `control` ends it; blocks meanwhile. What is found serves
    /// the next decision, whatever he plays.
    pub fn ponder(
        &mut self,
        opponent: &Position,
        rules: GameRules,
        control: &Control,
    ) -> Result<(), SearchFailed> {
        let root = Root { position: opponent.clone(), rules: self.spec.settings.rules(rules) };
        let method = self.method.as_mut();
        on_search_thread(move || method.ponder(&root, control))
    }

    /// What to play at a position by all that is known already; nothing is searched.
    #[must_use]
    pub fn recall(&self, position: &Position, rules: GameRules) -> Option<Move> {
        let root = Root { position: position.clone(), rules: self.spec.settings.rules(rules) };
        self.method.recall(&root)
    }

    /// Decides on the caller's thread, which must have [`STACK_BYTES`] of stack: for very many short thoughts.
    pub fn play_here(&mut self, request: &Request<'_>, control: &Control, listener: Listener<'_>) -> Answer {
        let Ok(answer) =
            self.decide::<Infallible>(request, control, listener, &mut |method, root, limits, report| {
                Ok(method.think(root, limits, control, report))
            });
        answer
    }

    fn decide<E>(
        &mut self,
        request: &Request<'_>,
        control: &Control,
        listener: Listener<'_>,
        think: Think<'_, E>,
    ) -> Result<Answer, E> {
        if let Some(Budget { soft, hard }) = self.budget(request) {
            control.start_clock(soft, hard);
        }
        if let Some(answer) = self.book_move(request, listener) {
            return Ok(answer);
        }
        if let Some(answer) = self.proven_mate(request, control, listener) {
            return Ok(answer);
        }
        self.search(request, listener, think)
    }

    /// How long to think by the clock of a request; `None` if it has none.
    #[must_use]
    pub fn budget(&self, request: &Request<'_>) -> Option<Budget> {
        let position = request.position;
        match &request.time {
            Time::OfControl => None,
            Time::Exactly(time) => Some(Budget::exactly(*time)),
            Time::Clock(clock) => {
                let settings = self.spec.settings.clock(request.rules.max_moves);
                Budget::from_clock(clock, position.side(), position.ply(), &settings)
            }
        }
    }

    /// A move of the book. In analysis and among chosen moves the book has no say.
    fn book_move(&mut self, request: &Request<'_>, listener: Listener<'_>) -> Option<Answer> {
        let settings = &self.spec.settings;
        let (_, open) = self.book.as_ref()?;
        if request.analysis || !request.limits.search_moves.is_empty() || !settings.own_book {
            return None;
        }
        let position = request.position;
        let found = open.look_up(position, settings);
        if !found.illegal.is_empty() {
            listener(Event::IllegalBookMoves(&found.illegal));
        }
        let chosen = book::choose(&found.moves, position, settings, &mut self.rng)?;
        let ponder = legal_reply(position, chosen.m, chosen.ponder);
        let (m, value, depth, of) = (chosen.m, chosen.value, chosen.depth, found.moves.len());
        listener(Event::BookMove(BookChoice { m, ponder, value, depth, of }));
        Some(Answer {
            choice: Choice::Move(m),
            ponder,
            score: value.map(Score::Centipawns),
            line: [Some(m), ponder].into_iter().flatten().collect(),
            depth,
            nodes: None,
        })
    }

    /// The first move of a mate, where a clock decides how long to think. Fixed depths and nodes, chosen moves,
    /// several lines and weaker play are left to the search alone.
    fn proven_mate(
        &mut self,
        request: &Request<'_>,
        control: &Control,
        listener: Listener<'_>,
    ) -> Option<Answer> {
        let limits = self.limits(request);
        let is_bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.lines > 1;
        if is_bounded
            || request.analysis
            || !request.limits.search_moves.is_empty()
            || !self.spec.settings.mate_search
        {
            return None;
        }
        let started = Instant::now();
        let FoundMate { line, nodes } = self.mates.find(request.position, control)?;
        let last = u32::from(request.position.ply()) + line.len() as u32 - 1;
        let max_moves = request.rules.max_moves;
        if max_moves > 0 && last > u32::from(max_moves) {
            return None;
        }
        listener(Event::ProvenMate { line: &line, nodes, elapsed: started.elapsed() });
        Some(Answer {
            choice: Choice::Move(*line.first()?),
            ponder: line.get(1).copied(),
            score: Some(Score::MateIn(line.len() as u32)),
            depth: Some(line.len() as u32),
            nodes: Some(nodes),
            line,
        })
    }

    fn search<E>(
        &mut self,
        request: &Request<'_>,
        listener: Listener<'_>,
        think: Think<'_, E>,
    ) -> Result<Answer, E> {
        let mut limits = self.limits(request);
        let skill = self.skill();
        let considered = skill.map(|skill| skill.consider(request.position, &mut limits, &mut self.rng));
        let root =
            Root { position: request.position.clone(), rules: self.spec.settings.rules(request.rules) };
        let mut lines = LatestLines::default();
        let mut decision = think(self.method.as_mut(), &root, &limits, &mut |report| {
            lines.take(report);
            listener(Event::Report(report));
        })?;
        if lines.0.is_empty() {
            listener(Event::Unreported(&decision));
        }
        let (side, scale) = (root.position.side(), self.scale());
        let win_rate = win_rate(scale, evaluation_of(decision.score, side), side);
        listener(Event::WinRate { win_rate, scale });
        if let (Some(skill), Some(considered), Choice::Move(_)) = (skill, considered, decision.choice)
            && let Some((m, ponder)) = skill.pick(&considered, &lines.0, &mut self.rng)
        {
            decision.choice = Choice::Move(m);
            decision.ponder = ponder;
        }
        Ok(self.concluded(&decision, &lines, &root.position))
    }

    /// The answer that a decision comes to: what is lost is given up as soon as the player would.
    fn concluded(&self, decision: &Decision, lines: &LatestLines, position: &Position) -> Answer {
        let mut answer = Answer {
            choice: decision.choice,
            ponder: None,
            score: Some(decision.score),
            line: Vec::new(),
            depth: Some(decision.depth),
            nodes: Some(decision.nodes),
        };
        let Choice::Move(best) = decision.choice else { return answer };
        if i64::from(decision.score.value()) <= -self.spec.settings.resign {
            answer.choice = Choice::Resign;
            return answer;
        }
        let reported = lines.0.first().map(|line| &line.pv).filter(|pv| pv.first() == Some(&best));
        // The last iteration may have been cut short before it found a reply. One from the hash table may not fit.
        let reply = decision.ponder.or_else(|| reported?.get(1).copied());
        answer.ponder = legal_reply(position, best, reply);
        answer.line = match reported {
            Some(pv) => pv.clone(),
            None => std::iter::once(best).chain(answer.ponder).collect(),
        };
        answer
    }

    fn skill(&self) -> Option<Skill> {
        Skill::of(self.spec.settings.skill)
    }

    /// Limits of the request and of the player; the tighter ones hold.
    fn limits(&self, request: &Request<'_>) -> Limits {
        let settings = &self.spec.settings;
        let least = |a: Option<u64>, b: i64| a.into_iter().chain((b > 0).then_some(b as u64)).min();
        let asked = &request.limits;
        let legal = |m: &&Move| request.position.is_legal(**m);
        let mut limits = Limits {
            depth: least(asked.depth.map(u64::from), settings.depth_limit).map(|depth| depth as u32),
            nodes: least(asked.nodes, settings.nodes_limit),
            search_moves: asked.search_moves.iter().filter(legal).copied().collect(),
            lines: if asked.lines == 0 { settings.multipv as usize } else { asked.lines },
        };
        if let Some(skill) = self.skill() {
            skill.restrict(&mut limits);
        }
        limits
    }
}

/// Works on a thread with enough stack; blocks meanwhile.
fn on_search_thread<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, SearchFailed> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|_| SearchFailed)?
            .join()
            .map_err(|_| SearchFailed)
    })
}

/// How the method is made to think.
type Think<'a, E> = &'a mut dyn FnMut(
    &mut dyn Method,
    &Root,
    &Limits,
    &mut (dyn FnMut(&Report) + Send),
) -> Result<Decision, E>;

/// The lines of the latest depth, best first.
#[derive(Default)]
struct LatestLines(Vec<Report>);

impl LatestLines {
    fn take(&mut self, report: &Report) {
        if report.rank == 1 {
            self.0.clear();
        }
        self.0.push(report.clone());
    }
}

/// The reply, if it is legal after the move.
fn legal_reply(position: &Position, best: Move, reply: Option<Move>) -> Option<Move> {
    let reply = reply?;
    let mut after = position.clone();
    after.play(best);
    after.is_legal(reply).then_some(reply)
}

/// The dice of a seed; 0 means other ones each time.
pub(crate) fn rng_of(seed: i64) -> Rng {
    Rng::new(match seed {
        0 => SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64),
        seed => seed as u64,
    })
}
