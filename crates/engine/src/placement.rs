//! From a `position` command to a position.

use protocol::usi::PositionCommand;
use shogi::{Move, Position, SetupError};

/// Why a `position` command leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum PlacementError {
    #[error("'{sfen}' is not a legal position: {error}")]
    Setup { sfen: String, error: SetupError },
    #[error("move {number}, {played}, is not legal in '{sfen}'")]
    Illegal { number: usize, played: Move, sfen: String },
}

/// The position with its past; as in mate problems, the side to move at first may lack a king. Moves without promotion that nobody would play are legal.
pub fn place(command: &PositionCommand) -> Result<Position, PlacementError> {
    let setup = command.setup();
    let mut position = Position::problem(&setup)
        .map_err(|error| PlacementError::Setup { sfen: setup.to_string(), error })?;
    for (number, &played) in (1..).zip(&command.moves) {
        if !position.is_legal(played) {
            return Err(PlacementError::Illegal { number, played, sfen: position.to_string() });
        }
        position.play(played);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(text: &str) -> Result<Position, String> {
        place(&PositionCommand::parse(text).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_past_is_kept() {
        assert_eq!(placed("startpos moves 7g7f 3c3d").unwrap().plies_played(), 2);
        // A bishop that does not promote.
        assert!(placed("startpos moves 7g7f 3c3d 8h2b").is_ok());
    }

    #[test]
    fn refusals_name_move_and_position() {
        let error = placed("startpos moves 7g7f 7g7f").unwrap_err();
        assert!(error.starts_with("move 2, 7g7f, is not legal in 'lnsgkgsnl/"), "{error}");
        assert!(placed("sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1").is_ok());
        let error = placed("sfen 9/9/9/9/9/9/9/9/9 b - 1").unwrap_err();
        assert!(error.contains("'9/9/9/9/9/9/9/9/9 b - 1' is not a legal position"), "{error}");
    }
}
