//! The words that a wrong word may have meant.

/// Up to three known words that resemble `word`, or all of them if none does and they are few.
pub(crate) fn like<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let lower = word.to_lowercase();
    let mut close: Vec<(usize, &str)> = known
        .iter()
        .map(|&k| (strsim::levenshtein(&lower, &k.to_lowercase()), k))
        .filter(|&(d, k)| d <= 1 + k.len().min(word.len()) / 3)
        .collect();
    close.sort_by_key(|&(d, _)| d);
    match close.is_empty() {
        true if known.len() <= 12 => known,
        _ => close.into_iter().take(3).map(|(_, k)| k).collect(),
    }
}

/// ` Did you mean …?`, or nothing.
pub(crate) fn question(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words[..] {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        _ => format!("; one of {} would be right", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_come_first_and_few_words_are_all_listed() {
        assert_eq!(like("hsah", ["hash", "threads", "multipv"]), ["hash"]);
        assert_eq!(like("Tread", ["hash", "threads", "multipv"]), ["threads"]);
        assert_eq!(like("zzzzzz", ["hash", "net"]), ["hash", "net"]);
    }
}
