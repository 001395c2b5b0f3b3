//! Systems of linear equations.

/// Gauss's elimination with pivots; `None` for a singular matrix.
pub(crate) fn solve(mut matrix: Vec<Vec<f64>>, right: &[f64]) -> Option<Vec<f64>> {
    let n = right.len();
    let mut right = right.to_vec();
    for column in 0..n {
        let size = |row: usize| matrix[row][column].abs();
        let pivot = (column..n).max_by(|&a, &b| size(a).total_cmp(&size(b)))?;
        if matrix[pivot][column].abs() < 1e-14 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..n {
            let (above, below) = matrix.split_at_mut(row);
            let (pivot_row, row_below) = (&above[column], &mut below[0]);
            let factor = row_below[column] / pivot_row[column];
            row_below.iter_mut().zip(pivot_row).skip(column).for_each(|(entry, up)| *entry -= factor * up);
            right[row] -= factor * right[column];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved_or_refused() {
        let matrix = vec![vec![0.0, 2.0, 1.0], vec![1.0, -1.0, 0.0], vec![3.0, 0.0, 2.0]];
        let found = solve(matrix, &[7.0, -1.0, 9.0]).unwrap();
        for (found, expected) in found.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert_eq!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], &[1.0, 2.0]), None);
    }
}
