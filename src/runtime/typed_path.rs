//! Paths of files that a seller types, pastes, or drops on the terminal.

use std::path::{Path, PathBuf};

use crate::config::environment;

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
}
