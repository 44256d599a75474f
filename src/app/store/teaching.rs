//! Finds the recorded HTTP exchange (request and response) from which the seller can correct the
//! API contract.

mod complaint;
mod name_style;
pub mod suggestion;

use std::sync::Arc;

use crate::app::Store;
use crate::app::cx::{Cx, Question, Route};
use crate::app::store::exchanges::bodies::MAX_IMMEDIATE_BYTES;
use crate::app::store::exchanges::is_attempt_of;
use crate::app::store::withdrawals::rules::{self, Ownership};
use crate::app::store::{kiosk, requests};
use crate::app::ui::Action;
use crate::contract::reply_setting::{CHARGE_ID, JWT, PIX_CODE, WITHDRAWAL_ID, WITHDRAWAL_STATUS};
use crate::contract::{ReadValue, ReplyTree, TaughtSetting};
use crate::trade::withdrawal::{Class, Unclear, WhyPerson, WithdrawalState};
use crate::trade::{
    BodyEnd, Charge, CreatedCharge, DomainState, Exchange, Failure, Operation, Refusal, Untrusted,
    Withdrawal,
};

/// The settings of the API contract that the seller may teach from an HTTP exchange now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TeachScope {
    /// All settings of the operation.
    Operation,
    /// Only the places of the code and the state, in the reply to an open withdrawal.
    OpenWithdrawal,
}

/// Returns which settings of the API contract may be taught from this HTTP exchange now. If none
/// may be, returns the id of the message that explains why.
///
/// While a withdrawal is being sent, the settings of all operations are locked. While a withdrawal
/// is open (its outcome is unknown), it may be sent again, and its next reply is read with the
/// taught settings. So only its own reply may teach, and only where the code and the state are.
pub fn scope(store: &Store, exchange: &Exchange) -> Result<TeachScope, &'static str> {
    let withdrawals = &store.withdrawals;
    if withdrawals.in_flight.is_some() {
        return Err("said-not-taught-now");
    }
    if exchange.operation != Operation::Withdrawal || withdrawals.open.is_empty() {
        return Ok(TeachScope::Operation);
    }
    let may_teach = withdrawals
        .open
        .iter()
        .any(|open| is_unclear_success(store, open, exchange));
    if may_teach {
        Ok(TeachScope::OpenWithdrawal)
    } else {
        Err("said-not-taught-open")
    }
}

/// True if these settings may be saved now. While a withdrawal is open, only the lesson from its
/// own reply may change a setting for withdrawals: a resend is read with it.
pub fn may_save(store: &Store, scope: TeachScope, lines: &[TaughtSetting]) -> bool {
    scope == TeachScope::OpenWithdrawal
        || store.withdrawals.open.is_empty()
        || !lines
            .iter()
            .any(|line| line.name.starts_with("withdrawal."))
}

/// True if the exchange sent this withdrawal, whose outcome is unknown because the success that the
/// service replied with had no sign that it accepted the withdrawal.
fn is_unclear_success(store: &Store, withdrawal: &Withdrawal, exchange: &Exchange) -> bool {
    is_undecided(store, withdrawal)
        && has_no_sign(withdrawal, exchange)
        && rules::ownership(store, withdrawal) != Ownership::OtherAddress
}

/// True if the exchange sent this withdrawal and got a whole success without a sign that the
/// service accepted it.
fn has_no_sign(withdrawal: &Withdrawal, exchange: &Exchange) -> bool {
    let Ok(reply) = &exchange.reply else {
        return false;
    };
    reply.end == BodyEnd::Whole
        && is_attempt_of(exchange, withdrawal)
        && statuses_without_sign(withdrawal).any(|status| status == reply.status)
}

/// The statuses of the successes without a sign that the service accepted the withdrawal.
pub fn statuses_without_sign(withdrawal: &Withdrawal) -> impl Iterator<Item = u16> {
    let ends = withdrawal
        .attempts
        .iter()
        .filter_map(|attempt| attempt.end.as_ref());
    ends.filter(|end| end.class == Class::Unclear(Unclear::NoSign))
        .filter_map(|end| end.status)
}

/// True if only the outcome of the withdrawal is unknown: no reply contradicts it.
pub fn is_undecided(store: &Store, withdrawal: &Withdrawal) -> bool {
    let has_other_echo = withdrawal.attempts.iter().any(|attempt| {
        let class = attempt.end.as_ref().map(|end| &end.class);
        matches!(class, Some(Class::Unclear(Unclear::EchoDiffers(_))))
    });
    let state = store.state_of(withdrawal);
    !has_other_echo
        && matches!(
            state,
            WithdrawalState::Unknown | WithdrawalState::NeedsPerson(WhyPerson::NoSend(_))
        )
}

/// The HTTP exchanges that may be replies to open withdrawals, newest first: those of this run, and
/// the one that the seller opened in the list of requests.
fn kept_exchanges(store: &Store) -> impl Iterator<Item = &Arc<Exchange>> {
    store.exchanges.iter().chain(requests::selected(store))
}

/// The newest exchange whose reply can teach where the code of this open withdrawal is.
pub fn unclear_success(store: &Store, withdrawal: &Withdrawal) -> Option<Arc<Exchange>> {
    let mut exchanges = kept_exchanges(store);
    let exchange = exchanges.find(|exchange| is_unclear_success(store, withdrawal, exchange))?;
    tree(exchange).map(|_| exchange.clone())
}

/// The code and the state in the reply to a withdrawal whose outcome is unknown, as they came.
#[derive(Debug, Clone, PartialEq)]
pub struct UnprovenCode {
    pub code: Untrusted,
    pub state: Option<Untrusted>,
}

/// The code and the state of a withdrawal that is open or that the seller found, if the seller has
/// taught where they are in its reply. They prove nothing about the payment.
pub fn unproven_code(store: &Store, withdrawal: &Withdrawal) -> Option<UnprovenCode> {
    let is_found = store.state_of(withdrawal) == WithdrawalState::ResolvedPaid;
    if !is_found && !is_undecided(store, withdrawal) {
        return None;
    }
    let mut exchanges = kept_exchanges(store);
    let tree = tree(exchanges.find(|exchange| has_no_sign(withdrawal, exchange))?)?;
    let read = |setting| match store.setup.contract.read_value(setting, &tree) {
        ReadValue::Text(text) => Some(text),
        _ => None,
    };
    let state = read(WITHDRAWAL_STATUS);
    Some(UnprovenCode {
        code: read(WITHDRAWAL_ID)?,
        state,
    })
}

/// If the seller found a withdrawal in the account whose reply was empty, asks whether the service
/// always replies like that.
pub fn ask_if_always_empty(cx: &mut Cx, withdrawal: &Withdrawal) {
    if kiosk::hides_action(cx.store, Action::Teach) {
        return;
    }
    if let Some((status, setting, exchange)) = always_empty(cx.store, withdrawal) {
        cx.ask(Question::AlwaysEmpty {
            status,
            lines: vec![setting],
            exchange,
        });
    }
}

/// The setting with which an empty reply like the one to this withdrawal means that a withdrawal
/// was accepted, with the reply's status and exchange.
///
/// The seller has found the withdrawal in the account. Returns `None` if its replies with a success
/// status were not all empty, or had different statuses, or if another withdrawal is open.
fn always_empty(
    store: &Store,
    withdrawal: &Withdrawal,
) -> Option<(u16, TaughtSetting, Arc<Exchange>)> {
    let is_found = store.state_of(withdrawal) == WithdrawalState::ResolvedPaid;
    if !is_found || store.withdrawals.in_flight.is_some() || !store.withdrawals.open.is_empty() {
        return None;
    }
    let statuses = withdrawal
        .attempts
        .iter()
        .filter_map(|attempt| attempt.end.as_ref()?.status);
    let mut statuses: Vec<u16> = statuses
        .filter(|status| (200..300).contains(status))
        .collect();
    statuses.dedup();
    let [status] = statuses[..] else { return None };
    let mut attempts = store.exchanges.iter().filter(|exchange| {
        let reply = exchange.reply.as_ref();
        is_attempt_of(exchange, withdrawal) && reply.is_ok_and(|reply| reply.status == status)
    });
    let exchange = attempts.next()?;
    if !has_empty_reply(exchange) || !attempts.all(|exchange| has_empty_reply(exchange)) {
        return None;
    }
    let setting = store.setup.contract.setting_for_empty_success(status)?;
    Some((status, setting, exchange.clone()))
}

fn has_empty_reply(exchange: &Exchange) -> bool {
    let reply = exchange.reply.as_ref();
    reply.is_ok_and(|reply| reply.end == BodyEnd::Whole && reply.received == 0)
}

/// The newest HTTP exchange of an operation. Returns `None` if the newest exchange got no response,
/// even if an older one did.
fn newest_exchange(store: &Store, operation: Operation) -> Option<Arc<Exchange>> {
    let exchange = store
        .exchanges
        .iter()
        .find(|exchange| exchange.operation == operation)?;
    exchange.reply.is_ok().then(|| exchange.clone())
}

/// True if the service may have refused this request because of a setting of the API contract, such
/// as a wrong field name. An ordinary refusal, such as an insufficient balance, does not count. A
/// refused credential counts only if the refusal suggests a setting.
fn is_contract_refusal(store: &Store, exchange: &Exchange) -> bool {
    let Ok(reply) = &exchange.reply else {
        return false;
    };
    let is_unsuited = matches!(reply.status, 200..=299 | 400 | 402 | 404..=407 | 410..=424 | 451);
    is_unsuited && !suggestion::is_ordinary_refusal(&store.setup.contract, reply)
        || suggestion::of(&store.setup.contract, exchange).is_some()
}

/// The newest HTTP exchange of the operation, if this failure may be fixed by correcting the API
/// contract.
pub fn after(
    store: &Store,
    failure: Option<&Failure>,
    operation: Operation,
) -> Option<Arc<Exchange>> {
    let exchange = newest_exchange(store, operation)?;
    let is_fixable = match failure? {
        Failure::Unreadable { can_be_taught, .. } => *can_be_taught,
        Failure::Unauthorized { .. } | Failure::Refused(_) => is_contract_refusal(store, &exchange),
        _ => false,
    };
    is_fixable.then_some(exchange)
}

/// Opens the question that a refusal leads to, such as whether a field has another name.
///
/// The service must have refused the request for certain, so that nothing was sent or paid. If the
/// seller has to choose something first, or if the name may be an ordinary word, no question opens.
pub fn ask_after_refusal(cx: &mut Cx, exchange: Option<Arc<Exchange>>) {
    let Some(exchange) = exchange.filter(|_| cx.is_front) else {
        return;
    };
    let contract = &cx.store.setup.contract;
    let settings = suggestion::of(contract, &exchange)
        .filter(|suggestion| suggestion.is_literal(&exchange))
        .map(|suggestion| suggestion.settings(contract, exchange.operation));
    let can_be_asked =
        settings.is_some_and(|it| !it.is_empty() && contract.with_taught(&it).is_ok());
    if can_be_asked
        && is_definite_refusal(&exchange)
        && scope(cx.store, &exchange).is_ok()
        && !kiosk::hides_action(cx.store, Action::Teach)
    {
        cx.open(Route::Teach(exchange, true));
    }
}

/// True if the reply to this request proves that the service did not act on it.
pub fn is_definite_refusal(exchange: &Exchange) -> bool {
    let Ok(reply) = &exchange.reply else {
        return false;
    };
    let refusal = Refusal {
        status: reply.status,
        message: None,
        hint: None,
        retry_after: None,
    };
    reply.status >= 400 && refusal.is_definite()
}

/// The newest HTTP exchange that listed the domains, if it failed because of the API contract, or
/// if the contract does not read all that the list contains.
pub fn of_domains(store: &Store) -> Option<Arc<Exchange>> {
    let is_unread = store.domains.listed.as_ref().is_some_and(|listed| {
        listed.has_more_pages
            || listed
                .iter()
                .any(|domain| domain.state == DomainState::Unread)
    });
    if store.domains.failure.is_none() && is_unread {
        return newest_exchange(store, Operation::Domains);
    }
    after(store, store.domains.failure.as_ref(), Operation::Domains)
}

/// The exchange from which the seller can correct the API contract after this withdrawal: the
/// success that leaves its outcome unknown, or the newest exchange, if the service definitely
/// refused the withdrawal because of a setting of the API contract.
pub fn after_withdrawal(store: &Store, withdrawal: &Withdrawal) -> Option<Arc<Exchange>> {
    if let Some(exchange) = unclear_success(store, withdrawal) {
        return Some(exchange);
    }
    let exchange = newest_exchange(store, Operation::Withdrawal)?;
    let is_refused = store.state_of(withdrawal) == WithdrawalState::Rejected;
    let sent_withdrawal = is_refused && is_attempt_of(&exchange, withdrawal);
    (sent_withdrawal && is_contract_refusal(store, &exchange)).then_some(exchange)
}

/// The withdrawal that this HTTP exchange tried to send, if the service definitely refused it, so
/// that no money moved.
pub fn rejected_withdrawal<'s>(store: &'s Store, exchange: &Exchange) -> Option<&'s Withdrawal> {
    let mut shown = store.withdrawals.shown.iter().rev();
    let withdrawal = shown.find(|withdrawal| is_attempt_of(exchange, withdrawal))?;
    (store.state_of(withdrawal) == WithdrawalState::Rejected).then_some(withdrawal)
}

/// The newest HTTP exchange of a direct payment, if it created this payment and its reply may
/// contain a Pix code that the settings of the API contract did not find.
pub fn of_charge(store: &Store, charge: &Charge) -> Option<Arc<Exchange>> {
    let CreatedCharge {
        id: Some(id),
        pix_code: None,
        ..
    } = charge.outcome.created()?
    else {
        return None;
    };
    let exchange = newest_exchange(store, Operation::DirectPayment)?;
    let contract = &store.setup.contract;
    let tree = tree(&exchange)?;
    let created_charge = contract.read_value(CHARGE_ID, &tree) == ReadValue::Text(id.clone());
    (created_charge && contract.can_be_taught(PIX_CODE, &tree)).then_some(exchange)
}

/// Whether the last successful login of this run returned a JWT in its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JwtInLogin {
    /// In this run no login has succeeded, and the API contract has no setting that locates a JWT
    /// in the reply.
    NoLogin,
    /// The reply has no JWT.
    Absent,
    /// The reply contains a text that may be the JWT, but no setting of the API contract locates
    /// it.
    Unread,
    /// A setting of the API contract finds the JWT in the reply, so the next login provides it.
    /// Also used if no login has succeeded in this run, but there is a setting that locates a JWT.
    Found,
}

/// Whether the last successful login returned a JWT, together with the login's HTTP exchange.
pub fn jwt_in_login(store: &Store) -> (JwtInLogin, Option<Arc<Exchange>>) {
    let contract = &store.setup.contract;
    let mut logins = store
        .exchanges
        .iter()
        .filter(|exchange| exchange.operation == Operation::Login);
    let Some((exchange, tree)) = logins.find_map(|login| Some((login.clone(), tree(login)?)))
    else {
        let has_setting = !contract.paths(JWT).is_empty();
        return (
            if has_setting {
                JwtInLogin::Found
            } else {
                JwtInLogin::NoLogin
            },
            None,
        );
    };
    let jwt = if contract.read_value(JWT, &tree) != ReadValue::Nothing {
        JwtInLogin::Found
    } else if contract.can_be_taught(JWT, &tree) {
        JwtInLogin::Unread
    } else {
        JwtInLogin::Absent
    };
    (jwt, Some(exchange))
}

/// True if the next login will provide the JWT. In the demo, every login provides it.
pub fn login_gives_jwt(store: &Store) -> bool {
    store.setup.demo.is_some() || jwt_in_login(store).0 == JwtInLogin::Found
}

/// Parses the JSON reply of an HTTP exchange. Returns `None` if the reply is not a success or not
/// JSON. A long reply counts as not JSON: no service sends one to a login or a direct payment, and
/// it would be parsed for every frame.
fn tree(exchange: &Exchange) -> Option<ReplyTree> {
    let reply = exchange.reply.as_ref().ok()?;
    if !(200..300).contains(&reply.status) || reply.body.len() > MAX_IMMEDIATE_BYTES {
        return None;
    }
    ReplyTree::read(&reply.body)
}
