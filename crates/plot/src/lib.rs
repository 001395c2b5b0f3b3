//! Pictures of numbers: charts as SVG, legible on light and on dark pages.

#![forbid(unsafe_code)]

mod axis;
mod chart;
mod names;
mod page;

pub use axis::Axis;
pub use chart::{Chart, Kind, Point, STYLE, Series};
pub use names::{legend_name, shortened};
pub use page::{Page, escaped};
