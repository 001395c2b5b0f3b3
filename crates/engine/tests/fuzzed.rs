//! The equations of the fuzz targets, over valid specs and sessions and what lies near them.
#![allow(dead_code, unreachable_pub)]

#[path = "../../../fuzz/src/mutation.rs"]
mod mutation;
#[path = "../../../fuzz/src/session.rs"]
mod session;
#[path = "../../../fuzz/src/spec.rs"]
mod spec;

use mutation::{Edit, mutated_text};
use proptest::collection::vec;
use proptest::prelude::*;

const SPECS: [&str; 7] = [
    "alphabeta",
    "alphabeta(eval=nnue, net=a/b.bin, fv_scale=24, hash=64, threads=2, multipv=3, win_rate_scale=450, static_cut_z=99)",
    "alphabeta(eval=material)",
    "softmax(T=60, threads=4)",
    "mcss(net=nn.bin)",
    "uct(c=0.5)",
    "usi:./other engine/bin(USI_Hash=64, Book File=a b.db, Empty=)",
];

const SESSIONS: [&str; 5] = [
    "usi\nisready\nusinewgame\nposition startpos moves 7g7f 3c3d\ngo depth 3\nstop\ngameover win\n",
    "isready\nposition startpos\ngo ponder btime 1000 wtime 1000 byoyomi 100\nponderhit\ngo infinite\nstop\nquit\n",
    "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo mate 1000\ngo mate infinite\nstop\n",
    "setoption name SkillLevel value 3\nsetoption name Nothing\nposition startpos moves 7g7f 7g7f\ngo nodes 100\n",
    "go movetime 5 searchmoves 2g2f\ngo\ngo btime 0 wtime 0\nposition\nponderhit\ngetoption\nshow\ngo rate 3\n",
];

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    vec(any::<Edit>(), 0..6)
}

proptest! {
    #[test]
    fn specs_are_printed_as_they_are_read(which in 0..SPECS.len(), edits in edits()) {
        spec::settles(&mutated_text(SPECS[which], &edits));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn every_go_has_one_answer_whatever_is_said(which in 0..SESSIONS.len(), edits in edits()) {
        session::answers_every_go(&mutated_text(SESSIONS[which], &edits));
    }
}
