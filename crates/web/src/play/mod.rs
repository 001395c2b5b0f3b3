//! Play: games between visitors and players, which survive whatever happens to the page or the server.

mod api;
mod clock;
mod games;
mod live;
mod page;
mod saved;
mod snapshot;
mod table;
mod task;

pub(crate) use api::{FORMATS, download, routes};
pub(crate) use games::{Games, watch_clocks};
pub(crate) use page::steps;
pub(crate) use saved::Side;
