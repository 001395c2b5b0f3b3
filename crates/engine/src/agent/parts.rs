//! What a player is built of: net, evaluator, method.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval::linear::LinearError;
use eval::nnue::NetError;
use eval::{Evaluator, Net, NetOptions, Weights};
use search::Method;
use search::alphabeta::{AlphaBeta, Kinds, KindsError, Model, ModelError, Params};
use search::mcss::Mcss;
use search::softmax::Softmax;
use search::tree::{self, Resources};
use search::uct::Uct;

use super::weights::{self, WeightsFileError};
use crate::book::BookFileError;
use crate::spec::{EvalSource, MethodSpec, ResolvedSpec};

/// Why a player cannot be had.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum AgentError {
    #[error("{error}; the current folder is {}", folder.display())]
    Net { error: NetError, folder: PathBuf },
    #[error("there is no memory for a hash table of {megabytes} MB{}", free_text(*.free))]
    Memory { megabytes: usize, free: Option<usize> },
    #[error("{threads} threads are too many for {cores} cores: at most {} would be of use", most_threads(*.cores))]
    Threads { threads: usize, cores: usize },
    #[error("cannot read {}: {error}", path.display())]
    ModelFile { path: PathBuf, error: std::io::Error },
    #[error("{} is no model of the search: {error}", path.display())]
    Model { path: PathBuf, error: ModelError },
    #[error("'{said}' is no table of kinds of move: {error}")]
    Kinds { said: String, error: KindsError },
    #[error(transparent)]
    Weights(Box<WeightsFileError>),
    #[error("{0}; the current folder is {folder}", folder = current_folder())]
    Linear(Box<LinearError>),
    #[error(transparent)]
    Book(#[from] BookFileError),
}

fn current_folder() -> String {
    std::env::current_dir().unwrap_or_default().display().to_string()
}

fn free_text(free: Option<usize>) -> String {
    free.map_or(String::new(), |megabytes| format!(": {megabytes} MB are free"))
}

/// More threads than so many for each core only take memory and turns.
const THREADS_A_CORE: usize = 32;

fn most_threads(cores: usize) -> usize {
    cores.saturating_mul(THREADS_A_CORE)
}

/// Refuses what this machine cannot bear. The system would hand out memory that it does not have, and end the process in the
/// middle of a game.
pub(super) fn check_resources(spec: &ResolvedSpec) -> Result<(), AgentError> {
    let (megabytes, threads) = (spec.settings.hash as usize, spec.settings.threads as usize);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if threads > most_threads(cores) {
        return Err(AgentError::Threads { threads, cores });
    }
    match memory::free_bytes().map(|bytes| (bytes >> 20) as usize) {
        Some(free) if megabytes > free => Err(AgentError::Memory { megabytes, free: Some(free) }),
        _ => Ok(()),
    }
}

/// Keeps the last net, so that players with the same one share it.
#[derive(Default)]
pub struct Nets {
    last: Option<(Option<PathBuf>, Option<u32>, Arc<Net>)>,
}

impl Nets {
    /// The net of a file or, if none is named, the one inside the program; loads it unless it was the last one
    /// asked for.
    pub fn load(&mut self, path: Option<&Path>, fv_scale: Option<u32>) -> Result<Arc<Net>, AgentError> {
        if let Some((known, scale, net)) = &self.last
            && (known.as_deref(), *scale) == (path, fv_scale)
        {
            return Ok(Arc::clone(net));
        }
        let options = NetOptions { fv_scale, ..NetOptions::default() };
        let folder = || std::env::current_dir().unwrap_or_default();
        let net = path
            .map_or_else(|| Net::embedded(&options), |path| Net::load(path, &options))
            .map_err(|error| AgentError::Net { error, folder: folder() })?;
        self.last = Some((path.map(Path::to_owned), fv_scale, Arc::clone(&net)));
        Ok(net)
    }
}

/// What alpha-beta search has learned: the model of a file or, if none is named, the one inside the program.
pub fn search_model(path: Option<&Path>) -> Result<Arc<Model>, AgentError> {
    let Some(path) = path else { return Ok(Model::embedded()) };
    let text = std::fs::read_to_string(path)
        .map_err(|error| AgentError::ModelFile { path: path.to_owned(), error })?;
    let model = Model::parse(&text).map_err(|error| AgentError::Model { path: path.to_owned(), error })?;
    Ok(Arc::new(model))
}

/// What moves take from the depth: as a list or the file of that name says, over what the parameters say.
fn kinds(said: &str, params: &Params) -> Result<Kinds, AgentError> {
    let kinds = Kinds::of_params(params);
    let wrong = |error| AgentError::Kinds { said: said.to_owned(), error };
    if said.is_empty() || said.contains('=') {
        return kinds.read_list(said).map_err(wrong);
    }
    let read = std::fs::read_to_string(said);
    let text = read.map_err(|error| AgentError::ModelFile { path: said.into(), error })?;
    kinds.read(&text).map_err(wrong)
}

/// The weights that the spec names for its evaluation.
pub(super) fn weights(spec: &ResolvedSpec) -> Result<Option<Arc<Weights>>, AgentError> {
    let file = &spec.settings.weights;
    let loaded = match spec.eval {
        _ if file.is_empty() => return Ok(None),
        EvalSource::Material => weights::load(Path::new(file)),
        _ => Err(WeightsFileError::OfNet { path: file.into() }),
    };
    loaded.map(Some).map_err(|error| AgentError::Weights(Box::new(error)))
}

/// The method of a spec, with an evaluator for each thread.
pub(super) fn method<E: Evaluator + Send + 'static>(
    spec: &ResolvedSpec,
    evaluator: impl FnMut() -> E,
) -> Result<Box<dyn Method>, AgentError> {
    let (megabytes, threads) = (spec.settings.hash as usize, spec.settings.threads as usize);
    // Trees are the same each time unless a seed says otherwise; only books and weaker play draw by the clock.
    let seed = spec.settings.seed.max(1) as u64;
    let resources = Resources { megabytes, threads, scale: spec.scale(), seed };
    Ok(match spec.method.clone() {
        MethodSpec::AlphaBeta(params) => {
            let file = Some(&spec.settings.search).filter(|file| !file.is_empty());
            let model = search_model(file.map(Path::new))?;
            let kinds = kinds(&spec.settings.kinds, &params)?;
            let method = AlphaBeta::new(evaluator, megabytes, threads, *params, model);
            Box::new(method.ok_or(AgentError::Memory { megabytes, free: None })?.with_kinds(kinds))
        }
        MethodSpec::Softmax(params, settings) => {
            tree::method(evaluator, resources, settings, Softmax::new(params))
        }
        MethodSpec::Mcss(params, settings) => tree::method(evaluator, resources, settings, Mcss::new(params)),
        MethodSpec::Uct(params, settings) => {
            tree::method(evaluator, resources, settings, Uct::new(params, resources.scale))
        }
    })
}
