//! The planted bugs of `tests/mutants`: whether each still fits the source it is planted in.

use std::collections::BTreeMap;

/// What does not fit, in these texts: path and content.
pub fn complaints(texts: &[(String, String)]) -> Vec<String> {
    let all: BTreeMap<&str, &str> = texts.iter().map(|(path, text)| (&**path, &**text)).collect();
    let patches = all.iter().filter(|(path, _)| path.ends_with(".patch"));
    patches.flat_map(|(path, patch)| of_patch(path, patch, &all)).collect()
}

/// How many there are.
pub fn count(texts: &[(String, String)]) -> usize {
    texts.iter().filter(|(path, _)| is_patch(path)).count()
}

fn is_patch(path: &str) -> bool {
    path.starts_with("tests/mutants/") && path.ends_with(".patch")
}

fn of_patch(path: &str, patch: &str, all: &BTreeMap<&str, &str>) -> Vec<String> {
    let mut found = Vec::new();
    let mut head = patch.lines();
    let says = head.next().is_some_and(|line| line.ends_with('.'));
    let catcher = head.next().and_then(|line| line.strip_prefix("Caught by: "));
    let reason = head.next().and_then(|line| line.strip_prefix("Says: "));
    if !is_patch(path) || !says || catcher.is_none() || reason.is_none_or(str::is_empty) {
        let wanted = "a sentence, then `Caught by: ` a machine, then what it `Says: `";
        found.push(format!("{path}: begins with {wanted}"));
    }
    let machine = catcher.unwrap_or_default();
    if !all.contains_key(format!("tests/machines/{machine}.rs").as_str()) {
        found.push(format!("{path}: no machine is called `{machine}`"));
    }
    let hunks = hunks(patch);
    if hunks.is_empty() {
        found.push(format!("{path}: changes nothing"));
    }
    for Hunk { file, old, new } in hunks {
        let text = all.get(file.as_str()).copied().unwrap_or_default();
        // Whole lines: what begins in the middle of one is another.
        let fits = format!("\n{text}").contains(&format!("\n{old}"));
        if !file.starts_with("src/") || !fits || old == new {
            found.push(format!("{path}: does not fit {file} any more, which should have\n{old}"));
        }
    }
    found
}

/// One change: the lines as they are, and as they become.
#[derive(Default)]
struct Hunk {
    file: String,
    old: String,
    new: String,
}

fn hunks(patch: &str) -> Vec<Hunk> {
    let mut all: Vec<Hunk> = Vec::new();
    let mut file = "";
    for line in patch.lines() {
        if let Some(path) = line.strip_prefix("+++ b/") {
            file = path;
        } else if line.starts_with("@@ ") {
            all.push(Hunk { file: file.to_owned(), ..Hunk::default() });
        } else if line.starts_with("diff ") || line.starts_with("--- ") {
            file = "";
        } else if let Some(hunk) = all.last_mut().filter(|hunk| hunk.file == file) {
            let (kind, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
            if kind != "+" {
                hunk.old.push_str(rest);
                hunk.old.push('\n');
            }
            if kind != "-" {
                hunk.new.push_str(rest);
                hunk.new.push('\n');
            }
        }
    }
    all
}
