//! Small changes to valid inputs, so that the equations are tried near the edge of what is valid without a fuzzer too.

/// Where (modulo the length), what, and with which byte.
pub type Edit = (u16, u8, u8);

/// The input after some changes: bytes replaced, put in, taken out, and pieces repeated.
pub fn mutated(input: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for &(place, kind, byte) in edits {
        let place = usize::from(place) % (bytes.len() + 1);
        match kind % 5 {
            0 if place < bytes.len() => bytes[place] = byte,
            1 if place < bytes.len() => drop(bytes.remove(place)),
            2 => bytes.truncate(place),
            3 => {
                let end = bytes.len().min(place + usize::from(byte) % 16);
                let piece = bytes[place..end].to_vec();
                bytes.splice(place..place, piece);
            }
            _ => bytes.insert(place, byte),
        }
    }
    bytes
}

/// As [`mutated`], with letters of the input's own kind more often than others.
pub fn mutated_text(input: &str, edits: &[Edit]) -> String {
    const SIGNS: &[u8] = b" ,()=!<>+-*/.@:'\"019azT\n\\|&_";
    let edits: Vec<Edit> = edits
        .iter()
        .map(|&(place, kind, byte)| (place, kind, SIGNS.get(usize::from(byte)).copied().unwrap_or(byte)))
        .collect();
    String::from_utf8_lossy(&mutated(input.as_bytes(), &edits)).into_owned()
}
