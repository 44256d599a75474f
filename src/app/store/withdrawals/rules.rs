//! The rules of what may be done with a withdrawal now; screens ask them of the store.
//!
//! One function, [`against`], says whether a withdrawal may be sent at all: the offered actions,
//! the remarks and what a key does follow from it.

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
use crate::trade::{Account, CredentialKind, JournalTrouble, NoQuote, PixKey, Wall, Withdrawal};

/// The reason a withdrawal may not be sent now.
#[derive(Debug, Clone, PartialEq)]
pub enum Against {
    /// In its state nothing is sent.
    State,
    /// The journal is in trouble.
    Locked,
    /// Something is being sent, by this window.
    Busy,
    /// Another window is sending something of its account.
    BusyElsewhere,
    /// Another login made it: that one is needed, with this credential.
    OtherLogin(CredentialKind),
    /// It was made at another address, and is only sent from there.
    OtherAddress,
    /// Another one of its account is open, and the seller was not asked about that.
    OtherOpen,
    /// The attempt before may still be worked on.
    Wait,
    /// The window is over.
    Window(NoSend),
    /// The service asked to be left alone until then.
    Later(Wall),
    /// Its bytes pay to another destination than the one that is written beside them.
    OtherDestination,
    /// A credential is missing.
    Entry(CredentialKind),
}

/// Returns what speaks against sending this withdrawal now; no other place says that.
pub fn against(store: &Store, withdrawal: &Withdrawal) -> Option<Against> {
    let state = store.state_of(withdrawal);
    if !matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown) {
        return Some(Against::State);
    }
    if let Some(hindrance) = hindrance(store, withdrawal) {
        return Some(hindrance);
    }
    let wanted = store.setup.contract.withdrawal.call.credential;
    match (belongs(store, withdrawal), wanted) {
        (Belongs::Here, _) | (Belongs::OtherLogin, None) => {}
        (Belongs::OtherLogin, Some(kind)) => return Some(Against::OtherLogin(kind)),
        (Belongs::OtherAddress, _) => return Some(Against::OtherAddress),
    }
    if state == WithdrawalState::Prepared && other_open(store, withdrawal).next().is_some() {
        return Some(Against::OtherOpen);
    }
    if let Err(why) = store.setup.window.left(&withdrawal.attempts, &store.now) {
        return Some(Against::Window(why));
    }
    if let Some(until) = throttled_until(withdrawal).filter(|at| store.now.wall < *at) {
        return Some(Against::Later(until));
    }
    if !resend_wait(store, withdrawal).is_zero() {
        return Some(Against::Wait);
    }
    if other_destination(&store.setup.contract, &withdrawal.agreement).is_some() {
        return Some(Against::OtherDestination);
    }
    store.missing(wanted).map(Against::Entry)
}

/// Other open ones of the same account.
pub fn other_open<'a>(store: &'a Store, one: &Withdrawal) -> impl Iterator<Item = &'a Withdrawal> {
    let (key, owner) = (one.agreement.key, one.agreement.account.owner());
    store
        .withdrawals
        .open
        .iter()
        .filter(move |open| open.agreement.key != key && open.agreement.account.owner() == owner)
}

/// The destination that the bytes say, where it is not the one that is written beside them.
///
/// Both are kept apart: a contract file of somebody's own, in force when it was prepared, could
/// make the one differ from the other.
pub fn other_destination(contract: &Contract, agreement: &Agreement) -> Option<String> {
    let form = &contract.withdrawal.form;
    let members = members(&agreement.body);
    let is_stored = |text: &str| agreement.destination.as_ref().is_some_and(|key| is(key, text));
    let is_key = |kind: FieldKind| kind == FieldKind::PixKey;
    let mut keys = members.iter().filter(|one| one.field(form).is_some_and(|f| is_key(f.kind)));
    if let Some(other) = keys.find(|one| !is_stored(one.value.text())) {
        return Some(other.value.text().to_owned());
    }
    // Another contract may have named it otherwise; somewhere in the bytes it must be.
    let is_missing =
        agreement.destination.is_some() && !members.iter().any(|one| is_stored(one.value.text()));
    is_missing.then(String::new)
}

/// Returns true when a text of the wire is this key; a phone number's plus may be missing.
pub fn is(key: &PixKey, text: &str) -> bool {
    text == key.as_str() || text == key.as_str().trim_start_matches('+')
}

/// Returns the reason no withdrawal at all can go on now.
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

/// Returns the account whose money a withdrawal takes, which its own credential decides alone.
pub fn account(store: &Store) -> Account {
    let kind = store.setup.contract.withdrawal.call.credential;
    let identity = kind.and_then(|kind| store.session.credential(kind).identity());
    Account { origin: store.setup.origin.clone(), identity: identity.unwrap_or_default().into() }
}

/// The credential that withdrawals are sent with, if it is not at hand.
///
/// Unlike elsewhere an unread vault counts as none: the agreement names whose money it is.
pub fn missing(store: &Store) -> Option<CredentialKind> {
    let kind = store.setup.contract.withdrawal.call.credential;
    kind.filter(|kind| !store.session.credential(*kind).is_good(store.now.wall))
}

/// The place that a withdrawal may be sent from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Belongs {
    /// This place, as far as is known: this address, and no other login.
    Here,
    /// Another login at this address.
    OtherLogin,
    /// Another address.
    OtherAddress,
}

/// Returns the place it may be sent from: its own address, as it was written, and its own login.
pub fn belongs(store: &Store, withdrawal: &Withdrawal) -> Belongs {
    let (wanted, here) = (&withdrawal.agreement.account, account(store));
    if wanted.origin != here.origin {
        return Belongs::OtherAddress;
    }
    let kind = store.setup.contract.withdrawal.call.credential;
    let is_in = kind.is_some_and(|kind| store.session.credential(kind).identity().is_some());
    if is_in && wanted.identity != here.identity { Belongs::OtherLogin } else { Belongs::Here }
}

/// The open withdrawals of the account that is logged in.
pub fn open_here(store: &Store) -> impl Iterator<Item = &Withdrawal> {
    let account = account(store);
    store.withdrawals.open.iter().filter(move |w| w.agreement.account.has_owner_of(&account))
}

/// Another withdrawal that stands in the way.
pub fn clash(kind: ClashKind, other: &Withdrawal) -> Clash {
    Clash { kind, other: Box::new(other.clone()) }
}

/// Returns what no typing overcomes: a mismatch, or the same amount and destination being open.
pub fn wall(store: &Store, agreement: &Agreement) -> Option<Refused> {
    locked(store).or_else(|| {
        let same = open_here(store).find(|other| is_same_payment(&other.agreement, agreement))?;
        Some(Refused::Clash(clash(ClashKind::SameOpen, same)))
    })
}

/// Open ones of the same amount and destination that are not of this account.
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

/// Returns the reason there may be no review yet: no quote is there yet, or it contradicts itself.
pub fn not_quoted(quote: &QuoteState) -> Option<Refused> {
    match quote {
        QuoteState::Failed { why: NoQuote::Fault(fault), .. }
            if !quote.leaves_the_fee_unknown() =>
        {
            Some(Refused::QuoteWrong(fault.clone()))
        }
        QuoteState::Shown(_) | QuoteState::Failed { .. } => None,
        QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => {
            Some(Refused::QuoteNotThere)
        }
    }
}

/// The steps that are safe now; those that are not are absent.
pub fn with_withdrawal(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
    use Action::*;
    let sends = || sends(store, withdrawal).into_iter();
    let mut offered: Vec<Action> = match store.state_of(withdrawal) {
        WithdrawalState::Prepared => sends().chain([Discard]).collect(),
        WithdrawalState::Unknown => sends().chain([Check, Found]).collect(),
        WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_) => vec![Check, Found],
        _ if repeats(store, withdrawal) => vec![Repeat],
        _ => vec![],
    };
    offered.extend(has_receipt(store, withdrawal).then_some(Receipt));
    if hindrance(store, withdrawal).is_some() {
        // Looking is always safe.
        offered.retain(|action| matches!(action, Check | Receipt));
    }
    offered.push(Copy);
    offered
}

/// Returns true when it has a receipt: the service accepted it.
pub fn has_receipt(store: &Store, withdrawal: &Withdrawal) -> bool {
    store.state_of(withdrawal) == WithdrawalState::Accepted
}

/// Returns true when a new withdrawal to the same destination may be begun from this one: it is
/// decided, so that nobody takes a new one for its second try.
pub fn repeats(store: &Store, withdrawal: &Withdrawal) -> bool {
    let state = store.state_of(withdrawal);
    let is_decided = !state.is_open() && state != WithdrawalState::Prepared;
    let has_destination = withdrawal.agreement.destination.is_some();
    is_decided && has_destination && store.withdrawals.can_begin()
}

/// Returns the action that leads to its being sent; while a credential is missing, the login.
pub fn sends(store: &Store, withdrawal: &Withdrawal) -> Option<Action> {
    match against(store, withdrawal) {
        // The question shows what is wrong with the bytes, and sends nothing.
        None | Some(Against::OtherDestination) => Some(Action::Send),
        Some(Against::Entry(missing) | Against::OtherLogin(missing)) => {
            Some(store.entry_action(missing))
        }
        Some(_) => None,
    }
}

/// The steps, a look at every attempt, and reading it again.
pub fn in_details(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
    let mut offered = with_withdrawal(store, withdrawal);
    if !withdrawal.attempts.is_empty() {
        offered.push(Action::Open);
    }
    offered.push(Action::Refresh);
    offered
}

/// The answers after a look at the account; "not paid" only once it can never be sent again.
pub fn in_guide(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
    use Action::*;
    let mut offered = match store.state_of(withdrawal) {
        WithdrawalState::Unknown => vec![Found],
        WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_) => vec![Found, NotPaid],
        _ => vec![],
    };
    if hindrance(store, withdrawal).is_some() {
        offered.clear();
    }
    offered.push(Copy);
    offered
}

/// Returns what keeps everything from being changed now: the journal is in trouble, or something is
/// being sent, here or for this account in another window.
pub fn hindrance(store: &Store, withdrawal: &Withdrawal) -> Option<Against> {
    let withdrawals = &store.withdrawals;
    if withdrawals.trouble.is_some() {
        return Some(Against::Locked);
    }
    if withdrawals.in_flight.is_some() {
        return Some(Against::Busy);
    }
    let is_busy = withdrawals.is_busy_elsewhere(&withdrawal.agreement.account);
    is_busy.then_some(Against::BusyElsewhere)
}

/// Returns the time within which it may be sent from here, if a send may be needed and one has
/// begun.
///
/// Under another login, or at another address, nothing says that it can be sent.
pub fn sends_left(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    window_left(store, withdrawal).filter(|_| belongs(store, withdrawal) == Belongs::Here)
}

/// Returns the time within which anybody may send it further, if a send may be needed and one has
/// begun.
///
/// While it is on the screen it is counted down.
pub fn window_left(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    let may_need_one =
        matches!(store.state_of(withdrawal), WithdrawalState::Unknown | WithdrawalState::Prepared);
    let has_begun = withdrawal.attempts.iter().any(Attempt::counts);
    let left = store.setup.window.left(&withdrawal.attempts, &store.now).ok();
    left.filter(|_| may_need_one && has_begun && store.withdrawals.trouble.is_none())
}

/// The window of a further send, drawn as a bar of this width; none where none is counted down.
pub fn window_bar(store: &Store, withdrawal: &Withdrawal, width: usize) -> Option<[String; 2]> {
    let left = sends_left(store, withdrawal)?;
    let whole = store.setup.window.left(&[], &store.now).ok()?;
    Some(bar::left(left, whole, width))
}

/// Returns the time until the window that is counted down shows another second, or is over.
pub fn window_second(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    let left = window_left(store, withdrawal)?;
    let begun = withdrawal.attempts.iter().find(|attempt| attempt.counts())?;
    let end = left + Duration::from_millis(1);
    Some(to_next_second(begun.began.boot_ms, store.now.boot_ms).min(end))
}

/// Returns the time until the attempt before may be repeated: it may still be worked on.
pub fn resend_wait(store: &Store, withdrawal: &Withdrawal) -> Duration {
    match store.state_of(withdrawal) {
        WithdrawalState::Unknown => store.setup.window.wait(&withdrawal.attempts, &store.now),
        _ => Duration::ZERO,
    }
}

/// Until when the service asked to be left alone about this withdrawal.
pub fn throttled_until(withdrawal: &Withdrawal) -> Option<Wall> {
    let end = withdrawal.attempts.last()?.end.as_ref()?;
    match end.class {
        Class::Throttled { retry_after: Some(wait) } => Some(end.at.plus(wait)),
        _ => None,
    }
}
