//! Names that fit where they stand.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The mean width of a letter as a share of its size, in the wider of the usual type faces.
const COLUMN_WIDTH: f64 = 0.6;
/// A name in a legend takes no more columns than this.
const LONGEST: usize = 44;

/// Columns that a text takes: two for a Chinese or Japanese character, one for most others.
fn columns(text: &str) -> usize {
    text.width()
}

/// About how much room a text takes in letters of this size.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    columns(text) as f64 * size * COLUMN_WIDTH
}

/// How many columns of letters of this size fit.
pub(crate) fn columns_in(width: f64, size: f64) -> usize {
    (width / (size * COLUMN_WIDTH)).max(0.0) as usize
}

/// A name with its middle left out if it takes more columns than there are: what differs stands at the ends.
///
/// ```
/// assert_eq!(plot::shortened("alphabeta(net=/far/away/nn.bin) @static", 20), "alphab….bin) @static");
/// ```
#[must_use]
pub fn shortened(name: &str, longest: usize) -> String {
    if columns(name) <= longest {
        return name.to_owned();
    }
    let head = prefix(name.chars(), longest / 3);
    let tail = prefix(name.chars().rev(), (longest - longest / 3).saturating_sub(1));
    head.into_iter().chain(['…']).chain(tail.into_iter().rev()).collect()
}

/// As many characters as fit into so many columns.
fn prefix(characters: impl Iterator<Item = char>, room: usize) -> Vec<char> {
    let mut taken = 0;
    characters
        .take_while(|c| {
            taken += c.width().unwrap_or(0);
            taken <= room
        })
        .collect()
}

/// A name as long as a legend has room for.
#[must_use]
pub fn legend_name(name: &str) -> String {
    shortened(name, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_their_ends() {
        assert_eq!(shortened("alphabeta", 9), "alphabeta");
        assert_eq!(shortened("alphabeta(net=/far/away/nn.bin) @static", 20), "alphab….bin) @static");
        assert_eq!(shortened("abc", 1), "…");
    }

    #[test]
    fn japanese_names_count_twice() {
        assert_eq!(shortened("羽生善治九段", 12), "羽生善治九段");
        assert_eq!(shortened("羽生善治永世七冠", 12), "羽生…世七冠");
        assert!(columns(&shortened("羽生善治永世七冠", 12)) <= 12);
    }
}
