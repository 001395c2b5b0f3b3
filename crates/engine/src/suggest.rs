//! The words that a wrong word may have meant.

/// Up to three known words that resemble `word`, or all of them if none does and they are few.
pub(crate) fn like<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let lower = word.to_lowercase();
    let mut close: Vec<(usize, &str)> = known
        .iter()
        .map(|&k| (distance(&lower, &k.to_lowercase()), k))
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

/// How many letters must be put in, taken out or changed (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &cb) in b.iter().enumerate() {
            let change = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_come_first_and_few_words_are_all_listed() {
        assert_eq!(like("hsah", ["hash", "threads", "multipv"]), ["hash"]);
        assert_eq!(like("Tread", ["hash", "threads", "multipv"]), ["threads"]);
        assert_eq!(like("zzzzzz", ["hash", "net"]), ["hash", "net"]);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
