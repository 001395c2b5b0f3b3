//! The headers of file and block.

/// The length of the file header.
pub(super) const FILE_HEADER: usize = 16;

/// The length of a block header.
pub(super) const BLOCK_HEADER: usize = 24;

/// The longest payload. Readers refuse more, so that a bad header cannot make them take all memory.
pub(super) const MAX_PAYLOAD: usize = 64 << 20;

/// What a block begins with: rare in payloads, not text, and broken by newline translation.
pub(super) const SYNC: [u8; 4] = [0xB1, b'Y', b'G', b'\n'];

const MAGIC: [u8; 8] = *b"YOMIGAME";
const VERSION: u16 = 1;

/// Why a file or block header is not one, or its payload is not what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum BlockError {
    #[error("no games of ours: the file does not begin with YOMIGAME")]
    NotOurs,
    #[error("the file has version {found}, this program reads {VERSION}")]
    Version { found: u16 },
    #[error("the file header's checksum is wrong")]
    FileHeader,
    #[error("no block begins here")]
    NoBlock,
    #[error("the block's checksum is wrong")]
    Payload,
    #[error("the games in the block are not the {games} games and {plies} plies of its header")]
    Counts { games: u32, plies: u32 },
}

/// The bytes at the beginning of every file.
pub(super) fn file_header() -> [u8; FILE_HEADER] {
    let mut header = [0; FILE_HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&VERSION.to_le_bytes());
    let crc = crc32fast::hash(&header[..12]);
    header[12..].copy_from_slice(&crc.to_le_bytes());
    header
}

/// Whether the bytes are a file header.
pub(super) fn check_file_header(header: &[u8; FILE_HEADER]) -> Result<(), BlockError> {
    if header[..8] != MAGIC {
        return Err(BlockError::NotOurs);
    }
    if u32_at(header, 12) != crc32fast::hash(&header[..12]) {
        return Err(BlockError::FileHeader);
    }
    match u16::from_le_bytes([header[8], header[9]]) {
        VERSION => Ok(()),
        found => Err(BlockError::Version { found }),
    }
}

/// What a block header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockHeader {
    pub(super) payload_len: usize,
    pub(super) games: u32,
    pub(super) plies: u32,
    payload_crc: u32,
}

impl BlockHeader {
    /// The header of a payload; the caller keeps it within [`MAX_PAYLOAD`].
    pub(super) fn of(payload: &[u8], games: u32, plies: u32) -> BlockHeader {
        BlockHeader { payload_len: payload.len(), games, plies, payload_crc: crc32fast::hash(payload) }
    }

    pub(super) fn to_bytes(self) -> [u8; BLOCK_HEADER] {
        let mut bytes = [0; BLOCK_HEADER];
        bytes[..4].copy_from_slice(&SYNC);
        bytes[4..8].copy_from_slice(&(self.payload_len as u32).to_le_bytes());
        bytes[8..12].copy_from_slice(&self.games.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.plies.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.payload_crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..20]);
        bytes[20..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The header at the beginning of `bytes`, if there is a whole and sound one.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<BlockHeader> {
        let bytes: &[u8; BLOCK_HEADER] = bytes.first_chunk()?;
        if bytes[..4] != SYNC || u32_at(bytes, 20) != crc32fast::hash(&bytes[..20]) {
            return None;
        }
        let payload_len = u32_at(bytes, 4) as usize;
        let (games, plies, payload_crc) = (u32_at(bytes, 8), u32_at(bytes, 12), u32_at(bytes, 16));
        (payload_len <= MAX_PAYLOAD).then_some(BlockHeader { payload_len, games, plies, payload_crc })
    }

    /// The header at the beginning of `bytes`, if its whole payload follows and is sound.
    pub(super) fn of_whole_block(bytes: &[u8]) -> Option<BlockHeader> {
        let header = Self::from_bytes(bytes)?;
        bytes.get(BLOCK_HEADER..header.block_len()).filter(|payload| header.matches(payload))?;
        Some(header)
    }

    /// The length of header and payload together.
    pub(super) fn block_len(&self) -> usize {
        BLOCK_HEADER + self.payload_len
    }

    pub(super) fn matches(&self, payload: &[u8]) -> bool {
        payload.len() == self.payload_len && crc32fast::hash(payload) == self.payload_crc
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_with_any_byte_changed_is_none() {
        let header = BlockHeader::of(b"payload", 3, 4);
        let bytes = header.to_bytes();
        assert_eq!(BlockHeader::from_bytes(&bytes), Some(header));
        for at in 0..BLOCK_HEADER {
            let mut broken = bytes;
            broken[at] ^= 0x20;
            assert_eq!(BlockHeader::from_bytes(&broken), None);
        }
    }

    #[test]
    fn a_strange_file_header_says_what_is_wrong() {
        assert_eq!(check_file_header(&file_header()), Ok(()));
        assert_eq!(check_file_header(b"#YANEURAOU-DB201"), Err(BlockError::NotOurs));
        let mut newer = file_header();
        newer[8] = 2;
        assert_eq!(check_file_header(&newer), Err(BlockError::FileHeader));
        let crc = crc32fast::hash(&newer[..12]);
        newer[12..].copy_from_slice(&crc.to_le_bytes());
        assert_eq!(check_file_header(&newer), Err(BlockError::Version { found: 2 }));
    }
}
