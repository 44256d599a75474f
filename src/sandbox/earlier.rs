//! The past of a demo: what happened at the bank before it was opened.
//!
//! It is done as the bank does it, at moments that are over: the ledger has it, links can be opened
//! and paid, and a key that was used is known.

use super::bank::amount::Amount;
use super::bank::direct;
use super::bank::ledger::{LedgerCharge, LedgerLink};
use super::bank::request::{BankOperation, BankReply, BankRequest};
use super::bank::scene::{Domain, DomainSetup};
use super::bank::tokens::TokenKind;
use super::bank::{self, Bank, checkout, links};
use super::clock::Moment;
use super::control::{Control, ControlError};

/// The seed of the ids that earlier days had: the same past has the same ids at every bank, in
/// whichever order its parts are put up. Tokens are not of it: nobody foresees one.
const SEED: u64 = 0x0f00_ba1c_a05e_ed00;

/// A link or a charge of earlier days.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// What there was to pay, in centavos.
    pub centavos: i64,
    /// What it was for.
    pub description: String,
    /// The domain that was named for a link.
    pub host: Option<String>,
    /// When it was made.
    pub at: Moment,
    /// When a buyer paid it.
    pub paid_at: Option<Moment>,
}

impl Control {
    /// Puts up links of earlier days.
    ///
    /// One whose domain is not active is on the first of the seller's own that is: an address that
    /// is shared now was not then. Without one there is nowhere to put them, and nothing is put up.
    pub fn put_up_links(&self, earlier: &[Earlier]) -> Result<Vec<LedgerLink>, ControlError> {
        self.change(|bank, _| {
            let active = |domain: &&Domain| domain.state == DomainSetup::Active;
            let own = bank.own_domains().iter();
            let active: Vec<String> =
                own.filter(active).map(|domain| domain.host.clone()).collect();
            let Some(first) = active.first() else { return Vec::new() };
            let put_up = |bank: &mut Bank, one: &Earlier| {
                let named = one.host.as_ref().filter(|host| active.contains(host));
                let (host, amount) = (named.unwrap_or(first), Amount::of_centavos(one.centavos));
                links::put_up(bank, host.clone(), amount, one.description.clone(), one.at)
            };
            let all = |bank: &mut Bank| earlier.iter().map(|one| put_up(bank, one)).collect();
            let made: Vec<LedgerLink> = bank.with_ids_of(SEED + 1, all);
            let paid = made.iter().zip(earlier);
            for (link, at) in paid.filter_map(|(link, one)| Some((link, one.paid_at?))) {
                // It is on an active domain, and new: nothing speaks against it.
                checkout::pay_link(bank, &link.id, at).ok();
            }
            made
        })
    }

    /// Puts up charges of earlier days.
    pub fn put_up_charges(&self, earlier: &[Earlier]) -> Result<Vec<LedgerCharge>, ControlError> {
        self.change(|bank, _| {
            let put_up = |bank: &mut Bank, one: &Earlier| {
                let amount = Amount::of_centavos(one.centavos);
                let charge = direct::put_up(bank, amount, one.description.clone(), one.at);
                if let Some(at) = one.paid_at {
                    // One that ran out before is not paid.
                    checkout::pay_charge(bank, &charge.id, at).ok();
                }
                charge
            };
            let all = |bank: &mut Bank| earlier.iter().map(|one| put_up(bank, one)).collect();
            bank.with_ids_of(SEED + 2, all)
        })
    }

    /// Asks for a withdrawal at an earlier moment, as the seller did then; the bank's reply.
    pub fn withdraw_earlier(
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
                ..BankRequest::to(BankOperation::Withdrawal)
            };
            bank.with_ids_of(seed_of(key), |bank| bank::apply(bank, &request, at))
        })
    }

    /// The fee of a withdrawal of so many centavos.
    pub fn fee(&self, centavos: i64) -> Amount {
        self.0.state().bank.scene().fee.fee(Amount::of_centavos(centavos))
    }
}

/// A seed of its own for each withdrawal, by its key.
fn seed_of(key: &str) -> u64 {
    key.bytes().fold(SEED, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)))
}
