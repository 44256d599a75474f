//! A simulated network connection. Each send can fail in every way, before or after the bank
//! handles the request.
//!
//! Replies are interpreted by the production `classify`.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use balcao::cashier::{Clock, Wire};
use balcao::contract::Contract;
use balcao::journal::money::{ChainLink, EventRow};
use balcao::journal::{Permit, PermittedRequest, Spent};
use balcao::service::{BodyEnd, RawReply, classify};
use balcao::trade::withdrawal::{AttemptEnd, Class, NotSent};
use balcao::trade::{
    Agreement, Clocks, CredentialKind, Exchange, Failure, JournalTrouble, MaskedReply, Money,
    NoAnswer, Operation, PixKey, VaultTrouble, Wall,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::outside::{Environment, ProcessClocks, ReplyStyle, Violation, http_date};
use crate::bank::{BankKind, Fate, HOUR, MINUTE, Ms, SECOND};
use crate::memory::SharedDisk;

/// A fault that happens to one send of a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// No fault: the bank's reply arrives.
    None,
    /// The send fails before its first byte leaves the machine.
    NotSent(NotSent),
    /// The request never reaches the bank, and no reply arrives.
    LostBefore(NoAnswer),
    /// A gateway replies, and the request never reaches the bank.
    AnsweredBefore(u16),
    /// A captive portal replies 200, and the request never reaches the bank. The reply's body is a
    /// web page, or a JSON object that does not report a payment.
    Portal(&'static str),
    /// The bank handles the request, but no reply arrives.
    LostAfter(NoAnswer),
    /// The bank handles the request, but a gateway replies instead.
    AnsweredAfter(u16),
    /// The bank handles the request, but the reply is incomplete or unreadable.
    DamagedReply(BodyDamage),
    /// The bank handles the request, but its reply contains a wrong amount or destination.
    WrongReply(WrongField),
    /// The client gives up. The request reaches the bank this many milliseconds later.
    Late(Ms),
    /// A proxy sends the request to the bank twice. It forwards the second reply if that is a
    /// success, or else replies 502.
    ///
    /// It never forwards a refusal, because a definite refusal of a first attempt is final. If one
    /// request was paid and the other refused, the app would believe the refusal, and no client can
    /// detect that.
    Doubled,
}

/// How the body of a reply is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyDamage {
    Ended(BodyEnd),
    HalfJson,
    Page,
    Empty,
    NoObject,
    /// The reply reports a failure, although the bank may have paid.
    SaysFailed,
    /// The reply neither confirms nor refuses the withdrawal.
    NoOutcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WrongField {
    Amount,
    Destination,
}

const NOT_SENT: [NotSent; 7] = [
    NotSent::Journal,
    NotSent::Dns,
    NotSent::Connect,
    NotSent::Tls,
    NotSent::Vault,
    NotSent::NoCredential,
    NotSent::OtherAccount,
];
const NO_ANSWER: [NoAnswer; 4] = [
    NoAnswer::Timeout,
    NoAnswer::Cut,
    NoAnswer::TooLarge,
    NoAnswer::Left,
];
/// HTTP statuses of gateways that did not forward the request. Some of them are definite refusals.
const GATEWAY_BEFORE: [u16; 24] = [
    301, 302, 307, 308, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 425, 429, 429, 451, 499,
    500, 502, 503, 504, 520,
];
/// HTTP statuses of gateways that forwarded the request. No status here is a definite refusal,
/// because an honest gateway does not refuse a request that it forwarded.
const GATEWAY_AFTER: [u16; 12] = [204, 206, 208, 226, 302, 307, 408, 409, 500, 502, 503, 504];
const PORTALS: [&str; 7] = [
    "<html>Bem-vindo ao Wi-Fi</html>",
    r#"{"message":"ok"}"#,
    r#"{"status":"failed"}"#,
    r#"{"id":"w-1","status":"Recusado"}"#,
    r#"{"success":false}"#,
    r#"{"error":"insufficient_balance"}"#,
    r#"{"statusCode":400}"#,
];
/// Replies of gateways in front of a bank with the style [`ReplyStyle::Foreign`]. `REQUEST` is
/// replaced by the id of the request, which never reaches the bank.
const FOREIGN_PORTALS: [&str; 5] = [
    r#"{"meta":{"request_id":"REQUEST","served_at":"2026-11-21T13:42:07Z"}}"#,
    r#"{"data":{"trace":"REQUEST","message":"accepted"}}"#,
    r#"{"data":{"payout_code":"po_7","state":"REJECTED"},"meta":{"request_id":"REQUEST"}}"#,
    r#"{"status":"failed","data":{"payout_code":"po_7","state":"QUEUED"}}"#,
    r#"{"ok":false,"data":{"payout_code":"po_7","state":"QUEUED"}}"#,
];
const REFUSALS: [u16; 6] = [400, 402, 402, 404, 422, 451];
const BODY_DAMAGE: [BodyDamage; 10] = [
    BodyDamage::Ended(BodyEnd::Cut),
    BodyDamage::Ended(BodyEnd::Timeout),
    BodyDamage::Ended(BodyEnd::TooLarge),
    BodyDamage::Ended(BodyEnd::Encoded),
    BodyDamage::HalfJson,
    BodyDamage::Page,
    BodyDamage::Empty,
    BodyDamage::NoObject,
    BodyDamage::SaysFailed,
    BodyDamage::NoOutcome,
];

/// The simulated connection from a window (process) of the app to the bank.
#[derive(Clone)]
pub struct SimulatedWire {
    pub environment: Rc<RefCell<Environment>>,
    pub shared_disk: SharedDisk,
    pub contract: Arc<Contract>,
    /// The clocks of the window's process.
    pub clocks: ProcessClocks,
}

impl Wire for SimulatedWire {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let (spent, request) = permit.spend();
        let outcome = self.send_request(&request);
        let guard = InFlightGuard::begin(&self.environment);
        Pause::default().await;
        drop(guard);
        (spent, self.build_attempt_end(outcome, &request))
    }
}

impl SimulatedWire {
    /// Checks that a request is durable on disk, sends it with a random fault, and returns the
    /// reply.
    fn send_request(&self, request: &PermittedRequest) -> Result<RawReply, Failure> {
        self.maybe_sleep();
        if !request.send_limit().allows(&self.clocks.now()) {
            return Err(Failure::NotSent(NotSent::NotSafe));
        }
        let durability = self
            .shared_disk
            .inspect(|rows, head| check_durable(rows, head, request));
        let mut environment = self.environment.borrow_mut();
        let environment = &mut *environment;
        let agreement = request.agreement();
        environment.tally.sends += 1;
        environment.tally.resends += u64::from(request.sent_before());
        if let Err(problem) = durability {
            environment.report_violation(Violation::NotDurable, || problem);
        }
        let fault = random_fault(environment);
        environment.tally.faults += u64::from(fault != Fault::None);
        let key = agreement.key.0.as_u128();
        environment.log(|| format!("{key} is sent, attempt {}: {fault:?}", request.n()));
        self.apply_fault(fault, agreement, environment)
    }

    /// Simulates, at random, that the machine sleeps between the durable write and the last check
    /// of the clocks.
    fn maybe_sleep(&self) {
        let mut environment = self.environment.borrow_mut();
        if environment.random.percent_chance(2) {
            let duration =
                environment
                    .random
                    .one_of(&[20 * SECOND, MINUTE, 9 * MINUTE, HOUR, 25 * HOUR]);
            environment.log(|| format!("the machine sleeps for {} s", duration / 1_000));
            environment.advance(duration);
        }
    }

    fn apply_fault(
        &self,
        fault: Fault,
        agreement: &Agreement,
        environment: &mut Environment,
    ) -> Result<RawReply, Failure> {
        match fault {
            Fault::NotSent(reason) => Err(not_sent_failure(reason)),
            Fault::LostBefore(why) => Err(Failure::NoAnswer(why)),
            Fault::AnsweredBefore(status) => {
                Ok(self.build_reply(status, error_body(), environment))
            }
            Fault::Portal(body) => {
                environment.requests += 1;
                let body = body.replace("REQUEST", &format!("req_{}", environment.requests));
                Ok(self.build_reply(200, body.as_bytes(), environment))
            }
            Fault::Late(delay) => {
                let fate = random_fate(environment);
                let key = agreement.key.0.as_u128();
                environment.delay_request(delay, key, agreement.body.clone(), fate);
                Err(Failure::NoAnswer(NoAnswer::Timeout))
            }
            Fault::None => {
                let status = deliver_to_bank(agreement, environment);
                let body = success_body(agreement, None, environment);
                Ok(self.bank_reply(status, &body, environment))
            }
            // Deliver only one of the two requests to a bank that remembers a key only after
            // paying, because it would pay both.
            Fault::Doubled if environment.bank.kind == BankKind::RemembersOncePaid => {
                deliver_to_bank(agreement, environment);
                Ok(self.build_reply(502, error_body(), environment))
            }
            Fault::Doubled => {
                deliver_to_bank(agreement, environment);
                let second = deliver_to_bank(agreement, environment);
                let status = if second < 300 { second } else { 502 };
                let body = success_body(agreement, None, environment);
                Ok(self.bank_reply(status, &body, environment))
            }
            Fault::LostAfter(why) => {
                deliver_to_bank(agreement, environment);
                Err(Failure::NoAnswer(why))
            }
            Fault::AnsweredAfter(status) => {
                deliver_to_bank(agreement, environment);
                Ok(self.build_reply(status, error_body(), environment))
            }
            Fault::DamagedReply(damage) => {
                let status = deliver_to_bank(agreement, environment);
                let body = success_body(agreement, None, environment);
                let reply = self.bank_reply(status, &body, environment);
                // A definite refusal is valid even if its body cannot be read.
                Ok(damage_body(reply, damage))
            }
            Fault::WrongReply(field) => {
                let status = deliver_to_bank(agreement, environment);
                let body = success_body(agreement, Some(field), environment);
                Ok(self.bank_reply(status, &body, environment))
            }
        }
    }

    fn bank_reply(&self, status: u16, success: &str, environment: &mut Environment) -> RawReply {
        let is_refusal = (400..500).contains(&status);
        if environment.style == ReplyStyle::Foreign
            && is_refusal
            && environment.random.percent_chance(40)
        {
            let body = success.replace("QUEUED", "REJECTED");
            return self.build_reply(201, body.as_bytes(), environment);
        }
        let status = if status < 300 && success.is_empty() {
            204
        } else {
            status
        };
        let body = if status < 300 {
            success.as_bytes()
        } else {
            error_body()
        };
        self.build_reply(status, body, environment)
    }

    fn build_reply(&self, status: u16, body: &[u8], environment: &mut Environment) -> RawReply {
        let mut headers = Vec::new();
        if environment.random.percent_chance(20) {
            // Let the server's clock be wrong sometimes. A wrong `Date` header may shorten the time
            // for resends, but never extend it.
            let clock_error = environment.random.one_of(&[0, 0, 0, 5 * MINUTE, 25 * HOUR]) as i64;
            let date = http_date(Wall(environment.wall().0 + clock_error));
            headers.push(("date".to_owned(), date));
        }
        if matches!(status, 425 | 429) && environment.random.percent_chance(70) {
            let wait = match environment.random.below(3) {
                0 => http_date(Wall(environment.wall().0 + 30_000)),
                1 => "soon".to_owned(),
                _ => environment.random.below(120).to_string(),
            };
            headers.push(("retry-after".to_owned(), wait));
        }
        let body = body.to_vec();
        RawReply {
            status,
            headers,
            body,
            end: BodyEnd::Whole,
        }
    }

    fn build_attempt_end(
        &self,
        outcome: Result<RawReply, Failure>,
        request: &PermittedRequest,
    ) -> AttemptEnd {
        let Clocks {
            wall: at, boot_ms, ..
        } = self.clocks.now();
        let agreement = request.agreement();
        let contract = &*self.contract;
        let class = classify(
            outcome.as_ref(),
            agreement,
            contract,
            request.sent_before(),
            at,
        );
        let mut environment = self.environment.borrow_mut();
        environment.log(|| format!("{}: {class:?}", agreement.key.0.as_u128()));
        if matches!(class, Class::Confirmed { .. }) {
            environment.record_payment_seen(agreement.key.0.as_u128());
        }
        let reply = outcome.as_ref().ok();
        if let Some(reply) = reply.filter(|reply| reply.end == BodyEnd::Whole)
            && environment.style != ReplyStyle::Known
        {
            environment.keep(exchange(agreement, reply, at));
        }
        AttemptEnd {
            at,
            boot_ms,
            class,
            status: reply.map(|reply| reply.status),
            server_date: reply.and_then(RawReply::date),
            message: None,
            hint: None,
        }
    }
}

/// Checks that a request is durable. The request's terms must be on disk, and the journal's last
/// event must be the start of this attempt. The head file must contain this event, too.
fn check_durable(
    rows: &[EventRow],
    head: Option<ChainLink>,
    request: &PermittedRequest,
) -> Result<(), String> {
    let agreement = request.agreement();
    let last = rows.last().ok_or("nothing is on the disk")?;
    let began: Value = parse_json(&last.plain)?;
    if (last.kind.as_str(), last.key) != ("attempt_began", agreement.key)
        || began["n"] != request.n()
    {
        let EventRow { kind, plain, .. } = last;
        return Err(format!(
            "attempt {} is not the last event: {kind} {plain}",
            request.n()
        ));
    }
    if head
        != Some(ChainLink {
            n: last.n,
            sum: last.sum,
        })
    {
        let head = head.map(|head| head.n);
        return Err(format!(
            "the head ends with event {head:?}, and the last one is {}",
            last.n
        ));
    }
    let prepared = rows
        .iter()
        .find(|row| row.key == agreement.key)
        .ok_or("never prepared")?;
    let Prepared {
        agreement: mut stored,
    } = parse_json(&prepared.plain)?;
    let personal: Personal = parse_json(prepared.personal.as_deref().unwrap_or_default())?;
    (stored.body, stored.destination) = (personal.body.into(), personal.destination);
    if stored == *agreement {
        Ok(())
    } else {
        Err(format!("{stored:?}, and not {agreement:?}"))
    }
}

/// The stored event that contains the terms of a prepared withdrawal.
#[derive(Deserialize)]
struct Prepared {
    agreement: Agreement,
}

/// The personal data of a prepared withdrawal. The journal can delete this data later.
#[derive(Deserialize)]
struct Personal {
    body: String,
    destination: Option<PixKey>,
}

fn parse_json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))
}

/// Returns the production client's error for this reason not to send.
fn not_sent_failure(reason: NotSent) -> Failure {
    match reason {
        NotSent::Vault => Failure::Vault(VaultTrouble::Hangs),
        NotSent::NoCredential => Failure::NoCredential(CredentialKind::ApiToken),
        NotSent::Journal => Failure::Journal(JournalTrouble::Missing),
        reason => Failure::NotSent(reason),
    }
}

/// Delivers the request to the bank, and returns the HTTP status of the reply.
fn deliver_to_bank(agreement: &Agreement, environment: &mut Environment) -> u16 {
    let fate = random_fate(environment);
    let processing_time = environment
        .random
        .one_of(&[0, 0, 2 * SECOND, 40 * SECOND, 3 * MINUTE]);
    let key = agreement.key.0.as_u128();
    let status = environment.bank.handle_request(
        key,
        &agreement.body,
        environment.now,
        fate,
        processing_time,
    );
    let paid = environment.bank.payout_count(key);
    environment.log(|| format!("bank: {status} to {key}, paid {paid} times ({fate:?})"));
    if paid > 1 {
        environment.report_violation(Violation::PaidTwice, || key.to_string());
    }
    status
}

fn random_fate(environment: &mut Environment) -> Fate {
    match environment.random.below(100) {
        0..70 => Fate::Pays,
        70..80 => Fate::PaysAndFails,
        80..88 => Fate::Fails,
        _ => Fate::Refuses(environment.random.one_of(&REFUSALS)),
    }
}

fn random_fault(environment: &mut Environment) -> Fault {
    let faults = environment.conditions.faults;
    let random = &mut environment.random;
    if !random.percent_chance(faults) {
        return Fault::None;
    }
    match random.below(100) {
        0..8 => Fault::NotSent(random.one_of(&NOT_SENT)),
        8..20 => Fault::LostBefore(random.one_of(&NO_ANSWER)),
        30..43 if environment.style == ReplyStyle::Foreign => {
            Fault::Portal(random.one_of(&FOREIGN_PORTALS))
        }
        20..40 => Fault::AnsweredBefore(random.one_of(&GATEWAY_BEFORE)),
        40..43 => Fault::Portal(random.one_of(&PORTALS)),
        43..60 => Fault::LostAfter(random.one_of(&NO_ANSWER)),
        60..75 => Fault::AnsweredAfter(random.one_of(&GATEWAY_AFTER)),
        75..86 => Fault::DamagedReply(random.one_of(&BODY_DAMAGE)),
        86..88 => Fault::WrongReply(random.one_of(&[WrongField::Amount, WrongField::Destination])),
        88..95 => Fault::Late(random.one_of(&[35 * SECOND, 2 * MINUTE, 10 * MINUTE])),
        _ => Fault::Doubled,
    }
}

fn error_body() -> &'static [u8] {
    br#"{"message":"Nao foi possivel.","action":"Tente de novo."}"#
}

/// Returns the HTTP exchange that the app would record.
fn exchange(agreement: &Agreement, reply: &RawReply, at: Wall) -> Exchange {
    let headers = reply.headers.iter();
    let headers = headers
        .map(|(name, value)| (name.clone(), value.as_str().into()))
        .collect();
    let body = String::from_utf8_lossy(&reply.body).into_owned();
    let header = (
        agreement.key_header_name.to_string(),
        agreement.key_header.to_string(),
    );
    let reply = Ok(MaskedReply::new(reply.status, headers, body));
    let method = agreement.method.clone();
    let url = agreement.url.clone();
    Exchange {
        at,
        request_headers: vec![header],
        request_body: Some(agreement.body.to_string()),
        ..Exchange::new(Operation::Withdrawal, method, url, reply)
    }
}

/// Returns the body of a success reply. Its amount or destination is wrong if `wrong_field` is set.
fn success_body(
    agreement: &Agreement,
    wrong_field: Option<WrongField>,
    environment: &mut Environment,
) -> String {
    environment.requests += 1;
    let n = environment.requests;
    let key = agreement.key.0.as_u128();
    match (environment.style, wrong_field) {
        (ReplyStyle::Foreign, None) => {
            let served_at = environment.wall().rfc3339(0).unwrap_or_default();
            return format!(
                r#"{{"data":{{"payout_code":"po_{key:04}","state":"QUEUED"}},
                    "meta":{{"request_id":"req_{n}","served_at":"{served_at}"}}}}"#
            );
        }
        (ReplyStyle::Empty, None) => return String::new(),
        _ => {}
    }
    let wrong_amount = Money::from_centavos(1);
    let amount = match wrong_field {
        Some(WrongField::Amount) => agreement
            .amount
            .checked_add(wrong_amount)
            .unwrap_or(wrong_amount),
        _ => agreement.amount,
    };
    let key = match wrong_field {
        Some(WrongField::Destination) => "mallory@loja.example",
        _ => "ana@loja.example",
    };
    let amount = amount.wire();
    format!(r#"{{"data":{{"id":"w-1","status":"done","amount":{amount},"pixKey":"{key}"}}}}"#)
}

fn damage_body(mut reply: RawReply, damage: BodyDamage) -> RawReply {
    let half = reply.body.len() / 2;
    match damage {
        BodyDamage::Ended(end) => reply.end = end,
        BodyDamage::HalfJson => reply.body.truncate(half),
        BodyDamage::Page => reply.body = b"<html>".to_vec(),
        BodyDamage::Empty => reply.body.clear(),
        BodyDamage::NoObject => reply.body = b"[]".to_vec(),
        BodyDamage::SaysFailed => reply.body = br#"{"id":"w-1","status":"failed"}"#.to_vec(),
        BodyDamage::NoOutcome => reply.body = br#"{"message":"ok"}"#.to_vec(),
    }
    reply
}

/// A guard that marks a request as in flight until it is dropped, even if the process dies.
struct InFlightGuard(Rc<RefCell<Environment>>);

impl InFlightGuard {
    fn begin(environment: &Rc<RefCell<Environment>>) -> InFlightGuard {
        let mut state = environment.borrow_mut();
        if std::mem::replace(&mut state.is_in_flight, true) {
            state.report_violation(Violation::TwoInFlight, String::new);
        }
        InFlightGuard(environment.clone())
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.0.borrow_mut().is_in_flight = false;
    }
}

/// A future that is ready when it is polled for the second time. Other events can happen in
/// between.
#[derive(Default)]
pub struct Pause {
    was_polled: bool,
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.was_polled, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}
