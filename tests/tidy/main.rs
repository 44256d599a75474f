//! What the compiler does not hold: who may use whom, and how the source is kept.
//!
//! A single crate has no walls between its modules. The tables in `tidy/table.rs` are those walls:
//! a complaint here names the file, the line and the row to read.

mod calls;
mod circles;
mod crates;
mod floors;
mod licence;
mod mutants;
mod names;
mod paths;
mod planted;
mod planted_crates;
mod rooms;
mod size;
mod source;
mod table;
mod words;

use source::House;

#[test]
fn every_room_uses_only_what_its_row_allows() {
    let house = House::of_this_crate();
    clean(&rooms::complaints(&house));
    clean(&rooms::stale_exceptions(&house));
}

#[test]
fn no_files_of_a_room_use_each_other_in_a_circle() {
    clean(&circles::complaints(&House::of_this_crate()));
}

#[test]
fn every_part_of_a_room_stands_on_the_floors_below_it() {
    clean(&floors::complaints(&House::of_this_crate()));
}

#[test]
fn text_from_outside_and_secrets_are_opened_only_where_listed() {
    clean(&calls::complaints(&House::of_this_crate()));
}

#[test]
fn files_and_functions_are_readable_in_one_look() {
    let house = House::of_this_crate();
    clean(&size::complaints(&house.files));
    clean(&size::complaints(&source::tests_of_this_crate()));
}

#[test]
fn no_two_types_have_the_same_name() {
    clean(&names::complaints(&House::of_this_crate()));
}

#[test]
fn nothing_is_left_for_later_and_tests_neither_sleep_nor_rest() {
    let house = House::of_this_crate();
    clean(&words::unfinished(&house.files, false));
    clean(&words::unfinished(&source::tests_of_this_crate(), true));
}

#[test]
fn the_top_level_holds_what_was_agreed() {
    clean(&words::top_level(&source::top_level_names()));
}

#[test]
fn nothing_names_the_machine_it_was_written_on() {
    clean(&words::complaints(&source::texts_of_this_crate()));
}

#[test]
fn every_planted_bug_still_fits_the_source() {
    let texts = source::texts_of_this_crate();
    assert!(mutants::count(&texts) >= 12);
    clean(&mutants::complaints(&texts));
}

#[test]
fn the_dependencies_are_what_deny_toml_allows() {
    let (deny, lock) = (source::toml("deny.toml"), source::toml("Cargo.lock"));
    let crates = crates::all();
    assert!(crates.len() > 100, "{crates:?}");
    clean(&crates::complaints(&deny, &crates, &lock));
}

/// Elsewhere the crates of that system need not be on the disk.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn the_file_of_licences_names_what_is_handed_out() {
    let crates = crates::handed_out();
    assert!(crates.len() > 100, "{crates:?}");
    clean(&crates::notices(&source::text("LICENSE-THIRD-PARTY"), &crates));
}

#[track_caller]
fn clean(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
