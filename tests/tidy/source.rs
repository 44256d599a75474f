//! Reads and parses the source files that are to be checked. Tests of the checks parse strings
//! instead.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A parsed source file.
pub struct File {
    /// The path relative to the repository's root, with `/` as the separator.
    pub path: String,
    pub text: String,
    pub syntax: syn::File,
}

/// All source files of the app (the directory `src`).
pub struct SourceTree {
    /// The files, sorted by path.
    pub files: Vec<File>,
    /// The names of the dependencies in `Cargo.toml`. As in Rust code, `_` replaces `-`.
    pub crates: Vec<String>,
}

impl SourceTree {
    pub fn of_this_crate() -> SourceTree {
        SourceTree {
            files: parse_directory("src"),
            crates: declared_crates(),
        }
    }

    /// Parses files that are given as path and text. Tests of the checks call this with planted
    /// mistakes.
    pub fn of(files: &[(&str, &str)]) -> SourceTree {
        let files = files
            .iter()
            .map(|(path, text)| File::parse(path, text))
            .collect();
        SourceTree {
            files,
            crates: declared_crates(),
        }
    }
}

impl File {
    /// Parses this text as if it was the content of the file at this path.
    pub fn parse(path: &str, text: &str) -> File {
        let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        File {
            path: path.to_owned(),
            text: text.to_owned(),
            syntax,
        }
    }

    /// Returns the file's module path: the segments `trade` and `money` for `src/trade/money.rs`,
    /// or `main` for `src/main.rs`.
    pub fn module(&self) -> Vec<String> {
        let inside = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        let mut parts: Vec<String> = inside.split('/').map(str::to_owned).collect();
        if parts
            .last()
            .is_some_and(|last| last == "mod" || inside == "lib" && last == "lib")
        {
            parts.pop();
        }
        parts
    }
}

/// Parses all files in the directory `tests`.
pub fn tests_of_this_crate() -> Vec<File> {
    parse_directory("tests")
}

/// Returns the path and content of each UTF-8 file in the repository.
pub fn texts_of_this_crate() -> Vec<(String, String)> {
    let read = |path: &String| {
        Some((
            path.clone(),
            fs::read_to_string(repository_root().join(path)).ok()?,
        ))
    };
    list_repository_files().iter().filter_map(read).collect()
}

pub fn text(path: &str) -> String {
    fs::read_to_string(repository_root().join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn toml(path: &str) -> toml::Table {
    text(path)
        .parse()
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn repository_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn parse_directory(folder: &str) -> Vec<File> {
    let mut paths = Vec::new();
    list_files(&repository_root().join(folder), &mut paths);
    let rust = paths.into_iter().filter(|path| path.ends_with(".rs"));
    let read = |path: String| {
        let text =
            fs::read_to_string(repository_root().join(&path)).expect("a source file is readable");
        File::parse(&path, &text)
    };
    rust.map(read).collect()
}

/// Returns the paths of all files in the repository that git does not ignore.
///
/// Returns all files if there is no git, as in a release archive.
fn list_repository_files() -> Vec<String> {
    let listing = Command::new("git")
        .args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "-z",
        ])
        .current_dir(repository_root())
        .output();
    let mut paths = match listing {
        Ok(output) if output.status.success() && repository_root().join(".git").exists() => {
            let names = String::from_utf8_lossy(&output.stdout).into_owned();
            names.split_terminator('\0').map(str::to_owned).collect()
        }
        _ => {
            let mut paths = Vec::new();
            list_files(repository_root(), &mut paths);
            paths
        }
    };
    paths.sort();
    paths
}

fn list_files(folder: &Path, paths: &mut Vec<String>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a folder is readable").path())
        .collect();
    entries.sort();
    for entry in entries {
        let inside = entry
            .strip_prefix(repository_root())
            .expect("inside the crate");
        if inside == Path::new("target") || inside == Path::new(".git") {
            continue;
        }
        if entry.is_dir() {
            list_files(&entry, paths);
        } else {
            paths.push(inside.to_string_lossy().replace('\\', "/"));
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
        let tables = kinds.iter().filter_map(|kind| table.get(*kind)?.as_table());
        tables
            .flat_map(|names| names.keys())
            .map(|name| name.replace('-', "_"))
            .collect::<Vec<_>>()
    };
    tables.iter().flat_map(listed).collect()
}
