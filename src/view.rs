//! The view: what the model looks like on a terminal.
//!
//! [`draw`] is a function of the model and of the [`Look`]; it changes nothing and remembers
//! nothing. Where things stand is worked out by [`crate::app::geometry`].

mod account;
pub mod arguments;
mod ask;
mod buyer;
mod charges;
pub mod commands;
pub mod complaint;
pub mod dates;
mod domains;
mod exchanges;
pub mod failure;
mod flow;
mod footer;
mod forms;
mod frame;
mod glyphs;
mod help;
mod journals;
mod json;
mod links;
mod lists;
pub mod locked;
mod login;
mod look;
mod money_lines;
mod notices;
mod palette;
mod parts;
mod qr;
mod refusals;
mod scrolled;
mod text;
mod theme;
mod withdrawals;

use std::sync::Arc;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::app::geometry::{self, Area, Areas};
use crate::app::input::Size;
use crate::app::layer::Layer;
use crate::app::legible::Shown;
use crate::app::scroll::{Front, Overflow};
use crate::app::seen::Seen;
use crate::app::{Model, Pane, seen};

use scrolled::Text;

pub use look::Look;
pub use notices::{left_ended, left_sending, left_unknown, left_unrecorded, left_unwritten};
pub use theme::{Role, Theme, ThemeError};

/// Draws the whole screen, and says what is on it.
pub fn draw(model: &Model, look: &Look, frame: &mut Frame) -> Seen {
    let whole = frame.area();
    let size = Size { columns: whole.width, rows: whole.height };
    let seen = match geometry::areas(model, size) {
        None => {
            frame::too_small(look, size, frame);
            Seen { size, ..Seen::default() }
        }
        Some(areas) => {
            let seen = seen_in(model, look, size, areas.body);
            match seen.terms {
                // What this frame shows is on the screen when its buttons are looked at.
                Some(_) => draw_in(&counting(model, &seen), look, areas, frame),
                None => draw_in(model, look, areas, frame),
            }
            seen
        }
    };
    if look.ascii {
        glyphs::to_ascii(frame.buffer_mut());
    }
    seen
}

/// The model as it is once this frame was seen.
fn counting(model: &Model, seen: &Seen) -> Model {
    let mut model = model.clone();
    seen::note(&mut model, &Arc::new(Seen { frame: u64::MAX, at_ms: u64::MAX, ..seen.clone() }));
    model
}

/// What a frame of this size has on the screen.
fn seen_in(model: &Model, look: &Look, size: Size, body: Area) -> Seen {
    let (shown, overflow) = match model.layers.last() {
        Some(Layer::Guide { cursor }) => {
            (Shown::ALL, flow::guide_overflow(model, look, *cursor, body).unwrap_or_default())
        }
        Some(Layer::Journals { cursor }) => {
            (Shown::ALL, journals::overflow(model, look, *cursor, body))
        }
        layer => {
            let text = match layer {
                Some(layer) => text_of(model, look, layer, body),
                None => pane_text(model, look, body),
            };
            let sizes = text.map(|text| (text.shown(model.scroll), text.overflow()));
            sizes.unwrap_or((Shown::ALL, Overflow::default()))
        }
    };
    Seen {
        size,
        front: Some(Front::of(model)),
        terms: seen::terms(model),
        shown: Some(shown),
        overflow,
        targets: geometry::targets(model),
        ..Seen::default()
    }
}

/// The text of the pane in front, where it has one beside its list.
fn pane_text(model: &Model, look: &Look, area: Area) -> Option<Text> {
    match model.pane {
        Pane::Domains => Some(domains::text(model, look, area)),
        Pane::Withdrawals => withdrawals::locked_text(model, look, area),
        Pane::Account => Some(account::text(model, look, area)),
        Pane::Links | Pane::Charges | Pane::Exchanges => None,
    }
}

/// The text of a layer that can be scrolled.
fn text_of(model: &Model, look: &Look, layer: &Layer, area: Area) -> Option<Text> {
    match layer {
        Layer::Link(link) => Some(links::text(model, look, link, area)),
        Layer::Charge(charge) => Some(charges::text(model, look, charge, area)),
        Layer::Withdraw(flow) => flow::text(model, look, flow, area),
        Layer::Withdrawal(one) => Some(flow::details_text(model, look, one, area)),
        Layer::Send(question) => Some(flow::send_text(model, look, question, area)),
        Layer::Attempts => flow::attempts_text(model, look, area),
        Layer::MoneyLines(reading) => Some(money_lines::text(model, look, reading, area)),
        Layer::Exchange(exchange) => Some(exchanges::text(look, exchange, area)),
        Layer::Help => Some(help::text(model, look, area)),
        Layer::NotPaid(statement) => Some(flow::statement_text(model, look, statement, area)),
        Layer::Ask(ask) => Some(ask::text(model, look, ask, area)),
        Layer::Buyer(buyer) => Some(buyer::text(model, look, buyer, area)),
        _ => None,
    }
}

fn draw_in(model: &Model, look: &Look, areas: Areas, frame: &mut Frame) {
    if let Some(Layer::Qr(text)) = model.layers.last() {
        qr::alone(model, look, text, frame);
        return;
    }
    frame::around(model, look, &areas, frame);
    let covering = model.layers.iter().rfind(|layer| !layer.floats());
    match covering {
        Some(layer) => {
            // What is under a question is seen from its beginning.
            let is_front = model.layers.last().is_some_and(|top| std::ptr::eq(top, layer));
            let scroll = if is_front { model.scroll } else { 0 };
            draw_layer(model, look, layer, scroll, areas.body, frame);
        }
        None => {
            let scroll = if model.layers.is_empty() { model.scroll } else { 0 };
            draw_pane(model, look, scroll, areas.body, frame);
        }
    }
    if let Some(layer) = model.layers.last().filter(|layer| layer.floats()) {
        draw_layer(model, look, layer, model.scroll, areas.body, frame);
    }
}

fn draw_pane(model: &Model, look: &Look, scroll: u16, area: Area, frame: &mut Frame) {
    match model.pane {
        Pane::Links => links::pane(model, look, area, frame),
        Pane::Domains => domains::pane(model, look, scroll, area, frame),
        Pane::Withdrawals => withdrawals::pane(model, look, scroll, area, frame),
        Pane::Charges => charges::pane(model, look, area, frame),
        Pane::Exchanges => exchanges::pane(model, look, area, frame),
        Pane::Account => account::pane(model, look, scroll, area, frame),
    }
}

fn draw_layer(
    model: &Model,
    look: &Look,
    layer: &Layer,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    match layer {
        Layer::Login(login) => login::login(model, look, login, layer, area, frame),
        Layer::Jwt(jwt) => login::jwt(model, look, jwt, layer, area, frame),
        Layer::NewLink(link) => links::new(model, look, link, layer, area, frame),
        Layer::Link(link) => links::details(model, look, link, scroll, area, frame),
        Layer::NewCharge(charge) => charges::new(model, look, charge, layer, area, frame),
        Layer::Charge(charge) => charges::details(model, look, charge, scroll, area, frame),
        Layer::Withdraw(flow) => flow::draw(model, look, flow, layer, scroll, area, frame),
        Layer::Withdrawal(one) => withdrawals::details(model, look, one, scroll, area, frame),
        Layer::Guide { cursor } => flow::guide(model, look, *cursor, scroll, area, frame),
        Layer::NotPaid(statement) => flow::statement(model, look, statement, scroll, area, frame),
        Layer::Send(question) => flow::send(model, look, question, scroll, area, frame),
        Layer::Attempts => flow::all_attempts(model, look, scroll, area, frame),
        Layer::Journals { cursor } => journals::draw(model, look, *cursor, scroll, area, frame),
        Layer::MoneyLines(reading) => {
            money_lines::draw(model, look, reading, scroll, area, frame);
        }
        Layer::Exchange(exchange) => {
            exchanges::details(model, look, exchange, scroll, area, frame);
        }
        Layer::Qr(text) => qr::alone(model, look, text, frame),
        Layer::Help => help::draw(model, look, scroll, area, frame),
        Layer::Palette(palette) => palette::draw(model, look, palette, area, frame),
        Layer::Ask(ask) => ask::draw(model, look, ask, scroll, area, frame),
        Layer::Buyer(buyer) => buyer::draw(model, look, buyer, scroll, area, frame),
    }
}

impl From<Area> for Rect {
    fn from(area: Area) -> Rect {
        Rect { x: area.x, y: area.y, width: area.width, height: area.height }
    }
}
