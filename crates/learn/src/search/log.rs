//! The log of bets: a block for each game, appended whole, with a checksum. What a crash left half-written is cut off.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};

use search::alphabeta::{Bets, MoveBet, PIECES, ShortcutBet, ValueBet};

/// Counts of moves, values and shortcuts, checksum of what follows.
const HEADER: usize = 16;
const VALUE_SIZE: usize = 8 + PIECES;

/// The file.
pub(super) struct BetFile {
    path: PathBuf,
    file: File,
    games: u64,
    bets: u64,
}

impl BetFile {
    /// Opens or begins a log.
    pub(super) fn open(path: &Path) -> io::Result<BetFile> {
        let file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
        let mut log = BetFile { path: path.to_owned(), file, games: 0, bets: 0 };
        let mut whole = 0;
        let mut reader = BufReader::new(File::open(path)?);
        while let Some((bytes, counts)) = read_block(&mut reader)? {
            whole += (HEADER + bytes.len()) as u64;
            log.games += 1;
            log.bets += counts.iter().sum::<usize>() as u64;
        }
        log.file.set_len(whole)?;
        Ok(log)
    }

    pub(super) fn games(&self) -> u64 {
        self.games
    }

    pub(super) fn bets(&self) -> u64 {
        self.bets
    }

    /// Appends the bets of a game.
    pub(super) fn append(&mut self, bets: &Bets) -> io::Result<()> {
        let counts = [bets.moves.len(), bets.values.len(), bets.shortcuts.len()];
        let mut body = Vec::with_capacity(length(counts));
        bets.moves.iter().for_each(|bet| body.extend(bet.to_bytes()));
        for bet in &bets.values {
            body.extend(
                [bet.static_eval, bet.value, bet.depth, i16::from(bet.stage)].map(i16::to_le_bytes).concat(),
            );
            body.extend(bet.pieces.map(i8::cast_unsigned));
        }
        bets.shortcuts.iter().for_each(|bet| body.extend(bet.to_bytes()));
        let [moves, values, shortcuts] = counts.map(|count| count as u32);
        let header = [moves, values, shortcuts, crc32fast::hash(&body)].map(u32::to_le_bytes).concat();
        self.file.write_all(&[header, body].concat())?;
        self.file.sync_data()?;
        self.games += 1;
        self.bets += counts.iter().sum::<usize>() as u64;
        Ok(())
    }

    /// All bets, in two heaps: of the games that `apart` does not name, and of those that it does.
    pub(super) fn read(&self, apart: impl Fn(u64) -> bool) -> io::Result<(Bets, Bets)> {
        let mut heaps = (Bets::default(), Bets::default());
        let mut reader = BufReader::new(File::open(&self.path)?);
        let mut game = 0;
        while let Some((bytes, [moves, values, _])) = read_block(&mut reader)? {
            let heap = if apart(game) { &mut heaps.1 } else { &mut heaps.0 };
            let (moves, rest) = bytes.split_at(moves * MoveBet::SIZE);
            let (values, shortcuts) = rest.split_at(values * VALUE_SIZE);
            heap.moves.extend(moves.as_chunks().0.iter().filter_map(MoveBet::from_bytes));
            heap.values.extend(values.as_chunks().0.iter().filter_map(value_bet));
            heap.shortcuts.extend(shortcuts.as_chunks().0.iter().filter_map(ShortcutBet::from_bytes));
            game += 1;
        }
        Ok(heaps)
    }
}

fn value_bet(bytes: &[u8; VALUE_SIZE]) -> Option<ValueBet> {
    let short = |at: usize| i16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let stage =
        u8::try_from(short(6)).ok().filter(|&stage| usize::from(stage) < search::alphabeta::STAGES)?;
    let pieces = std::array::from_fn(|i| bytes[8 + i].cast_signed());
    Some(ValueBet { static_eval: short(0), value: short(2), depth: short(4), stage, pieces })
}

/// The bytes of so many moves, values and shortcuts.
fn length([moves, values, shortcuts]: [usize; 3]) -> usize {
    moves * MoveBet::SIZE + values * VALUE_SIZE + shortcuts * ShortcutBet::SIZE
}

/// The bytes of a block, and how many moves, values and shortcuts they are.
type Block = (Vec<u8>, [usize; 3]);

/// The next whole block; `None` at the end or where the file is damaged.
fn read_block(reader: &mut impl Read) -> io::Result<Option<Block>> {
    let mut header = Vec::new();
    reader.take(HEADER as u64).read_to_end(&mut header)?;
    let Ok(header) = <[u8; HEADER]>::try_from(header) else { return Ok(None) };
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let counts = [0, 4, 8].map(|at| word(at) as usize);
    let length = length(counts);
    let mut body = Vec::new();
    reader.take(length as u64).read_to_end(&mut body)?;
    let is_whole = body.len() == length && crc32fast::hash(&body) == word(12);
    Ok(is_whole.then_some((body, counts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::alphabeta::{Features, Shortcut};

    fn bets(count: u16) -> Bets {
        let features = Features {
            cells: [1, -2, 3, -4],
            actor: 5,
            taken: shogi::PieceKind::from_index(3),
            relations: [1, 2, 3],
            flags: 9,
        };
        let of_move = |number| MoveBet {
            node: 77,
            features,
            role: 2,
            number,
            depth: 321,
            below_alpha: -54,
            stage: 6,
            rising: true,
            is_hash_move: false,
            is_shuffled: number > 2,
            raised: number == 3,
        };
        let value = ValueBet { static_eval: -120, value: 340, depth: 128, stage: 2, pieces: [-3; PIECES] };
        let shortcut = Shortcut::Futility;
        let (nodes, spent) = (70_000, 90_000);
        let (is_taken, is_wrong) = (false, true);
        let bet = ShortcutBet {
            shortcut,
            plies: 7,
            role: 1,
            is_taken,
            is_wrong,
            nodes,
            gap: -300,
            stage: 7,
            is_drop: true,
            less: 99,
            spent,
        };
        let moves = (1..=count).map(of_move).collect();
        Bets { moves, values: vec![value; 2], shortcuts: vec![bet; usize::from(count) / 2] }
    }

    #[test]
    fn games_come_back_and_a_torn_end_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bets.log");
        let mut file = BetFile::open(&path).unwrap();
        for count in [4, 0, 7] {
            file.append(&bets(count)).unwrap();
        }
        let whole = std::fs::metadata(&path).unwrap().len();
        let (others, second) = file.read(|game| game == 1).unwrap();
        assert_eq!(second, bets(0));
        assert_eq!(others.moves, [bets(4).moves, bets(7).moves].concat());
        assert_eq!(others.shortcuts, [bets(4).shortcuts, bets(7).shortcuts].concat());
        File::options().append(true).open(&path).unwrap().write_all(&[3; 40]).unwrap();
        let again = BetFile::open(&path).unwrap();
        assert_eq!((again.games(), again.bets()), (3, 22));
        assert_eq!(std::fs::metadata(&path).unwrap().len(), whole);
        File::options().write(true).open(&path).unwrap().set_len(whole - 1).unwrap();
        assert_eq!(BetFile::open(&path).unwrap().games(), 2);
    }
}
