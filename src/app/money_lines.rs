//! The lines of the contract that steer money, as the seller agreed to them.
//!
//! What stops a withdrawal is the wire, which asks the vault itself; here is what the screens know.

use super::Store;
use super::screen::route::{Next, Route};
use crate::contract::{Change, MoneyLines};
use crate::trade::VaultTrouble;

/// What was agreed to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MoneyLinesState {
    /// The lines that were agreed to last; `None` where there are none, or none are known of.
    pub agreed: Option<MoneyLines>,
}

/// What the page of these lines is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The review of a new withdrawal comes next.
    Review,
    /// A withdrawal is to be sent again; the key for that is pressed once more afterwards.
    Resend,
    /// Nothing: it was opened to be looked at, and nothing can be agreed to.
    Look,
}

/// What has to be agreed to before money leaves.
pub fn pending(store: &Store) -> Vec<Change> {
    store.setup.contract.to_agree(store.money_lines.agreed.as_ref())
}

/// Opens the page where something has to be agreed to first.
pub fn come_first(store: &Store, purpose: Purpose) -> Option<Next> {
    (!pending(store).is_empty()).then(|| Next::open(Route::MoneyLines(purpose)))
}

/// What there is to look at: nothing under the program's own contract.
pub fn to_look_at(store: &Store) -> Vec<Change> {
    let pending = pending(store);
    if pending.is_empty() { store.setup.contract.own_changes() } else { pending }
}

/// The vault said what was agreed to last; where it cannot say, nothing was.
pub fn read(store: &mut Store, last: &Result<Option<MoneyLines>, VaultTrouble>) {
    follow(store, last.clone().unwrap_or_default());
}

/// What is in force was agreed to, and is kept.
pub fn agreed(store: &mut Store) {
    let in_force = store.setup.contract.money_lines();
    follow(store, Some(in_force));
}

/// Takes these as agreed to; states and counters follow them.
fn follow(store: &mut Store, agreed: Option<MoneyLines>) {
    let setup = &mut store.setup;
    setup.window.retention = setup.contract.retention(agreed.as_ref());
    setup.window.resend_after = setup.contract.resend_after(agreed.as_ref());
    store.money_lines.agreed = agreed;
}
