//! How fast packed positions and the compact file are: `cargo bench -p records --bench compact`.
//!
//! Plays random games by itself, in memory where it can, so that the processor is measured and not the disk.
//! `-- write FILE GAMES` writes random games to a file instead, for measuring `yomi convert`.

#[path = "../tests/random_games/mod.rs"]
mod random_games;

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use random_games::{Random, random_moves};
use records::compact::{
    Durability, EndCode, Eval, GameReader, GameWriter, Ply, Positions, Start, StoredGame,
};
use records::game::GameResult;
use records::packed::{Hcp, PackedSfen, PsvReader, RecordWriter};
use shogi::{DeclarationRule, Position, Setup};

const GAMES: usize = 2000;
const ROUNDS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, word, path, count, ..] = arguments.as_slice()
        && word == "write"
    {
        return write(path.as_ref(), &play_games(count.parse().expect("a number of games")));
    }
    let games = play_games(GAMES);
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let directory = tempfile::tempdir().expect("a scratch directory");
    let path = directory.path().join("games");
    println!("{GAMES} games, {plies} positions; best of {ROUNDS}");

    let write_again = || {
        let _ = std::fs::remove_file(&path);
        write(&path, &games);
    };
    measure("write games", plies, plies * 4 + GAMES * 16, write_again);
    let bytes = std::fs::read(&path).expect("the file just written");
    measure("read games", plies, bytes.len(), || {
        let mut reader = GameReader::new(&bytes[..]).expect("our file");
        let mut game = StoredGame::empty();
        while reader.read_into(&mut game).expect("whole games") {
            black_box(&game);
        }
    });
    measure("read positions", plies, bytes.len(), || {
        let mut positions = Positions::new(GameReader::new(&bytes[..]).expect("our file"));
        while let Some(sample) = positions.advance().expect("legal moves") {
            black_box(sample.m);
        }
    });
    measure("convert to psv", plies, bytes.len(), || drop(black_box(to_psv(&bytes))));
    measure_packing(&to_psv(&bytes));
}

fn write(path: &Path, games: &[StoredGame]) {
    let (mut writer, _) = GameWriter::append(path, Durability::Process).expect("a new file");
    for game in games {
        writer.write(game).expect("room on the disk");
    }
    writer.flush().expect("room on the disk");
}

fn to_psv(bytes: &[u8]) -> Vec<u8> {
    let mut positions = Positions::new(GameReader::new(bytes).expect("our file"));
    let mut writer = RecordWriter::new(Vec::new());
    while let Some(sample) = positions.advance().expect("legal moves") {
        writer.write(&sample.to_psv().expect("a score and a result")).expect("memory");
    }
    writer.finish().expect("memory")
}

fn measure_packing(psv: &[u8]) {
    let records: Vec<_> = PsvReader::new(psv).map(|record| record.expect("our record")).collect();
    let setups: Vec<Setup> = records.iter().map(|record| record.setup().expect("our position")).collect();
    let hcps: Vec<Hcp> = setups.iter().map(|setup| Hcp::pack(setup).expect("a full set")).collect();
    let count = records.len();
    measure("read psv records", count, psv.len(), || {
        PsvReader::new(psv).for_each(|record| drop(black_box(record)));
    });
    measure("unpack PackedSfen", count, count * 32, || {
        records.iter().for_each(|record| drop(black_box(record.position.unpack())));
    });
    measure("unpack hcp", count, count * 32, || hcps.iter().for_each(|hcp| drop(black_box(hcp.unpack()))));
    measure("pack PackedSfen", count, count * 32, || {
        setups.iter().for_each(|setup| {
            let _ = black_box(PackedSfen::pack(setup));
        });
    });
    measure("psv to Position", count, psv.len(), || {
        records.iter().for_each(|record| {
            let setup = record.setup().expect("our position");
            drop(black_box(Position::new(&setup)));
        });
    });
}

fn play_games(count: usize) -> Vec<StoredGame> {
    let mut random = Random::new(1);
    (0..count)
        .map(|_| {
            let moves = random_moves(&mut random, &Position::start(), 160);
            StoredGame {
                start: Start::Usual,
                result: Some(GameResult::Draw),
                end: EndCode::MaxMoves,
                rule: DeclarationRule::Points27,
                max_plies: 160,
                seed: random.next(),
                plies: moves
                    .into_iter()
                    .map(|m| Ply { m, eval: Eval::score(random.below(2000) as i32 - 1000) })
                    .collect(),
            }
        })
        .collect()
}

/// Prints the best of some rounds: the others were disturbed.
fn measure(name: &str, positions: usize, bytes: usize, mut work: impl FnMut()) {
    let best = (0..ROUNDS)
        .map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    let (per_second, megabytes) = (positions as f64 / best / 1e6, bytes as f64 / best / 1e6);
    println!("{name:20} {per_second:8.2} M positions/s {megabytes:9.1} MB/s");
}
