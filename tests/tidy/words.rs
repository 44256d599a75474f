//! Finds text that does not belong in the repository: paths on a developer's machine, unfinished
//! code, ignored tests, and tests that sleep.

use syn::visit::{self, Visit};

use super::paths::collect_paths;
use super::source::File;

/// Paths on a developer's machine, URLs of package registries, and names of documents that are not
/// in the repository.
///
/// Each text is split into two parts, because this file must not contain it.
const FORBIDDEN_TEXTS: &[(&str, &str)] = &[
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

/// Returns a message for each line that contains a text from [`FORBIDDEN_TEXTS`]. `texts` contains
/// the path and the content of each file.
pub fn find_violations(texts: &[(String, String)]) -> Vec<String> {
    let mut violations = Vec::new();
    for (path, text) in texts.iter().filter(|(path, _)| path != "Cargo.lock") {
        for (index, line) in text.lines().enumerate() {
            for (start, end) in FORBIDDEN_TEXTS {
                let forbidden = format!("{start}{end}");
                if line.contains(&forbidden) {
                    violations.push(format!("{path}:{}: names `{forbidden}`", index + 1));
                }
            }
        }
    }
    violations
}

/// Returns a message for each piece of unfinished code (`todo!`, `dbg!`), each ignored test, and
/// each test that sleeps to wait.
pub fn find_unfinished_code(files: &[File], all_tests: bool) -> Vec<String> {
    let mut violations = Vec::new();
    for file in files {
        let is_test_file = all_tests || file.path.ends_with("/tests.rs");
        for path in collect_paths(file).paths {
            let last = path.segments.last().map_or("", String::as_str);
            let place = format!("{}:{}", file.path, path.line);
            if ["todo", "unimplemented", "dbg"].contains(&last) && path.segments.len() == 1 {
                violations.push(format!("{place}: `{last}`: finish it"));
            }
            if (is_test_file || path.in_test)
                && ["sleep", "sleep_until", "sleep_ms"].contains(&last)
            {
                violations.push(format!(
                    "{place}: a test that sleeps is slow or flaky: wait for the event"
                ));
            }
        }
        let mut visitor = IgnoredTestVisitor {
            path: &file.path,
            violations: &mut violations,
        };
        visitor.visit_file(&file.syntax);
    }
    violations
}

struct IgnoredTestVisitor<'a> {
    path: &'a str,
    violations: &'a mut Vec<String>,
}

impl<'ast> Visit<'ast> for IgnoredTestVisitor<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let is_ignored = item
            .attrs
            .iter()
            .any(|attribute| attribute.path().is_ident("ignore"));
        let name = &item.sig.ident;
        if is_ignored {
            self.violations.push(format!(
                "{}: `{name}` is ignored: mend it or delete it",
                self.path
            ));
        }
        visit::visit_item_fn(self, item);
    }
}
