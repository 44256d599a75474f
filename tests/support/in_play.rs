//! The secrets that a test has in play, which none of its leftovers may hold.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use balcao::sandbox::{Control, Scene};

use super::secrets::Wanted;

/// The password of every bank that has no other, like nothing else and changed in every form.
pub const PASSWORD: &str = "canary/7Qx+\"4410 ç";

/// Secrets of banks that have closed are remembered, but not without end: a machine opens hundreds.
const REMEMBERED: usize = 32;

/// Files below a place that must hold secrets, by the beginnings of their names, and why.
const MAY: [(&str, &str); 4] = [
    ("home/bank.json", "the bank's own memory"),
    ("home/kept/bank.json", "the same of a demo that is kept"),
    ("home/helper/entry-", "what the seller's own command was given to keep"),
    (SANDBOX_SECRET, "by it the sandboxes of one user prove themselves"),
];

/// Where `balcao sandbox` leaves its secret.
const SANDBOX_SECRET: &str = "state/sandbox/secret";

/// The variables whose values are secrets.
const SECRETS: [&str; 2] = ["BALCAO_TOKEN", "BALCAO_JWT"];

/// What is longer is not looked for: a test only wants to see it refused.
const LONGEST: usize = 1024;

thread_local! {
    /// A test has a thread of its own.
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

/// A bank whose secrets are in play; they stay so when it closes.
pub struct BankInPlay(usize);

impl BankInPlay {
    /// Adds its password, and every token that it gives out.
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
    [vec![password], bank.given_out()].concat()
}

/// Adds a secret that no bank gave out.
pub fn add(secret: &str) {
    IN_PLAY.with_borrow_mut(|all| all.add(secret.to_owned()));
}

/// Adds the value of a variable that is a secret, unless it is longer than any token of a test.
pub fn add_variable(name: &str, value: &str) {
    if SECRETS.contains(&name) && value.len() < LONGEST {
        add(value);
    }
}

/// All that are in play; the password of demos always is.
pub fn wanted() -> Wanted {
    let of_demos = Scene::default().password;
    IN_PLAY.with_borrow(|all| {
        let of_banks: Vec<String> = all.banks.values().flat_map(secrets_of).collect();
        let all = of_banks.iter().chain(&all.secrets).chain([&of_demos]);
        Wanted::of(all.map(String::as_str))
    })
}

/// Expects none in these bytes.
#[track_caller]
pub fn expect_none_in(what: &str, bytes: &[u8]) {
    let found = wanted().found_in(bytes);
    assert_eq!(found, None, "a secret is in {what}");
}

/// Every file below a folder of a place that has one, and may not.
pub fn found_below(folder: &Path) -> Vec<String> {
    // What proves a sandbox is a secret as well: it is in its own file alone.
    let proof = std::fs::read_to_string(folder.join(SANDBOX_SECRET)).unwrap_or_default();
    if proof.trim().len() == 64 {
        add(proof.trim());
    }
    let may = |path: &Path| MAY.iter().any(|(begin, _)| path.to_string_lossy().starts_with(begin));
    wanted().found_below(folder, &may)
}
