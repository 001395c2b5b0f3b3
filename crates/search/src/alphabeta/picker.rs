//! Moves in the order in which they are likely to be best, generated stage by stage.

use arrayvec::ArrayVec;
use shogi::{Bitboard, CheckInfo, Move, MoveList, Piece, PieceKind, Pointless, Position, Stage};

use super::history::{CONTINUATIONS, Histories, PieceToTable, Row, moved_piece, piece_to};
pub(crate) use crate::exchange::{VALUES, gain};

/// Captures: what changes material at once.
#[inline(always)]
pub(crate) fn is_noisy(position: &Position, m: Move) -> bool {
    position.piece(m.to()).is_some()
}

/// What the picker needs to know about its node.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) hash_move: Option<Move>,
    pub(crate) killers: [Option<Move>; 2],
    pub(crate) counter: Option<Move>,
    /// The earlier moves of [`CONTINUATIONS`].
    pub(crate) earlier: [Row; CONTINUATIONS.len()],
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    pub(crate) pointless: Pointless,
}

/// A score above, and below it the place of its move in the list: of equal scores the earlier move has the greater key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(i64);

impl Key {
    #[inline(always)]
    fn new(score: i32, place: usize) -> Key {
        Key((i64::from(score) << 16) | (0xffff - place as i64))
    }

    #[inline(always)]
    fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }

    #[inline(always)]
    fn place(self) -> usize {
        (0xffff - (self.0 & 0xffff)) as usize
    }
}

/// Which moves come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plan {
    /// All moves.
    All,
    /// Captures that do not lose more than the threshold.
    Noisy,
    /// The same, then quiet checks.
    NoisyAndChecks,
}

impl Plan {
    fn after_noisy(self) -> Step {
        match self {
            Plan::All => Step::Special(0),
            Plan::Noisy => Step::Done,
            Plan::NoisyAndChecks => Step::MakeChecks,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Hash,
    MakeNoisy,
    GoodNoisy,
    Special(usize),
    MakeQuiet,
    Quiet,
    BadNoisy,
    BadQuiet,
    MakeEvasions,
    Evasions,
    MakeChecks,
    Checks,
    Done,
}

/// Hands out pseudo-legal moves one by one.
pub(crate) struct Picker {
    context: Context,
    plan: Plan,
    step: Step,
    /// What a capture may lose to count as good.
    threshold: i32,
    /// The moves of this step, as they were generated.
    list: MoveList,
    /// Their order, as far as it is known.
    keys: ArrayVec<Key, 640>,
    next: usize,
    bad: ArrayVec<Move, 128>,
    next_bad: usize,
    skip_quiet: bool,
}

impl Picker {
    pub(crate) fn new(position: &Position, plan: Plan, threshold: i32, mut context: Context) -> Picker {
        context.hash_move = context.hash_move.filter(|&m| {
            position.is_pseudo_legal(m) && (plan == Plan::All || position.in_check() || is_noisy(position, m))
        });
        Picker {
            context,
            plan,
            step: Step::Hash,
            threshold,
            list: MoveList::new(),
            keys: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
            next_bad: 0,
            skip_quiet: false,
        }
    }

    /// No more quiet moves are wanted.
    pub(crate) fn skip_quiet(&mut self) {
        self.skip_quiet = true;
    }

    /// The next move. `info` is the position's check info.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        info: &CheckInfo,
        histories: &Histories,
    ) -> Option<Move> {
        loop {
            match self.step {
                Step::Hash => {
                    self.step = if position.in_check() { Step::MakeEvasions } else { Step::MakeNoisy };
                    if self.context.hash_move.is_some() {
                        return self.context.hash_move;
                    }
                }
                Step::MakeNoisy => {
                    self.make_noisy(position, histories);
                    self.step = Step::GoodNoisy;
                }
                Step::GoodNoisy => match self.good_noisy(position) {
                    Some(m) => return Some(m),
                    None => self.step = self.plan.after_noisy(),
                },
                Step::Special(i) => {
                    self.step = if i < 2 { Step::Special(i + 1) } else { Step::MakeQuiet };
                    if let Some(m) = self.special(i, position) {
                        return Some(m);
                    }
                }
                Step::MakeQuiet => {
                    if !self.skip_quiet {
                        self.make_quiet(position, info, histories);
                    }
                    self.step = Step::Quiet;
                }
                Step::Quiet => match self.quiet(GOOD_QUIET) {
                    Some(m) => return Some(m),
                    None => self.step = Step::BadNoisy,
                },
                Step::BadNoisy => {
                    if let Some(&m) = self.bad.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some(m);
                    }
                    self.step = Step::BadQuiet;
                }
                Step::BadQuiet => return self.quiet(i32::MIN),
                Step::MakeEvasions => {
                    self.make_evasions(position, histories);
                    self.step = Step::Evasions;
                }
                Step::MakeChecks => {
                    self.make_checks(position);
                    self.step = Step::Checks;
                }
                Step::Evasions => return self.pop_best(),
                Step::Checks => return self.good_check(position),
                Step::Done => return None,
            }
        }
    }

    fn clear(&mut self) {
        self.list.clear();
        self.keys.clear();
        self.next = 0;
    }

    /// Gives every listed move but the hash move its key.
    #[inline(always)]
    fn score_all(&mut self, mut score: impl FnMut(Move) -> i32) {
        for (place, &m) in self.list.iter().enumerate() {
            if Some(m) != self.context.hash_move {
                self.keys.push(Key::new(score(m), place));
            }
        }
    }

    #[inline(never)]
    fn make_noisy(&mut self, position: &Position, histories: &Histories) {
        self.clear();
        position.generate(Stage::Captures, self.context.pointless, &mut self.list);
        self.score_all(|m| {
            let now = piece_to(moved_piece(position, m), m.to());
            7 * gain(position, m) + histories.capture(now, position.piece(m.to()))
        });
    }

    /// The best capture left that does not lose material; losing ones are put aside.
    fn good_noisy(&mut self, position: &Position) -> Option<Move> {
        while let Some((m, score)) = self.pop_scored() {
            let threshold = match self.plan {
                Plan::All => -score / 18,
                _ => self.threshold,
            };
            if position.exchange_gains(m, threshold, &VALUES) {
                return Some(m);
            }
            if self.plan == Plan::All {
                let _ = self.bad.try_push(m);
            }
        }
        None
    }

    /// Killers and the counter move.
    fn special(&mut self, i: usize, position: &Position) -> Option<Move> {
        let of = |i: usize| if i < 2 { self.context.killers[i] } else { self.context.counter };
        let m = of(i)?;
        let repeated = Some(m) == self.context.hash_move || (0..i).any(|j| of(j) == Some(m));
        (!repeated && !self.skip_quiet && position.is_pseudo_legal(m) && !is_noisy(position, m)).then_some(m)
    }

    /// The moves that came before the quiet ones were generated.
    fn handed_out(&self) -> [Option<Move>; 4] {
        let [first, second] = self.context.killers;
        [self.context.hash_move, first, second, self.context.counter]
    }

    #[inline(never)]
    fn make_quiet(&mut self, position: &Position, info: &CheckInfo, histories: &Histories) {
        self.clear();
        let handed_out = self.handed_out();
        let context = self.context;
        let scorer = QuietScorer::new(position, histories, &context);
        position.generate(Stage::Promotions, context.pointless, &mut self.list);
        position.generate(Stage::Quiets, context.pointless, &mut self.list);
        for (place, &m) in self.list.iter().enumerate() {
            if !handed_out.contains(&Some(m)) {
                let piece = moved_piece(position, m);
                let checks = info.squares(piece.kind()).has(m.to());
                let bonus = if checks { safe_check_bonus(position, m) } else { 0 };
                self.keys.push(Key::new(scorer.score(piece, m) + bonus, place));
            }
        }
        for kind in PieceKind::HAND {
            if position.hand(position.side()).has(kind) {
                self.make_drops(position, kind, info.squares(kind), &scorer);
            }
        }
        sort_above(&mut self.keys, -3_560 * context.depth);
    }

    /// Lists the drops of a kind, all scored at once.
    fn make_drops(&mut self, position: &Position, kind: PieceKind, checks: Bitboard, scorer: &QuietScorer) {
        let mut squares = position.drop_squares(kind, !position.occupied());
        for m in self.handed_out().into_iter().flatten() {
            if m.dropped() == Some(kind) {
                squares = squares.minus(Bitboard::of(m.to()));
            }
        }
        let scores = scorer.drops(kind);
        for to in squares {
            let m = Move::drop(kind, to);
            let bonus = if checks.has(to) { safe_check_bonus(position, m) } else { 0 };
            self.keys.push(Key::new(scores[to.index()] + bonus, self.list.len()));
            self.list.push(m);
        }
    }

    /// The next quiet move with more than the score; bad ones wait until the bad captures are through.
    fn quiet(&mut self, score: i32) -> Option<Move> {
        if self.skip_quiet {
            return None;
        }
        let key = self.keys.get(self.next).filter(|key| key.score() > score)?;
        self.next += 1;
        self.list.get(key.place()).copied()
    }

    #[inline(never)]
    fn make_evasions(&mut self, position: &Position, histories: &Histories) {
        self.clear();
        position.generate(Stage::Evasions, self.context.pointless, &mut self.list);
        let context = self.context;
        let scorer = QuietScorer::new(position, histories, &context);
        self.score_all(
            |m| {
                if is_noisy(position, m) { 1_000_000 + gain(position, m) } else { scorer.evasion(m) }
            },
        );
    }

    #[inline(never)]
    fn make_checks(&mut self, position: &Position) {
        self.clear();
        position.generate(Stage::QuietChecks, self.context.pointless, &mut self.list);
        self.score_all(|m| i32::from(m.is_drop()));
    }

    /// The next check that does not lose material.
    fn good_check(&mut self, position: &Position) -> Option<Move> {
        while let Some(m) = self.pop_best() {
            if position.exchange_gains(m, self.threshold, &VALUES) {
                return Some(m);
            }
        }
        None
    }

    fn pop_best(&mut self) -> Option<Move> {
        self.pop_scored().map(|(m, _)| m)
    }

    /// Selects the best of the moves not handed out yet.
    fn pop_scored(&mut self) -> Option<(Move, i32)> {
        self.select_best();
        let key = *self.keys.get(self.next)?;
        self.next += 1;
        Some((*self.list.get(key.place())?, key.score()))
    }

    /// Brings the best of the moves not handed out yet to their front.
    fn select_best(&mut self) {
        let rest = &mut self.keys[self.next..];
        if let Some(best) = (0..rest.len()).max_by_key(|&i| rest[i]) {
            rest.swap(0, best);
        }
    }
}

/// What a check is worth more in the order of quiet moves if it does not lose material.
fn safe_check_bonus(position: &Position, m: Move) -> i32 {
    if position.exchange_gains(m, -75, &VALUES) { CHECK_BONUS } else { 0 }
}

const CHECK_BONUS: i32 = 16_000;
/// Quiet moves with less come after losing captures.
const GOOD_QUIET: i32 = -14_000;

/// Sorts the keys with at least this score to the front, best first; the others stay as they are.
fn sort_above(keys: &mut [Key], score: i32) {
    let limit = Key::new(score, 0xffff);
    let mut above = 0;
    for i in 0..keys.len() {
        keys.swap(i, above);
        above += usize::from(keys[above] >= limit);
    }
    keys[..above].sort_unstable_by(|a, b| b.cmp(a));
}

/// Scores quiet moves by all histories at once.
struct QuietScorer<'a> {
    position: &'a Position,
    histories: &'a Histories,
    earlier: [&'a PieceToTable; CONTINUATIONS.len()],
    pawn: &'a PieceToTable,
    ply: usize,
}

impl<'a> QuietScorer<'a> {
    fn new(position: &'a Position, histories: &'a Histories, context: &Context) -> QuietScorer<'a> {
        QuietScorer {
            position,
            histories,
            earlier: context.earlier.map(|row| histories.continuation(row)),
            pawn: histories.pawn(position),
            ply: context.ply,
        }
    }

    #[inline(always)]
    fn score(&self, piece: Piece, m: Move) -> i32 {
        let now = piece_to(piece, m.to());
        let anywhere = self.histories.quiet(self.position.side(), m) + i32::from(self.pawn[now]);
        let answers: i32 = self.earlier.iter().map(|table| i32::from(table[now])).sum();
        2 * anywhere + answers + self.histories.low_ply(self.ply, m)
    }

    /// [`QuietScorer::score`] of the drops of a kind on every square.
    #[inline(always)]
    fn drops(&self, kind: PieceKind) -> [i32; 81] {
        let start = Piece::new(self.position.side(), kind).index() * 81;
        let of =
            |table: &'a PieceToTable| -> &'a [i16; 81] { table[start..].first_chunk().expect("81 squares") };
        let quiet = self.histories.quiet_drops(self.position.side(), kind);
        let (pawn, earlier) = (of(self.pawn), self.earlier.map(of));
        let mut scores = std::array::from_fn(|to| {
            let answers: i32 = earlier.iter().map(|table| i32::from(table[to])).sum();
            2 * (i32::from(quiet[to]) + i32::from(pawn[to])) + answers
        });
        self.histories.add_low_ply_drops(self.ply, kind, &mut scores);
        scores
    }

    /// When in check, only the check itself matters.
    #[inline(always)]
    fn evasion(&self, m: Move) -> i32 {
        let now = piece_to(moved_piece(self.position, m), m.to());
        self.histories.quiet(self.position.side(), m) + i32::from(self.earlier[0][now])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: Context = Context {
        hash_move: None,
        killers: [None; 2],
        counter: None,
        earlier: [crate::alphabeta::history::NO_MOVE; CONTINUATIONS.len()],
        depth: 5,
        ply: 9,
        pointless: Pointless::Skip,
    };

    fn picked(position: &Position, plan: Plan, context: Context) -> Vec<Move> {
        let histories = Histories::new();
        let mut picker = Picker::new(position, plan, 0, context);
        let info = position.check_info();
        std::iter::from_fn(|| picker.next(position, &info, &histories)).collect()
    }

    fn positions() -> impl Iterator<Item = Position> {
        [
            shogi::START_SFEN,
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76",
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        ]
        .into_iter()
        .map(|sfen| sfen.parse().unwrap())
    }

    #[test]
    fn every_move_comes_exactly_once_whatever_is_tried_first() {
        for position in positions() {
            let info = position.check_info();
            let mut expected: Vec<Move> = picked(&position, Plan::All, CONTEXT);
            let plain = expected.clone();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(plain.len(), expected.len());
            let legal = expected.iter().filter(|&&m| position.pseudo_is_legal(m, &info));
            let pointless = position.legal_moves().len() - legal.count();
            assert!(pointless <= 20, "only pointless moves are missing");
            for (i, &m) in plain.iter().enumerate().step_by(3) {
                let context = Context {
                    hash_move: Some(m),
                    killers: [plain.get(i + 1).copied(), plain.last().copied()],
                    counter: plain.get(i / 2).copied(),
                    ..CONTEXT
                };
                let mut moves = picked(&position, Plan::All, context);
                assert_eq!(moves[0], m);
                moves.sort_unstable();
                assert_eq!(moves, expected);
            }
        }
    }

    #[test]
    fn a_foreign_hash_move_is_not_handed_out() {
        let position = Position::start();
        let context = Context { hash_move: Some("5e5d".parse().unwrap()), ..CONTEXT };
        assert_eq!(picked(&position, Plan::All, context).len(), 30);
    }

    #[test]
    fn quiescence_gets_winning_captures_only() {
        // The rook may take a free pawn or one that a gold guards.
        let position: Position = "4k4/4g4/4p4/9/8p/9/9/9/4R3K b - 1".parse().unwrap();
        assert!(picked(&position, Plan::Noisy, CONTEXT).is_empty());
        let position: Position = "4k4/9/4p4/9/8p/9/9/9/4R3K b - 1".parse().unwrap();
        assert_eq!(picked(&position, Plan::Noisy, CONTEXT), vec!["5i5c+".parse().unwrap()]);
    }
}
