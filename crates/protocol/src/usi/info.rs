//! `info`: how the search stands.

use std::fmt;
use std::time::Duration;

use contract::{Bound, Score};
use shogi::Move;

/// What an engine reports while it thinks. Lines and info strings run to the end of a line of text, so that
/// only one of them is written: the string.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// The iteration.
    pub depth: Option<u32>,
    /// The deepest ply.
    pub seldepth: Option<u32>,
    /// Time since `go`.
    pub time: Option<Duration>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions per second.
    pub nps: Option<u64>,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u32>,
    /// 1 for the best line, 2 for the second best, …
    pub multipv: Option<u32>,
    /// The value for the side to move.
    pub score: Option<Score>,
    /// Which side of the true value the score lies on.
    pub bound: Bound,
    /// The move that is being searched.
    pub currmove: Option<Move>,
    /// The line. What is no move ends it: engines write words like `rep_draw` there.
    pub pv: Vec<Move>,
    /// An info string.
    pub string: Option<String>,
}

impl Info {
    /// Reads what follows the word `info`. Unknown words are passed over.
    #[must_use]
    pub fn parse(rest: &str) -> Info {
        let mut info = Info::default();
        let mut left = rest.trim();
        while !left.is_empty() {
            let (word, after) = super::split_word(left);
            if word == "string" {
                info.string = Some(after.to_owned());
                break;
            }
            left = info.read(word, after);
        }
        info
    }

    /// Reads one field; what is left after it.
    fn read<'a>(&mut self, word: &str, after: &'a str) -> &'a str {
        let (value, behind) = super::split_word(after);
        match word {
            "depth" => self.depth = value.parse().ok(),
            "seldepth" => self.seldepth = value.parse().ok(),
            "time" => self.time = value.parse().ok().map(Duration::from_millis),
            "nodes" => self.nodes = value.parse().ok(),
            "nps" => self.nps = value.parse().ok(),
            "hashfull" => self.hashfull = value.parse().ok(),
            "multipv" => self.multipv = value.parse().ok(),
            "currmove" => self.currmove = value.parse().ok(),
            "score" => {
                let (number, behind) = super::split_word(behind);
                self.score = Score::parse(value, number);
                return behind;
            }
            "lowerbound" => {
                self.bound = Bound::Lower;
                return after;
            }
            "upperbound" => {
                self.bound = Bound::Upper;
                return after;
            }
            "pv" => {
                self.pv = after.split_whitespace().map_while(|m| m.parse().ok()).collect();
                return "";
            }
            _ => return after,
        }
        behind
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let numbers = [
            ("depth", self.depth.map(u64::from)),
            ("seldepth", self.seldepth.map(u64::from)),
            ("time", self.time.map(|time| time.as_millis() as u64)),
            ("nodes", self.nodes),
            ("nps", self.nps),
            ("hashfull", self.hashfull.map(u64::from)),
            ("multipv", self.multipv.map(u64::from)),
        ];
        for (word, value) in numbers {
            if let Some(value) = value {
                write!(f, " {word} {value}")?;
            }
        }
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        match self.bound {
            Bound::Exact => {}
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
        }
        if let Some(m) = self.currmove {
            write!(f, " currmove {m}")?;
        }
        if let Some(string) = &self.string {
            return write!(f, " string {string}");
        }
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
        }
        self.pv.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_in_any_order_and_unknown_ones_are_passed_over() {
        let info =
            Info::parse("score mate - nodes 12 tbhits 7 depth 3 cpuload 10 hashfull 5 pv 7g7f rep_draw");
        assert_eq!((info.score, info.nodes, info.depth), (Some(Score::Mated), Some(12), Some(3)));
        assert_eq!((info.hashfull, info.pv.len()), (Some(5), 1));
        assert_eq!(
            Info::parse("string depth 3"),
            Info { string: Some("depth 3".to_owned()), ..Info::default() }
        );
    }

    #[test]
    fn mates_of_every_kind_are_distinguished() {
        for (text, score) in [
            ("cp -12", Score::Centipawns(-12)),
            ("mate 5", Score::MateIn(5)),
            ("mate -4", Score::MatedIn(4)),
            ("mate -0", Score::MatedIn(0)),
            ("mate +", Score::Mating),
            ("mate -", Score::Mated),
        ] {
            assert_eq!(Info::parse(&format!("score {text}")).score, Some(score));
            assert_eq!(score.to_string(), text);
        }
        assert_eq!(Info::parse("score mate +3").score, Some(Score::MateIn(3)));
    }
}
