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
    Agreement, Clocks, CredentialKind, Failure, JournalTrouble, Money, NoAnswer, PixKey,
    VaultTrouble, Wall,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::outside::{Outside, ProcessClocks, Violation, http_date};
use crate::bank::{Fate, HOUR, Kind, MINUTE, Ms, SECOND};
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
    Spoiled(Spoiled),
    /// The bank handles the request, but its reply contains a wrong amount or destination.
    Contradicted(Contradicted),
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
enum Spoiled {
    Ended(BodyEnd),
    HalfJson,
    Page,
    Empty,
    NoObject,
    /// The reply reports a failure, although the bank may have paid.
    SaysFailed,
    /// The reply neither confirms nor refuses the withdrawal.
    NoSign,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contradicted {
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
const NO_ANSWER: [NoAnswer; 4] =
    [NoAnswer::Timeout, NoAnswer::Cut, NoAnswer::TooLarge, NoAnswer::Left];
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
const REFUSALS: [u16; 6] = [400, 402, 402, 404, 422, 451];
const SPOILED: [Spoiled; 10] = [
    Spoiled::Ended(BodyEnd::Cut),
    Spoiled::Ended(BodyEnd::Timeout),
    Spoiled::Ended(BodyEnd::TooLarge),
    Spoiled::Ended(BodyEnd::Encoded),
    Spoiled::HalfJson,
    Spoiled::Page,
    Spoiled::Empty,
    Spoiled::NoObject,
    Spoiled::SaysFailed,
    Spoiled::NoSign,
];

/// The simulated connection between a window (process) of the app and the bank.
#[derive(Clone)]
pub struct SimulatedWire {
    pub outside: Rc<RefCell<Outside>>,
    pub platter: SharedDisk,
    pub contract: Arc<Contract>,
    /// The clocks of the window's process.
    pub clocks: ProcessClocks,
}

impl Wire for SimulatedWire {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let (spent, request) = permit.spend();
        let outcome = self.leave(&request);
        let waiting = Waiting::begin(&self.outside);
        Pause::default().await;
        drop(waiting);
        (spent, self.end(outcome, &request))
    }
}

impl SimulatedWire {
    /// Sends a request: checks that the request is durable on disk, applies a random fault, and
    /// returns the reply.
    fn leave(&self, request: &PermittedRequest) -> Result<RawReply, Failure> {
        self.lid_may_close();
        if !request.leave_by().allows(&self.clocks.now()) {
            return Err(Failure::NotSent(NotSent::NotSafe));
        }
        let wrong = self.platter.look(|rows, head| not_durable(rows, head, request));
        let mut outside = self.outside.borrow_mut();
        let outside = &mut *outside;
        let agreement = request.agreement();
        outside.tally.sends += 1;
        outside.tally.resends += u64::from(request.sent_before());
        if let Err(wrong) = wrong {
            outside.violated(Violation::NotDurable, || wrong);
        }
        let fault = fault(outside);
        outside.tally.faults += u64::from(fault != Fault::None);
        let key = agreement.key.0.as_u128();
        outside.say(|| format!("{key} is sent, attempt {}: {fault:?}", request.n()));
        self.befall(fault, agreement, outside)
    }

    /// Simulates, at random, that the machine sleeps between the durable write and the last check
    /// of the clocks.
    fn lid_may_close(&self) {
        let mut outside = self.outside.borrow_mut();
        if outside.chance.percent(2) {
            let span = outside.chance.one_of(&[20 * SECOND, MINUTE, 9 * MINUTE, HOUR, 25 * HOUR]);
            outside.say(|| format!("the machine sleeps for {} s", span / 1_000));
            outside.pass(span);
        }
    }

    fn befall(
        &self,
        fault: Fault,
        agreement: &Agreement,
        outside: &mut Outside,
    ) -> Result<RawReply, Failure> {
        match fault {
            Fault::NotSent(why) => Err(not_sent(why)),
            Fault::LostBefore(why) => Err(Failure::NoAnswer(why)),
            Fault::AnsweredBefore(status) => Ok(self.reply(status, error_body(), outside)),
            Fault::Portal(body) => Ok(self.reply(200, body.as_bytes(), outside)),
            Fault::Late(after) => {
                let (fate, key) = (fate(outside), agreement.key.0.as_u128());
                outside.delay(after, key, agreement.body.clone(), fate);
                Err(Failure::NoAnswer(NoAnswer::Timeout))
            }
            Fault::None => {
                let status = reach(agreement, outside);
                Ok(self.answer(status, &echo(agreement, None), outside))
            }
            // Deliver only one of the two requests to a bank that remembers a key only after
            // paying, because it would pay both.
            Fault::Doubled if outside.bank.kind == Kind::RemembersOncePaid => {
                reach(agreement, outside);
                Ok(self.reply(502, error_body(), outside))
            }
            Fault::Doubled => {
                reach(agreement, outside);
                let second = reach(agreement, outside);
                let status = if second < 300 { second } else { 502 };
                Ok(self.answer(status, &echo(agreement, None), outside))
            }
            Fault::LostAfter(why) => {
                reach(agreement, outside);
                Err(Failure::NoAnswer(why))
            }
            Fault::AnsweredAfter(status) => {
                reach(agreement, outside);
                Ok(self.reply(status, error_body(), outside))
            }
            Fault::Spoiled(how) => {
                let status = reach(agreement, outside);
                let reply = self.answer(status, &echo(agreement, None), outside);
                // A definite refusal is valid even if its body cannot be read.
                Ok(spoil(reply, how))
            }
            Fault::Contradicted(what) => {
                let status = reach(agreement, outside);
                Ok(self.answer(status, &echo(agreement, Some(what)), outside))
            }
        }
    }

    fn answer(&self, status: u16, success: &str, outside: &mut Outside) -> RawReply {
        let body = if status < 300 { success.as_bytes() } else { error_body() };
        self.reply(status, body, outside)
    }

    fn reply(&self, status: u16, body: &[u8], outside: &mut Outside) -> RawReply {
        let mut headers = Vec::new();
        if outside.chance.percent(20) {
            // Let the server's clock be wrong sometimes. A wrong `Date` header may shorten the time
            // for resends, but never extend it.
            let wrong = outside.chance.one_of(&[0, 0, 0, 5 * MINUTE, 25 * HOUR]) as i64;
            let date = http_date(Wall(outside.wall().0 + wrong));
            headers.push(("date".to_owned(), date));
        }
        if matches!(status, 425 | 429) && outside.chance.percent(70) {
            let wait = match outside.chance.below(3) {
                0 => http_date(Wall(outside.wall().0 + 30_000)),
                1 => "soon".to_owned(),
                _ => outside.chance.below(120).to_string(),
            };
            headers.push(("retry-after".to_owned(), wait));
        }
        let body = body.to_vec();
        RawReply { status, headers, body, end: BodyEnd::Whole }
    }

    fn end(&self, outcome: Result<RawReply, Failure>, request: &PermittedRequest) -> AttemptEnd {
        let Clocks { wall: at, boot_ms, .. } = self.clocks.now();
        let (agreement, contract) = (request.agreement(), &*self.contract);
        let class = classify(outcome.as_ref(), agreement, contract, request.sent_before(), at);
        let mut outside = self.outside.borrow_mut();
        outside.say(|| format!("{}: {class:?}", agreement.key.0.as_u128()));
        if matches!(class, Class::Confirmed { .. }) {
            outside.hear_paid(agreement.key.0.as_u128());
        }
        let reply = outcome.as_ref().ok();
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

/// Checks that a request is durable. The same terms must be on disk, and the journal's last event
/// must be the start of this attempt. The head file must contain this event, too.
fn not_durable(
    rows: &[EventRow],
    head: Option<ChainLink>,
    request: &PermittedRequest,
) -> Result<(), String> {
    let agreement = request.agreement();
    let last = rows.last().ok_or("nothing is on the disk")?;
    let began: Value = json(&last.plain)?;
    if (last.kind.as_str(), last.key) != ("attempt_began", agreement.key)
        || began["n"] != request.n()
    {
        let EventRow { kind, plain, .. } = last;
        return Err(format!("attempt {} is not the last event: {kind} {plain}", request.n()));
    }
    if head != Some(ChainLink { n: last.n, sum: last.sum }) {
        let head = head.map(|head| head.n);
        return Err(format!("the head ends with event {head:?}, and the last one is {}", last.n));
    }
    let prepared = rows.iter().find(|row| row.key == agreement.key).ok_or("never prepared")?;
    let Prepared { agreement: mut on_disk } = json(&prepared.plain)?;
    let personal: Personal = json(prepared.personal.as_deref().unwrap_or_default())?;
    (on_disk.body, on_disk.destination) = (personal.body.into(), personal.destination);
    if on_disk == *agreement { Ok(()) } else { Err(format!("{on_disk:?}, and not {agreement:?}")) }
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

fn json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))
}

/// Returns the production client's error for this reason not to send.
fn not_sent(why: NotSent) -> Failure {
    match why {
        NotSent::Vault => Failure::Vault(VaultTrouble::Hangs),
        NotSent::NoCredential => Failure::NoCredential(CredentialKind::ApiToken),
        NotSent::Journal => Failure::Journal(JournalTrouble::Missing),
        why => Failure::NotSent(why),
    }
}

/// Delivers the request to the bank, and returns the HTTP status of the reply.
fn reach(agreement: &Agreement, outside: &mut Outside) -> u16 {
    let fate = fate(outside);
    let takes = outside.chance.one_of(&[0, 0, 2 * SECOND, 40 * SECOND, 3 * MINUTE]);
    let key = agreement.key.0.as_u128();
    let status = outside.bank.take(key, &agreement.body, outside.now, fate, takes);
    let paid = outside.bank.paid(key);
    outside.say(|| format!("bank: {status} to {key}, paid {paid} times ({fate:?})"));
    if paid > 1 {
        outside.violated(Violation::PaidTwice, || key.to_string());
    }
    status
}

fn fate(outside: &mut Outside) -> Fate {
    match outside.chance.below(100) {
        0..70 => Fate::Pays,
        70..80 => Fate::PaysAndFails,
        80..88 => Fate::Fails,
        _ => Fate::Refuses(outside.chance.one_of(&REFUSALS)),
    }
}

fn fault(outside: &mut Outside) -> Fault {
    let faults = outside.weather.faults;
    let chance = &mut outside.chance;
    if !chance.percent(faults) {
        return Fault::None;
    }
    match chance.below(100) {
        0..8 => Fault::NotSent(chance.one_of(&NOT_SENT)),
        8..20 => Fault::LostBefore(chance.one_of(&NO_ANSWER)),
        20..40 => Fault::AnsweredBefore(chance.one_of(&GATEWAY_BEFORE)),
        40..43 => Fault::Portal(chance.one_of(&PORTALS)),
        43..60 => Fault::LostAfter(chance.one_of(&NO_ANSWER)),
        60..75 => Fault::AnsweredAfter(chance.one_of(&GATEWAY_AFTER)),
        75..86 => Fault::Spoiled(chance.one_of(&SPOILED)),
        86..88 => {
            Fault::Contradicted(chance.one_of(&[Contradicted::Amount, Contradicted::Destination]))
        }
        88..95 => Fault::Late(chance.one_of(&[35 * SECOND, 2 * MINUTE, 10 * MINUTE])),
        _ => Fault::Doubled,
    }
}

fn error_body() -> &'static [u8] {
    br#"{"message":"Nao foi possivel.","action":"Tente de novo."}"#
}

/// Returns the body of a success reply. Its amount or destination is wrong if `wrong` is set.
fn echo(agreement: &Agreement, wrong: Option<Contradicted>) -> String {
    let other = Money::from_centavos(1);
    let amount = match wrong {
        Some(Contradicted::Amount) => agreement.amount.checked_add(other).unwrap_or(other),
        _ => agreement.amount,
    };
    let key = match wrong {
        Some(Contradicted::Destination) => "mallory@loja.example",
        _ => "ana@loja.example",
    };
    let amount = amount.wire();
    format!(r#"{{"data":{{"id":"w-1","status":"done","amount":{amount},"pixKey":"{key}"}}}}"#)
}

fn spoil(mut reply: RawReply, how: Spoiled) -> RawReply {
    let half = reply.body.len() / 2;
    match how {
        Spoiled::Ended(end) => reply.end = end,
        Spoiled::HalfJson => reply.body.truncate(half),
        Spoiled::Page => reply.body = b"<html>".to_vec(),
        Spoiled::Empty => reply.body.clear(),
        Spoiled::NoObject => reply.body = b"[]".to_vec(),
        Spoiled::SaysFailed => reply.body = br#"{"id":"w-1","status":"failed"}"#.to_vec(),
        Spoiled::NoSign => reply.body = br#"{"message":"ok"}"#.to_vec(),
    }
    reply
}

/// A guard that marks a request as in flight until it is dropped, even if the process dies.
struct Waiting(Rc<RefCell<Outside>>);

impl Waiting {
    fn begin(outside: &Rc<RefCell<Outside>>) -> Waiting {
        let mut now = outside.borrow_mut();
        if std::mem::replace(&mut now.waiting, true) {
            now.violated(Violation::TwoInFlight, String::new);
        }
        Waiting(outside.clone())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.borrow_mut().waiting = false;
    }
}

/// A future that is ready when it is polled for the second time. Other events can happen in
/// between.
#[derive(Default)]
pub struct Pause {
    asked: bool,
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.asked, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}
