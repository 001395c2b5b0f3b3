//! Our own game file: read, written and read again it holds the same games. Odd inputs are whole files; even
//! ones become the payload of a block whose checksums are right, since nobody finds those by chance.
#![no_main]

use std::fs;

use libfuzzer_sys::fuzz_target;
use records::compact::{Durability, GameReader, GameWriter, StoredGame};

fuzz_target!(|bytes: &[u8]| {
    let [first, rest @ ..] = bytes else { return };
    let games = if first % 2 == 1 { games(rest) } else { games(&file_around(rest, first / 2)) };
    for game in &games {
        if let Ok(record) = game.to_game()
            && let Ok(stored) = StoredGame::of(&record)
        {
            assert_eq!(stored.to_game().as_ref().ok(), Some(&record));
        }
    }
    if !games.is_empty() {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let path = folder.path().join("games");
        let (mut writer, _) = GameWriter::append(&path, Durability::Process).unwrap();
        games.iter().for_each(|game| writer.write(game).unwrap());
        drop(writer);
        assert_eq!(self::games(&fs::read(&path).unwrap()), games);
    }
});

/// The games that can be read; reading must end.
fn games(bytes: &[u8]) -> Vec<StoredGame> {
    let Ok(reader) = GameReader::new(bytes) else { return Vec::new() };
    reader.flatten().collect()
}

fn file_around(payload: &[u8], games: u8) -> Vec<u8> {
    let mut file = b"YOMIGAME\x01\0\0\0".to_vec();
    file.extend(crc32fast::hash(&file).to_le_bytes());
    let mut header = vec![0xB1, b'Y', b'G', b'\n'];
    header.extend((payload.len() as u32).to_le_bytes());
    header.extend(u32::from(games).to_le_bytes());
    header.extend(0u32.to_le_bytes());
    header.extend(crc32fast::hash(payload).to_le_bytes());
    header.extend(crc32fast::hash(&header).to_le_bytes());
    [&file, &header, payload].concat()
}
