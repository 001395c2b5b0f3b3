//! Settings of UCT.

use contract::parameters;
use contract::params::Words;

/// How a child is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// By the value and a bonus that shrinks with visits, in proportion to a prior probability.
    Puct,
    /// By the value and a bonus that shrinks with visits.
    Ucb1,
    /// The same, with a bonus that knows the variance.
    Tuned,
    /// UCB1 as Takeuchi, Kaneko and Yamaguchi have it: p + sqrt(2 ln n / s), whatever `c` is.
    PaperUcb1,
    /// UCB1-tuned as they have it, with the variance p - p^2 of wins and losses.
    PaperTuned,
    /// Every move of the root equally often, nothing deeper: plain Monte Carlo.
    Even,
}

impl Words for Select {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("puct", Select::Puct),
        ("ucb1", Select::Ucb1),
        ("tuned", Select::Tuned),
        ("paper-ucb1", Select::PaperUcb1),
        ("paper-tuned", Select::PaperTuned),
        ("even", Select::Even),
    ];
}

/// Where the value of a leaf comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The evaluation as a win rate.
    Eval,
    /// A game of random moves to its end: who wins it; a half where nobody does.
    Playout,
    /// A game of random moves to its end: its score, of which the mean is taken.
    Score,
}

impl Words for Leaf {
    const WORDS: &'static [(&'static str, Self)] =
        &[("eval", Leaf::Eval), ("playout", Leaf::Playout), ("score", Leaf::Score)];
}

/// How the move is chosen in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decide {
    /// The most visits.
    Visits,
    /// The best mean.
    Value,
}

impl Words for Decide {
    const WORDS: &'static [(&'static str, Self)] = &[("visits", Decide::Visits), ("value", Decide::Value)];
}

parameters! {
    /// Settings of UCT.
    Params {
        integers {}
        reals {
            c "c" = 0.1 in 0.0 ..= 100.0, "weight of the bonus for what has seldom been visited";
            prior_temperature "Tp" = 80.0 in 1.0 ..= 5000.0, "temperature of the prior probabilities over the children's first values";
            playout_plies "plies" = 1000.0 in 1.0 ..= 10_000.0, "random moves after which a playout that is not over counts as one that nobody won";
            game_score "win_score" = 3000.0 in 1.0 ..= 30_000.0, "leaf=score: the score of a game won, in centipawns; no other score is larger";
        }
        words {
            select "select": Select = Select::Puct, "how a child is selected";
            leaf "leaf": Leaf = Leaf::Eval, "where the value of a leaf comes from";
            decide "decide": Decide = Decide::Visits, "how the move is chosen in the end";
        }
    }
}
