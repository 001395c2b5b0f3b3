//! Kendall's rank correlation of values and results, over pairs of positions, in O(n log n).
//!
//! The paper's text speaks of "win probabilities and values", but in its tables tau is 2 ROC - 1 and between 0.006 and 0.045 more:
//! it goes over the pairs of a won and a lost position, and where both have one value the pair counts as concordant. The win
//! rate of a value's own interval in place of the result would measure the intervals.

/// Two ways to treat ties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tau {
    /// (concordant - discordant) / pairs with different results; those of one value are concordant.
    pub paper: f64,
    /// tau-b, over all pairs.
    pub b: f64,
}

/// The correlation of values and results; NaN if all results are the same, tau-b also if all values are.
#[must_use]
pub fn kendall(mut pairs: Vec<(f64, f64)>) -> Tau {
    let n = pairs.len() as f64;
    let all = n * (n - 1.0) / 2.0;
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let tied_first = ties(pairs.iter().map(|pair| pair.0));
    let tied_both = ties_of_pairs(&pairs);
    let mut second: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
    let discordant = inversions(&mut second);
    // Counting inversions has put them in order.
    let tied_second = ties(second.iter().copied());
    let tied = tied_first + tied_second - tied_both;
    let concordant = all - tied - discordant;
    Tau {
        paper: (concordant + (tied_first - tied_both) - discordant) / (all - tied_second),
        b: (concordant - discordant) / ((all - tied_first) * (all - tied_second)).sqrt(),
    }
}

/// How many pairs of neighbours-in-order are equal.
fn ties(ordered: impl Iterator<Item = f64>) -> f64 {
    let (mut total, mut run, mut last) = (0.0, 0.0, f64::NAN);
    for value in ordered {
        run = if value == last { run + 1.0 } else { 0.0 };
        total += run;
        last = value;
    }
    total
}

fn ties_of_pairs(ordered: &[(f64, f64)]) -> f64 {
    let (mut total, mut run) = (0.0, 0.0);
    for two in ordered.windows(2) {
        run = if two[0] == two[1] { run + 1.0 } else { 0.0 };
        total += run;
    }
    total
}

/// How many pairs stand in the wrong order; puts them in the right one (merge sort).
fn inversions(values: &mut [f64]) -> f64 {
    let mut spare = values.to_vec();
    merge_sort(values, &mut spare)
}

fn merge_sort(values: &mut [f64], spare: &mut [f64]) -> f64 {
    let n = values.len();
    if n < 2 {
        return 0.0;
    }
    let middle = n / 2;
    let mut count = merge_sort(&mut values[..middle], &mut spare[..middle])
        + merge_sort(&mut values[middle..], &mut spare[middle..]);
    let (mut left, mut right) = (0, middle);
    for place in spare.iter_mut() {
        if right == n || (left < middle && values[left] <= values[right]) {
            *place = values[left];
            left += 1;
        } else {
            *place = values[right];
            right += 1;
            count += (middle - left) as f64;
        }
    }
    values.copy_from_slice(spare);
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::Rng;

    /// By definition, pair by pair.
    fn slowly(pairs: &[(f64, f64)]) -> Tau {
        let (mut concordant, mut discordant, mut tied, mut first, mut second) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let mut one_value = 0.0;
        for (i, a) in pairs.iter().enumerate() {
            for b in &pairs[..i] {
                one_value += f64::from(u8::from(a.0 == b.0 && a.1 != b.1));
                let product = (a.0 - b.0) * (a.1 - b.1);
                first += f64::from(u8::from(a.0 == b.0));
                second += f64::from(u8::from(a.1 == b.1));
                match product {
                    _ if product > 0.0 => concordant += 1.0,
                    _ if product < 0.0 => discordant += 1.0,
                    _ => tied += 1.0,
                }
            }
        }
        let all: f64 = concordant + discordant + tied;
        Tau {
            paper: (concordant + one_value - discordant) / (all - second),
            b: (concordant - discordant) / ((all - first) * (all - second)).sqrt(),
        }
    }

    #[test]
    fn fast_equals_slow_with_and_without_ties() {
        let mut rng = Rng::new(9);
        for levels in [3.0, 20.0, 1e9] {
            let pairs: Vec<(f64, f64)> =
                (0..300).map(|_| ((rng.unit() * levels).floor(), (rng.unit() * levels).floor())).collect();
            let (fast, slow) = (kendall(pairs.clone()), slowly(&pairs));
            assert!((fast.paper - slow.paper).abs() < 1e-12 && (fast.b - slow.b).abs() < 1e-12, "{levels}");
        }
    }

    #[test]
    fn of_two_results_it_is_twice_the_roc_area_less_one() {
        // Won: 3, 1, 1. Lost: 2, 0. Of the six pairs two are in the wrong order.
        let pairs = vec![(3.0, 1.0), (1.0, 1.0), (1.0, 1.0), (2.0, 0.0), (0.0, 0.0)];
        assert!((kendall(pairs).paper - 2.0 / 6.0).abs() < 1e-12);
        // One value tells nothing: the area is a half. A tie is concordant for the paper, and nothing for tau-b.
        let tied = kendall(vec![(1.0, 1.0), (1.0, 0.0), (2.0, 1.0), (0.0, 0.0)]);
        assert!(
            (tied.paper - 1.0).abs() < 1e-12 && (tied.b - 3.0 / 20.0_f64.sqrt()).abs() < 1e-12,
            "{tied:?}"
        );
    }

    #[test]
    fn the_textbook_example_comes_out() {
        // SciPy's documentation: kendalltau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]) is -0.47140452079103173.
        let pairs = vec![(12.0, 1.0), (2.0, 4.0), (1.0, 7.0), (12.0, 1.0), (2.0, 0.0)];
        assert!((kendall(pairs).b + 0.471_404_520_791_031_7).abs() < 1e-12);
        assert_eq!(kendall(vec![(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]), Tau { paper: 1.0, b: 1.0 });
    }
}
