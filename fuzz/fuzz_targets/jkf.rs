//! JKF records.
#![no_main]

use libfuzzer_sys::fuzz_target;
use records::text::Format;

fuzz_target!(|bytes: &[u8]| yomi_fuzz::text_record(bytes, Format::Jkf, Format::Jkf));
