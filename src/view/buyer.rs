//! The checkout page as the buyer sees it.

use ratatui::Frame;
use ratatui::text::Line;

use super::parts::{boxed, button_line, put, title, waiting, wrapped};
use super::{Look, Role};
use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::layer::{Buyer, BuyerPage};

/// Draws the page.
pub(super) fn draw(model: &Model, look: &Look, buyer: &Buyer, area: Area, frame: &mut Frame) {
    let badge = look.line(Role::Badge, format!(" {} ", look.say("buyer-sandbox")));
    title(look, &look.say("buyer-title"), badge, area, frame);
    let page = area.split_top(2).1.middle(72, 14);
    let inside = boxed(look, &look.say("buyer-browser"), page, frame);
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
    put(lines, inside, frame);
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
