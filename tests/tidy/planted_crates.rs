//! Planted dependencies: each must be found, or the tests of the real ones prove nothing.

use super::crates::{Crate, complaints, notices, read};
use super::licence;

const DENY: &str = r#"
    [licenses]
    allow = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"]
    exceptions = [{ crate = "odd", allow = ["MPL-2.0"] }]
    [bans]
    skip = [{ crate = "two:1", reason = "the old one" }]
    deny = [{ crate = "bad:2", reason = "it is bad" }]
"#;

const LOCK: &str = "[[package]]\nname = 'balcao'\n";

/// What is said of these crates beside some that are well.
fn said(planted: &[(&str, &str, &str)]) -> Vec<String> {
    let well =
        [("odd", "1.0.0", "MPL-2.0"), ("two", "1.2.0", "MIT"), ("two", "2.0.0", "MIT OR GPL-3.0")];
    let crates = well.iter().chain(planted).map(|(name, at, under)| Crate::new(name, at, under));
    let crates: Vec<Crate> = crates.collect();
    complaints(&DENY.parse().unwrap(), &crates, &LOCK.parse().unwrap())
}

#[test]
fn what_deny_toml_forbids_is_found() {
    assert_eq!(said(&[("good", "2.0.0", "MIT"), ("bad", "1.9.0", "ISC")]), [""; 0]);
    for (planted, expected) in [
        (("gnu", "1.0.0", "GPL-3.0"), "gnu 1.0.0: GPL-3.0: a licence that is not allowed"),
        (("other", "1.0.0", "MPL-2.0"), "other 1.0.0: MPL-2.0: a licence that is not allowed"),
        (("none", "1.0.0", ""), "none 1.0.0: : a licence that cannot be read"),
        (("bad", "2.1.0", "MIT"), "bad 2.1.0: MIT: banned: \"it is bad\""),
        (("two", "3.0.0", "MIT"), "two: in several versions: 2.0.0, 3.0.0"),
        (("two", "10.0.0", "MIT"), "two: in several versions: 2.0.0, 10.0.0"),
    ] {
        assert_eq!(said(&[planted]), [expected]);
    }
}

#[test]
fn lines_that_are_no_longer_true_are_found() {
    let crates = [Crate::new("two", "1.0.0", "MIT")];
    let said = complaints(&DENY.parse().unwrap(), &crates, &LOCK.parse().unwrap());
    let stale = ["deny.toml: odd is excepted and not used", "deny.toml: two:1 is not there twice"];
    assert_eq!(said, stale);
}

#[test]
fn another_place_than_the_registry_is_found() {
    for source in ["git+https://example.org/it", &["registry", "+https://example.org"].concat()] {
        let lock = format!("{LOCK}[[package]]\nname = 'it'\nsource = '{source}'\n");
        let deny = "[licenses]\nallow = []\nexceptions = []\n[bans]\nskip = []\ndeny = []";
        let said = complaints(&deny.parse().unwrap(), &[], &lock.parse().unwrap());
        assert_eq!(said, ["\"it\": from an unknown place"]);
    }
}

#[test]
fn licence_expressions_are_read() {
    let may = |licence: &str| ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].contains(&licence);
    for (expression, expected) in [
        ("MIT", Some(true)),
        ("MIT/GPL-3.0", Some(true)),
        ("GPL-3.0 OR MIT AND ISC", Some(true)),
        ("(GPL-3.0 OR MIT) AND ISC", Some(true)),
        ("(GPL-3.0 OR MIT) AND GPL-2.0", Some(false)),
        ("MIT AND GPL-3.0", Some(false)),
        ("MIT AND GPL-3.0 OR GPL-2.0", Some(false)),
        ("Apache-2.0 WITH LLVM-exception", Some(true)),
        ("Apache-2.0", Some(false)),
        ("MIT WITH Classpath-exception-2.0", Some(false)),
        ("", None),
        ("MIT ISC", None),
        ("MIT OR", None),
        ("(MIT", None),
        ("MIT)", None),
        ("OR MIT", None),
    ] {
        assert_eq!(licence::holds(expression, &may), expected, "{expression}");
    }
}

#[test]
fn a_file_of_licences_that_names_more_or_fewer_is_found() {
    let crates = [Crate::new("one", "1.0.0", "MIT"), Crate::new("two", "1.0.0", "ISC")];
    assert_eq!(notices("As of\n- one 1.0.0: MIT\n- two 1.0.0: ISC\ntext", &crates), [""; 0]);
    let said = notices("- one 1.0.1: MIT\n- two 1.0.0: ISC\n", &crates);
    let expected =
        ["one 1.0.0: MIT: missing: run .ci/notices", "one 1.0.1: MIT: not used: run .ci/notices"];
    assert_eq!(said, expected);
}

#[test]
fn a_line_of_the_tree_is_read() {
    let syn = Some(Crate::new("syn", "2.0.1", "MIT OR Apache-2.0"));
    assert_eq!(read("syn v2.0.1|MIT OR Apache-2.0"), syn);
    assert_eq!(read("syn v2.0.1 (proc-macro)|MIT OR Apache-2.0 (*)"), syn);
    assert_eq!(read(""), None);
}
