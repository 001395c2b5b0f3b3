//! `yomi show`: a position, or a game's, as text and as a picture.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum, ValueHint};
use plot::{Board, PieceSet};
use records::convert::{FileFormat, game_at};
use records::game::Game;
use records::position_text::{self, PositionTextError};
use shogi::{Lettering, Position};

use crate::command_line::{bad_value, whole_number};
use crate::standard_input::InputFile;
use crate::target::{Force, Target, check_all};
use crate::{game_text, output};

/// Show a position, or one of a game: the board, the hands, whose turn it is, checks and legal moves.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// What to show: a file of games (- for standard input); or startpos, a handicap or an SFEN, also with moves after it
    #[arg(value_name = "FILE|SFEN", value_parser = Subject::read)]
    subject: Subject,

    /// Which game of the file, from 1
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = whole_number(1..=u32::MAX))]
    game: u32,

    /// The format of the file; by its name or its text unless given
    #[arg(long, value_name = "FORMAT", value_parser = FileFormat::of_name)]
    from: Option<FileFormat>,

    /// Show the position after this many of the moves; all of them if not given
    #[arg(long, value_name = "MOVES", value_parser = whole_number(0..=65535))]
    ply: Option<u32>,

    /// How the board, as text and as a picture, shows its pieces
    #[arg(long, value_enum, default_value_t = Pieces::Kanji)]
    pieces: Pieces,

    /// Also write a picture of the board to this file; - writes it, and nothing else, to standard output
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    svg: Option<Target>,

    #[command(flatten)]
    force: Force,
}

const EXAMPLES: &str = "\
Examples:
  yomi show startpos
  yomi show 'startpos moves 7g7f 3c3d 8h2b+' --ply 2
  yomi show games.csa --game 3 --ply 40              after 40 moves of the third game
  yomi show 4                                        a four-piece handicap (names as in JKF files)
  yomi show '4k4/9/4P4/9/9/9/9/9/4K4 b G 1' --svg board.svg

Handicaps: HIRATE KY KY_R KA HI HIKY 2 3 4 5 5_L 6 7_L 7_R 8 10";

#[derive(Clone, Copy, ValueEnum)]
enum Pieces {
    /// As in a KIF diagram; White's pieces have a v before them
    Kanji,
    /// As in SFEN: capitals are Black's, + is promoted; in a picture with marks for where pieces go
    Letters,
}

/// What the first argument names.
#[derive(Clone)]
enum Subject {
    Position(Box<Position>),
    File(PathBuf),
}

impl Subject {
    /// A position if the text is one, else a file if there is one or the text ends like one.
    fn read(text: &str) -> Result<Subject, PositionTextError> {
        let path = Path::new(text);
        match position_text::game_or_problem(text) {
            Ok(position) => Ok(Subject::Position(Box::new(position))),
            Err(_) if text == "-" || path.is_file() || FileFormat::of_path(path).is_ok() => {
                Ok(Subject::File(path.into()))
            }
            Err(error) => Err(error),
        }
    }
}

impl Show {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.subject.clone() {
            Subject::Position(position) => {
                let position = after_moves(*position, self.ply)?;
                self.show(&position, "", "")
            }
            Subject::File(path) => {
                let file = InputFile::take(&path)?;
                let game = game_at(file.path(), self.from, self.game.into())
                    .with_context(|| format!("cannot show {}", file.name()))?;
                self.show_game(&game)
            }
        }
    }

    fn show_game(&self, game: &Game) -> anyhow::Result<()> {
        let position = after_moves(game.last_position(), self.ply)?;
        let notes = game_text::notes(game, position.plies_played());
        self.show(&position, &game_text::header(game), &notes)
    }

    /// Prints the position between what goes before and after it.
    fn show(&self, position: &Position, before: &str, after: &str) -> anyhow::Result<()> {
        let existing = self.force.existing();
        let is_printed = check_all(&[&self.svg], existing)?;
        if let Some(target) = &self.svg {
            let set = match self.pieces {
                Pieces::Kanji => PieceSet::Kanji,
                Pieces::Letters => PieceSet::International,
            };
            target.write(Board::of_position(position).with_pieces(set).to_file().as_bytes(), existing)?;
        }
        if is_printed {
            return Ok(());
        }
        let lettering = match self.pieces {
            Pieces::Kanji => Lettering::Kanji,
            Pieces::Letters => Lettering::Letters,
        };
        output::print(&format!("{before}{}\n{}{after}", position.text_board(lettering), facts(position)))
    }
}

/// Takes back all moves but the first `ply`.
fn after_moves(mut position: Position, ply: Option<u32>) -> Result<Position, clap::Error> {
    let played = position.plies_played();
    let wanted = ply.map_or(played, |ply| ply as usize);
    if wanted > played {
        let message = format!(
            "--ply {wanted} is past the end: there are {played} moves, so 0 to {played} can be shown"
        );
        return Err(bad_value("show", message));
    }
    for _ in wanted..played {
        position.undo();
    }
    Ok(position)
}

/// What a board does not show by itself, a line each.
fn facts(position: &Position) -> String {
    let last = position.last_move().map_or_else(|| "none".to_owned(), |last| last.to_string());
    format!(
        "turn   {}, ply {}\nlast   {last}\ncheck  {}\nmoves  {} legal\nsfen   {position}\n",
        position.side(),
        position.ply(),
        check_state(position),
        position.count_legal_moves(),
    )
}

fn check_state(position: &Position) -> String {
    let side = position.side();
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    match (checkers.as_slice(), position.has_legal_move()) {
        ([], true) => "none".to_owned(),
        ([], false) => format!("none, but no legal move: {side} has lost"),
        (_, true) => format!("from {}", checkers.join(" and ")),
        (_, false) => format!("from {}, mate: {side} has lost", checkers.join(" and ")),
    }
}
