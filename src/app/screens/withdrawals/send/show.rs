//! The question before a withdrawal is sent: what it will do, and the stored bytes.

use crate::app::Store;
use crate::app::screen::Focus;
use crate::app::screens::withdrawals::show::terms::{self, Clauses};
use crate::app::screens::withdrawals::show::{figures, outcome, steps};
use crate::app::screens::withdrawals::{Fee, SendQuestion};
use crate::app::store::withdrawals::QuoteState;
use crate::app::store::withdrawals::rules::{Against, against};
use crate::app::ui::parts::{Confirm, wrapped};
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::NoQuote;
use crate::words::failure;

pub fn draw(store: &Store, open: &SendQuestion, area: Area, page: &mut Page) {
    let amount = open.withdrawal.agreement.amount.to_string();
    let id = if open.may_have_left() { "send-title-again" } else { "send-title" };
    let name = store.with(id, &[("amount", &amount)]);
    let left = outcome::countdown(store, &open.withdrawal, outcome::room_for(&name, area));
    let typing = open.retype.as_ref().filter(|_| open.buttons.focus == Focus::Amount);
    let typing = typing.map(|retype| &retype.field);
    let clauses = |page| clauses(store, open, page);
    let row = terms::draw(store, (&name, left), clauses, typing, area, page);
    let id = match &open.fee {
        Fee::Other(_) => "send-replace",
        _ if open.may_have_left() => "send-do-again",
        _ => "send-do",
    };
    let (back, does) = (store.text("review-back"), store.with(id, &[("amount", &amount)]));
    open.buttons.show([&back, &does], confirm(store, open, page), row, page);
}

fn clauses(store: &Store, open: &SendQuestion, mut page: Clauses) -> Clauses {
    let agreement = &open.withdrawal.agreement;
    page.say(Role::Strong, &store.text(does(store, open)));
    page.air();
    amounts(store, open, &mut page);
    page.air();
    page.agreed(store, agreement, open.past.as_ref());
    let why = against(store, &open.withdrawal);
    if why.is_some() || open.retype.is_some() {
        page.air();
    }
    if let Some(why) = why {
        page.add(steps::against(store, &open.withdrawal, &why, page.width));
    }
    if let Some(retype) = &open.retype {
        page.retype(store, retype, agreement.amount, open.buttons.focus == Focus::Amount);
    }
    page
}

/// Names what the button does, in a sentence.
fn does(store: &Store, open: &SendQuestion) -> &'static str {
    if against(store, &open.withdrawal) == Some(Against::OtherDestination) {
        return "send-does-not";
    }
    match (&open.fee, open.may_have_left()) {
        (Fee::Other(QuoteState::Shown(_)), _) => "send-does-replace",
        // No fee of now is known: that it is another one would be made up.
        (Fee::Other(_), _) => "send-does-unchecked",
        (_, true) => "send-does-again",
        (_, false) if open.withdrawal.attempts.iter().any(|attempt| attempt.counts()) => {
            "send-does-after-no"
        }
        (_, false) => "send-does-first",
    }
}

fn amounts(store: &Store, open: &SendQuestion, page: &mut Clauses) {
    let agreement = &open.withdrawal.agreement;
    let figures = match (&agreement.quote, open.standing()) {
        (None, _) => figures::without_quote(store.words(), agreement.amount, page.width),
        // Its bytes may have left at that fee: how old it is changes nothing.
        (Some(agreed), _) if open.may_have_left() => {
            figures::agreed(store.words(), agreed, page.width)
        }
        (Some(_), Some(standing)) => figures::quoted(store, standing, page.width),
        (Some(agreed), None) => figures::agreed(store.words(), agreed, page.width),
    };
    page.figures(figures);
    page.add(doubts(store, open, page.width));
}

/// That the fee is being asked for, or is not the one that was agreed.
fn doubts(store: &Store, open: &SendQuestion, width: usize) -> Vec<Line> {
    match &open.fee {
        Fee::AsAgreed | Fee::Same(_) => Vec::new(),
        Fee::Asking(wait) => figures::asking(store, *wait, width),
        Fee::Other(QuoteState::Shown(now)) => {
            let values = [("fee", &*now.fee.to_string()), ("net", &now.net.to_string())];
            wrapped(Role::Warn, &store.with("send-fee-other", &values), width)
        }
        Fee::Other(other) => {
            let mut lines = Vec::new();
            if let QuoteState::Failed { why: NoQuote::Fault(fault), .. } = other {
                // What it means for a form is not what it means here: nobody goes on without a fee.
                let what = failure::quote_fault(store.words(), fault).what;
                lines.extend(wrapped(Role::Bad, &what, width));
            }
            lines.extend(wrapped(Role::Warn, &store.text("send-fee-gone"), width));
            lines
        }
    }
}

/// Says if the button can be pressed, is dead, or is not there at all.
fn confirm(store: &Store, open: &SendQuestion, page: &Page) -> Confirm {
    let is_against = !matches!(against(store, &open.withdrawal), None | Some(Against::Entry(_)));
    let is_asked = matches!(open.fee, Fee::Asking(_));
    match is_against || is_asked || open.discarding {
        true => Confirm::Absent,
        false => open.buttons.confirm(open.may_confirm(store.now.boot_ms, store.now.wall), page),
    }
}
