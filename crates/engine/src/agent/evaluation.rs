//! What a player evaluates by, loaded: everything that its threads share.

use std::path::Path;
use std::sync::Arc;

use eval::{Evaluator, Linear, LinearTables, LinearWeights, Material, Net, Nnue, Weighted, Weights};
use search::Method;

use super::parts::{self, AgentError, Nets};
use crate::explanation::Explainer;
use crate::spec::{EvalSource, ResolvedSpec};

/// What the evaluators of a player are made of.
pub(super) enum Evaluation {
    /// Material, and what is added to it.
    Material(Option<Arc<Weights>>),
    Linear(Arc<LinearTables>),
    Nnue(Arc<Net>),
}

impl Evaluation {
    /// Loads what the spec names.
    pub(super) fn load(spec: &ResolvedSpec, nets: &mut Nets) -> Result<Evaluation, AgentError> {
        let fv_scale = u32::try_from(spec.settings.fv_scale).ok().filter(|&scale| scale > 0);
        let weights = parts::weights(spec)?;
        Ok(match &spec.eval {
            EvalSource::Material => Evaluation::Material(weights),
            EvalSource::Linear => {
                let file = Some(&spec.settings.linear).filter(|file| !file.is_empty());
                Evaluation::Linear(LinearTables::new(linear_weights(file.map(Path::new))?))
            }
            EvalSource::OwnNet => Evaluation::Nnue(nets.load(None, fv_scale)?),
            EvalSource::NetFile(file) => Evaluation::Nnue(nets.load(Some(file), fv_scale)?),
        })
    }

    /// The method of a spec with an evaluator for each thread.
    pub(super) fn method(&self, spec: &ResolvedSpec) -> Result<Box<dyn Method>, AgentError> {
        match self {
            Evaluation::Nnue(net) => parts::method(spec, || Nnue::new(Arc::clone(net))),
            // A search compiled for each of them would take a third of the whole build.
            Evaluation::Material(_) | Evaluation::Linear(_) => parts::method(spec, || self.evaluator()),
        }
    }

    /// An evaluator chosen at run time.
    pub(super) fn evaluator(&self) -> Box<dyn Evaluator + Send> {
        match self {
            Evaluation::Material(None) => Box::new(Material::new()),
            Evaluation::Material(Some(weights)) => {
                Box::new(Weighted::new(Material::new(), Arc::clone(weights)))
            }
            Evaluation::Linear(tables) => Box::new(Linear::new(Arc::clone(tables))),
            Evaluation::Nnue(net) => Box::new(Nnue::new(Arc::clone(net))),
        }
    }

    /// The net, if it is one.
    pub(super) fn net(&self) -> Option<&Arc<Net>> {
        match self {
            Evaluation::Nnue(net) => Some(net),
            Evaluation::Material(_) | Evaluation::Linear(_) => None,
        }
    }

    /// What says why positions have their values, if it is linear.
    pub(super) fn explainer(&self) -> Option<Explainer> {
        match self {
            Evaluation::Linear(tables) => Some(Explainer::new(Arc::clone(tables))),
            Evaluation::Material(_) | Evaluation::Nnue(_) => None,
        }
    }
}

/// The weights of linear evaluation: those of a file or, if none is named, those inside the program.
pub fn linear_weights(file: Option<&Path>) -> Result<LinearWeights, AgentError> {
    let Some(file) = file else { return Ok(LinearWeights::embedded()) };
    LinearWeights::load(file).map_err(|error| AgentError::Linear(Box::new(error)))
}
