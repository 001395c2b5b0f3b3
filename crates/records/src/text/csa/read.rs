//! Reading CSA.
//!
//! Evaluations (`'**`) follow the move they belong to, as servers write them. Some clients write them before
//! it; a record is taken for one of those if an evaluation stands before its first move.

use std::time::Duration;

use shogi::{Color, DeclarationRule};

use super::super::annotation;
use super::super::building::GameBuilder;
use super::super::chunk::Chunk;
use super::super::error::RecordError;
use super::super::seconds::parse_seconds;
use super::board::Board;
use super::{floodgate, notation, special};
use crate::game::{Game, TimeControl};

struct Reader {
    builder: GameBuilder,
    /// The start as far as described; `None` once it is complete.
    board: Option<Board>,
    /// A version, start or move was seen: the text is CSA.
    recognised: bool,
    /// Evaluations of the next move, in records that write them first.
    early: Option<Vec<String>>,
    line: usize,
}

/// Reads one game.
pub(crate) fn read(chunk: &Chunk) -> Result<Game, RecordError> {
    let mut reader = Reader {
        builder: GameBuilder::new(chunk.number),
        board: Some(Board::new()),
        recognised: false,
        early: None,
        line: 0,
    };
    for (line, text) in chunk.lines() {
        reader.line = line;
        reader.read_line(text)?;
    }
    if !reader.recognised {
        return Err(chunk.not_a_record("a CSA version, position or move"));
    }
    reader.finish()
}

impl Reader {
    fn read_line(&mut self, text: &str) -> Result<(), RecordError> {
        if let Some(comment) = text.strip_prefix('\'') {
            self.comment(comment);
            return Ok(());
        }
        let text = text.trim_end();
        let Some(first) = text.chars().next() else { return Ok(()) };
        match first {
            'V' if text[1..].starts_with(|c: char| c.is_ascii_digit()) => self.recognised = true,
            'N' if text.len() >= 2 => {
                let color = notation::color(text.as_bytes()[1]).ok_or_else(|| self.bad("N+ or N-", text))?;
                // Some servers put a colon after the sign.
                let name = text[2..].trim_start_matches(':').trim();
                self.builder.info().players[color.index()] = (!name.is_empty()).then(|| name.to_owned());
            }
            '$' => self.header(&text[1..]),
            'P' | '+' | '-' | 'T' | '%' => self.statements(text)?,
            '#' => self.verdict(&text[1..])?,
            // Found in real records: an evaluation that lost its apostrophe.
            '*' if annotation::is_csa_evaluation(text) => self.comment(text),
            _ => return Err(self.bad("a CSA statement", text)),
        }
        Ok(())
    }

    fn bad(&self, expected: &'static str, found: &str) -> RecordError {
        self.builder.at(self.line).expected(expected, found)
    }

    /// Several statements may share a line: `+7776FU,T12`. A comment takes the rest of it.
    fn statements(&mut self, line: &str) -> Result<(), RecordError> {
        let mut rest = line;
        while !rest.is_empty() {
            if let Some(comment) = rest.strip_prefix('\'') {
                // A client's `'* 30 pv`, as sent to a server, is stored by it as `'** 30 pv`.
                let stored = format!("*{comment}");
                let is_evaluation = annotation::is_csa_evaluation(&stored);
                self.comment(if is_evaluation { &stored } else { comment });
                return Ok(());
            }
            let (statement, after) = rest.split_once(',').unwrap_or((rest, ""));
            self.statement(statement.trim_end())?;
            rest = after;
        }
        Ok(())
    }

    fn statement(&mut self, text: &str) -> Result<(), RecordError> {
        match text.bytes().next() {
            Some(b'P') => {
                let board = self.board.as_mut().map(|board| board.line(text));
                self.recognised = true;
                match board {
                    Some(Some(())) => Ok(()),
                    Some(None) => Err(self.bad("PI, P1 to P9, P+ or P- with pieces", text)),
                    None => Err(self.bad("no position after the start", text)),
                }
            }
            Some(sign @ (b'+' | b'-')) if text.len() == 1 && self.board.is_some() => {
                self.recognised = true;
                self.fix_start(notation::color(sign).unwrap_or(Color::Black))
            }
            Some(b'+' | b'-') => self.play(text),
            Some(b'T') => {
                let time = parse_seconds(&text[1..]).ok_or_else(|| self.bad("T and seconds", text))?;
                self.builder.time(time);
                Ok(())
            }
            Some(b'%') => {
                self.fix_start(Color::Black)?;
                let side = self.builder.side();
                let (result, reason) = special::read(&text[1..], side, self.builder.position());
                self.builder.end(result, reason);
                Ok(())
            }
            _ => Err(self.bad("a move, T, % or a position", text)),
        }
    }

    /// A server's verdict, which clients leave in their records. `#WIN` and the like depend on who listened.
    fn verdict(&mut self, word: &str) -> Result<(), RecordError> {
        let word = match word {
            "RESIGN" => "TORYO",
            "TIME_UP" | "ILLEGAL_MOVE" | "SENNICHITE" | "OUTE_SENNICHITE" | "JISHOGI" | "MAX_MOVES"
            | "CHUDAN" => word,
            "WIN" | "LOSE" | "DRAW" | "CENSORED" => return Ok(()),
            _ => return Err(self.bad("a server's verdict such as #RESIGN", word)),
        };
        let (result, reason) = special::read(word, self.builder.side(), self.builder.position());
        self.builder.end(result, reason);
        Ok(())
    }

    /// Completes the start, if it is not complete yet.
    fn fix_start(&mut self, side: Color) -> Result<(), RecordError> {
        match self.board.take() {
            Some(board) => self.builder.start_from(&board.finish(side), self.line),
            None => Ok(()),
        }
    }

    fn play(&mut self, text: &str) -> Result<(), RecordError> {
        let described = notation::describe(text).ok_or_else(|| self.bad("a move such as +7776FU", text))?;
        self.recognised = true;
        self.fix_start(described.color)?;
        let m = described.on(self.builder.position());
        self.builder.play(m, text, self.line)?;
        for evaluation in self.early.iter_mut().flat_map(|early| early.drain(..)) {
            self.builder.comment(&evaluation);
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        if annotation::is_csa_evaluation(text) {
            if self.builder.move_count() == 0 {
                self.early.get_or_insert_default();
            }
            match &mut self.early {
                Some(early) => early.push(text.to_owned()),
                None => self.builder.comment(text),
            }
        } else if let Some(comment) = text.strip_prefix('*') {
            self.builder.comment(comment.strip_prefix(' ').unwrap_or(comment));
        } else if !is_encoding(text) && floodgate::absorb(&mut self.builder, text).is_none() {
            self.builder.comment(text);
        }
    }

    fn header(&mut self, text: &str) {
        let (key, value) = text.split_once(':').unwrap_or((text, ""));
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        let info = self.builder.info();
        let own = || Some(value.to_owned());
        match key {
            "EVENT" => info.event = own(),
            "SITE" => info.site = own(),
            "OPENING" => info.opening = own(),
            "START_TIME" => info.started = own(),
            "END_TIME" => info.ended = own(),
            _ if condition(info, key, value).is_some() => {}
            _ => drop(info.other.insert(key.to_owned(), value.to_owned())),
        }
    }

    fn finish(mut self) -> Result<Game, RecordError> {
        self.fix_start(Color::Black)?;
        for evaluation in self.early.take().into_iter().flatten() {
            self.builder.comment(&evaluation);
        }
        let info = self.builder.info();
        if let Some(named) = info.event.as_deref().and_then(floodgate::time_of_event) {
            for time in &mut info.time {
                if time.is_none_or(|time| time.initial.is_zero()) {
                    *time = Some(named);
                }
            }
        }
        self.builder.finish()
    }
}

/// Takes a condition of the game; `None` if it is none or cannot be understood.
fn condition(info: &mut crate::game::GameInfo, key: &str, value: &str) -> Option<()> {
    match key {
        "TIME_LIMIT" => info.time = [Some(time_limit(value)?); 2],
        "TIME" => info.time = [Some(time_control(value)?); 2],
        "TIME+" => info.time[0] = Some(time_control(value)?),
        "TIME-" => info.time[1] = Some(time_control(value)?),
        "MAX_MOVES" => info.max_moves = Some(value.parse().ok()?),
        "JISHOGI" => {
            info.declaration_rule = Some(match value {
                "24" => DeclarationRule::Points24,
                "27" => DeclarationRule::Points27,
                _ => return None,
            });
        }
        _ => return None,
    }
    Some(())
}

/// V2.2: `HH:MM+SS`, initial time and byoyomi.
pub(crate) fn time_limit(value: &str) -> Option<TimeControl> {
    let (initial, byoyomi) = value.trim().split_once('+')?;
    let (hours, minutes) = initial.split_once(':')?;
    let number = |text: &str| text.trim().parse::<u32>().ok().map(u64::from);
    let initial = Duration::from_secs(number(hours)? * 3600 + number(minutes)? * 60);
    Some(TimeControl { initial, byoyomi: Duration::from_secs(number(byoyomi)?), increment: Duration::ZERO })
}

/// V3.0: `initial+byoyomi+increment` in seconds.
fn time_control(value: &str) -> Option<TimeControl> {
    let mut parts = value.split('+').map(parse_seconds);
    let (initial, byoyomi, increment) = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(TimeControl { initial, byoyomi, increment })
}

/// Lines about the file's encoding, which the bytes tell better.
fn is_encoding(text: &str) -> bool {
    text.strip_prefix("CSA ").unwrap_or(text).starts_with("encoding=")
}
