//! Checks the length of functions and lines.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::source::File;

/// The maximum number of lines in a function. Clippy's limit for functions outside of tests is
/// lower, because tests have long tables and scenarios.
const MAX_FUNCTION_LINES: usize = 130;

const MAX_COLUMNS: usize = 100;

/// Returns a message for each function or line that is too long. A file is as long as its subject.
pub fn find_violations(files: &[File]) -> Vec<String> {
    files.iter().flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let path = &file.path;
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
    let mut visitor = FunctionVisitor { path, violations };
    visitor.visit_file(&file.syntax);
    visitor.violations
}

struct FunctionVisitor<'a> {
    path: &'a str,
    violations: Vec<String>,
}

impl FunctionVisitor<'_> {
    fn check_length(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let lines = block.span().end().line - signature.span().start().line + 1;
        let name = format!("{}::{}", self.path, signature.ident);
        if lines > MAX_FUNCTION_LINES {
            self.violations.push(format!(
                "{name}: {lines} lines; {MAX_FUNCTION_LINES} are the most"
            ));
        }
    }
}

impl<'ast> Visit<'ast> for FunctionVisitor<'_> {
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
