//! Checks the length of functions and lines.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::paths::is_test;
use super::source::File;

/// The maximum number of lines in a function outside of tests.
const MAX_FUNCTION_LINES: usize = 70;

/// The maximum number of lines in a test. It is higher because of long tables and scenarios.
const MAX_TEST_LINES: usize = 100;

const MAX_COLUMNS: usize = 100;

/// Returns a message for each function or line that is too long. A file is as long as its subject.
pub fn find_violations(files: &[File]) -> Vec<String> {
    files.iter().flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let path = &file.path;
    let is_tests = path.starts_with("tests/") || path.ends_with("/tests.rs");
    let mut violations = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let columns = line.chars().count();
        if columns > MAX_COLUMNS {
            violations.push(format!(
                "{path}:{}: {columns} columns; {MAX_COLUMNS} are the most",
                index + 1
            ));
        }
    }
    let mut visitor = FunctionVisitor {
        path,
        max_lines: if is_tests {
            MAX_TEST_LINES
        } else {
            MAX_FUNCTION_LINES
        },
        violations,
    };
    visitor.visit_file(&file.syntax);
    visitor.violations
}

struct FunctionVisitor<'a> {
    path: &'a str,
    max_lines: usize,
    violations: Vec<String>,
}

impl FunctionVisitor<'_> {
    fn check_length(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let lines = block.span().end().line - signature.span().start().line + 1;
        let name = format!("{}::{}", self.path, signature.ident);
        if lines > self.max_lines {
            self.violations.push(format!(
                "{name}: {lines} lines; {} are the most",
                self.max_lines
            ));
        }
    }
}

impl<'ast> Visit<'ast> for FunctionVisitor<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let outer_max = self.max_lines;
        if is_test(&item.attrs) {
            self.max_lines = MAX_TEST_LINES;
        }
        visit::visit_item_mod(self, item);
        self.max_lines = outer_max;
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.check_length(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.check_length(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.check_length(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}
