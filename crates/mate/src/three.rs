//! Mate in three plies, quickly, for use inside a search.

use shogi::{Move, MoveList, Pointless, Position};

use crate::mate_in_one;

/// A check that leaves more replies is hardly ever a short mate, and would cost too much to look at.
const MAX_REPLIES: usize = 8;

/// A move that mates within three plies, if one is found. It may miss a mate, and never claims a false one.
///
/// ```
/// use shogi::Position;
/// let mut position: Position = "7nl/7k1/6ppp/9/9/9/9/9/4K4 b 2G2R 1".parse().unwrap();
/// assert_eq!(mate::mate_in_one(&mut position), None);
/// assert!(mate::mate_in_three(&mut position).is_some());
/// ```
pub fn mate_in_three(position: &mut Position) -> Option<Move> {
    if !position.in_check()
        && let Some(m) = mate_in_one(position)
    {
        return Some(m);
    }
    let info = position.check_info();
    let mut checks = MoveList::new();
    position.generate_checks(Pointless::Skip, &info, &mut checks);
    checks.into_iter().find(|&m| {
        if !position.pseudo_is_legal(m, &info) {
            return false;
        }
        position.play(m);
        let replies = position.legal_moves();
        let mates =
            replies.len() <= MAX_REPLIES && replies.into_iter().all(|reply| mates_after(position, reply));
        position.undo();
        mates
    })
}

/// Whether the attacker mates in one after a reply. A reply that gives check is taken for a defence.
fn mates_after(position: &mut Position, reply: Move) -> bool {
    position.play(reply);
    let mates = !position.in_check() && mate_in_one(position).is_some();
    position.undo();
    mates
}
