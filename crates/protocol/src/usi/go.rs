//! `go`: how long to think, about what, and whether the clock runs yet.

use std::fmt;
use std::iter::Peekable;
use std::str::{FromStr, SplitWhitespace};
use std::time::Duration;

use contract::Clock;
use shogi::{Color, Move};

/// How long to look for a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateTime {
    /// Until stopped.
    Unlimited,
    /// At most this long.
    Within(Duration),
}

/// The `go` command. All limits that are given hold together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    /// The clocks.
    pub clock: Clock,
    /// Think on the opponent's time; decide nothing before `ponderhit` or `stop`.
    pub ponder: bool,
    /// Think until stopped.
    pub infinite: bool,
    /// Look for a mate; the answer is `checkmate`.
    pub mate: Option<MateTime>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Iterations.
    pub depth: Option<u32>,
    /// Exactly this long.
    pub movetime: Option<Duration>,
    /// A random time from this long to twice as long.
    pub rtime: Option<Duration>,
    /// Count the leaves of the tree of legal moves instead of thinking.
    pub perft: Option<u32>,
    /// Only these moves; empty means all.
    pub search_moves: Vec<Move>,
    /// Words that nobody knows, and known ones without a sensible number.
    pub ignored: Vec<String>,
}

/// Reads one word of a clock and its number. `None` if the word is none of a clock's.
fn read_clock(clock: &mut Clock, word: &str, words: &mut Words<'_>) -> Option<bool> {
    let [black, white] = [Color::Black.index(), Color::White.index()];
    let field = match word {
        "btime" => &mut clock.time[black],
        "wtime" => &mut clock.time[white],
        "byoyomi" => &mut clock.byoyomi,
        "binc" => &mut clock.increment[black],
        "winc" => &mut clock.increment[white],
        _ => return None,
    };
    let read = milliseconds(words);
    *field = read.or(*field);
    Some(read.is_some())
}

type Words<'a> = Peekable<SplitWhitespace<'a>>;

/// The next word as a number, if it is one.
fn number<T: FromStr>(words: &mut Words<'_>) -> Option<T> {
    let value = words.peek()?.parse().ok()?;
    words.next();
    Some(value)
}

/// Clocks that have run out are sometimes sent as negative.
fn milliseconds(words: &mut Words<'_>) -> Option<Duration> {
    number::<i64>(words).map(|ms| Duration::from_millis(ms.max(0) as u64))
}

/// Puts what was read into its place, and returns whether there was something.
fn keep<T>(place: &mut Option<T>, read: Option<T>) -> bool {
    let found = read.is_some();
    *place = read.or(place.take());
    found
}

impl Go {
    /// Reads what follows the word `go`.
    #[must_use]
    pub fn parse(rest: &str) -> Go {
        let mut go = Go::default();
        let mut words = rest.split_whitespace().peekable();
        while let Some(word) = words.next() {
            if word == "searchmoves" {
                go.read_moves(&mut words);
            } else if !go.read(word, &mut words) {
                go.ignored.push(word.to_owned());
            }
        }
        go
    }

    /// Reads one word and its argument; whether it made sense.
    fn read(&mut self, word: &str, words: &mut Words<'_>) -> bool {
        if let Some(sensible) = read_clock(&mut self.clock, word, words) {
            return sensible;
        }
        match word {
            "ponder" => self.ponder = true,
            "infinite" => self.infinite = true,
            "mate" => self.mate = Some(mate_time(words)),
            "nodes" => return keep(&mut self.nodes, number(words)),
            "depth" => return keep(&mut self.depth, number(words)),
            "movetime" => return keep(&mut self.movetime, milliseconds(words)),
            "rtime" => return keep(&mut self.rtime, milliseconds(words)),
            "perft" => return keep(&mut self.perft, number(words)),
            _ => return false,
        }
        true
    }

    /// Moves run to the end of the line.
    fn read_moves(&mut self, words: &mut Words<'_>) {
        for word in words {
            match word.parse() {
                Ok(m) => self.search_moves.push(m),
                Err(_) => self.ignored.push(word.to_owned()),
            }
        }
    }
}

/// The argument of `mate` is milliseconds, unlike in chess, and may be missing.
fn mate_time(words: &mut Words<'_>) -> MateTime {
    match milliseconds(words) {
        Some(time) => MateTime::Within(time),
        None => {
            words.next_if_eq(&"infinite");
            MateTime::Unlimited
        }
    }
}

/// Writes the words of a clock, each with a space before it.
pub(super) fn write_clock(clock: &Clock, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let [btime, wtime] = clock.time;
    let [binc, winc] = clock.increment;
    let fields =
        [("btime", btime), ("wtime", wtime), ("byoyomi", clock.byoyomi), ("binc", binc), ("winc", winc)];
    for (word, value) in fields {
        if let Some(value) = value {
            write!(f, " {word} {}", value.as_millis())?;
        }
    }
    Ok(())
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write_clock(&self.clock, f)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        match self.mate {
            Some(MateTime::Unlimited) => f.write_str(" mate infinite")?,
            Some(MateTime::Within(time)) => write!(f, " mate {}", time.as_millis())?,
            None => {}
        }
        let ms = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
        let numbers = [
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
            ("movetime", ms(self.movetime)),
            ("rtime", ms(self.rtime)),
            ("perft", self.perft.map(u64::from)),
        ];
        for (word, value) in numbers {
            if let Some(value) = value {
                write!(f, " {word} {value}")?;
            }
        }
        for word in &self.ignored {
            write!(f, " {word}")?;
        }
        if !self.search_moves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        self.search_moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_hold_together() {
        let go = Go::parse("btime 1000 wtime 2000 binc 10 winc 20 nodes 5 depth 6 movetime 7 rtime 8");
        assert_eq!(go.clock.time, [1000, 2000].map(|ms| Some(Duration::from_millis(ms))));
        assert_eq!(go.clock.increment, [10, 20].map(|ms| Some(Duration::from_millis(ms))));
        assert_eq!((go.nodes, go.depth), (Some(5), Some(6)));
        assert_eq!([go.movetime, go.rtime], [7, 8].map(|ms| Some(Duration::from_millis(ms))));
        assert!(go.ignored.is_empty());
    }

    #[test]
    fn mate_takes_milliseconds_infinite_or_nothing() {
        assert_eq!(Go::parse("mate 5000").mate, Some(MateTime::Within(Duration::from_secs(5))));
        for text in ["mate", "mate infinite"] {
            let go = Go::parse(text);
            assert_eq!((go.mate, go.infinite), (Some(MateTime::Unlimited), false), "{text}");
        }
        assert_eq!(Go::parse("mate nodes 5").nodes, Some(5));
    }

    #[test]
    fn search_moves_run_to_the_end_of_the_line() {
        let go = Go::parse("depth 3 searchmoves 7g7f 2g2f G*5b");
        assert_eq!(go.search_moves.len(), 3);
        assert_eq!(go.depth, Some(3));
    }

    #[test]
    fn strange_words_are_kept_and_the_rest_still_counts() {
        let go = Go::parse("movestogo 40 btime x wtime -20 byoyomi 100 depth");
        assert_eq!(go.ignored, ["movestogo", "40", "btime", "x", "depth"]);
        assert_eq!(go.clock.time, [None, Some(Duration::ZERO)]);
        assert_eq!(go.clock.byoyomi, Some(Duration::from_millis(100)));
    }
}
