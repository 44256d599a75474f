//! The demo's past: what a shop did in the last weeks, so that its lists are lists from the start.
//!
//! The bank had it all at those moments, so what the screen says of it is true: links can be paid,
//! keys are known, and the ledger agrees.

mod withdrawals;

use serde::Deserialize;

use crate::runtime::history::HistorySeed;
use crate::sandbox::{CHARGE_STATUS, Control, DomainSetup, Earlier, Moment};
use crate::trade::{
    Account, Charge, ChargeOutcome, ChargeRequest, CheckoutDomain, DomainState, LinkOutcome,
    LinkRequest, Money, PaymentLink, RowId, Untrusted, Wall,
};

pub(super) use withdrawals::PastWithdrawal;

/// The milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;

/// A link or a charge as a script has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PastItem {
    /// Its age.
    minutes: i64,
    /// The amount to pay, in reais.
    amount: String,
    /// The description.
    description: String,
    /// The domain that was named for a link.
    domain: Option<String>,
    /// The buyer of a charge.
    customer: Option<String>,
    /// The minutes after which a buyer paid it, if one did.
    paid_after: Option<i64>,
    /// The minutes after which the seller marked a link as paid, if so.
    marked_after: Option<i64>,
}

/// The bank, the account and the moment of a demo whose past is made up.
pub(super) struct DemoPast {
    pub control: Control,
    pub account: Account,
    pub now: Wall,
}

/// The time for which the domains have been as they are: a little longer than there are links.
const DOMAINS_MINUTES: i64 = 26 * 24 * 60;

impl DemoPast {
    /// All that the history has of it.
    pub fn history(&self, links: &[PastItem], charges: &[PastItem]) -> HistorySeed {
        HistorySeed {
            links: self.links(links),
            charges: self.charges(charges),
            account: self.account.clone(),
            domains: self.domains(),
            domains_since: self.ago(DOMAINS_MINUTES),
        }
    }

    /// The domains as the service lists them; one that is shared is new.
    fn domains(&self) -> Vec<CheckoutDomain> {
        let listed = self.control.first_domains().into_iter().map(|domain| CheckoutDomain {
            host: Untrusted::from(domain.host),
            state: match domain.state {
                DomainSetup::Active => DomainState::Active,
                waiting => DomainState::Pending(Some(waiting.word().into())),
            },
            is_default: false,
        });
        listed.collect()
    }

    /// The links of the past, oldest first; they exist in the sandbox too and can be opened.
    pub fn links(&self, past: &[PastItem]) -> Vec<PaymentLink> {
        let wanted = self.wanted(past);
        let earlier: Vec<Earlier> = wanted.iter().map(|(.., earlier)| earlier.clone()).collect();
        let made = self.control.put_up_links(&earlier).unwrap_or_default();
        let links = wanted.into_iter().zip(made).map(|((item, amount, earlier), made)| {
            let named = item.domain.as_ref().filter(|host| **host == made.host);
            PaymentLink {
                id: RowId(0),
                at: Wall(earlier.at.0),
                request: LinkRequest {
                    account: self.account.clone(),
                    amount,
                    description: earlier.description,
                    domain: named.map(|host| Untrusted::from(host.as_str())),
                },
                outcome: LinkOutcome::Created { url: Untrusted::from(made.url) },
                paid: item.marked_after.map(|after| Wall(earlier.at.0 + after * MINUTE_MS)),
            }
        });
        links.collect()
    }

    /// The charges of the past, oldest first; the sandbox has them too.
    pub fn charges(&self, past: &[PastItem]) -> Vec<Charge> {
        let wanted = self.wanted(past);
        let earlier: Vec<Earlier> = wanted.iter().map(|(.., earlier)| earlier.clone()).collect();
        let made = self.control.put_up_charges(&earlier).unwrap_or_default();
        let charges = wanted.into_iter().zip(made).map(|((item, amount, earlier), made)| Charge {
            id: RowId(0),
            at: Wall(earlier.at.0),
            request: ChargeRequest {
                account: self.account.clone(),
                amount,
                description: earlier.description,
                customer: item.customer.clone(),
            },
            outcome: ChargeOutcome::Created {
                id: Some(Untrusted::from(made.id)),
                status: Some(CHARGE_STATUS.into()),
                pix_code: Some(Untrusted::from(made.qr_code)),
                expires: Some(Untrusted::from(made.expires_at.in_iso())),
            },
        });
        charges.collect()
    }

    /// What can be put up of it, with its amount, and as the sandbox is told of it.
    fn wanted<'p>(&self, past: &'p [PastItem]) -> Vec<(&'p PastItem, Money, Earlier)> {
        let wanted = |item: &'p PastItem| {
            let amount = Money::parse_wire(&item.amount)?;
            let at = self.ago(item.minutes);
            let paid_at = item.paid_after.map(|after| Moment(at.0 + after * MINUTE_MS));
            let (description, host) = (item.description.clone(), item.domain.clone());
            let centavos = amount.centavos()?;
            let at = Moment(at.0);
            Some((item, amount, Earlier { centavos, description, host, at, paid_at }))
        };
        past.iter().filter_map(wanted).collect()
    }

    fn ago(&self, minutes: i64) -> Wall {
        Wall(self.now.0 - minutes * MINUTE_MS)
    }
}

#[cfg(test)]
mod tests;
