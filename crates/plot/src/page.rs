//! A page that is one file.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::style::PAGE_SHEET;
use crate::svg::{Svg, printable};

/// A page under way.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    parts: Vec<Markup>,
}

/// A click on a name in a legend shows or hides its series.
const SCRIPT: &str = "\
document.querySelectorAll('.plot [data-series]').forEach(function(key){\
key.addEventListener('click',function(){\
var off=key.classList.toggle('off');\
key.closest('svg').querySelectorAll('[data-of=\"'+key.dataset.series+'\"]').forEach(function(s){\
s.style.display=off?'none':'';});});});";

impl Page {
    /// An empty page.
    #[must_use]
    pub fn new(title: &str) -> Page {
        Page { title: title.to_owned(), parts: Vec::new() }
    }

    /// A heading.
    pub fn heading(&mut self, text: &str) {
        self.parts.push(html! { h2 { (text) } });
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.parts.push(html! { p { (text) } });
    }

    /// Lines as they are.
    pub fn verbatim(&mut self, text: &str) {
        self.parts.push(html! { pre { (text) } });
    }

    /// A picture.
    pub fn picture(&mut self, picture: &Svg) {
        self.parts.push(picture.markup(None));
    }

    /// A picture that is a file of its own, with what it shows.
    pub fn picture_file(&mut self, alt: &str, svg: &str) {
        let source = format!("data:image/svg+xml,{}", percent_encoded(svg));
        self.parts.push(html! { p { img class="file" alt=(alt) src=(source); } });
    }

    /// A table; the first cell of a row stands on the left.
    pub fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        self.parts.push(html! {
            div class="wide" {
                table {
                    tr { @for cell in head { th { (cell) } } }
                    @for row in rows { tr { @for cell in row { td { (cell) } } } }
                }
            }
        });
    }

    /// The file.
    #[must_use]
    pub fn finish(self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width,initial-scale=1";
                    title { (self.title) }
                    style { (PreEscaped(PAGE_SHEET.as_str())) }
                }
                body {
                    h1 { (self.title) }
                    @for part in &self.parts { (part) "\n" }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        printable(&(page.into_string() + "\n"))
    }
}

/// A text as the part of an address may have it.
fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded += &format!("%{byte:02X}");
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Chart};

    #[test]
    fn foreign_text_stays_text() {
        let mut page = Page::new("<b>");
        page.paragraph("a & b");
        page.verbatim("bestmove <script>\u{7}\u{ffff}日\nnext");
        page.table(&["<x>"], &[vec!["1 < 2".to_owned()]]);
        let html = page.finish();
        assert!(html.contains("<h1>&lt;b&gt;</h1>") && html.contains("bestmove &lt;script&gt;  日\nnext"));
        assert!(html.contains("<th>&lt;x&gt;</th>") && html.contains("<td>1 &lt; 2</td>"));
        assert_eq!(html.matches("<script>").count(), 1, "only our own");
    }

    #[test]
    fn a_page_fetches_nothing_and_has_one_style_for_all_its_pictures() {
        let mut page = Page::new("two charts");
        for title in ["first", "second"] {
            let axis = Axis::new(0.0, 1.0);
            page.picture(&Chart::new(title, ("x", axis), ("y", axis), Vec::new()).svg());
        }
        let html = page.finish();
        assert_eq!((html.matches("<svg ").count(), html.matches("<style>").count()), (2, 1));
        assert!(html.contains(">first</text>") && html.contains(">second</text>"));
        assert!(html.contains("prefers-color-scheme:dark") && !html.contains("http"));
        assert!(html.contains("svg.plot.chart{width:100%"), "charts are as wide as the text");
    }
}
