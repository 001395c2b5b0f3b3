//! Where the results of an analysis go: a file, or a folder with a file for each game.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use records::convert::{FileFormat, GameFiles};
use records::text::Format;
use records::whole_file::{Existing, WholeFile};

use super::games::Found;
use super::wrong;
use crate::target::Target;

/// One kind of result, of one game or of many.
pub(super) enum Results {
    /// All in one: what has come so far.
    One { target: Target, between: &'static [u8], bytes: Vec<u8> },
    /// A file for each.
    Folder { files: GameFiles, existing: Existing },
}

impl Results {
    /// Annotated records. More than one game needs a format that holds many, or a folder.
    pub(super) fn records(
        target: &Target,
        format: Format,
        games: &[Found],
        existing: Existing,
    ) -> anyhow::Result<Results> {
        if let Some(folder) = folder(target) {
            return Results::folder(folder, FileFormat::Text(format).extension(), existing);
        }
        if games.len() > 1 && !FileFormat::Text(format).holds_many() {
            bail!(wrong(format!(
                "{} games do not fit into one file of this format; a folder, as '--out DIR/ --to kifu', gets a file for each",
                games.len()
            )));
        }
        target.check(existing)?;
        let between: &[u8] = if matches!(format, Format::Csa | Format::CsaV3) { b"/\n" } else { b"" };
        Ok(Results::One { target: target.clone(), between, bytes: Vec::new() })
    }

    /// Pictures, one for each game.
    pub(super) fn pictures(target: &Target, games: &[Found], existing: Existing) -> anyhow::Result<Results> {
        Results::of_one_each(target, games, existing, ("picture", "svg"))
    }

    /// Pages, one for each game.
    pub(super) fn pages(target: &Target, games: &[Found], existing: Existing) -> anyhow::Result<Results> {
        Results::of_one_each(target, games, existing, ("page", "html"))
    }

    fn of_one_each(
        target: &Target,
        games: &[Found],
        existing: Existing,
        (kind, extension): (&str, &'static str),
    ) -> anyhow::Result<Results> {
        if let Some(folder) = folder(target) {
            return Results::folder(folder, extension, existing);
        }
        if games.len() > 1 {
            bail!(wrong(format!("a {kind} shows one game, not {}; a folder gets one for each", games.len())));
        }
        target.check(existing)?;
        Ok(Results::One { target: target.clone(), between: b"", bytes: Vec::new() })
    }

    fn folder(folder: &Path, extension: &'static str, existing: Existing) -> anyhow::Result<Results> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Results::Folder { files: GameFiles::new(folder, extension), existing })
    }

    /// Takes the result of a game; a folder has its file at once.
    pub(super) fn take(&mut self, found: &Found, result: &[u8]) -> anyhow::Result<()> {
        match self {
            Results::One { between, bytes, .. } => {
                if !bytes.is_empty() {
                    bytes.extend_from_slice(between);
                }
                bytes.extend_from_slice(result);
                Ok(())
            }
            Results::Folder { files, existing } => {
                let path = files.free_path(&found.stem, (!found.is_only).then_some(found.number));
                let written = || {
                    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
                    let mut file = WholeFile::begin(&path)?;
                    file.write_all(result)?;
                    file.complete_unsynced(*existing)
                };
                written().with_context(|| format!("cannot write {}", path.display()))
            }
        }
    }

    /// Writes what has been gathered.
    pub(super) fn complete(self, existing: Existing) -> anyhow::Result<()> {
        match self {
            Results::One { target, bytes, .. } if !bytes.is_empty() => target.write(&bytes, existing),
            _ => Ok(()),
        }
    }
}

/// The folder that a target names: one that is there, or a name that ends in a slash.
pub(super) fn folder(target: &Target) -> Option<&PathBuf> {
    let Target::File(path) = target else { return None };
    (path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir()).then_some(path)
}
