//! The numbers of a position that has not been visited (df-pn+, Nagai and Imai 2002).

use shogi::{Move, MoveList, Position};

use crate::known::Known;

/// Of a position in which the defender, in check, has these replies.
pub(crate) fn of_check(replies: &MoveList) -> Known {
    let mut squares = 0;
    let mut last = None;
    for &m in replies {
        // Drops on a square wait for each other.
        if !m.is_drop() || last != Some(m.to()) {
            squares += 1;
        }
        if m.is_drop() {
            last = Some(m.to());
        }
    }
    Known::open(squares, 1)
}

/// Of a position after a reply of the defender.
pub(crate) fn of_reply(position: &Position, m: Move) -> Known {
    let captures = position.piece(m.to()).is_some();
    Known::open(1 + u32::from(captures), 1)
}
