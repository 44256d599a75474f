//! Checks the repository itself, for example its imports between modules, file sizes, dependencies
//! and licences.
//!
//! Inside a crate, the compiler lets every module use every other module. The tables in `table.rs`
//! define which of these uses are allowed. A failure names the file, the line and the rule.

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

use paths::{PathResolver, all_names};
use source::SourceTree;

/// Runs all checks of the source in a single test, because parsing the source takes most of the
/// time.
#[test]
fn the_source_is_as_the_tables_say() {
    let tree = SourceTree::of_this_crate();
    let all = all_names(&tree);
    let atlas = PathResolver::of(&tree, &all);
    let tests = source::tests_of_this_crate();
    clean(&[
        modules::complaints(&all, &atlas),
        modules::stale_exceptions(&all),
        layers::complaints(&tree, &all, &atlas),
        calls::complaints(&tree),
        size::complaints(&tree.files),
        size::complaints(&tests),
        comments::complaints(&tree.files),
        comments::complaints(&tests),
        words::unfinished(&tree.files, false),
        words::unfinished(&tests, true),
    ]);
}

#[test]
fn nothing_names_the_machine_it_was_written_on() {
    clean(&[words::complaints(&source::texts_of_this_crate())]);
}

#[test]
fn every_planted_bug_still_fits_the_source() {
    let texts = source::texts_of_this_crate();
    assert!(mutants::count(&texts) >= 12);
    clean(&[mutants::complaints(&texts)]);
}

#[test]
fn the_dependencies_are_what_deny_toml_allows() {
    let (deny, lock) = (source::toml("deny.toml"), source::toml("Cargo.lock"));
    let crates = crates::all();
    assert!(crates.len() > 100, "{crates:?}");
    clean(&[crates::complaints(&deny, &crates, &lock)]);
}

/// Runs only on x86-64 Linux. On other systems, cargo may not have downloaded the crates for that
/// target.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn the_file_of_licences_names_what_is_handed_out() {
    let crates = crates::handed_out();
    assert!(crates.len() > 100, "{crates:?}");
    clean(&[crates::notices(&source::text("LICENSE-THIRD-PARTY"), &crates)]);
}

#[track_caller]
fn clean(complaints: &[Vec<String>]) {
    let complaints = complaints.concat();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
