//! The states before each move played, oldest first.

use crate::position::State;

/// A stack whose room is reserved beforehand: pushing copies a state once, straight into place, and
/// allocates only when a game outgrows the room. Clones keep the room.
pub(crate) struct History {
    /// Past states, then unused room.
    room: Vec<State>,
    len: usize,
}

impl History {
    /// Room for `plies` states; `filler` is any state.
    pub(crate) fn with_room(plies: usize, filler: State) -> History {
        History { room: vec![filler; plies], len: 0 }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, state: &State) {
        if self.len == self.room.len() {
            self.grow();
        }
        self.room[self.len] = *state;
        self.len += 1;
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

    #[cold]
    fn grow(&mut self) {
        let filler = self.room[0];
        self.room.resize(self.room.len() * 2, filler);
    }

    #[cfg(test)]
    pub(crate) fn room(&self) -> usize {
        self.room.len()
    }
}

impl Clone for History {
    fn clone(&self) -> History {
        let mut copy = History::with_room(self.room.len(), self.room[0]);
        copy.room[..self.len].copy_from_slice(self.states());
        copy.len = self.len;
        copy
    }
}

impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        self.states() == other.states()
    }
}
