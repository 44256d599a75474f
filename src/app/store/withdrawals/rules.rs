//! The rules that decide which actions a withdrawal allows now.
//!
//! [`send_blocker`] decides whether a withdrawal may be sent. The offered actions, the explanations
//! and the effects of keys all follow from its result.

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

/// The reason a withdrawal cannot be sent now.
#[derive(Debug, Clone, PartialEq)]
pub enum SendBlocker {
    /// A withdrawal in this state is never sent.
    State,
    /// The journal has an error.
    Locked,
    /// This instance of the program is sending a withdrawal.
    Busy,
    /// Another instance of the program is sending a withdrawal of the same account.
    BusyElsewhere,
    /// The withdrawal belongs to another login. To send it, the seller must log in to that account,
    /// which needs a credential of this kind.
    OtherLogin(CredentialKind),
    /// The withdrawal was made for another service address, and can be sent only there.
    OtherAddress,
    /// The service has not accepted the withdrawal yet, and another withdrawal of the same account
    /// is open.
    OtherOpen,
    /// The service may still be working on the previous attempt, so the seller must wait.
    Wait,
    /// The time limit for sending the withdrawal again has passed.
    Window(NoSend),
    /// The service asked not to send the withdrawal again before this time.
    Later(Wall),
    /// The destination in the stored request body differs from the recorded destination.
    OtherDestination,
    /// The credential of this kind is missing.
    NoCredential(CredentialKind),
}

/// Returns why this withdrawal cannot be sent now, or `None` if the screens offer to send it. When
/// the seller confirms, the journal checks again by its own rules.
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

/// Returns the other open withdrawals of the same account.
pub fn other_open<'a>(store: &'a Store, one: &Withdrawal) -> impl Iterator<Item = &'a Withdrawal> {
    let (key, owner) = (one.agreement.key, one.agreement.account.owner());
    store
        .withdrawals
        .open
        .iter()
        .filter(move |open| open.agreement.key != key && open.agreement.account.owner() == owner)
}

/// Returns the destination in the stored request body if it differs from the recorded destination.
/// Returns an empty text if the body contains no destination.
///
/// Body and destination are stored separately. A custom contract file, used when the withdrawal was
/// prepared, could make them differ.
pub fn other_destination(contract: &Contract, agreement: &Agreement) -> Option<String> {
    let form = &contract.withdrawal.form;
    let members = members(&agreement.body);
    let is_stored = |text: &str| agreement.destination.as_ref().is_some_and(|key| is(key, text));
    let is_key = |kind: FieldKind| kind == FieldKind::PixKey;
    let mut keys = members.iter().filter(|one| one.field(form).is_some_and(|f| is_key(f.kind)));
    if let Some(other) = keys.find(|one| !is_stored(one.value.text())) {
        return Some(other.value.text().to_owned());
    }
    // Another contract may use another name for the field, so search the whole request body for the
    // destination.
    let is_missing =
        agreement.destination.is_some() && !members.iter().any(|one| is_stored(one.value.text()));
    is_missing.then(String::new)
}

/// Returns true if `text` is this Pix key. A phone number also matches without its plus sign,
/// because a request may omit the sign.
pub fn is(key: &PixKey, text: &str) -> bool {
    text == key.as_str() || text == key.as_str().trim_start_matches('+')
}

/// Returns the reason that currently blocks all withdrawals, if there is one.
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

/// Returns the account that a new withdrawal is taken from. The account depends only on the
/// credential for withdrawals.
pub fn account(store: &Store) -> Account {
    let kind = store.setup.contract.withdrawal.call.credential;
    let identity = kind.and_then(|kind| store.session.credential(kind).identity());
    Account { origin: store.setup.origin.clone(), identity: identity.unwrap_or_default().into() }
}

/// Returns the kind of credential that withdrawals are sent with, if this credential is missing or
/// expired.
///
/// Unlike [`Store::missing`], this function treats the credential as missing until the vault has
/// replied, because the agreement must name the account.
pub fn missing(store: &Store) -> Option<CredentialKind> {
    let kind = store.setup.contract.withdrawal.call.credential;
    kind.filter(|kind| !store.session.credential(*kind).is_good(store.now.wall))
}

/// The result of comparing the service address and login of a withdrawal with the current ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// The withdrawal was made with the current service address and the current login (or nobody is
    /// logged in now).
    Here,
    /// The withdrawal was made with the current service address, but with another login.
    OtherLogin,
    /// The withdrawal was made with another service address.
    OtherAddress,
}

/// Compares the service address and login of a withdrawal with the current ones. Both must match
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

/// Creates a clash: a reason to refuse a new withdrawal because of another one.
pub fn clash(kind: ClashKind, other: &Withdrawal) -> Clash {
    Clash { kind, other: Box::new(other.clone()) }
}

/// Returns the reason a new withdrawal is refused outright: all withdrawals are blocked, or a
/// withdrawal of the same amount and destination is open. Retyping the amount does not help then.
pub fn wall(store: &Store, agreement: &Agreement) -> Option<Refused> {
    locked(store).or_else(|| {
        let same = open_here(store).find(|other| is_same_payment(&other.agreement, agreement))?;
        Some(Refused::Clash(clash(ClashKind::SameOpen, same)))
    })
}

/// Returns the open withdrawals of other accounts with the same amount and destination.
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

/// Returns the reason the review cannot open because of the fee quote: the quote has not arrived,
/// it contradicts itself, or the service refused the amount.
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

/// Returns the actions that the seller can safely run on this withdrawal now.
pub fn with_withdrawal(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
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
        // Actions that only read data are always safe.
        offered.retain(|action| matches!(action, Check | Receipt));
    }
    offered.push(Copy);
    offered
}

/// Returns true if the withdrawal has a receipt, because the service accepted it.
pub fn has_receipt(store: &Store, withdrawal: &Withdrawal) -> bool {
    store.state_of(withdrawal) == WithdrawalState::Accepted
}

/// Returns true if the action "repeat" is offered, which starts a new withdrawal to the same
/// destination. It requires a final outcome, so that nobody mistakes it for a retry.
pub fn can_repeat(store: &Store, withdrawal: &Withdrawal) -> bool {
    let state = store.state_of(withdrawal);
    let is_decided = !state.is_open() && state != WithdrawalState::Prepared;
    let has_destination = withdrawal.agreement.destination.is_some();
    is_decided && has_destination && store.withdrawals.can_begin()
}

/// Returns the action that sends the withdrawal, or the login action if a credential is missing.
/// Returns `None` if the withdrawal cannot be sent.
pub fn sends(store: &Store, withdrawal: &Withdrawal) -> Option<Action> {
    match send_blocker(store, withdrawal) {
        // If the destinations differ, the page behind this action shows the difference and sends
        // nothing.
        None | Some(SendBlocker::OtherDestination) => Some(Action::Send),
        Some(SendBlocker::NoCredential(missing) | SendBlocker::OtherLogin(missing)) => {
            Some(store.entry_action(missing))
        }
        Some(_) => None,
    }
}

/// Returns the actions that the details page of a withdrawal offers.
pub fn in_details(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
    let mut offered = with_withdrawal(store, withdrawal);
    if !withdrawal.attempts.is_empty() {
        offered.push(Action::Open);
    }
    offered.push(Action::Refresh);
    offered
}

/// Returns the actions that the guide for checking the account offers. "Not paid" is offered only
/// if the withdrawal can never be sent again.
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

/// Returns the reason the withdrawal cannot be changed now: the journal has an error, this instance
/// of the program is sending a withdrawal, or another instance is sending a withdrawal of the same
/// account.
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

/// Returns the time left for sending the withdrawal again, or `None` if it belongs to another login
/// or service address.
pub fn sends_left(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    window_left(store, withdrawal).filter(|_| ownership(store, withdrawal) == Ownership::Here)
}

/// Returns the time left for sending the withdrawal again, under any login, for the countdown on
/// the screen.
///
/// Returns `None` if no resend is needed, if the time is over, or if the journal has an error.
pub fn window_left(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    let may_need_one =
        matches!(store.state_of(withdrawal), WithdrawalState::Unknown | WithdrawalState::Prepared);
    let has_begun = withdrawal.attempts.iter().any(Attempt::counts);
    let left = store.setup.window.left(&withdrawal.attempts, &store.now).ok();
    left.filter(|_| may_need_one && has_begun && store.withdrawals.trouble.is_none())
}

/// Returns the time left for sending the withdrawal again, as a bar of `width` columns. `None` if
/// there is no countdown.
pub fn window_bar(store: &Store, withdrawal: &Withdrawal, width: usize) -> Option<[String; 2]> {
    let left = sends_left(store, withdrawal)?;
    let whole = store.setup.window.left(&[], &store.now).ok()?;
    Some(bar::left(left, whole, width))
}

/// Returns the time until the countdown for sending the withdrawal again changes or ends.
pub fn window_second(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    let left = window_left(store, withdrawal)?;
    let begun = withdrawal.attempts.iter().find(|attempt| attempt.counts())?;
    let end = left + Duration::from_millis(1);
    Some(to_next_second(begun.began.boot_ms, store.now.boot_ms).min(end))
}

/// Returns the time to wait before the withdrawal may be sent again, because the service may still
/// be working on the previous attempt.
pub fn resend_wait(store: &Store, withdrawal: &Withdrawal) -> Duration {
    match store.state_of(withdrawal) {
        WithdrawalState::Unknown => store.setup.window.wait(&withdrawal.attempts, &store.now),
        _ => Duration::ZERO,
    }
}

/// Returns the time until the send action is offered again, if waiting is all that is needed.
pub fn send_wait(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    match send_blocker(store, withdrawal)? {
        SendBlocker::Wait => Some(resend_wait(store, withdrawal)),
        SendBlocker::Later(until) => until.since(store.now.wall),
        _ => None,
    }
}

/// Returns the time before which the service asked not to send this withdrawal again.
pub fn throttled_until(withdrawal: &Withdrawal) -> Option<Wall> {
    let end = withdrawal.attempts.last()?.end.as_ref()?;
    match end.class {
        Class::Throttled { retry_after: Some(wait) } => Some(end.at.plus(wait)),
        _ => None,
    }
}
