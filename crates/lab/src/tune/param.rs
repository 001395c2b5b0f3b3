//! A parameter to be tuned, read from text: how far it may go, and in which steps.

use engine::{MethodSpec, ParameterFacts};
use search::params::Kind;

use super::SpsaParam;

/// How far a parameter is moved at the end: a twentieth of its range; whole numbers by one at least, others by at most
/// a quarter of where they start, since their ranges may span powers of ten.
const STEPS_IN_RANGE: f64 = 20.0;
const LARGEST_PART: f64 = 0.25;

/// Why a text names nothing to tune.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SpsaParamError {
    #[error("{method} has no parameter '{name}'; --list lists them")]
    Unknown { method: &'static str, name: String },
    #[error("{name} takes {expected}: only numbers can be tuned")]
    Word { name: String, expected: String },
    #[error("{name}: expected a range within {least}..{most}, found '{found}'")]
    Range { name: String, least: f64, most: f64, found: String },
}

impl SpsaParam {
    /// A parameter of the method, perhaps within a narrower range: `NAME` or `NAME=MIN..MAX`.
    pub fn read(text: &str, method: &MethodSpec) -> Result<SpsaParam, SpsaParamError> {
        let (name, range) = text.split_once('=').map_or((text, None), |(name, range)| (name, Some(range)));
        let owned = || name.to_owned();
        let known = method
            .parameter(name)
            .ok_or_else(|| SpsaParamError::Unknown { method: method.name(), name: owned() })?;
        let (Some((least, most)), Ok(value)) = (known.kind.range(), known.value.parse::<f64>()) else {
            return Err(SpsaParamError::Word { name: owned(), expected: known.kind.expected() });
        };
        let (mut min, mut max) = (least, most);
        if let Some(found) = range {
            let ends = found.split_once("..").and_then(|(a, b)| Some((end(&known, a)?, end(&known, b)?)));
            (min, max) = ends.filter(|(a, b)| least <= *a && a < b && *b <= most).ok_or_else(|| {
                SpsaParamError::Range { name: owned(), least, most, found: found.to_owned() }
            })?;
        }
        let start = value.clamp(min, max);
        let part = (max - min) / STEPS_IN_RANGE;
        let c_end = match known.kind {
            Kind::Integer { .. } => part.max(1.0),
            _ if start == 0.0 => part,
            _ => part.min(start.abs() * LARGEST_PART),
        };
        Ok(SpsaParam { name: known.name.to_owned(), start, min, max, c_end })
    }
}

/// An end of a range, whole if the parameter is.
fn end(parameter: &ParameterFacts, text: &str) -> Option<f64> {
    let number: f64 = text.trim().parse().ok()?;
    let whole = matches!(parameter.kind, Kind::Integer { .. });
    (number.is_finite() && (!whole || number.fract() == 0.0)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, method: &str) -> Result<SpsaParam, String> {
        SpsaParam::read(text, &MethodSpec::named(method).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn parameters_of_all_methods_are_read_with_a_sensible_step() {
        let margin = read("Static_cut_Z=60..160", "alphabeta").unwrap();
        assert_eq!(
            (margin.name.as_str(), margin.min, margin.max, margin.c_end),
            ("static_cut_z", 60.0, 160.0, 5.0)
        );
        assert_eq!(read("plain", "alphabeta").unwrap().c_end, 1.0);
        let temperature = read("T", "softmax").unwrap();
        assert_eq!((temperature.start, temperature.c_end), (20.0, 5.0));
        let step = read("step=0.02..0.5", "softmax").unwrap();
        assert!((step.c_end - 0.024).abs() < 1e-9, "{step:?}");
        assert_eq!(read("qdepth", "uct").unwrap().max, 32.0);
    }

    #[test]
    fn refusals_say_what_would_be_right() {
        for (text, method, expected) in [
            ("T", "alphabeta", "alphabeta has no parameter 'T'; --list lists them"),
            ("decide", "mcss", "decide takes one of pv0, pv1, pv2, pv3: only numbers can be tuned"),
            ("static_cut_z=60.5..90", "alphabeta", "expected a range within 0..500, found '60.5..90'"),
            ("T=90..10", "softmax", "expected a range within 1..5000, found '90..10'"),
        ] {
            let error = read(text, method).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
