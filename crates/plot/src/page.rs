//! A page that is one file.

use std::fmt::Write as _;

use crate::chart::{Chart, STYLE};

/// A page under way.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    body: String,
}

const PAGE_STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:15px/1.5 system-ui,'Noto Sans','Noto Sans CJK JP',sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;\
color:#212529;background:#f8f9fa}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}\
table{border-collapse:collapse;margin:.7rem 0;font-size:.93em}\
.wide{overflow-x:auto}\
th,td{padding:.25rem .45rem;border-bottom:1px solid #dee2e6;text-align:right;vertical-align:top}\
th,td{white-space:nowrap}th:first-child,td:first-child{text-align:left;white-space:normal}\
th{font-weight:600}\
code,pre{font-family:ui-monospace,'Noto Sans Mono',monospace;font-size:.85em}\
pre{overflow-x:auto;background:#eef0f2;padding:.6rem;border-radius:.4rem}\
svg.chart{max-width:100%;height:auto;margin:.6rem 0}\
.faint{color:#5f6770}\
@media (prefers-color-scheme:dark){\
body{color:#e3e6ea;background:#0f1114}\
th,td{border-color:#343a40}\
pre{background:#1b1f24}\
.faint{color:#a4acb6}\
}";

/// A click on a name in a legend shows or hides its series.
const SCRIPT: &str = "\
document.querySelectorAll('.chart [data-series]').forEach(function(key){\
key.addEventListener('click',function(){\
var off=key.classList.toggle('off');\
key.closest('svg').querySelectorAll('[data-of=\"'+key.dataset.series+'\"]').forEach(function(s){\
s.style.display=off?'none':'';});});});";

impl Page {
    /// An empty page.
    #[must_use]
    pub fn new(title: &str) -> Page {
        Page { title: title.to_owned(), body: format!("<h1>{}</h1>\n", escaped(title)) }
    }

    /// A heading.
    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h2>{}</h2>", escaped(text));
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", escaped(text));
    }

    /// Lines as they are.
    pub fn verbatim(&mut self, text: &str) {
        let _ = writeln!(self.body, "<pre>{}</pre>", escaped(text));
    }

    /// A chart.
    pub fn chart(&mut self, chart: &Chart) {
        let _ = writeln!(self.body, "{chart}");
    }

    /// A table; the first cell of a row stands on the left.
    pub fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        self.body.push_str("<div class=\"wide\"><table><tr>");
        head.iter().for_each(|cell| {
            let _ = write!(self.body, "<th>{}</th>", escaped(cell));
        });
        self.body.push_str("</tr>\n");
        for row in rows {
            self.body.push_str("<tr>");
            row.iter().for_each(|cell| {
                let _ = write!(self.body, "<td>{}</td>", escaped(cell));
            });
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</table></div>\n");
    }

    /// The file.
    #[must_use]
    pub fn finish(self) -> String {
        let Page { title, body } = self;
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <title>{}</title><style>{PAGE_STYLE}{STYLE}</style></head><body>\n{body}<script>{SCRIPT}</script></body></html>\n",
            escaped(&title)
        )
    }
}

/// Foreign text as XML text.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\n' => safe.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_text() {
        let mut page = Page::new("<b>");
        page.paragraph("a & b");
        page.verbatim("bestmove <script>\u{7}\u{ffff}日");
        page.table(&["x"], &[vec!["1 < 2".to_owned()]]);
        let html = page.finish();
        assert!(html.contains("&lt;b&gt;") && html.contains("bestmove &lt;script&gt;  日"));
        assert_eq!(html.matches("<script>").count(), 1, "only our own");
        assert!(!html.contains("http"), "nothing is fetched");
    }
}
