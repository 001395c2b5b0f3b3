//! Evaluation curves: how often a value came true in played games (Takeuchi, Kaneko and Yamaguchi).
//!
//! Records become samples: positions with features and with who won. Players, or the records themselves, give each
//! sample a value as Black sees it. Curves, numbers and splits are then found from values and results alone.

mod bins;
mod cache;
mod export;
mod fit;
mod input;
mod judge;
mod metrics;
mod parquet;
mod phases;
mod pictures;
mod quiescence;
mod run;
mod split;
mod study;
mod tau;
mod win_rates;

pub use bins::{Bin, Curve, choose_delta};
pub use eval::features::{Expression, ExpressionError, Feature, FeatureSource, Features};
pub use export::{csv, parquet};
pub use fit::{Fit, Fitted, Loss, fit_weights};
pub use input::{Correction, InputError, Sample, Samples, read_samples};
pub use judge::{Judge, JudgeError, Judging, Target, TargetError};
pub use metrics::{CalibrationBin, Forecast, Metrics};
pub use phases::ShortMetrics;
pub use pictures::{MEANINGS, curve_chart, numbers, page, split_chart, win_rate_chart};
pub use run::{EvaluateError, Outcome, PlayerCurve, Study, ValueJob, analyse, evaluate};
pub use split::{Split, split_test};
pub use study::{CurveResult, FitResult, Material, Source, StudyError, StudyManifest, Watch};
pub use tau::{Tau, kendall};
pub use win_rates::WinRateCurve;
