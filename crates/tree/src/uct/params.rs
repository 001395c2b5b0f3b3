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
    /// Every move of the root equally often, nothing deeper: plain Monte Carlo.
    Even,
}

impl Words for Select {
    const WORDS: &'static [(&'static str, Self)] =
        &[("puct", Select::Puct), ("ucb1", Select::Ucb1), ("tuned", Select::Tuned), ("even", Select::Even)];
}

/// Where the value of a leaf comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The evaluation as a win rate.
    Eval,
    /// A game of random moves: who wins it.
    Playout,
    /// A game of random moves: what its last position is worth.
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
            playout_plies "plies" = 60.0 in 1.0 ..= 500.0, "random moves of a playout before it is judged";
        }
        words {
            select "select": Select = Select::Puct, "how a child is selected";
            leaf "leaf": Leaf = Leaf::Eval, "where the value of a leaf comes from";
            decide "decide": Decide = Decide::Visits, "how the move is chosen in the end";
        }
    }
}
