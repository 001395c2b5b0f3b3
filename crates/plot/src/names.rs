//! Names that fit where they stand.

/// A name in a legend is no longer than this.
const LONGEST: usize = 44;

/// A name with its middle left out if it is too long: what differs stands at the ends.
#[must_use]
pub fn shortened(name: &str, longest: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= longest {
        return name.to_owned();
    }
    let head = longest / 3;
    let tail = letters.len() - (longest - 1 - head);
    letters[..head].iter().chain(&['…']).chain(&letters[tail..]).collect()
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
    }
}
