//! The commands, one file each.

mod analyse;
mod bench;
mod book;
mod book_make;
mod book_show;
mod completions;
mod convert;
mod curve;
mod data;
mod explain;
mod fit;
mod learn;
mod learn_linear;
mod learn_loop;
mod learn_mate;
mod learn_search;
mod learn_softmax;
mod learn_time;
mod man;
mod match_games;
mod mate;
mod net_match;
mod openings;
mod perft;
mod report;
mod selfplay;
mod show;
mod study;
mod tree;
mod tune;
mod tune_kinds;
mod tune_screen;
mod usi;
mod web;

use clap::Subcommand;

pub(crate) use usi::Usi;

/// Everything that `yomi` can be asked to do.
#[derive(Subcommand)]
// One value per process: its size does not matter.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Command {
    Usi(usi::Usi),
    Analyse(analyse::Analyse),
    Bench(bench::Bench),
    Book(book::Book),
    Convert(convert::Convert),
    Curve(curve::Curve),
    Data(data::Data),
    Explain(explain::Explain),
    Fit(fit::Fit),
    Learn(learn::Learn),
    Mate(mate::Mate),
    #[command(name = "match")]
    Match(match_games::MatchGames),
    Openings(openings::Openings),
    Perft(perft::Perft),
    Report(report::Report),
    Selfplay(selfplay::Selfplay),
    Show(show::Show),
    Study(study::Study),
    Tree(tree::Tree),
    Tune(tune::Tune),
    Web(web::Web),
    Completions(completions::Completions),
    Man(man::ManPage),
}

impl Command {
    /// Runs the command to its end.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Usi(usi) => usi.run(),
            Command::Analyse(analyse) => analyse.run(),
            Command::Bench(bench) => bench.run(),
            Command::Book(book) => book.run(),
            Command::Convert(convert) => convert.run(),
            Command::Curve(curve) => curve.run(),
            Command::Data(data) => data.run(),
            Command::Explain(explain) => explain.run(),
            Command::Fit(fit) => fit.run(),
            Command::Learn(learn) => learn.run(),
            Command::Mate(mate) => mate.run(),
            Command::Match(games) => games.run(),
            Command::Openings(openings) => openings.run(),
            Command::Perft(perft) => perft.run(),
            Command::Report(report) => report.run(),
            Command::Selfplay(selfplay) => selfplay.run(),
            Command::Show(show) => show.run(),
            Command::Study(study) => study.run(),
            Command::Tree(tree) => tree.run(),
            Command::Tune(tune) => tune.run(),
            Command::Web(web) => web.run(),
            Command::Completions(completions) => completions.run(),
            Command::Man(man) => man.run(),
        }
    }
}
