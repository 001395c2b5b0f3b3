//! Settings of softmax search.

use contract::parameters;
use contract::params::Words;

/// What the temperature depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adapt {
    /// Nothing: it is the same everywhere.
    Fixed,
    /// How far the values of the good children spread.
    Spread,
    /// The depth of the node.
    Depth,
}

impl Words for Adapt {
    const WORDS: &'static [(&'static str, Self)] =
        &[("fixed", Adapt::Fixed), ("spread", Adapt::Spread), ("depth", Adapt::Depth)];
}

/// How the move is chosen in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decide {
    /// The best value.
    Value,
    /// Drawn by the probabilities.
    Probability,
    /// The best value among the moves that are searched deeply enough.
    Depth,
}

impl Words for Decide {
    const WORDS: &'static [(&'static str, Self)] =
        &[("value", Decide::Value), ("probability", Decide::Probability), ("depth", Decide::Depth)];
}

/// How threads share the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Each looks after a node of its own, the most probable ones (P-GPP).
    Pgpp,
    /// Each takes the next leaf of the whole tree that nobody is at.
    Plain,
}

impl Words for Share {
    const WORDS: &'static [(&'static str, Self)] = &[("pgpp", Share::Pgpp), ("plain", Share::Plain)];
}

parameters! {
    /// Settings of softmax search. Temperatures are in the evaluator's unit.
    Params {
        integers {}
        reals {
            temperature "T" = 20.0 in 1.0 ..= 5000.0, "temperature: low looks deep, high looks broad";
            backup "Tb" = 0.0 in 0.0 ..= 5000.0, "temperature of values, if it is to be another than that of probabilities; 0 is the same";
            step "step" = 0.1 in 0.001 ..= 10.0, "bits by which theta grows, up to which lines are followed; small is best first, large is depth first";
            spread "spread" = 0.5 in -2.0 ..= 2.0, "adapt=spread: power of the children's spread that the temperature follows";
            slope "slope" = -0.03 in -0.5 ..= 0.5, "adapt=depth: by what part the temperature changes per ply";
            margin "margin" = 5.0 in 0.0 ..= 1000.0, "temperatures below the best beyond which a new child may have a bound instead of its value; 0 for exact values everywhere, which is slow";
            deep "deep" = 0.5 in 0.0 ..= 1.0, "decide=depth: share of the root's search depth that a move must have";
        }
        words {
            adapt "adapt": Adapt = Adapt::Spread, "what the temperature depends on";
            share "share": Share = Share::Pgpp, "how threads share the tree";
            decide "decide": Decide = Decide::Value, "how the move is chosen in the end";
        }
    }
}
