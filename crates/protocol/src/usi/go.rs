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
    /// Words that nobody knows, beside others that say what to do.
    pub ignored: Vec<String>,
}

/// Why a `go` makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum GoError {
    #[error("{word} takes {expected}, {}", found.as_ref().map_or("and nothing follows".to_owned(), |found| format!("not '{found}'")))]
    Argument { word: String, expected: &'static str, found: Option<String> },
    #[error("'{0}' is not known")]
    Unknown(String),
}

/// What a word made of what follows it.
enum Word {
    Read,
    /// It takes something else than what follows.
    Wrong(&'static str),
    Unknown,
}

const MILLISECONDS: &str = "milliseconds";
const WHOLE_NUMBER: &str = "a whole number";
const MOVES: &str = "moves to the end of the line";
const MATE_TIME: &str = "milliseconds, 'infinite' or nothing";

/// Reads one word of a clock and its number.
fn read_clock(clock: &mut Clock, word: &str, words: &mut Words<'_>) -> Word {
    let [black, white] = [Color::Black.index(), Color::White.index()];
    let field = match word {
        "btime" => &mut clock.time[black],
        "wtime" => &mut clock.time[white],
        "byoyomi" => &mut clock.byoyomi,
        "binc" => &mut clock.increment[black],
        "winc" => &mut clock.increment[white],
        _ => return Word::Unknown,
    };
    keep(field, milliseconds(words), MILLISECONDS)
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

/// Puts what was read into its place, if there was something.
fn keep<T>(place: &mut Option<T>, read: Option<T>, expected: &'static str) -> Word {
    if read.is_none() {
        return Word::Wrong(expected);
    }
    *place = read;
    Word::Read
}

impl Go {
    /// Reads what follows the word `go`. Words that nobody knows are left aside, as long as others say what to do; a known word
    /// without what it takes is an error, since thinking about something else than was asked helps nobody.
    pub fn parse(rest: &str) -> Result<Go, GoError> {
        let mut go = Go::default();
        let mut words = rest.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match go.read(word, &mut words) {
                Word::Read => {}
                Word::Unknown => go.ignored.push(word.to_owned()),
                Word::Wrong(expected) => {
                    let found = words.next().map(str::to_owned);
                    return Err(GoError::Argument { word: word.to_owned(), expected, found });
                }
            }
        }
        match go.ignored.first() {
            Some(word) if go.says_nothing() => Err(GoError::Unknown(word.clone())),
            _ => Ok(go),
        }
    }

    /// The clocks alone, of a line that must not fail.
    pub(super) fn clock_of(rest: &str) -> Clock {
        let mut clock = Clock::default();
        let mut words = rest.split_whitespace().peekable();
        while let Some(word) = words.next() {
            read_clock(&mut clock, word, &mut words);
        }
        clock
    }

    /// Whether it is a bare `go`, but for words that nobody knows.
    fn says_nothing(&self) -> bool {
        *self == Go { ignored: self.ignored.clone(), ..Go::default() }
    }

    /// Reads one word and its argument.
    fn read(&mut self, word: &str, words: &mut Words<'_>) -> Word {
        match word {
            "ponder" => self.ponder = true,
            "infinite" => self.infinite = true,
            "mate" => return keep(&mut self.mate, mate_time(words), MATE_TIME),
            "nodes" => return keep(&mut self.nodes, number(words), WHOLE_NUMBER),
            "depth" => return keep(&mut self.depth, number(words), WHOLE_NUMBER),
            "movetime" => return keep(&mut self.movetime, milliseconds(words), MILLISECONDS),
            "rtime" => return keep(&mut self.rtime, milliseconds(words), MILLISECONDS),
            "perft" => return keep(&mut self.perft, number(words), WHOLE_NUMBER),
            "searchmoves" => return self.read_moves(words),
            _ => return read_clock(&mut self.clock, word, words),
        }
        Word::Read
    }

    /// Moves run to the end of the line.
    fn read_moves(&mut self, words: &mut Words<'_>) -> Word {
        while let Some(m) = words.peek().and_then(|word| word.parse().ok()) {
            self.search_moves.push(m);
            words.next();
        }
        if words.peek().is_some() || self.search_moves.is_empty() { Word::Wrong(MOVES) } else { Word::Read }
    }
}

/// The words that may follow `mate` instead of its argument.
const AFTER_MATE: [&str; 9] =
    ["nodes", "depth", "movetime", "searchmoves", "btime", "wtime", "byoyomi", "binc", "winc"];

/// The argument of `mate` is milliseconds, unlike in chess, and may be missing.
fn mate_time(words: &mut Words<'_>) -> Option<MateTime> {
    if let Some(time) = milliseconds(words) {
        return Some(MateTime::Within(time));
    }
    let unlimited =
        words.next_if_eq(&"infinite").is_some() || words.peek().is_none_or(|word| AFTER_MATE.contains(word));
    unlimited.then_some(MateTime::Unlimited)
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

    fn parsed(text: &str) -> Go {
        Go::parse(text).unwrap()
    }

    #[test]
    fn limits_hold_together() {
        let go = parsed("btime 1000 wtime 2000 binc 10 winc 20 nodes 5 depth 6 movetime 7 rtime 8");
        assert_eq!(go.clock.time, [1000, 2000].map(|ms| Some(Duration::from_millis(ms))));
        assert_eq!(go.clock.increment, [10, 20].map(|ms| Some(Duration::from_millis(ms))));
        assert_eq!((go.nodes, go.depth), (Some(5), Some(6)));
        assert_eq!([go.movetime, go.rtime], [7, 8].map(|ms| Some(Duration::from_millis(ms))));
        assert!(go.ignored.is_empty());
    }

    #[test]
    fn mate_takes_milliseconds_infinite_or_nothing() {
        assert_eq!(parsed("mate 5000").mate, Some(MateTime::Within(Duration::from_secs(5))));
        for text in ["mate", "mate infinite"] {
            let go = parsed(text);
            assert_eq!((go.mate, go.infinite), (Some(MateTime::Unlimited), false), "{text}");
        }
        assert_eq!(parsed("mate nodes 5").nodes, Some(5));
    }

    #[test]
    fn search_moves_run_to_the_end_of_the_line() {
        let go = parsed("depth 3 searchmoves 7g7f 2g2f G*5b");
        assert_eq!(go.search_moves.len(), 3);
        assert_eq!(go.depth, Some(3));
    }

    #[test]
    fn strange_words_beside_known_ones_are_left_aside() {
        let go = parsed("movestogo 40 wtime -20 byoyomi 100");
        assert_eq!(go.ignored, ["movestogo", "40"]);
        assert_eq!(go.clock.time, [None, Some(Duration::ZERO)]);
        assert_eq!(go.clock.byoyomi, Some(Duration::from_millis(100)));
        assert_eq!(Go::clock_of("btime x byoyomi 5 depth").byoyomi, Some(Duration::from_millis(5)));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_what_would() {
        for (text, error) in [
            ("depth x", "depth takes a whole number, not 'x'"),
            ("depth", "depth takes a whole number, and nothing follows"),
            ("nodes -1", "nodes takes a whole number, not '-1'"),
            ("btime 1000 wtime x", "wtime takes milliseconds, not 'x'"),
            ("infinite movetime 1.5", "movetime takes milliseconds, not '1.5'"),
            ("mate soon", "mate takes milliseconds, 'infinite' or nothing, not 'soon'"),
            ("depth 3 searchmoves 7g7f 9z9z", "searchmoves takes moves to the end of the line, not '9z9z'"),
            ("searchmoves", "searchmoves takes moves to the end of the line, and nothing follows"),
            ("dpeth 5", "'dpeth' is not known"),
        ] {
            assert_eq!(Go::parse(text).unwrap_err().to_string(), error);
        }
        assert_eq!(parsed(""), Go::default());
    }
}
