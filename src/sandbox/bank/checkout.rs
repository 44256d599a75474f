//! The checkout of a link, as data: what the page says and what paying does.

use serde::Serialize;

use super::Bank;
use super::amount::Amount;
use super::ledger::{PaidItem, Payment};
use super::scene::DomainSetup;
use crate::sandbox::clock::Moment;

/// The page that a buyer sees at a link's address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checkout {
    /// The link's id.
    pub id: String,
    /// The link's address exactly as the seller got it.
    pub url: String,
    /// The seller's domain that serves the page.
    pub host: String,
    /// The store's name.
    pub store: String,
    /// The amount to pay.
    pub amount: Amount,
    /// The description of the purchase.
    pub description: String,
    /// Its state: open, paid or blocked.
    pub state: CheckoutState,
}

/// The state of a checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckoutState {
    /// The button pays it.
    Open,
    /// Paid; a link is paid once (*assumed*).
    Paid,
    /// The domain is not active (API text, section 4.1 rule 4: "the public checkout is blocked").
    Blocked,
}

/// The checkout of a link, by the id in its address.
pub fn visit(bank: &Bank, id: &str) -> Option<Checkout> {
    let link = bank.link(id)?;
    let active = bank
        .domains()
        .any(|domain| domain.host == link.host && domain.state == DomainSetup::Active);
    let state = match (active, link.paid_at) {
        (false, _) => CheckoutState::Blocked,
        (true, Some(_)) => CheckoutState::Paid,
        (true, None) => CheckoutState::Open,
    };
    Some(Checkout {
        id: link.id.clone(),
        url: link.url.clone(),
        host: link.host.clone(),
        store: bank.scene.store.clone(),
        amount: link.amount,
        description: link.description.clone(),
        state,
    })
}

/// The id inside a link's address, or the id itself.
pub fn id_of(url_or_id: &str) -> &str {
    let id = url_or_id.split("/checkout/").last().unwrap_or(url_or_id);
    id.strip_prefix("link-").unwrap_or(id)
}

/// The reason a payment was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPaid {
    /// There is no link or charge with this id.
    #[error("the sandbox knows nothing to pay under this id")]
    Unknown,
    /// The checkout's domain is not active.
    #[error("the checkout is blocked: its domain is not active")]
    Blocked,
    /// It was paid before; nothing was paid again.
    #[error("it was paid before, nothing was paid again")]
    AlreadyPaid,
    /// The charge's time is over.
    #[error("its time is over, make a new one")]
    Expired,
}

/// Pays a link; the whole amount is credited to the seller's balance (*assumed*: no fee).
pub fn pay_link(bank: &mut Bank, id: &str, now: Moment) -> Result<Payment, NotPaid> {
    let checkout = visit(bank, id).ok_or(NotPaid::Unknown)?;
    match checkout.state {
        CheckoutState::Blocked => return Err(NotPaid::Blocked),
        CheckoutState::Paid => return Err(NotPaid::AlreadyPaid),
        CheckoutState::Open => {}
    }
    let links = &mut bank.ledger.links;
    let link = links.iter_mut().find(|link| link.id == id).ok_or(NotPaid::Unknown)?;
    link.paid_at = Some(now);
    Ok(credit(bank, PaidItem::Link, id, checkout.amount, now))
}

/// Pays a direct payment, as a bank app would with its PIX code.
pub fn pay_charge(bank: &mut Bank, id: &str, now: Moment) -> Result<Payment, NotPaid> {
    let charges = &mut bank.ledger.charges;
    let charge = charges.iter_mut().find(|charge| charge.id == id).ok_or(NotPaid::Unknown)?;
    if charge.paid_at.is_some() {
        return Err(NotPaid::AlreadyPaid);
    }
    if charge.expires_at <= now {
        return Err(NotPaid::Expired);
    }
    charge.paid_at = Some(now);
    let amount = charge.amount;
    Ok(credit(bank, PaidItem::Charge, id, amount, now))
}

fn credit(bank: &mut Bank, of: PaidItem, id: &str, amount: Amount, now: Moment) -> Payment {
    let payment = Payment { of, id: id.to_owned(), amount, at: now };
    bank.ledger.balance = bank.ledger.balance.plus(amount);
    bank.ledger.payments.push(payment.clone());
    payment
}
