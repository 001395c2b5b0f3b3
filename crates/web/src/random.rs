//! Names that nobody can guess.

/// Letters that are hard to confuse.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The length of the name of a game: 80 bits.
pub(crate) const GAME_NAME: usize = 16;
/// The length of the name of a visitor: 130 bits.
pub(crate) const VISITOR_NAME: usize = 26;

/// A name of so many letters from the system's randomness; `None` if the system has none.
pub(crate) fn name(length: usize) -> Option<String> {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// Whether a text could be such a name: nothing else ever becomes part of a path.
pub(crate) fn is_name(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| LETTERS.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_are_recognised_and_paths_are_none() {
        let (first, second) = (name(GAME_NAME).unwrap(), name(GAME_NAME).unwrap());
        assert!(first != second && is_name(&first, GAME_NAME) && !is_name(&first, VISITOR_NAME));
        for text in [
            "",
            "../../etc/passwd",
            "aaaaaaaaaaaaaaa/",
            "aaaaaaaaaaaaaaa.",
            "AAAAAAAAAAAAAAAA",
            "aaaaaaaaaaaaaaa\0",
        ] {
            assert!(!is_name(text, GAME_NAME), "{text}");
        }
    }
}
