//! The parameters of alpha-beta search. Written here once; everything else is read off the table.
//!
//! What can be measured in a tree is in the [`Model`](super::Model); these are the prices of bets, which only games tell.
//! `z` are gaps in percent of how far searched values fall below (or rise above) evaluations but for one in twenty; depths are in 64ths of a ply where not in plies.

use contract::parameters;

/// What shares in the table are parts of.
pub(crate) const PERCENT: i32 = 100;

parameters! {
    /// Prices of the bets that the search takes.
    Params {
        plain = 0 in 0 ..= 1, "1 leaves out all forward pruning, reductions and extensions: a yardstick for other methods";
        window_z = 100 in 10 ..= 2000, "half width of the first window at the root, in percent of the last changes of the value";
        window_least = 18 in 1 ..= 1000, "the least half width of that window";
        window_growth = 100 in 10 ..= 900, "by how many percent a failed window grows";
        static_cut_z = 112 in 0 ..= 500, "how far above beta the evaluation must be for a cut (reverse futility)";
        static_cut_slope = 40 in 0 ..= 200, "the same for each ply of depth";
        static_cut_depth = 8 in 0 ..= 20, "largest depth of that cut, in plies";
        razor_z = 60 in 20 ..= 900, "how far below alpha the evaluation must be for quiescence search to decide (razoring)";
        razor_depth = 2 in 0 ..= 12, "largest depth of razoring, in plies";
        null_z = 80 in -200 ..= 300, "how far above beta the evaluation must be for a null move";
        null_base = 160 in 32 ..= 500, "reduction of a null move, in 64ths of a ply";
        null_percent = 25 in 0 ..= 60, "further reduction of a null move, in percent of the depth";
        null_gap = 40 in 0 ..= 200, "further reduction for each such fall that the evaluation lies above beta, in 64ths of a ply";
        probcut_z = 150 in 10 ..= 600, "how far above beta a shallower search must come for a cut (ProbCut)";
        probcut_depth = 5 in 2 ..= 20, "smallest depth of ProbCut, in plies";
        probcut_share = 50 in 10 ..= 90, "how deep that search is, in percent of the depth";
        hindsight = 54 in 0 ..= 200, "how far a reduction is changed once the evaluation after the move is known, at most, in 64ths of a ply";
        forced_gain = 62 in 0 ..= 128, "how much deeper the only reply to a check is searched, in 64ths of a ply; less with two to seven";
        iir_depth = 4 in 1 ..= 20, "smallest depth at which a node without a hash move is reduced, in plies";
        iir = 40 in 0 ..= 200, "by how much it is reduced, in 64ths of a ply";
        reduce_base = 4 in -30 ..= 100, "reduction for each bit of improbability, in 64ths of a ply";
        reduce_slope = 7 in 0 ..= 60, "further reduction for each bit and doubling of the depth, in 64ths of a ply";
        reduce_free = 64 in 0 ..= 400, "bits that are free of reduction, in 64ths";
        reduce_root = 72 in 0 ..= 200, "the share of the reduction that moves at the root get, in percent";
        reduce_pv = 125 in 0 ..= 200, "the same at other nodes of the principal variation";
        reduce_cut = 122 in 0 ..= 300, "the same at nodes that are expected to be cut";
        reduce_check = 42 in 0 ..= 200, "the same for checks and ways out of check";
        late_bits = 0 in -200 ..= 900, "late moves go when all of them together are this improbable, in 64ths of a bit";
        late_slope = 65 in 0 ..= 300, "further improbability for each ply of depth, in 64ths of a bit";
        late_most = 350 in 0 ..= 900, "late moves that are left count as this many doublings of one at most, in 64ths";
        late_depth = 8 in 0 ..= 20, "largest depth at which late moves are left out, in plies";
        futility_z = 140 in 5 ..= 600, "how far below alpha evaluation and gain must be for a move to be left out";
        futility_depth = 8 in 0 ..= 20, "largest depth of that, in plies";
        exchange_quiet = 40 in 0 ..= 500, "what a quiet move may lose in exchanges for each ply squared of depth";
        exchange_capture = 102 in 0 ..= 900, "what a capture may lose in exchanges for each ply of depth";
        exchange_depth = 8 in 0 ..= 20, "largest depth at which losing moves are left out, in plies";
        singular_depth = 7 in 3 ..= 30, "smallest depth at which a move may be singular, in plies";
        singular_z = 40 in 0 ..= 300, "by how much all other moves must fall short of a singular one";
        singular_share = 45 in 10 ..= 90, "how deep the others are searched for that, in percent of the depth";
        singular_gain = 32 in 0 ..= 200, "how much deeper a singular move is searched, in 64ths of a ply";
        singular_slope = 24 in 0 ..= 200, "how much deeper still for each such fall that the others lie further below";
        singular_most = 96 in 0 ..= 300, "how much deeper at most";
        check_gain = 24 in 0 ..= 96, "how much deeper a check that loses nothing is searched, in 64ths of a ply";
        gain_share = 80 in 0 ..= 400, "how much deeper a line may get by extensions, in percent of the depth of the iteration";
        quiescence_margin = 82 in 0 ..= 2000, "how far below alpha evaluation and gain may be in quiescence search";
        quiescence_bits = 288 in 0 ..= 900, "how improbable it may be that a move raises alpha for quiescence search to look at it, in 64ths of a bit; 0: any";
        quiescence_promotions = 1 in 0 ..= 99, "after its first ply quiescence search looks at quiet promotions only among so many moves that come first";
        quiescence_evasions = 4 in 1 ..= 99, "how many ways out of a check quiescence search looks at, if one of them is no mate";
        quiescence_checks = 1 in 0 ..= 4, "plies of quiescence search that look at quiet checks";
        node_high = 75 in 0 ..= 100, "share of the excess over beta that a node returns, in percent";
        hash_slack = 22 in 0 ..= 96, "how much shallower than asked a finding of the hash table may be, in 64ths of a ply";
        hash_trust = 85 in 0 ..= 100, "how far the evaluation is drawn to a bound of the hash table that contradicts it, in percent";
        fail_high = 70 in 0 ..= 100, "share of the excess over beta that a cut by evaluation returns, in percent";
        order_rates = 150 in 0 ..= 300, "how much success rates count in the order, in percent of what was learned";
        order_leaving = 80 in 0 ..= 900, "how much a quiet move of a piece that can be taken counts for that in the order, in percent of a nat";
        order_entering = 70 in 0 ..= 900, "how much a quiet move to where its piece can be taken counts against it";
        history_rate = 9 in 1 ..= 128, "how fast success rates of moves change, in 256ths for each ply of depth";
        history_most = 60 in 8 ..= 256, "how fast they change at most";
        history_blame = 100 in 0 ..= 300, "how fast the rates of moves tried in vain change, in percent of that";
        correct_pawns = 32 in 0 ..= 200, "weight of corrections by pawns, in percent";
        correct_hands = 13 in 0 ..= 200, "weight of corrections by hands, in percent";
        correct_pieces = 22 in 0 ..= 200, "weight of corrections by one side's pieces, in percent";
        correct_moves = 17 in 0 ..= 200, "weight of corrections by the last two moves, in percent";
        correct_prior = 24 in 1 ..= 250, "how much evidence a correction must have to count half";
        kind_drop = 100 in 10 ..= 400, "what a drop takes from the depth, in percent of a ply";
        kind_board = 100 in 10 ..= 400, "the same for moves on the board";
        kind_capture = 100 in 10 ..= 400, "the same for captures";
        kind_quiet = 100 in 10 ..= 400, "the same for moves that take nothing";
        kind_check = 100 in 10 ..= 400, "the same for checks";
        kind_no_check = 100 in 10 ..= 400, "the same for moves that give no check";
        kind_losing = 100 in 10 ..= 400, "the same for moves that lose material on their square";
        kind_join = 0 in 0 ..= 3, "how several of these become one: 0 a ply and all deviations from it, 1 the product, 2 the least, 3 the greatest";
        leaf_depth = 32 in 1 ..= 64, "the depth below which quiescence search decides, in 64ths of a ply";
        quiescence_exchange = 0 in 0 ..= 1, "1: quiescence search looks only at the exchange on the square of the last move";
        judge = 0 in 0 ..= 1, "1: how much of its time a move gets is learned; 0: by how settled the search is";
        hash_news = 256 in 0 ..= 900, "how much a new finding about a position is worth beside an old one, in 64ths of a ply";
        hash_exact = 256 in 0 ..= 900, "how much more an exact value is worth than a bound";
        hash_age = 128 in 0 ..= 900, "how much less a finding is worth with every search";
    }
}
