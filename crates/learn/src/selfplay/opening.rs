//! Where games begin: somewhere else every time, and about even.
//!
//! From the usual start or from a given opening a few more plies are played, some at random and the others after a
//! shallow search, so that what was put out of place at random is answered. A longer look then decides whether the position is
//! balanced; if not, all is drawn again.

use contract::Rng;
use runs::Opening;
use search::{Choice, Score};
use shogi::{ExchangeValues, Move, Position, Setup};

use super::thinker::Thinker;

/// How openings are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Openings {
    /// Where they begin; the usual start if there are none.
    pub given: Vec<Opening>,
    /// The most plies that are played at random or after a shallow search.
    pub plies: u32,
    /// How far from even the position after them may be, in centipawns.
    pub balance: i32,
}

/// Of the plies of an opening, this share is played at random.
const BY_CHANCE: f64 = 0.4;
/// So often an opening is drawn before an unbalanced one is taken.
const TRIES: usize = 50;

/// An opening that was drawn.
pub(super) struct Drawn {
    pub(super) start: Setup,
    pub(super) moves: Vec<Move>,
    pub(super) position: Position,
}

impl Openings {
    /// An opening; `None` if none was balanced.
    pub(super) fn draw(&self, thinker: &mut Thinker, rng: &mut Rng) -> Option<Drawn> {
        (0..TRIES).find_map(|_| {
            let mut drawn = self.base(rng);
            let most = u64::from(self.plies);
            let plies = if most == 0 { 0 } else { rng.draw() % most + 1 };
            for _ in 0..plies {
                drawn.step(thinker, rng)?;
            }
            let value = thinker.think_in_opening(&drawn.position, false).score;
            matches!(value, Some(Score::Centipawns(value)) if value.abs() <= self.balance).then_some(drawn)
        })
    }

    fn base(&self, rng: &mut Rng) -> Drawn {
        if self.given.is_empty() {
            let position = Position::start();
            return Drawn { start: position.setup(), moves: Vec::new(), position };
        }
        let opening = &self.given[(rng.draw() % self.given.len() as u64) as usize];
        let position = opening.position();
        Drawn { start: opening.start.clone(), moves: opening.moves.clone(), position }
    }
}

impl Drawn {
    /// Plays one ply; `None` if the game would be over.
    fn step(&mut self, thinker: &mut Thinker, rng: &mut Rng) -> Option<()> {
        let m = if rng.unit() < BY_CHANCE {
            any_safe_move(&self.position, rng)?
        } else {
            match thinker.think_in_opening(&self.position, true).choice {
                Choice::Move(m) => m,
                Choice::Declare | Choice::Resign => return None,
            }
        };
        self.position.play(m);
        self.moves.push(m);
        self.position.game_end(thinker.rules().max_moves).is_none().then_some(())
    }
}

/// A move at random, of those that give nothing away on their square.
fn any_safe_move(position: &Position, rng: &mut Rng) -> Option<Move> {
    let values = ExchangeValues::default();
    let safe: Vec<Move> =
        position.legal_moves().into_iter().filter(|&m| position.exchange_gains(m, 0, &values)).collect();
    let pick = (rng.draw() % safe.len().max(1) as u64) as usize;
    safe.get(pick).copied()
}
