//! Checks all calls of the methods that reveal protected text. The lists [`RAW`], [`EXPOSE`] and
//! [`IN_FULL`] contain the allowed calls and their reasons.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::paths::is_test;
use super::source::{File, SourceTree};
use super::table::{Calls, EXPOSE, IN_FULL, RAW};

/// Returns a message for each file whose calls differ from these lists, and for each list entry
/// that is not needed any more.
pub fn complaints(tree: &SourceTree) -> Vec<String> {
    let mut found = broken_rules(tree, &RAW);
    found.extend(broken_rules(tree, &EXPOSE));
    found.extend(broken_rules(tree, &IN_FULL));
    found
}

/// Compares all calls of a method with the list of allowed calls.
pub fn broken_rules(tree: &SourceTree, calls: &Calls) -> Vec<String> {
    let Calls { of, method, .. } = calls;
    let mut made: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for file in tree.files.iter().filter(|file| !file.path.ends_with("/tests.rs")) {
        let lines = calls_in(file, calls);
        if !lines.is_empty() {
            made.insert(&file.path, lines);
        }
    }
    let mut found = Vec::new();
    for (path, lines) in &made {
        let listed = calls.sites.iter().find(|site| site.0 == *path).map_or(0, |site| site.1);
        if lines.len() != listed {
            found.push(format!(
                "{path}: {} calls of `{of}::{method}` (lines {lines:?}), {listed} listed. {}",
                lines.len(),
                calls.advice
            ));
        }
    }
    for (path, listed, why) in calls.sites {
        if !made.contains_key(path) {
            found.push(format!(
                "{path}: {listed} calls of `{of}::{method}` listed, none made: take it off"
            ));
        }
        if why.trim().is_empty() {
            found.push(format!("{path}: listed for `{of}::{method}` without a reason"));
        }
    }
    found
}

/// Returns the line numbers of all calls of the method. Calls in test code do not count.
///
/// The search reads tokens and does not know types. `x.method()` therefore counts for every type of
/// `x`.
fn calls_in(file: &File, calls: &Calls) -> Vec<usize> {
    let tokens = file.text.parse().expect("a file that parses has tokens");
    let mut lines = Vec::new();
    scan(tokens, calls, &mut lines);
    let mut tests = Tests(Vec::new());
    tests.visit_file(&file.syntax);
    lines.retain(|line| !tests.0.iter().any(|test| test.contains(line)));
    lines
}

/// The line ranges of all test modules and test functions in a file.
struct Tests(Vec<RangeInclusive<usize>>);

impl<'ast> Visit<'ast> for Tests {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_test(&item.attrs) {
            self.0.push(item.span().start().line..=item.span().end().line);
        }
        visit::visit_item_mod(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if is_test(&item.attrs) {
            self.0.push(item.span().start().line..=item.span().end().line);
        }
        visit::visit_item_fn(self, item);
    }
}

/// Finds `.method()` and `Type::method`, even inside macro calls.
fn scan(tokens: TokenStream, calls: &Calls, lines: &mut Vec<usize>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => scan(group.stream(), calls, lines),
            TokenTree::Ident(ident) if *ident == calls.method => {
                let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
                let dot = matches!(before(1), Some(TokenTree::Punct(p)) if p.as_char() == '.');
                let colons = matches!(before(1), Some(TokenTree::Punct(p)) if p.as_char() == ':');
                let empty = matches!(tokens.get(at + 1),
                    Some(TokenTree::Group(group)) if group.stream().is_empty());
                let of = matches!(before(3), Some(TokenTree::Ident(of)) if *of == calls.of);
                if dot && empty || colons && of {
                    lines.push(ident.span().start().line);
                }
            }
            _ => {}
        }
    }
}
