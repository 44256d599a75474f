//! Checks that the dependencies obey the rules in `deny.toml`, and that `LICENSE-THIRD-PARTY` lists
//! the licences of all dependencies.

use std::collections::BTreeSet;
use std::env;
use std::process::Command;

use toml::{Table, Value};

use super::licence;

/// A crate that this repository depends on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crate {
    name: String,
    version: String,
    /// The licence from the field `license` in the crate's `Cargo.toml`.
    licence: String,
}

impl Crate {
    pub fn new(name: &str, version: &str, licence: &str) -> Crate {
        let [name, version, licence] = [name, version, licence].map(str::to_owned);
        Crate {
            name,
            version,
            licence,
        }
    }

    /// Returns true if `spec` means this crate. `spec` is an entry of `deny.toml`, such as `syn`,
    /// `syn:2` or `syn:2.0.1`.
    fn matches(&self, spec: &str) -> bool {
        let (name, version) = spec.split_once(':').unwrap_or((spec, ""));
        let version_rest = self.version.strip_prefix(version);
        self.name == name
            && version_rest
                .is_some_and(|rest| version.is_empty() || rest.is_empty() || rest.starts_with('.'))
    }
}

/// Returns all crates that the app uses on this machine, including crates for its build and its
/// tests.
pub fn list_all() -> Vec<Crate> {
    run_cargo_tree(&["--edges", "normal,build,dev"])
}

/// Returns the crates that are compiled into the released Linux binary.
pub fn list_released() -> Vec<Crate> {
    run_cargo_tree(&["--edges", "normal", "--target", "x86_64-unknown-linux-gnu"])
}

fn run_cargo_tree(filters: &[&str]) -> Vec<Crate> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "tree",
        "--locked",
        "--offline",
        "--prefix",
        "none",
        "--format",
        "{p}|{l}",
    ]);
    let output = command
        .args(filters)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    let output = output.expect("cargo can be asked");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("text");
    let crates: BTreeSet<Crate> = text.lines().filter_map(parse_line).collect();
    crates
        .into_iter()
        .filter(|it| it.name != env!("CARGO_PKG_NAME"))
        .collect()
}

/// Parses a line from the output of `cargo tree`, such as
/// `syn v2.0.1 (proc-macro)|MIT OR Apache-2.0 (*)`.
pub fn parse_line(line: &str) -> Option<Crate> {
    let (crate_, licence) = line.split_once('|')?;
    let mut words = crate_.split(' ');
    let name = words.next()?;
    let version = words.next()?.strip_prefix('v')?;
    Some(Crate::new(name, version, licence.trim_end_matches(" (*)")))
}

/// Returns a message for each violation of the rules in `deny.toml`, and for each exception that is
/// not needed any more.
pub fn find_violations(deny: &Table, crates: &[Crate], lock: &Table) -> Vec<String> {
    let mut violations = find_licence_violations(deny, crates);
    violations.extend(find_banned_crates(deny, crates));
    violations.extend(find_foreign_sources(lock));
    violations
}

fn find_licence_violations(deny: &Table, crates: &[Crate]) -> Vec<String> {
    let allowed = strings(&deny["licenses"]["allow"]);
    let exceptions = tables(&deny["licenses"]["exceptions"]);
    let mut violations = Vec::new();
    for it in crates {
        let excepted = exceptions
            .iter()
            .filter(|except| it.matches(crate_spec(except)));
        let excepted: Vec<&str> = excepted
            .flat_map(|except| strings(&except["allow"]))
            .collect();
        let is_allowed = |licence: &str| allowed.contains(&licence) || excepted.contains(&licence);
        match licence::is_satisfied(&it.licence, &is_allowed) {
            Some(true) => {}
            Some(false) => violations.push(format!("{it}: a licence that is not allowed")),
            None => violations.push(format!("{it}: a licence that cannot be read")),
        }
    }
    let stale = exceptions
        .iter()
        .filter(|except| !crates.iter().any(|it| it.matches(crate_spec(except))));
    violations.extend(
        stale.map(|except| format!("deny.toml: {} is excepted and not used", crate_spec(except))),
    );
    violations
}

fn find_banned_crates(deny: &Table, crates: &[Crate]) -> Vec<String> {
    let bans = tables(&deny["bans"]["deny"]);
    let find_reason = |it: &Crate| {
        bans.iter()
            .find(|ban| it.matches(crate_spec(ban)))
            .map(|ban| ban["reason"].clone())
    };
    let violations = crates
        .iter()
        .filter_map(|it| Some(format!("{it}: banned: {}", find_reason(it)?)));
    violations.collect()
}

/// Returns a message for each package in `Cargo.lock` that does not come from crates.io.
fn find_foreign_sources(lock: &Table) -> Vec<String> {
    // Join the URL from parts, because `words.rs` rejects any file that contains the URL of a
    // registry.
    let crates_io = [
        "registry",
        "+https://github.com/rust-lang/crates.io",
        "-index",
    ]
    .concat();
    let packages = tables(&lock["package"]).into_iter();
    let violations = packages.filter_map(|it| {
        let source = it.get("source")?.as_str()?;
        (source != crates_io).then(|| format!("{}: from an unknown place", it["name"]))
    });
    violations.collect()
}

/// Returns a message for each crate that is missing in the licence file, and for each crate that
/// should not be in it.
pub fn find_licence_file_errors(file: &str, crates: &[Crate]) -> Vec<String> {
    let listed: BTreeSet<&str> = file
        .lines()
        .filter_map(|line| line.strip_prefix("- "))
        .collect();
    let expected: BTreeSet<String> = crates.iter().map(Crate::to_string).collect();
    let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
    let missing = expected
        .difference(&listed)
        .map(|it| format!("{it}: missing: run .ci/notices"));
    let stale = listed
        .difference(&expected)
        .map(|it| format!("{it}: not used: run .ci/notices"));
    missing.chain(stale).collect()
}

impl std::fmt::Display for Crate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", self.name, self.version, self.licence)
    }
}

fn crate_spec(line: &Table) -> &str {
    line["crate"].as_str().expect("the name of a crate")
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn tables(list: &Value) -> Vec<&Table> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_table)
        .collect()
}
