//! Text that must fit on one line of a file.

/// The text with line breaks and other control characters turned into spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_break(c) { ' ' } else { c }).collect()
}

/// Comments as single lines: one with line breaks becomes several.
pub(crate) fn lines_of(comments: &[String]) -> impl Iterator<Item = String> {
    comments.iter().flat_map(|comment| comment.split('\n')).map(|line| one_line(line.trim_end_matches('\r')))
}

fn is_break(c: char) -> bool {
    c.is_control() && c != '\t'
}
