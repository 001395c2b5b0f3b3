//! A chart with axes, a legend and any number of series.

use maud::{Markup, html};

use crate::axis::Axis;
use crate::names::{columns_in, shortened, text_width};
use crate::style::{LETTER_SIZE, SERIES_COLOURS, TITLE_SIZE};
use crate::svg::{Path, Px, Svg};

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

/// A chart.
///
/// ```
/// # use plot::{Axis, Chart, Kind, Point, Series};
/// let points = vec![Point { x: 1.0, y: 2.0, ..Point::default() }, Point { x: 2.0, y: 4.0, ..Point::default() }];
/// let series = Series { name: "doubled".to_owned(), kind: Kind::Line, colour: 0, points };
/// let chart = Chart::new("Numbers", ("x", Axis::new(0.0, 2.0)), ("y", Axis::new(0.0, 4.0)), vec![series]);
/// assert!(chart.to_file().starts_with("<svg "));
/// ```
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

const WIDTH: f64 = 760.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = WIDTH - 20.0;
const TOP: f64 = 62.0;
const PLOT: f64 = 300.0;
const BOTTOM: f64 = TOP + PLOT;
/// The height of a line of the legend.
const LINE: f64 = 20.0;
/// Names below an axis that have less room than this are slanted.
const LEAST_ROOM: f64 = 60.0;
/// Degrees by which they are.
const SLANT: f64 = 35.0;
/// A slanted name takes no more columns than this.
const SLANTED_COLUMNS: usize = 22;
/// How deep slanted names reach below the axis.
const SLANTED_DEPTH: f64 = 92.0;

impl Chart {
    /// A chart without a subtitle, each axis with its label.
    #[must_use]
    pub fn new(
        title: &str,
        (x_label, x): (&str, Axis),
        (y_label, y): (&str, Axis),
        series: Vec<Series>,
    ) -> Chart {
        let [title, x_label, y_label] = [title, x_label, y_label].map(str::to_owned);
        Chart { title, subtitle: String::new(), x_label, y_label, x, y, names: Vec::new(), series }
    }

    /// Bars from 0 with names below them; each has its height and half the length of its error bar.
    #[must_use]
    pub fn bars(title: &str, y_label: &str, bars: &[(String, f64, Option<f64>)]) -> Chart {
        let points = bars.iter().enumerate().map(|(i, (name, y, error))| Point {
            x: i as f64,
            y: *y,
            error: *error,
            note: format!("{name}: {y:.1}"),
        });
        let series = Series { name: String::new(), kind: Kind::Bars, colour: 0, points: points.collect() };
        let ends = bars.iter().flat_map(|(_, y, error)| [y - error.unwrap_or(0.0), y + error.unwrap_or(0.0)]);
        let y = Axis::around(ends.chain([0.0]));
        let x = Axis::new(-0.6, bars.len() as f64 - 0.4);
        let names = bars.iter().enumerate().map(|(i, (name, ..))| (i as f64, name.clone())).collect();
        Chart { names, ..Chart::new(title, ("", x), (y_label, y), vec![series]) }
    }

    /// The chart as a picture.
    #[must_use]
    pub fn svg(&self) -> Svg {
        let is_guide = |series: &&(usize, &Series)| series.1.kind == Kind::Guide;
        let (guides, others): (Vec<_>, Vec<_>) = self.series.iter().enumerate().partition(|s| is_guide(&s));
        let body = html! {
            (self.heading())
            (self.axes())
            // Comparisons lie below what is compared.
            @for (number, series) in guides.into_iter().chain(others) { (self.series(number, series)) }
            (self.legend())
        };
        let (title, description) = (self.title.clone(), String::new());
        Svg { kind: "chart", width: WIDTH, height: self.height(), title, description, body }
    }

    /// The chart as a file of its own.
    #[must_use]
    pub fn to_file(&self) -> String {
        self.svg().to_file()
    }

    fn across(&self, x: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * self.x.share(x)
    }

    fn up(&self, y: f64) -> f64 {
        BOTTOM - PLOT * self.y.share(y)
    }

    /// The room of each name below the horizontal axis.
    fn name_room(&self) -> f64 {
        let gaps = self.names.windows(2).map(|pair| self.across(pair[1].0) - self.across(pair[0].0));
        gaps.fold(RIGHT - LEFT, f64::min) - 8.0
    }

    /// Whether names are slanted for want of room.
    fn is_slanted(&self) -> bool {
        let room = self.name_room();
        room < LEAST_ROOM && self.names.iter().any(|(_, name)| text_width(name, LETTER_SIZE) > room)
    }

    /// Where the marks of the horizontal axis end.
    fn marks_end(&self) -> f64 {
        BOTTOM + if self.is_slanted() { SLANTED_DEPTH } else { 22.0 }
    }

    /// Where each named series stands in the legend: line and offset.
    fn legend_places(&self) -> Vec<(usize, f64, f64)> {
        let (mut x, mut line) = (LEFT, 0.0);
        let mut places = Vec::new();
        for (number, series) in self.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()) {
            let width = 34.0 + text_width(&series.name, LETTER_SIZE);
            if x + width > RIGHT && x > LEFT {
                (x, line) = (LEFT, line + 1.0);
            }
            places.push((number, x, line));
            x += width + 12.0;
        }
        places
    }

    fn height(&self) -> f64 {
        let lines = self.legend_places().last().map_or(0.0, |(_, _, line)| line + 1.0);
        self.marks_end() + 38.0 + LINE * lines
    }

    fn heading(&self) -> Markup {
        let title = shortened(&self.title, columns_in(RIGHT - LEFT, TITLE_SIZE));
        html! {
            text class="title" x=(Px(LEFT)) y="28" { (title) }
            text class="faint" x=(Px(LEFT)) y="48" { (self.subtitle) }
        }
    }

    fn axes(&self) -> Markup {
        let middle = TOP + PLOT / 2.0;
        html! {
            @for mark in self.y.marks() {
                @let y = self.up(mark);
                path class=(line_class(mark)) d=(Path::across(LEFT, y, RIGHT)) {}
                text class="end" x=(Px(LEFT - 8.0)) y=(Px(y + 4.5)) { (self.y.label(mark)) }
            }
            @if self.names.is_empty() {
                @for mark in self.x.marks() {
                    path class=(line_class(mark)) d=(Path::down(self.across(mark), TOP, BOTTOM)) {}
                    text class="mid" x=(Px(self.across(mark))) y=(Px(BOTTOM + 18.0)) { (self.x.label(mark)) }
                }
            } @else {
                (self.names_below())
            }
            rect class="frame" x=(Px(LEFT)) y=(Px(TOP)) width=(Px(RIGHT - LEFT)) height=(Px(PLOT)) {}
            text class="faint mid" x=(Px((LEFT + RIGHT) / 2.0)) y=(Px(self.marks_end() + 16.0)) { (self.x_label) }
            text class="faint mid" transform={ "translate(17," (Px(middle)) ") rotate(-90)" } { (self.y_label) }
        }
    }

    fn names_below(&self) -> Markup {
        let (is_slanted, room) = (self.is_slanted(), columns_in(self.name_room(), LETTER_SIZE));
        // The first name leans furthest to the left and must not leave the picture.
        let first = self.names.first().map_or(0.0, |(place, _)| self.across(*place));
        let slanted_room = columns_in(first / SLANT.to_radians().cos(), LETTER_SIZE).min(SLANTED_COLUMNS);
        html! {
            @for (place, name) in &self.names {
                @let x = self.across(*place);
                @if is_slanted {
                    text class="end" transform={ "translate(" (Px(x + 4.0)) "," (Px(BOTTOM + 14.0)) ") rotate(" (Px(-SLANT)) ")" } {
                        title { (name) }
                        (shortened(name, slanted_room))
                    }
                } @else {
                    text class="mid" x=(Px(x)) y=(Px(BOTTOM + 18.0)) { title { (name) } (shortened(name, room)) }
                }
            }
        }
    }

    fn series(&self, number: usize, series: &Series) -> Markup {
        let colour = series.colour % SERIES_COLOURS;
        let known = || series.points.iter().filter(|point| point.y.is_finite());
        // A line of a single point has no length: without a dot a name would stand for nothing.
        let has_dots = series.kind == Kind::Line || series.kind == Kind::Trace && known().count() == 1;
        html! {
            g data-of=(number) {
                @match series.kind {
                    Kind::Bars => {}
                    Kind::Guide => path class="guide" d=(self.path(&series.points)) {},
                    Kind::Line | Kind::Trace => path class={ "c" (colour) " line" } d=(self.path(&series.points)) {},
                }
                @for point in known() {
                    @if series.kind == Kind::Bars { (self.bar(point, colour)) }
                    @if let Some(error) = point.error { (self.error_bar(point, error, series)) }
                    @if has_dots {
                        circle class={ "c" (colour) } cx=(Px(self.across(point.x))) cy=(Px(self.up(point.y))) r="3" {
                            title { (point.note) }
                        }
                    }
                }
            }
        }
    }

    fn path(&self, points: &[Point]) -> Path {
        let mut path = Path::default();
        let mut is_down = false;
        for point in points {
            if point.y.is_finite() {
                let (x, y) = (self.across(point.x), self.up(point.y));
                path = if is_down { path.line(x, y) } else { path.jump(x, y) };
            }
            is_down = point.y.is_finite();
        }
        path
    }

    fn error_bar(&self, point: &Point, error: f64, series: &Series) -> Markup {
        let class = match series.kind {
            // Half of it lies on the bar, where the bar's own colour would not show.
            Kind::Bars => "whisker".to_owned(),
            Kind::Line | Kind::Trace | Kind::Guide => format!("c{} error", series.colour % SERIES_COLOURS),
        };
        let x = self.across(point.x);
        let [low, high] = [-error, error].map(|e| self.up((point.y + e).clamp(self.y.low, self.y.high)));
        let cap = |path: Path, y: f64| path.jump(x - 3.0, y).line(x + 3.0, y);
        html! { path class=(class) d=(cap(cap(Path::down(x, low, high), low), high)) {} }
    }

    fn bar(&self, point: &Point, colour: usize) -> Markup {
        let width = (RIGHT - LEFT) / (self.x.high - self.x.low) * 0.7;
        let (x, y) = (self.across(point.x), self.up(point.y));
        let zero = self.up(0.0_f64.clamp(self.y.low, self.y.high));
        html! {
            rect class={ "c" (colour) " bar" } x=(Px(x - width / 2.0)) y=(Px(y.min(zero))) width=(Px(width))
                height=(Px((y - zero).abs()))
            {
                title { (point.note) }
            }
        }
    }

    fn legend(&self) -> Markup {
        let top = self.marks_end() + 40.0;
        html! {
            @for (number, x, line) in self.legend_places() {
                @let (series, y) = (&self.series[number], top + LINE * line);
                g data-series=(number) {
                    @let sample = Path::across(x, y - 4.5, x + 20.0);
                    @if series.kind == Kind::Guide {
                        path class="guide" d=(sample) {}
                    } @else {
                        path class={ "c" (series.colour % SERIES_COLOURS) " line" } d=(sample) {}
                    }
                    text x=(Px(x + 27.0)) y=(Px(y)) { (series.name) }
                }
            }
        }
    }
}

fn line_class(mark: f64) -> &'static str {
    if mark == 0.0 { "zero" } else { "grid" }
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
        Chart::new("A & B", ("x", Axis::new(0.0, 4.0)), ("y", Axis::new(0.0, 16.0)), vec![series])
    }

    #[test]
    fn a_file_shows_title_labels_and_series_and_no_raw_text() {
        let file = chart().to_file();
        assert!(file.starts_with("<svg xmlns=") && file.ends_with("</svg>\n"));
        assert!(file.contains("prefers-color-scheme:dark") && file.contains("&lt;squares&gt;"));
        assert_eq!(file.matches("A &amp; B").count(), 2, "the title, for eyes and for readers");
        assert!(!file.contains("A & B") && !file.contains("a < b"));
        assert_eq!(file.matches("<circle class=\"c1\"").count(), 5);
        assert_eq!(file.matches("class=\"c1 error\"").count(), 5);
        assert!(file.contains("d=\"M66,362L234.5,343.3L403,287L571.5,193.3L740,62\""), "{file}");
    }

    #[test]
    fn numbers_that_are_none_interrupt_the_line() {
        let mut chart = chart();
        chart.series[0].points[2].y = f64::NAN;
        let text = chart.to_file();
        assert_eq!(text.matches("<circle").count(), 4);
        assert!(!text.contains("NaN"));
        assert!(text.contains("d=\"M66,362L234.5,343.3M571.5,193.3L740,62\""), "{text}");
    }

    #[test]
    fn whatever_has_a_name_is_drawn_even_a_single_point() {
        let mut chart = chart();
        chart.series[0].kind = Kind::Trace;
        assert_eq!(chart.to_file().matches("<circle").count(), 0);
        chart.series[0].points.truncate(1);
        assert_eq!(chart.to_file().matches("<circle class=\"c1\"").count(), 1);
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
        let places = many.legend_places();
        for pair in places.windows(2) {
            let (number, x, line) = pair[0];
            let end = x + 27.0 + text_width(&many.series[number].name, LETTER_SIZE);
            assert!(pair[1].2 > line || pair[1].1 > end, "names do not overlap");
        }
    }

    #[test]
    fn names_below_bars_are_shortened_and_slanted_where_they_are_many() {
        let bars = |count: usize| {
            let bars: Vec<_> =
                (0..count).map(|i| (format!("a player of number {i}"), i as f64, None)).collect();
            Chart::bars("t", "y", &bars)
        };
        assert!(bars(2).to_file().contains("</title>a player of number 1</text>"));
        let several = bars(7);
        assert!(!several.is_slanted() && several.to_file().contains("…"));
        let many = bars(20);
        assert!(many.is_slanted() && many.height() > several.height());
        assert_eq!(many.to_file().matches("rotate(-35)").count(), 20);
    }
}
