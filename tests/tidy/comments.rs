//! Checks that comments contain no unclear words, and that the names of tests are not too long.

use super::source::File;

/// Words that a doc comment must not begin with. It should begin with its subject or a verb.
const BANNED_OPENINGS: [&str; 8] = [
    "What", "Who", "Whoever", "One", "Of", "Beyond", "The same", "All that",
];

/// Words that a comment must not contain, each with a better word.
const BANNED_WORDS: [(&str, &str); 5] = [
    ("anew", "again"),
    ("is none", "is not a"),
    ("of which", "a second sentence"),
    ("those that", "the noun"),
    ("stands", "is"),
];

/// The maximum number of characters in a test's name.
const MAX_TEST_NAME_LETTERS: usize = 50;

/// Returns a message for each comment and each test name that breaks these rules.
pub fn find_violations(files: &[File]) -> Vec<String> {
    files.iter().flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let mut violations = Vec::new();
    let mut was_doc = false;
    let mut is_test = false;
    for (index, line) in file.text.lines().enumerate() {
        let line = line.trim_start();
        let mut report =
            |problem: String| violations.push(format!("{}:{}: {problem}", file.path, index + 1));
        let doc = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"));
        let opening = doc.filter(|_| !was_doc).and_then(|doc| {
            BANNED_OPENINGS.into_iter().find(|opening| {
                let rest = doc.trim_start().strip_prefix(opening);
                rest.is_some_and(|rest| rest.starts_with(|next: char| !next.is_alphanumeric()))
            })
        });
        if let Some(opening) = opening {
            report(format!(
                "begins with `{opening}`: name the subject, or begin with a verb"
            ));
        }
        was_doc = doc.is_some();
        if line.starts_with("//") {
            let text = format!(
                " {} ",
                line.to_lowercase()
                    .replace(|c: char| !c.is_alphanumeric(), " ")
            );
            for (word, replacement) in BANNED_WORDS {
                if text.contains(&format!(" {word} ")) {
                    report(format!("`{word}` in a comment: write {replacement}"));
                }
            }
            continue;
        }
        if let Some((_, name)) = line.split_once("fn ").filter(|_| is_test) {
            let letters = name
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .count();
            if letters > MAX_TEST_NAME_LETTERS {
                report(format!(
                    "the test's name has {letters} letters; {MAX_TEST_NAME_LETTERS} are the most"
                ));
            }
        }
        is_test = line.starts_with("#[test]")
            || line.starts_with("#[tokio::test")
            || is_test && line.starts_with("#[");
    }
    violations
}
