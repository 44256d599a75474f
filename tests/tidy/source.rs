//! The source as this test reads it: from the disk, or from text for planted mistakes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One parsed file.
pub struct File {
    /// Its path from the top, with `/` between the parts.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its syntax.
    pub syntax: syn::File,
}

/// All of `src`.
pub struct House {
    /// Its files, by path.
    pub files: Vec<File>,
    /// What `Cargo.toml` names, as the code spells it.
    pub crates: Vec<String>,
}

impl House {
    /// The source that is being tested.
    pub fn of_this_crate() -> House {
        House { files: parsed_under("src"), crates: declared_crates() }
    }

    /// A house of these files, for planted mistakes.
    pub fn of(files: &[(&str, &str)]) -> House {
        let files = files.iter().map(|(path, text)| File::parse(path, text)).collect();
        House { files, crates: declared_crates() }
    }
}

impl File {
    /// Parses a text as the file at this path.
    pub fn parse(path: &str, text: &str) -> File {
        let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        File { path: path.to_owned(), text: text.to_owned(), syntax }
    }

    /// The module this file is: `src/trade/money.rs` is `trade`, `money`; `main.rs` is `main`.
    pub fn module(&self) -> Vec<String> {
        let inside = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        let mut parts: Vec<String> = inside.split('/').map(str::to_owned).collect();
        if parts.last().is_some_and(|last| last == "mod" || inside == "lib" && last == "lib") {
            parts.pop();
        }
        parts
    }
}

/// The files under `tests`, which have no room.
pub fn tests_of_this_crate() -> Vec<File> {
    parsed_under("tests")
}

/// Every text file of the crate with its path; what is not text has no words.
pub fn texts_of_this_crate() -> Vec<(String, String)> {
    let read = |path: &String| Some((path.clone(), fs::read_to_string(top().join(path)).ok()?));
    own_files().iter().filter_map(read).collect()
}

/// The text of one file.
pub fn text(path: &str) -> String {
    fs::read_to_string(top().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// One file that is TOML.
pub fn toml(path: &str) -> toml::Table {
    text(path).parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn parsed_under(folder: &str) -> Vec<File> {
    let mut paths = Vec::new();
    walk(&top().join(folder), &mut paths);
    let rust = paths.into_iter().filter(|path| path.ends_with(".rs"));
    let read = |path: String| {
        let text = fs::read_to_string(top().join(&path)).expect("a source file is readable");
        File::parse(&path, &text)
    };
    rust.map(read).collect()
}

/// The files that belong to the crate: what git knows or would add, else all that is there.
///
/// A person's own ignored files are none of this test's business, and a tarball has no git.
fn own_files() -> Vec<String> {
    let listing = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(top())
        .output();
    let mut paths = match listing {
        Ok(output) if output.status.success() && top().join(".git").exists() => {
            let names = String::from_utf8_lossy(&output.stdout).into_owned();
            names.split_terminator('\0').map(str::to_owned).collect()
        }
        _ => {
            let mut paths = Vec::new();
            walk(top(), &mut paths);
            paths
        }
    };
    paths.sort();
    paths
}

fn walk(folder: &Path, found: &mut Vec<String>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a folder is readable").path())
        .collect();
    entries.sort();
    for entry in entries {
        let inside = entry.strip_prefix(top()).expect("inside the crate");
        if inside == Path::new("target") || inside == Path::new(".git") {
            continue;
        }
        if entry.is_dir() {
            walk(&entry, found);
        } else {
            found.push(inside.to_string_lossy().replace('\\', "/"));
        }
    }
}

fn declared_crates() -> Vec<String> {
    let manifest = toml("Cargo.toml");
    let mut tables = vec![&manifest];
    if let Some(toml::Value::Table(targets)) = manifest.get("target") {
        tables.extend(targets.values().filter_map(toml::Value::as_table));
    }
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let listed = |table: &&toml::Table| {
        let of = kinds.iter().filter_map(|kind| table.get(*kind)?.as_table());
        of.flat_map(|names| names.keys()).map(|name| name.replace('-', "_")).collect::<Vec<_>>()
    };
    tables.iter().flat_map(listed).collect()
}
