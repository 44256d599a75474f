//! The lines of the contract that steer money, as the seller agreed to them.
//!
//! The wire stops a withdrawal, after asking the vault itself; this is only what the screens know.

use crate::app::Store;
use crate::app::message::TaughtContract;
use crate::app::next::{Next, Purpose, Route};
use crate::app::store::notice::Notice;
use crate::contract::{Change, MoneyLines};
use crate::trade::{CredentialKind, Untrusted, VaultTrouble};

/// The lines that say how each credential is sent.
const CREDENTIAL_LINES: [(CredentialKind, &str); 2] = [
    (CredentialKind::Jwt, "credential.jwt.headers"),
    (CredentialKind::ApiToken, "credential.api-token.headers"),
];

/// Returns the lines that have to be agreed to before money leaves.
pub fn pending(store: &Store) -> Vec<Change> {
    store.setup.contract.to_agree(store.agreed_lines.as_ref())
}

/// Opens the page where something has to be agreed to first.
pub fn come_first(store: &Store, purpose: Purpose) -> Option<Next> {
    (!pending(store).is_empty()).then(|| Next::open(Route::MoneyLines(purpose)))
}

/// Returns the lines that there are to look at: none under the program's own contract.
pub fn to_look_at(store: &Store) -> Vec<Change> {
    let pending = pending(store);
    if pending.is_empty() { store.setup.contract.own_changes() } else { pending }
}

/// Takes the vault's answer about the lines agreed to last; without an answer there are none.
pub fn read(store: &mut Store, last: &Result<Option<MoneyLines>, VaultTrouble>) {
    follow(store, last.clone().unwrap_or_default());
}

/// Takes a contract that was taught; what was agreed to stays what it was.
pub fn taught(store: &mut Store, result: &Result<TaughtContract, Untrusted>) {
    let contract = match result {
        Ok(TaughtContract { contract, file }) => {
            store.say(Notice::Taught { is_kept: file.is_some() });
            contract
        }
        Err(why) => return store.say(Notice::NotTaught(why.clone())),
    };
    let before = std::mem::replace(&mut store.setup.contract, contract.clone());
    for (kind, line) in CREDENTIAL_LINES {
        if before.value(line) != contract.value(line) {
            // It was refused the way it was sent: sent in another way it is as good as any.
            store.session.credential_mut(kind).try_again();
        }
    }
    let agreed = store.agreed_lines.take();
    follow(store, agreed);
}

/// Notes that the lines in force were agreed to, and are kept.
pub fn agreed(store: &mut Store) {
    let in_force = store.setup.contract.money_lines();
    follow(store, Some(in_force));
}

/// Takes these as agreed to; states and counters follow them.
fn follow(store: &mut Store, agreed: Option<MoneyLines>) {
    let setup = &mut store.setup;
    setup.window.retention = setup.contract.retention(agreed.as_ref());
    setup.window.resend_after = setup.contract.resend_after(agreed.as_ref());
    store.agreed_lines = agreed;
}
