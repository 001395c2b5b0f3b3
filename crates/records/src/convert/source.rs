//! What is to be converted: files, and files in folders.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{FileFormat, FormatError, Reason};

/// A file to convert.
#[derive(Debug)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// What files made from it are called, without extension; below the folder it was found in.
    pub name: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// What it seems to hold, or why it cannot be read.
    pub format: Result<SourceFormat, Reason>,
}

/// How a file is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceFormat {
    /// In this format.
    Known(FileFormat),
    /// As text whose format it shows by itself.
    AnyText,
}

impl Source {
    /// A single file. Without a format its name tells it, else its first bytes.
    #[must_use]
    pub fn file(path: &Path, from: Option<FileFormat>) -> Source {
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        Source::named(path, &name, from)
    }

    fn named(path: &Path, name: &Path, from: Option<FileFormat>) -> Source {
        let bytes = fs::metadata(path).map_or(0, |found| found.len());
        let format = match from {
            Some(format) => Ok(SourceFormat::Known(format)),
            None => format_of(path),
        };
        Source { path: path.to_owned(), name: name.with_extension(""), bytes, format }
    }
}

/// The files that are named, and those in the folders that are named, however deep, in the order of their
/// names. In folders only files whose extension promises something readable are taken, unless `from` says
/// what they all are; hidden ones never.
#[must_use]
pub fn gather(inputs: &[PathBuf], from: Option<FileFormat>) -> Vec<Source> {
    let mut sources = Vec::new();
    for input in inputs {
        if input.is_dir() {
            gather_folder(input, Path::new(""), from, &mut sources);
        } else {
            sources.push(Source::file(input, from));
        }
    }
    sources
}

fn gather_folder(folder: &Path, name: &Path, from: Option<FileFormat>, sources: &mut Vec<Source>) {
    let mut entries = match fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
        Ok(entries) => entries,
        Err(error) => {
            let format = Err(Reason::Read(error));
            sources.push(Source { path: folder.to_owned(), name: name.to_owned(), bytes: 0, format });
            return;
        }
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), name.join(entry.file_name()));
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        // Folders behind links are left out: they may lead in circles.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            gather_folder(&path, &name, from, sources);
        } else if path.is_file()
            && (from.is_some() || FileFormat::of_path(&path) != Err(FormatError::UnknownExtension))
        {
            sources.push(Source::named(&path, &name, from));
        }
    }
}

fn format_of(path: &Path) -> Result<SourceFormat, Reason> {
    match FileFormat::of_path(path) {
        Ok(format) => Ok(SourceFormat::Known(format)),
        Err(FormatError::UnknownExtension) => {
            let mut head = Vec::new();
            fs::File::open(path)
                .and_then(|file| file.take(32).read_to_end(&mut head))
                .map_err(Reason::Read)?;
            Ok(match head.as_slice() {
                [b'Y', b'O', b'M', b'I', b'G', b'A', b'M', b'E', ..] => {
                    SourceFormat::Known(FileFormat::Compact)
                }
                head if head.starts_with(b"#YANEURAOU-DB2016") => SourceFormat::Known(FileFormat::Db2016),
                _ => SourceFormat::AnyText,
            })
        }
        Err(error) => Err(Reason::Format(error)),
    }
}
