//! Refusals in Japanese. They are written in English where they are made; a sentence that is known becomes a Japanese one, and of others
//! it is said by their code what is wrong, with the English detail behind it.

/// English, Japanese.
const SENTENCES: &[(&str, &str)] = &[
    // Players and levels.
    ("this player has its own strength: no level can be chosen", "このプレイヤーのレベルは選べません。"),
    ("a level is a number from 0 to 20", "レベルは0から20までの数です。"),
    ("a match needs players described by specs", "連続対局のプレイヤーはspecで指定してください。"),
    ("this player plays games and does nothing else here", "このプレイヤーは対局専用です。"),
    ("a player is described in at most 1000 letters", "プレイヤーの指定は1000文字までです。"),
    ("only softmax, mcss and uct keep a tree", "探索木を保持するのはsoftmax、mcss、uctだけです。"),
    // Games.
    ("too many games at once; try again later", "対局が多すぎます。しばらくしてからやり直してください。"),
    ("the folder of games is full", "対局の保存先がいっぱいです。"),
    ("the game has gone on meanwhile", "その間に対局が進みました。"),
    ("the game is over", "対局は終了しています。"),
    ("the time is up", "時間切れです。"),
    ("there is no move to take back", "待ったできる手がありません。"),
    ("the conditions of a declaration are not fulfilled", "宣言の条件を満たしていません。"),
    (
        "expected startpos, a handicap or an SFEN",
        "開始局面はstartpos、手合割、SFENのいずれかで指定してください。",
    ),
    ("the game would be over before it began", "この局面はすでに終局しています。"),
    ("no game can begin there", "この局面からは対局を始められません。"),
    ("expected some seconds, at most a day", "持ち時間は1秒以上、1日以下にしてください。"),
    ("this is somebody else's game: you can watch it", "ほかの人の対局です。観戦はできます。"),
    ("it is the other player's turn", "相手の手番です。"),
    // Analysis.
    ("the game is too long", "手数が多すぎます。"),
    ("a game without moves has no mistakes", "指し手がないので悪手もありません。"),
    ("expected a start and at most 20000 moves", "棋譜は開始局面と20000手までの指し手です。"),
    ("a move must follow one that came before it", "指し手の順序が正しくありません。"),
    ("too many variations inside one another", "変化の入れ子が深すぎます。"),
    (
        "you have several searches already; close a page or wait a moment",
        "同時に動かせる探索の数を超えました。ページを閉じるか、少し待ってください。",
    ),
    (
        "too many searches are waiting already; try again later",
        "順番待ちの探索が多すぎます。しばらくしてからやり直してください。",
    ),
    // The laboratory.
    ("a run's name is made of letters, digits, - and _", "実験の名前に使えるのは英数字と - と _ です。"),
    ("there is a run of this name already", "同じ名前の実験があります。"),
    ("the file is too large to be shown", "ファイルが大きすぎて表示できません。"),
    ("expected a share from 0.01 to 0.5", "割合は0.01から0.5までです。"),
    ("expected a share above 0, up to 1", "割合は0より大きく1以下です。"),
    ("the server was started without --runs", "サーバーは --runs なしで起動されています。"),
    (
        "only runs that were started from this page can go on from it",
        "このページから再開できるのは、ここで始めた実験だけです。",
    ),
    ("nothing can be started here", "ここでは実験を始められません。"),
    ("a run is at work already; stop it first", "ほかの実験が動いています。先に止めてください。"),
    // Requests.
    (
        "this server wants its token, as ?token=… once or as a bearer",
        "このサーバーにはトークンが必要です。一度 ?token=… を付けて開くか、bearerとして送ってください。",
    ),
    ("this address is asked in another way", "このアドレスではその操作を受け付けません。"),
    ("the body took too long", "データの受信に時間がかかりすぎました。"),
];

/// By code, what is wrong; what exactly stands in the English sentence.
const LEADS: &[(&str, &str)] = &[
    ("player", "プレイヤーの指定が正しくありません"),
    ("position", "局面を読み取れません"),
    ("start", "開始局面を読み取れません"),
    ("record", "棋譜を読み取れません"),
    ("illegal", "指せない手です"),
    ("run", "対象の実験が違います"),
    ("arch", "ネットの種類が正しくありません"),
    ("nodes", "ノード数が範囲外です"),
    ("games", "対局数が範囲外です"),
    ("epochs", "エポック数が範囲外です"),
    ("turns", "回数が範囲外です"),
    ("json", "データの形が正しくありません"),
    ("query", "アドレスの指定が正しくありません"),
    ("content-type", "データの種類が違います"),
    ("too-large", "データが大きすぎます"),
    ("not-found", "見つかりませんでした"),
    ("fault", "サーバー側で問題が起きました"),
];

/// A refusal in Japanese.
pub(crate) fn japanese(code: &str, message: &str) -> String {
    if let Some((_, sentence)) = SENTENCES.iter().find(|(english, _)| *english == message) {
        return (*sentence).to_owned();
    }
    let lead = LEADS.iter().find(|(known, _)| *known == code);
    format!("{}（{message}）", lead.map_or("受け付けられませんでした", |(_, lead)| lead))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The refusals of a source: what stands between `Refusal::` and the end of the statement.
    fn refusals(text: &str) -> impl Iterator<Item = &str> {
        text.split("Refusal::").skip(1).filter_map(|rest| rest.split(";\n").next())
    }

    fn sources(folder: &Path, texts: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, texts);
            } else if !path.ends_with("refusal.rs") && !path.ends_with("refusal_words.rs") {
                texts.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }

    #[test]
    fn every_refusal_has_japanese_words() {
        let mut texts = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut texts);
        let made: Vec<&str> = texts.iter().flat_map(|text| refusals(text)).collect();
        assert!(made.len() > 50);
        for refusal in made {
            let Some((how, rest)) = refusal.split_once('(') else { continue };
            let quoted: Vec<&str> = rest.split('"').skip(1).step_by(2).collect();
            let known = |text: &&str| SENTENCES.iter().any(|(english, _)| english == text);
            let has_lead = match how {
                // What is out of bounds is named where the bounds are.
                "bad" if rest.starts_with("code,") => true,
                "bad" | "new" => {
                    quoted.first().is_some_and(|code| LEADS.iter().any(|(lead, _)| lead == code))
                }
                // Their code says all that a visitor needs, or they come before there is a visitor.
                "missing" | "fault" | "forbidden" => true,
                _ => false,
            };
            assert!(has_lead || quoted.iter().any(known), "there are no words for: Refusal::{refusal}");
        }
    }

    #[test]
    fn a_detail_follows_what_is_wrong() {
        assert_eq!(japanese("over", "the game is over"), "対局は終了しています。");
        let said = japanese("position", "7g7e is not legal");
        assert_eq!(said, "局面を読み取れません（7g7e is not legal）");
    }
}
