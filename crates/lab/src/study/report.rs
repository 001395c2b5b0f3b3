//! A report: headings, paragraphs, tables, figures and commands, as one page of HTML and as text with figures beside it.

use std::fmt::Write as _;

use plot::Page;

/// A picture with a name for its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name of its file, without a folder.
    pub name: String,
    /// The SVG file.
    pub svg: String,
}

/// Rows below their headings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Table {
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// What stands below one heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub heading: String,
    pub(super) tables: Vec<Table>,
    pub(super) notes: Vec<String>,
    /// Its pictures.
    pub figures: Vec<Figure>,
    /// What was run for it.
    pub commands: Vec<String>,
}

/// What came of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyReport {
    /// Its title.
    pub title: String,
    /// What it is about.
    pub about: Vec<String>,
    /// The results.
    pub sections: Vec<Section>,
}

impl StudyReport {
    /// One page, which is one file.
    #[must_use]
    pub fn html(&self) -> String {
        let mut page = Page::new(&self.title);
        self.about.iter().for_each(|paragraph| page.paragraph(paragraph));
        for section in &self.sections {
            page.heading(&section.heading);
            for table in &section.tables {
                let head: Vec<&str> = table.head.iter().map(String::as_str).collect();
                page.table(&head, &table.rows);
            }
            section.notes.iter().for_each(|note| page.paragraph(note));
            section.figures.iter().for_each(|figure| page.picture_file(&figure.name, &figure.svg));
            if !section.commands.is_empty() {
                page.verbatim(&section.commands.join("\n"));
            }
        }
        page.finish()
    }

    /// The same as Markdown; figures are files in a folder of this name beside it.
    #[must_use]
    pub fn markdown(&self, figures: &str) -> String {
        let mut text = format!("# {}\n", self.title);
        self.about.iter().for_each(|paragraph| {
            let _ = write!(text, "\n{paragraph}\n");
        });
        for section in &self.sections {
            let _ = write!(text, "\n## {}\n", section.heading);
            for table in &section.tables {
                let row = |cells: &[String]| {
                    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
                    format!("| {} |\n", cells.join(" | "))
                };
                let _ = write!(text, "\n{}|{}\n", row(&table.head), "---|".repeat(table.head.len()));
                table.rows.iter().for_each(|cells| text += &row(cells));
            }
            for note in &section.notes {
                let _ = write!(text, "\n{note}\n");
            }
            for Figure { name, .. } in &section.figures {
                let _ = write!(text, "\n![{name}]({figures}/{name})\n");
            }
            if !section.commands.is_empty() {
                let _ = write!(text, "\n    {}\n", section.commands.join("\n    "));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_hold_the_same_things() {
        let table = Table { head: vec!["a".to_owned()], rows: vec![vec!["x | <y>".to_owned()]] };
        let figure = Figure { name: "f.svg".to_owned(), svg: "<svg xmlns='x'/>".to_owned() };
        let report = StudyReport {
            title: "T".to_owned(),
            about: vec!["About.".to_owned()],
            sections: vec![Section {
                heading: "H".to_owned(),
                tables: vec![table],
                notes: vec!["A note.".to_owned()],
                figures: vec![figure],
                commands: vec!["yomi match --player 'a b'".to_owned()],
            }],
        };
        let text = report.markdown("figures");
        assert_eq!(
            text,
            "# T\n\nAbout.\n\n## H\n\n| a |\n|---|\n| x \\| <y> |\n\nA note.\n\n![f.svg](figures/f.svg)\n\n    yomi match --player 'a b'\n"
        );
        let html = report.html();
        for part in ["<h2>H</h2>", "x | &lt;y&gt;", "data:image/svg+xml,%3Csvg", "yomi match --player"] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
