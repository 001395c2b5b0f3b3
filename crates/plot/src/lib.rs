//! Charts, boards, search trees, game graphs and pages in one style, light and dark.

#![forbid(unsafe_code)]

mod axis;
mod board;
mod chart;
mod explanation;
mod game_graph;
mod names;
mod page;
mod pieces;
mod search_tree;
mod style;
mod svg;

pub use axis::Axis;
pub use board::Board;
pub use chart::{Chart, Kind, Point, Series};
pub use explanation::explanation_picture;
pub use game_graph::GameGraph;
pub use names::{legend_name, shortened};
pub use page::Page;
pub use pieces::{PieceSet, rank_symbols};
pub use search_tree::{
    TreePicture, TreePlace, depth_label, move_label, score_label, tree_places, tree_summary, turn_root,
};
pub use style::site_sheet;
pub use svg::Svg;
