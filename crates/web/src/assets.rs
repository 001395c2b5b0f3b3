//! The style sheet and the modules of the page, which are part of the program.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::refusal::Refusal;

const SHEET: &str = "text/css; charset=utf-8";
const MODULE: &str = "text/javascript; charset=utf-8";

/// A file of the page.
struct Asset {
    name: &'static str,
    kind: &'static str,
    text: String,
    tag: String,
}

macro_rules! asset {
    ($name:literal, $kind:expr) => {
        ($name, $kind, include_str!(concat!("../assets/", $name)))
    };
}

/// In the order of their names.
const FILES: &[(&str, &str, &str)] = &[
    asset!("analyse.js", MODULE),
    asset!("board.js", MODULE),
    asset!("compare.js", MODULE),
    asset!("explanation.js", MODULE),
    asset!("game.js", MODULE),
    asset!("game_tree.js", MODULE),
    asset!("graph.js", MODULE),
    asset!("lab.js", MODULE),
    asset!("lines.js", MODULE),
    asset!("page.js", MODULE),
    asset!("position.js", MODULE),
    asset!("record_input.js", MODULE),
    asset!("record_output.js", MODULE),
    asset!("run.js", MODULE),
    asset!("setup.js", MODULE),
    asset!("sound.js", MODULE),
    asset!("streams.js", MODULE),
    asset!("style.css", SHEET),
    asset!("trees.js", MODULE),
];

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let asset = |&(name, kind, text): &(&'static str, &'static str, &'static str)| {
        // The colours and pictures of plot come first.
        let text = if kind == SHEET { plot::site_sheet() + text } else { text.to_owned() };
        let digest = Sha256::digest(text.as_bytes());
        let tag = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<String>();
        Asset { name, kind, text, tag: format!("\"{tag}\"") }
    };
    FILES.iter().map(asset).collect()
});

/// The whole style sheet.
pub(crate) fn sheet() -> String {
    plot::site_sheet() + text_of("style.css")
}

/// Modules as one script for a page that is one file, each after those that it imports.
pub(crate) fn bundle(modules: &[&str]) -> String {
    let lines = modules.iter().flat_map(|name| text_of(name).lines());
    let kept = lines.filter(|line| !line.starts_with("import "));
    kept.map(|line| line.strip_prefix("export ").unwrap_or(line).to_owned() + "\n").collect()
}

fn text_of(wanted: &str) -> &'static str {
    FILES.iter().find(|(name, _, _)| *name == wanted).map_or("", |(_, _, text)| text)
}

/// One of the files; a browser that has it already is told so.
pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Refusal> {
    let found = ASSETS.iter().find(|asset| asset.name == name);
    let Asset { kind, text, tag, .. } = found.ok_or_else(|| Refusal::missing("file"))?;
    let keep = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "no-cache")];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, keep).into_response());
    }
    Ok((keep, [(header::CONTENT_TYPE, *kind)], text.as_str()).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module may import only what is served beside it.
    #[test]
    fn modules_import_only_each_other_and_fetch_nothing_from_elsewhere() {
        for (name, kind, text) in FILES {
            assert!(!text.contains("http://") && !text.contains("https://"), "{name}");
            assert!(!text.contains("innerHTML") && !text.contains("eval("), "{name}: text must stay text");
            for import in text.lines().filter(|line| line.starts_with("import ")) {
                let from = import.split('"').nth(1).unwrap_or_default();
                let known = FILES.iter().any(|(other, _, _)| from == format!("./{other}"));
                assert!(*kind == MODULE && known, "{name}: {import}");
            }
        }
    }
}
