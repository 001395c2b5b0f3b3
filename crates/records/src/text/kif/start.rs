//! Everything before the moves, which KIF and KI2 share: headers, the start, remarks.

use shogi::{Color, Handicap, Setup};

use super::super::building::GameBuilder;
use super::super::error::RecordError;
use super::board;
use super::header;

/// The start as far as it has been described.
pub(super) struct Preamble {
    /// A diagram: the setup and how many of its ranks are read.
    diagram: Option<(Setup, u8)>,
    hands: [[u8; 7]; 2],
    handicap: Option<Handicap>,
    /// A 手合割 that is no usual start; fine if a diagram follows.
    unknown_handicap: Option<(usize, String)>,
    side: Option<Color>,
    /// A line was seen that only these formats have.
    pub(super) recognised: bool,
    done: bool,
}

impl Preamble {
    pub(super) fn new() -> Preamble {
        Preamble {
            diagram: None,
            hands: [[0; 7]; 2],
            handicap: None,
            unknown_handicap: None,
            side: None,
            recognised: false,
            done: false,
        }
    }

    /// Takes a line before the moves.
    pub(super) fn line(
        &mut self,
        builder: &mut GameBuilder,
        text: &str,
        line: usize,
    ) -> Result<(), RecordError> {
        let at = builder.at(line);
        let trimmed = text.trim();
        match trimmed {
            "先手番" | "下手番" => self.side = Some(Color::Black),
            "後手番" | "上手番" => self.side = Some(Color::White),
            _ if trimmed.starts_with('|') => {
                let (setup, ranks) = self.diagram.get_or_insert_with(|| (Setup::empty(), 0));
                if *ranks == 9 {
                    return Err(at.expected("nine lines of the board", text));
                }
                board::read_rank(setup, *ranks, trimmed)
                    .ok_or_else(|| at.expected("nine squares of the board", text))?;
                *ranks += 1;
                self.recognised = true;
            }
            _ if is_frame(trimmed) => {}
            _ => return self.pair(builder, text, line),
        }
        Ok(())
    }

    fn pair(&mut self, builder: &mut GameBuilder, text: &str, line: usize) -> Result<(), RecordError> {
        let at = builder.at(line);
        let (key, value) = text
            .split_once('：')
            .or_else(|| text.split_once(':'))
            .ok_or_else(|| at.expected("a header, a board or a move", text))?;
        let (key, value) = (key.trim(), value.trim());
        match key {
            "手合割" => {
                self.recognised = true;
                self.handicap = Handicap::named(value);
                if self.handicap.is_none() {
                    self.unknown_handicap = Some((line, value.to_owned()));
                }
            }
            "先手の持駒" | "下手の持駒" | "後手の持駒" | "上手の持駒" => {
                let color = if key.starts_with(['先', '下']) { Color::Black } else { Color::White };
                self.hands[color.index()] =
                    board::read_hand(value).ok_or_else(|| at.expected("pieces in hand", text))?;
                self.recognised = true;
            }
            _ => {
                self.recognised |= is_known(key);
                header::absorb(builder.info(), key, value);
            }
        }
        Ok(())
    }

    /// Sets the game up, once.
    pub(super) fn finish(&mut self, builder: &mut GameBuilder, line: usize) -> Result<(), RecordError> {
        if std::mem::replace(&mut self.done, true) {
            return Ok(());
        }
        match (self.diagram.take(), self.handicap) {
            (Some((mut setup, 9)), _) => {
                setup.hands = self.hands;
                setup.side = self.side.unwrap_or(Color::Black);
                builder.start_from(&setup, line)
            }
            (Some(_), _) => Err(builder.at(line).expected("nine lines of the board", "fewer")),
            (None, Some(handicap)) => builder.start_from(&handicap.position().setup(), line),
            (None, None) => match self.unknown_handicap.take() {
                Some((line, value)) => Err(builder.at(line).expected("a usual handicap, or a board", &value)),
                None => Ok(()),
            },
        }
    }
}

/// The edges of a diagram, and the line that names the move it was drawn after.
fn is_frame(text: &str) -> bool {
    text.starts_with("+--") || text.starts_with("９ ８") || text.starts_with("手数＝")
}

fn is_known(key: &str) -> bool {
    ["先手", "後手", "下手", "上手", "棋戦", "開始日時", "終了日時", "対局日", "持ち時間"].contains(&key)
}
