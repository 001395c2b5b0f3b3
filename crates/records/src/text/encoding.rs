//! Bytes to text and back: UTF-8, Shift_JIS, EUC-JP.

use encoding_rs::{EUC_JP, Encoding, SHIFT_JIS, UTF_8};

/// Written for characters that Shift_JIS lacks: the "geta" mark, the usual sign of a missing glyph.
const GETA: char = '〓';

/// Decodes a record whose encoding nobody can be trusted to have declared: a byte-order mark decides, then
/// valid UTF-8; of Shift_JIS and EUC-JP the one that fits better. Declarations such as `encoding=UTF-8` are
/// not believed, since files that lie about it exist and a wrong one would be invalid anyway. Bytes that
/// fit nowhere become U+FFFD: a broken comment must not cost a game.
pub(crate) fn decode(bytes: &[u8]) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let candidates = [SHIFT_JIS, EUC_JP].map(|encoding| encoding.decode_without_bom_handling(bytes).0);
    let [shift_jis, euc_jp] = candidates;
    if strangeness(&euc_jp) < strangeness(&shift_jis) { euc_jp.into_owned() } else { shift_jis.into_owned() }
}

/// How unlike a Japanese record the text is. EUC-JP taken for Shift_JIS turns into half-width katakana,
/// which records hardly ever use.
fn strangeness(text: &str) -> usize {
    text.chars()
        .map(|c| match c {
            '\u{FFFD}' => 100,
            '\u{FF61}'..='\u{FF9F}' => 1,
            _ => 0,
        })
        .sum()
}

/// Encodes as Shift_JIS, with [`GETA`] for what it cannot express.
pub(crate) fn to_shift_jis(text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = SHIFT_JIS.encode(text);
    if !unmappable {
        return bytes.into_owned();
    }
    let replaced: String = text.chars().map(|c| if in_shift_jis(c) { c } else { GETA }).collect();
    SHIFT_JIS.encode(&replaced).0.into_owned()
}

fn in_shift_jis(c: char) -> bool {
    c.is_ascii() || !SHIFT_JIS.encode(c.encode_utf8(&mut [0; 4])).2
}

/// Encodes as UTF-8 without a byte-order mark.
pub(crate) fn to_utf8(text: &str) -> Vec<u8> {
    UTF_8.encode(text).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "手合割：平手\n先手：渡辺明\n   1 ７六歩(77)\n*コメント、いろいろ\n";

    #[test]
    fn each_encoding_is_recognised() {
        assert_eq!(decode(TEXT.as_bytes()), TEXT);
        assert_eq!(decode(&[b"\xEF\xBB\xBF", TEXT.as_bytes()].concat()), TEXT);
        assert_eq!(decode(&SHIFT_JIS.encode(TEXT).0), TEXT);
        assert_eq!(decode(&EUC_JP.encode(TEXT).0), TEXT);
    }

    #[test]
    fn broken_bytes_do_not_hide_the_rest() {
        let mut bytes = b"V2\nPI\n+\n'* ".to_vec();
        bytes.extend([0xFF, 0xFE, 0x80]);
        bytes.extend(b"\n+7776FU\n");
        assert!(decode(&bytes).contains("+7776FU"));
    }

    #[test]
    fn what_shift_jis_lacks_becomes_one_geta() {
        assert_eq!(decode(&to_shift_jis("森雞二😀九段")), "森〓二〓九段");
    }
}
