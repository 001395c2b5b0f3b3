//! Why linear evaluation values a position as it does, and what a move changes in that.

use std::sync::Arc;

use eval::linear::{Explanation, Progress, STAGES, Theme};
use eval::{LinearTables, LinearWeights};
use serde::Serialize;
use shogi::{Color, Move, Position};

/// What something adds for either side, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sides {
    /// For Black.
    pub black: f64,
    /// For White.
    pub white: f64,
}

impl Sides {
    /// What it comes to for Black.
    #[must_use]
    pub fn balance(self) -> f64 {
        self.black - self.white
    }
}

/// A kind of features with what it adds, before and after a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedPart {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub meaning: &'static str,
    /// In the position.
    pub now: Sides,
    /// After the move, if there is one.
    pub after: Option<Sides>,
    /// The blocks of features that it is made of; those of them have no parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ExplainedPart>,
}

impl ExplainedPart {
    /// What the move changes for Black.
    #[must_use]
    pub fn change(&self) -> Option<f64> {
        self.after.map(|after| after.balance() - self.now.balance())
    }
}

/// A position explained, perhaps with a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explained {
    /// The position.
    pub sfen: String,
    /// Who is to move.
    pub side: &'static str,
    /// The move.
    #[serde(rename = "move")]
    pub played: Option<Move>,
    /// The value for Black, in centipawns.
    pub value: f64,
    /// The value for Black after the move.
    pub value_after: Option<f64>,
    /// How far the game has come, from 0 to 1; pieces in hand and promoted ones count.
    pub progress: f64,
    /// By theme.
    pub themes: Vec<ExplainedPart>,
}

/// Explains positions by the weights of a player.
#[derive(Clone, Debug)]
pub struct Explainer(Arc<LinearTables>);

impl Explainer {
    pub(crate) fn new(tables: Arc<LinearTables>) -> Explainer {
        Explainer(tables)
    }

    /// Explains a position, and what a legal move changes.
    #[must_use]
    pub fn explain(&self, position: &Position, played: Option<Move>) -> Explained {
        explain(self.0.weights(), position, played)
    }
}

/// Explains a position, and what a legal move changes.
///
/// ```
/// use eval::LinearWeights;
/// use shogi::Position;
/// let start = Position::start();
/// let explained = engine::explain(&LinearWeights::of_material(), &start, None);
/// assert_eq!(explained.value, 0.0);
/// let material = &explained.themes[0];
/// assert!(material.name == "material" && material.now.black > 5000.0);
/// ```
#[must_use]
pub fn explain(weights: &LinearWeights, position: &Position, played: Option<Move>) -> Explained {
    let now = Explanation::of(weights, position);
    let after = played.map(|m| {
        let mut position = position.clone();
        position.play(m);
        Explanation::of(weights, &position)
    });
    let last = Progress::STEPS * (STAGES as i32 - 1);
    let done = now.progress.stage as i32 * Progress::STEPS + now.progress.steps;
    Explained {
        sfen: position.to_string(),
        side: if position.side() == Color::Black { "black" } else { "white" },
        played,
        value: now.for_black(),
        value_after: after.as_ref().map(Explanation::for_black),
        progress: f64::from(done) / f64::from(last),
        themes: themes(&now, after.as_ref()),
    }
}

fn themes(now: &Explanation, after: Option<&Explanation>) -> Vec<ExplainedPart> {
    let of = |explanation: &Explanation, theme: Theme| {
        let part = explanation.parts()[theme as usize];
        Sides { black: part.black, white: part.white }
    };
    let blocks: Vec<_> = now.blocks().collect();
    let blocks_after: Option<Vec<_>> = after.map(|after| after.blocks().collect());
    let theme_part = |&(theme, name, meaning): &(Theme, &'static str, &'static str)| {
        let parts = blocks.iter().enumerate().filter(|(_, share)| share.block.theme() == theme);
        let part = |(index, share): (usize, &eval::linear::BlockShare)| ExplainedPart {
            name: share.block.name(),
            meaning: meaning_of_group(share.block.group()),
            now: Sides { black: share.black, white: share.white },
            after: blocks_after
                .as_ref()
                .map(|blocks| Sides { black: blocks[index].black, white: blocks[index].white }),
            parts: Vec::new(),
        };
        ExplainedPart {
            name,
            meaning,
            now: of(now, theme),
            after: after.map(|after| of(after, theme)),
            parts: parts.map(part).collect(),
        }
    };
    Theme::ALL.iter().map(theme_part).collect()
}

/// Where a block of features stands in Blunder's list.
fn meaning_of_group(group: u8) -> &'static str {
    const GROUPS: [&str; 8] = [
        "group 1: material and hands",
        "group 2: lines",
        "group 3: pawns, knights and silvers",
        "group 4: cover",
        "group 5: distances to kings",
        "group 6: pins and bishops",
        "group 7: places",
        "group 8: around the kings",
    ];
    GROUPS[usize::from(group - 1) % GROUPS.len()]
}
