//! Settings of Monte Carlo softmax search.

use contract::parameters;
use contract::params::Words;

/// How the move is chosen in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decide {
    /// E + c D.
    Pv0,
    /// (D + 1) exp((E - best E) / c).
    Pv1,
    /// (1 - p) E + p E0 with p = c min(1, 1/D).
    Pv2,
    /// The best E among moves with D of at least c times that of the root, less one.
    Pv3,
}

impl Words for Decide {
    const WORDS: &'static [(&'static str, Self)] =
        &[("pv0", Decide::Pv0), ("pv1", Decide::Pv1), ("pv2", Decide::Pv2), ("pv3", Decide::Pv3)];
}

/// What the fourth to sixth selection values count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Search depths.
    Depth,
    /// Visits, as the paper may be read.
    Visits,
}

impl Words for Reading {
    const WORDS: &'static [(&'static str, Self)] = &[("depth", Reading::Depth), ("visits", Reading::Visits)];
}

parameters! {
    /// Settings of Monte Carlo softmax search. Temperatures are in the evaluator's unit.
    Params {
        integers {
            select "select" = 0 in 0 ..= 18, "which of the 18 selection values is used; 0 is plain E";
        }
        reals {
            c "c" = 0.5 in -100_000.0 ..= 100_000.0, "the constant of the selection value";
            select_temperature "Ts" = 20.0 in 1.0 ..= 5000.0, "temperature of selection";
            backup_temperature "Tb" = 10.0 in 1.0 ..= 5000.0, "temperature of the backup of values";
            depth_temperature "Td" = 100.0 in 1.0 ..= 5000.0, "temperature of the backup of depths";
            margin "margin" = 8.0 in 0.0 ..= 1000.0, "selection temperatures below the best beyond which a new child may have a bound instead of its value; 0 for exact values everywhere, which is slow";
            decide_c "dc" = 0.5 in -1000.0 ..= 1000.0, "the constant of the decision";
            anneal "anneal" = 0.0 in -1.0 ..= 1.0, "per node: power of its visits by which the selection temperature falls";
            thread_spread "fan" = 0.0 in 0.0 ..= 2.0, "per thread: by how much the last one selects hotter than the first";
        }
        words {
            decide "decide": Decide = Decide::Pv3, "how the move is chosen in the end";
            reading "count": Reading = Reading::Depth, "what selection values 4 to 6 count";
        }
    }
}
