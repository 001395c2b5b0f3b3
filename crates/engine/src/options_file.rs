//! `engine_options.txt`: options for every session, for boards that cannot keep them.

use std::path::{Path, PathBuf};

use protocol::usi::{EngineMessage, GuiMessage, OptionKind};

use crate::options::Options;

/// The file's name, in the current folder or beside the program.
pub const NAME: &str = "engine_options.txt";

/// The first of the files that there is, and its text.
#[must_use]
pub fn find() -> Option<(PathBuf, String)> {
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join(NAME)));
    let places = [Some(PathBuf::from(NAME)), beside];
    let path = places.into_iter().flatten().find(|path| path.is_file())?;
    let text = std::fs::read(&path).ok()?;
    Some((path, String::from_utf8_lossy(&text).into_owned()))
}

/// Sets what the text says and returns what there is to say about that: errors, which begin so, and what was set. A line is one of `Threads 2`, `Threads = 2`,
/// `setoption name Threads value 2` and `option name Threads type spin default 2 …`; `#` and `//` begin comments.
///
/// ```
/// use engine::{Options, options_file};
/// let mut options = Options::default();
/// let said = options_file::apply("Threads 2", "o.txt".as_ref(), &mut options);
/// assert_eq!((options.settings.threads, said), (2, vec!["o.txt: Threads = 2".to_owned()]));
/// ```
#[must_use]
pub fn apply(text: &str, path: &Path, options: &mut Options) -> Vec<String> {
    let mut said = Vec::new();
    let mut set = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        let (name, value) = entry(line);
        match options.set(&name, Some(&value)) {
            Ok(()) => set.push(format!("{name} = {value}")),
            Err(error) => said.push(format!("error: {}, line {number}: {error}", path.display())),
        }
    }
    if !set.is_empty() {
        said.push(format!("{}: {}", path.display(), set.join(", ")));
    }
    said
}

/// Name and value of a line.
fn entry(line: &str) -> (String, String) {
    if let Some(Ok(GuiMessage::SetOption { name, value })) = GuiMessage::parse(line) {
        return (name, value.unwrap_or_default());
    }
    if let Some(EngineMessage::Option(declared)) = EngineMessage::parse(line) {
        return (declared.name, default_of(declared.kind));
    }
    let (name, value) = line.split_once(|c: char| c == '=' || c.is_whitespace()).unwrap_or((line, ""));
    let value = value.trim_start();
    (name.to_owned(), value.strip_prefix('=').unwrap_or(value).trim().to_owned())
}

fn default_of(kind: OptionKind) -> String {
    match kind {
        OptionKind::Check { default } => default.to_string(),
        OptionKind::Spin { default, .. } => default.to_string(),
        OptionKind::Combo { default, .. } | OptionKind::Text { default } | OptionKind::File { default } => {
            default
        }
        OptionKind::Button => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_be_written_in_four_ways_and_errors_name_the_line() {
        let mut options = Options::default();
        let text = "\u{feff}# a comment\r\nThreads 2\r\n\nUSI_Hash = 64\nMultiPV=3\n// another\n\
                    setoption name EvalFile value my nets/nn.bin\n\
                    option name ResignValue type spin default 3000 min 0 max 99999\n\
                    Thread 4\nThreads many\n";
        let said = apply(text, Path::new("file.txt"), &mut options);
        let settings = &options.settings;
        assert_eq!((settings.threads, settings.hash, settings.multipv, settings.resign), (2, 64, 3, 3000));
        assert_eq!(options.eval_file, "my nets/nn.bin");
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(said[0].starts_with("error: file.txt, line 9: there is no option 'Thread'"), "{}", said[0]);
        assert!(said[1].starts_with("error: file.txt, line 10: Threads takes a number"), "{}", said[1]);
        assert!(said[2].starts_with("file.txt: Threads = 2, USI_Hash = 64"), "{}", said[2]);
    }
}
