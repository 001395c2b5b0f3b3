//! Positions as people write them: `startpos`, a handicap or an SFEN, perhaps with moves after it.

use shogi::{HANDICAPS, Move, MoveTextError, Position, Setup, SetupError, SfenError};

/// Why a text is no position.
#[derive(Debug, thiserror::Error)]
pub enum PositionTextError {
    /// Nothing that begins like a position.
    #[error(
        "expected startpos, an SFEN or a handicap ({}), perhaps with 'moves' and USI moves after it",
        handicap_names()
    )]
    Unknown,
    /// An SFEN with something wrong in it.
    #[error("not an SFEN: {error}{}", quote_hint(.error))]
    Sfen {
        /// What is wrong.
        error: SfenError,
    },
    /// A board that cannot occur.
    #[error("not a legal position: {0}")]
    Setup(#[from] SetupError),
    /// What stands where a move should.
    #[error("move {number}: {error}")]
    MoveText {
        /// Which move, from 1.
        number: usize,
        /// What is wrong.
        error: MoveTextError,
    },
    /// A move against the rules.
    #[error("move {number}: {played} is not legal here; the position is {sfen}")]
    Illegal {
        /// Which move, from 1.
        number: usize,
        /// The move.
        played: Move,
        /// Where it was to be played.
        sfen: String,
    },
}

fn handicap_names() -> String {
    HANDICAPS.map(|handicap| handicap.name).join(", ")
}

/// A shell cuts an SFEN at its spaces.
fn quote_hint(error: &SfenError) -> &'static str {
    match error {
        SfenError::Fields(1) => "; put the whole SFEN in quotes",
        _ => "",
    }
}

/// A position of a game, with the moves that led to it from where the text begins.
pub fn game_position(text: &str) -> Result<Position, PositionTextError> {
    read(text, Position::new)
}

/// As [`game_position`], but the side to move may lack a king, as in mate problems.
pub fn game_or_problem(text: &str) -> Result<Position, PositionTextError> {
    read(text, Position::problem)
}

/// A mate problem, and the moves after it, which are its solution.
pub fn problem_with_solution(text: &str) -> Result<(Position, Vec<Move>), PositionTextError> {
    let (start, moves) = read_line(text, Position::problem)?;
    play(&mut start.clone(), &moves)?;
    Ok((start, moves))
}

fn read(
    text: &str,
    validate: fn(&Setup) -> Result<Position, SetupError>,
) -> Result<Position, PositionTextError> {
    let (mut position, moves) = read_line(text, validate)?;
    play(&mut position, &moves)?;
    Ok(position)
}

/// Where the text begins, and the moves that it goes on with.
fn read_line(
    text: &str,
    validate: fn(&Setup) -> Result<Position, SetupError>,
) -> Result<(Position, Vec<Move>), PositionTextError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.strip_prefix(&["position"]).unwrap_or(&words);
    let words = words.strip_prefix(&["sfen"]).unwrap_or(words);
    let (root, moves) = match words.iter().position(|&word| word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let start = validate(&read_root(root)?)?;
    let read_move = |(number, text): (usize, &&str)| {
        text.parse().map_err(|error| PositionTextError::MoveText { number, error })
    };
    let moves = (1..).zip(moves).map(read_move).collect::<Result<_, _>>()?;
    Ok((start, moves))
}

fn play(position: &mut Position, moves: &[Move]) -> Result<(), PositionTextError> {
    for (number, &played) in (1..).zip(moves) {
        if !position.is_legal(played) {
            return Err(PositionTextError::Illegal { number, played, sfen: position.to_string() });
        }
        position.play(played);
    }
    Ok(())
}

fn read_root(words: &[&str]) -> Result<Setup, PositionTextError> {
    match words {
        ["startpos"] => Ok(Position::start().setup()),
        [word] if !word.contains('/') => HANDICAPS
            .into_iter()
            .find(|handicap| handicap.name.eq_ignore_ascii_case(word) || handicap.japanese == *word)
            .map(|handicap| handicap.position().setup())
            .ok_or(PositionTextError::Unknown),
        [] => Err(PositionTextError::Unknown),
        [board, ..] if !board.contains('/') => Err(PositionTextError::Unknown),
        _ => words.join(" ").parse().map_err(|error| PositionTextError::Sfen { error }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_way_to_write_a_position_is_read() {
        let start = Position::start().to_string();
        for text in ["startpos", "position startpos", "HIRATE", "hirate", "平手", &start, " startpos moves"]
        {
            assert_eq!(game_position(text).unwrap().to_string(), start, "{text}");
        }
        for text in ["position sfen {} moves 7g7f 3c3d", "sfen {} moves 7g7f 3c3d", "{} moves 7g7f 3c3d"] {
            let position = game_position(&text.replace("{}", &start)).unwrap();
            assert_eq!((position.plies_played(), position.ply()), (2, 3), "{text}");
        }
    }

    #[test]
    fn refusals_say_what_is_wrong_and_what_would_be_right() {
        for (text, expected) in [
            ("", "expected startpos, an SFEN or a handicap (HIRATE, KY,"),
            ("startpos 7g7f", "expected startpos"),
            ("middle", "expected startpos"),
            (
                "9/9/9/9/9/9/9/9/9",
                "four fields (board, side, hands, ply), found 1; put the whole SFEN in quotes",
            ),
            ("9/9/9 b - 1", "not an SFEN: the board has 3 ranks instead of 9"),
            ("9/9/9/9/9/9/9/9/9 b - 1", "not a legal position: Black has no king"),
            ("startpos moves 7g7f xx", "move 2: 'xx' is not a USI move; moves look like"),
            ("startpos moves 7g7e", "move 1: 7g7e is not legal here"),
        ] {
            let error = game_position(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn only_a_problem_may_lack_the_king_of_the_side_to_move() {
        let problem = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
        assert!(game_position(problem).is_err());
        assert!(game_or_problem(problem).is_ok());
    }
}
