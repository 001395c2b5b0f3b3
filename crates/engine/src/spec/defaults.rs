//! What each job fills in where a spec leaves it open.

use std::path::{Path, PathBuf};

use crate::options::{Options, Settings};

/// The settings of a job. [`Defaults::default`] are those of a session before any option is set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// A value for every setting.
    pub settings: Settings,
    /// The net's file; `None` is the net inside the program.
    pub net: Option<PathBuf>,
}

/// The net's name in `EvalDir`.
const NET_NAME: &str = "nn.bin";
/// Nodes that leave no more hash entries than fit into a megabyte.
const NODES_A_MEGABYTE: u64 = 30_000;
/// Two players for each core must fit.
const MATCH_HASH: i64 = 32;

impl Defaults {
    /// Those of a session: its options.
    #[must_use]
    pub fn of_options(options: &Options) -> Defaults {
        Defaults { settings: options.settings.clone(), net: net_path(options) }
    }

    /// Those of players in matches: little memory, no network between the clock and the player, the same dice every
    /// time.
    #[must_use]
    pub fn matches() -> Defaults {
        Settings { hash: MATCH_HASH, network_delay: 0, network_delay2: 0, seed: 1, ..Settings::default() }
            .into()
    }

    /// Those of self-play: a hash table for short thoughts stays in the cache and is soon cleared.
    #[must_use]
    pub fn self_play() -> Defaults {
        let Defaults { settings, net } = Defaults::matches();
        Defaults { settings: Settings { hash: 4, ..settings }, net }
    }

    /// Those of judges of single positions, of which each begins afresh: values are the search's own, and the table is
    /// no larger than so many nodes can fill.
    #[must_use]
    pub fn study(nodes: Option<u64>) -> Defaults {
        let filled = nodes.map(|nodes| i64::try_from(nodes / NODES_A_MEGABYTE + 1).unwrap_or(MATCH_HASH));
        let hash = filled.unwrap_or(MATCH_HASH).min(MATCH_HASH);
        let Defaults { settings, net } = Defaults::matches();
        Defaults { settings: Settings { hash, mate_search: false, ..settings }, net }
    }

    /// Those of the search for openings.
    #[must_use]
    pub fn openings() -> Defaults {
        let Defaults { settings, net } = Defaults::study(None);
        Defaults { settings: Settings { hash: 16, ..settings }, net }
    }

    /// Those of the search for a book: values are the search's own, and a draw is worth nothing to either side.
    #[must_use]
    pub fn book(nodes: Option<u64>) -> Defaults {
        let Defaults { settings, net } = Defaults::study(nodes);
        Defaults { settings: Settings { draw_value_black: 0, draw_value_white: 0, ..settings }, net }
    }

    /// Those of the analysis of games: values are the search's own, and a draw is worth nothing to either side.
    #[must_use]
    pub fn analysis() -> Defaults {
        let base = Settings {
            mate_search: false,
            draw_value_black: 0,
            draw_value_white: 0,
            seed: 1,
            ..Settings::default()
        };
        base.into()
    }
}

impl From<Settings> for Defaults {
    fn from(settings: Settings) -> Defaults {
        Defaults { settings, net: None }
    }
}

/// The net that the options name. The folder that nobody named may be without one: then the net inside the
/// program serves.
fn net_path(options: &Options) -> Option<PathBuf> {
    if !options.eval_file.is_empty() {
        return Some(PathBuf::from(&options.eval_file));
    }
    let path = Path::new(&options.eval_dir).join(NET_NAME);
    let named = options.eval_dir != Options::default().eval_dir;
    (named || path.exists()).then_some(path)
}
