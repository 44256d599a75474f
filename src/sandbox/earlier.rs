//! Creates the history of a demo: payment links, direct payments and withdrawals that seem to be
//! older than the demo.
//!
//! The bank's own functions create these items, with times in the past. They are therefore in the
//! ledger. The payment links can be opened and paid, and the idempotency keys of the withdrawals
//! count as used.

use super::bank::amount::Amount;
use super::bank::direct;
use super::bank::ledger::{LedgerCharge, LedgerLink};
use super::bank::request::{BankOperation, BankReply, BankRequest};
use super::bank::scene::DomainSetup;
use super::bank::tokens::TokenKind;
use super::bank::{self, checkout, links};
use super::clock::Moment;
use super::control::{Control, ControlError};

/// The seed for the ids of past payment links and direct payments. It is fixed, so that every demo
/// has the same ids. Tokens are generated from the bank's own seed, so that they cannot be
/// predicted.
const PAST_ITEMS_SEED: u64 = 0x0f00_ba1c_a05e_ed00;

/// A payment link or direct payment with a creation time in the past.
#[derive(Clone, Debug)]
pub struct EarlierItem {
    /// The amount in centavos.
    pub centavos: i64,
    pub description: String,
    /// The checkout domain on which the payment link is created, if a domain is requested.
    pub host: Option<String>,
    pub at: Moment,
    /// When a buyer paid. `None` if nobody has paid yet.
    pub paid_at: Option<Moment>,
}

impl Control {
    /// Creates payment links with creation times in the past. If no checkout domain is active,
    /// creates none.
    ///
    /// If the requested domain of a link is not active, the seller's first active domain is used.
    /// The address that is shared with phones is never used, because sharing starts only when the
    /// demo starts.
    pub fn create_past_links(
        &self,
        items: &[EarlierItem],
    ) -> Result<Vec<LedgerLink>, ControlError> {
        self.change(|bank, _| {
            let own_domains = bank.own_domains().iter();
            let active: Vec<String> = own_domains
                .filter(|domain| domain.state == DomainSetup::Active)
                .map(|domain| domain.host.clone())
                .collect();
            let Some(first) = active.first() else {
                return Vec::new();
            };
            let created: Vec<LedgerLink> = bank.with_ids_of(PAST_ITEMS_SEED + 1, |bank| {
                let links = items.iter().map(|item| {
                    let requested_host = item.host.as_ref().filter(|host| active.contains(host));
                    let host = requested_host.unwrap_or(first);
                    let amount = Amount::from_centavos(item.centavos);
                    links::add_link(
                        bank,
                        host.clone(),
                        amount,
                        item.description.clone(),
                        item.at,
                    )
                });
                links.collect()
            });
            let paid = created.iter().zip(items);
            for (link, at) in paid.filter_map(|(link, item)| Some((link, item.paid_at?))) {
                // The payment cannot fail, because the link is unpaid and its domain is active.
                checkout::pay_link(bank, &link.id, at).ok();
            }
            created
        })
    }

    /// Creates direct payments with creation times in the past.
    pub fn create_past_charges(
        &self,
        items: &[EarlierItem],
    ) -> Result<Vec<LedgerCharge>, ControlError> {
        self.change(|bank, _| {
            bank.with_ids_of(PAST_ITEMS_SEED + 2, |bank| {
                let charges = items.iter().map(|item| {
                    let amount = Amount::from_centavos(item.centavos);
                    let charge =
                        direct::add_charge(bank, amount, item.description.clone(), item.at);
                    if let Some(at) = item.paid_at {
                        // Ignore an error. A direct payment that expired before `at` stays unpaid.
                        checkout::pay_charge(bank, &charge.id, at).ok();
                    }
                    charge
                });
                charges.collect()
            })
        })
    }

    /// Makes a withdrawal at a time in the past, and returns the bank's reply.
    pub fn create_past_withdrawal(
        &self,
        key: &str,
        body: &str,
        at: Moment,
    ) -> Result<BankReply, ControlError> {
        self.change(|bank, _| {
            let token = bank.token(TokenKind::ApiToken, at);
            let request = BankRequest {
                authorization: Some(format!("Bearer {token}")),
                content_type: Some("application/json".to_owned()),
                idempotency_key: Some(key.to_owned()),
                body: body.as_bytes().to_vec(),
                ..BankRequest::new(BankOperation::Withdrawal)
            };
            bank.with_ids_of(seed_of(key), |bank| bank::apply(bank, &request, at))
        })
    }

    /// The fee for a withdrawal of this many centavos.
    pub fn fee(&self, centavos: i64) -> Amount {
        self.0
            .state()
            .bank
            .scene()
            .fee
            .fee(Amount::from_centavos(centavos))
    }
}

/// Computes the seed for the ids of a withdrawal from its idempotency key.
fn seed_of(key: &str) -> u64 {
    key.bytes().fold(PAST_ITEMS_SEED, |seed, byte| {
        seed.wrapping_mul(31).wrapping_add(u64::from(byte))
    })
}
