//! Finds text that does not belong in the repository: paths on a developer's machine, unfinished
//! code, ignored tests, and tests that sleep.

use syn::visit::{self, Visit};

use super::paths::names_of;
use super::source::File;

/// Paths on a developer's machine, URLs of package registries, and names of documents that are not
/// in the repository.
///
/// Each text is split into two parts, because this file must not contain it.
const WORKPLACE: &[(&str, &str)] = &[
    ("/wo", "rk/"),
    ("/ho", "me/"),
    ("/ro", "ot/"),
    ("/Us", "ers/"),
    ("C:\\", "Users"),
    ("../sha", "red"),
    ("index.crates", ".io"),
    ("static.crates", ".io"),
    ("crates.io", "-index"),
    ("sparse", "+http"),
    ("registry", "+http"),
    ("artifac", "tory"),
    ("house", ".md"),
    ("money", ".md"),
    ("screens", ".md"),
    ("contract", ".md"),
    ("crates", ".md"),
];

/// Returns a message for each line that contains a text from [`WORKPLACE`]. `texts` contains the
/// path and the content of each file.
pub fn complaints(texts: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in texts.iter().filter(|(path, _)| path != "Cargo.lock") {
        for (at, line) in text.lines().enumerate() {
            for (one, two) in WORKPLACE {
                let word = format!("{one}{two}");
                if line.contains(&word) {
                    found.push(format!("{path}:{}: names `{word}`", at + 1));
                }
            }
        }
    }
    found
}

/// Returns a message for each piece of unfinished code (`todo!`, `dbg!`), each ignored test, and
/// each test that sleeps to wait.
pub fn unfinished(files: &[File], all_tests: bool) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let in_test = all_tests || file.path.ends_with("/tests.rs");
        for named in names_of(file).paths {
            let last = named.words.last().map_or("", String::as_str);
            let at = format!("{}:{}", file.path, named.line);
            if ["todo", "unimplemented", "dbg"].contains(&last) && named.words.len() == 1 {
                found.push(format!("{at}: `{last}`: finish it"));
            }
            if (in_test || named.in_test) && ["sleep", "sleep_until", "sleep_ms"].contains(&last) {
                found
                    .push(format!("{at}: a test that sleeps is slow or flaky: wait for the event"));
            }
        }
        let mut ignored = Ignored { path: &file.path, found: &mut found };
        ignored.visit_file(&file.syntax);
    }
    found
}

struct Ignored<'a> {
    path: &'a str,
    found: &'a mut Vec<String>,
}

impl<'ast> Visit<'ast> for Ignored<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let ignored = item.attrs.iter().any(|attribute| attribute.path().is_ident("ignore"));
        let name = &item.sig.ident;
        if ignored {
            self.found.push(format!("{}: `{name}` is ignored: mend it or delete it", self.path));
        }
        visit::visit_item_fn(self, item);
    }
}
