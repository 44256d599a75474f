//! The checkout page as the buyer sees it.

use super::Buyer;
use crate::app::Store;
use crate::app::message::BuyerPage;
use crate::app::ui::parts::{boxed, button_line, paragraph, title, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::Untrusted;
use crate::words::Words;

pub fn draw(store: &Store, say: &Words, buyer: &Buyer, area: Area, page: &mut Page) {
    let badge = Line::of(Role::Badge, format!(" {} ", say.text("buyer-sandbox")));
    title(&say.text("buyer-title"), badge, area, page);
    let browser = area.split_top(2).1.middle(72, 14);
    let inside = boxed(&say.text("buyer-browser"), browser, page);
    let width = usize::from(inside.width);
    let mut lines = wrapped(Role::Accent, &Untrusted::in_full(|| buyer.url.shown()), width);
    lines.push(Line::of(Role::Rule, "─".repeat(width)));
    lines.extend(match &buyer.page {
        Some(page) => shown(say, buyer, page, width),
        None if buyer.wait.is_none() => wrapped(Role::Dim, &say.text("buyer-nothing"), width),
        None => Vec::new(),
    });
    if let Some(wait) = buyer.wait {
        let what = if buyer.page.is_some() { "buyer-paying" } else { "buyer-wait" };
        lines.push(waiting(store.reader(), &say.text(what), wait));
    }
    Text::tight(lines, inside).draw(store.reader(), page);
}

fn shown(say: &Words, buyer: &Buyer, page: &BuyerPage, width: usize) -> Vec<Line> {
    match page {
        BuyerPage::Open { host, amount, description, paid } => {
            let mut lines = wrapped(Role::Dim, &host.shown_within(width), width);
            lines.extend(paragraph(Role::Text, &description.shown_within(width * 3), width));
            lines.push(Line::of(Role::Money, amount.to_string()));
            lines.push(Line::default());
            if *paid {
                lines.extend(wrapped(Role::Good, &say.text("buyer-paid"), width));
                lines.extend(paragraph(Role::Dim, &say.text("buyer-paid-hint"), width));
            } else {
                let pay = say.with("buyer-pay", &[("amount", &amount.to_string())]);
                lines.push(button_line(&pay, buyer.wait.is_none(), width));
            }
            lines
        }
        BuyerPage::Blocked { host } => {
            let mut lines = wrapped(Role::Dim, &host.shown_within(width), width);
            lines.extend(paragraph(Role::Bad, &say.text("buyer-blocked"), width));
            lines.extend(wrapped(Role::Text, &say.text("buyer-blocked-why"), width));
            lines
        }
        BuyerPage::NotFound => {
            let mut lines = wrapped(Role::Bad, &say.text("buyer-not-found"), width);
            lines.extend(wrapped(Role::Text, &say.text("buyer-not-found-why"), width));
            lines
        }
    }
}
