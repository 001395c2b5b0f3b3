//! A picture as an SVG element or file, and the little that its elements share.
//!
//! Elements are written by `maud`, which escapes every text; what XML does not allow at all is taken out where a picture
//! or a page leaves as a file.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, Render, html};

use crate::style::PICTURE_SHEET;

/// A picture: its size, what it shows in words, and its elements.
#[derive(Clone, Debug)]
pub struct Svg {
    /// A class beside `plot`, which all pictures have.
    pub(crate) kind: &'static str,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// What viewers and screen readers call it.
    pub(crate) title: String,
    /// More for programs than for people; empty for nothing.
    pub(crate) description: String,
    pub(crate) body: Markup,
}

impl Svg {
    /// The picture as part of a page, whose style it takes.
    #[must_use]
    pub fn element(&self) -> String {
        self.markup(None).into_string()
    }

    /// The picture as a file of its own.
    #[must_use]
    pub fn to_file(&self) -> String {
        printable(&(self.markup(Some("http://www.w3.org/2000/svg")).into_string() + "\n"))
    }

    pub(crate) fn markup(&self, namespace: Option<&str>) -> Markup {
        let (width, height) = (Px(self.width), Px(self.height));
        html! {
            svg xmlns=[namespace] class={ "plot " (self.kind) } viewBox={ "0 0 " (width) " " (height) }
                width=(width) height=(height) role="img"
            {
                title { (self.title) }
                @if !self.description.is_empty() { desc { (self.description) } }
                @if namespace.is_some() { style { (PreEscaped(PICTURE_SHEET.as_str())) } }
                rect class="ground" x="1" y="1" width=(Px(self.width - 2.0)) height=(Px(self.height - 2.0)) rx="8" {}
                (self.body)
            }
        }
    }
}

/// A length or a place in the units of the view box, written to a tenth.
#[derive(Clone, Copy)]
pub(crate) struct Px(pub(crate) f64);

impl Render for Px {
    fn render_to(&self, buffer: &mut String) {
        // Adding 0 makes 0 of -0.
        let _ = write!(buffer, "{}", (self.0 * 10.0).round() / 10.0 + 0.0);
    }
}

/// The `d` of a path.
#[derive(Clone, Default)]
pub(crate) struct Path(String);

impl Path {
    /// A path that begins here.
    pub(crate) fn from(x: f64, y: f64) -> Path {
        Path::default().jump(x, y)
    }

    /// A horizontal line.
    pub(crate) fn across(x: f64, y: f64, to: f64) -> Path {
        Path::from(x, y).line(to, y)
    }

    /// A vertical line.
    pub(crate) fn down(x: f64, y: f64, to: f64) -> Path {
        Path::from(x, y).line(x, to)
    }

    pub(crate) fn jump(self, x: f64, y: f64) -> Path {
        self.with('M', &[x, y])
    }

    pub(crate) fn line(self, x: f64, y: f64) -> Path {
        self.with('L', &[x, y])
    }

    /// A Bézier curve over two control points.
    pub(crate) fn curve(self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), (x, y): (f64, f64)) -> Path {
        self.with('C', &[x1, y1, x2, y2, x, y])
    }

    pub(crate) fn close(mut self) -> Path {
        self.0.push('Z');
        self
    }

    fn with(mut self, command: char, numbers: &[f64]) -> Path {
        self.0.push(command);
        for (place, number) in numbers.iter().enumerate() {
            if place > 0 {
                self.0.push(',');
            }
            Px(*number).render_to(&mut self.0);
        }
        self
    }
}

impl Render for Path {
    fn render_to(&self, buffer: &mut String) {
        buffer.push_str(&self.0);
    }
}

/// A document without the characters that XML and HTML do not allow, which foreign text may hold.
pub(crate) fn printable(document: &str) -> String {
    let is_refused = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{fffe}' | '\u{ffff}');
    document.chars().map(|c| if is_refused(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Svg {
        let (title, description) = ("a < b".to_owned(), "\u{7}x\u{ffff}".to_owned());
        let body = html! { path d=(Path::from(0.04, -0.04).line(1.26, 2.0).close()) {} };
        Svg { kind: "chart", width: 100.0, height: 50.5, title, description, body }
    }

    #[test]
    fn a_file_has_a_namespace_and_a_style_and_an_element_has_neither() {
        let (file, element) = (picture().to_file(), picture().element());
        assert!(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot chart\""), "{file}");
        assert!(file.ends_with("</svg>\n") && file.contains("prefers-color-scheme:dark"));
        assert!(element.starts_with("<svg class=\"plot chart\" viewBox=\"0 0 100 50.5\""), "{element}");
        assert!(!element.contains("<style>"));
    }

    #[test]
    fn foreign_text_stays_text_and_numbers_stay_short() {
        let file = picture().to_file();
        assert!(file.contains("<title>a &lt; b</title><desc> x </desc>"), "{file}");
        assert!(file.contains("d=\"M0,0L1.3,2Z\""), "{file}");
    }
}
