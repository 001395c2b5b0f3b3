//! Systems of linear equations.

/// The solution of a system with a positive definite matrix, by Gauss and Jordan: no rows need to change places.
pub(super) fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for i in 0..N {
        let pivot = matrix[i][i];
        matrix[i].iter_mut().for_each(|x| *x /= pivot);
        right[i] /= pivot;
        let (row, value) = (matrix[i], right[i]);
        for k in (0..N).filter(|&k| k != i) {
            let factor = matrix[k][i];
            matrix[k].iter_mut().zip(row).for_each(|(x, y)| *x -= factor * y);
            right[k] -= factor * value;
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn the_solution_fulfils_the_equations() {
        let matrix = [[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]];
        let right = [1.0, -2.0, 3.0];
        let x = solve(matrix, right);
        for (row, value) in matrix.iter().zip(right) {
            let sum: f64 = row.iter().zip(x).map(|(a, b)| a * b).sum();
            assert!((sum - value).abs() < 1e-12);
        }
    }
}
