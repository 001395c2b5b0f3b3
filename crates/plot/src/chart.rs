//! A chart with axes, a legend and any number of series.

use std::fmt::{self, Write as _};

use crate::axis::Axis;
use crate::page::escaped;

/// A number over another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// Half the length of its error bar.
    pub error: Option<f64>,
    /// What to say where the pointer rests on it.
    pub note: String,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A line with dots.
    Line,
    /// A line alone, for many points.
    Trace,
    /// A dashed line for comparison.
    Guide,
    /// Bars from 0.
    Bars,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is called in the legend; empty for none.
    pub name: String,
    /// How it is drawn.
    pub kind: Kind,
    /// Which of the colours it has.
    pub colour: usize,
    /// The points, from left to right; one whose `y` is no number interrupts the line.
    pub points: Vec<Point>,
}

/// A chart; its `Display` is an SVG element without a style of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Above it.
    pub title: String,
    /// Below the title.
    pub subtitle: String,
    /// Below the horizontal axis.
    pub x_label: String,
    /// Beside the vertical axis.
    pub y_label: String,
    /// The range across.
    pub x: Axis,
    /// The range up.
    pub y: Axis,
    /// Names for places on the horizontal axis, instead of numbers.
    pub names: Vec<(f64, String)>,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// How many colours there are.
const COLOURS: usize = 8;
const WIDTH: f64 = 760.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = WIDTH - 20.0;
const TOP: f64 = 62.0;
const PLOT: f64 = 300.0;
const BOTTOM: f64 = TOP + PLOT;
/// The height of a line of the legend.
const LINE: f64 = 20.0;
/// About what a letter takes.
const LETTER: f64 = 7.2;

/// Colours and letters, then what differs on a dark page.
pub const STYLE: &str = "\
.chart .ground{fill:#fff;stroke:#d0d4da}\
.chart .grid{stroke:#e3e6ea}\
.chart .zero{stroke:#868e96;stroke-width:1.2}\
.chart .frame{fill:none;stroke:#868e96}\
.chart text{fill:#343a40;font:13px system-ui,'Noto Sans','Noto Sans CJK JP',sans-serif}\
.chart .title{font-size:17px;font-weight:600}\
.chart .faint{fill:#5f6770}\
.chart .mid{text-anchor:middle}\
.chart .end{text-anchor:end}\
.chart .line{fill:none;stroke-width:2;stroke-linejoin:round}\
.chart .guide{fill:none;stroke-width:1.4;stroke-dasharray:6 4;stroke:#868e96!important}\
.chart .error{stroke-width:1.2;fill:none;opacity:.65}\
.chart .c0{stroke:#1c6fd0;fill:#1c6fd0}.chart .c1{stroke:#d9480f;fill:#d9480f}\
.chart .c2{stroke:#2b8a3e;fill:#2b8a3e}.chart .c3{stroke:#8e2fb0;fill:#8e2fb0}\
.chart .c4{stroke:#b08900;fill:#b08900}.chart .c5{stroke:#0b7285;fill:#0b7285}\
.chart .c6{stroke:#c2255c;fill:#c2255c}.chart .c7{stroke:#495057;fill:#495057}\
.chart .line,.chart .error,.chart .guide{fill:none!important}\
.chart .bar{fill-opacity:.75}\
.chart .off{opacity:.12}\
.chart [data-series]{cursor:pointer}\
@media (prefers-color-scheme:dark){\
.chart .ground{fill:#16191d;stroke:#3a4048}\
.chart .grid{stroke:#2a2f36}\
.chart .zero,.chart .frame{stroke:#7d8590}\
.chart text{fill:#e3e6ea}\
.chart .faint{fill:#a4acb6}\
.chart .c0{stroke:#58a6ff;fill:#58a6ff}.chart .c1{stroke:#ff922b;fill:#ff922b}\
.chart .c2{stroke:#51cf66;fill:#51cf66}.chart .c3{stroke:#d17ff0;fill:#d17ff0}\
.chart .c4{stroke:#ffd43b;fill:#ffd43b}.chart .c5{stroke:#3bc9db;fill:#3bc9db}\
.chart .c6{stroke:#f783ac;fill:#f783ac}.chart .c7{stroke:#adb5bd;fill:#adb5bd}\
}";

impl Chart {
    /// The chart as a file of its own.
    #[must_use]
    pub fn to_file(&self) -> String {
        let element = self.to_string();
        let (head, body) = element.split_once('>').unwrap_or((&element, ""));
        format!("{head} xmlns=\"http://www.w3.org/2000/svg\"><style>{STYLE}</style>{body}\n")
    }

    fn across(&self, x: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * self.x.share(x)
    }

    fn up(&self, y: f64) -> f64 {
        BOTTOM - PLOT * self.y.share(y)
    }

    /// Where each named series stands in the legend: line and offset.
    fn legend(&self) -> Vec<(usize, f64, f64)> {
        let (mut x, mut line) = (LEFT, 0.0);
        let mut places = Vec::new();
        for (number, series) in self.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()) {
            let width = 34.0 + LETTER * series.name.chars().count() as f64;
            if x + width > RIGHT && x > LEFT {
                (x, line) = (LEFT, line + 1.0);
            }
            places.push((number, x, line));
            x += width + 12.0;
        }
        places
    }

    fn height(&self) -> f64 {
        let lines = self.legend().last().map_or(0.0, |(_, _, line)| line + 1.0);
        BOTTOM + 52.0 + LINE * lines + 8.0
    }

    fn write_ground(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (WIDTH - 2.0, self.height() - 2.0);
        writeln!(
            f,
            "<rect class=\"ground\" x=\"1\" y=\"1\" width=\"{width}\" height=\"{height:.0}\" rx=\"8\"/>"
        )?;
        writeln!(f, "<text class=\"title\" x=\"{LEFT}\" y=\"28\">{}</text>", escaped(&self.title))?;
        writeln!(f, "<text class=\"faint\" x=\"{LEFT}\" y=\"48\">{}</text>", escaped(&self.subtitle))
    }

    fn write_axes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for mark in self.y.marks() {
            let (y, class) = (self.up(mark), if mark == 0.0 { "zero" } else { "grid" });
            writeln!(f, "<path class=\"{class}\" d=\"M{LEFT},{y:.1}H{RIGHT}\"/>")?;
            let (x, y) = (LEFT - 8.0, y + 4.5);
            writeln!(f, "<text class=\"end\" x=\"{x}\" y=\"{y:.1}\">{}</text>", self.y.label(mark))?;
        }
        let marks: Vec<(f64, String)> = match self.names.as_slice() {
            [] => self.x.marks().into_iter().map(|mark| (mark, self.x.label(mark))).collect(),
            names => names.to_vec(),
        };
        for (mark, label) in marks {
            let (x, y) = (self.across(mark), BOTTOM + 18.0);
            if self.names.is_empty() {
                let class = if mark == 0.0 { "zero" } else { "grid" };
                writeln!(f, "<path class=\"{class}\" d=\"M{x:.1},{TOP}V{BOTTOM}\"/>")?;
            }
            writeln!(f, "<text class=\"mid\" x=\"{x:.1}\" y=\"{y}\">{}</text>", escaped(&label))?;
        }
        let (width, middle, y) = (RIGHT - LEFT, (LEFT + RIGHT) / 2.0, BOTTOM + 38.0);
        writeln!(f, "<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{PLOT}\"/>")?;
        writeln!(f, "<text class=\"faint mid\" x=\"{middle}\" y=\"{y}\">{}</text>", escaped(&self.x_label))?;
        let height = TOP + PLOT / 2.0;
        writeln!(
            f,
            "<text class=\"faint mid\" transform=\"translate(17,{height}) rotate(-90)\">{}</text>",
            escaped(&self.y_label)
        )
    }

    fn write_series(&self, f: &mut fmt::Formatter<'_>, number: usize, series: &Series) -> fmt::Result {
        let colour = series.colour % COLOURS;
        write!(f, "<g class=\"series\" data-of=\"{number}\">")?;
        if series.kind != Kind::Bars {
            let mut path = String::new();
            let mut pen = 'M';
            for point in &series.points {
                if point.y.is_finite() {
                    write!(path, "{pen}{:.1},{:.1}", self.across(point.x), self.up(point.y))?;
                }
                pen = if point.y.is_finite() { 'L' } else { 'M' };
            }
            let class = if series.kind == Kind::Guide { "guide" } else { "line" };
            write!(f, "<path class=\"{class} c{colour}\" d=\"{path}\"/>")?;
        }
        let bar = (RIGHT - LEFT) / (self.x.high - self.x.low) * 0.7;
        for point in series.points.iter().filter(|point| point.y.is_finite()) {
            let (x, y) = (self.across(point.x), self.up(point.y));
            if let Some(error) = point.error {
                let [low, high] =
                    [-error, error].map(|e| self.up((point.y + e).clamp(self.y.low, self.y.high)));
                write!(
                    f,
                    "<path class=\"error c{colour}\" d=\"M{x:.1},{low:.1}V{high:.1}m-3,0h6M{:.1},{low:.1}h6\"/>",
                    x - 3.0
                )?;
            }
            match series.kind {
                Kind::Trace | Kind::Guide => {}
                Kind::Line => {
                    let note = escaped(&point.note);
                    write!(
                        f,
                        "<circle class=\"c{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"><title>{note}</title></circle>"
                    )?;
                }
                Kind::Bars => {
                    let zero = self.up(0.0_f64.clamp(self.y.low, self.y.high));
                    let (top, height, left) = (y.min(zero), (y - zero).abs(), x - bar / 2.0);
                    let note = escaped(&point.note);
                    write!(
                        f,
                        "<rect class=\"bar c{colour}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{bar:.1}\" height=\"{height:.1}\"><title>{note}</title></rect>"
                    )?;
                }
            }
        }
        writeln!(f, "</g>")
    }

    fn write_legend(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, x, line) in self.legend() {
            let series = &self.series[number];
            let (y, colour) = (BOTTOM + 62.0 + LINE * line, series.colour % COLOURS);
            let class =
                if series.kind == Kind::Guide { "guide".to_owned() } else { format!("line c{colour}") };
            let (from, middle) = (x, y - 4.5);
            writeln!(
                f,
                "<g data-series=\"{number}\"><path class=\"{class}\" d=\"M{from:.1},{middle:.1}h20\"/><text x=\"{:.1}\" y=\"{y:.1}\">{}</text></g>",
                x + 27.0,
                escaped(&series.name)
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let height = self.height();
        writeln!(
            f,
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" height=\"{height:.0}\" role=\"img\">"
        )?;
        writeln!(f, "<title>{}</title>", escaped(&self.title))?;
        self.write_ground(f)?;
        self.write_axes(f)?;
        // Comparisons lie below what is compared.
        for guides in [true, false] {
            for (number, series) in self.series.iter().enumerate() {
                if (series.kind == Kind::Guide) == guides {
                    self.write_series(f, number, series)?;
                }
            }
        }
        self.write_legend(f)?;
        f.write_str("</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        let points = (0..5).map(|i| Point {
            x: f64::from(i),
            y: f64::from(i * i),
            error: Some(1.0),
            note: "a < b".to_owned(),
        });
        let series =
            Series { name: "<squares>".to_owned(), kind: Kind::Line, colour: 9, points: points.collect() };
        Chart {
            title: "A & B".to_owned(),
            subtitle: String::new(),
            x_label: "x".to_owned(),
            y_label: "y".to_owned(),
            x: Axis::new(0.0, 4.0),
            y: Axis::new(0.0, 16.0),
            names: Vec::new(),
            series: vec![series],
        }
    }

    #[test]
    fn a_file_has_a_namespace_a_style_and_no_raw_text() {
        let file = chart().to_file();
        assert!(file.starts_with("<svg class=\"chart\"") && file.trim_end().ends_with("</svg>"));
        assert_eq!(file.matches("xmlns=").count(), 1);
        assert!(file.contains("prefers-color-scheme:dark") && file.contains("&lt;squares&gt;"));
        assert!(!file.contains("A & B"));
        assert_eq!(file.matches("<circle").count(), 5);
        assert_eq!(file.matches("class=\"error").count(), 5);
    }

    #[test]
    fn numbers_that_are_none_are_left_out() {
        let mut chart = chart();
        chart.series[0].points[2].y = f64::NAN;
        let text = chart.to_string();
        assert_eq!(text.matches("<circle").count(), 4);
        assert!(!text.contains("NaN"));
    }

    #[test]
    fn long_legends_take_more_lines_and_room() {
        let one = chart();
        let mut many = chart();
        for i in 0..9 {
            let mut series = many.series[0].clone();
            series.name = format!("a rather long name of series {i}");
            many.series.push(series);
        }
        assert!(many.height() > one.height() + 2.0 * LINE);
    }
}
