//! Checks the repository itself, for example its imports between modules, the length of functions,
//! dependencies and licences.
//!
//! Inside a crate, the compiler lets every module use every other module. The tables in `table.rs`
//! define which of these uses are allowed. A failure names the file, the line and the rule.

#![allow(
    clippy::too_many_lines,
    reason = "tests have long tables and scenarios; `tests/tidy` has a limit of its own"
)]

mod calls;
mod comments;
mod crates;
mod layers;
mod licence;
mod modules;
mod mutants;
mod paths;
mod planted;
mod size;
mod source;
mod table;
mod words;

use paths::{PathResolver, collect_all_paths};
use source::SourceTree;

/// Runs all checks of the source in a single test, because parsing the source takes most of the
/// time.
#[test]
fn source_obeys_the_tables() {
    let tree = SourceTree::of_this_crate();
    let paths = collect_all_paths(&tree);
    let resolver = PathResolver::of(&tree, &paths);
    let tests = source::tests_of_this_crate();
    assert_no_violations(&[
        modules::find_violations(&paths, &resolver),
        modules::find_stale_exceptions(&paths),
        layers::find_violations(&tree, &paths, &resolver),
        calls::find_violations(&tree),
        size::find_violations(&tree.files),
        size::find_violations(&tests),
        comments::find_violations(&tree.files),
        comments::find_violations(&tests),
        words::find_unfinished_code(&tree.files, false),
        words::find_unfinished_code(&tests, true),
    ]);
}

#[test]
fn repository_names_no_developer_machine() {
    assert_no_violations(&[words::find_violations(&source::texts_of_this_crate())]);
}

#[test]
fn every_mutant_patch_still_applies() {
    let texts = source::texts_of_this_crate();
    assert!(mutants::count_patches(&texts) >= 12);
    assert_no_violations(&[mutants::find_violations(&texts)]);
}

#[test]
fn the_dependencies_are_what_deny_toml_allows() {
    let deny = source::toml("deny.toml");
    let lock = source::toml("Cargo.lock");
    let crates = crates::list_all();
    assert!(crates.len() > 100, "{crates:?}");
    assert_no_violations(&[crates::find_violations(&deny, &crates, &lock)]);
}

/// Runs only on x86-64 Linux. On other systems, cargo may not have downloaded the crates for that
/// target.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn the_file_of_licences_names_what_is_handed_out() {
    let crates = crates::list_released();
    assert!(crates.len() > 100, "{crates:?}");
    assert_no_violations(&[crates::find_licence_file_errors(
        &source::text("LICENSE-THIRD-PARTY"),
        &crates,
    )]);
}

#[track_caller]
fn assert_no_violations(violations: &[Vec<String>]) {
    let violations = violations.concat();
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}
