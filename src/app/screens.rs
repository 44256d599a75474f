//! The screens: what each shows, and the one place that names them all.

pub mod account;
pub mod ask;
pub mod buyer;
pub mod charges;
pub mod domains;
pub mod exchanges;
pub mod help;
pub mod journals;
pub mod links;
pub mod login;
pub mod money_lines;
pub mod palette;
pub mod qr;
pub mod withdrawals;

use super::layer::Layer;
use super::ui::{Area, Page, Target};
use super::{Model, Pane, Size, around, geometry, seen};
use crate::words::Words;

/// What a frame of this size shows.
pub fn page(model: &Model, size: Size) -> Page {
    let say = Words::of(model.setup.lang);
    let whole = Area { x: 0, y: 0, width: size.columns, height: size.rows };
    let mut page = Page::new(whole, model.scroll, seen::read_so_far(model));
    let Some(areas) = geometry::areas(model, size) else {
        around::too_small(say, size, &mut page);
        return page;
    };
    for (pane, tab) in geometry::tabs(areas.tabs) {
        page.target(tab, Target::Tab(pane));
    }
    if let Some(Layer::Qr(text)) = model.layers.last() {
        qr::show::alone(model, say, text, &mut page);
        return page;
    }
    front(model, say, areas.body, &mut page);
    behind(model, say, areas.body, &mut page);
    around::draw(model, say, &areas, &mut page);
    page
}

/// What has the keys.
fn front(model: &Model, say: &Words, body: Area, page: &mut Page) {
    match model.layers.last() {
        Some(layer) => draw_layer(model, say, layer, body, page),
        None => draw_pane(model, say, body, page),
    }
}

/// What is under a question or the palette, seen from its beginning.
fn behind(model: &Model, say: &Words, body: Area, page: &mut Page) {
    if !model.layers.last().is_some_and(Layer::floats) {
        return;
    }
    let over = page.step_behind();
    match model.layers.iter().rfind(|layer| !layer.floats()) {
        Some(layer) => draw_layer(model, say, layer, body, page),
        None => draw_pane(model, say, body, page),
    }
    page.step_before(over);
}

fn draw_pane(model: &Model, say: &Words, area: Area, page: &mut Page) {
    match model.pane {
        Pane::Links => links::show::pane(model, say, area, page),
        Pane::Domains => domains::show::pane(model, say, area, page),
        Pane::Withdrawals => withdrawals::show::pane::pane(model, say, area, page),
        Pane::Charges => charges::show::pane(model, say, area, page),
        Pane::Exchanges => exchanges::show::pane(model, say, area, page),
        Pane::Account => account::show::pane(model, say, area, page),
    }
}

fn draw_layer(model: &Model, say: &Words, layer: &Layer, area: Area, page: &mut Page) {
    match layer {
        Layer::Login(login) => login::show::login(model, say, login, area, page),
        Layer::Jwt(jwt) => login::show::jwt(model, say, jwt, area, page),
        Layer::NewLink(link) => links::show::new(model, say, link, area, page),
        Layer::Link(link) => links::show::details(model, say, link, area, page),
        Layer::NewCharge(charge) => charges::show::new(model, say, charge, area, page),
        Layer::Charge(charge) => charges::show::details(model, say, charge, area, page),
        Layer::Withdraw(flow) => withdrawals::show::draw(model, say, flow, area, page),
        Layer::Withdrawal(one) => withdrawals::show::details(model, say, one, area, page),
        Layer::Guide { cursor } => withdrawals::show::guide(model, say, *cursor, area, page),
        Layer::NotPaid(statement) => {
            withdrawals::show::statement(model, say, statement, area, page)
        }
        Layer::Send(question) => withdrawals::show::send(model, say, question, area, page),
        Layer::Attempts => withdrawals::show::all_attempts(model, say, area, page),
        Layer::Journals { cursor } => journals::show::draw(model, say, *cursor, area, page),
        Layer::MoneyLines(reading) => money_lines::show::draw(model, say, reading, area, page),
        Layer::Exchange(exchange) => exchanges::show::details(model, say, exchange, area, page),
        Layer::Qr(text) => qr::show::alone(model, say, text, page),
        Layer::Help => help::show::draw(model, say, area, page),
        Layer::Palette(palette) => palette::show::draw(model, say, palette, area, page),
        Layer::Ask(ask) => ask::show::draw(model, say, ask, area, page),
        Layer::Buyer(buyer) => buyer::show::draw(model, say, buyer, area, page),
    }
}
