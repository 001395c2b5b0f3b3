//! The parameters of alpha-beta search. Written here once; everything else is read off the table.

use crate::params::parameters;

parameters! {
    /// Margins, depths and rates of the alpha-beta search. Values are in the evaluator's unit, depths in plies.
    Params {
        aspiration_window = 18 in 5 ..= 200, "half width of the first window around the last value";
        aspiration_growth = 38 in 10 ..= 200, "by how many percent a failed window grows";
        razor_base = 420 in 50 ..= 2000, "razoring margin at depth 0";
        razor_slope = 260 in 10 ..= 1000, "razoring margin per ply squared";
        rfp_depth = 9 in 1 ..= 20, "largest depth of reverse futility pruning";
        rfp_margin = 104 in 10 ..= 400, "reverse futility margin per ply";
        rfp_improving = 90 in 0 ..= 400, "taken off the margin when improving";
        null_depth = 2 in 1 ..= 10, "smallest depth of null moves";
        null_base = 4 in 1 ..= 8, "null move reduction at depth 0";
        null_divisor = 3 in 1 ..= 10, "plies of depth per ply of null move reduction";
        null_eval = 220 in 50 ..= 1000, "evaluation surplus per further ply of null move reduction";
        null_margin = 20 in 0 ..= 60, "how far the evaluation must pass beta, less per ply";
        null_verify_depth = 16 in 6 ..= 40, "depth from which a null move cut is verified";
        hindsight_margin = 130 in 20 ..= 600, "evaluation given away by a reduced move for which a ply less is enough";
        iir_depth = 5 in 2 ..= 12, "smallest depth of internal iterative reduction";
        probcut_depth = 5 in 3 ..= 12, "smallest depth of ProbCut";
        probcut_margin = 210 in 50 ..= 800, "how far ProbCut looks above beta";
        probcut_improving = 60 in 0 ..= 300, "taken off that when improving";
        lmp_base = 4 in 1 ..= 30, "late move pruning: moves at depth 0";
        futility_depth = 11 in 1 ..= 20, "largest reduced depth of futility pruning";
        futility_base = 140 in 10 ..= 800, "futility margin at depth 0";
        futility_slope = 120 in 10 ..= 500, "futility margin per ply";
        history_prune_depth = 6 in 1 ..= 12, "largest reduced depth of history pruning";
        history_prune = 8000 in 500 ..= 20000, "history below which a quiet move is pruned, per ply";
        see_quiet = 28 in 5 ..= 200, "exchange a quiet move may lose, per ply squared";
        see_noisy = 150 in 20 ..= 600, "exchange a capture may lose, per ply";
        singular_depth = 6 in 4 ..= 12, "smallest depth of singular extension";
        singular_margin = 60 in 10 ..= 300, "singular margin per ply, in hundredths";
        double_margin = 18 in 0 ..= 200, "how much lower for a double extension";
        lmr_base = 74 in 0 ..= 300, "late move reduction at the first moves, in hundredths";
        lmr_divisor = 200 in 80 ..= 500, "late move reduction: divisor of ln(depth) ln(moves), in hundredths";
        lmr_history = 16000 in 1000 ..= 60000, "history per ply of reduction";
        lmr_cut = 170 in 0 ..= 400, "more reduction at expected cut nodes, in hundredths";
        lmr_pv = 110 in 0 ..= 400, "less reduction where a PV went, in hundredths";
        lmr_improving = 80 in 0 ..= 300, "more reduction when not improving, in hundredths";
        lmr_noisy_hash = 100 in 0 ..= 300, "more reduction when the hash move captures, in hundredths";
        lmr_check = 90 in 0 ..= 300, "less reduction for checks, in hundredths";
        check_extension = 0 in 0 ..= 30, "largest depth at which checks that lose nothing are searched a ply deeper";
        bonus_slope = 170 in 20 ..= 600, "history bonus per ply";
        bonus_max = 1700 in 200 ..= 6000, "largest history bonus";
        malus_slope = 200 in 20 ..= 800, "history malus per ply";
        malus_max = 1500 in 200 ..= 6000, "largest history malus";
        raise_reduction = 1 in 0 ..= 4, "plies less for the moves after one that raised alpha";
        qs_checks = 1 in 0 ..= 4, "plies of quiescence in which checks are tried";
        qs_futility = 180 in 20 ..= 800, "futility margin in quiescence";
        qs_see = 60 in 0 ..= 400, "exchange a quiescence capture may lose";
        correction_rate = 60 in 1 ..= 400, "how strongly corrected evaluations move, in percent";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_changes_its_own_field() {
        let base = Params::default();
        for parameter in Params::TABLE {
            let mut changed = base.clone();
            assert_eq!((parameter.get)(&changed), parameter.default);
            assert!((parameter.min..=parameter.max).contains(&parameter.default), "{}", parameter.name);
            (parameter.set)(&mut changed, parameter.min - 1);
            let differing = Params::TABLE.iter().filter(|p| (p.get)(&changed) != (p.get)(&base)).count();
            assert_eq!(differing, 1, "{}", parameter.name);
        }
    }

    #[test]
    fn text_out_of_range_or_unknown_is_refused() {
        let mut params = Params::default();
        assert!(crate::params::set(Params::TABLE, &mut params, "rfp_margin", "99").is_ok());
        assert_eq!(params.rfp_margin, 99);
        for (name, text) in [("rfp_margin", "9999"), ("rfp_margin", "x"), ("no_such", "1")] {
            assert!(crate::params::set(Params::TABLE, &mut params, name, text).is_err());
        }
    }
}
