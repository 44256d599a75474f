//! Paths of files that a seller types, pastes, or drops on the terminal, and their completion.

use std::fs;
use std::path::{Path, PathBuf};

use tokio::task::spawn_blocking;

use crate::app::Msg;
use crate::app::message::Completion;
use crate::config::environment;
use crate::trade::Ticket;

/// The maximum number of entries of a directory that are looked at for a completion.
const MAX_ENTRIES: usize = 20_000;

/// The maximum number of names in a completion.
const MAX_NAMES: usize = 100;

/// The path that was typed, or that a terminal inserted when a file was dropped on it. Such a path
/// has quotes, begins with `file://`, or has a backslash before each space.
pub fn typed_path(typed: &str) -> PathBuf {
    in_home(typed, environment::text("HOME").as_deref())
}

fn in_home(typed: &str, home: Option<&str>) -> PathBuf {
    let typed = typed.trim();
    if Path::new(typed).exists() {
        return PathBuf::from(typed);
    }
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        let inside = typed.strip_prefix(quote)?;
        Some(inside.strip_suffix(quote).unwrap_or(inside))
    });
    let path = quoted.unwrap_or(typed);
    if path.starts_with("file://") {
        let url = url::Url::parse(path).ok();
        if let Some(path) = url.and_then(|url| url.to_file_path().ok()) {
            return path;
        }
    }
    let path = if quoted.is_some() {
        path.to_owned()
    } else {
        without_backslashes(path)
    };
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Path::new(home).join(rest),
        _ => PathBuf::from(path),
    }
}

fn without_backslashes(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' {
            chars.next().unwrap_or(c)
        } else {
            c
        });
    }
    plain
}

/// Lists the files whose paths begin with the typed text.
pub async fn complete(ticket: Ticket, typed: String) -> Msg {
    let completion = spawn_blocking(move || completion(&typed)).await;
    Msg::PathCompleted {
        ticket,
        completion: completion.unwrap_or_default(),
    }
}

/// The files whose paths begin with the typed text. Hidden files are found only if the typed name
/// begins with a dot.
fn completion(typed: &str) -> Completion {
    let path = typed_path(typed);
    // Keep the text as it was typed, such as `~/`, if nothing had to be changed in it.
    let mut text = typed.trim().to_owned();
    if !text.starts_with("~/") {
        text = path.display().to_string();
        if typed.trim_end().ends_with('/') && !text.ends_with('/') {
            text.push('/');
        }
    }
    let (dir, prefix) = match text.rsplit_once('/') {
        Some((dir, prefix)) => (format!("{dir}/"), prefix.to_owned()),
        None => (String::new(), text.clone()),
    };
    let folder = match &*dir {
        "" => PathBuf::from("."),
        dir => typed_path(dir),
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.take(MAX_ENTRIES).filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let is_hidden = name.starts_with('.') && !prefix.starts_with('.');
        (name.starts_with(&*prefix) && !is_hidden).then(|| {
            let slash = if entry.path().is_dir() { "/" } else { "" };
            name + slash
        })
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    let common = names.iter().fold(None, |common: Option<&str>, name| {
        Some(match common {
            None => name,
            Some(common) => common_start(common, name),
        })
    });
    Completion {
        text: format!("{dir}{}", common.unwrap_or(&prefix)),
        total: names.len() as u64,
        names: names.into_iter().take(MAX_NAMES).map(Into::into).collect(),
    }
}

fn common_start<'t>(one: &'t str, other: &str) -> &'t str {
    let same = one.char_indices().zip(other.chars());
    let different = same.filter(|((_, c), other)| c != other);
    let end = different.map(|((at, _), _)| at).next();
    &one[..end.unwrap_or_else(|| one.len().min(other.len()))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_file_is_a_plain_path() {
        let home = Some("/srv/ana");
        for (typed, path) in [
            ("precos.csv", "precos.csv"),
            ("  '/srv/meus precos.csv' ", "/srv/meus precos.csv"),
            ("\"/srv/meus precos.csv\"", "/srv/meus precos.csv"),
            ("/srv/meus\\ precos.csv", "/srv/meus precos.csv"),
            ("file:///srv/meus%20pre%C3%A7os.csv", "/srv/meus preços.csv"),
            ("'file:///srv/a.csv'", "/srv/a.csv"),
            ("~/extrato.ofx", "/srv/ana/extrato.ofx"),
            ("~bia/extrato.ofx", "~bia/extrato.ofx"),
        ] {
            assert_eq!(in_home(typed, home), Path::new(path), "{typed}");
        }
        assert_eq!(in_home("~/a", None), Path::new("~/a"));
    }

    #[test]
    fn path_is_completed_as_far_as_the_names_agree() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["preços-1.csv", "preços-2.csv", ".oculto.csv", "outro.csv"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        fs::create_dir(dir.path().join("pasta")).unwrap();
        let root = dir.path().display().to_string();
        let complete = |name: &str| {
            let found = completion(&format!("{root}/{name}"));
            let text = found.text.strip_prefix(&root).unwrap().to_owned();
            (text, found.total)
        };
        assert_eq!(complete("pre"), ("/preços-".into(), 2));
        assert_eq!(complete("preços-2"), ("/preços-2.csv".into(), 1));
        assert_eq!(complete("pa"), ("/pasta/".into(), 1));
        assert_eq!(complete("pasta/"), ("/pasta/".into(), 0));
        assert_eq!(complete(""), ("/".into(), 4), "no hidden file");
        assert_eq!(complete("."), ("/.oculto.csv".into(), 1));
        assert_eq!(complete("x"), ("/x".into(), 0));
    }
}
