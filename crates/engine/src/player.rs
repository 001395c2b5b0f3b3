//! A player that can think.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use contract::LogisticScale;
use eval::nnue::NetError;
use eval::{Evaluator, Material, Net, NetOptions, Nnue};
use search::alphabeta::AlphaBeta;
use search::tree::{Resources, TreeView};
use search::{Control, Decision, Limits, Method, Report, Root, mcss, softmax, uct};
use shogi::Position;

use crate::spec::{EvalSource, MethodSpec, OwnSpec};

/// What a spec leaves open.
const DEFAULT_HASH: usize = 256;
/// Deep lines need more stack than threads have by default.
pub const STACK_BYTES: usize = 64 << 20;

/// A method with its evaluator, ready to think.
pub struct Player {
    method: Box<dyn Method>,
    net: Option<Arc<Net>>,
    lines: usize,
    scale: LogisticScale,
}

/// Why a player cannot be had.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PlayerError {
    #[error("{error}; the current folder is {}", folder.display())]
    Net { error: NetError, folder: PathBuf },
    #[error("there is no memory for a hash table of {megabytes} MB")]
    Memory { megabytes: usize },
}

/// The search did not survive; a fault of ours.
#[derive(Debug, thiserror::Error)]
#[error("the search failed inside")]
pub struct SearchFailed;

/// Keeps the last net, so that players with the same one share it.
#[derive(Default)]
pub struct Nets {
    last: Option<(Option<PathBuf>, Option<u32>, Arc<Net>)>,
}

impl Nets {
    /// The net of a file or, if none is named, the one inside the program; loads it unless it was the last one
    /// asked for.
    pub fn load(&mut self, path: Option<&Path>, fv_scale: Option<u32>) -> Result<Arc<Net>, PlayerError> {
        if let Some((known, scale, net)) = &self.last
            && (known.as_deref(), *scale) == (path, fv_scale)
        {
            return Ok(Arc::clone(net));
        }
        let options = NetOptions { fv_scale, ..NetOptions::default() };
        let folder = || std::env::current_dir().unwrap_or_default();
        let net = path
            .map_or_else(|| Net::embedded(&options), |path| Net::load(path, &options))
            .map_err(|error| PlayerError::Net { error, folder: folder() })?;
        self.last = Some((path.map(Path::to_owned), fv_scale, Arc::clone(&net)));
        Ok(net)
    }
}

impl Player {
    /// Builds the player of a spec: loads its net, takes its memory.
    pub fn new(spec: &OwnSpec, nets: &mut Nets) -> Result<Player, PlayerError> {
        let net = match spec.eval_source() {
            EvalSource::Material => None,
            EvalSource::OwnNet => Some(nets.load(None, spec.fv_scale)?),
            EvalSource::NetFile(file) => Some(nets.load(Some(file), spec.fv_scale)?),
        };
        let method = match &net {
            None => method(spec, Material::new)?,
            Some(net) => method(spec, || Nnue::new(Arc::clone(net)))?,
        };
        Ok(Player { method, net, lines: spec.multipv.unwrap_or(1), scale: spec.scale() })
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.method.new_game();
    }

    /// How many best lines it finds unless told otherwise.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// What turns its values into win rates.
    #[must_use]
    pub fn scale(&self) -> LogisticScale {
        self.scale
    }

    /// The net, if it evaluates by one.
    #[must_use]
    pub fn net(&self) -> Option<&Arc<Net>> {
        self.net.as_ref()
    }

    /// The most probable `budget` nodes of the tree that the last search left; `None` if the method keeps none.
    #[must_use]
    pub fn tree_view(&self, budget: usize) -> Option<TreeView> {
        self.method.view(budget)
    }

    /// The static value of a position for the side to move.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        fn of(mut eval: impl Evaluator, position: &Position) -> i32 {
            eval.reset(position);
            eval.evaluate(position)
        }
        match &self.net {
            Some(net) => of(Nnue::new(Arc::clone(net)), position),
            None => of(Material::new(), position),
        }
    }

    /// Thinks on the caller's thread, which must have [`STACK_BYTES`] of stack: for very many short thoughts.
    pub fn think_here(&mut self, root: &Root, limits: &Limits, control: &Control) -> Decision {
        self.method.think(root, limits, control, &mut |_| {})
    }

    /// Thinks on a thread of its own with enough stack; blocks meanwhile.
    pub fn think(
        &mut self,
        root: &Root,
        limits: &Limits,
        control: &Control,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Result<Decision, SearchFailed> {
        let method = &mut self.method;
        std::thread::scope(|scope| {
            std::thread::Builder::new()
                .name("search".to_owned())
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || method.think(root, limits, control, report))
                .map_err(|_| SearchFailed)?
                .join()
                .map_err(|_| SearchFailed)
        })
    }
}

/// The method of a spec, with an evaluator for each thread.
fn method<E: Evaluator + Send + 'static>(
    spec: &OwnSpec,
    evaluator: impl FnMut() -> E,
) -> Result<Box<dyn Method>, PlayerError> {
    let megabytes = spec.hash.unwrap_or(DEFAULT_HASH);
    let threads = spec.threads.unwrap_or(1);
    let resources = Resources { megabytes, threads, scale: spec.scale() };
    Ok(match spec.method.clone() {
        MethodSpec::AlphaBeta(params) => {
            let method = AlphaBeta::new(evaluator, megabytes, threads, *params);
            Box::new(method.ok_or(PlayerError::Memory { megabytes })?)
        }
        MethodSpec::Softmax(params, settings) => softmax::method(evaluator, resources, settings, params),
        MethodSpec::Mcss(params, settings) => mcss::method(evaluator, resources, settings, params),
        MethodSpec::Uct(params, settings) => uct::method(evaluator, resources, settings, params),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Choice;

    #[test]
    fn a_player_thinks() {
        let spec = OwnSpec { hash: Some(1), ..OwnSpec::default() };
        let mut player = Player::new(&spec, &mut Nets::default()).unwrap();
        let root = Root::new(Position::start());
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let mut depths = Vec::new();
        let decision = player.think(&root, &limits, &Control::new(), &mut |r| depths.push(r.depth)).unwrap();
        assert!(matches!(decision.choice, Choice::Move(m) if root.position.is_legal(m)));
        assert_eq!(depths.last(), Some(&3));
    }

    #[test]
    fn nnue_load_failure_does_not_fall_back_silently() {
        let net = Some("no/such/net.bin".into());
        let spec = OwnSpec { net, hash: Some(1), ..OwnSpec::default() };
        let error = Player::new(&spec, &mut Nets::default()).err().unwrap().to_string();
        assert!(error.contains("no/such/net.bin") && error.contains("the current folder is /"), "{error}");
    }
}
