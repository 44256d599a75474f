//! The buyer's view: the checkout page as the buyer sees it, for demos no browser can reach.

use super::layer::{Buyer, BuyerPage, Layer};
use super::login::waiting_at;
use super::{Effect, Model, act, links};
use crate::trade::{PaymentLink, Ticket, Untrusted};

/// Opens the page of the link the person is looking at, else of the newest one.
pub fn open(model: &mut Model) -> Vec<Effect> {
    if model.setup.demo.is_none() {
        return vec![];
    }
    let Some(url) = url(model).cloned() else { return vec![] };
    let wait = model.wait();
    let effect = Effect::Buyer { ticket: wait.ticket, url: url.clone(), pay: false };
    act::open(model, Layer::Buyer(Box::new(Buyer { url, page: None, wait: Some(wait) })));
    vec![effect]
}

/// The address whose page would be opened.
pub fn url(model: &Model) -> Option<&Untrusted> {
    let below = model.layers.iter().rev().find(|layer| !matches!(layer, Layer::Palette(_)));
    let here = match below {
        Some(Layer::Link(link)) => Some(&**link),
        Some(_) => None,
        None => links::subject(model),
    };
    here.and_then(PaymentLink::url)
        .or_else(|| model.links.list.page.rows.iter().find_map(PaymentLink::url))
}

/// Whether the page has a button that can be pressed now.
pub fn can_pay(buyer: &Buyer) -> bool {
    buyer.wait.is_none() && matches!(buyer.page, Some(BuyerPage::Open { paid: false, .. }))
}

/// Presses the page's button.
pub fn pay(model: &mut Model) -> Vec<Effect> {
    let wait = model.wait();
    let Some(Layer::Buyer(buyer)) = model.layers.last_mut() else { return vec![] };
    if !can_pay(buyer) {
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
