//! Checks the length of files, functions and lines.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::paths::is_test;
use super::source::File;

/// The maximum number of lines in a file, not counting its test module.
const FILE: usize = 500;

/// The maximum number of lines in a file, including its tests.
const WHOLE_FILE: usize = 700;

/// The maximum number of lines in a function outside of tests.
const FUNCTION: usize = 70;

/// The maximum number of lines in a test, which is higher because of long tables and scenarios.
const TEST: usize = 100;

const COLUMNS: usize = 100;

/// Returns a message for each file, function or line that is too long.
pub fn complaints(files: &[File]) -> Vec<String> {
    files.iter().flat_map(of_file).collect()
}

fn of_file(file: &File) -> Vec<String> {
    let path = &file.path;
    let whole = file.text.lines().count();
    let before = before_tests(file).unwrap_or(whole);
    let is_tests = path.starts_with("tests/") || path.ends_with("/tests.rs");
    let mut found = Vec::new();
    if before > FILE && !is_tests {
        found.push(format!("{path}: {before} lines before its tests; {FILE} are the most"));
    }
    if whole > WHOLE_FILE {
        found.push(format!("{path}: {whole} lines; {WHOLE_FILE} are the most (tests: tests.rs)"));
    }
    for (at, line) in file.text.lines().enumerate() {
        let columns = line.chars().count();
        if columns > COLUMNS {
            found.push(format!("{path}:{}: {columns} columns; {COLUMNS} are the most", at + 1));
        }
    }
    let mut reader = Functions { path, most: if is_tests { TEST } else { FUNCTION }, found };
    reader.visit_file(&file.syntax);
    reader.found
}

fn before_tests(file: &File) -> Option<usize> {
    let tests = file.syntax.items.iter().find_map(|item| match item {
        syn::Item::Mod(item) if is_test(&item.attrs) && item.content.is_some() => Some(item),
        _ => None,
    })?;
    Some(tests.span().start().line - 1)
}

struct Functions<'a> {
    path: &'a str,
    most: usize,
    found: Vec<String>,
}

impl Functions<'_> {
    fn measure(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let lines = block.span().end().line - signature.span().start().line + 1;
        let name = format!("{}::{}", self.path, signature.ident);
        if lines > self.most {
            self.found.push(format!("{name}: {lines} lines; {} are the most", self.most));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let before = self.most;
        if is_test(&item.attrs) {
            self.most = TEST;
        }
        visit::visit_item_mod(self, item);
        self.most = before;
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.measure(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}
