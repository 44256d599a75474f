//! Tests of the checks in this directory. The checks must find each planted mistake, and must
//! accept allowed code.

use super::paths::{PathResolver, collect_all_paths};
use super::source::{File, SourceTree};
use super::table::{GuardedMethod, TABLE};
use super::{calls, comments, crates, layers, licence, modules, mutants, size, words};

/// Pieces of code that the import table forbids, each with the top-level module that contains it.
const FORBIDDEN_CODE: &[(&str, &str)] = &[
    ("trade", "use crate::journal::History;"),
    ("trade", "use tokio::sync::mpsc;"),
    ("trade", "fn f() { let t = std::time::Instant::now(); }"),
    (
        "trade",
        "use std::time; fn f() { time::SystemTime::now(); }",
    ),
    ("trade", "use std::time::*;"),
    ("trade", "use std::{fmt, fs as files};"),
    ("trade", "fn f(rate: f64) {}"),
    ("trade", "fn f() -> uuid::Uuid { uuid::Uuid::new_v4() }"),
    ("trade", "#[serde(with = \"serde_json::value\")] struct S;"),
    (
        "trade",
        "fn f() { println!(\"{:?}\", crate::app::Model::default()); }",
    ),
    ("trade", "mod money { use super::super::runtime::Loop; }"),
    ("trade", "use super::*; fn f() { view::draw(); }"),
    ("trade", "use {self::files as it}; use ::std::fs as files;"),
    ("contract", "use reqwest::Client;"),
    ("contract", "use crate::service;"),
    ("words", "use crate::app::Model;"),
    ("words", "fn f() { std::env::var(\"LANG\"); }"),
    ("app", "use crate::view::draw;"),
    ("app", "use crate::*;"),
    ("app", "use crate::{trade::Money, runtime::World};"),
    ("app", "use crate::journal::{self};"),
    ("app", "use crate::journal::money::MoneyJournal;"),
    ("app", "use crate::locked::Locked;"),
    ("app", "fn f(e: crossterm::event::Event) {}"),
    ("app", "fn f() { std::env::var(\"LANG\"); }"),
    ("accessible", "use crate::view::Theme;"),
    ("view", "fn draw(model: &mut Model) {}"),
    ("view", "use std::cell::RefCell;"),
    ("view", "use ratatui::crossterm::event;"),
    ("view", "use crate::journal::EventRow;"),
    ("view", "fn f() { vec![jiff::Zoned::now()]; }"),
    ("service", "use crate::journal::History;"),
    (
        "service",
        "use crate::journal; fn f(j: journal::History) {}",
    ),
    ("service", "use crate::cashier::attempt;"),
    ("service", "use crate::app::Model;"),
    ("batch", "use crate::journal::history::History;"),
    ("csv_files", "use crate::words::Catalogue;"),
    ("csv_files", "use std::fs;"),
    ("statement", "use crate::journal::history::History;"),
    ("rows", "use crate::journal::history::History;"),
    ("rows", "use std::fs;"),
    ("har", "use crate::words::Catalogue;"),
    ("har", "use std::fs;"),
    ("recording", "use crate::app::Model;"),
    ("recording", "use std::fs;"),
    ("support", "use crate::har::StrictMask;"),
    ("support", "fn f() { std::fs::write(\"a\", \"b\"); }"),
    ("player", "use crate::app::Model;"),
    ("player", "use crate::runtime::clocks;"),
    ("replay", "use crate::sandbox::Scene;"),
    ("replay", "use crate::service::Client;"),
    ("journal", "use crate::service::classify;"),
    ("journal", "use tokio::time;"),
    ("locked", "use crate::trade::Money;"),
    ("locked", "use tokio::sync::Mutex;"),
    ("worker", "use crate::trade::Money;"),
    ("worker", "use tokio::time::sleep;"),
    ("team", "use crate::journal::money::MoneyJournal;"),
    ("team", "use crate::runtime::clocks;"),
    ("team", "use std::time::Instant;"),
    ("team", "use std::fs;"),
    ("journal", "use tokio_postgres::Client;"),
    ("runtime", "use tokio_postgres::Client;"),
    ("vault", "use crate::view::Theme;"),
    ("vault", "use tokio::time::sleep;"),
    ("cashier", "use ratatui::Frame;"),
    ("cashier", "use crate::service::Client;"),
    ("cashier", "async fn f() { tokio::task::yield_now().await }"),
    ("config", "use crate::runtime::World;"),
    ("config", "use tokio::fs;"),
    ("runtime", "use crate::sandbox::Bank;"),
    (
        "runtime",
        "#[cfg(test)] mod tests { use crate::sandbox::Bank; }",
    ),
    ("local_server", "use crate::trade::Money;"),
    ("sandbox", "use crate::trade::Money;"),
    ("sandbox", "use balcao::trade::Money;"),
    (
        "sandbox",
        "#[cfg(test)] mod tests { use crate::trade::Money; }",
    ),
    (
        "sandbox",
        "fn f() { assert_eq!(crate::trade::Money::ZERO, 0); }",
    ),
    ("sandbox", "use rusqlite::Connection;"),
    ("demo", "extern crate serde as disguise;"),
    ("cli", "#[path = \"../elsewhere.rs\"] mod elsewhere;"),
    ("main", "include!(\"logic.in\");"),
    ("lib", "pub use crate::trade::Money;"),
    ("lib", "use serde::Serialize;"),
];

/// Pieces of code that the import table allows, each with the top-level module that contains it.
const ALLOWED_CODE: &[(&str, &str)] = &[
    (
        "trade",
        "use serde::{Deserialize, Serialize}; use std::time::Duration; use std::fmt;",
    ),
    (
        "trade",
        "#[cfg(test)] mod tests { use super::*; use proptest::prelude::*; }",
    ),
    (
        "trade",
        "fn f(fs: u8) { let url = fs; g(url.time, self.net.url()); }",
    ),
    (
        "app",
        "use crate::journal::EventRow; use crate::trade::Money;",
    ),
    (
        "app",
        "use crate::batch::Skip; use crate::csv_files::FileFault;",
    ),
    (
        "service",
        "use crate::journal::{Permit, Spent}; use crate::cashier::Wire;",
    ),
    (
        "service",
        "#[cfg(test)] mod tests { use crate::cashier::{self, attempt}; }",
    ),
    ("vault", "use tokio::sync::oneshot;"),
    (
        "sandbox",
        "use crate::sandbox::bank::Bank; use super::sandbox::clock;",
    ),
    (
        "runtime",
        "use tokio::time::Instant; use crate::view::draw; use open::open;",
    ),
    ("lib", "pub mod trade; pub mod view;"),
    ("main", "fn main() { balcao::cli::run(); }"),
];

/// Builds a source tree that has a file for each top-level module. The file of `module` contains
/// `text`, and all other files are empty.
fn tree_with(module: &str, text: &str) -> SourceTree {
    let paths: Vec<String> = TABLE
        .iter()
        .map(|row| format!("src/{}.rs", row.module))
        .collect();
    let texts = TABLE
        .iter()
        .map(|row| if row.module == module { text } else { "" });
    SourceTree::of(
        &paths
            .iter()
            .map(String::as_str)
            .zip(texts)
            .collect::<Vec<_>>(),
    )
}

fn check_imports(tree: &SourceTree) -> Vec<String> {
    let paths = collect_all_paths(tree);
    modules::find_violations(&paths, &PathResolver::of(tree, &paths))
}

#[test]
fn forbidden_imports_are_found_for_every_row() {
    for (module, text) in FORBIDDEN_CODE {
        let found = check_imports(&tree_with(module, text));
        let place = format!("src/{module}.rs:1: ");
        assert!(
            found.iter().any(|it| it.starts_with(&place)),
            "{module}: {text}\n{found:?}"
        );
    }
    for row in TABLE {
        assert!(
            FORBIDDEN_CODE
                .iter()
                .any(|(module, _)| *module == row.module),
            "{}",
            row.module
        );
    }
}

#[test]
fn allowed_imports_are_not_reported() {
    for (module, text) in ALLOWED_CODE {
        let found = check_imports(&tree_with(module, text));
        assert!(found.is_empty(), "{module}: {text}\n{found:?}");
    }
}

#[test]
fn a_module_that_is_not_in_the_table_is_found() {
    let found = check_imports(&SourceTree::of(&[("src/attic/box.rs", "")]));
    assert_eq!(
        found,
        ["src/attic/box.rs: the module `attic` is not in the import table"]
    );
}

#[test]
fn use_through_another_file_is_followed() {
    let tree = SourceTree::of(&[
        ("src/trade.rs", "mod deep; use std::time;"),
        ("src/trade/deep.rs", "use super::time::Instant;"),
        ("src/app.rs", "mod screen; use std::time as when;"),
        (
            "src/app/screen.rs",
            "use super::*;\n\nfn f() { when::Instant::now(); }",
        ),
    ]);
    let found = check_imports(&tree);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("src/app/screen.rs:3: `app` may not use `std::time::Instant"));
    assert!(found[1].starts_with("src/trade/deep.rs:1: `trade` may not use `std::time::Instant`"));
}

#[test]
fn opened_text_and_secrets_are_counted_outside_tests() {
    let text = "fn a(t: &T) { t.raw(); log!(\"{}\", t.raw()); x.map(Untrusted::raw); Raw::new() }\n\
                #[cfg(test)] mod tests { fn b() { t.raw(); } }";
    let tree = SourceTree::of(&[("src/a.rs", text)]);
    let with_sites = |sites| GuardedMethod {
        type_name: "Untrusted",
        method: "raw",
        advice: "Do this.",
        sites,
    };
    let unlisted = calls::find_unlisted_calls(&tree, &with_sites(&[]));
    assert_eq!(
        unlisted,
        ["src/a.rs: 3 calls of `Untrusted::raw` (lines [1, 1, 1]), 0 listed. Do this."]
    );
    assert!(
        calls::find_unlisted_calls(&tree, &with_sites(&[("src/a.rs", 3, "a request")])).is_empty()
    );
    assert_eq!(
        calls::find_unlisted_calls(&tree, &with_sites(&[("src/a.rs", 3, " ")])).len(),
        1
    );
    let unneeded = calls::find_unlisted_calls(
        &tree,
        &with_sites(&[("src/a.rs", 3, "x"), ("src/b.rs", 1, "x")]),
    );
    assert_eq!(unneeded.len(), 1, "{unneeded:?}");
}

#[test]
fn too_long_code_is_reported() {
    let long_function = format!("fn f() {{\n{}}}\n", "    g();\n".repeat(129));
    assert_eq!(
        find_size_violations("src/a.rs", &long_function),
        ["src/a.rs::f: 131 lines; 130 are the most"]
    );
    assert_eq!(
        find_size_violations("src/a.rs", &format!("// {}", "ç".repeat(98))).len(),
        1
    );
}

fn find_size_violations(path: &str, text: &str) -> Vec<String> {
    size::find_violations(&[File::parse(path, text)])
}

#[test]
fn comments_and_long_test_names_are_reported() {
    let long = "a".repeat(51);
    for (text, count) in [
        ("/// Of this account.\nfn f() {}".to_owned(), 1),
        ("//! The same.\n".to_owned(), 1),
        ("/// Offers.\n/// Of this account.\nfn f() {}".to_owned(), 0),
        ("fn f() {\n    // Begins an\u{65}w.\n}".to_owned(), 1),
        (
            "// A button stan\u{64}s here, and is non\u{65}.".to_owned(),
            2,
        ),
        (format!("#[test]\nfn {long}() {{}}"), 1),
        (
            format!("#[tokio::test]\n#[cfg(unix)]\nasync fn {long}() {{}}"),
            1,
        ),
        (
            format!("#[test]\nfn {}() {{}}\nfn {long}() {{}}", &long[1..]),
            0,
        ),
    ] {
        let found = comments::find_violations(&[File::parse("src/a.rs", &text)]);
        assert_eq!(found.len(), count, "{text}: {found:?}");
    }
}

#[test]
fn unfinished_work_is_found() {
    for text in [
        "fn f() { todo!() }",
        "fn f() { unimplemented!() }",
        "fn f() { g(vec![todo!()]) }",
        "#[test] #[ignore] fn f() {}",
        "#[tokio::test] #[ignore = \"slow\"] async fn f() {}",
        "#[cfg(test)] mod tests { fn f() { std::thread::sleep(d); } }",
        "#[test] fn f() { sleep(d); }",
    ] {
        let found = words::find_unfinished_code(&[File::parse("src/a.rs", text)], false);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
    }
    let sleeper = [File::parse(
        "src/a.rs",
        "async fn f() { tokio::time::sleep(d).await }",
    )];
    assert!(words::find_unfinished_code(&sleeper, false).is_empty());
    assert_eq!(words::find_unfinished_code(&sleeper, true).len(), 1);
}

#[test]
fn use_of_upper_or_sibling_part_is_reported() {
    let find_violations = |path: &str, text: &str| {
        let mut files = vec![
            ("src/app/ui.rs", "pub struct Area;"),
            ("src/app/store.rs", "pub struct Store;"),
            ("src/app/screen.rs", "pub trait Screen {}"),
            ("src/app/screens.rs", "pub enum Layer {}"),
            ("src/app/screens/links.rs", "pub struct Links;"),
            ("src/app/router.rs", "pub fn open() {}"),
        ];
        files.push((path, text));
        let tree = SourceTree::of(&files);
        let paths = collect_all_paths(&tree);
        let violations = layers::find_violations(&tree, &paths, &PathResolver::of(&tree, &paths));
        violations
            .into_iter()
            .filter(|it| it.starts_with(path))
            .collect::<Vec<_>>()
    };
    for (path, text) in [
        ("src/app/ui/line.rs", "use crate::app::store::Store;"),
        ("src/app/store/links.rs", "use crate::app::screens::Layer;"),
        (
            "src/app/screens/help.rs",
            "use crate::app::screens::links::Links;",
        ),
        (
            "src/app/screens/help/show.rs",
            "use super::super::links::Links;",
        ),
        (
            "src/app/screens/help.rs",
            "fn f() { crate::app::router::open() }",
        ),
        ("src/app/screens.rs", "use crate::app::router::open;"),
        ("src/app/attic.rs", ""),
    ] {
        assert_eq!(find_violations(path, text).len(), 1, "{path}: {text}");
    }
    for (path, text) in [
        (
            "src/app/screens/help.rs",
            "use crate::app::store::Store; use crate::app::ui::Area;",
        ),
        (
            "src/app/screens/help/show.rs",
            "use crate::app::screen::Screen;",
        ),
        ("src/app/tests/keys.rs", "use crate::app::router::open;"),
        (
            "src/app/screens/help.rs",
            "#[cfg(test)] mod tests { use crate::app::router::open; }",
        ),
    ] {
        assert!(find_violations(path, text).is_empty(), "{path}: {text}");
    }
}

#[test]
fn private_paths_are_found() {
    let text = |path: &str, text: String| vec![(path.to_owned(), text)];
    let forbidden = format!("a\nsee {}{}x", "/wo", "rk/");
    assert_eq!(
        words::find_violations(&text("src/a.rs", forbidden.clone())).len(),
        1
    );
    assert!(words::find_violations(&text("Cargo.lock", forbidden)).is_empty());
    assert!(
        words::find_violations(&text("a", "the framework/ and its networks/".into())).is_empty()
    );
}

#[test]
fn outdated_mutant_patch_is_reported() {
    let patch = "It adds wrongly.\nCaught by: model\nSays: paid\n\n\
                 diff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n\
                 @@ -1,2 +1,2 @@\n fn f() {\n-    1 + 1\n+    1 + 2\n";
    let repository_files = |source: &str, patch: &str| {
        let texts = [
            ("src/a.rs", source),
            ("tests/machines/model.rs", ""),
            ("tests/mutants/adds.patch", patch),
        ];
        texts.map(|(path, text)| (path.to_owned(), text.to_owned()))
    };
    let count_violations = |source: &str, patch: &str| {
        mutants::find_violations(&repository_files(source, patch)).len()
    };
    let source_that_fits = "fn e() {}\nfn f() {\n    1 + 1\n}\n";
    assert_eq!(
        mutants::count_patches(&repository_files(source_that_fits, patch)),
        1
    );
    assert_eq!(count_violations(source_that_fits, patch), 0);
    assert_eq!(
        count_violations(&source_that_fits.replace("1 + 1", "2"), patch),
        1
    );
    assert_eq!(
        count_violations(&source_that_fits.replace("fn f", "pub fn f"), patch),
        1
    );
    assert_eq!(
        count_violations(source_that_fits, &patch.replace("model", "nobody")),
        1
    );
    assert_eq!(
        count_violations(source_that_fits, &patch.replace("model", "lib a::tests")),
        0
    );
    assert_eq!(
        count_violations(source_that_fits, &patch.replace("model", "lib b::tests")),
        1
    );
    assert_eq!(
        count_violations(source_that_fits, &patch.replace("1 + 2", "1 + 1")),
        1
    );
    assert_eq!(
        count_violations(source_that_fits, &patch.replace("wrongly.", "wrongly")),
        1
    );
    assert_eq!(
        count_violations(source_that_fits, &patch.replace("Says: paid\n", "")),
        1
    );
    assert_eq!(
        count_violations(source_that_fits, "Nothing.\nCaught by: model\nSays: paid\n"),
        1
    );
}

const DENY_TOML: &str = r#"
    [licenses]
    allow = ["MIT", "ISC"]
    exceptions = [{ crate = "odd", allow = ["MPL-2.0"] }]
    [bans]
    deny = [{ crate = "bad:2", reason = "it is bad" }]
"#;

#[test]
fn crates_denied_by_deny_toml_are_reported() {
    let find_violations = |crates: &[crates::Crate], lock: &str| {
        crates::find_violations(&DENY_TOML.parse().unwrap(), crates, &lock.parse().unwrap())
    };
    let odd = crates::Crate::new("odd", "1.0.0", "MPL-2.0");
    let lock = "[[package]]\nname = 'balcao'\n";
    for (line, expected) in [
        ("good v2.0.0|MIT", None),
        ("good v2.0.0 (proc-macro)|MIT OR GPL-3.0 (*)", None),
        ("bad v1.9.0|ISC", None),
        (
            "bad v2.1.0|MIT",
            Some("bad 2.1.0: MIT: banned: \"it is bad\""),
        ),
        (
            "gnu v1.0.0|GPL-3.0",
            Some("gnu 1.0.0: GPL-3.0: a licence that is not allowed"),
        ),
        (
            "other v1.0.0|MPL-2.0",
            Some("other 1.0.0: MPL-2.0: a licence that is not allowed"),
        ),
        (
            "none v1.0.0|",
            Some("none 1.0.0: : a licence that cannot be read"),
        ),
    ] {
        let planted = crates::parse_line(line).unwrap();
        assert_eq!(
            find_violations(&[odd.clone(), planted], lock),
            Vec::from_iter(expected),
            "{line}"
        );
    }
    assert_eq!(
        find_violations(&[], lock),
        ["deny.toml: odd is excepted and not used"]
    );
    let other = format!("{lock}[[package]]\nname = 'it'\nsource = 'git+https://example.org/it'\n");
    assert_eq!(
        find_violations(&[odd], &other),
        ["\"it\": from an unknown place"]
    );
}

#[test]
fn licence_expressions_are_read() {
    let is_allowed =
        |licence: &str| ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].contains(&licence);
    for (expression, expected) in [
        ("MIT/GPL-3.0", Some(true)),
        ("GPL-3.0 OR MIT AND ISC", Some(true)),
        ("(GPL-3.0 OR MIT) AND ISC", Some(true)),
        ("(GPL-3.0 OR MIT) AND GPL-2.0", Some(false)),
        ("Apache-2.0 WITH LLVM-exception", Some(true)),
        ("Apache-2.0", Some(false)),
        ("MIT ISC", None),
        ("(MIT", None),
        ("OR MIT", None),
    ] {
        assert_eq!(
            licence::is_satisfied(expression, &is_allowed),
            expected,
            "{expression}"
        );
    }
}
