//! Whatever is said is understood: a message, written and read again, is the same message. And nothing that is
//! read, however strange, is a panic.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use protocol::usi::{
    BestMove, Bound, Checkmate, Clock, EngineMessage, GameResult, Go, GuiMessage, Info, MateTime,
    OptionDeclaration, OptionKind, PositionCommand, Score, Start,
};
use shogi::{Move, PieceKind, Position, Square};

fn ms() -> impl Strategy<Value = Duration> {
    (0..10_000_000u64).prop_map(Duration::from_millis)
}

fn square() -> impl Strategy<Value = Square> {
    (0..81usize).prop_map(|i| Square::from_index(i).unwrap())
}

fn a_move() -> impl Strategy<Value = Move> {
    let board = (square(), square(), any::<bool>())
        .prop_filter_map("moves", |(from, to, promote)| (from != to).then(|| Move::board(from, to, promote)));
    let drop = (0..7usize, square()).prop_map(|(kind, to)| Move::drop(PieceKind::HAND[kind], to));
    prop_oneof![board, drop]
}

/// Words without a meaning of their own.
fn words() -> impl Strategy<Value = String> {
    "[A-Z][A-Za-z0-9_]{0,8}( [A-Z][a-z]{0,5}){0,2}"
}

fn word() -> impl Strategy<Value = String> {
    "[A-Z][A-Za-z0-9_]{0,12}"
}

fn clock() -> impl Strategy<Value = Clock> {
    ([of(ms()), of(ms())], of(ms()), [of(ms()), of(ms())]).prop_map(|(time, byoyomi, increment)| Clock {
        time,
        byoyomi,
        increment,
    })
}

fn go() -> impl Strategy<Value = Go> {
    let mate = prop_oneof![Just(MateTime::Unlimited), ms().prop_map(MateTime::Within)];
    let flags = (clock(), any::<bool>(), any::<bool>(), of(mate));
    let numbers = (of(any::<u64>()), of(any::<u32>()), of(ms()), of(ms()), of(0..9u32));
    (flags, numbers, vec(a_move(), 0..4), vec(word(), 0..3)).prop_map(
        |((clock, ponder, infinite, mate), (nodes, depth, movetime, rtime, perft), search_moves, ignored)| {
            // Words that nobody knows are left aside only beside others.
            let depth = depth.or((!ignored.is_empty()).then_some(1));
            Go { clock, ponder, infinite, mate, nodes, depth, movetime, rtime, perft, search_moves, ignored }
        },
    )
}

fn position() -> impl Strategy<Value = PositionCommand> {
    let start = prop_oneof![
        Just(Start::Usual),
        (1..500u16).prop_map(|ply| {
            let mut setup = Position::start().setup();
            setup.ply = ply;
            Start::Setup(Box::new(setup))
        }),
    ];
    (start, vec(a_move(), 0..20)).prop_map(|(start, moves)| PositionCommand { start, moves })
}

fn gui_message() -> impl Strategy<Value = GuiMessage> {
    prop_oneof![
        Just(GuiMessage::Usi),
        Just(GuiMessage::IsReady),
        Just(GuiMessage::NewGame),
        (words(), of(words())).prop_map(|(name, value)| GuiMessage::SetOption { name, value }),
        of(words()).prop_map(GuiMessage::GetOption),
        position().prop_map(|position| GuiMessage::Position(Box::new(position))),
        go().prop_map(|go| GuiMessage::Go(Box::new(go))),
        Just(GuiMessage::Stop),
        clock().prop_map(GuiMessage::PonderHit),
        of(prop_oneof![Just(GameResult::Win), Just(GameResult::Lose), Just(GameResult::Draw)])
            .prop_map(GuiMessage::GameOver),
        Just(GuiMessage::Quit),
        Just(GuiMessage::Display),
        Just(GuiMessage::Eval),
        Just(GuiMessage::Help),
        words().prop_map(GuiMessage::Bench),
        words().prop_map(GuiMessage::Unknown),
    ]
}

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![
        any::<i32>().prop_map(Score::Centipawns),
        any::<u32>().prop_map(Score::MateIn),
        any::<u32>().prop_map(Score::MatedIn),
        Just(Score::Mating),
        Just(Score::Mated),
    ]
}

fn info() -> impl Strategy<Value = Info> {
    let counts = (of(any::<u32>()), of(any::<u32>()), of(ms()), of(any::<u64>()), of(any::<u64>()));
    let more = (of(0..1001u32), of(1..9u32), of(score()), of(a_move()));
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    // Only one of these can be written.
    let rest = prop_oneof![
        vec(a_move(), 0..20).prop_map(|pv| (pv, None)),
        words().prop_map(|string| (Vec::new(), Some(string))),
    ];
    (counts, more, bound, rest).prop_map(
        |((depth, seldepth, time, nodes, nps), (hashfull, multipv, score, currmove), bound, (pv, string))| {
            Info { depth, seldepth, time, nodes, nps, hashfull, multipv, score, bound, currmove, pv, string }
        },
    )
}

fn option() -> impl Strategy<Value = OptionDeclaration> {
    let text = || prop_oneof![Just(String::new()), word()];
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (word(), vec(word(), 0..4)).prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        text().prop_map(|default| OptionKind::Text { default }),
        text().prop_map(|default| OptionKind::File { default }),
    ];
    (word(), kind).prop_map(|(name, kind)| OptionDeclaration { name, kind })
}

fn engine_message() -> impl Strategy<Value = EngineMessage> {
    let best = prop_oneof![
        (a_move(), of(a_move())).prop_map(|(best, ponder)| BestMove::Move { best, ponder }),
        Just(BestMove::Resign),
        Just(BestMove::Win),
    ];
    let checkmate = prop_oneof![
        vec(a_move(), 1..9).prop_map(Checkmate::Mate),
        Just(Checkmate::NoMate),
        Just(Checkmate::Timeout),
        Just(Checkmate::NotImplemented),
    ];
    prop_oneof![
        words().prop_map(EngineMessage::IdName),
        words().prop_map(EngineMessage::IdAuthor),
        option().prop_map(EngineMessage::Option),
        Just(EngineMessage::UsiOk),
        Just(EngineMessage::ReadyOk),
        info().prop_map(|info| EngineMessage::Info(Box::new(info))),
        best.prop_map(EngineMessage::BestMove),
        checkmate.prop_map(EngineMessage::Checkmate),
        words().prop_map(EngineMessage::Text),
    ]
}

proptest! {
    #[test]
    fn what_a_board_says_is_understood(message in gui_message(), end in "(\r?\n)?") {
        let line = format!("{message}{end}");
        prop_assert_eq!(GuiMessage::parse(&line), Some(Ok(message)), "{}", line);
    }

    #[test]
    fn what_an_engine_says_is_understood(message in engine_message(), end in "(\r?\n)?") {
        let line = format!("{message}{end}");
        prop_assert_eq!(EngineMessage::parse(&line), Some(message), "{}", line);
    }

    #[test]
    fn no_line_is_a_panic(line in "((go|position|setoption|info|option|bestmove|score|pv|name|value|type|spin|sfen|moves|mate|cp|default|var|[0-9*+a-i]{1,5}|\\PC{0,6}) ?){0,12}") {
        let _ = GuiMessage::parse(&line);
        let _ = EngineMessage::parse(&line);
    }
}
