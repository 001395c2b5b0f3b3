//! A player of ours, in this process.

use std::time::{Duration, Instant};

use engine::clock::{Budget, ClockSettings};
use engine::{Nets, OwnSpec, Player, PlayerError, evaluation_of};
use search::{Control, Limits, Root};

use super::{Ask, Choice, DEFAULT_HASH, Failure, FailureKind, Limit, Seat, Thought};

/// No network lies between the clock and the player.
const MARGIN: Duration = Duration::from_millis(30);

/// A player of ours.
pub struct Inside {
    player: Player,
}

impl Inside {
    /// Builds the player.
    pub fn new(spec: &OwnSpec) -> Result<Inside, PlayerError> {
        let mut spec = spec.clone();
        spec.hash.get_or_insert(DEFAULT_HASH);
        Ok(Inside { player: Player::new(&spec, &mut Nets::default())? })
    }

    /// The player itself.
    #[must_use]
    pub fn player(&self) -> &Player {
        &self.player
    }
}

/// The clock of a think: how much a move deserves and what it must not exceed.
fn start_clock(ask: &Ask<'_>, control: &Control) {
    let Limit::Clock(clock) = &ask.limit else { return };
    let (side, ply) = (ask.position.side(), ask.position.ply());
    let settings = ClockSettings {
        network_delay: Duration::ZERO,
        network_delay2: MARGIN,
        max_moves: ask.rules.max_moves,
        ..ClockSettings::default()
    };
    if let Some(budget) = Budget::from_clock(clock, side, ply, &settings) {
        control.start_clock(budget.soft, budget.hard);
    }
}

impl Seat for Inside {
    fn new_game(&mut self) -> Result<(), Failure> {
        self.player.new_game();
        Ok(())
    }

    fn think(&mut self, ask: &Ask<'_>) -> Result<Thought, Failure> {
        let asked = Instant::now();
        let control = Control::new();
        start_clock(ask, &control);
        let mut limits = Limits { lines: self.player.lines(), ..Limits::default() };
        match ask.limit {
            Limit::Clock(_) => {}
            Limit::Nodes(nodes) => limits.nodes = Some(nodes),
            Limit::Depth(depth) => limits.depth = Some(depth),
        }
        let root = Root { position: ask.position.clone(), rules: ask.rules };
        let mut line = Vec::new();
        let decision = self.player.think(&root, &limits, &control, &mut |report| {
            if report.rank == 1 {
                line.clone_from(&report.pv);
            }
        });
        let used = asked.elapsed();
        let decision = decision.map_err(|error| Failure {
            kind: FailureKind::Crash,
            words: error.to_string(),
            last_lines: Vec::new(),
            used,
        })?;
        let choice = match decision.choice {
            search::Choice::Move(m) => Choice::Move(m),
            search::Choice::Declare => Choice::Declare,
            search::Choice::Resign => Choice::Resign,
        };
        if let Choice::Move(m) = choice
            && line.first() != Some(&m)
        {
            line = std::iter::once(m).chain(decision.ponder).collect();
        }
        Ok(Thought {
            choice,
            evaluation: Some(evaluation_of(decision.score, root.position.side())),
            line,
            depth: Some(decision.depth),
            nodes: Some(decision.nodes),
            used,
        })
    }

    fn game_over(&mut self, _half_points: usize) {}
}
