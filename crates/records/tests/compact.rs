//! The compact game file: round trips, crashes at every byte, corruption, illegal content.

mod random_games;

use std::fs;
use std::path::{Path, PathBuf};

use random_games::{Random, random_moves};
use records::compact::{
    BlockError, Durability, EndCode, Eval, GameReader, GameWriter, Ply, Positions, ReadError, Recovery,
    Replay, ReplayError, Start, StoredGame, TornTail, WriteError,
};
use records::game::{GameResult, SideResult};
use shogi::{Color, DeclarationRule, Position};

const FILE_HEADER: usize = 16;
const BLOCK_HEADER: usize = 24;

fn random_game(random: &mut Random, max_plies: usize) -> StoredGame {
    let start = match random.below(3) {
        0 => shogi::HANDICAPS[random.below(shogi::HANDICAPS.len())].position(),
        _ => Position::start(),
    };
    let eval = |random: &mut Random| match random.below(8) {
        0 => Eval::NONE,
        1 => Eval::mate_in(random.below(50) as u16),
        2 => Eval::mated_in(random.below(50) as u16),
        _ => Eval::score(random.below(6000) as i32 - 3000),
    };
    let moves = random_moves(random, &start, max_plies);
    StoredGame {
        start: Start::of(&start.setup()).unwrap(),
        result: [
            None,
            Some(GameResult::Win(Color::Black)),
            Some(GameResult::Win(Color::White)),
            Some(GameResult::Draw),
        ][random.below(4)],
        end: EndCode::ALL[random.below(EndCode::ALL.len())],
        rule: DeclarationRule::NAMES[random.below(6)].0,
        max_plies: random.below(512) as u16,
        seed: random.next(),
        plies: moves.into_iter().map(|m| Ply { m, eval: eval(random) }).collect(),
    }
}

fn random_set(seed: u64, count: usize, max_plies: usize) -> Vec<StoredGame> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random_game(&mut random, max_plies)).collect()
}

/// A scratch directory and a file name in it.
fn scratch() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.yomi");
    (directory, path)
}

/// Appends each group as one block; without waiting for the disk, there are thousands of files.
fn append_blocks(path: &Path, blocks: &[&[StoredGame]]) -> Recovery {
    let (mut writer, recovery) = GameWriter::append(path, Durability::Process).unwrap();
    for block in blocks {
        for game in *block {
            writer.write(game).unwrap();
        }
        writer.flush().unwrap();
    }
    recovery
}

/// All games that can be read, the errors on the way and the notice at the end.
fn read_all(bytes: &[u8]) -> (Vec<StoredGame>, Vec<ReadError>, Option<TornTail>) {
    let mut reader = match GameReader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return (Vec::new(), vec![error], None),
    };
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for item in reader.by_ref() {
        match item {
            Ok(game) => games.push(game),
            Err(error) => errors.push(error),
        }
    }
    (games, errors, reader.torn_tail())
}

#[test]
fn games_come_back_as_they_were_written() {
    let (_directory, path) = scratch();
    let games = random_set(1, 200, 150);
    let (writer, recovery) = GameWriter::append(&path, Durability::Disk).unwrap();
    assert_eq!(recovery, Recovery::default());
    let mut writer = writer.with_block_size(4096);
    for game in &games {
        writer.write(game).unwrap();
    }
    writer.finish().unwrap();
    let (read, errors, torn) = read_all(&fs::read(&path).unwrap());
    assert_eq!(read, games);
    assert!(errors.is_empty() && torn.is_none());
}

#[test]
fn appending_twice_keeps_all_games_and_counts_them() {
    let (_directory, path) = scratch();
    let games = random_set(2, 30, 40);
    append_blocks(&path, &[&games[..10]]);
    let recovery = append_blocks(&path, &[&games[10..15], &games[15..20]]);
    let plies = |games: &[StoredGame]| games.iter().map(|game| game.plies.len() as u64).sum::<u64>();
    assert_eq!(recovery, Recovery { games: 10, plies: plies(&games[..10]), cut_bytes: 0 });
    let recovery = append_blocks(&path, &[&games[20..]]);
    assert_eq!(recovery, Recovery { games: 20, plies: plies(&games[..20]), cut_bytes: 0 });
    assert_eq!(read_all(&fs::read(&path).unwrap()).0, games);
}

#[test]
fn a_dropped_writer_has_written_its_games() {
    let (_directory, path) = scratch();
    let games = random_set(3, 3, 10);
    let (mut writer, _) = GameWriter::append(&path, Durability::Process).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    drop(writer);
    assert_eq!(read_all(&fs::read(&path).unwrap()).0, games);
}

#[test]
fn a_second_writer_is_refused() {
    let (_directory, path) = scratch();
    let first = GameWriter::append(&path, Durability::Process).unwrap();
    assert!(matches!(GameWriter::append(&path, Durability::Process), Err(WriteError::Busy)));
    drop(first);
    assert!(GameWriter::append(&path, Durability::Process).is_ok());
}

/// The bytes of three blocks of two games, and where the file header and each block end.
fn three_blocks(seed: u64) -> (Vec<StoredGame>, Vec<u8>, Vec<usize>) {
    let (_directory, path) = scratch();
    let games = random_set(seed, 6, 8);
    append_blocks(&path, &[&games[..2], &games[2..4], &games[4..]]);
    let mut ends = vec![FILE_HEADER];
    for pair in games.chunks(2) {
        let length: usize = pair.iter().map(StoredGame::len_in_file).sum();
        ends.push(ends[ends.len() - 1] + BLOCK_HEADER + length);
    }
    (games, fs::read(&path).unwrap(), ends)
}

#[test]
fn a_file_cut_at_any_byte_yields_its_whole_blocks_and_can_be_appended_to() {
    let (games, bytes, ends) = three_blocks(4);
    assert_eq!(*ends.last().unwrap(), bytes.len());
    let extra = random_set(5, 1, 8);
    for cut in 0..=bytes.len() {
        let whole = ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1);
        let kept = ends.iter().copied().filter(|&end| end <= cut).max().unwrap_or(0);
        let (read, errors, torn) = read_all(&bytes[..cut]);
        assert_eq!(read, games[..whole * 2], "cut at {cut}");
        assert!(errors.is_empty());
        let rest = (cut - kept) as u64;
        assert_eq!(torn, (rest > 0).then_some(TornTail { offset: kept as u64, bytes: rest }));

        let (_directory, path) = scratch();
        fs::write(&path, &bytes[..cut]).unwrap();
        let recovery = append_blocks(&path, &[&extra]);
        assert_eq!((recovery.games, recovery.cut_bytes), (whole as u64 * 2, rest));
        let (read, errors, torn) = read_all(&fs::read(&path).unwrap());
        assert_eq!(read, [&games[..whole * 2], &extra[..]].concat());
        assert!(errors.is_empty() && torn.is_none());
    }
}

#[test]
fn a_tail_of_zeros_or_noise_is_torn_too() {
    let (games, bytes, ends) = three_blocks(6);
    for filler in [0u8, 0xB1, b'Y'] {
        let mut broken = bytes.clone();
        broken[ends[2] + 10..].fill(filler);
        broken.extend([filler; 100]);
        let (read, errors, torn) = read_all(&broken);
        assert_eq!((&read[..], errors.len()), (&games[..4], 0));
        assert_eq!(torn, Some(TornTail { offset: ends[2] as u64, bytes: (broken.len() - ends[2]) as u64 }));
        let (_directory, path) = scratch();
        fs::write(&path, &broken).unwrap();
        assert_eq!(append_blocks(&path, &[]).cut_bytes, (broken.len() - ends[2]) as u64);
        assert_eq!(fs::read(&path).unwrap(), bytes[..ends[2]]);
    }
}

#[test]
fn every_changed_byte_is_noticed_and_costs_one_block_at_most() {
    let (games, bytes, ends) = three_blocks(7);
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xFF] {
            let mut broken = bytes.clone();
            broken[at] ^= flip;
            let (read, errors, torn) = read_all(&broken);
            if at < FILE_HEADER {
                assert!(matches!(errors[..], [ReadError::Header(_)]));
                continue;
            }
            let block = ends.iter().filter(|&&end| end <= at).count() - 1;
            let good: Vec<_> = games.chunks(2).enumerate().filter(|&(i, _)| i != block).collect();
            let expected: Vec<StoredGame> = good.iter().flat_map(|&(_, games)| games.to_vec()).collect();
            assert_eq!(read, expected, "byte {at}");
            match (&errors[..], torn) {
                ([], Some(torn)) => assert_eq!((block, torn.offset), (2, ends[2] as u64)),
                ([ReadError::Corrupt { offset, next, .. }], None) => {
                    assert_eq!((*offset, *next), (ends[block] as u64, ends[block + 1] as u64));
                }
                other => panic!("byte {at}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_damaged_file_is_never_cut_when_whole_blocks_follow() {
    let (_, bytes, ends) = three_blocks(8);
    let mut broken = bytes.clone();
    broken[ends[1] + 2] ^= 1;
    let (_directory, path) = scratch();
    fs::write(&path, &broken).unwrap();
    let error = GameWriter::append(&path, Durability::Process).err().unwrap();
    assert!(matches!(error, WriteError::Corrupt { offset, next }
        if (offset, next) == (ends[1] as u64, ends[2] as u64)));
    assert_eq!(fs::read(&path).unwrap(), broken);
}

#[test]
fn garbage_is_not_ours_and_stays_untouched() {
    let mut random = Random::new(9);
    for length in [1, 15, 16, 17, 1000, 200_000] {
        let garbage: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        let (_, errors, _) = read_all(&garbage);
        assert!(matches!(errors[..], [ReadError::Header(BlockError::NotOurs)]));
        let (_directory, path) = scratch();
        fs::write(&path, &garbage).unwrap();
        assert!(matches!(GameWriter::append(&path, Durability::Process), Err(WriteError::Header(_))));
        assert_eq!(fs::read(&path).unwrap(), garbage);
    }
}

#[test]
fn an_empty_file_has_no_games_and_can_be_appended_to() {
    assert!(matches!(read_all(&[]), (games, errors, None) if games.is_empty() && errors.is_empty()));
    let (_directory, path) = scratch();
    fs::write(&path, []).unwrap();
    let games = random_set(10, 2, 5);
    append_blocks(&path, &[&games]);
    assert_eq!(read_all(&fs::read(&path).unwrap()).0, games);
}

#[test]
fn a_game_too_long_for_the_file_is_refused_and_the_rest_is_kept() {
    let (_directory, path) = scratch();
    let ply = Ply { m: "7g7f".parse().unwrap(), eval: Eval::NONE };
    let (mut writer, _) = GameWriter::append(&path, Durability::Process).unwrap();
    let long = StoredGame { plies: vec![ply; 65536], ..StoredGame::empty() };
    assert!(matches!(writer.write(&long), Err(WriteError::TooLong { found: 65536 })));
    let longest = StoredGame { plies: vec![ply; 65535], ..StoredGame::empty() };
    writer.write(&longest).unwrap();
    writer.finish().unwrap();
    assert_eq!(read_all(&fs::read(&path).unwrap()).0, [longest]);
}

#[test]
fn positions_are_those_of_the_games() {
    let (_directory, path) = scratch();
    let games = random_set(11, 40, 60);
    append_blocks(&path, &[&games]);
    let bytes = fs::read(&path).unwrap();
    let mut positions = Positions::new(GameReader::new(&bytes[..]).unwrap());
    for game in &games {
        let mut expected = game.start.position().unwrap();
        for ply in &game.plies {
            let sample = positions.advance().unwrap().unwrap();
            assert_eq!((sample.m, sample.eval, sample.game), (ply.m, ply.eval, game));
            assert_eq!(*sample.position, expected);
            let outcome = game.result.map(|result| result.seen_by(expected.side()));
            assert_eq!(sample.result_for_mover, outcome);
            check_records(&sample.to_psv(), &sample.to_hcpe(), &expected, ply, outcome);
            expected.play(ply.m);
        }
    }
    assert!(positions.advance().unwrap().is_none() && positions.advance().unwrap().is_none());
}

fn check_records(
    psv: &Option<records::packed::Psv>,
    hcpe: &Option<records::packed::Hcpe>,
    position: &Position,
    ply: &Ply,
    outcome: Option<SideResult>,
) {
    let complete = ply.eval != Eval::NONE && outcome.is_some();
    assert_eq!((psv.is_some(), hcpe.is_some()), (complete, complete));
    let (Some(psv), Some(hcpe)) = (psv, hcpe) else { return };
    assert_eq!(psv.setup().unwrap(), position.setup());
    assert_eq!(hcpe.position.unpack().unwrap().board, position.setup().board);
    assert_eq!((psv.best.played(), Some(psv.result_for_mover)), (Some(ply.m), outcome));
    assert_eq!((hcpe.best, Some(hcpe.result.seen_by(position.side()))), (Some(ply.m), outcome));
    assert_eq!(Some(psv.score_for_mover), ply.eval.as_score());
}

#[test]
fn an_illegal_move_ends_its_game_and_not_the_file() {
    let (_directory, path) = scratch();
    let plies = |moves: &[&str]| -> Vec<Ply> {
        moves.iter().map(|m| Ply { m: m.parse().unwrap(), eval: Eval::score(1) }).collect()
    };
    let games: Vec<StoredGame> =
        [plies(&["7g7f", "5e5d", "2g2f"]), plies(&["P*5e"]), plies(&["7g7f", "3c3d", "8h2b+"])]
            .into_iter()
            .map(|plies| StoredGame { plies, ..StoredGame::empty() })
            .collect();
    append_blocks(&path, &[&games]);
    let bytes = fs::read(&path).unwrap();
    let mut positions = Positions::new(GameReader::new(&bytes[..]).unwrap());
    assert_eq!(positions.advance().unwrap().unwrap().m, games[0].plies[0].m);
    let error = positions.advance().unwrap_err();
    assert!(matches!(error, ReplayError::Illegal { offset: 40, index: 1, .. }));
    assert!(error.to_string().starts_with("game at byte 40, ply 1: 5e5d is illegal in lnsgkgsnl/"));
    assert!(matches!(positions.advance(), Err(ReplayError::Illegal { offset: 68, index: 0, .. })));
    for ply in &games[2].plies {
        assert_eq!(positions.advance().unwrap().unwrap().m, ply.m);
    }
    assert!(positions.advance().unwrap().is_none());
}

/// One block of `payload` with sound checksums, as a malicious writer would make it.
fn forged_file(header: &[u8], payload: &[u8], games: u32, plies: u32) -> Vec<u8> {
    let mut block = [&[0xB1, b'Y', b'G', b'\n'][..], &(payload.len() as u32).to_le_bytes()].concat();
    block.extend(games.to_le_bytes());
    block.extend(plies.to_le_bytes());
    block.extend(crc32fast::hash(payload).to_le_bytes());
    block.extend(crc32fast::hash(&block).to_le_bytes());
    [header, &block, payload].concat()
}

#[test]
fn forged_games_end_in_typed_errors() {
    let (_directory, path) = scratch();
    append_blocks(&path, &[&random_set(13, 4, 40)]);
    let bytes = fs::read(&path).unwrap();
    let (header, payload) = (&bytes[..FILE_HEADER], &bytes[FILE_HEADER + BLOCK_HEADER..]);
    let mut random = Random::new(14);
    let mut errors = 0;
    for _ in 0..5000 {
        let mut payload = payload.to_vec();
        for _ in 0..1 + random.below(3) {
            let at = random.below(payload.len());
            payload[at] = random.below(256) as u8;
        }
        let forged = forged_file(header, &payload, random.below(6) as u32, random.below(200) as u32);
        let mut positions = Positions::new(GameReader::new(&forged[..]).unwrap());
        loop {
            match positions.advance() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => errors += 1,
            }
        }
    }
    assert!(errors > 4000);
}

#[test]
fn a_replay_ends_in_the_final_position() {
    let game = &random_set(12, 1, 30)[0];
    let mut replay = Replay::new(game).unwrap();
    let mut shown = 0;
    while replay.advance().unwrap().is_some() {
        shown += 1;
    }
    assert_eq!((shown, replay.position().plies_played()), (game.plies.len(), game.plies.len()));
    assert!(replay.advance().unwrap().is_none());
    assert_eq!(replay.position().plies_played(), game.plies.len());
}

#[test]
fn a_start_that_is_no_position_is_a_typed_error() {
    let start = Start::Given { position: records::packed::PackedSfen([0xFF; 32]), ply: 1 };
    let game = StoredGame { start, ..StoredGame::empty() };
    assert!(matches!(Replay::new(&game), Err(ReplayError::Start { .. })));
}
