//! Where examples are written down, and how they are read.

use std::path::Path;

/// One line for a shell.
#[derive(Debug, PartialEq)]
pub(crate) struct Example {
    /// Where it stands.
    pub(crate) place: String,
    pub(crate) text: String,
    /// What follows `yomi`.
    pub(crate) arguments: Vec<String>,
    /// Whether it shows a mistake.
    pub(crate) fails: bool,
}

impl Example {
    fn new(place: &str, text: &str, fails: bool) -> Example {
        let mut arguments = words(text);
        assert_eq!(arguments.remove(0), "yomi", "{place}: {text}");
        Example { place: place.to_owned(), text: text.to_owned(), arguments, fails }
    }

    pub(crate) fn asks_for_help(&self) -> bool {
        self.arguments.iter().any(|argument| argument == "--help")
    }
}

/// The words of a line as a shell reads them, up to the explanation that two spaces or a `#` begin.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut spaces = 0;
    for letter in line.trim().chars() {
        match letter {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => {
                words.extend(word.take());
                spaces += 1;
                if spaces == 2 {
                    return words;
                }
                continue;
            }
            '#' if !quoted && word.is_none() => return words,
            _ => word.get_or_insert_default().push(letter),
        }
        spaces = 0;
    }
    assert!(!quoted, "a quote without end: {line}");
    words.extend(word);
    words
}

/// The examples of one help text. Lines too long for it go on in the next, no deeper than they began.
fn in_help(place: &str, help: &str) -> Vec<Example> {
    let mut lines: Vec<String> = Vec::new();
    let section = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    for line in section.take_while(|line| !line.is_empty()) {
        let is_deeper = line.starts_with("   ");
        match line.strip_prefix("  ") {
            Some(text) if text == "yomi" || text.starts_with("yomi ") => lines.push(text.to_owned()),
            Some(text) if !is_deeper => {
                let last = lines.last_mut().unwrap_or_else(|| panic!("{place}: {line}"));
                last.push(' ');
                last.push_str(text);
            }
            _ => {}
        }
    }
    lines.iter().map(|line| Example::new(place, line, false)).collect()
}

/// The examples of every command's help. `help` runs `yomi` with arguments and returns what it prints.
pub(crate) fn of_help(help: &dyn Fn(&[String]) -> String) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(command) = open.pop() {
        let arguments = [command.as_slice(), &["--help".to_owned()]].concat();
        let text = help(&arguments);
        let place = format!("yomi {}", arguments.join(" "));
        assert!(text.contains("Usage:"), "{place}: {text}");
        examples.extend(in_help(&place, &text));
        let commands = text.lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in commands.take_while(|line| !line.is_empty()) {
            // Names stand two spaces in; what they do, where it is too long for its line, far deeper.
            if let Some(name) = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) {
                let name = name.split(' ').next().unwrap_or_default();
                open.push([command.as_slice(), &[name.to_owned()]].concat());
            }
        }
    }
    examples
}

/// The examples of README.md: indented lines, with or without a prompt. What is answered by an error shows a
/// mistake.
pub(crate) fn of_readme() -> Vec<Example> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(path).expect("README.md");
    let lines: Vec<&str> = text.lines().collect();
    let mut examples = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(line) = line.strip_prefix("    ") else { continue };
        let line = line.strip_prefix("$ ").unwrap_or(line);
        if line == "yomi" || line.starts_with("yomi ") {
            let fails = lines.get(index + 1).is_some_and(|next| next.trim_start().starts_with("error: "));
            examples.push(Example::new("README.md", line, fails));
        }
    }
    assert!(!examples.is_empty(), "README.md has examples");
    examples
}

#[test]
fn lines_are_read_as_a_shell_does() {
    assert_eq!(
        words("yomi show 'startpos moves 7g7f' --ply 2   back"),
        ["yomi", "show", "startpos moves 7g7f", "--ply", "2"]
    );
    assert_eq!(words("yomi a ''  # nothing"), ["yomi", "a", ""]);
    assert_eq!(words("yomi a # more"), ["yomi", "a"]);
}

#[test]
fn long_lines_of_a_help_are_joined_and_explanations_left_out() {
    let help = "Usage: x\n\nExamples:\n  yomi a --b\n  --c 3\n  yomi d\n                  what it does\n";
    let found: Vec<Vec<String>> =
        in_help("here", help).into_iter().map(|example| example.arguments).collect();
    assert_eq!(found, [vec!["a", "--b", "--c", "3"], vec!["d"]]);
}
