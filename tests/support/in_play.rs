//! Collects the secrets that a test uses, and checks that none of them appears in files or output.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use balcao::sandbox::{Control, Scene};

use super::secrets::Wanted;

/// The seller's password in test sandboxes. Its quotation mark, space and non-ASCII letter are
/// encoded differently in JSON and in URLs, so the search must find all of these forms.
pub const PASSWORD: &str = "canary/7Qx+\"4410 ç";

/// The number of closed sandboxes whose secrets are still remembered. There is a limit, because a
/// test process starts hundreds of sandboxes.
const REMEMBERED: usize = 32;

/// The files that may contain secrets: the beginning of each path, and the reason.
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

/// Values of this length in bytes or longer are not secrets. Tests use them only to check that the
/// app refuses long values.
const LONGEST: usize = 1024;

thread_local! {
    /// The secrets of the current test. This is thread-local, because each test runs in its own
    /// thread.
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

/// A running sandbox whose secrets must not appear in files or output. They stay registered after
/// this value is dropped.
pub struct BankInPlay(usize);

impl BankInPlay {
    /// Registers a sandbox's password and all of its tokens as secrets.
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

/// Registers a secret that does not come from a sandbox.
pub fn add(secret: &str) {
    IN_PLAY.with_borrow_mut(|all| all.add(secret.to_owned()));
}

/// Registers the value of an environment variable as a secret, if the variable is in `SECRETS` and
/// the value is not too long.
pub fn add_variable(name: &str, value: &str) {
    if SECRETS.contains(&name) && value.len() < LONGEST {
        add(value);
    }
}

/// Returns a search for all registered secrets, and for the password that is the same in all demos.
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

/// Returns a message for each file in a folder that contains a secret. Skips the files that are
/// listed in `MAY`.
pub fn found_below(folder: &Path) -> Vec<String> {
    // Only this file may contain the sandbox's own secret, so search all other files for it.
    let proof = std::fs::read_to_string(folder.join(SANDBOX_SECRET)).unwrap_or_default();
    if proof.trim().len() == 64 {
        add(proof.trim());
    }
    let may = |path: &Path| MAY.iter().any(|(begin, _)| path.to_string_lossy().starts_with(begin));
    wanted().found_below(folder, &may)
}
