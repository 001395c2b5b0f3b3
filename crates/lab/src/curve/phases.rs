//! Numbers that are to be compared between kinds of positions need the same mixture of early and late positions: late ones
//! are easier to judge (Takeuchi, Kaneko and Yamaguchi, section V-B).

use serde::Serialize;

use super::metrics::Metrics;

/// Phases of a game, by move number.
pub(super) const PHASES: usize = 5;
/// The plies of each but the last, which is open.
const PLIES: u16 = 30;

/// The phase of a move number.
pub(super) fn phase_of(ply: u16) -> usize {
    usize::from(ply.saturating_sub(1) / PLIES).min(PHASES - 1)
}

/// Numbers of a kind of position, few enough to stand beside others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ShortMetrics {
    /// Positions.
    pub positions: usize,
    /// Accuracy of the value's sign.
    #[serde(rename = "ACC")]
    pub acc: f64,
    /// Area under the ROC curve.
    #[serde(rename = "ROC")]
    pub roc: f64,
    /// Kendall's tau.
    pub tau: f64,
    /// Distance of the means of won and lost positions.
    #[serde(rename = "E_v")]
    pub e_v: f64,
}

impl ShortMetrics {
    /// The numbers of values and results.
    #[must_use]
    pub fn of(data: &[(f64, f64)], clip: f64) -> ShortMetrics {
        let Metrics { positions, acc, roc, tau, e_v, .. } = Metrics::of(data, clip);
        ShortMetrics { positions, acc, roc, tau, e_v }
    }
}

/// As many of the chosen positions as can be had in the mixture of phases that the whole has, evenly taken from each phase in
/// their order; none if a phase of the whole is missing among them.
pub(super) fn balanced<T: Copy>(chosen: &[(usize, T)], whole: &[usize; PHASES]) -> Vec<T> {
    let mut by_phase: [Vec<T>; PHASES] = Default::default();
    chosen.iter().for_each(|(phase, position)| by_phase[*phase].push(*position));
    // How many times as often the whole has each phase; the scarcest one decides.
    let scarce = |(own, all): (&Vec<T>, &usize)| (*all > 0).then(|| own.len() as f64 / *all as f64);
    let share = by_phase.iter().zip(whole).filter_map(scarce).fold(f64::INFINITY, f64::min);
    if !share.is_finite() {
        return Vec::new();
    }
    let mut taken = Vec::new();
    for (own, all) in by_phase.iter().zip(whole) {
        let count = ((*all as f64 * share).round() as usize).min(own.len());
        taken.extend((0..count).map(|i| own[i * own.len() / count]));
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixture_becomes_that_of_the_whole() {
        let whole = [400, 300, 200, 100, 0];
        // Mostly late positions, as a condition about endgames has them.
        let chosen: Vec<(usize, usize)> = [20, 60, 90, 200, 70]
            .into_iter()
            .enumerate()
            .flat_map(|(p, n)| (0..n).map(move |i| (p, p * 1000 + i)))
            .collect();
        let taken = balanced(&chosen, &whole);
        let counts = [0, 1, 2, 3, 4].map(|phase| taken.iter().filter(|&&id| id / 1000 == phase).count());
        assert_eq!(counts, [20, 15, 10, 5, 0]);
        let distinct: std::collections::HashSet<_> = taken.iter().collect();
        assert_eq!(distinct.len(), taken.len(), "no position twice");
        assert!(
            balanced(&chosen[20..], &whole).is_empty(),
            "without early positions there is no such mixture"
        );
    }

    #[test]
    fn phases_go_by_move_number() {
        assert_eq!([1, 30, 31, 90, 91, 120, 121, 400].map(phase_of), [0, 0, 1, 2, 3, 3, 4, 4]);
    }
}
