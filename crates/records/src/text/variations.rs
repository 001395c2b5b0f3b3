//! Variations as readers come across them: lines that leave the one before them, or one that came before that.

use shogi::Position;

use crate::game::{Game, PlayedMove, Variation};

/// More variations than anybody notes, and the ply up to which they are read: each is played from the start of the game.
const MOST_VARIATIONS: usize = 1000;
const LATEST: usize = 2000;

/// A game whose main line has been read, and the lines that are still growing.
pub(crate) struct Branches {
    game: Game,
    /// Each leaves the one before it, the first the main line.
    open: Vec<Variation>,
    count: usize,
}

impl Branches {
    pub(crate) fn of(game: Game) -> Branches {
        Branches { game, open: Vec::new(), count: 0 }
    }

    /// Goes back to where the latest line that reaches so far had `after` moves before it; the position there. `None` if no line does, or
    /// if there are too many variations already.
    pub(crate) fn go_back(&mut self, after: usize) -> Option<Position> {
        let fits = |line: &Variation| line.after < after && after <= line.after + line.moves.len();
        while self.open.last().is_some_and(|line| !fits(line)) {
            self.close_one();
        }
        let is_main = self.open.is_empty();
        if (is_main && after > self.game.moves.len()) || after > LATEST || self.count >= MOST_VARIATIONS {
            return None;
        }
        let mut position = self.game.start.clone();
        let way: Vec<&Variation> = self.open.iter().collect();
        for played in moves_before(&self.game, &way, after) {
            position.play(played.m);
        }
        Some(position)
    }

    /// Adds a line where [`Branches::go_back`] went.
    pub(crate) fn grow(&mut self, after: usize, moves: Vec<PlayedMove>) {
        if !moves.is_empty() {
            self.count += 1;
            self.open.push(Variation { after, moves, variations: Vec::new() });
        }
    }

    fn close_one(&mut self) {
        let Some(line) = self.open.pop() else { return };
        let place = match self.open.last_mut() {
            Some(parent) => &mut parent.variations,
            None => &mut self.game.variations,
        };
        // Records list the latest first; those that leave at the same move stay in their order.
        let at = place.iter().position(|known| known.after > line.after).unwrap_or(place.len());
        place.insert(at, line);
    }

    pub(crate) fn finish(mut self) -> Game {
        while !self.open.is_empty() {
            self.close_one();
        }
        self.game
    }
}

/// The variations as KIF lists them: the latest first, each followed by those that leave it.
pub(crate) fn latest_first<'a>(
    variations: &'a [Variation],
    visit: &mut dyn FnMut(&'a Variation, &[&'a Variation]),
) {
    walk(variations, &mut Vec::new(), visit);
}

fn walk<'a>(
    variations: &'a [Variation],
    way: &mut Vec<&'a Variation>,
    visit: &mut dyn FnMut(&'a Variation, &[&'a Variation]),
) {
    let mut order: Vec<&Variation> = variations.iter().collect();
    order.sort_by_key(|line| std::cmp::Reverse(line.after));
    for line in order {
        visit(line, way);
        way.push(line);
        walk(&line.variations, way, visit);
        way.pop();
    }
}

/// Every move before a line that leaves the last of `way`, each of which leaves the one before it.
pub(crate) fn moves_before<'a>(
    game: &'a Game,
    way: &[&'a Variation],
    after: usize,
) -> impl Iterator<Item = &'a PlayedMove> {
    let ends = way.iter().map(|line| line.after).chain([after]);
    let starts = std::iter::once(0).chain(way.iter().map(|line| line.after));
    let lines = std::iter::once(&game.moves).chain(way.iter().map(|line| &line.moves));
    let parts: Vec<&[PlayedMove]> =
        lines.zip(starts.zip(ends)).map(|(moves, (start, end))| &moves[..end - start]).collect();
    parts.into_iter().flatten()
}
