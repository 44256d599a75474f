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
        Crate { name, version, licence }
    }

    /// Returns true if `spec` means this crate. `spec` is an entry of `deny.toml`, such as `syn`,
    /// `syn:2` or `syn:2.0.1`.
    fn is(&self, spec: &str) -> bool {
        let (name, version) = spec.split_once(':').unwrap_or((spec, ""));
        let begins = self.version.strip_prefix(version);
        self.name == name
            && begins
                .is_some_and(|rest| version.is_empty() || rest.is_empty() || rest.starts_with('.'))
    }
}

/// Returns all crates that the app uses on this machine, including crates for its build and its
/// tests.
pub fn all() -> Vec<Crate> {
    tree(&["--edges", "normal,build,dev"])
}

/// Returns the crates that are compiled into the released Linux binary.
pub fn handed_out() -> Vec<Crate> {
    tree(&["--edges", "normal", "--target", "x86_64-unknown-linux-gnu"])
}

fn tree(which: &[&str]) -> Vec<Crate> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut asked = Command::new(cargo);
    asked.args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p}|{l}"]);
    let said = asked.args(which).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let said = said.expect("cargo can be asked");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let text = String::from_utf8(said.stdout).expect("text");
    let crates: BTreeSet<Crate> = text.lines().filter_map(read).collect();
    crates.into_iter().filter(|it| it.name != env!("CARGO_PKG_NAME")).collect()
}

/// Parses a line from the output of `cargo tree`, such as
/// `syn v2.0.1 (proc-macro)|MIT OR Apache-2.0 (*)`.
pub fn read(line: &str) -> Option<Crate> {
    let (crate_, licence) = line.split_once('|')?;
    let mut words = crate_.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    Some(Crate::new(name, version, licence.trim_end_matches(" (*)")))
}

/// Returns a message for each violation of the rules in `deny.toml`, and for each exception that is
/// not needed any more.
pub fn complaints(deny: &Table, crates: &[Crate], lock: &Table) -> Vec<String> {
    let mut found = licences(deny, crates);
    found.extend(banned(deny, crates));
    found.extend(sources(lock));
    found
}

fn licences(deny: &Table, crates: &[Crate]) -> Vec<String> {
    let allowed = texts(&deny["licenses"]["allow"]);
    let exceptions = tables(&deny["licenses"]["exceptions"]);
    let mut found = Vec::new();
    for it in crates {
        let own = exceptions.iter().filter(|except| it.is(spec(except)));
        let own: Vec<&str> = own.flat_map(|except| texts(&except["allow"])).collect();
        let may = |licence: &str| allowed.contains(&licence) || own.contains(&licence);
        match licence::holds(&it.licence, &may) {
            Some(true) => {}
            Some(false) => found.push(format!("{it}: a licence that is not allowed")),
            None => found.push(format!("{it}: a licence that cannot be read")),
        }
    }
    let stale = exceptions.iter().filter(|except| !crates.iter().any(|it| it.is(spec(except))));
    found.extend(
        stale.map(|except| format!("deny.toml: {} is excepted and not used", spec(except))),
    );
    found
}

fn banned(deny: &Table, crates: &[Crate]) -> Vec<String> {
    let bans = tables(&deny["bans"]["deny"]);
    let of = |it: &Crate| bans.iter().find(|ban| it.is(spec(ban))).map(|ban| ban["reason"].clone());
    let found = crates.iter().filter_map(|it| Some(format!("{it}: banned: {}", of(it)?)));
    found.collect()
}

/// Returns a message for each package in `Cargo.lock` that does not come from crates.io.
fn sources(lock: &Table) -> Vec<String> {
    // Join the URL from parts, because `words.rs` rejects any file that contains the URL of a
    // registry.
    let public = ["registry", "+https://github.com/rust-lang/crates.io", "-index"].concat();
    let packages = tables(&lock["package"]).into_iter();
    let other = packages.filter_map(|it| {
        let source = it.get("source")?.as_str()?;
        (source != public).then(|| format!("{}: from an unknown place", it["name"]))
    });
    other.collect()
}

/// Returns a message for each crate that is missing in the licence file, and for each crate that
/// should not be in it.
pub fn notices(file: &str, crates: &[Crate]) -> Vec<String> {
    let listed: BTreeSet<&str> = file.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let wanted: BTreeSet<String> = crates.iter().map(Crate::to_string).collect();
    let wanted: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
    let missing = wanted.difference(&listed).map(|it| format!("{it}: missing: run .ci/notices"));
    let stale = listed.difference(&wanted).map(|it| format!("{it}: not used: run .ci/notices"));
    missing.chain(stale).collect()
}

impl std::fmt::Display for Crate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", self.name, self.version, self.licence)
    }
}

fn spec(line: &Table) -> &str {
    line["crate"].as_str().expect("the name of a crate")
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn tables(list: &Value) -> Vec<&Table> {
    list.as_array().into_iter().flatten().filter_map(Value::as_table).collect()
}
