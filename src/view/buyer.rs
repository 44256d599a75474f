//! The checkout page as the buyer sees it.

use ratatui::Frame;
use ratatui::text::Line;

use super::parts::{boxed, button_line, title, waiting, wrapped};
use super::scrolled::Text;
use super::{Look, Role};
use crate::app::Model;
use crate::app::geometry::{self, Area};
use crate::app::layer::{Buyer, BuyerPage};

/// Draws the page.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    buyer: &Buyer,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let badge = look.line(Role::Badge, format!(" {} ", look.say("buyer-sandbox")));
    title(look, &look.say("buyer-title"), badge, area, frame);
    boxed(look, &look.say("buyer-browser"), page(area), frame);
    text(model, look, buyer, area).draw(model, look, scroll, frame);
}

/// The box of the page.
fn page(area: Area) -> Area {
    area.split_top(2).1.middle(72, 14)
}

/// What stands on the page.
pub(super) fn text(model: &Model, look: &Look, buyer: &Buyer, area: Area) -> Text {
    let inside = geometry::inside(page(area));
    let width = usize::from(inside.width);
    let mut lines = wrapped(look, Role::Accent, &buyer.url.shown(), width);
    lines.push(look.line(Role::Rule, "─".repeat(width)));
    lines.extend(match &buyer.page {
        Some(page) => shown(look, buyer, page, width),
        None if buyer.wait.is_none() => wrapped(look, Role::Dim, &look.say("buyer-nothing"), width),
        None => Vec::new(),
    });
    if let Some(wait) = buyer.wait {
        let what = if buyer.page.is_some() { "buyer-paying" } else { "buyer-wait" };
        lines.push(waiting(model, look, &look.say(what), wait));
    }
    Text::tight(lines, inside)
}

fn shown(look: &Look, buyer: &Buyer, page: &BuyerPage, width: usize) -> Vec<Line<'static>> {
    match page {
        BuyerPage::Open { host, amount, description, paid } => {
            let mut lines = wrapped(look, Role::Dim, &host.shown_within(width), width);
            lines.push(Line::default());
            lines.extend(wrapped(look, Role::Text, &description.shown_within(width * 3), width));
            lines.push(look.line(Role::Money, amount.to_string()));
            lines.push(Line::default());
            if *paid {
                lines.extend(wrapped(look, Role::Good, &look.say("buyer-paid"), width));
                lines.push(Line::default());
                lines.extend(wrapped(look, Role::Dim, &look.say("buyer-paid-hint"), width));
            } else {
                let pay = look.words.with("buyer-pay", &[("amount", &amount.to_string())]);
                lines.push(button_line(look, &pay, buyer.wait.is_none(), width));
            }
            lines
        }
        BuyerPage::Blocked { host } => {
            let mut lines = wrapped(look, Role::Dim, &host.shown_within(width), width);
            lines.push(Line::default());
            lines.extend(wrapped(look, Role::Bad, &look.say("buyer-blocked"), width));
            lines.extend(wrapped(look, Role::Text, &look.say("buyer-blocked-why"), width));
            lines
        }
        BuyerPage::NotFound => {
            let mut lines = wrapped(look, Role::Bad, &look.say("buyer-not-found"), width);
            lines.extend(wrapped(look, Role::Text, &look.say("buyer-not-found-why"), width));
            lines
        }
    }
}
