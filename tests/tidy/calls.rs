//! Checks all calls of the methods that reveal protected text. The lists [`RAW`], [`EXPOSE`] and
//! [`IN_FULL`] contain the allowed calls and their reasons.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::paths::is_test;
use super::source::{File, SourceTree};
use super::table::{EXPOSE, GuardedMethod, IN_FULL, RAW};

/// Returns a message for each file with more or fewer calls than the lists allow, and for each list
/// entry that is not needed any more.
pub fn find_violations(tree: &SourceTree) -> Vec<String> {
    let mut violations = find_unlisted_calls(tree, &RAW);
    violations.extend(find_unlisted_calls(tree, &EXPOSE));
    violations.extend(find_unlisted_calls(tree, &IN_FULL));
    violations
}

/// Compares all calls of a method with the list of allowed calls.
pub fn find_unlisted_calls(tree: &SourceTree, guarded: &GuardedMethod) -> Vec<String> {
    let GuardedMethod {
        type_name, method, ..
    } = guarded;
    let mut calls_by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for file in tree
        .files
        .iter()
        .filter(|file| !file.path.ends_with("/tests.rs"))
    {
        let lines = find_calls(file, guarded);
        if !lines.is_empty() {
            calls_by_file.insert(&file.path, lines);
        }
    }
    let mut violations = Vec::new();
    for (path, lines) in &calls_by_file {
        let count = guarded
            .sites
            .iter()
            .find(|site| site.0 == *path)
            .map_or(0, |site| site.1);
        if lines.len() != count {
            violations.push(format!(
                "{path}: {} calls of `{type_name}::{method}` (lines {lines:?}), {count} listed. {}",
                lines.len(),
                guarded.advice
            ));
        }
    }
    for (path, count, reason) in guarded.sites {
        if !calls_by_file.contains_key(path) {
            violations.push(format!(
                "{path}: {count} calls of `{type_name}::{method}` listed, none made: take it off"
            ));
        }
        if reason.trim().is_empty() {
            violations.push(format!(
                "{path}: listed for `{type_name}::{method}` without a reason"
            ));
        }
    }
    violations
}

/// Returns the line numbers of all calls of the method. Calls in test code do not count.
///
/// The search reads tokens and does not know types. It therefore finds `x.method()` for every type
/// of `x`.
fn find_calls(file: &File, guarded: &GuardedMethod) -> Vec<usize> {
    let tokens = file.text.parse().expect("a file that parses has tokens");
    let mut lines = Vec::new();
    collect_calls(tokens, guarded, &mut lines);
    let mut test_lines = TestLines(Vec::new());
    test_lines.visit_file(&file.syntax);
    lines.retain(|line| !test_lines.0.iter().any(|test| test.contains(line)));
    lines
}

/// The line ranges of all test modules and test functions in a file.
struct TestLines(Vec<RangeInclusive<usize>>);

impl<'ast> Visit<'ast> for TestLines {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_test(&item.attrs) {
            self.0
                .push(item.span().start().line..=item.span().end().line);
        }
        visit::visit_item_mod(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if is_test(&item.attrs) {
            self.0
                .push(item.span().start().line..=item.span().end().line);
        }
        visit::visit_item_fn(self, item);
    }
}

/// Finds `.method()` and `Type::method`, even inside macro calls.
fn collect_calls(tokens: TokenStream, guarded: &GuardedMethod, lines: &mut Vec<usize>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => collect_calls(group.stream(), guarded, lines),
            TokenTree::Ident(ident) if *ident == guarded.method => {
                let before =
                    |back: usize| index.checked_sub(back).and_then(|index| tokens.get(index));
                let dot = matches!(before(1), Some(TokenTree::Punct(p)) if p.as_char() == '.');
                let colons = matches!(before(1), Some(TokenTree::Punct(p)) if p.as_char() == ':');
                let empty = matches!(tokens.get(index + 1),
                    Some(TokenTree::Group(group)) if group.stream().is_empty());
                let has_type =
                    matches!(before(3), Some(TokenTree::Ident(name)) if *name == guarded.type_name);
                if dot && empty || colons && has_type {
                    lines.push(ident.span().start().line);
                }
            }
            _ => {}
        }
    }
}
