//! The moves of a node in stages, so that none is generated or scored before it may be needed: the hash move, captures and
//! promotions that lose nothing, killers (Akl and Newborn 1977), quiet moves, captures that lose.

use eval::Evaluator;
use shogi::{CheckInfo, Move, MoveList, Position, Stage};

use super::exposure::Exposure;
use super::history::{BACK, Step};
use super::order::Scorer;
use super::searcher::Searcher;

/// A move with its log-odds, in one number so that the best is the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scored(i32);

impl Scored {
    #[inline(always)]
    pub(crate) fn new(m: Move, score: i32) -> Scored {
        let score = score.clamp(i32::from(i16::MIN), i32::from(i16::MAX));
        Scored(score << 16 | i32::from(m.bits()))
    }

    #[inline(always)]
    pub(crate) fn get(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline(always)]
    pub(crate) fn score(self) -> i32 {
        self.0 >> 16
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PickStage {
    Hash,
    MakeCaptures,
    Captures,
    Killer(u8),
    MakeQuiets,
    Quiets,
    Losing,
    MakeAll,
    All,
    Done,
}

/// Gives the moves of one node, best first. Its moves lie in the searcher's list from `start` on.
pub(crate) struct Picker {
    stage: PickStage,
    hash_move: Option<Move>,
    killers: [Option<Move>; 2],
    before: [Step; BACK.len()],
    start: usize,
    /// The first that was not given.
    next: usize,
    /// Losing captures lie from `start` to here.
    losing: usize,
    /// Whether quiet moves are not wanted any more.
    pub(crate) captures_only: bool,
    /// Whether the order is left to chance.
    pub(crate) is_shuffled: bool,
}

/// A move as the picker gives it.
#[derive(Clone, Copy)]
pub(crate) struct Picked {
    pub(crate) m: Move,
    /// Its log-odds; `None` for one that was not scored.
    pub(crate) log_odds: Option<i32>,
    /// Whether it is a capture that loses in the exchange.
    pub(crate) loses: bool,
}

impl Picker {
    pub(crate) fn new<E: Evaluator>(s: &Searcher<'_, E>, hash_move: Option<Move>, ply: usize) -> Picker {
        let stage = PickStage::Hash;
        let (killers, before) = (s.frame(ply).killers, s.steps_before(ply));
        let start = s.moves.len();
        let (next, losing, captures_only, is_shuffled) = (start, start, false, false);
        Picker { stage, hash_move, killers, before, start, next, losing, captures_only, is_shuffled }
    }

    /// Gives the root's moves in their order.
    pub(crate) fn of_root<E: Evaluator>(s: &mut Searcher<'_, E>) -> Picker {
        let mut picker = Picker::new(s, None, 0);
        picker.stage = PickStage::All;
        let line = s.line;
        for (rank, root_move) in s.root_moves[line..].iter().enumerate() {
            s.moves.push(Scored::new(root_move.pv[0], -(rank as i32)));
        }
        picker
    }

    /// Where its moves begin in the searcher's list.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// How many moves are still to come, as far as they were generated.
    pub(crate) fn left<E: Evaluator>(&self, s: &Searcher<'_, E>) -> usize {
        s.moves.len() - self.next
    }

    /// The next move; pseudo-legal.
    pub(crate) fn next<E: Evaluator>(&mut self, s: &mut Searcher<'_, E>, info: &CheckInfo) -> Option<Picked> {
        loop {
            match self.stage {
                PickStage::Hash => {
                    let all = s.position.in_check() || self.is_shuffled;
                    self.stage = if all { PickStage::MakeAll } else { PickStage::MakeCaptures };
                    if let Some(m) = self.hash_move {
                        return Some(Picked { m, log_odds: None, loses: false });
                    }
                }
                PickStage::MakeCaptures => {
                    self.make(s, info, &[Stage::Loud]);
                    self.stage = PickStage::Captures;
                }
                PickStage::Captures => match self.draw(s) {
                    Some((scored, m)) if s.position.exchange_gains(m, 0, s.model().exchange_values()) => {
                        return Some(given(scored, m));
                    }
                    Some((scored, _)) => {
                        s.moves[self.losing] = scored;
                        self.losing += 1;
                    }
                    None => self.stage = PickStage::Killer(0),
                },
                PickStage::Killer(i) => {
                    self.stage = if i == 0 { PickStage::Killer(1) } else { PickStage::MakeQuiets };
                    let killer = self.killers[usize::from(i)].filter(|_| !self.captures_only);
                    if let Some(m) = killer.filter(|&m| self.is_fresh_killer(&s.position, m)) {
                        return Some(Picked { m, log_odds: None, loses: false });
                    }
                }
                PickStage::MakeQuiets => {
                    self.next = s.moves.len();
                    if !self.captures_only {
                        self.make(s, info, &[Stage::Quiets, Stage::Drops]);
                    }
                    self.stage = PickStage::Quiets;
                }
                PickStage::Quiets => match if self.captures_only { None } else { self.draw(s) } {
                    Some((_, m)) if self.killers.contains(&Some(m)) => {}
                    Some((scored, m)) => return Some(given(scored, m)),
                    None => {
                        self.stage = PickStage::Losing;
                        s.moves.truncate(self.losing);
                        self.next = self.start;
                    }
                },
                PickStage::Losing => match self.next_losing(s) {
                    Some(picked) => return Some(picked),
                    None => self.stage = PickStage::Done,
                },
                PickStage::MakeAll => {
                    self.make_all(s, info);
                    self.stage = PickStage::All;
                }
                PickStage::All => return self.draw(s).map(|(scored, m)| given(scored, m)),
                PickStage::Done => return None,
            }
        }
    }

    /// The next capture that loses; they lie in the order in which they were found to.
    fn next_losing<E: Evaluator>(&mut self, s: &Searcher<'_, E>) -> Option<Picked> {
        let scored = *s.moves.get(self.next)?;
        self.next += 1;
        Some(Picked { loses: true, ..given(scored, scored.get()?) })
    }

    fn is_fresh_killer(&self, position: &Position, m: Move) -> bool {
        Some(m) != self.hash_move
            && position.piece(m.to()).is_none()
            && !m.is_promotion()
            && position.is_pseudo_legal(m)
    }

    /// Generates and scores the moves of stages, but for the hash move.
    fn make<E: Evaluator>(&mut self, s: &mut Searcher<'_, E>, info: &CheckInfo, stages: &[Stage]) {
        let mut list = MoveList::new();
        let with_drops = stages.contains(&Stage::Drops);
        let exposure = if with_drops { Exposure::of(&s.position, s.params()) } else { None };
        for &stage in stages.iter().filter(|&&stage| stage != Stage::Drops) {
            s.position.generate(stage, s.pointless(), &mut list);
        }
        let scorer = Scorer::new(&s.position, info, s.model(), s.histories, self.before)
            .weighing_rates(s.rates)
            .seeing(exposure);
        take_out(&mut list, self.hash_move);
        score_all(&scorer, &list, &mut s.moves);
        if with_drops {
            scorer.drops(!s.position.occupied(), |m, score| {
                if Some(m) != self.hash_move {
                    s.moves.push(Scored::new(m, score));
                }
            });
        }
    }

    /// All moves but the hash move in one stage: out of check, or in an order by chance.
    fn make_all<E: Evaluator>(&mut self, s: &mut Searcher<'_, E>, info: &CheckInfo) {
        let all: &[Stage] = if s.position.in_check() {
            &[Stage::Evasions]
        } else {
            &[Stage::Loud, Stage::Quiets, Stage::Drops]
        };
        self.make(s, info, all);
        if let Some(log) = s.bets.as_deref_mut().filter(|_| self.is_shuffled) {
            for scored in &mut s.moves[self.next..] {
                *scored = scored.get().map_or(*scored, |m| Scored::new(m, log.place()));
            }
        }
    }

    /// Takes the best of the moves not yet given.
    #[inline(always)]
    fn draw<E: Evaluator>(&mut self, s: &mut Searcher<'_, E>) -> Option<(Scored, Move)> {
        let rest = &mut s.moves[self.next..];
        let best = greatest(rest)?;
        rest.swap(0, best);
        self.next += 1;
        rest[0].get().map(|m| (rest[0], m))
    }
}

/// Takes a move out of a list; whether it was there.
pub(crate) fn take_out(list: &mut MoveList, m: Option<Move>) -> bool {
    let place = list.iter().position(|&listed| Some(listed) == m);
    place.map(|place| list.swap_remove(place)).is_some()
}

/// Scores moves onto the end of a list. One function for all that do so: what every node needs should stay in the cache of
/// instructions.
#[inline(never)]
pub(crate) fn score_all(scorer: &Scorer<'_>, moves: &[Move], onto: &mut Vec<Scored>) {
    onto.extend(moves.iter().map(|&m| Scored::new(m, scorer.score(m))));
}

/// The place of the greatest.
#[inline(always)]
pub(crate) fn greatest(moves: &[Scored]) -> Option<usize> {
    // A fold without a way out, so that it is done for several at a time.
    let most = moves.iter().fold(i32::MIN, |most, scored| most.max(scored.0));
    moves.iter().position(|scored| scored.0 == most)
}

fn given(scored: Scored, m: Move) -> Picked {
    Picked { m, log_odds: Some(scored.score()), loses: false }
}
