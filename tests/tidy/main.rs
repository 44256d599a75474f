//! What the compiler does not hold: who may use whom, and how the source is kept.
//!
//! A single crate has no walls between its modules. The tables in `tidy/table.rs` are those walls:
//! a complaint here names the file, the line and the row to read.

mod calls;
mod crates;
mod floors;
mod licence;
mod mutants;
mod paths;
mod planted;
mod rooms;
mod size;
mod source;
mod table;
mod words;

use paths::{Atlas, all_names};
use source::House;

/// One test, because reading the whole source is what takes its time.
#[test]
fn the_source_is_as_the_tables_say() {
    let house = House::of_this_crate();
    let all = all_names(&house);
    let atlas = Atlas::of(&house, &all);
    let tests = source::tests_of_this_crate();
    clean(&[
        rooms::complaints(&all, &atlas),
        rooms::stale_exceptions(&all),
        floors::complaints(&house, &all, &atlas),
        calls::complaints(&house),
        size::complaints(&house.files),
        size::complaints(&tests),
        words::unfinished(&house.files, false),
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

/// Elsewhere the crates of that system need not be on the disk.
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
