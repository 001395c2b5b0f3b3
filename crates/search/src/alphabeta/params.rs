//! The parameters of alpha-beta search. Written here once; everything else is read off the table.

use contract::parameters;

parameters! {
    /// Margins, depths and rates of the alpha-beta search. Values are in the evaluator's unit, depths in plies.
    Params {
        plain = 0 in 0 ..= 1, "1 leaves out all forward pruning, reductions and extensions: a yardstick for other methods";
        aspiration_window = 6 in 5 ..= 32000, "half width of the first window around the last value";
        aspiration_growth = 33 in 10 ..= 200, "by how many percent a failed window grows";
        inner_window = 0 in 0 ..= 2000, "half width of the window around the expected value at inner nodes of the PV; 0 for none";
        hindsight_margin = 173 in 20 ..= 600, "evaluation given away by a reduced move for which a ply less is enough";
        razor_base = 500 in 50 ..= 2000, "razoring margin at depth 0";
        razor_slope = 300 in 10 ..= 1000, "razoring margin per ply squared";
        rfp_depth = 14 in 1 ..= 20, "largest depth of reverse futility pruning";
        rfp_margin = 76 in 10 ..= 400, "reverse futility margin per ply";
        rfp_unknown = 21 in 0 ..= 100, "taken off the margin per ply where the hash table knows nothing";
        rfp_improving = 260 in 0 ..= 600, "taken off the margin when improving, in percent of its slope";
        rfp_worsening = 35 in 0 ..= 200, "the same when the opponent's last move made things worse for him";
        null_base = 7 in 1 ..= 12, "null move reduction at depth 0";
        null_divisor = 3 in 1 ..= 10, "plies of depth per ply of null move reduction";
        null_slope = 16 in 0 ..= 60, "how far below beta the evaluation may be for a null move, per ply";
        null_margin = 370 in 0 ..= 800, "how far above that it must be";
        null_verify_depth = 16 in 6 ..= 40, "depth from which a null move cut is verified";
        iir_depth = 6 in 2 ..= 12, "smallest depth of internal iterative reduction";
        probcut_depth = 3 in 3 ..= 12, "smallest depth of ProbCut";
        probcut_margin = 224 in 50 ..= 800, "how far ProbCut looks above beta";
        probcut_improving = 60 in 0 ..= 300, "taken off that when improving";
        probcut_known = 416 in 100 ..= 1000, "how far above beta a known lower bound cuts at nearly the depth";
        lmp_base = 3 in 1 ..= 30, "late move pruning: moves at depth 0";
        capture_futility_depth = 7 in 1 ..= 12, "reduced depth below which captures are pruned as futile";
        capture_futility_base = 218 in 10 ..= 800, "futility margin of captures at depth 0";
        capture_futility_slope = 223 in 10 ..= 800, "futility margin of captures per ply";
        see_noisy = 167 in 20 ..= 600, "exchange a capture or check may lose, per ply";
        history_prune = 4100 in 500 ..= 20000, "history below which a quiet move is pruned, per ply";
        history_depth = 3220 in 500 ..= 20000, "history worth a ply of reduced depth in pruning";
        futility_depth = 13 in 1 ..= 20, "reduced depth below which quiet moves are pruned as futile";
        futility_base = 42 in 0 ..= 800, "futility margin at depth 0";
        futility_slope = 120 in 10 ..= 500, "futility margin per ply";
        futility_first = 151 in 0 ..= 500, "added to the margin while no move is good";
        futility_above = 86 in 0 ..= 500, "added to the margin when the evaluation is above alpha";
        see_quiet = 25 in 5 ..= 200, "exchange a quiet move may lose, per ply squared";
        singular_depth = 6 in 4 ..= 12, "smallest depth of singular extension";
        singular_margin = 109 in 10 ..= 300, "singular margin per ply, in hundredths";
        singular_pv = 120 in 0 ..= 300, "more of it where a PV went, in hundredths";
        double_margin = -4 in -200 ..= 200, "how much lower for a double extension";
        double_pv = 212 in 0 ..= 600, "more of it at PV nodes";
        double_quiet = 182 in 0 ..= 600, "less of it for quiet moves";
        triple_margin = 73 in -200 ..= 400, "how much lower for a triple extension";
        triple_pv = 320 in 0 ..= 800, "more of it at PV nodes";
        triple_quiet = 218 in 0 ..= 600, "less of it for quiet moves";
        lmr_scale = 466 in 100 ..= 1200, "late move reduction: ln(depth) ln(moves) in 1024ths of a ply";
        lmr_base = 1133 in 0 ..= 4000, "late move reduction at the first moves";
        lmr_late = 691 in 0 ..= 3000, "more of it for the search of a move than for pruning it";
        prune_pv = 1013 in 0 ..= 3000, "more of it for pruning where a PV went";
        lmr_improving = 40 in 0 ..= 150, "more of the scaled part when not improving, in percent";
        lmr_window = 585 in 0 ..= 2000, "less reduction the wider the window, up to the root's";
        lmr_moves = 65 in 0 ..= 200, "less reduction per move tried";
        lmr_pv = 1806 in 0 ..= 5000, "less reduction where a PV went";
        lmr_pv_node = 973 in 0 ..= 3000, "less reduction at PV nodes";
        lmr_pv_above = 905 in 0 ..= 3000, "less reduction where a PV went and the known value is above alpha";
        lmr_pv_deep = 935 in 0 ..= 3000, "less reduction where a PV went and the known depth is enough";
        lmr_cut = 3611 in 0 ..= 6000, "more reduction at expected cut nodes";
        lmr_cut_unknown = 985 in 0 ..= 3000, "more of it without a hash move";
        lmr_noisy_hash = 1054 in 0 ..= 3000, "more reduction when the hash move captures";
        lmr_cuts_below = 1375 in 0 ..= 4000, "more reduction when the children are cut often";
        lmr_hash_move = 2239 in 0 ..= 5000, "less reduction for the hash move";
        lmr_history = 107 in 0 ..= 400, "less reduction per 1024 of history";
        lmr_deeper = 48 in 0 ..= 300, "by how much a reduced move must be better to be searched deeper again";
        check_extension = 0 in 0 ..= 30, "largest depth at which checks that lose nothing are searched a ply deeper";
        bonus_slope = 128 in 20 ..= 600, "history bonus per ply";
        bonus_max = 1529 in 200 ..= 6000, "largest history bonus";
        bonus_hash = 353 in 0 ..= 2000, "more bonus for the hash move";
        malus_slope = 882 in 20 ..= 2000, "history malus per ply";
        malus_max = 2122 in 200 ..= 6000, "largest history malus";
        raise_reduction = 2 in 0 ..= 4, "plies less for the moves after one that raised alpha";
        qs_checks = 0 in 0 ..= 4, "plies of quiescence in which checks are tried";
        qs_futility = 328 in 20 ..= 800, "futility margin in quiescence";
        qs_see = 73 in 0 ..= 400, "exchange a quiescence capture may lose";
        qs_evasions = 1 in 1 ..= 10, "quiet evasions tried in quiescence while there is an escape";
        correction_rate = 90 in 1 ..= 400, "how strongly corrected evaluations move, in percent";
    }
}
