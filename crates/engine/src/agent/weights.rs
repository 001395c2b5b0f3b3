//! Weights of features from the file that a fit leaves.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval::features::{Expression, ExpressionError};
use eval::{Weights, WeightsError};
use serde::Deserialize;

/// Why a file has no weights to play with.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum WeightsFileError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("{} is no result of yomi fit: {error}", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
    #[error("{} has the weights of {count} players: fit one player alone", path.display())]
    Players { path: PathBuf, count: usize },
    #[error("{} has {features} features and {weights} weights", path.display())]
    Counts { path: PathBuf, features: usize, weights: usize },
    #[error("{}: {error}", path.display())]
    Expression { path: PathBuf, error: ExpressionError },
    #[error("{}: {error}", path.display())]
    Weights { path: PathBuf, error: WeightsError },
    #[error("weights={} is for eval=material: other evaluations have no features added to them", path.display())]
    OfNet { path: PathBuf },
}

/// What is needed of a fit.
#[derive(Deserialize)]
struct FitFile {
    features: Vec<String>,
    weights: Vec<f64>,
}

/// One fit, or the list that holds one.
#[derive(Deserialize)]
#[serde(untagged)]
enum FitFiles {
    One(FitFile),
    List(Vec<FitFile>),
}

/// The weights of a file.
pub(super) fn load(path: &Path) -> Result<Arc<Weights>, WeightsFileError> {
    let owned = || path.to_owned();
    let bytes = std::fs::read(path).map_err(|error| WeightsFileError::Read { path: owned(), error })?;
    let files: FitFiles =
        serde_json::from_slice(&bytes).map_err(|error| WeightsFileError::Json { path: owned(), error })?;
    let mut fits = match files {
        FitFiles::One(fit) => vec![fit],
        FitFiles::List(fits) => fits,
    };
    let all = fits.len();
    let (Some(FitFile { features, weights }), true) = (fits.pop(), fits.is_empty()) else {
        return Err(WeightsFileError::Players { path: owned(), count: all });
    };
    if features.len() != weights.len() {
        let (features, weights) = (features.len(), weights.len());
        return Err(WeightsFileError::Counts { path: owned(), features, weights });
    }
    let expressions: Result<Vec<Expression>, _> = features.iter().map(|text| text.parse()).collect();
    let expressions = expressions.map_err(|error| WeightsFileError::Expression { path: owned(), error })?;
    Weights::new(expressions.into_iter().zip(weights).collect())
        .map(Arc::new)
        .map_err(|error| WeightsFileError::Weights { path: owned(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded(text: &str) -> Result<Arc<Weights>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fit.json");
        std::fs::write(&path, text).unwrap();
        load(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn a_fit_is_read_alone_and_in_a_list() {
        let fit =
            r#"{"player": "x", "features": ["castle", "progress * king_attack"], "weights": [3.5, -20]}"#;
        assert_eq!(loaded(fit).unwrap(), loaded(&format!("[{fit}]")).unwrap());
    }

    #[test]
    fn what_is_no_fit_is_refused_with_its_reason() {
        let fit = r#"{"features": ["castle"], "weights": [1]}"#;
        for (text, reason) in [
            (format!("[{fit}, {fit}]"), "the weights of 2 players"),
            ("[]".to_owned(), "the weights of 0 players"),
            ("{}".to_owned(), "no result of yomi fit"),
            (fit.replace("[1]", "[1, 2]"), "1 features and 2 weights"),
            (fit.replace("castle", "castel"), "expected a number"),
            (fit.replace("castle", "left"), "which only a record tells"),
        ] {
            let error = loaded(&text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
        assert!(
            load(Path::new("/nowhere.json")).unwrap_err().to_string().contains("cannot read /nowhere.json")
        );
    }
}
