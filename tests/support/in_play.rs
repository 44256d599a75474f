//! Collects the secrets that a test uses, and checks that none of them appears in files or output.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use balcao::sandbox::{Control, Scene};

use super::secrets::SecretSearch;

/// The seller's password in test sandboxes. Its quotation mark, space and non-ASCII letter are
/// encoded differently in JSON and in URLs, so the search must find all of these forms.
pub const PASSWORD: &str = "canary/7Qx+\"4410 ç";

/// The maximum number of stored secrets, not counting those of running sandboxes. Without a limit,
/// the secrets of hundreds of stopped sandboxes would accumulate.
const MAX_STORED_SECRETS: usize = 32;

/// The files that may contain secrets: the beginning of each path, and the reason.
const ALLOWED_FILES: [(&str, &str); 4] = [
    ("home/bank.json", "the bank's own memory"),
    ("home/kept/bank.json", "the same of a demo that is kept"),
    (
        "home/helper/entry-",
        "what the seller's own command was given to keep",
    ),
    (
        SANDBOX_SECRET,
        "by it the sandboxes of one user prove themselves",
    ),
];

/// The file in which `balcao sandbox` stores its secret.
const SANDBOX_SECRET: &str = "state/sandbox/secret";

/// The environment variables whose values are secrets.
const SECRET_VARIABLES: [&str; 3] = ["BALCAO_TOKEN", "BALCAO_JWT", "BALCAO_TEAM_PASSWORD"];

/// The length in bytes from which a value is not a secret. Tests use such long values only to check
/// that the app refuses them.
const OVERSIZED_LENGTH: usize = 1024;

thread_local! {
    /// The secrets of the current test. This is thread-local, because each test runs in its own
    /// thread.
    static REGISTRY: RefCell<SecretRegistry> = RefCell::default();
}

#[derive(Default)]
struct SecretRegistry {
    banks: BTreeMap<usize, Control>,
    last_id: usize,
    secrets: VecDeque<String>,
}

impl SecretRegistry {
    fn add(&mut self, secret: String) {
        if !self.secrets.contains(&secret) {
            self.secrets.push_back(secret);
        }
        if self.secrets.len() > MAX_STORED_SECRETS {
            self.secrets.pop_front();
        }
    }
}

/// A running sandbox whose secrets must not appear in files or output. They stay registered after
/// this value is dropped.
pub struct RegisteredBank(usize);

impl RegisteredBank {
    /// Registers a sandbox's password and all of its tokens as secrets.
    pub fn new(control: Control) -> RegisteredBank {
        REGISTRY.with_borrow_mut(|registry| {
            registry.last_id += 1;
            registry.banks.insert(registry.last_id, control);
            RegisteredBank(registry.last_id)
        })
    }
}

impl Drop for RegisteredBank {
    fn drop(&mut self) {
        REGISTRY.with_borrow_mut(|registry| {
            let control = registry.banks.remove(&self.0);
            control
                .iter()
                .flat_map(secrets_of)
                .for_each(|secret| registry.add(secret));
        });
    }
}

fn secrets_of(bank: &Control) -> Vec<String> {
    let (_, password) = bank.credentials();
    [vec![password], bank.stored_tokens()].concat()
}

/// Registers a secret that does not come from a sandbox.
pub fn register(secret: &str) {
    REGISTRY.with_borrow_mut(|registry| registry.add(secret.to_owned()));
}

/// Registers the value of an environment variable as a secret, if the variable is in
/// `SECRET_VARIABLES` and the value is not too long.
pub fn add_variable(name: &str, value: &str) {
    if SECRET_VARIABLES.contains(&name) && value.len() < OVERSIZED_LENGTH {
        register(value);
    }
}

/// Returns a search for all registered secrets, and for the password that is the same in all demos.
pub fn secret_search() -> SecretSearch {
    let demo_password = Scene::default().password;
    REGISTRY.with_borrow(|registry| {
        let bank_secrets: Vec<String> = registry.banks.values().flat_map(secrets_of).collect();
        let all = bank_secrets
            .iter()
            .chain(&registry.secrets)
            .chain([&demo_password]);
        SecretSearch::new(all.map(String::as_str))
    })
}

#[track_caller]
pub fn assert_no_secret_in(what: &str, bytes: &[u8]) {
    let encoding = secret_search().find_in(bytes);
    assert_eq!(encoding, None, "a secret is in {what}");
}

/// Returns a message for each file in a folder that contains a secret. Skips the files in
/// `ALLOWED_FILES`.
pub fn find_secrets_below(folder: &Path) -> Vec<String> {
    // Only this file may contain the sandbox's own secret, so search all other files for it.
    let sandbox_secret = std::fs::read_to_string(folder.join(SANDBOX_SECRET)).unwrap_or_default();
    if sandbox_secret.trim().len() == 64 {
        register(sandbox_secret.trim());
    }
    let is_allowed = |path: &Path| {
        ALLOWED_FILES
            .iter()
            .any(|(begin, _)| path.to_string_lossy().starts_with(begin))
    };
    secret_search().find_in_folder(folder, &is_allowed)
}
