//! Collects the secrets that a test uses, and checks that the test's files and output do not
//! contain them.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use balcao::sandbox::{Control, Scene};

use super::secrets::Wanted;

/// The seller's password in test sandboxes. It is easy to find in a search, and every encoding
/// changes it.
pub const PASSWORD: &str = "canary/7Qx+\"4410 ç";

/// The number of secrets that are remembered from sandboxes that have been closed. It is limited
/// because one test process starts hundreds of sandboxes.
const REMEMBERED: usize = 32;

/// The files that may contain secrets, by the beginning of their path, each with the reason.
const MAY: [(&str, &str); 4] = [
    ("home/bank.json", "the bank's own memory"),
    ("home/kept/bank.json", "the same of a demo that is kept"),
    ("home/helper/entry-", "what the seller's own command was given to keep"),
    (SANDBOX_SECRET, "by it the sandboxes of one user prove themselves"),
];

/// The file in which `balcao sandbox` stores its secret.
const SANDBOX_SECRET: &str = "state/sandbox/secret";

/// The environment variables whose values are secrets.
const SECRETS: [&str; 2] = ["BALCAO_TOKEN", "BALCAO_JWT"];

/// The length in bytes from which a value is not treated as a secret. Tests use such long values
/// only to check that they are refused.
const LONGEST: usize = 1024;

thread_local! {
    /// The secrets of the test that runs on this thread. Each test runs on its own thread.
    static IN_PLAY: RefCell<InPlay> = RefCell::default();
}

#[derive(Default)]
struct InPlay {
    banks: BTreeMap<usize, Control>,
    opened: usize,
    secrets: VecDeque<String>,
}

impl InPlay {
    fn add(&mut self, secret: String) {
        if !self.secrets.contains(&secret) {
            self.secrets.push_back(secret);
        }
        if self.secrets.len() > REMEMBERED {
            self.secrets.pop_front();
        }
    }
}

/// Keeps the secrets of a running sandbox in the search. After it is dropped, its secrets are still
/// remembered.
pub struct BankInPlay(usize);

impl BankInPlay {
    /// Adds a sandbox to the search: its password and every token that it issues.
    pub fn of(control: Control) -> BankInPlay {
        IN_PLAY.with_borrow_mut(|all| {
            all.opened += 1;
            all.banks.insert(all.opened, control);
            BankInPlay(all.opened)
        })
    }
}

impl Drop for BankInPlay {
    fn drop(&mut self) {
        IN_PLAY.with_borrow_mut(|all| {
            let control = all.banks.remove(&self.0);
            control.iter().flat_map(secrets_of).for_each(|secret| all.add(secret));
        });
    }
}

fn secrets_of(bank: &Control) -> Vec<String> {
    let (_, password) = bank.credentials();
    [vec![password], bank.stored_tokens()].concat()
}

/// Adds a secret to the search that does not come from a sandbox.
pub fn add(secret: &str) {
    IN_PLAY.with_borrow_mut(|all| all.add(secret.to_owned()));
}

/// Adds the value of an environment variable to the search, if the variable contains a secret and
/// the value is not too long.
pub fn add_variable(name: &str, value: &str) {
    if SECRETS.contains(&name) && value.len() < LONGEST {
        add(value);
    }
}

/// Returns a search for all collected secrets and for the password that every demo uses.
pub fn wanted() -> Wanted {
    let of_demos = Scene::default().password;
    IN_PLAY.with_borrow(|all| {
        let of_banks: Vec<String> = all.banks.values().flat_map(secrets_of).collect();
        let all = of_banks.iter().chain(&all.secrets).chain([&of_demos]);
        Wanted::of(all.map(String::as_str))
    })
}

/// Checks that these bytes contain no secret.
#[track_caller]
pub fn expect_none_in(what: &str, bytes: &[u8]) {
    let found = wanted().found_in(bytes);
    assert_eq!(found, None, "a secret is in {what}");
}

/// Searches the files below a folder, and returns a message for each file that contains a secret.
/// Files that may contain secrets are skipped.
pub fn found_below(folder: &Path) -> Vec<String> {
    // The sandbox's secret, which proves that a server is the sandbox, may be only in this file.
    let proof = std::fs::read_to_string(folder.join(SANDBOX_SECRET)).unwrap_or_default();
    if proof.trim().len() == 64 {
        add(proof.trim());
    }
    let may = |path: &Path| MAY.iter().any(|(begin, _)| path.to_string_lossy().starts_with(begin));
    wanted().found_below(folder, &may)
}
