//! Games survive being written and read again, in every format, up to what the format has words for.

use std::time::Duration;

use records::game::{EndReason, Evaluation, Game, GameResult, Outcome, PlayedMove, TimeControl, Variation};
use records::text::{Format, read_games, write_game};
use shogi::{Color, DeclarationRule, HANDICAPS, Handicap, Move, Position};

/// A tiny seeded generator (xorshift), so that a failing game can be made again.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn legal_move(&mut self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        (!moves.is_empty()).then(|| moves[self.below(moves.len())])
    }
}

/// Starts besides the usual ones: promoted pieces and hands, White to move, a mate problem without a king.
const STARTS: [&str; 3] = [
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b2gs3n3l15p 1",
    "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1",
];

fn random_game(dice: &mut Dice) -> Game {
    let start = match dice.below(HANDICAPS.len() + STARTS.len()) {
        n if n < STARTS.len() => {
            let setup = STARTS[n].parse().unwrap();
            Position::new(&setup).or_else(|_| Position::problem(&setup)).unwrap()
        }
        n => HANDICAPS[n - STARTS.len()].position(),
    };
    let mut game = Game::new(start.clone());
    let mut position = start;
    for _ in 0..dice.below(150) {
        let Some(m) = dice.legal_move(&position) else { break };
        position.play(m);
        game.push(m);
        annotate(game.moves.last_mut().unwrap(), &position, dice);
    }
    game.variations = random_variations(&game.start, &game.moves, 0, 2, dice);
    game.outcome = random_outcome(dice, &position);
    fill_info(&mut game);
    game
}

/// Lines that leave `moves`, which follow `start` and have so many moves before them; the last may go on beyond their end.
fn random_variations(
    start: &Position,
    moves: &[PlayedMove],
    before: usize,
    depth: usize,
    dice: &mut Dice,
) -> Vec<Variation> {
    let mut variations = Vec::new();
    let mut position = start.clone();
    // A line that leaves a variation at its first move would leave the one before it.
    let first = usize::from(before > 0);
    for index in 0..=moves.len() {
        while depth > 0 && index >= first && dice.below(12) == 0 {
            let (mut at, mut line) = (position.clone(), Vec::new());
            for _ in 0..=dice.below(6) {
                let Some(m) = dice.legal_move(&at) else { break };
                at.play(m);
                line.push(PlayedMove::new(m));
                annotate(line.last_mut().unwrap(), &at, dice);
            }
            if !line.is_empty() {
                let after = before + index;
                let nested = random_variations(&position, &line, after, depth - 1, dice);
                variations.push(Variation { after, moves: line, variations: nested });
            }
        }
        if let Some(played) = moves.get(index) {
            position.play(played.m);
        }
    }
    variations
}

fn annotate(played: &mut PlayedMove, after: &Position, dice: &mut Dice) {
    played.time = (dice.below(5) > 0).then(|| Duration::from_millis(dice.below(5_000_000) as u64));
    if dice.below(3) == 0 {
        played.evaluation = Some(Evaluation::BlackCp(dice.below(4000) as i32 - 2000));
        let mut position = after.clone();
        for _ in 0..dice.below(5) {
            let Some(m) = dice.legal_move(&position) else { break };
            position.play(m);
            played.pv.push(m);
        }
        played.nodes = (dice.below(2) == 0).then_some(dice.below(1 << 40) as u64);
    }
    if dice.below(8) == 0 {
        played.comments = ["好手。", "", "* starred", " spaced ", "** not an evaluation", "+7776FU"]
            .map(str::to_owned)
            .to_vec();
    }
}

fn random_outcome(dice: &mut Dice, last: &Position) -> Option<Outcome> {
    let side = last.side();
    let outcomes = [
        Outcome::win(!side, EndReason::Resignation),
        Outcome::win(!side, EndReason::TimeUp),
        Outcome::win(!side, EndReason::IllegalMove(None)),
        Outcome::win(side, EndReason::IllegalMove(None)),
        Outcome::win(!side, EndReason::IllegalMove(illegal_move(last))),
        Outcome::win(side, EndReason::Declaration),
        Outcome::win(!side, EndReason::Mate),
        Outcome::draw(EndReason::Repetition),
        Outcome::draw(EndReason::Impasse),
        Outcome::draw(EndReason::Draw),
        Outcome::draw(EndReason::MaxMoves),
        Outcome::undecided(EndReason::NoMate),
        Outcome::undecided(EndReason::Interrupted),
        Outcome::undecided(EndReason::TakenBack),
        Outcome::undecided(EndReason::Error),
    ];
    let mut outcome = outcomes.get(dice.below(outcomes.len() + 1))?.clone();
    outcome.time = (dice.below(2) == 0).then_some(Duration::from_secs(61));
    Some(outcome)
}

/// A move of an own piece that the rules forbid.
fn illegal_move(position: &Position) -> Option<Move> {
    let from = position.pieces(position.side()).first()?;
    shogi::Square::all()
        .filter(|&to| to != from)
        .map(|to| Move::board(from, to, false))
        .find(|&m| !position.is_legal(m))
}

fn fill_info(game: &mut Game) {
    let text = |text: &str| Some(text.to_owned());
    let info = &mut game.info;
    info.players = [text("渡辺 明"), text("engine-1.0 (beta)")];
    info.ratings = [Some(3382.5), None];
    info.event = text("第１回電脳戦");
    info.site = text("東京");
    info.opening = text("矢倉");
    info.started = text("2024/05/14 10:00:00");
    info.ended = text("2024/05/14 12:34:56");
    let time = TimeControl {
        initial: Duration::from_secs(900),
        byoyomi: Duration::from_secs(10),
        increment: Duration::ZERO,
    };
    info.time = [Some(time), Some(TimeControl { increment: Duration::from_millis(2500), ..time })];
    info.declaration_rule = Some(DeclarationRule::Points24);
    info.max_moves = Some(320);
    info.other.insert("NOTE".into(), "a note".into());
    game.comments = ["before the first move", "二行目"].map(str::to_owned).to_vec();
}

/// Changes the time of every move, those of variations included.
fn change_times(
    moves: &mut [PlayedMove],
    variations: &mut [Variation],
    change: fn(Duration) -> Option<Duration>,
) {
    moves.iter_mut().for_each(|played| played.time = played.time.and_then(change));
    variations.iter_mut().for_each(|line| change_times(&mut line.moves, &mut line.variations, change));
}

/// The game without what the format has no words for.
fn carried(game: &Game, format: Format) -> Game {
    let mut game = game.clone();
    match format {
        Format::CsaV3 => game.variations.clear(),
        Format::Csa | Format::Kif | Format::Kifu | Format::Jkf => {
            let whole_seconds = |time: Duration| Some(Duration::from_secs(time.as_secs()));
            change_times(&mut game.moves, &mut game.variations, whole_seconds);
            if format == Format::Csa {
                game.variations.clear();
                game.info.time = [None; 2];
                game.info.declaration_rule = None;
            }
        }
        Format::Ki2 | Format::Ki2u => {
            change_times(&mut game.moves, &mut game.variations, |_| None);
            if let Some(outcome) = &mut game.outcome {
                outcome.time = None;
            }
        }
        Format::Usi => {
            let moves: Vec<Move> = game.moves.iter().map(|played| played.m).collect();
            game = Game::new(game.start);
            moves.into_iter().for_each(|m| game.push(m));
        }
    }
    game
}

#[test]
fn random_games_survive_every_format() {
    let mut dice = Dice(0x5EED_1234_5678_9ABC);
    for round in 0..60 {
        let game = random_game(&mut dice);
        for format in Format::ALL {
            let bytes = write_game(&game, format);
            let again = read_games(&bytes, Some(format))
                .unwrap_or_else(|error| panic!("round {round}, {format:?}: {error}"));
            assert_eq!(again, [carried(&game, format)], "round {round}, {format:?}");
        }
    }
}

#[test]
fn a_written_text_shows_its_format() {
    let mut dice = Dice(42);
    for _ in 0..10 {
        let game = random_game(&mut dice);
        if game.moves.is_empty() {
            continue;
        }
        for format in Format::ALL {
            let bytes = write_game(&game, format);
            assert_eq!(read_games(&bytes, None), read_games(&bytes, Some(format)), "{format:?}");
        }
    }
}

#[test]
fn another_library_reads_the_same_moves() {
    use rsshogi::records::formats::{csa, jkf, kif};
    let mut dice = Dice(7);
    for round in 0..30 {
        let mut game = random_game(&mut dice);
        // It does not know the rarer handicaps.
        if Handicap::of(&game.start)
            .is_some_and(|handicap| ["KY_R", "3", "5", "5_L", "7_L", "7_R"].contains(&handicap.name))
        {
            continue;
        }
        game.outcome = game.outcome.filter(|outcome| !matches!(outcome.reason, EndReason::IllegalMove(_)));
        let text = |format| String::from_utf8(write_game(&game, format)).unwrap();
        let expected: Vec<String> = game.moves.iter().map(|played| played.m.to_string()).collect();
        let refused = |error: &dyn std::fmt::Debug| panic!("round {round}, {}: {error:?}", game.start);
        let records = [
            csa::parse_csa_str(&text(Format::CsaV3)).unwrap_or_else(|error| refused(&error)),
            kif::parse_kif_str(&text(Format::Kifu)).unwrap_or_else(|error| refused(&error)),
            kif::parse_ki2_str(&text(Format::Ki2u)).unwrap_or_else(|error| refused(&error)),
            jkf::parse_jkf_str(&text(Format::Jkf)).unwrap_or_else(|error| refused(&error)),
        ];
        for (index, record) in records.iter().enumerate() {
            let moves: Vec<String> = record.main_moves().map(|entry| entry.mv().to_usi()).collect();
            assert_eq!(moves, expected, "round {round}, record {index}");
        }
    }
}

#[test]
fn a_foul_is_kept_as_the_outcome_not_as_a_move() {
    let mut game = Game::new(Position::start());
    game.push("7g7f".parse().unwrap());
    let foul: Move = "2b8h+".parse().unwrap();
    game.outcome = Some(Outcome::win(Color::Black, EndReason::IllegalMove(Some(foul))));
    for format in [Format::Csa, Format::Kif, Format::Ki2, Format::Jkf] {
        let again = read_games(&write_game(&game, format), Some(format)).unwrap().remove(0);
        assert_eq!(again.moves.len(), 1, "{format:?}");
        let outcome = again.outcome.unwrap();
        assert_eq!(outcome.reason, EndReason::IllegalMove(Some(foul)), "{format:?}");
        assert_eq!(outcome.result, Some(GameResult::Win(Color::Black)), "{format:?}");
    }
}
