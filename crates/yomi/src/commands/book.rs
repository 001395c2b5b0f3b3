//! `yomi book`: opening books.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use lab::book::{self, BookStats, Bounds, Collected, Origin, collect};
use records::book::db2016;
use serde::Serialize;
use serde_json::json;

use super::book_make::Make;
use super::book_show::Show;
use crate::command_line::whole_number;
use crate::output::{note, warn};
use crate::progress::LateBar;
use crate::target::{Force, Target};
use crate::{interrupt, output};

/// Opening books: make them by search or by counting, look into them, merge them.
///
/// A book is a file in YaneuraOu's format (DB2016), which most programs and boards read. A player of ours uses one by its spec,
/// 'alphabeta(book=book.db)', or by the option BookFile.
#[derive(Args)]
pub(crate) struct Book {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
// One value per process: its size does not matter.
#[allow(clippy::large_enum_variant)]
enum Work {
    Make(Make),
    Count(Count),
    Show(Show),
    Merge(Merge),
    Stats(Stats),
}

impl Book {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.work {
            Work::Make(make) => make.run(),
            Work::Count(count) => count.run(),
            Work::Show(show) => show.run(),
            Work::Merge(merge) => merge.run(),
            Work::Stats(stats) => stats.run(),
        }
    }
}

/// Where the positions of a book come from.
#[derive(Args)]
pub(super) struct BookInput {
    /// Files, or folders of records
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// What the files are
    #[arg(long, value_enum, default_value_t = From::Records)]
    from: From,

    /// The last ply of the book; players use one up to their BookMoves, 16 unless told otherwise
    #[arg(long, value_name = "PLY", default_value = "30", value_parser = whole_number(1..=512))]
    plies: u32,

    /// How often a position must have been met; 2 for records, else 1, unless given
    #[arg(long, value_name = "TIMES", value_parser = clap::value_parser!(u64).range(1..))]
    least: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum From {
    /// Games in any format: those of 'yomi selfplay', CSA, KIF and so on
    Records,
    /// Openings, one per line, as USI writes positions
    Openings,
    /// Other books: all their positions
    Book,
}

/// So many games that cannot be read are shown one by one.
const SHOWN: usize = 10;
/// How often something is said while much is read.
const SAY_EVERY: Duration = Duration::from_secs(60);

impl BookInput {
    /// The positions that were met often enough; warns of what could not be read.
    pub(super) fn collect(&self) -> anyhow::Result<Collected> {
        let origin = match self.from {
            From::Records => Origin::Records,
            From::Openings => Origin::Openings,
            From::Book => Origin::Books,
        };
        let usual = if self.from == From::Records { 2 } else { 1 };
        let bounds = Bounds { plies: self.plies as u16, least: self.least.unwrap_or(usual) };
        let (mut read, mut said) = (0_u64, Instant::now());
        let collected = collect(origin, &self.paths, bounds, &mut || {
            read += 1;
            if said.elapsed() >= SAY_EVERY {
                said = Instant::now();
                note(&format!("{read} read; everything is read twice"));
            }
        })?;
        collected.refused.iter().take(SHOWN).for_each(|refused| warn(refused));
        if collected.refused.len() > SHOWN {
            warn(&format!("{} more could not be read", collected.refused.len() - SHOWN));
        }
        Ok(collected)
    }
}

/// Where a book goes, and what is said about it.
#[derive(Args)]
pub(super) struct BookOutput {
    /// The book to write; - for standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) out: Target,

    #[command(flatten)]
    force: Force,

    /// End with one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl BookOutput {
    /// Finds before long work what would go wrong after it.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        self.out.check(self.force.existing())
    }

    /// Writes the book.
    pub(super) fn write(&self, book: &records::book::Book) -> anyhow::Result<()> {
        let mut bytes = Vec::new();
        db2016::write(book, &mut bytes)?;
        self.out.write(&bytes, self.force.existing())
    }

    /// Prints the result, unless standard output is the book itself.
    pub(super) fn print(&self, result: &impl Serialize, text: &str) -> anyhow::Result<()> {
        match self.out.path() {
            None => Ok(()),
            Some(_) if self.json => output::print(&(serde_json::to_string(result)? + "\n")),
            Some(_) => output::print(text),
        }
    }
}

/// Make a book of the moves that were played, with how often each was.
///
/// Nothing is searched, and moves have no values. Players choose among them with equal chances, or as often as they were
/// played with consider_book_count.
#[derive(Args)]
#[command(after_help = COUNT_EXAMPLES)]
struct Count {
    #[command(flatten)]
    input: BookInput,

    /// Moves for each position, the most frequent ones
    #[arg(long, value_name = "N", default_value = "4", value_parser = whole_number(1..=600))]
    moves: u32,

    #[command(flatten)]
    output: BookOutput,
}

const COUNT_EXAMPLES: &str = "\
Examples:
  yomi book count records/ --out counts.db
  yomi book count runs/games-1/games.yomi --least 2 --plies 20 --moves 2 --out counts.db
  yomi match --player 'alphabeta(book=a.db)' --player 'alphabeta(book=b.db, consider_book_count=true)' --games 400";

impl Count {
    fn run(self) -> anyhow::Result<()> {
        self.output.check()?;
        interrupt::take_over()?;
        let collected = self.input.collect()?;
        let book = book::count(&collected.positions, self.moves as usize)?;
        self.output.write(&book)?;
        let (read, stats) = (collected.read, book::stats(&book));
        let text = format!("read       {read}\npositions  {}\nmoves      {}\n", stats.positions, stats.moves);
        let json = json!({"read": read, "positions": stats.positions, "moves": stats.moves});
        self.output.print(&json, &text)
    }
}

/// Merge books into one.
///
/// All moves of a position stand together, at the smallest ply of any. Of a move that several books have, the one that was
/// searched deepest stands, among equals that of the later book; where no book has a value for it, the counts are added up.
/// ('yomi convert a.db b.db both.db' lets the later book have the last word about everything instead.)
#[derive(Args)]
#[command(after_help = MERGE_EXAMPLES)]
struct Merge {
    /// The books
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    books: Vec<PathBuf>,

    #[command(flatten)]
    output: BookOutput,
}

const MERGE_EXAMPLES: &str = "\
Examples:
  yomi book merge a.db b.db --out both.db
  yomi book merge a.db b.db --out -                 to standard output";

impl Merge {
    fn run(self) -> anyhow::Result<()> {
        self.output.check()?;
        let bar = LateBar::new();
        bar.expect(self.books.len());
        let mut books = Vec::new();
        for path in &self.books {
            books.push(load(path)?);
            bar.advance();
        }
        bar.finish();
        let united = records::book::Book::united(&books);
        self.output.write(&united)?;
        let read: usize = books.iter().map(records::book::Book::len).sum();
        let text = format!("books      {}\nread       {read}\npositions  {}\n", books.len(), united.len());
        let json = json!({"books": books.len(), "read": read, "positions": united.len()});
        self.output.print(&json, &text)
    }
}

fn load(path: &Path) -> anyhow::Result<records::book::Book> {
    db2016::load(path).with_context(|| format!("cannot use the book {}", path.display()))
}

/// Say what a book is like: its positions and moves, how deep they were searched, how far its own lines lead.
#[derive(Args)]
#[command(after_help = STATS_EXAMPLES)]
struct Stats {
    /// The book
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    book: PathBuf,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const STATS_EXAMPLES: &str = "\
Examples:
  yomi book stats a.db
  yomi book stats a.db --json";

impl Stats {
    fn run(self) -> anyhow::Result<()> {
        let stats = book::stats(&load(&self.book)?);
        output::print(&if self.json { serde_json::to_string(&stats)? + "\n" } else { stats_text(&stats) })
    }
}

fn stats_text(stats: &BookStats) -> String {
    let list = |counts: Vec<String>| counts.join(", ");
    let mut text = String::new();
    let _ = writeln!(text, "positions    {}", stats.positions);
    let _ = writeln!(text, "moves        {}, {} with a value", stats.moves, stats.with_value);
    if let Some(depth) = stats.mean_depth {
        let _ = writeln!(text, "depth        {depth:.1} on average");
    }
    let _ = writeln!(text, "illegal      {}", stats.illegal);
    let lines = format!("{} positions, {} plies at most", stats.reachable, stats.longest_line);
    let _ = writeln!(text, "from start   {lines}");
    let plies = stats.by_ply.iter().map(|(ply, count)| format!("{ply}: {count}"));
    let _ = writeln!(text, "by ply       {}", list(plies.collect()));
    let widths = stats.by_width.iter().map(|(moves, count)| format!("{moves}: {count}"));
    let _ = writeln!(text, "by moves     {}", list(widths.collect()));
    text
}
