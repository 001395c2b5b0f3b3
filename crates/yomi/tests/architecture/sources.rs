//! The files of the workspace as tokens, in which comments and documentation are no code.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// One Rust file.
pub(crate) struct Source {
    /// From the root of the workspace, with slashes.
    pub(crate) path: String,
    pub(crate) text: String,
    /// Every token in its order; groups come before what they hold.
    tokens: Vec<Token>,
}

/// A piece of code with the line that it begins in.
struct Token {
    line: usize,
    kind: Kind,
}

#[derive(PartialEq)]
enum Kind {
    Word(String),
    Sign(char),
    /// `{}` with the line of its end.
    Braces {
        end: usize,
    },
    /// `()` around nothing.
    EmptyParentheses,
    Other,
}

/// A function with a body.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) lines: usize,
}

/// The folder that everything is in.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root of the workspace")
}

/// Every Rust file of the workspace and of the fuzz targets.
pub(crate) fn all() -> &'static [Source] {
    static ALL: LazyLock<Vec<Source>> = LazyLock::new(|| {
        let root = root();
        let mut sources = Vec::new();
        for folder in ["crates", "fuzz"] {
            gather(&root, &root.join(folder), &mut sources);
        }
        assert!(sources.len() > 100, "the sources are somewhere else");
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        sources
    });
    &ALL
}

fn gather(root: &Path, folder: &Path, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            if name != "target" && name != "corpus" {
                gather(root, &path, sources);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("UTF-8");
            let stream: TokenStream =
                text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let mut tokens = Vec::new();
            flatten(stream, &mut tokens);
            let path = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
            sources.push(Source { path, text, tokens });
        }
    }
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    for tree in stream {
        let line = tree.span().start().line;
        let kind = match &tree {
            TokenTree::Ident(word) => Kind::Word(word.to_string()),
            TokenTree::Punct(sign) => Kind::Sign(sign.as_char()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                Kind::Braces { end: group.span_close().end().line }
            }
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Parenthesis && group.stream().is_empty() =>
            {
                Kind::EmptyParentheses
            }
            _ => Kind::Other,
        };
        tokens.push(Token { line, kind });
        if let TokenTree::Group(group) = tree {
            flatten(group.stream(), tokens);
        }
    }
}

impl Source {
    /// The crate it belongs to.
    pub(crate) fn room(&self) -> &str {
        self.path.strip_prefix("crates/").and_then(|path| path.split('/').next()).unwrap_or("fuzz")
    }

    /// Whether it is part of what is built, not of tests and benches.
    pub(crate) fn is_built(&self) -> bool {
        self.path.starts_with("crates/") && self.path.split('/').nth(2) == Some("src")
    }

    /// Whether a word stands in the code.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.tokens.iter().any(|token| token.is_word(word))
    }

    /// What prints, line by line: macros, and the streams themselves.
    pub(crate) fn prints(&self) -> Vec<String> {
        const MACROS: [&str; 5] = ["print", "println", "eprint", "eprintln", "dbg"];
        const STREAMS: [&str; 2] = ["stdout", "stderr"];
        let mut found = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            let Kind::Word(name) = &token.kind else { continue };
            let next = self.tokens.get(index + 1).map(|token| &token.kind);
            let is_method = index > 0 && self.tokens[index - 1].kind == Kind::Sign('.');
            let is_macro = MACROS.contains(&name.as_str()) && next == Some(&Kind::Sign('!'));
            let is_stream =
                STREAMS.contains(&name.as_str()) && !is_method && next == Some(&Kind::EmptyParentheses);
            if is_macro || is_stream {
                found.push(format!("{}:{}: {name}", self.path, token.line));
            }
        }
        found
    }

    /// Every function with a body.
    pub(crate) fn functions(&self) -> Vec<Function> {
        let mut functions = Vec::new();
        for (index, token) in self.tokens.iter().enumerate().filter(|(_, token)| token.is_word("fn")) {
            let Some(Kind::Word(name)) = self.tokens.get(index + 1).map(|token| &token.kind) else {
                continue;
            };
            let body = self.tokens[index..].iter().find_map(|token| match token.kind {
                Kind::Braces { end } => Some(Some(end)),
                Kind::Sign(';') => Some(None),
                _ => None,
            });
            if let Some(Some(end)) = body {
                functions.push(Function { name: name.clone(), lines: end - token.line + 1 });
            }
        }
        functions
    }
}

impl Token {
    fn is_word(&self, word: &str) -> bool {
        matches!(&self.kind, Kind::Word(own) if own == word)
    }
}
