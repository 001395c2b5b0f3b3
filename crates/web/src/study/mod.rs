//! Study: records opened, positions searched live, games reviewed, mates sought.

mod api;
mod export;
mod live_search;
mod mate_search;
mod page;
mod question;
mod record_view;
mod report;
mod review;
mod scores;
mod stream;
mod tree_page;
mod tree_search;

pub(crate) use api::routes;
pub use report::report_page;
pub(crate) use stream::Visits;
