//! Apery's books: any bytes are a book or refused, and lookups answer with legal moves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use records::book::AperyBook;
use records::book::apery::apery_key;
use shogi::Position;

fuzz_target!(|bytes: &[u8]| {
    // Inputs get the key of the start in their first entry, so that something is found.
    let start = Position::start();
    let mut file = bytes.to_vec();
    if let Some(key) = file.first_chunk_mut() {
        *key = apery_key(&start).to_le_bytes();
    }
    let Ok(book) = AperyBook::read(&file[..]) else { return };
    assert_eq!(book.len() * 16, file.len());
    let found = book.look_up(&start);
    assert!(found.moves.iter().all(|entry| start.is_legal(entry.m)));
    assert!(book.is_empty() || found.moves.len() + found.illegal.len() > 0);
});
