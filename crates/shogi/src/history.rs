//! The states before each move played, oldest first.

use crate::position::State;

/// A stack whose room is reserved beforehand: pushing copies a state once, straight into place, and
/// allocates only when a game outgrows the room. Clones keep the room. Room that no game has reached is not
/// touched, so that making a position stays cheap.
pub(crate) struct History {
    /// Past states, then states that were taken back.
    room: Vec<State>,
    len: usize,
}

impl History {
    /// Room for `plies` states.
    pub(crate) fn with_room(plies: usize) -> History {
        History { room: Vec::with_capacity(plies), len: 0 }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, state: &State) {
        match self.room.get_mut(self.len) {
            Some(place) => *place = *state,
            None => self.reach(state),
        }
        self.len += 1;
    }

    /// Goes deeper than ever before; allocates only beyond the reserved room.
    #[cold]
    fn reach(&mut self, state: &State) {
        self.room.push(*state);
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<&State> {
        self.len = self.len.checked_sub(1)?;
        self.room.get(self.len)
    }

    #[inline(always)]
    pub(crate) fn states(&self) -> &[State] {
        &self.room[..self.len]
    }

    #[cfg(test)]
    pub(crate) fn room(&self) -> usize {
        self.room.capacity()
    }
}

impl Clone for History {
    fn clone(&self) -> History {
        let mut room = Vec::with_capacity(self.room.capacity());
        room.extend_from_slice(self.states());
        History { room, len: self.len }
    }
}

impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        self.states() == other.states()
    }
}
