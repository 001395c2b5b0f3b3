//! Whether two numbers put things into the same order.

/// Spearman's correlation of ranks; equal numbers share their ranks. None if there are fewer than two or one of them does
/// not tell any two apart.
#[must_use]
pub fn rank_correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() || a.len() < 2 {
        return None;
    }
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let spread = (product(&a, &a) * product(&b, &b)).sqrt();
    (spread > 0.0).then(|| product(&a, &b) / spread)
}

/// The rank of each number from 0; equal ones have the mean of theirs.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let rank = |x: &f64| {
        let below = numbers.iter().filter(|y| *y < x).count() as f64;
        let equal = numbers.iter().filter(|y| *y == x).count() as f64;
        below + (equal - 1.0) / 2.0
    };
    numbers.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_agree_oppose_or_have_nothing_to_do_with_each_other() {
        assert_eq!(rank_correlation(&[1.0, 2.0, 9.0], &[0.1, 0.2, 0.3]), Some(1.0));
        assert_eq!(rank_correlation(&[1.0, 2.0, 9.0], &[3.0, 2.0, 1.0]), Some(-1.0));
        assert!(
            (rank_correlation(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 4.0, 3.0]).unwrap() - 0.8).abs() < 1e-12
        );
        // Ranks 0.5, 0.5, 2 beside 0, 1, 2.
        assert!(
            (rank_correlation(&[1.0, 1.0, 2.0], &[1.0, 2.0, 3.0]).unwrap() - 0.75f64.sqrt()).abs() < 1e-12
        );
        assert_eq!(rank_correlation(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(rank_correlation(&[1.0], &[1.0]), None);
    }
}
