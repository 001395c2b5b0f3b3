//! A position explained: its board, and beside it a bar for what each theme comes to, before and after a move.

use engine::{Explained, ExplainedPart};
use maud::{Markup, html};
use shogi::Position;

use crate::board::Board;
use crate::svg::{Path, Px, Svg};

const BOARD_WIDTH: f64 = 702.0;
const WIDTH: f64 = BOARD_WIDTH + 620.0;
const HEIGHT: f64 = 510.0;
const TOP: f64 = 84.0;
const ROW: f64 = 33.0;
/// The names end here.
const NAMES: f64 = BOARD_WIDTH + 90.0;
/// Bars are between these.
const LEFT: f64 = NAMES + 70.0;
const RIGHT: f64 = WIDTH - 150.0;
const MIDDLE: f64 = (LEFT + RIGHT) / 2.0;
const BAR: f64 = 11.0;
/// No bar is measured against less: small things stay small.
const LEAST: f64 = 100.0;

/// The picture. Bars to the right are good for Black.
#[must_use]
pub fn explanation_picture(position: &Position, explained: &Explained) -> Svg {
    let most =
        explained.themes.iter().flat_map(balances).fold(LEAST, |most, balance| most.max(balance.abs()));
    let title = title(explained);
    let body = html! {
        (Board::of_position(position).svg().body)
        text class="title" x=(Px(BOARD_WIDTH + 20.0)) y="36" { (title) }
        text class="faint mid" x=(Px(MIDDLE)) y=(Px(TOP - 22.0)) { "good for White | good for Black, centipawns" }
        path class="zero" d=(Path::down(MIDDLE, TOP - 12.0, TOP + ROW * explained.themes.len() as f64)) {}
        @for (number, theme) in explained.themes.iter().enumerate() {
            (row(theme, TOP + ROW * number as f64, most))
        }
        (legend(explained))
    };
    let description = format!("sfen {}", explained.sfen);
    Svg { kind: "explanation", width: WIDTH, height: HEIGHT, title, description, body }
}

fn title(explained: &Explained) -> String {
    let mut title = format!("{:+.0} for Black", explained.value);
    if let (Some(m), Some(after)) = (explained.played, explained.value_after) {
        title += &format!(", {after:+.0} after {m} ({:+.0})", after - explained.value);
    }
    title
}

fn balances(theme: &ExplainedPart) -> impl Iterator<Item = f64> {
    [Some(theme.now), theme.after].into_iter().flatten().map(engine::Sides::balance)
}

fn row(theme: &ExplainedPart, y: f64, most: f64) -> Markup {
    html! {
        text class="end strong" x=(Px(NAMES)) y=(Px(y + 14.0)) { title { (theme.meaning) } (theme.name) }
        @for (place, balance) in balances(theme).enumerate() {
            @let length = (RIGHT - LEFT) / 2.0 * balance / most;
            rect class={ "bar c" (place) } x=(Px(MIDDLE.min(MIDDLE + length))) y=(Px(y + 1.0 + place as f64 * BAR))
                width=(Px(length.abs())) height=(Px(BAR - 1.0))
            {
                title { (theme.name) ": Black " (format!("{:+.1}", theme.now.black)) ", White " (format!("{:+.1}", theme.now.white)) }
            }
        }
        text class="end" x=(Px(RIGHT + 62.0)) y=(Px(y + 14.0)) { (format!("{:+.0}", theme.now.balance())) }
        @if let Some(change) = theme.change() {
            text class="faint end" x=(Px(RIGHT + 125.0)) y=(Px(y + 14.0)) { (format!("{change:+.0}")) }
        }
    }
}

fn legend(explained: &Explained) -> Markup {
    let y = TOP - 22.0;
    html! {
        text class="end faint" x=(Px(RIGHT + 62.0)) y=(Px(y)) { "now" }
        @if explained.played.is_some() {
            text class="end faint" x=(Px(RIGHT + 125.0)) y=(Px(y)) { "change" }
            rect class="bar c0" x=(Px(BOARD_WIDTH + 20.0)) y=(Px(HEIGHT - 24.0)) width="12" height="10" {}
            text class="faint" x=(Px(BOARD_WIDTH + 38.0)) y=(Px(HEIGHT - 14.0)) { "now" }
            rect class="bar c1" x=(Px(BOARD_WIDTH + 80.0)) y=(Px(HEIGHT - 24.0)) width="12" height="10" {}
            text class="faint" x=(Px(BOARD_WIDTH + 98.0)) y=(Px(HEIGHT - 14.0)) { "after the move" }
        }
    }
}
