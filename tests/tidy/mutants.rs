//! Checks that the patches in `tests/mutants` can still be applied. Each patch adds a bug to the
//! source.

use std::collections::BTreeMap;

/// Returns a message for each patch that cannot be applied or has no header. `texts` contains the
/// path and the content of each file.
pub fn find_violations(texts: &[(String, String)]) -> Vec<String> {
    let files: BTreeMap<&str, &str> = texts
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let patches = files.iter().filter(|(path, _)| path.ends_with(".patch"));
    patches
        .flat_map(|(path, patch)| check_patch(path, patch, &files))
        .collect()
}

pub fn count_patches(texts: &[(String, String)]) -> usize {
    texts.iter().filter(|(path, _)| is_patch(path)).count()
}

fn is_patch(path: &str) -> bool {
    path.starts_with("tests/mutants/") && path.ends_with(".patch")
}

fn check_patch(path: &str, patch: &str, files: &BTreeMap<&str, &str>) -> Vec<String> {
    let mut violations = Vec::new();
    let mut header_lines = patch.lines();
    let has_description = header_lines.next().is_some_and(|line| line.ends_with('.'));
    let catcher = header_lines
        .next()
        .and_then(|line| line.strip_prefix("Caught by: "));
    let reason = header_lines
        .next()
        .and_then(|line| line.strip_prefix("Says: "));
    if !is_patch(path) || !has_description || catcher.is_none() || reason.is_none_or(str::is_empty)
    {
        let expected = "a sentence, then `Caught by: ` a machine or tests, then what they `Says: `";
        violations.push(format!("{path}: begins with {expected}"));
    }
    let catcher = catcher.unwrap_or_default();
    if !catcher_exists(catcher, files) {
        violations.push(format!(
            "{path}: no machine and no tests are called `{catcher}`"
        ));
    }
    let hunks = parse_hunks(patch);
    if hunks.is_empty() {
        violations.push(format!("{path}: changes nothing"));
    }
    for Hunk { file, old, new } in hunks {
        let text = files.get(file.as_str()).copied().unwrap_or_default();
        // Compare only whole lines, so that a match does not begin inside a line.
        let fits = format!("\n{text}").contains(&format!("\n{old}"));
        if !file.starts_with("src/") || !fits || old == new {
            violations.push(format!(
                "{path}: does not fit {file} any more, which should have\n{old}"
            ));
        }
    }
    violations
}

/// Returns true if the test that must find the bug exists. `catcher` is the name of a file in
/// `tests/machines`, or a test program and a module in it, such as `lib a::tests`.
fn catcher_exists(catcher: &str, files: &BTreeMap<&str, &str>) -> bool {
    let Some((program, module)) = catcher.split_once(' ') else {
        return files.contains_key(format!("tests/machines/{catcher}.rs").as_str());
    };
    let root = if program == "lib" {
        "src".to_owned()
    } else {
        format!("tests/{program}")
    };
    // Look for the file of any prefix of the path. The rest of the path may be a test, or a module
    // without its own file.
    let parts: Vec<&str> = module.split("::").collect();
    (1..=parts.len())
        .map(|count| format!("{root}/{}.rs", parts[..count].join("/")))
        .any(|file| files.contains_key(file.as_str()))
}

/// A section of a patch: the old lines, and the new lines that replace them in the file.
#[derive(Default)]
struct Hunk {
    file: String,
    old: String,
    new: String,
}

fn parse_hunks(patch: &str) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut file = "";
    for line in patch.lines() {
        if let Some(path) = line.strip_prefix("+++ b/") {
            file = path;
        } else if line.starts_with("@@ ") {
            hunks.push(Hunk {
                file: file.to_owned(),
                ..Hunk::default()
            });
        } else if line.starts_with("diff ") || line.starts_with("--- ") {
            file = "";
        } else if let Some(hunk) = hunks.last_mut().filter(|hunk| hunk.file == file) {
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
    hunks
}
