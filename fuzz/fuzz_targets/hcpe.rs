//! Apery's records: fields and positions lead back to their bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use records::packed::{Hcp, Hcpe, Record, RecordReader};
use shogi::Position;

fuzz_target!(|bytes: &[u8]| {
    for record in RecordReader::<_, Hcpe>::new(bytes).flatten() {
        let written = record.to_bytes();
        assert_eq!(Hcpe::from_bytes(&written), Ok(record));
        let Ok(setup) = record.position.unpack() else { continue };
        let packed = Hcp::pack(&setup);
        if let Ok(packed) = packed {
            assert_eq!(packed.unpack().as_ref(), Ok(&setup));
        }
        if let Ok(mut position) = Position::new(&setup) {
            assert!(packed.is_ok(), "{position}");
            yomi_fuzz::sound(&mut position);
        }
    }
});
