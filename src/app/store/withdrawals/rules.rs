//! The rules that decide which actions a withdrawal allows now.
//!
//! [`send_blocker`] decides whether a withdrawal may be sent. Its result also determines which
//! actions are offered, which explanations are shown, and what keys do.

use std::time::Duration;

use crate::app::Store;
use crate::app::store::unit;
use crate::app::store::withdrawals::{QuoteState, Refused};
use crate::app::ui::action::Action;
use crate::app::ui::bar;
use crate::app::ui::wait::to_next_second;
use crate::contract::{Contract, FieldKind, members};
use crate::trade::withdrawal::{
    Agreement, Attempt, Blocker, Clash, ClashKind, Class, Standing, WithdrawalState,
};
use crate::trade::{Account, CredentialKind, JournalTrouble, PixKey, Wall, Withdrawal};

/// The reason why a withdrawal cannot be sent now.
#[derive(Debug, Clone, PartialEq)]
pub enum SendBlocker {
    /// A rule that the journal enforces, too. [`Blocker::State`] and [`Blocker::Window`] mean that
    /// the withdrawal can never be sent.
    Rule(Blocker),
    /// The journal has an error.
    Locked,
    /// The withdrawal belongs to another login. To send it, the seller must log in to that account
    /// with a credential of this kind.
    OtherLogin(CredentialKind),
    /// The withdrawal was made for another service address, and may be sent only to that address.
    OtherAddress,
    /// The service asked not to send the withdrawal again before this time.
    Later(Wall),
    /// The stored request body contains another destination than the recorded destination.
    OtherDestination,
    /// The service has not accepted the withdrawal yet, and its amount is in a wrong unit.
    OtherUnit,
    /// A credential of this kind is needed but missing.
    NoCredential(CredentialKind),
}

/// The reason why this withdrawal cannot be sent now, or `None` if the screens offer to send it.
/// Before it is sent, the journal checks its own rules, too.
pub fn send_blocker(store: &Store, withdrawal: &Withdrawal) -> Option<SendBlocker> {
    let state = store.state_of(withdrawal);
    if !matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown) {
        return Some(SendBlocker::Rule(Blocker::State));
    }
    if let Some(blocker) = change_blocker(store, withdrawal) {
        return Some(blocker);
    }
    let needed_kind = store.setup.contract.withdrawal.call.credential;
    match (ownership(store, withdrawal), needed_kind) {
        (Ownership::Here, _) | (Ownership::OtherLogin, None) => {}
        (Ownership::OtherLogin, Some(kind)) => return Some(SendBlocker::OtherLogin(kind)),
        (Ownership::OtherAddress, _) => return Some(SendBlocker::OtherAddress),
    }
    if state == WithdrawalState::Prepared {
        let mut clashes = open_clashes(store, &withdrawal.agreement).into_iter();
        if let Some(clash) = clashes.find(|clash| clash.kind != ClashKind::SameOpenElsewhere) {
            return Some(SendBlocker::Rule(Blocker::Clash(clash)));
        }
        if unit::is_wrong_in(store, &withdrawal.agreement) {
            return Some(SendBlocker::OtherUnit);
        }
    }
    let rule = withdrawal.send_blocker(&store.now, &store.setup.window);
    let is_over = matches!(rule, Some(Blocker::State | Blocker::Window(_)));
    let throttled_until = throttled_until(withdrawal).filter(|until| store.now.wall < *until);
    if let Some(until) = throttled_until.filter(|_| !is_over) {
        return Some(SendBlocker::Later(until));
    }
    if let Some(rule) = rule {
        return Some(SendBlocker::Rule(rule));
    }
    if is_unapproved(store, withdrawal) {
        return Some(SendBlocker::Rule(Blocker::Unapproved));
    }
    if other_destination(&store.setup.contract, &withdrawal.agreement).is_some() {
        return Some(SendBlocker::OtherDestination);
    }
    store
        .missing_credential(needed_kind)
        .map(SendBlocker::NoCredential)
}

/// True if the team requires that a second person approves each withdrawal.
pub fn needs_approval(store: &Store) -> bool {
    let team = store.withdrawals.team.as_ref();
    team.is_some_and(|team| team.needs_approval)
}

/// True if the team requires an approval of this withdrawal that nobody has given.
pub fn is_unapproved(store: &Store, withdrawal: &Withdrawal) -> bool {
    needs_approval(store) && withdrawal.approvals.valid(store.now.wall).is_none()
}

/// The reason why the seller cannot approve this withdrawal now, or `None` if the screens offer it.
/// The login does not matter, because the person who prepared the withdrawal sends it.
pub fn approval_blocker(store: &Store, withdrawal: &Withdrawal) -> Option<SendBlocker> {
    let state = store.state_of(withdrawal);
    let may_approve = store.withdrawals.team.as_ref().is_some_and(|team| {
        is_unapproved(store, withdrawal) && withdrawal.approvals.may_be_given_by(&team.own_role)
    });
    if !may_approve || !matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown) {
        return Some(SendBlocker::Rule(Blocker::State));
    }
    if let Some(blocker) = change_blocker(store, withdrawal) {
        return Some(blocker);
    }
    if ownership(store, withdrawal) == Ownership::OtherAddress {
        return Some(SendBlocker::OtherAddress);
    }
    if unit::is_wrong_in(store, &withdrawal.agreement) {
        return Some(SendBlocker::OtherUnit);
    }
    match withdrawal.send_blocker(&store.now, &store.setup.window) {
        None | Some(Blocker::TooSoon { .. }) => {}
        Some(rule) => return Some(SendBlocker::Rule(rule)),
    }
    let is_other = other_destination(&store.setup.contract, &withdrawal.agreement).is_some();
    is_other.then_some(SendBlocker::OtherDestination)
}

/// True if the seller can take an approval of this withdrawal back.
pub fn can_take_approval_back(store: &Store, withdrawal: &Withdrawal) -> bool {
    let is_own = store.withdrawals.team.as_ref().is_some_and(|team| {
        let approvals = &withdrawal.approvals;
        approvals.given_by(&team.own_role, store.now.wall).is_some()
    });
    let is_prepared = store.state_of(withdrawal) == WithdrawalState::Prepared;
    is_own && is_prepared && change_blocker(store, withdrawal).is_none()
}

/// The conflicts of a withdrawal with the open withdrawals, the most severe first.
pub fn open_clashes(store: &Store, agreement: &Agreement) -> Vec<Clash> {
    let owner = agreement.account.normalized();
    let mut clashes: Vec<_> = store
        .withdrawals
        .open
        .iter()
        .filter_map(|other| {
            let other_owner = other.agreement.account.normalized();
            let facts = other.facts(&other_owner, store.state_of(other).standing());
            let kind = facts.clash_with(agreement, &owner, store.now.wall)?;
            Some(Clash {
                kind,
                other: Box::new(other.clone()),
            })
        })
        .collect();
    clashes.sort_by_key(|clash| clash.kind);
    clashes
}

/// The destination in the stored request body, if it differs from the recorded destination. Returns
/// an empty text if the body contains no destination.
///
/// The body and the destination are stored separately. They can differ if a custom contract file
/// was used when the withdrawal was prepared.
pub fn other_destination(contract: &Contract, agreement: &Agreement) -> Option<String> {
    let form = &contract.withdrawal.form;
    let members = members(&agreement.body);
    let is_stored = |text: &str| {
        agreement
            .destination
            .as_ref()
            .is_some_and(|key| is_key_text(key, text))
    };
    let mut key_members = members.iter().filter(|member| {
        member
            .field(form)
            .is_some_and(|field| field.kind == FieldKind::PixKey)
    });
    if let Some(member) = key_members.find(|member| !is_stored(member.value.text())) {
        return Some(member.value.text().to_owned());
    }
    // Another API contract may use another name for the field, so search the whole request body for
    // the destination.
    let is_missing = agreement.destination.is_some()
        && !members.iter().any(|member| is_stored(member.value.text()));
    is_missing.then(String::new)
}

/// True if `text` is this Pix key. A phone number also matches without its plus sign, because a
/// request may leave the sign out.
pub fn is_key_text(key: &PixKey, text: &str) -> bool {
    text == key.as_str() || text == key.as_str().trim_start_matches('+')
}

/// The reason that currently blocks all withdrawals, or `None` if they are not blocked.
pub fn find_lock(store: &Store) -> Option<Refused> {
    if let Some(trouble) = &store.withdrawals.trouble {
        return Some(Refused::Journal(trouble.clone()));
    }
    if let Some(network) = store.withdrawals.network {
        return Some(Refused::Journal(JournalTrouble::Network(
            network.to_owned(),
        )));
    }
    let account = account(store);
    let mismatched = store.withdrawals.open.iter().find(|other| {
        store.state_of(other).standing() == Standing::Mismatch
            && other.agreement.account.is_same_account(&account)
    });
    if let Some(other) = mismatched {
        let clash = Clash {
            kind: ClashKind::Mismatch,
            other: Box::new(other.clone()),
        };
        return Some(Refused::Blocked(Blocker::Clash(clash)));
    }
    unit::is_refuted(store).then_some(Refused::OtherUnit)
}

/// The account from which a new withdrawal takes money. It depends only on the credential that
/// withdrawals are sent with.
pub fn account(store: &Store) -> Account {
    let kind = store.setup.contract.withdrawal.call.credential;
    let identity = kind.and_then(|kind| store.session.credential(kind).identity());
    Account {
        origin: store.setup.origin.clone(),
        identity: identity.unwrap_or_default().into(),
    }
}

/// The kind of credential that withdrawals are sent with, if that credential is missing or expired.
///
/// Unlike [`Store::missing_credential`], treats the credential as missing until the vault has
/// replied. A withdrawal must name its account, which is not known before that.
pub fn missing_credential(store: &Store) -> Option<CredentialKind> {
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
    let stored = &withdrawal.agreement.account;
    let current = account(store);
    if stored.origin != current.origin {
        return Ownership::OtherAddress;
    }
    let kind = store.setup.contract.withdrawal.call.credential;
    let is_logged_in = kind.is_some_and(|kind| store.session.credential(kind).identity().is_some());
    if is_logged_in && stored.identity != current.identity {
        Ownership::OtherLogin
    } else {
        Ownership::Here
    }
}

/// The reason why a new withdrawal is refused, so that typing the amount again does not help.
/// Either all withdrawals are blocked, or a withdrawal of the same amount to the same destination
/// is open.
pub fn new_withdrawal_refusal(store: &Store, agreement: &Agreement) -> Option<Refused> {
    find_lock(store).or_else(|| {
        let mut clashes = open_clashes(store, agreement).into_iter();
        let clash = clashes.find(|clash| !clash.kind.can_be_overridden_by_retyping())?;
        Some(Refused::Blocked(Blocker::Clash(clash)))
    })
}

/// The reason why the fee quote prevents the review from opening. The quote has not arrived, it
/// contradicts itself, or the service refused the amount.
pub fn quote_refusal(quote: &QuoteState) -> Option<Refused> {
    match quote {
        QuoteState::Failed {
            amount,
            why: reason,
        } if reason.blocks() => Some(Refused::QuoteBlocks {
            amount: *amount,
            why: reason.clone(),
        }),
        QuoteState::Arrived(_) | QuoteState::Failed { .. } => None,
        QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => {
            Some(Refused::QuoteNotThere)
        }
    }
}

/// The actions that the seller can safely run on this withdrawal now.
pub fn safe_actions(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
    use Action::*;
    let mut actions: Vec<Action> = match store.state_of(withdrawal) {
        WithdrawalState::Prepared => send_action(store, withdrawal)
            .into_iter()
            .chain(approval_action(store, withdrawal))
            .chain([Discard])
            .collect(),
        WithdrawalState::Unknown => send_action(store, withdrawal)
            .into_iter()
            .chain(approval_action(store, withdrawal))
            .chain([Check, Found])
            .collect(),
        WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_) => vec![Check, Found],
        _ if can_repeat(store, withdrawal) => vec![Repeat],
        _ => vec![],
    };
    actions.extend(has_receipt(store, withdrawal).then_some(Receipt));
    if change_blocker(store, withdrawal).is_some() {
        // Keep only the actions that change nothing.
        actions.retain(|action| matches!(action, Check | Receipt));
    }
    actions.push(Copy);
    actions
}

/// True if the withdrawal has a receipt. This is the case once the service has accepted it.
pub fn has_receipt(store: &Store, withdrawal: &Withdrawal) -> bool {
    store.state_of(withdrawal) == WithdrawalState::Accepted
}

/// True if the action "repeat" is offered, which starts a new withdrawal to the same destination.
/// The earlier withdrawal must have a final outcome, so that nobody mistakes the action for a
/// retry.
pub fn can_repeat(store: &Store, withdrawal: &Withdrawal) -> bool {
    let state = store.state_of(withdrawal);
    let is_decided = !state.is_open() && state != WithdrawalState::Prepared;
    let has_destination = withdrawal.agreement.destination.is_some();
    is_decided && has_destination && store.withdrawals.can_begin()
}

/// The action that sends the withdrawal. If a credential is missing, returns the login action
/// instead. Returns `None` if the withdrawal cannot be sent.
pub fn send_action(store: &Store, withdrawal: &Withdrawal) -> Option<Action> {
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

/// The action that approves the withdrawal or takes the seller's approval back, if there is one.
pub fn approval_action(store: &Store, withdrawal: &Withdrawal) -> Option<Action> {
    let is_offered =
        approval_blocker(store, withdrawal).is_none() || can_take_approval_back(store, withdrawal);
    is_offered.then_some(Action::Approve)
}

/// The actions that are offered on the details page of a withdrawal.
pub fn detail_actions(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
    let mut actions = safe_actions(store, withdrawal);
    if !withdrawal.attempts.is_empty() {
        actions.push(Action::Open);
    }
    actions.push(Action::Refresh);
    actions
}

/// The actions that are offered in the guide for checking the account at the service. "Not paid" is
/// offered only if the withdrawal can never be sent again.
pub fn guide_actions(store: &Store, withdrawal: &Withdrawal) -> Vec<Action> {
    use Action::*;
    let mut actions = match store.state_of(withdrawal) {
        WithdrawalState::Unknown => vec![Found],
        WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_) => vec![Found, NotPaid],
        _ => vec![],
    };
    if change_blocker(store, withdrawal).is_some() {
        actions.clear();
    }
    actions.push(Copy);
    actions
}

/// The reason why the withdrawal cannot be changed now. Either the journal has an error, or this
/// instance of the program is sending a withdrawal. A third reason is that another instance is
/// sending a withdrawal of the same account.
pub fn change_blocker(store: &Store, withdrawal: &Withdrawal) -> Option<SendBlocker> {
    let withdrawals = &store.withdrawals;
    if withdrawals.trouble.is_some() {
        return Some(SendBlocker::Locked);
    }
    let is_busy = withdrawals.in_flight.is_some()
        || withdrawals.is_busy_elsewhere(&withdrawal.agreement.account);
    is_busy.then_some(SendBlocker::Rule(Blocker::Busy))
}

/// Returns how much longer the withdrawal can still be sent again before it is too old. Returns
/// `None` if the withdrawal belongs to another login or service address.
pub fn sends_left(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    window_left(store, withdrawal).filter(|_| ownership(store, withdrawal) == Ownership::Here)
}

/// Returns how much longer the withdrawal can still be sent again before it is too old, under any
/// login. The countdown on the screen shows this time.
///
/// Returns `None` if the withdrawal was never sent, if its state does not allow sending it again,
/// if the time is over, or if the journal has an error.
pub fn window_left(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    let may_be_resent = matches!(
        store.state_of(withdrawal),
        WithdrawalState::Unknown | WithdrawalState::Prepared
    );
    let was_sent = withdrawal.attempts.iter().any(Attempt::may_have_been_sent);
    let remaining = store
        .setup
        .window
        .time_left(&withdrawal.attempts, &store.now)
        .ok();
    remaining.filter(|_| may_be_resent && was_sent && store.withdrawals.trouble.is_none())
}

/// A bar of `width` columns that shows how much longer the withdrawal can still be sent again.
/// Returns `None` if there is no such time limit.
pub fn window_bar(store: &Store, withdrawal: &Withdrawal, width: usize) -> Option<[String; 2]> {
    let remaining = sends_left(store, withdrawal)?;
    let full_window = store.setup.window.time_left(&[], &store.now).ok()?;
    Some(bar::time_bar(remaining, full_window, width))
}

/// Returns how soon the screen must update the countdown for sending the withdrawal again, or for
/// an attempt of another machine.
pub fn next_countdown_change(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    if let Some(wait) = store.wait_for_team(withdrawal.agreement.key) {
        return Some(to_next_second(0, store.now.boot_ms).min(wait));
    }
    let remaining = window_left(store, withdrawal)?;
    let first_attempt = withdrawal
        .attempts
        .iter()
        .find(|attempt| attempt.may_have_been_sent())?;
    let end = remaining + Duration::from_millis(1);
    Some(to_next_second(first_attempt.began.boot_ms, store.now.boot_ms).min(end))
}

/// Returns how long the seller must wait before the withdrawal may be sent again. The service may
/// still be working on the previous attempt.
pub fn resend_wait(store: &Store, withdrawal: &Withdrawal) -> Duration {
    match store.state_of(withdrawal) {
        WithdrawalState::Unknown => store
            .setup
            .window
            .remaining_wait(&withdrawal.attempts, &store.now),
        _ => Duration::ZERO,
    }
}

/// Returns how long to wait until the withdrawal can be sent again. Returns `None` if something
/// other than a wait prevents sending it, or if it can be sent now.
pub fn send_wait(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    match send_blocker(store, withdrawal)? {
        SendBlocker::Rule(Blocker::TooSoon { wait }) => Some(wait),
        SendBlocker::Later(until) => until.since(store.now.wall),
        _ => None,
    }
}

/// The time until which the service asked not to send this withdrawal again, if it did.
pub fn throttled_until(withdrawal: &Withdrawal) -> Option<Wall> {
    let end = withdrawal.attempts.last()?.end.as_ref()?;
    match end.class {
        Class::Throttled {
            retry_after: Some(wait),
        } => Some(end.at.plus(wait)),
        _ => None,
    }
}
