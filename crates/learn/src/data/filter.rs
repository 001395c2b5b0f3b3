//! Which positions are fit for learning, and how to make some fit.

use records::compact::{Eval, EvalKind};
use records::game::SideResult;
use records::packed::{PackedSfen, Psv, PsvMove};
use serde::{Deserialize, Serialize};
use shogi::{Move, Position};

/// A position with what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a> {
    /// The position.
    pub position: &'a Position,
    /// What was played or best, legal here; `None` if nobody knows.
    pub best: Option<Move>,
    /// What the side to move thought.
    pub eval: Eval,
    /// How the game ended for the side to move.
    pub result_for_mover: SideResult,
}

/// What to leave out. A net says what a quiet position is worth; where something hangs, only a search can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// Keep positions in check.
    pub keep_checks: bool,
    /// Keep positions whose best move captures or promotes.
    pub keep_noisy: bool,
    /// Keep positions whose score is a mate.
    pub keep_mates: bool,
    /// Of positions in check or with a noisy best move, take the one after the best move instead.
    pub quieten: bool,
    /// Keep only scores up to this, both ways.
    pub max_score: i16,
    /// Keep only positions from this ply on.
    pub min_ply: u16,
}

/// What became of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Verdict {
    Kept(Psv),
    InCheck,
    Noisy,
    Mate,
    LargeScore,
    Early,
}

/// Mates that are kept count as scores of this size: about as certain as a score can be.
const MATE_SCORE: i16 = 30_000;

impl Default for Filter {
    /// Quiet positions of all plies, without mates, up to 30 pawns.
    fn default() -> Filter {
        Filter {
            keep_checks: false,
            keep_noisy: false,
            keep_mates: false,
            quieten: false,
            max_score: 3000,
            min_ply: 1,
        }
    }
}

impl Filter {
    /// Judges a position.
    #[must_use]
    pub fn judge(&self, label: &Label<'_>) -> Verdict {
        if label.position.ply() < self.min_ply {
            return Verdict::Early;
        }
        let score = match label.eval.kind() {
            EvalKind::Score(score) if score.abs() <= self.max_score => score,
            EvalKind::Score(_) | EvalKind::None => return Verdict::LargeScore,
            EvalKind::MateIn(_) if self.keep_mates => MATE_SCORE,
            EvalKind::MatedIn(_) if self.keep_mates => -MATE_SCORE,
            EvalKind::MateIn(_) | EvalKind::MatedIn(_) => return Verdict::Mate,
        };
        let position = label.position;
        let in_check = position.in_check() && !self.keep_checks;
        let noisy = label.best.is_some_and(|m| is_noisy(position, m)) && !self.keep_noisy;
        if !in_check && !noisy {
            return record(position, score, label.best, label.result_for_mover);
        }
        let refused = if in_check { Verdict::InCheck } else { Verdict::Noisy };
        match label.best {
            Some(best) if self.quieten => quietened(position, best, score, label.result_for_mover, refused),
            _ => refused,
        }
    }
}

/// Whether a move captures or promotes.
fn is_noisy(position: &Position, m: Move) -> bool {
    m.is_promotion() || (!m.is_drop() && position.piece(m.to()).is_some())
}

/// The position after the best move, unless that gives check. One ply only: further ones make labels worse.
fn quietened(position: &Position, best: Move, score: i16, result: SideResult, refused: Verdict) -> Verdict {
    let mut after = position.clone();
    after.play(best);
    if after.in_check() || !after.has_legal_move() {
        return refused;
    }
    let result = match result {
        SideResult::Win => SideResult::Loss,
        SideResult::Draw => SideResult::Draw,
        SideResult::Loss => SideResult::Win,
    };
    record(&after, -score, None, result)
}

fn record(
    position: &Position,
    score_for_mover: i16,
    best: Option<Move>,
    result_for_mover: SideResult,
) -> Verdict {
    let Ok(packed) = PackedSfen::pack(&position.setup()) else { return Verdict::Early };
    let best = best.map_or(PsvMove::None, PsvMove::Play);
    Verdict::Kept(Psv { position: packed, score_for_mover, best, ply: position.ply(), result_for_mover })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAWN_HANGS: &str = "4k4/9/9/4p4/4P4/9/9/9/4K4 b - 9";
    const IN_CHECK: &str = "4k4/4p4/9/9/4r4/9/9/9/4K4 b G 9";

    fn judge(filter: Filter, sfen: &str, best: &str, eval: Eval) -> Verdict {
        let position: Position = sfen.parse().unwrap();
        let best = Some(best.parse().unwrap());
        filter.judge(&Label { position: &position, best, eval, result_for_mover: SideResult::Win })
    }

    #[test]
    fn each_reason_to_leave_out_can_be_switched_off() {
        let cases = [
            (
                PAWN_HANGS,
                "5e5d",
                Eval::score(90),
                Verdict::Noisy,
                Filter { keep_noisy: true, ..Filter::default() },
            ),
            (
                IN_CHECK,
                "5i4i",
                Eval::score(90),
                Verdict::InCheck,
                Filter { keep_checks: true, ..Filter::default() },
            ),
            (
                PAWN_HANGS,
                "5i4i",
                Eval::mated_in(6),
                Verdict::Mate,
                Filter { keep_mates: true, ..Filter::default() },
            ),
            (
                PAWN_HANGS,
                "5i4i",
                Eval::score(3001),
                Verdict::LargeScore,
                Filter { max_score: 3001, ..Filter::default() },
            ),
        ];
        for (sfen, best, eval, verdict, lenient) in cases {
            assert_eq!(judge(Filter::default(), sfen, best, eval), verdict);
            assert!(matches!(judge(lenient, sfen, best, eval), Verdict::Kept(_)), "{verdict:?}");
        }
        assert_eq!(
            judge(Filter { min_ply: 10, ..Filter::default() }, PAWN_HANGS, "5i4i", Eval::score(0)),
            Verdict::Early
        );
    }

    #[test]
    fn a_quietened_position_is_the_next_one_seen_by_the_other_side() {
        let quieten = Filter { quieten: true, ..Filter::default() };
        let Verdict::Kept(psv) = judge(quieten, PAWN_HANGS, "5e5d", Eval::score(90)) else { panic!() };
        let setup = psv.setup().unwrap();
        assert_eq!(setup.to_string(), "4k4/9/9/4P4/9/9/9/9/4K4 w P 10");
        assert_eq!((psv.score_for_mover, psv.result_for_mover), (-90, SideResult::Loss));
        assert_eq!(psv.best, PsvMove::None);
        let check = judge(quieten, "4k4/4p4/9/9/9/9/9/9/4RK3 b - 9", "5i5b+", Eval::score(90));
        assert_eq!(check, Verdict::Noisy, "the next position is in check");
    }
}
