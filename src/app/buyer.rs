//! The buyer's view: the checkout page as the buyer sees it, for demos no browser can reach.

use super::layer::{Buyer, BuyerPage, Layer};
use super::login::waiting_at;
use super::{Effect, Model, act, links};
use crate::trade::{PaymentLink, Ticket};

/// Opens the page of the link the person is looking at, else of the newest one.
pub fn open(model: &mut Model) -> Vec<Effect> {
    if model.setup.demo.is_none() {
        return vec![];
    }
    let url = links::subject(model)
        .and_then(PaymentLink::url)
        .or_else(|| model.links.list.page.rows.iter().find_map(PaymentLink::url))
        .cloned();
    let Some(url) = url else { return vec![] };
    let wait = model.wait();
    let effect = Effect::Buyer { ticket: wait.ticket, url: url.clone(), pay: false };
    act::open(model, Layer::Buyer(Box::new(Buyer { url, page: None, wait: Some(wait) })));
    vec![effect]
}

/// Presses the page's button.
pub fn pay(model: &mut Model) -> Vec<Effect> {
    let wait = model.wait();
    let Some(Layer::Buyer(buyer)) = model.layers.last_mut() else { return vec![] };
    if buyer.wait.is_some() || !matches!(buyer.page, Some(BuyerPage::Open { paid: false, .. })) {
        return vec![];
    }
    buyer.wait = Some(wait);
    vec![Effect::Buyer { ticket: wait.ticket, url: buyer.url.clone(), pay: true }]
}

/// The page came.
pub fn page(model: &mut Model, ticket: Ticket, page: BuyerPage) -> Vec<Effect> {
    if let Some(at) = waiting_at(model, ticket)
        && let Layer::Buyer(buyer) = &mut model.layers[at]
    {
        (buyer.page, buyer.wait) = (Some(page), None);
    }
    vec![]
}
