//! What was found on the opponent's time, in a table of its own: the best move of every position behind his replies, from the second
//! ply on, as Shimoyama describes it of Blunder. When he has moved, the moves go into the hash table wherever that has
//! forgotten the position.

use std::collections::HashMap;

use shogi::{Move, Position};

use super::table::{Entry, Price, Table};
use crate::score;
use crate::{Bound, Depth};

/// So many positions are looked up at most: some milliseconds.
const MOST_LOOKED_UP: usize = 5_000;
/// So many pairs of his move and ours are followed.
const PAIRS: u32 = 2;

/// Best moves by the keys of their positions.
#[derive(Default)]
pub(super) struct Replies {
    moves: HashMap<u64, Move>,
}

impl Replies {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.moves.clear();
    }

    /// The best move of a position, if one is known.
    pub(super) fn of(&self, position: &Position) -> Option<Move> {
        self.moves.get(&position.key()).copied().filter(|&m| position.is_legal(m))
    }

    /// Reads from the hash table what a search of the opponent's position left there: after each of his moves our best one, and after
    /// that each of his again, as far as it can be done in an instant: our clock may be running.
    pub(super) fn collect(&mut self, table: &Table, opponent: &Position) {
        self.clear();
        let mut position = opponent.clone();
        let mut left = MOST_LOOKED_UP;
        for pairs in 1..=PAIRS {
            self.collect_below(table, &mut position, pairs, &mut left);
        }
    }

    /// The best moves after the replies at a position where the opponent is to move, so many pairs of moves deep.
    fn collect_below(&mut self, table: &Table, position: &mut Position, pairs: u32, left: &mut usize) {
        for reply in position.legal_moves() {
            if *left == 0 {
                return;
            }
            *left -= 1;
            position.play(reply);
            let known = table.probe(position.key()).and_then(|entry| entry.best);
            if let Some(best) = known.filter(|&m| position.is_legal(m)) {
                self.moves.insert(position.key(), best);
                if pairs > 1 {
                    position.play(best);
                    self.collect_below(table, position, pairs - 1, left);
                    position.undo();
                }
            }
            position.undo();
        }
    }

    /// Puts the moves into the hash table where that knows no move of their positions; they claim nothing about values.
    pub(super) fn restore(&self, table: &Table, price: Price) {
        for (&key, &best) in &self.moves {
            if table.probe(key).is_none_or(|entry| entry.best.is_none()) {
                let (best, static_eval) = (Some(best), score::NONE);
                let (value, depth, bound) = (-score::EVAL_LIMIT, Depth::plies(0), Bound::Lower);
                table.store(key, Entry { best, value, static_eval, depth, bound }, price);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price { news: 0, exact: 0, age: 0 };

    fn entry(best: &str) -> Entry {
        Entry {
            best: Some(best.parse().unwrap()),
            value: 30,
            static_eval: 10,
            depth: Depth::plies(4),
            bound: Bound::Exact,
        }
    }

    #[test]
    fn best_moves_behind_every_reply_outlive_the_hash_table() {
        let mut table = Table::new(1).unwrap();
        let opponent = Position::start();
        let after = |moves: &[&str]| {
            let mut position = Position::start();
            moves.iter().for_each(|m| {
                position.play(m.parse().unwrap());
            });
            position
        };
        let (first, second) = (after(&["7g7f"]), after(&["2g2f"]));
        let deeper = after(&["7g7f", "3c3d", "2g2f"]);
        table.store(first.key(), entry("3c3d"), PRICE);
        table.store(second.key(), entry("8c8d"), PRICE);
        table.store(deeper.key(), entry("8c8d"), PRICE);
        let mut replies = Replies::default();
        replies.collect(&table, &opponent);
        table.clear();
        for (position, best) in [(&first, "3c3d"), (&second, "8c8d"), (&deeper, "8c8d")] {
            assert_eq!(replies.of(position), best.parse().ok(), "{position}");
        }
        replies.restore(&table, PRICE);
        let restored = table.probe(deeper.key()).unwrap();
        assert_eq!(restored.best, "8c8d".parse().ok());
        assert!(!restored.answers(Depth::plies(0), -100, 100), "it claims nothing but a move");
        assert_eq!(replies.of(&opponent), None);
    }
}
