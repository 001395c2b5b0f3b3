//! A folder with small files under all the names that examples speak of.

use std::fs;
use std::path::Path;

const GAME: &str = "\
手合割：平手
先手：Hanako
後手：Taro
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:03/00:00:03)
   2 ３四歩(33)   ( 0:02/00:00:02)
   3 ２六歩(27)   ( 0:01/00:00:04)
   4 投了         ( 0:01/00:00:03)
";
const BOOK: &str = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f 3c3d 30 32 9\n";
const OPENINGS: &str = "7g7f 3c3d\n2g2f 8c8d\n";
const PROBLEM: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1\n";

/// Fills an empty folder; `yomi` runs a command in it.
pub(crate) fn fill(folder: &Path, yomi: &dyn Fn(&[&str])) {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    write("game.kif", GAME);
    write("a.db", BOOK);
    write("b.db", BOOK);
    write("openings.sfen", OPENINGS);
    write("problems.sfen", PROBLEM);
    write("classics.tsv", PROBLEM);
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets/yomi.nn.bin");
    fs::copy(net, folder.join("nn.bin")).expect("the net");
    for program in ["new", "old", "other"] {
        // A link where both are on one disk: the program is large.
        let (ours, copy) = (env!("CARGO_BIN_EXE_yomi"), folder.join(program));
        fs::hard_link(ours, &copy).or_else(|_| fs::copy(ours, &copy).map(drop)).expect("the program");
    }
    for run in ["runs/net-1", "runs/soft-1"] {
        fs::create_dir_all(folder.join(run)).expect("a folder");
        fs::hard_link(folder.join("nn.bin"), folder.join(run).join("nn.bin")).expect("a link");
    }

    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    fs::create_dir_all(folder.join("studies")).expect("a folder");
    copy(&studies, &folder.join("studies"));

    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../search/models/alphabeta.model");
    for bets in ["runs/bets-1", "runs/bets-2", "runs/time-1"] {
        fs::create_dir_all(folder.join(bets)).expect("a folder");
        fs::copy(model, folder.join(bets).join("alphabeta.model")).expect("the model");
    }

    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/../eval/weights/linear.weights");
    fs::create_dir_all(folder.join("runs/linear-1")).expect("a folder");
    fs::copy(weights, folder.join("runs/linear-1/linear.weights")).expect("the weights");

    // Games in which whoever stood better won: a fit is refused otherwise.
    let selfplay =
        ["selfplay", "--nodes", "30", "--games", "16", "--max-moves", "120", "--seed", "9", "--out"];
    yomi(&[selfplay.as_slice(), &["runs/games-1"]].concat());
    yomi(&[selfplay.as_slice(), &["runs/games-2"]].concat());
    for data in ["runs/data-1", "runs/data-2"] {
        yomi(&["data", "runs/games-1", "--validation", "0.5", "--out", data]);
    }
    let players = ["match", "--player", "alphabeta", "--player", "alphabeta(eval=material)"];
    let limits = ["--nodes", "50", "--games", "2", "--max-moves", "20", "--out", "runs/new-old"];
    yomi(&[players.as_slice(), &limits].concat());
    yomi(&["learn", "loop", "--hours", "0.0000001", "--out", "runs/loop-0"]);
    yomi(&["convert", "game.kif", "game.csa"]);
    yomi(&["convert", "runs/games-1/games.yomi", "games.csa"]);
    for copy in ["all.yomi", "train.psv", "teacher.psv", "more.hcpe"] {
        yomi(&["convert", "runs/games-1/games.yomi", copy]);
    }
    for games in ["games", "records"] {
        fs::create_dir(folder.join(games)).expect("a folder");
        fs::copy(folder.join("games.csa"), folder.join(games).join("games.csa")).expect("a copy");
    }
}

/// Copies a folder with all that is in it. Large files, which nobody changes, are the same in both.
pub(crate) fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("an entry");
        let to = to.join(name);
        if path.is_dir() {
            fs::create_dir_all(&to).expect("a folder");
            copy(&path, &to);
        } else if path.metadata().expect("a file").len() > 1 << 20 {
            fs::hard_link(&path, &to).expect("a link");
        } else {
            fs::copy(&path, &to).expect("a copy");
        }
    }
}

/// Removes a file or folder that may be there.
pub(crate) fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}
