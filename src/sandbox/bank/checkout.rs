//! The checkout of a payment link, independent of HTML: the content of its page, and the payment by
//! a buyer.

use serde::Serialize;

use super::Bank;
use super::amount::Amount;
use super::ledger::{PaidItem, Payment};
use super::scene::DomainSetup;
use crate::sandbox::clock::Moment;

/// The content of the checkout page that a buyer sees at the URL of a payment link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checkout {
    pub id: String,
    /// The URL of the payment link, exactly as the seller received it.
    pub url: String,
    /// The checkout domain that serves the page.
    pub host: String,
    pub store: String,
    pub amount: Amount,
    pub description: String,
    pub state: CheckoutState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckoutState {
    /// The link is not paid yet, and the page shows a button for paying.
    Open,
    /// The link is already paid. The rule that it can be paid only once is *assumed* (not
    /// documented).
    Paid,
    /// The page's domain is not active (API documentation, section 4.1 rule 4: "the public checkout
    /// is blocked").
    Blocked,
}

/// The content of the checkout page for the payment link with this id.
pub fn checkout_page(bank: &Bank, id: &str) -> Option<Checkout> {
    let link = bank.link(id)?;
    let is_active = bank
        .domains()
        .any(|domain| domain.host == link.host && domain.state == DomainSetup::Active);
    let state = match (is_active, link.paid_at) {
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

/// The id that the URL of a payment link contains. If the text is already an id, returns it
/// unchanged.
pub fn link_id(url_or_id: &str) -> &str {
    let id = url_or_id.split("/checkout/").last().unwrap_or(url_or_id);
    id.strip_prefix("link-").unwrap_or(id)
}

/// The reason why a buyer's payment was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPaid {
    /// No payment link or direct payment has this id.
    #[error("the sandbox knows nothing to pay under this id")]
    Unknown,
    /// The checkout is blocked because the domain of its page is not active.
    #[error("the checkout is blocked: its domain is not active")]
    Blocked,
    /// The payment link or direct payment is already paid.
    #[error("it was paid before, nothing was paid again")]
    AlreadyPaid,
    /// The direct payment has expired.
    #[error("its time is over, make a new one")]
    Expired,
}

/// Pays a payment link, and adds the whole amount to the seller's balance. No fee is subtracted,
/// which is *assumed* (not documented).
pub fn pay_link(bank: &mut Bank, id: &str, now: Moment) -> Result<Payment, NotPaid> {
    let checkout = checkout_page(bank, id).ok_or(NotPaid::Unknown)?;
    match checkout.state {
        CheckoutState::Blocked => return Err(NotPaid::Blocked),
        CheckoutState::Paid => return Err(NotPaid::AlreadyPaid),
        CheckoutState::Open => {}
    }
    let links = &mut bank.ledger.links;
    let link = links
        .iter_mut()
        .find(|link| link.id == id)
        .ok_or(NotPaid::Unknown)?;
    link.paid_at = Some(now);
    Ok(credit(bank, PaidItem::Link, id, checkout.amount, now))
}

/// Pays a direct payment, as if a buyer had entered its Pix code in a bank app.
pub fn pay_charge(bank: &mut Bank, id: &str, now: Moment) -> Result<Payment, NotPaid> {
    let charges = &mut bank.ledger.charges;
    let charge = charges
        .iter_mut()
        .find(|charge| charge.id == id)
        .ok_or(NotPaid::Unknown)?;
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

fn credit(bank: &mut Bank, item: PaidItem, id: &str, amount: Amount, now: Moment) -> Payment {
    let payment = Payment {
        of: item,
        id: id.to_owned(),
        amount,
        at: now,
    };
    bank.ledger.balance = bank.ledger.balance.plus(amount);
    bank.ledger.payments.push(payment.clone());
    payment
}
