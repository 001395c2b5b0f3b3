//! The course of a game: Black's win rate after every move, with the mistakes as dots.

use engine::analysis::{Analysis, LossClass, value_text};
use maud::{Markup, html};
use records::game::Game;
use shogi::Color;

use crate::names::{columns_in, shortened, text_width};
use crate::style::{LETTER_SIZE, TITLE_SIZE};
use crate::svg::{Path, Px, Svg};

/// An analysed game.
pub struct GameGraph<'a> {
    /// Who played.
    pub game: &'a Game,
    /// What the moves were worth.
    pub analysis: &'a Analysis,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = WIDTH - 70.0;
const TOP: f64 = 72.0;
const BOTTOM: f64 = HEIGHT - 92.0;
const DOT: f64 = 5.5;
/// About as many numbers as fit below the plies.
const PLY_MARKS: usize = 16;
/// Where the ticks of centipawns stand, in units of the logistic scale.
const TICKS: [f64; 7] = [-3.0, -1.5, -0.75, 0.0, 0.75, 1.5, 3.0];

impl GameGraph<'_> {
    /// The graph as a picture.
    #[must_use]
    pub fn svg(&self) -> Svg {
        let title = self.title();
        let body = html! {
            text class="title" x=(Px(LEFT)) y="32" { (title) }
            text class="faint" x=(Px(LEFT)) y=(Px(TOP - 14.0)) { "Black's win rate, %" }
            text class="faint end" x=(Px(WIDTH - 14.0)) y=(Px(TOP - 14.0)) { "centipawns" }
            (self.win_rates())
            (self.plies())
            (self.curve())
            (self.dots())
            (legend())
        };
        Svg { kind: "game", width: WIDTH, height: HEIGHT, title, description: String::new(), body }
    }

    /// The graph as a file of its own.
    #[must_use]
    pub fn to_file(&self) -> String {
        self.svg().to_file()
    }

    fn title(&self) -> String {
        let [black, white] = Color::ALL.map(|side| {
            let name = self.game.info.players[side.index()].as_deref().unwrap_or("unknown");
            shortened(name, columns_in((WIDTH - 2.0 * LEFT) / 2.0, TITLE_SIZE) - "White: ,".len())
        });
        format!("Black: {black}, White: {white}")
    }

    /// Win rates on the left, what they are in centipawns on the right.
    fn win_rates(&self) -> Markup {
        let scale = self.analysis.scale.centipawns();
        html! {
            @for percent in [0, 25, 50, 75, 100] {
                @let y = height_of(f64::from(percent) / 100.0);
                path class=(if percent == 50 { "even" } else { "grid" }) d=(Path::across(LEFT, y, RIGHT)) {}
                text class="end" x=(Px(LEFT - 9.0)) y=(Px(y + 4.5)) { (percent) }
            }
            @for tick in TICKS {
                @let y = height_of(1.0 / (1.0 + (-tick).exp()));
                @let centipawns = (tick * scale).round() as i64;
                path class="frame" d=(Path::across(RIGHT, y, RIGHT + 5.0)) {}
                text x=(Px(RIGHT + 9.0)) y=(Px(y + 4.5)) { @if centipawns > 0 { "+" } (centipawns) }
            }
        }
    }

    fn plies(&self) -> Markup {
        let Analysis { skipped, reviews, .. } = self.analysis;
        let step = ply_step(reviews.len());
        html! {
            @for ply in (skipped.next_multiple_of(step)..=skipped + reviews.len()).step_by(step) {
                @let x = self.across(ply - skipped);
                path class="grid" d=(Path::down(x, TOP, BOTTOM)) {}
                text class="mid" x=(Px(x)) y=(Px(BOTTOM + 20.0)) { (ply) }
            }
            text class="faint mid" x=(Px((LEFT + RIGHT) / 2.0)) y=(Px(BOTTOM + 42.0)) { "moves played" }
            rect class="frame" x=(Px(LEFT)) y=(Px(TOP)) width=(Px(RIGHT - LEFT)) height=(Px(BOTTOM - TOP)) {}
        }
    }

    fn curve(&self) -> Markup {
        let points = || (0..self.analysis.judgements.len()).map(|moves| self.point(moves));
        let line = |path: Path, (x, y): (f64, f64)| path.line(x, y);
        let even = height_of(0.5);
        let area = points().fold(Path::from(LEFT, even), line);
        let area = area.line(self.across(self.analysis.reviews.len()), even).close();
        let first = points().next().unwrap_or((LEFT, even));
        let curve = points().skip(1).fold(Path::from(first.0, first.1), line);
        html! {
            path class="area" d=(area) {}
            path class="c0 line" d=(curve) {}
        }
    }

    fn dots(&self) -> Markup {
        html! {
            @for (number, review) in (1..).zip(&self.analysis.reviews) {
                @if let Some(class) = review.class() {
                    @let [best, value] = [review.best, review.value].map(value_text);
                    @let loss = format!("{:.1} % lost ({best} to {value})", review.loss * 100.0);
                    g {
                        title { (self.analysis.skipped + number) ". " (review.side.to_string()) " " (review.played.to_string()) ": " (class.name()) ", " (loss) }
                        (dot(review.side, class.name(), self.point(number)))
                    }
                }
            }
        }
    }

    /// Where the position after so many of the judged moves stands.
    fn across(&self, moves: usize) -> f64 {
        LEFT + (RIGHT - LEFT) * moves as f64 / self.analysis.reviews.len().max(1) as f64
    }

    fn point(&self, moves: usize) -> (f64, f64) {
        let evaluation = self.analysis.value_after(moves);
        (self.across(moves), height_of(engine::win_rate(self.analysis.scale, evaluation, Color::Black)))
    }
}

fn height_of(win_rate: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * win_rate
}

/// The smallest round step that leaves room for the numbers.
fn ply_step(plies: usize) -> usize {
    let steps = [1, 2, 5, 10, 20, 50, 100];
    steps.into_iter().find(|step| plies / step <= PLY_MARKS).unwrap_or_else(|| plies.div_ceil(PLY_MARKS))
}

/// Black's are round, White's are square.
fn dot(side: Color, class: &str, (x, y): (f64, f64)) -> Markup {
    html! {
        @match side {
            Color::Black => circle class={ "dot " (class) } cx=(Px(x)) cy=(Px(y)) r=(Px(DOT)) {},
            Color::White => {
                rect class={ "dot " (class) } x=(Px(x - DOT)) y=(Px(y - DOT)) width=(Px(2.0 * DOT)) height=(Px(2.0 * DOT)) {}
            }
        }
    }
}

fn legend() -> Markup {
    let sides =
        [(Color::Black, "side", "by Black".to_owned()), (Color::White, "side", "by White".to_owned())];
    let classes = LossClass::ALL.map(|class| {
        (Color::Black, class.name(), format!("{class}, from {:.0} %", class.threshold() * 100.0))
    });
    let y = HEIGHT - 20.0;
    let mut next = LEFT + DOT;
    let entries = sides.into_iter().chain(classes).map(|(side, class, label)| {
        let x = next;
        next += text_width(&label, LETTER_SIZE) + 28.0;
        (side, class, label, x)
    });
    html! {
        @for (side, class, label, x) in entries {
            (dot(side, class, (x, y - 4.5)))
            text x=(Px(x + 11.0)) y=(Px(y)) { (label) }
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::analysis::{Judgement, Review};
    use records::game::Evaluation;

    use super::*;

    fn judgement(centipawns: i32) -> Judgement {
        let evaluation = Evaluation::BlackCp(centipawns);
        Judgement { evaluation, choice: None, candidates: Vec::new(), depth: 1, nodes: 1 }
    }

    /// White blunders on the second ply.
    fn analysis() -> Analysis {
        let review = |side, played: &str, values: [i32; 2], loss| Review {
            side,
            played: played.parse().unwrap(),
            is_best: loss == 0.0,
            best: Evaluation::BlackCp(values[0]),
            value: Evaluation::BlackCp(values[1]),
            line: vec![played.parse().unwrap()],
            loss,
        };
        Analysis {
            skipped: 0,
            judgements: [0, 30, 2000].map(judgement).to_vec(),
            reviews: vec![
                review(Color::Black, "7g7f", [0, 0], 0.0),
                review(Color::White, "2b5e", [30, 2000], 0.6),
            ],
            scale: Default::default(),
        }
    }

    #[test]
    fn the_graph_names_the_players_and_the_blunder() {
        let mut game = Game::new(shogi::Position::start());
        game.info.players = [Some("羽生 & 谷川".to_owned()), Some("<b>".repeat(40))];
        let svg = GameGraph { game: &game, analysis: &analysis() }.to_file();
        assert!(svg.contains("Black: 羽生 &amp; 谷川, White: &lt;b&gt;") && svg.contains("…"));
        assert!(svg.contains("<title>2. White 2b5e: blunder, 60.0 % lost (+30 to +2000)</title>"), "{svg}");
        assert_eq!(svg.matches("class=\"dot blunder\"").count(), 2, "the move and the legend");
        assert!(svg.contains("prefers-color-scheme:dark") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("class=\"c0 line\"").count(), 1);
    }

    #[test]
    fn numbers_below_the_plies_stay_few() {
        for plies in 0..2000 {
            assert!(plies / ply_step(plies) <= PLY_MARKS, "{plies}");
        }
        assert_eq!([5, 16, 17, 100, 160].map(ply_step), [1, 1, 2, 10, 10]);
    }
}
