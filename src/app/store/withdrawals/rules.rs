//! The rules that decide which actions a withdrawal allows now.
//!
//! [`send_blocker`] decides whether a withdrawal may be sent. Its result also determines which
//! actions are offered, which explanations are shown, and what keys do.

use std::time::Duration;

use crate::app::Store;
use crate::app::store::withdrawals::{QuoteState, Refused};
use crate::app::ui::action::Action;
use crate::app::ui::bar;
use crate::app::ui::wait::to_next_second;
use crate::contract::{Contract, FieldKind, members};
use crate::trade::withdrawal::{
    Agreement, Attempt, Clash, ClashKind, Class, NoSend, WithdrawalState,
};
use crate::trade::{Account, CredentialKind, JournalTrouble, PixKey, Wall, Withdrawal};

/// The reason why a withdrawal cannot be sent now.
#[derive(Debug, Clone, PartialEq)]
pub enum SendBlocker {
    /// The withdrawal is in a state in which it is never sent.
    State,
    /// The journal has an error.
    Locked,
    /// This instance of the program is already sending a withdrawal.
    Busy,
    /// Another instance of the program is already sending a withdrawal of the same account.
    BusyElsewhere,
    /// The withdrawal belongs to another login. To send it, the seller must log in to that account
    /// with a credential of this kind.
    OtherLogin(CredentialKind),
    /// The withdrawal was made for another service address, and may be sent only to that address.
    OtherAddress,
    /// Another withdrawal of the same account is open (its outcome is unknown), and the service has
    /// not accepted this withdrawal yet.
    OtherOpen,
    /// The seller must wait, because the service may still be working on the previous attempt.
    Wait,
    /// The withdrawal is too old: the time limit for sending it again has passed.
    Window(NoSend),
    /// The service asked not to send the withdrawal again before this time.
    Later(Wall),
    /// The stored request body contains another destination than the recorded destination.
    OtherDestination,
    /// A credential of this kind is needed but missing.
    NoCredential(CredentialKind),
}

/// Returns the reason why this withdrawal cannot be sent now, or `None` if the screens offer to
/// send it. After the seller confirms, the journal checks again by its own rules.
pub fn send_blocker(store: &Store, withdrawal: &Withdrawal) -> Option<SendBlocker> {
    let state = store.state_of(withdrawal);
    if !matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown) {
        return Some(SendBlocker::State);
    }
    if let Some(blocker) = change_blocker(store, withdrawal) {
        return Some(blocker);
    }
    let wanted = store.setup.contract.withdrawal.call.credential;
    match (ownership(store, withdrawal), wanted) {
        (Ownership::Here, _) | (Ownership::OtherLogin, None) => {}
        (Ownership::OtherLogin, Some(kind)) => return Some(SendBlocker::OtherLogin(kind)),
        (Ownership::OtherAddress, _) => return Some(SendBlocker::OtherAddress),
    }
    if state == WithdrawalState::Prepared && other_open(store, withdrawal).next().is_some() {
        return Some(SendBlocker::OtherOpen);
    }
    if let Err(why) = store.setup.window.left(&withdrawal.attempts, &store.now) {
        return Some(SendBlocker::Window(why));
    }
    if let Some(until) = throttled_until(withdrawal).filter(|at| store.now.wall < *at) {
        return Some(SendBlocker::Later(until));
    }
    if !resend_wait(store, withdrawal).is_zero() {
        return Some(SendBlocker::Wait);
    }
    if other_destination(&store.setup.contract, &withdrawal.agreement).is_some() {
        return Some(SendBlocker::OtherDestination);
    }
    store.missing(wanted).map(SendBlocker::NoCredential)
}

/// Returns the open withdrawals of the same account, except this withdrawal itself.
pub fn other_open<'a>(store: &'a Store, one: &Withdrawal) -> impl Iterator<Item = &'a Withdrawal> {
    let (key, owner) = (one.agreement.key, one.agreement.account.owner());
    store
        .withdrawals
        .open
        .iter()
        .filter(move |open| open.agreement.key != key && open.agreement.account.owner() == owner)
}

/// Returns the destination in the stored request body, if it differs from the recorded destination.
/// Returns an empty text if the body contains no destination.
///
/// The body and the destination are stored separately. They can differ if a custom contract file
/// was used when the withdrawal was prepared.
pub fn other_destination(contract: &Contract, agreement: &Agreement) -> Option<String> {
    let form = &contract.withdrawal.form;
    let members = members(&agreement.body);
    let is_stored = |text: &str| agreement.destination.as_ref().is_some_and(|key| is(key, text));
    let is_key = |kind: FieldKind| kind == FieldKind::PixKey;
    let mut keys = members.iter().filter(|one| one.field(form).is_some_and(|f| is_key(f.kind)));
    if let Some(other) = keys.find(|one| !is_stored(one.value.text())) {
        return Some(other.value.text().to_owned());
    }
    // Another API contract may use another name for the field, so search the whole request body for
    // the destination.
    let is_missing =
        agreement.destination.is_some() && !members.iter().any(|one| is_stored(one.value.text()));
    is_missing.then(String::new)
}

/// Returns true if `text` is this Pix key. A phone number also matches without its plus sign,
/// because a request may leave the sign out.
pub fn is(key: &PixKey, text: &str) -> bool {
    text == key.as_str() || text == key.as_str().trim_start_matches('+')
}

/// Returns the reason that currently blocks all withdrawals, or `None` if they are not blocked.
pub fn locked(store: &Store) -> Option<Refused> {
    if let Some(trouble) = &store.withdrawals.trouble {
        return Some(Refused::Journal(trouble.clone()));
    }
    if let Some(network) = store.withdrawals.network {
        return Some(Refused::Journal(JournalTrouble::Network(network.to_owned())));
    }
    let mismatch =
        open_here(store).find(|w| matches!(store.state_of(w), WithdrawalState::Mismatch(_)));
    mismatch.map(|other| Refused::Clash(clash(ClashKind::Mismatch, other)))
}

/// Returns the account from which a new withdrawal takes money. It depends only on the credential
/// that withdrawals are sent with.
pub fn account(store: &Store) -> Account {
    let kind = store.setup.contract.withdrawal.call.credential;
    let identity = kind.and_then(|kind| store.session.credential(kind).identity());
    Account { origin: store.setup.origin.clone(), identity: identity.unwrap_or_default().into() }
}

/// Returns the kind of credential that withdrawals are sent with, if that credential is missing or
/// expired.
///
/// Unlike [`Store::missing`], treats the credential as missing until the vault has replied. A
/// withdrawal must name its account, which is not known before that.
pub fn missing(store: &Store) -> Option<CredentialKind> {
    let kind = store.setup.contract.withdrawal.call.credential;
    kind.filter(|kind| !store.session.credential(*kind).is_good(store.now.wall))
}

/// The result of comparing a withdrawal's service address and login with the current ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// The withdrawal was made with the current service address and the current login. If nobody is
    /// logged in now, only the address is compared.
    Here,
    /// The withdrawal was made with the current service address, but with another login.
    OtherLogin,
    /// The withdrawal was made with another service address.
    OtherAddress,
}

/// Compares a withdrawal's service address and login with the current ones. Both must match
/// exactly. While nobody is logged in, only the address is compared.
pub fn ownership(store: &Store, withdrawal: &Withdrawal) -> Ownership {
    let (wanted, here) = (&withdrawal.agreement.account, account(store));
    if wanted.origin != here.origin {
        return Ownership::OtherAddress;
    }
    let kind = store.setup.contract.withdrawal.call.credential;
    let is_in = kind.is_some_and(|kind| store.session.credential(kind).identity().is_some());
    if is_in && wanted.identity != here.identity { Ownership::OtherLogin } else { Ownership::Here }
}

/// Returns the open withdrawals of the current account.
pub fn open_here(store: &Store) -> impl Iterator<Item = &Withdrawal> {
    let account = account(store);
    store.withdrawals.open.iter().filter(move |w| w.agreement.account.has_owner_of(&account))
}

/// Creates a clash: the reason that a new withdrawal is refused because of another withdrawal.
pub fn clash(kind: ClashKind, other: &Withdrawal) -> Clash {
    Clash { kind, other: Box::new(other.clone()) }
}

/// Returns the reason why a new withdrawal is refused, even if the amount is typed again. Either
/// all withdrawals are blocked, or a withdrawal of the same amount to the same destination is open.
pub fn wall(store: &Store, agreement: &Agreement) -> Option<Refused> {
    locked(store).or_else(|| {
        let same = open_here(store).find(|other| is_same_payment(&other.agreement, agreement))?;
        Some(Refused::Clash(clash(ClashKind::SameOpen, same)))
    })
}

/// Returns the open withdrawals of other accounts that have the same amount and the same
/// destination.
pub fn same_open_elsewhere<'a>(
    store: &'a Store,
    agreement: &'a Agreement,
) -> impl Iterator<Item = &'a Withdrawal> {
    let owner = agreement.account.owner();
    store.withdrawals.open.iter().filter(move |other| {
        is_same_payment(&other.agreement, agreement) && other.agreement.account.owner() != owner
    })
}

fn is_same_payment(one: &Agreement, other: &Agreement) -> bool {
    one.amount == other.amount && one.destination == other.destination
}

/// Returns the reason why the fee quote prevents the review from opening. The quote has not
/// arrived, it contradicts itself, or the service refused the amount.
pub fn not_quoted(quote: &QuoteState) -> Option<Refused> {
    match quote {
        QuoteState::Failed { amount, why } if why.blocks() => {
            Some(Refused::QuoteBlocks { amount: *amount, why: why.clone() })
        }
        QuoteState::Shown(_) | QuoteState::Failed { .. } => None,
        QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => {
            Some(Refused::QuoteNotThere)
        }
    }
}

/// Returns the actions that are safe to run on this withdrawal now.
pub fn safe_actions(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
    use Action::*;
    let sends = || sends(store, withdrawal).into_iter();
    let mut offered: Vec<Action> = match store.state_of(withdrawal) {
        WithdrawalState::Prepared => sends().chain([Discard]).collect(),
        WithdrawalState::Unknown => sends().chain([Check, Found]).collect(),
        WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_) => vec![Check, Found],
        _ if can_repeat(store, withdrawal) => vec![Repeat],
        _ => vec![],
    };
    offered.extend(has_receipt(store, withdrawal).then_some(Receipt));
    if change_blocker(store, withdrawal).is_some() {
        // Keep only actions that read data, because they are always safe.
        offered.retain(|action| matches!(action, Check | Receipt));
    }
    offered.push(Copy);
    offered
}

/// Returns true if the withdrawal has a receipt. This is the case once the service has accepted it.
pub fn has_receipt(store: &Store, withdrawal: &Withdrawal) -> bool {
    store.state_of(withdrawal) == WithdrawalState::Accepted
}

/// Returns true if the action "repeat" is offered. It starts a new withdrawal to the same
/// destination. The earlier withdrawal must have a final outcome, so that nobody mistakes the
/// action for a retry.
pub fn can_repeat(store: &Store, withdrawal: &Withdrawal) -> bool {
    let state = store.state_of(withdrawal);
    let is_decided = !state.is_open() && state != WithdrawalState::Prepared;
    let has_destination = withdrawal.agreement.destination.is_some();
    is_decided && has_destination && store.withdrawals.can_begin()
}

/// Returns the action that sends the withdrawal. If a credential is missing, returns the login
/// action instead. Returns `None` if the withdrawal cannot be sent.
pub fn sends(store: &Store, withdrawal: &Withdrawal) -> Option<Action> {
    match send_blocker(store, withdrawal) {
        // If the destinations differ, this action opens a page that shows the difference and sends
        // nothing.
        None | Some(SendBlocker::OtherDestination) => Some(Action::Send),
        Some(SendBlocker::NoCredential(missing) | SendBlocker::OtherLogin(missing)) => {
            Some(store.entry_action(missing))
        }
        Some(_) => None,
    }
}

/// Returns the actions that are offered on the details page of a withdrawal.
pub fn in_details(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
    let mut offered = safe_actions(store, withdrawal);
    if !withdrawal.attempts.is_empty() {
        offered.push(Action::Open);
    }
    offered.push(Action::Refresh);
    offered
}

/// Returns the actions that are offered in the guide for checking the account at the service. "Not
/// paid" is offered only if the withdrawal can never be sent again.
pub fn in_guide(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
    use Action::*;
    let mut offered = match store.state_of(withdrawal) {
        WithdrawalState::Unknown => vec![Found],
        WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_) => vec![Found, NotPaid],
        _ => vec![],
    };
    if change_blocker(store, withdrawal).is_some() {
        offered.clear();
    }
    offered.push(Copy);
    offered
}

/// Returns the reason why the withdrawal cannot be changed now. Either the journal has an error, or
/// this or another instance of the program is sending a withdrawal. Another instance counts only
/// for the same account.
pub fn change_blocker(store: &Store, withdrawal: &Withdrawal) -> Option<SendBlocker> {
    let withdrawals = &store.withdrawals;
    if withdrawals.trouble.is_some() {
        return Some(SendBlocker::Locked);
    }
    if withdrawals.in_flight.is_some() {
        return Some(SendBlocker::Busy);
    }
    let is_busy = withdrawals.is_busy_elsewhere(&withdrawal.agreement.account);
    is_busy.then_some(SendBlocker::BusyElsewhere)
}

/// Returns how much time is left for sending the withdrawal again. Returns `None` if the withdrawal
/// belongs to another login or service address.
pub fn sends_left(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    window_left(store, withdrawal).filter(|_| ownership(store, withdrawal) == Ownership::Here)
}

/// Returns how much time is left for sending the withdrawal again, under any login. The countdown
/// on the screen shows this time.
///
/// Returns `None` if the withdrawal does not need to be sent again, if the time is over, or if the
/// journal has an error.
pub fn window_left(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    let may_need_one =
        matches!(store.state_of(withdrawal), WithdrawalState::Unknown | WithdrawalState::Prepared);
    let has_begun = withdrawal.attempts.iter().any(Attempt::counts);
    let left = store.setup.window.left(&withdrawal.attempts, &store.now).ok();
    left.filter(|_| may_need_one && has_begun && store.withdrawals.trouble.is_none())
}

/// Returns the time left for sending the withdrawal again, as a bar that is `width` columns wide.
/// Returns `None` if there is no countdown.
pub fn window_bar(store: &Store, withdrawal: &Withdrawal, width: usize) -> Option<[String; 2]> {
    let left = sends_left(store, withdrawal)?;
    let whole = store.setup.window.left(&[], &store.now).ok()?;
    Some(bar::left(left, whole, width))
}

/// Returns how soon the screen must update the countdown for sending the withdrawal again.
pub fn next_countdown_change(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    let left = window_left(store, withdrawal)?;
    let begun = withdrawal.attempts.iter().find(|attempt| attempt.counts())?;
    let end = left + Duration::from_millis(1);
    Some(to_next_second(begun.began.boot_ms, store.now.boot_ms).min(end))
}

/// Returns how long the seller must wait before the withdrawal may be sent again. The service may
/// still be working on the previous attempt.
pub fn resend_wait(store: &Store, withdrawal: &Withdrawal) -> Duration {
    match store.state_of(withdrawal) {
        WithdrawalState::Unknown => store.setup.window.wait(&withdrawal.attempts, &store.now),
        _ => Duration::ZERO,
    }
}

/// Returns how long to wait until the withdrawal can be sent again. Returns `None` if waiting is
/// not enough.
pub fn send_wait(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    match send_blocker(store, withdrawal)? {
        SendBlocker::Wait => Some(resend_wait(store, withdrawal)),
        SendBlocker::Later(until) => until.since(store.now.wall),
        _ => None,
    }
}

/// Returns the time until which the service asked not to send this withdrawal again, if it did.
pub fn throttled_until(withdrawal: &Withdrawal) -> Option<Wall> {
    let end = withdrawal.attempts.last()?.end.as_ref()?;
    match end.class {
        Class::Throttled { retry_after: Some(wait) } => Some(end.at.plus(wait)),
        _ => None,
    }
}
