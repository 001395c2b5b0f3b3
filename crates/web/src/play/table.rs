//! One game by the rules: what may be done when, and what comes of it. Time is handed in; nothing here waits or thinks.

use std::time::Duration;

use contract::Clock;
use shogi::{Color, Declaration, GameEnd, Move, Position, Repetition};

use super::clock::TimeRule;
use super::saved::{End, Reason, SavedGame, Side};
use crate::refusal::Refusal;

/// A game under way or over, with its position.
pub(crate) struct Table {
    pub(crate) saved: SavedGame,
    pub(crate) position: Position,
}

/// No game of people is longer.
const LONGEST_GAME: usize = 1000;

impl Table {
    /// The game where it stands; `None` if what is saved is no game.
    pub(crate) fn of(saved: SavedGame) -> Option<Table> {
        let mut position = saved.start()?;
        for &(m, _) in &saved.moves {
            if !position.is_legal(m) {
                return None;
            }
            position.play(m);
        }
        let clocks = saved.moves.len() + 1;
        let has_clocks = saved.clock.is_none() || saved.left.len() == clocks;
        has_clocks.then_some(Table { saved, position })
    }

    /// Whether the visitor is to move.
    pub(crate) fn is_humans_turn(&self) -> bool {
        self.saved.end.is_none() && self.position.side() == Color::from(self.saved.human)
    }

    /// Whether the player is to move.
    pub(crate) fn is_players_turn(&self) -> bool {
        self.saved.end.is_none() && !self.is_humans_turn()
    }

    /// What the side to move has left, without byoyomi.
    pub(crate) fn left(&self) -> [Duration; 2] {
        self.saved.left.last().map_or([Duration::ZERO; 2], |left| left.map(Duration::from_millis))
    }

    /// The clocks as a player is told them.
    pub(crate) fn clock(&self) -> Option<Clock> {
        let TimeRule { byoyomi, increment, .. } = self.saved.clock?;
        let seconds = |n: u32| (n > 0).then(|| Duration::from_secs(n.into()));
        Some(Clock {
            time: self.left().map(Some),
            byoyomi: seconds(byoyomi),
            increment: [seconds(increment); 2],
        })
    }

    /// Plays a move of whoever is to move, who took `used` for it.
    pub(crate) fn play(&mut self, m: Move, used: Duration) -> Result<(), Refusal> {
        if self.saved.end.is_some() {
            return Err(Refusal::conflict("over", "the game is over"));
        }
        if !self.position.is_legal(m) {
            return Err(Refusal::bad("illegal", &format!("{m} is not legal here")));
        }
        if self.flag(used) {
            return Err(Refusal::conflict("over", "the time is up"));
        }
        let side = self.position.side();
        if let Some(rule) = self.saved.clock {
            let mut left = self.left();
            left[side.index()] = rule.after(left[side.index()], used);
            self.saved.left.push(left.map(|left| left.as_millis() as u64));
        }
        self.position.play(m);
        self.saved.moves.push((m, used.as_millis() as u64));
        self.saved.end = self.end_by_rule();
        Ok(())
    }

    fn end_by_rule(&self) -> Option<End> {
        let side = self.position.side();
        let end = match self.position.game_end(0) {
            Some(end) => end,
            None if self.saved.moves.len() >= LONGEST_GAME => GameEnd::MaxMoves,
            None => return None,
        };
        let winner = match end.result(side) {
            shogi::GameResult::Win(color) => Some(color.into()),
            shogi::GameResult::Draw => None,
        };
        let reason = match end {
            GameEnd::NoMoves => Reason::Mate,
            GameEnd::Repetition(Repetition::Win | Repetition::Loss) => Reason::PerpetualCheck,
            GameEnd::Repetition(_) => Reason::Repetition,
            GameEnd::MaxMoves => Reason::TooLong,
        };
        Some(End { winner, reason })
    }

    /// Ends the game if the side to move has thought for too long.
    pub(crate) fn flag(&mut self, used: Duration) -> bool {
        let side = self.position.side();
        let is_over = self.saved.end.is_none()
            && self.saved.clock.is_some_and(|rule| rule.is_over(self.left()[side.index()], used));
        if is_over {
            self.won_by(!side, Reason::Time);
        }
        is_over
    }

    /// Takes back the visitor's last move and whatever came after it.
    pub(crate) fn take_back(&mut self) -> Result<(), Refusal> {
        let human = Color::from(self.saved.human);
        let by_human = |count: usize| {
            let is_even = count.is_multiple_of(2);
            (self.position.side() == human) == is_even
        };
        let count = (1..=self.saved.moves.len()).find(|&count| by_human(count));
        let count = count.ok_or_else(|| Refusal::conflict("nothing", "there is no move to take back"))?;
        for _ in 0..count {
            self.position.undo();
            self.saved.moves.pop();
            if self.saved.left.len() > 1 {
                self.saved.left.pop();
            }
        }
        self.saved.end = None;
        Ok(())
    }

    /// The side gives up.
    pub(crate) fn resign(&mut self, side: Color) -> Result<(), Refusal> {
        if self.saved.end.is_some() {
            return Err(Refusal::conflict("over", "the game is over"));
        }
        self.won_by(!side, Reason::Resignation);
        Ok(())
    }

    /// The side to move declares; a declaration that does not hold is refused, not punished.
    pub(crate) fn declare(&mut self) -> Result<(), Refusal> {
        if self.saved.end.is_some() {
            return Err(Refusal::conflict("over", "the game is over"));
        }
        match self.position.declaration(self.saved.declaration_rule()) {
            Some(Declaration::Win) => {
                self.won_by(self.position.side(), Reason::Declaration);
                Ok(())
            }
            _ => Err(Refusal::conflict("declaration", "the conditions of a declaration are not fulfilled")),
        }
    }

    fn won_by(&mut self, winner: Color, reason: Reason) {
        self.saved.end = Some(End { winner: Some(Side::from(winner)), reason });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn table(start: &str, human: Side, clock: Option<TimeRule>) -> Table {
        let left = clock.map(|rule| vec![[rule.first().as_millis() as u64; 2]]).unwrap_or_default();
        let (id, owner, player) = (String::new(), String::new(), "alphabeta".to_owned());
        let start = start.to_owned();
        let saved = SavedGame {
            id,
            owner,
            begun: 0,
            start,
            human,
            player,
            level: Some(0),
            clock,
            moves: Vec::new(),
            left,
            end: None,
        };
        Table::of(saved).unwrap()
    }

    fn play(table: &mut Table, moves: &str) {
        for m in moves.split(' ') {
            table.play(m.parse().unwrap(), Duration::from_secs(1)).unwrap();
        }
    }

    #[test]
    fn taking_back_leads_to_the_visitors_turn_and_gives_the_time_back() {
        let clock = Some(TimeRule { main: 60, byoyomi: 0, increment: 0 });
        let mut game = table(shogi::START_SFEN, Side::Black, clock);
        assert!(game.take_back().is_err());
        play(&mut game, "7g7f 3c3d 2g2f");
        game.take_back().unwrap();
        assert_eq!((game.saved.moves.len(), game.is_humans_turn()), (2, true));
        assert_eq!(game.left(), [Duration::from_secs(59); 2]);
        game.take_back().unwrap();
        assert_eq!((game.saved.moves.len(), game.left()), (0, [Duration::from_secs(60); 2]));
    }

    #[test]
    fn white_takes_back_no_more_than_there_is() {
        let mut game = table(shogi::START_SFEN, Side::White, None);
        play(&mut game, "7g7f");
        assert!(game.take_back().is_err(), "the first move is the player's");
        play(&mut game, "3c3d 2g2f");
        game.take_back().unwrap();
        assert_eq!(game.saved.moves.len(), 1);
    }

    #[test]
    fn repetition_draws_and_perpetual_check_loses() {
        let mut game = table(shogi::START_SFEN, Side::Black, None);
        play(&mut game, &["2h3h 8b7b 3h2h 7b8b"; 3].join(" "));
        assert_eq!(game.saved.end, Some(End { winner: None, reason: Reason::Repetition }));
        assert_eq!(game.play("7g7f".parse().unwrap(), Duration::ZERO).unwrap_err().code, "over");
        let mut game = table("8k/9/9/9/9/9/9/9/K7R w - 1", Side::White, None);
        play(&mut game, &["1a2a 1i2i 2a1a 2i1i"; 3].join(" "));
        let end = game.saved.end.unwrap();
        assert_eq!((end.winner, end.reason), (Some(Side::White), Reason::PerpetualCheck));
    }

    #[test]
    fn the_flag_falls_for_the_side_to_move_and_mate_ends_the_game() {
        let clock = Some(TimeRule { main: 10, byoyomi: 5, increment: 0 });
        let mut game = table(shogi::START_SFEN, Side::Black, clock);
        assert!(!game.flag(Duration::from_secs(15)) && game.flag(Duration::from_secs(16)));
        assert_eq!(game.saved.end, Some(End { winner: Some(Side::White), reason: Reason::Time }));
        let mut game = table("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", Side::Black, None);
        play(&mut game, "G*5b");
        assert_eq!(game.saved.end, Some(End { winner: Some(Side::Black), reason: Reason::Mate }));
        game.take_back().unwrap();
        assert!(game.saved.end.is_none() && game.is_humans_turn());
    }

    #[test]
    fn only_a_declaration_that_holds_wins() {
        let board = "+R+BGK5/+P+P+P+P+P+P3/P8/9/9/9/9/9/4k4 b";
        let mut game = table(&format!("{board} R5P 1"), Side::Black, None);
        game.declare().unwrap();
        assert_eq!(game.saved.end.unwrap().reason, Reason::Declaration);
        let mut game = table(&format!("{board} P 1"), Side::Black, None);
        assert_eq!(game.declare().unwrap_err().code, "declaration");
    }

    #[test]
    fn what_is_saved_must_be_a_game() {
        let mut game = table(shogi::START_SFEN, Side::Black, None);
        play(&mut game, "7g7f 3c3d");
        let text = serde_json::to_string(&game.saved).unwrap();
        let again: SavedGame = serde_json::from_str(&text).unwrap();
        assert_eq!(Table::of(again.clone()).unwrap().position, game.position);
        let wrong = SavedGame { start: "4k4/9/9/9/9/9/9/9/4K4 b - 1".to_owned(), ..again };
        assert!(Table::of(wrong).is_none());
    }
}
