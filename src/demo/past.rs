//! Example payments and withdrawals of the last weeks, so that the demo's lists are not empty.
//!
//! The sandbox gets the same data with the same dates. Therefore the example links can be paid, and
//! the withdrawals in the journal are known to the service.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::FutureExt;
use serde::Deserialize;

use crate::cashier::{self, Clock, Wire};
use crate::contract::reply_setting::ERROR_MESSAGE;
use crate::contract::{Contract, FieldInput, FieldKind, key_kind_id, read_json};
use crate::demo::script::ParsedScript;
use crate::demo::{PROFILE, contract};
use crate::journal::history::History;
use crate::journal::money::MoneyJournal;
use crate::journal::{Permit, Spent};
use crate::sandbox::{CHARGE_STATUS, Control, DomainSetup, EarlierItem, Moment};
use crate::service::{BodyEnd, RawReply, classify};
use crate::trade::search::searchable;
use crate::trade::withdrawal::{AttemptEnd, NotSent, Window};
use crate::trade::{
    Account, Agreement, Charge, ChargeOutcome, ChargeRequest, CheckoutDomain, Clocks,
    CreatedCharge, CreatedLink, DomainState, Failure, IdempotencyKey, JournalTrouble, LinkOutcome,
    LinkRequest, Money, NoAnswer, Paid, PaidSource, PaymentLink, PixKey, PixKeyKind, Quote, RowId,
    SaleAuthors, Untrusted, Wall,
};

const MINUTE_MS: i64 = 60_000;

/// An example payment link or direct payment in a script.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PastItem {
    /// The age of this payment when the demo starts, in minutes.
    minutes: i64,
    /// The amount to pay, in reais.
    amount: String,
    description: String,
    /// The checkout domain that the seller chose for a payment link.
    domain: Option<String>,
    /// The name of the buyer, for a direct payment.
    customer: Option<String>,
    /// The minutes between the creation and the payment by a buyer, or `None` if nobody paid.
    paid_after: Option<i64>,
    /// The minutes until the seller marked the link as paid, or `None` if the seller did not.
    marked_after: Option<i64>,
}

impl PastItem {
    /// Returns when a payment link was paid, and whether the sandbox or the seller reported it.
    fn paid(&self, created_at: Wall) -> Option<Paid> {
        let by_sandbox = self.paid_after.zip(Some(PaidSource::Sandbox));
        let paid = by_sandbox.or(self.marked_after.zip(Some(PaidSource::Seller)));
        paid.map(|(minutes, source)| Paid {
            at: Wall(created_at.0 + minutes * MINUTE_MS),
            source,
        })
    }
}

/// The sandbox, account and current time for creating the example data.
pub(super) struct DemoPast {
    pub control: Control,
    pub account: Account,
    pub now: Wall,
}

/// How long ago, in minutes, the checkout domains got their current states. It is longer than the
/// age of the oldest example link.
const DOMAINS_AGE_MINUTES: i64 = 26 * 24 * 60;

impl DemoPast {
    /// Fills the history (payment links and direct payments) with the example data of a script.
    pub fn seed_history(
        &self,
        ParsedScript { links, charges, .. }: &ParsedScript,
        history: &mut History,
    ) -> Result<(), JournalTrouble> {
        history.seed(&self.create_links(links), &self.create_charges(charges))?;
        let domains_since = self.minutes_ago(DOMAINS_AGE_MINUTES);
        history
            .record_domains(&self.account, &self.domains(), domains_since)
            .map(drop)
    }

    /// The checkout domains of the sandbox, without the address at which the demo is shared.
    fn domains(&self) -> Vec<CheckoutDomain> {
        let domains = self
            .control
            .initial_domains()
            .into_iter()
            .map(|domain| CheckoutDomain {
                host: Untrusted::from(domain.host),
                state: match domain.state {
                    DomainSetup::Active => DomainState::Active,
                    inactive => DomainState::Pending(Some(inactive.status_word().into())),
                },
                is_default: false,
            });
        domains.collect()
    }

    /// Creates the example payment links in the sandbox. Returns them, oldest first.
    pub fn create_links(&self, past: &[PastItem]) -> Vec<PaymentLink> {
        let items = self.valid_items(past);
        let earlier: Vec<EarlierItem> = items.iter().map(|(.., earlier)| earlier.clone()).collect();
        let created = self.control.create_past_links(&earlier).unwrap_or_default();
        let links = items
            .into_iter()
            .zip(created)
            .map(|((item, amount, earlier), created)| {
                let chosen_host = item.domain.as_ref().filter(|host| **host == created.host);
                PaymentLink {
                    id: RowId(0),
                    at: Wall(earlier.at.0),
                    request: LinkRequest {
                        account: self.account.clone(),
                        amount,
                        description: earlier.description,
                        domain: chosen_host.map(|host| Untrusted::from(host.as_str())),
                    },
                    outcome: LinkOutcome::Created(CreatedLink {
                        url: Untrusted::from(created.url),
                    }),
                    paid: item.paid(Wall(earlier.at.0)),
                    note: None,
                    put_away: None,
                    authors: SaleAuthors::default(),
                }
            });
        links.collect()
    }

    /// Creates the example direct payments in the sandbox. Returns them, oldest first.
    pub fn create_charges(&self, past: &[PastItem]) -> Vec<Charge> {
        let items = self.valid_items(past);
        let earlier: Vec<EarlierItem> = items.iter().map(|(.., earlier)| earlier.clone()).collect();
        let created = self
            .control
            .create_past_charges(&earlier)
            .unwrap_or_default();
        let charges = items
            .into_iter()
            .zip(created)
            .map(|((item, amount, earlier), created)| Charge {
                id: RowId(0),
                at: Wall(earlier.at.0),
                request: ChargeRequest {
                    account: self.account.clone(),
                    amount,
                    description: earlier.description,
                    customer: item.customer.clone(),
                    buyer: item
                        .customer
                        .as_deref()
                        .map(buyer_fields)
                        .unwrap_or_default(),
                },
                outcome: ChargeOutcome::Created(CreatedCharge {
                    id: Some(Untrusted::from(created.id)),
                    status: Some(CHARGE_STATUS.into()),
                    pix_code: Some(Untrusted::from(created.qr_code)),
                    expires: Some(Untrusted::from(created.expires_at.to_iso())),
                }),
                // The sandbox never reports that a direct payment was paid.
                paid: None,
                note: None,
                put_away: None,
                authors: SaleAuthors::default(),
            });
        charges.collect()
    }

    /// The items that have a valid amount. Each is returned with its parsed amount and converted to
    /// an item for the sandbox.
    fn valid_items<'p>(&self, past: &'p [PastItem]) -> Vec<(&'p PastItem, Money, EarlierItem)> {
        past.iter()
            .filter_map(|item| {
                let amount = Money::parse_wire(&item.amount)?;
                let at = self.minutes_ago(item.minutes);
                let paid_at = item
                    .paid_after
                    .map(|after| Moment(at.0 + after * MINUTE_MS));
                let description = item.description.clone();
                let host = item.domain.clone();
                let centavos = amount.centavos()?;
                let at = Moment(at.0);
                Some((
                    item,
                    amount,
                    EarlierItem {
                        centavos,
                        description,
                        host,
                        at,
                        paid_at,
                    },
                ))
            })
            .collect()
    }

    fn minutes_ago(&self, minutes: i64) -> Wall {
        Wall(self.now.0 - minutes * MINUTE_MS)
    }
}

/// The form input of an example buyer for a direct payment, by field id.
fn buyer_fields(name: &str) -> BTreeMap<String, String> {
    let first_name = searchable(name)
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned();
    let documents = ["11144477735", "52998224725"];
    let values = [
        ("name", name.to_owned()),
        ("email", format!("{first_name}@exemplo.com.br")),
        (
            "document",
            documents[name.len() % documents.len()].to_owned(),
        ),
    ];
    values
        .into_iter()
        .map(|(id, value)| (id.to_owned(), value))
        .collect()
}

/// The seed of the example withdrawals' idempotency keys. It is constant, so that every demo has
/// the same keys.
const KEY_SEED: u128 = 0x5EED_0F00_BA1C_A000_0000_0000_0000_0000;

/// The value of the simulated boot clock when the demo starts, in milliseconds. It exceeds the age
/// of the oldest example withdrawal, because the boot clock must never be negative.
const INITIAL_BOOT_MS: i64 = 1_000 * 24 * 60 * 60 * 1_000;

/// The simulated time between confirming and sending a withdrawal, and between sending it and the
/// reply.
const STEP_DELAY: Duration = Duration::from_millis(1_800);

/// The simulated time until the seller resends a withdrawal after its first attempt got no reply.
const RESEND_DELAY: Duration = Duration::from_secs(40);

/// An example withdrawal in a script.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PastWithdrawal {
    /// The age of the withdrawal when the demo starts, in minutes.
    minutes: i64,
    /// The amount, in reais.
    amount: String,
    key_kind: PixKeyKind,
    key: String,
    description: String,
    /// True if the first reply was lost, so the seller sent the same request a second time.
    #[serde(default)]
    is_lost: bool,
}

impl DemoPast {
    /// Creates the example withdrawals in an empty journal, oldest first.
    ///
    /// Stops silently at the first error, because the app itself reports problems with the journal.
    pub fn create_withdrawals(
        &self,
        past: &[PastWithdrawal],
        journal: &Mutex<MoneyJournal>,
        window: &Window,
    ) {
        let contract = contract();
        for (index, example) in past.iter().enumerate() {
            let clock = PastClock::at(self.minutes_ago(example.minutes), self.now);
            let Some(agreement) = self.agreement(example, index, &contract, clock.now()) else {
                continue;
            };
            let key = agreement.key;
            let Ok(mut locked_journal) = journal.lock() else {
                return;
            };
            if locked_journal.prepare(agreement, None).is_err() {
                return;
            }
            drop(locked_journal);
            let wire = PastWire {
                control: &self.control,
                contract: &contract,
                clock: &clock,
                example,
            };
            for _ in 0..1 + u32::from(example.is_lost) {
                clock.advance(STEP_DELAY);
                // The future completes at once, because it calls the sandbox directly and not over
                // the network.
                let attempt =
                    cashier::attempt((key, None), window, journal, &wire, &clock, async |_| ());
                if !matches!(attempt.now_or_never(), Some(None)) {
                    return;
                }
                clock.advance(RESEND_DELAY);
            }
        }
    }

    /// The terms of the example withdrawal, as if the seller had confirmed them at that time.
    fn agreement(
        &self,
        example: &PastWithdrawal,
        index: usize,
        contract: &Contract,
        agreed_at: Clocks,
    ) -> Option<Agreement> {
        let spec = &contract.withdrawal;
        let amount = Money::parse_wire(&example.amount)?;
        let destination = PixKey::parse(example.key_kind, &example.key).ok()?;
        let seed = KEY_SEED.wrapping_add(0x9E37_79B9_7F4A_7C15 * (index as u128 + 1));
        let key = uuid::Builder::from_random_bytes(seed.to_be_bytes()).into_uuid();
        let key = IdempotencyKey(key);
        let key_text = spec.key_text(key);
        let body = spec
            .form
            .body(|field| match field.kind {
                FieldKind::RequestKey => Some(FieldInput::Text(&key_text)),
                FieldKind::Amount => Some(FieldInput::Amount(amount)),
                FieldKind::PixKeyKind => Some(FieldInput::Text(key_kind_id(example.key_kind))),
                FieldKind::PixKey => Some(FieldInput::Text(destination.as_str())),
                FieldKind::Text => Some(FieldInput::Text(&example.description)),
                _ => None,
            })
            .ok()?;
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
            quote: Quote::new(amount, Some(fee), amount.checked_sub(fee), agreed_at.wall).ok(),
            agreed: agreed_at,
        })
    }
}

/// A simulated clock. It starts in the past and moves only when it is advanced.
struct PastClock(RefCell<Clocks>);

impl PastClock {
    fn at(wall: Wall, now: Wall) -> PastClock {
        let boot_ms = (INITIAL_BOOT_MS - (now.0 - wall.0)).unsigned_abs();
        PastClock(RefCell::new(Clocks {
            wall,
            boot_ms,
            boot_id: "before the demo".into(),
        }))
    }

    fn advance(&self, span: Duration) {
        let mut clocks = self.0.borrow_mut();
        clocks.wall = clocks.wall.plus(span);
        clocks.boot_ms += u64::try_from(span.as_millis()).unwrap_or_default();
    }
}

impl Clock for PastClock {
    fn now(&self) -> Clocks {
        self.0.borrow().clone()
    }
}

/// A fake `Wire` that sends example withdrawals to the sandbox at a simulated time. The replies are
/// classified like real ones.
struct PastWire<'p> {
    control: &'p Control,
    contract: &'p Contract,
    clock: &'p PastClock,
    example: &'p PastWithdrawal,
}

impl Wire for PastWire<'_> {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let (spent, request) = permit.spend();
        let agreement = request.agreement();
        let sent_before = request.sent_before();
        let at = Moment(self.clock.now().wall.0);
        let sandbox_reply =
            self.control
                .create_past_withdrawal(&agreement.key_header, &agreement.body, at);
        self.clock.advance(STEP_DELAY);
        let outcome = match sandbox_reply {
            Ok(_) if self.example.is_lost && !sent_before => Err(Failure::NoAnswer(NoAnswer::Cut)),
            Ok(sandbox_reply) => Ok(RawReply {
                status: sandbox_reply.status,
                headers: vec![("content-type".into(), "application/json".into())],
                body: sandbox_reply.body.into_bytes(),
                end: BodyEnd::Whole,
            }),
            // After an error the sandbox is unchanged, so the request counts as not sent.
            Err(_) => Err(Failure::NotSent(NotSent::Connect)),
        };
        let Clocks {
            wall: at, boot_ms, ..
        } = self.clock.now();
        let class = classify(outcome.as_ref(), agreement, self.contract, sent_before, at);
        let reply = outcome.as_ref().ok();
        let json = reply.and_then(|reply| read_json(&reply.body));
        let message = json
            .as_ref()
            .and_then(|json| self.contract.paths(ERROR_MESSAGE).str(json));
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

#[cfg(test)]
mod tests;
