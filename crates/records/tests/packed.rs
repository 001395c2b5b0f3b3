//! Packed positions and records: round trips, the other program's encoder as judge, broken bytes.

mod random_games;

use random_games::{Random, random_positions};
use records::game::{GameResult, SideResult};
use records::packed::{
    Hcp, Hcpe, HcpeReader, PackedSfen, Psv, PsvMove, PsvReader, Record, RecordWriter, StreamError,
};
use shogi::{Color, Position, Setup};

#[test]
fn random_positions_round_trip_in_both_encodings() {
    for position in random_positions(1, 3000) {
        let setup = Setup { ply: 1, ..position.setup() };
        assert_eq!(PackedSfen::pack(&setup).unwrap().unpack(), Ok(setup.clone()));
        assert_eq!(Hcp::pack(&setup).unwrap().unpack(), Ok(setup));
    }
}

#[test]
fn both_encodings_agree_with_rsshogi() {
    for position in random_positions(2, 2000) {
        let setup = position.setup();
        let judge = rsshogi::board::Position::from_sfen(&setup.to_string()).unwrap();
        assert_eq!(PackedSfen::pack(&setup).unwrap().0, *judge.to_packed_sfen().as_bytes());
        assert_eq!(Hcp::pack(&setup).unwrap().0, judge.to_huffman_coded_pos().data);
    }
}

#[test]
fn handicap_positions_agree_with_rsshogi() {
    for handicap in shogi::HANDICAPS {
        let setup = handicap.position().setup();
        let judge = rsshogi::board::Position::from_sfen(&setup.to_string()).unwrap();
        let (packed, hcp) = (PackedSfen::pack(&setup).unwrap(), Hcp::pack(&setup).unwrap());
        assert_eq!(packed.0, *judge.to_packed_sfen().as_bytes());
        assert_eq!(hcp.0, judge.to_huffman_coded_pos().data);
        assert_eq!((packed.unpack().unwrap(), hcp.unpack().unwrap()), (setup.clone(), setup));
    }
}

#[test]
fn bytes_of_one_encoding_are_never_the_same_position_in_the_other() {
    for position in random_positions(3, 1000) {
        let setup = Setup { ply: 1, ..position.setup() };
        let packed = PackedSfen::pack(&setup).unwrap();
        assert_ne!(Hcp(packed.0).unpack().as_ref(), Ok(&setup));
        assert_ne!(PackedSfen(Hcp::pack(&setup).unwrap().0).unpack().as_ref(), Ok(&setup));
    }
}

#[test]
fn hands_and_box_are_read_in_any_order() {
    let parts: [&[u8]; 13] = [
        &[0],                             // Black to move
        &[0; 7],                          // Black's king on 1a
        &[1, 0, 0, 0, 0, 0, 0],           // White's king on 1b
        &[0; 79],                         // an empty board
        &[1, 1, 1, 1, 1, 1, 0],           // a rook in the box
        &[1, 1, 1, 1, 1, 0, 1],           // a rook in White's hand
        &[1, 1, 1, 1, 0, 1, 0].repeat(2), // bishops in the box
        &[1, 1, 0, 1, 1].repeat(4),       // golds in the box
        &[1, 1, 0, 0, 1].repeat(4),       // silvers in White's hand
        &[1, 0, 1, 1, 0].repeat(4),       // knights in the box
        &[1, 0, 0, 1, 0].repeat(4),       // lances in the box
        &[0, 0, 0].repeat(17),            // pawns in Black's hand
        &[0, 1, 0],                       // a pawn in the box
    ];
    let bits = parts.concat();
    assert_eq!(bits.len(), 256);
    let mut bytes = [0u8; 32];
    for (i, bit) in bits.iter().enumerate() {
        bytes[i / 8] |= bit << (i % 8);
    }
    let setup = PackedSfen(bytes).unpack().unwrap();
    assert_eq!(setup.to_string(), "8K/8k/9/9/9/9/9/9/9 b 17Pr4s 1");
}

#[test]
fn arbitrary_bytes_unpack_to_something_packable_or_a_typed_error() {
    let mut random = Random::new(4);
    let noise: Vec<[u8; 32]> = (0..1000).map(|_| std::array::from_fn(|_| random.below(256) as u8)).collect();
    let positions = random_positions(5, 300).map(|position| PackedSfen::pack(&position.setup()).unwrap().0);
    for bytes in positions.chain(noise) {
        for bit in 0..256 {
            let mut broken = bytes;
            broken[bit / 8] ^= 1 << (bit % 8);
            if let Ok(setup) = PackedSfen(broken).unpack() {
                let again = PackedSfen::pack(&setup).map(|packed| packed.unpack());
                assert!(again.is_err() || again == Ok(Ok(setup)));
            }
            if let Ok(setup) = Hcp(broken).unpack() {
                assert_eq!(Hcp::pack(&setup).unwrap().unpack(), Ok(setup));
            }
        }
    }
}

/// The same random positions as records of both formats.
fn records(seed: u64, count: usize) -> Vec<(Psv, Hcpe)> {
    let mut random = Random::new(seed);
    let mut pair = |position: Position| {
        let setup = position.setup();
        let best = position.legal_moves().first().copied();
        let result =
            [GameResult::Win(Color::Black), GameResult::Draw, GameResult::Win(Color::White)][random.below(3)];
        let score_for_mover = random.below(65536) as u16 as i16;
        let psv = Psv {
            position: PackedSfen::pack(&setup).unwrap(),
            score_for_mover,
            best: best.map_or(PsvMove::None, PsvMove::Play),
            ply: setup.ply,
            result_for_mover: result.seen_by(position.side()),
        };
        (psv, Hcpe { position: Hcp::pack(&setup).unwrap(), score_for_mover, best, result })
    };
    random_positions(seed, count).map(&mut pair).collect()
}

#[test]
fn streams_of_records_round_trip() {
    let records = records(6, 5000);
    let (mut psv, mut hcpe) = (RecordWriter::new(Vec::new()), RecordWriter::new(Vec::new()));
    for (a, b) in &records {
        psv.write(a).unwrap();
        hcpe.write(b).unwrap();
    }
    let (psv, hcpe) = (psv.finish().unwrap(), hcpe.finish().unwrap());
    assert_eq!((psv.len(), hcpe.len()), (5000 * 40, 5000 * 38));
    let psv: Vec<Psv> = PsvReader::new(&psv[..]).map(Result::unwrap).collect();
    let hcpe: Vec<Hcpe> = HcpeReader::new(&hcpe[..]).map(Result::unwrap).collect();
    assert_eq!(psv.into_iter().zip(hcpe).collect::<Vec<_>>(), records);
}

#[test]
fn the_two_records_of_a_position_say_the_same() {
    for (psv, hcpe) in records(7, 500) {
        let setup = psv.setup().unwrap();
        assert_eq!(setup, Setup { ply: psv.ply, ..hcpe.position.unpack().unwrap() });
        assert_eq!(psv.result_for_mover.of(setup.side), hcpe.result);
        assert_eq!(psv.best.played(), hcpe.best);
    }
}

#[test]
fn a_partial_record_at_the_end_is_an_error_that_says_where() {
    let record = records(8, 1)[0].0.to_bytes();
    let bytes = [&record[..], &record[..17]].concat();
    let mut reader = PsvReader::new(&bytes[..]);
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert!(matches!(error, StreamError::Partial { offset: 40, found: 17, expected: 40 }));
    assert_eq!(error.to_string(), "17 bytes at byte 40, at the end of the stream; a record has 40");
    assert!(reader.next().is_none());
}

#[test]
fn a_bad_record_does_not_hide_the_next_one() {
    let good = records(9, 1)[0].0.to_bytes();
    let mut bad = good;
    bad[38] = 77;
    let bytes = [good, bad, good].concat();
    let read: Vec<_> = PsvReader::new(&bytes[..]).collect();
    assert!(read[0].is_ok() && read[2].is_ok() && read.len() == 3);
    let message = read[1].as_ref().unwrap_err().to_string();
    assert_eq!(message, "record at byte 40: byte 38: the result is 77 instead of 1, 0 or -1");
}

const TYPED_IN: &str = "lnsgk1snl/1r4gb1/1pppppppp/p8/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 0";

#[test]
fn a_record_typed_in_by_hand_reads_as_it_was_written() {
    // +136 for Black to move, who went on to lose; its writer counts plies from 0.
    let bytes = [
        0x58, 0xA4, 0x51, 0x22, 0x0C, 0xEB, 0x67, 0x12, 0x7E, 0x96, 0xF3, 0x4D, 0x84, 0x83, 0x44, 0x78, 0x24,
        0xC2, 0x2B, 0x11, 0x9E, 0x53, 0x12, 0x1C, 0xEB, 0x6F, 0x22, 0x3E, 0x96, 0x91, 0x24, 0x0C, 0x88, 0x00,
        0x05, 0x03, 0x00, 0x00, 0xFF, 0x00,
    ];
    let psv = Psv::from_bytes(&bytes).unwrap();
    assert_eq!((psv.score_for_mover, psv.ply, psv.result_for_mover), (136, 0, SideResult::Loss));
    assert_eq!(psv.best.played(), "1g1f".parse().ok());
    assert_eq!(psv.setup().unwrap().to_string(), TYPED_IN);
    assert_eq!(psv.to_bytes(), bytes);
}
