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
mod search;
mod text;
mod theme;
mod withdrawals;
mod words;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::app::geometry::{self, Area, Areas};
use crate::app::input::Size;
use crate::app::layer::Layer;
use crate::app::legible::Shown;
use crate::app::scroll::Overflow;
use crate::app::withdrawals::Flow;
use crate::app::{Model, Pane};

use scrolled::Text;

pub use look::Look;
pub use notices::{left_ended, left_sending, left_unknown, left_unrecorded, left_unwritten};
pub use palette::{alias_messages, labels};
pub use search::meaning;
pub use theme::{Role, Theme, ThemeError};
pub use words::{Lang, Words};

/// Draws the whole screen.
pub fn draw(model: &Model, look: &Look, frame: &mut Frame) {
    let whole = frame.area();
    let size = Size { columns: whole.width, rows: whole.height };
    match geometry::areas(model, size) {
        None => frame::too_small(look, size, frame),
        Some(areas) => draw_in(model, look, areas, frame),
    }
    if look.ascii {
        glyphs::to_ascii(frame.buffer_mut());
    }
}

/// How much of what would be agreed to in front is on the screen; `None`: it is too small for any.
pub fn shown(model: &Model, look: &Look) -> Option<Shown> {
    let areas = geometry::areas(model, model.size)?;
    let layer = model.layers.last().filter(|layer| {
        matches!(
            layer,
            Layer::Withdraw(Flow::Review(_)) | Layer::Send(_) | Layer::NotPaid(_) | Layer::Ask(_)
        )
    });
    let text = layer.and_then(|layer| text_of(model, look, layer, areas.body));
    Some(text.map_or(Shown::ALL, |text| text.shown(model.scroll)))
}

/// What of the text in front has no room on the screen.
pub fn overflow(model: &Model, look: &Look) -> Overflow {
    let Some(areas) = geometry::areas(model, model.size) else { return Overflow::default() };
    let overflow = match model.layers.last() {
        Some(Layer::Guide { cursor }) => flow::guide_overflow(model, look, *cursor, areas.body),
        Some(Layer::Journals { cursor }) => {
            Some(journals::overflow(model, look, *cursor, areas.body))
        }
        Some(layer) => text_of(model, look, layer, areas.body).map(|text| text.overflow()),
        None => pane_text(model, look, areas.body).map(|text| text.overflow()),
    };
    overflow.unwrap_or_default()
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
