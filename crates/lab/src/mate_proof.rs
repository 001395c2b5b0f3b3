//! Who wins by force: the one place where the laboratory asks for mates.

use engine::{AlphaBetaSpec, Nets, Player};
use search::{Control, Limits, Root, Rules, Score};
use shogi::{Color, DeclarationRule, Position};

/// Megabytes: small searches need little, and are made often.
const HASH: usize = 1;

/// The side that mates by force, if a search of so many nodes finds that out. Positions without both kings, and
/// such that a rule has ended, prove nothing.
///
/// ```
/// let position: shogi::Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
/// assert_eq!(lab::mate_proof::proven_winner(&position, 1000), Some(shogi::Color::Black));
/// assert_eq!(lab::mate_proof::proven_winner(&shogi::Position::start(), 100), None);
/// ```
#[must_use]
pub fn proven_winner(position: &Position, nodes: u64) -> Option<Color> {
    let side = position.side();
    if position.king(side).is_none() || position.king(!side).is_none() {
        return None;
    }
    if !position.has_legal_move() {
        return Some(!side);
    }
    let spec = AlphaBetaSpec { hash: Some(HASH), ..AlphaBetaSpec::default() };
    let mut player = Player::new(&spec, &mut Nets::default()).ok()?;
    let rules = Rules { declaration: DeclarationRule::None, ..Rules::default() };
    let root = Root { position: position.clone(), rules };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    match player.think(&root, &limits, &Control::new(), &mut |_| ()).ok()?.score {
        Score::Mate(plies) if plies > 0 => Some(side),
        Score::Mate(_) | Score::Mated => Some(!side),
        Score::Centipawns(_) => None,
    }
}
