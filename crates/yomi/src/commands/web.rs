//! `yomi web`: the page in a browser.

use std::env;
use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueHint};
use web::{NamedPlayer, Settings, serve};

use crate::command_line::{bad_value, whole_number};
use crate::output::{self, note};

/// Serve a page for browsers: play against Yomi, analyse games, watch trees grow, compare players, look at runs.
///
/// The page is in the program: no network is needed and nothing is fetched from elsewhere. It prints its address and opens nothing;
/// Ctrl-C ends it. Games are kept below --data and go on after a restart.
///
/// By default only this machine can reach it. An address of another kind (--bind 0.0.0.0:8730) needs a --token, which every
/// browser must show once: open http://HOST:8730/?token=TOKEN, and a cookie keeps it. There is no encryption; put a proxy
/// with TLS before it where the network is not yours.
///
/// Visitors may describe players by specs, but name neither files nor programs of this machine: --player offers such ones by
/// name. A program of others plays games, at its own strength; one process for every search at once, at most. No other file of this machine can be reached than those below --runs. At most --searches searches run at once; others wait, and are told so.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Web {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8730")]
    bind: SocketAddr,

    /// What browsers must know: 8 or more letters, digits, - and _; needed unless only this machine can reach the page
    #[arg(long, value_name = "TOKEN", value_parser = read_token)]
    token: Option<String>,

    /// The folder for games; unless given, yomi/web below $XDG_DATA_HOME or ~/.local/share
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    data: Option<PathBuf>,

    /// A folder whose runs (matches, curves, self-play, trainings) the page shows, stops and starts
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    runs: Option<PathBuf>,

    /// A player that can be chosen by name, such as 'strong=alphabeta(net=nn.bin, threads=2)', or a USI program to play
    /// against, such as 'other=usi:/usr/games/engine(USI_Hash=64)'; may be given often
    #[arg(long = "player", value_name = "NAME=SPEC")]
    players: Vec<NamedPlayer>,

    /// Searches at once besides the moves of games; as many as there are cores, at least 2, unless given
    #[arg(long, value_name = "N", value_parser = whole_number(1..=256))]
    searches: Option<u32>,

    /// Connections at once; more wait
    #[arg(long, value_name = "N", default_value = "512", value_parser = whole_number(4..=65535))]
    connections: u32,
}

const EXAMPLES: &str = "\
Examples:
  yomi web                                           then open http://127.0.0.1:8730
  yomi web --runs runs/                              also show the runs of a folder
  yomi web --data games/ --searches 1
  yomi web --player 'own=alphabeta(threads=1, hash=64)'
  yomi web --bind 0.0.0.0:8730 --token a-long-secret";

fn read_token(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if text.len() >= 8 && text.chars().all(is_plain) {
        return Ok(text.to_owned());
    }
    Err("expected 8 or more letters, digits, - and _".to_owned())
}

/// Where programs keep what belongs to the user.
fn usual_folder() -> Option<PathBuf> {
    let named = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::home_dir().map(|home| home.join(".local").join("share"));
    Some(named.or_else(home)?.join("yomi").join("web"))
}

impl Web {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let Web { bind: address, token, data, runs, players, searches, connections } = self;
        if !address.ip().is_loopback() && token.is_none() {
            let message = format!("{address} can be reached from other machines: --token is needed");
            return Err(bad_value("web", message).into());
        }
        let data = data.or_else(usual_folder).context("there is no home folder; --data names one")?;
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let searches = searches.map_or(cores.max(2), |n| n as usize);
        let program = env::current_exe().ok();
        let connections = connections as usize;
        let patience = web::PATIENCE;
        let settings =
            Settings { address, token, data, runs, program, players, searches, connections, patience };
        runs::on_interrupt(|| note("ending; Ctrl-C again ends at once"))?;
        let mut told = Ok(());
        serve(settings, &runs::is_interrupted, &mut |address| {
            told = output::print(&format!("Yomi's page is at http://{address}\n"));
        })?;
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_addresses_and_cookies() {
        assert!(read_token("a-long_secret9").is_ok());
        for text in ["", "short", "has space in it", "semi;colon;;", "per%20cent%20", "ünïcödé-secret"] {
            assert!(read_token(text).is_err(), "{text}");
        }
    }
}
