//! The course of a game as a picture: Black's win rate after every move, with the mistakes as dots.

use std::fmt::{self, Write as _};

use engine::analysis::{Analysis, LossClass, value_text};
use plot::escaped;
use records::game::Game;
use shogi::Color;

/// An SVG picture; its `Display` is the file.
pub(crate) struct EvaluationGraph<'a> {
    pub(crate) game: &'a Game,
    pub(crate) analysis: &'a Analysis,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = WIDTH - 70.0;
const TOP: f64 = 72.0;
const BOTTOM: f64 = HEIGHT - 92.0;
const DOT: f64 = 5.5;
/// Names longer than this would run into each other.
const LONGEST_NAME: usize = 36;
/// About as many numbers as fit below the plies.
const PLY_MARKS: usize = 16;

/// Colours and letters, then what differs on a dark page.
const STYLE: &str = "\
.ground{fill:#fff;stroke:#d0d4da}\
.grid{stroke:#e3e6ea;stroke-width:1}\
.even{stroke:#868e96;stroke-width:1.2;stroke-dasharray:5 4}\
.frame{fill:none;stroke:#868e96;stroke-width:1}\
.area{fill:#1c6fd0;fill-opacity:.13}\
.curve{fill:none;stroke:#1c6fd0;stroke-width:2;stroke-linejoin:round}\
text{fill:#343a40;font-family:system-ui,'Noto Sans','Noto Sans CJK JP','Noto Sans JP',sans-serif;font-size:13px}\
.title{font-size:18px;font-weight:600}\
.faint{fill:#5f6770}\
.mid{text-anchor:middle}\
.end{text-anchor:end}\
.dot{stroke:#fff;stroke-width:1.2}\
.side{fill:#5f6770}\
.inaccuracy{fill:#e0a800}\
.dubious{fill:#f2711c}\
.mistake{fill:#d6283b}\
.blunder{fill:#8e2fb0}\
@media (prefers-color-scheme:dark){\
.ground{fill:#16191d;stroke:#3a4048}\
.grid{stroke:#2a2f36}\
.even,.frame{stroke:#7d8590}\
.area{fill:#58a6ff;fill-opacity:.16}\
.curve{stroke:#58a6ff}\
text{fill:#e3e6ea}\
.faint{fill:#a4acb6}\
.dot{stroke:#16191d}\
.side{fill:#a4acb6}\
.inaccuracy{fill:#ffd43b}\
.dubious{fill:#ff922b}\
.mistake{fill:#ff5c6c}\
.blunder{fill:#d17ff0}\
}";

impl fmt::Display for EvaluationGraph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" role=\"img\">"
        )?;
        let (width, height) = (WIDTH - 2.0, HEIGHT - 2.0);
        writeln!(f, "<title>{}</title>\n<style>{STYLE}</style>", self.title())?;
        writeln!(
            f,
            "<rect class=\"ground\" x=\"1\" y=\"1\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>"
        )?;
        self.write_heading(f)?;
        self.write_win_rates(f)?;
        self.write_plies(f)?;
        self.write_curve(f)?;
        self.write_dots(f)?;
        write_legend(f)?;
        writeln!(f, "</svg>")
    }
}

impl EvaluationGraph<'_> {
    fn name(&self, side: Color) -> String {
        let name = self.game.info.players[side.index()].as_deref().unwrap_or("unknown");
        let mut short: String = name.chars().take(LONGEST_NAME).collect();
        if short.len() < name.len() {
            short.push('…');
        }
        escaped(&short)
    }

    fn title(&self) -> String {
        format!("Black: {}, White: {}", self.name(Color::Black), self.name(Color::White))
    }

    fn write_heading(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<text class=\"title\" x=\"{LEFT}\" y=\"32\">{}</text>", self.title())?;
        let y = TOP - 14.0;
        writeln!(f, "<text class=\"faint\" x=\"{LEFT}\" y=\"{y}\">Black's win rate, %</text>")?;
        writeln!(f, "<text class=\"faint end\" x=\"{}\" y=\"{y}\">centipawns</text>", WIDTH - 14.0)
    }

    /// Win rates on the left, what they are in centipawns on the right.
    fn write_win_rates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for percent in [0, 25, 50, 75, 100] {
            let y = height_of(f64::from(percent) / 100.0);
            let class = if percent == 50 { "even" } else { "grid" };
            writeln!(f, "<path class=\"{class}\" d=\"M{LEFT},{y:.1}H{RIGHT}\"/>")?;
            writeln!(f, "<text class=\"end\" x=\"{}\" y=\"{:.1}\">{percent}</text>", LEFT - 9.0, y + 4.5)?;
        }
        let scale = self.analysis.scale.centipawns();
        for share in [-3.0, -1.5, -0.75, 0.0, 0.75, 1.5, 3.0_f64] {
            let y = height_of(1.0 / (1.0 + (-share).exp()));
            let cp = (share * scale).round();
            let sign = if cp > 0.0 { "+" } else { "" };
            writeln!(f, "<path class=\"frame\" d=\"M{RIGHT},{y:.1}h5\"/>")?;
            writeln!(f, "<text x=\"{}\" y=\"{:.1}\">{sign}{cp}</text>", RIGHT + 9.0, y + 4.5)?;
        }
        Ok(())
    }

    fn write_plies(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.analysis.reviews.len();
        for ply in (0..=plies).step_by(ply_step(plies)) {
            let x = self.across(ply);
            writeln!(f, "<path class=\"grid\" d=\"M{x:.1},{TOP}V{BOTTOM}\"/>")?;
            writeln!(f, "<text class=\"mid\" x=\"{x:.1}\" y=\"{}\">{ply}</text>", BOTTOM + 20.0)?;
        }
        let (middle, y) = ((LEFT + RIGHT) / 2.0, BOTTOM + 42.0);
        writeln!(f, "<text class=\"faint mid\" x=\"{middle}\" y=\"{y}\">moves played</text>")?;
        let (width, height) = (RIGHT - LEFT, BOTTOM - TOP);
        writeln!(f, "<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\"/>")
    }

    fn write_curve(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut points = String::new();
        for ply in 0..self.analysis.judgements.len() {
            let (x, y) = self.point(ply);
            write!(points, " {x:.1},{y:.1}")?;
        }
        let (start, end) = (LEFT, self.across(self.analysis.reviews.len()));
        let even = height_of(0.5);
        writeln!(f, "<path class=\"area\" d=\"M{start},{even:.1} L{points} {end:.1},{even:.1}Z\"/>")?;
        writeln!(f, "<polyline class=\"curve\" points=\"{}\"/>", points.trim_start())
    }

    fn write_dots(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (ply, review) in (1..).zip(&self.analysis.reviews) {
            let Some(class) = review.class() else { continue };
            write!(f, "<g><title>{ply}. {} {}: {class}, ", review.side, review.played)?;
            let values = [review.best, review.value].map(value_text);
            write!(f, "{:.1} % lost ({} to {})</title>", review.loss * 100.0, values[0], values[1])?;
            write_dot(f, review.side, class.name(), self.point(ply))?;
            writeln!(f, "</g>")?;
        }
        Ok(())
    }

    fn across(&self, ply: usize) -> f64 {
        LEFT + (RIGHT - LEFT) * ply as f64 / self.analysis.reviews.len().max(1) as f64
    }

    fn point(&self, ply: usize) -> (f64, f64) {
        let evaluation = self.analysis.judgements[ply].evaluation;
        (self.across(ply), height_of(engine::win_rate(self.analysis.scale, evaluation, Color::Black)))
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
fn write_dot(f: &mut fmt::Formatter<'_>, side: Color, class: &str, (x, y): (f64, f64)) -> fmt::Result {
    match side {
        Color::Black => {
            write!(f, "<circle class=\"dot {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{DOT}\"/>")
        }
        Color::White => {
            let (left, top, size) = (x - DOT, y - DOT, 2.0 * DOT);
            write!(
                f,
                "<rect class=\"dot {class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{size}\" height=\"{size}\"/>"
            )
        }
    }
}

fn write_legend(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let y = HEIGHT - 20.0;
    let mut x = LEFT + DOT;
    let mut entry = |side, class: &str, label: &str, room: f64| {
        write_dot(f, side, class, (x, y - 4.5))?;
        writeln!(f, "<text x=\"{:.1}\" y=\"{y}\">{label}</text>", x + 11.0)?;
        x += room;
        Ok(())
    };
    entry(Color::Black, "side", "by Black", 88.0)?;
    entry(Color::White, "side", "by White", 104.0)?;
    for class in LossClass::ALL {
        let label = format!("{class}, from {:.0} %", class.threshold() * 100.0);
        entry(Color::Black, class.name(), &label, 170.0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_the_plies_stay_few() {
        for plies in 0..2000 {
            assert!(plies / ply_step(plies) <= PLY_MARKS, "{plies}");
        }
        assert_eq!([5, 16, 17, 100, 160].map(ply_step), [1, 1, 2, 10, 10]);
    }
}
