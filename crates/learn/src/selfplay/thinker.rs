//! The player that sits on both sides of the board, and what it costs.

use std::time::{Duration, Instant};

use contract::Effort;
use engine::{
    Agent, AgentError, Answer, Defaults, GameRules, Nets, OwnSpec, PlayerSpec, Request, ResolvedSpec,
    Settings,
};
use records::compact::Eval;
use search::{Control, Score};
use serde::{Deserialize, Serialize};
use shogi::Position;

use super::run::Manifest;

/// The effort of a shallow search, for moves of which nothing is learned.
fn shallow_effort(effort: Effort) -> Effort {
    match effort {
        Effort::Nodes(nodes) => Effort::Nodes((nodes / 8).max(50).min(nodes)),
        Effort::Depth(depth) => Effort::Depth((depth / 2).max(1)),
        // No run is played by time.
        Effort::Time(_) => effort,
    }
}

/// What thinking has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Nodes of all thoughts.
    pub nodes: u64,
    /// Nodes spent on openings alone.
    pub opening_nodes: u64,
    /// Time spent in the search.
    pub thinking: Duration,
    /// Time spent altogether, summed over the threads.
    pub busy: Duration,
}

impl Work {
    pub(super) fn add(&mut self, other: Work) {
        self.nodes += other.nodes;
        self.opening_nodes += other.opening_nodes;
        self.thinking += other.thinking;
        self.busy += other.busy;
    }

    /// The share of the time that went into the search.
    #[must_use]
    pub fn search_share(&self) -> f64 {
        self.thinking.as_secs_f64() / self.busy.as_secs_f64().max(1e-9)
    }
}

/// One thread's player.
pub(super) struct Thinker {
    agent: Agent,
    effort: Effort,
    rules: GameRules,
    began: Instant,
    work: Work,
}

/// A player as it plays against itself: nobody resigns in games for learning.
fn resolved(spec: &OwnSpec) -> ResolvedSpec {
    let mut resolved = spec.resolve(&Defaults::self_play());
    resolved.settings.resign = Settings::default().resign;
    resolved
}

/// The text of a player as it plays against itself; none of another program, which cannot.
#[must_use]
pub fn resolved_text(player: &PlayerSpec) -> String {
    match player {
        PlayerSpec::Own(spec) => resolved(spec).to_string(),
        PlayerSpec::External(_) => String::new(),
    }
}

impl Thinker {
    pub(super) fn new(manifest: &Manifest, spec: &PlayerSpec) -> Result<Option<Thinker>, AgentError> {
        let PlayerSpec::Own(spec) = spec else { return Ok(None) };
        let rules = GameRules { declaration: manifest.declaration, max_moves: manifest.max_moves };
        let agent = Agent::new(&resolved(spec), &mut Nets::default())?;
        let (effort, began, work) = (manifest.effort, Instant::now(), Work::default());
        Ok(Some(Thinker { agent, effort, rules, began, work }))
    }

    pub(super) fn rules(&self) -> GameRules {
        self.rules
    }

    /// Forgets all games before.
    pub(super) fn new_batch(&mut self) {
        self.agent.new_game();
    }

    /// Thinks as long as the run demands.
    pub(super) fn think(&mut self, position: &Position) -> Answer {
        self.think_for(self.effort, position)
    }

    /// Thinks about a position before the game proper.
    pub(super) fn think_in_opening(&mut self, position: &Position, shallow: bool) -> Answer {
        let before = self.work.nodes;
        let effort = if shallow { shallow_effort(self.effort) } else { self.effort };
        let answer = self.think_for(effort, position);
        self.work.opening_nodes += self.work.nodes - before;
        answer
    }

    fn think_for(&mut self, effort: Effort, position: &Position) -> Answer {
        let request = Request { rules: self.rules, ..Request::new(position, effort.limits()) };
        let began = Instant::now();
        let answer = self.agent.play_here(&request, &Control::new(), &mut |_| {});
        self.work.thinking += began.elapsed();
        self.work.nodes += answer.nodes.unwrap_or(0);
        answer
    }

    /// What the work has cost since this was last asked.
    pub(super) fn take_work(&mut self) -> Work {
        let now = Instant::now();
        let busy = now - std::mem::replace(&mut self.began, now);
        Work { busy, ..std::mem::take(&mut self.work) }
    }
}

/// A score as it is stored.
pub(super) fn eval_of(score: Score) -> Eval {
    let plies = |plies: u32| u16::try_from(plies).unwrap_or(u16::MAX);
    match score {
        Score::Centipawns(value) => Eval::score(value),
        Score::MateIn(distance) => Eval::mate_in(plies(distance)),
        Score::MatedIn(distance) => Eval::mated_in(plies(distance)),
        Score::Mating => Eval::mate_in(0),
        Score::Mated => Eval::mated_in(0),
    }
}
