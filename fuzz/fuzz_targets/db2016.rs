//! Book texts: what is read is written in a form that no longer changes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use records::book::db2016::{read, write};

fuzz_target!(|bytes: &[u8]| {
    let file = [b"#YANEURAOU-DB2016 1.00\n", bytes].concat();
    let Ok(book) = read(&file[..]) else { return };
    let mut first = Vec::new();
    write(&book, &mut first).unwrap();
    let mut second = Vec::new();
    write(&read(&first[..]).expect("our own text is a book"), &mut second).unwrap();
    assert_eq!(String::from_utf8(first), String::from_utf8(second));
});
