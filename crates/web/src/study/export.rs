//! A game with its variations as the page has it, made into a record.

use axum::extract::Path;
use axum::response::Response;
use records::game::{Evaluation, Game, Outcome, PlayedMove, Variation};
use records::position_text;
use records::text::write_game;
use serde::Deserialize;
use shogi::{Color, GameResult, Move, Position};

use super::record_view::reason_of;
use crate::body::Document;
use crate::play::{FORMATS, Side, download};
use crate::refusal::Refusal;

/// A game that is to become a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    start: String,
    #[serde(default)]
    players: [Option<String>; 2],
    comment: Option<String>,
    /// Each after the one that it follows. Of those that follow the same one the first goes on with its line, the others are variations.
    moves: Vec<Node>,
    /// How many moves were played; all of the first line if nobody knows.
    played: Option<usize>,
    outcome: Option<End>,
}

/// A move with what is known about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Node {
    usi: Move,
    /// The place of the move before it.
    after: Option<usize>,
    comment: Option<String>,
    ms: Option<u64>,
    value: Option<Value>,
}

/// A value as Black sees it, and win rates that no record has a word for.
#[derive(Deserialize)]
struct Value {
    cp: Option<i32>,
    mate: Option<u32>,
    winner: Option<Side>,
}

/// How the game ended.
#[derive(Deserialize)]
struct End {
    winner: Option<Side>,
    draw: bool,
    reason: String,
}

/// As many moves, as long texts and as many variations inside one another as a record has.
const MOST_MOVES: usize = 20_000;
const LONGEST_TEXT: usize = 4000;
const DEEPEST: usize = 50;

/// The file of a game.
pub(super) async fn export(
    Path(format): Path<String>,
    Document(wanted): Document<Wanted>,
) -> Result<Response, Refusal> {
    let found = FORMATS.into_iter().find(|(name, _)| *name == format);
    let (name, format) = found.ok_or_else(|| Refusal::missing("format"))?;
    // Checking twenty thousand moves takes a while.
    let work = tokio::task::spawn_blocking(move || wanted.game().map(|game| write_game(&game, format)));
    let bytes = work.await.map_err(|_| Refusal::fault("the game could not be written"))??;
    Ok(download(&format!("yomi.{name}"), bytes))
}

impl Wanted {
    fn game(self) -> Result<Game, Refusal> {
        let start =
            position_text::game_or_problem(&self.start).map_err(|error| Refusal::bad("start", &error))?;
        if self.moves.len() > MOST_MOVES || start.plies_played() > 0 {
            return Err(Refusal::bad("record", "expected a start and at most 20000 moves"));
        }
        let mut below = vec![Vec::new(); self.moves.len() + 1];
        for (place, node) in self.moves.iter().enumerate() {
            let before = node.after.map_or(0, |after| after + 1);
            if before > place {
                return Err(Refusal::bad("record", "a move must follow one that came before it"));
            }
            below[before].push(place);
        }
        let tree = Tree { nodes: &self.moves, below };
        let line = tree.line(0, start.clone(), 0, self.played, 0)?;
        let mut game = Game::new(start);
        (game.moves, game.variations) = (line.moves, line.variations);
        game.info.players = self.players.map(|name| name.as_deref().map(shortened));
        game.comments = lines(self.comment.as_deref());
        game.outcome = self.outcome.and_then(End::outcome);
        Ok(game)
    }
}

/// The moves by what they follow: the start first, then each move.
struct Tree<'a> {
    nodes: &'a [Node],
    below: Vec<Vec<usize>>,
}

#[derive(Default)]
struct Line {
    moves: Vec<PlayedMove>,
    variations: Vec<Variation>,
}

impl Tree<'_> {
    /// The line that goes on after `at`, at most `most` moves of it, and what leaves it.
    fn line(
        &self,
        mut at: usize,
        mut position: Position,
        before: usize,
        most: Option<usize>,
        depth: usize,
    ) -> Result<Line, Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::bad("record", "too many variations inside one another"));
        }
        let mut line = Line::default();
        loop {
            let after = before + line.moves.len();
            let goes_on = usize::from(most.is_none_or(|most| line.moves.len() < most));
            for &place in self.below[at].iter().skip(goes_on) {
                let mut position = position.clone();
                let first = self.nodes[place].played(&mut position)?;
                let rest = self.line(place + 1, position, after + 1, None, depth + 1)?;
                let moves = std::iter::once(first).chain(rest.moves).collect();
                line.variations.push(Variation { after, moves, variations: rest.variations });
            }
            let Some(&next) = self.below[at].first().filter(|_| goes_on == 1) else { return Ok(line) };
            line.moves.push(self.nodes[next].played(&mut position)?);
            at = next + 1;
        }
    }
}

impl Node {
    /// The move, played where it must be legal.
    fn played(&self, position: &mut Position) -> Result<PlayedMove, Refusal> {
        if !position.is_legal(self.usi) {
            return Err(Refusal::bad("illegal", &format!("{} is not legal in {position}", self.usi)));
        }
        position.play(self.usi);
        let mut played = PlayedMove::new(self.usi);
        played.time = self.ms.map(std::time::Duration::from_millis);
        played.evaluation = self.value.as_ref().and_then(Value::evaluation);
        played.comments = lines(self.comment.as_deref());
        Ok(played)
    }
}

impl Value {
    fn evaluation(&self) -> Option<Evaluation> {
        let mate = |side: Side| Evaluation::Mate { winner: side.into(), plies: self.mate };
        self.cp.map(Evaluation::BlackCp).or_else(|| self.winner.map(mate))
    }
}

impl End {
    fn outcome(self) -> Option<Outcome> {
        let result = match self.winner {
            Some(side) => Some(GameResult::Win(Color::from(side))),
            None => self.draw.then_some(GameResult::Draw),
        };
        Some(Outcome { result, reason: reason_of(&self.reason)?, time: None })
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).collect()
}

fn lines(text: Option<&str>) -> Vec<String> {
    text.map(shortened).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::text::{Format, read_games};

    fn game(json: serde_json::Value) -> Result<Game, Refusal> {
        serde_json::from_value::<Wanted>(json).map_err(|error| Refusal::bad("json", &error))?.game()
    }

    #[test]
    fn branches_of_the_page_are_variations_of_the_record() {
        let wanted = serde_json::json!({
            "start": shogi::START_SFEN,
            "players": ["甲", null],
            "moves": [
                { "usi": "7g7f", "after": null, "value": { "cp": 30, "black": 0.5 } },
                { "usi": "3c3d", "after": 0, "comment": "first\nsecond", "ms": 1500 },
                { "usi": "8c8d", "after": 0 },
                { "usi": "2g2f", "after": 2, "value": { "winner": "black", "mate": 3, "black": 1.0 } },
                { "usi": "6g6f", "after": 2 },
                { "usi": "2g2f", "after": 1 },
            ],
            "played": 2,
            "outcome": { "winner": "white", "draw": false, "reason": "resignation" },
        });
        let game = game(wanted).unwrap();
        let line = |moves: &[PlayedMove]| moves.iter().map(|played| played.m.to_string()).collect::<Vec<_>>();
        assert_eq!(line(&game.moves), ["7g7f", "3c3d"]);
        assert_eq!((game.moves[1].comments.len(), game.winner()), (2, Some(Color::White)));
        let found: Vec<_> = game.variations.iter().map(|v| (v.after, line(&v.moves))).collect();
        let text = |moves: &[&str]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(found, [(1, text(&["8c8d", "2g2f"])), (2, text(&["2g2f"]))]);
        assert_eq!(line(&game.variations[0].variations[0].moves), ["6g6f"]);
        for format in [Format::Kif, Format::Jkf] {
            let again = read_games(&write_game(&game, format), Some(format)).unwrap().remove(0);
            assert_eq!(again.variations, game.variations, "{format:?}");
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let with = |moves: serde_json::Value| {
            game(serde_json::json!({ "start": "startpos", "moves": moves })).unwrap_err().code
        };
        assert_eq!(with(serde_json::json!([{ "usi": "7g7e", "after": null }])), "illegal");
        assert_eq!(with(serde_json::json!([{ "usi": "7g7f", "after": 0 }])), "record");
        assert_eq!(with(serde_json::json!([{ "usi": "7g7f", "after": null }, { "usi": "x" }])), "json");
        // Every second move of a pair leaves the line of the first: one variation inside the other.
        let pair = |n: usize| {
            let cycle = [("9g9f", "2h3h"), ("9c9d", "8b7b"), ("9g9f", "3h2h"), ("9c9d", "7b8b")];
            let ((one, two), after) = (cycle[n % 4], n.checked_sub(1).map(|before| 2 * before + 1));
            [one, two].map(|usi| serde_json::json!({ "usi": usi, "after": after }))
        };
        let nested = |deep: usize| serde_json::json!((0..deep).flat_map(pair).collect::<Vec<_>>());
        assert_eq!(with(nested(60)), "record");
        assert!(game(serde_json::json!({ "start": "startpos", "moves": nested(40) })).is_ok());
        assert_eq!(game(serde_json::json!({ "start": "<b>", "moves": [] })).unwrap_err().code, "start");
    }
}
