//! The withdrawals of the past: agreed to, sent and settled by the cashier, at moments long over.
//!
//! Nothing is written around the journal: each had its permit, and the bank saw each request.

use std::cell::RefCell;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::FutureExt;
use serde::Deserialize;

use super::DemoPast;
use crate::cashier::{self, Clock, Wire};
use crate::contract::{Contract, FieldInput, FieldKind, FieldSpec, key_kind_id, read_json};
use crate::demo::{PROFILE, contract};
use crate::journal::money::MoneyJournal;
use crate::journal::{Permit, Spent};
use crate::sandbox::{Control, Moment};
use crate::service::{BodyEnd, RawReply, classify};
use crate::trade::withdrawal::{AttemptEnd, NotSent, Window};
use crate::trade::{
    Agreement, Clocks, Failure, IdempotencyKey, Money, NoAnswer, PixKey, PixKeyKind, Quote,
    Untrusted, Wall,
};

/// The seed of the keys: the same past has the same keys in every demo.
const SEED: u128 = 0x5EED_0F00_BA1C_A000_0000_0000_0000_0000;

/// Milliseconds on a boot clock that is older than any past.
const BOOT_MS: i64 = 1_000 * 24 * 60 * 60 * 1_000;

/// The time between the seller's agreement and the attempt, and that of a reply.
const MOMENT: Duration = Duration::from_millis(1_800);

/// The time after which a seller sent again what had no answer.
const LATER: Duration = Duration::from_secs(40);

/// A withdrawal as a script has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PastWithdrawal {
    /// Its age.
    minutes: i64,
    /// The amount, in reais.
    amount: String,
    /// The kind of the PIX key.
    key_kind: PixKeyKind,
    /// The PIX key.
    key: String,
    /// The description.
    description: String,
    /// True when the first reply was lost, and the same request was sent once more.
    #[serde(default)]
    is_lost: bool,
}

impl DemoPast {
    /// Makes the withdrawals of the past, oldest first, in a journal that has none yet.
    ///
    /// A journal in trouble takes no more of them: it says so itself.
    pub fn withdrawals(
        &self,
        past: &[PastWithdrawal],
        journal: &Mutex<MoneyJournal>,
        window: &Window,
    ) {
        let contract = contract();
        for (n, one) in past.iter().enumerate() {
            let clock = PastClock::at(self.ago(one.minutes), self.now);
            let Some(agreement) = self.agreement(one, n, &contract, clock.now()) else { continue };
            let key = agreement.key;
            let Ok(mut open) = journal.lock() else { return };
            if open.prepare(agreement, None).is_err() {
                return;
            }
            drop(open);
            let wire = PastWire { control: &self.control, contract: &contract, clock: &clock, one };
            for _ in 0..1 + u32::from(one.is_lost) {
                clock.passes(MOMENT);
                // The bank answers at once: it is asked on this thread.
                let sent = cashier::attempt(key, window, journal, &wire, &clock, |_| ());
                if !matches!(sent.now_or_never(), Some(None)) {
                    return;
                }
                clock.passes(LATER);
            }
        }
    }

    /// The agreement that the seller confirmed then.
    fn agreement(
        &self,
        one: &PastWithdrawal,
        n: usize,
        contract: &Contract,
        agreed: Clocks,
    ) -> Option<Agreement> {
        let (spec, amount) = (&contract.withdrawal, Money::parse_wire(&one.amount)?);
        let destination = PixKey::parse(one.key_kind, &one.key).ok()?;
        let seed = SEED.wrapping_add(0x9E37_79B9_7F4A_7C15 * (n as u128 + 1));
        let key = uuid::Builder::from_random_bytes(seed.to_be_bytes()).into_uuid();
        let key = IdempotencyKey(key);
        let key_text = spec.key_text(key);
        let typed = |field: &FieldSpec| match field.kind {
            FieldKind::RequestKey => Some(FieldInput::Text(&key_text)),
            FieldKind::Amount => Some(FieldInput::Amount(amount)),
            FieldKind::PixKeyKind => Some(FieldInput::Text(key_kind_id(one.key_kind))),
            FieldKind::PixKey => Some(FieldInput::Text(destination.as_str())),
            FieldKind::Text => Some(FieldInput::Text(&one.description)),
            _ => None,
        };
        let body = spec.form.body(typed).ok()?;
        let fee = Money::parse_wire(&self.control.fee(amount.centavos()?).to_string())?;
        Some(Agreement {
            key,
            account: self.account.clone(),
            profile: PROFILE.into(),
            method: spec.call.method.as_str().into(),
            url: format!("{}{}", self.account.origin.0, spec.call.path).into(),
            key_header: key.header(spec.key_format).into(),
            key_header_name: spec.key_header.as_str().into(),
            body: body.text().into(),
            untyped: vec![],
            amount,
            destination: body.destination.clone(),
            quote: Quote::new(amount, Some(fee), amount.checked_sub(fee), agreed.wall).ok(),
            agreed,
        })
    }
}

/// A clock of the past, moved on by hand.
struct PastClock(RefCell<Clocks>);

impl PastClock {
    /// A clock that shows this moment of the past.
    fn at(wall: Wall, now: Wall) -> PastClock {
        let boot_ms = (BOOT_MS - (now.0 - wall.0)).unsigned_abs();
        PastClock(RefCell::new(Clocks { wall, boot_ms, boot_id: "before the demo".into() }))
    }

    fn passes(&self, span: Duration) {
        let mut shown = self.0.borrow_mut();
        shown.wall = shown.wall.plus(span);
        shown.boot_ms += u64::try_from(span.as_millis()).unwrap_or_default();
    }
}

impl Clock for PastClock {
    fn now(&self) -> Clocks {
        self.0.borrow().clone()
    }
}

/// A wire into the past: the bank is asked at once, and what it says is classified as ever.
struct PastWire<'p> {
    control: &'p Control,
    contract: &'p Contract,
    clock: &'p PastClock,
    one: &'p PastWithdrawal,
}

impl Wire for PastWire<'_> {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let (spent, request) = permit.spend();
        let (agreement, sent_before) = (request.agreement(), request.sent_before());
        let at = Moment(self.clock.now().wall.0);
        let reply = self.control.withdraw_earlier(&agreement.key_header, &agreement.body, at);
        self.clock.passes(MOMENT);
        let outcome = match reply {
            Ok(_) if self.one.is_lost && !sent_before => Err(Failure::NoAnswer(NoAnswer::Cut)),
            Ok(reply) => Ok(RawReply {
                status: reply.status,
                headers: vec![("content-type".into(), "application/json".into())],
                body: reply.body.into_bytes(),
                end: BodyEnd::Whole,
            }),
            // Nothing was changed at the bank.
            Err(_) => Err(Failure::NotSent(NotSent::Connect)),
        };
        let Clocks { wall: at, boot_ms, .. } = self.clock.now();
        let class = classify(outcome.as_ref(), agreement, self.contract, sent_before, at);
        let reply = outcome.as_ref().ok();
        let json = reply.and_then(|reply| read_json(&reply.body));
        let message = json.as_ref().and_then(|json| self.contract.error.message.str(json));
        let end = AttemptEnd {
            at,
            boot_ms,
            class,
            status: reply.map(|reply| reply.status),
            server_date: None,
            message: message.map(Untrusted::from),
            hint: None,
        };
        (spent, end)
    }
}
