//! Direct payments: the pane, a new one, the details of one.

mod details;

use ratatui::Frame;
use ratatui::text::Line;

use super::failure::{self, Doing};
use super::lists::{self, Row};
use super::parts::{self, pair, put, title, waiting, wrapped};
use super::{Look, Role, dates, forms, refusals};
use crate::app::Model;
use crate::app::action::Action;
use crate::app::geometry::{self, Area};
use crate::app::layer::{Layer, NewCharge};
use crate::trade::{Charge, ChargeOutcome, Untrusted};

pub(super) use details::{details, text};

/// Draws the pane.
pub(super) fn pane(model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    let areas = geometry::pane(model, area);
    let list = &model.charges;
    let count = lists::count(look, list, "charges-count");
    parts::search(look, &list.query, list.searching, &count, areas.top, frame);
    if list.page.total == 0 {
        empty(model, look, areas.list, frame);
        return;
    }
    let row = |charge: &Charge| row(model, look, charge);
    // Only the links of a day are counted.
    let rows = lists::by_day(model, look, list, areas.list, row, |_| String::new());
    put(rows, areas.list, frame);
    if let (Some(aside), Some(selected)) = (areas.aside, list.selected()) {
        details::beside(model, look, selected, aside, frame);
    }
}

/// A new direct payment.
pub(super) fn new(
    model: &Model,
    look: &Look,
    new: &NewCharge,
    layer: &Layer,
    area: Area,
    frame: &mut Frame,
) {
    title(look, &look.say("new-charge-title"), Line::default(), area, frame);
    let submit = look.say("new-charge-submit");
    let below = forms::draw(look, layer, &new.form, &submit, area, frame);
    let width = usize::from(below.width);
    let lines = match (&new.wait, &new.failure) {
        (Some(wait), _) => vec![waiting(model, look, &look.say("new-charge-wait"), *wait)],
        (None, Some(failure)) => {
            let told = failure::told(look, failure, Doing::Charge);
            let next = [told.next.clone()];
            refusals::lines(look, &told, &next, width, usize::from(below.height))
        }
        (None, None) => what_goes(model, look, new, width),
    };
    // A long form leaves few rows, and none to waste.
    let gap = u16::from(usize::from(below.height) > lines.len());
    put(lines, below.split_top(gap).1, frame);
}

/// The amount exactly as it goes into the body, and what this kind of payment is.
fn what_goes(model: &Model, look: &Look, new: &NewCharge, width: usize) -> Vec<Line<'static>> {
    let unit = model.setup.contract.direct_payment.form.unit;
    let literal = new.form.money().and_then(|amount| unit.wire(amount));
    let mut lines = Vec::new();
    if let Some(literal) = literal {
        lines.extend(pair(look, &look.say("new-charge-json"), &literal, width));
    }
    lines.extend(wrapped(look, Role::Dim, &look.say("new-charge-hint"), width));
    lines
}

fn row(model: &Model, look: &Look, charge: &Charge) -> Row {
    let mut description = Untrusted::from(&*charge.request.description).shown();
    if let Some(customer) = &charge.request.customer {
        let customer = Untrusted::from(&**customer).shown();
        description =
            if description.is_empty() { customer } else { format!("{description} · {customer}") };
    }
    Row {
        time: dates::time(model, charge.at),
        amount: charge.request.amount.to_string(),
        description,
        tag: match model.unsaved.has_charge(charge) {
            true => (look.say("links-not-saved"), Role::Warn),
            false => tag(look, charge),
        },
    }
}

/// The service's own word as its word, or why there is no payment.
fn tag(look: &Look, charge: &Charge) -> (String, Role) {
    match &charge.outcome {
        ChargeOutcome::Created { status: Some(status), .. } => {
            let text = status.shown_within(20);
            (look.words.with("theirs-quote", &[("text", &text)]), Role::Quote)
        }
        ChargeOutcome::Created { status: None, .. } => (look.say("charges-created"), Role::Dim),
        ChargeOutcome::Unknown => (look.say("links-unknown"), Role::Warn),
        ChargeOutcome::Refused(_) => (look.say("charges-refused"), Role::Bad),
        ChargeOutcome::NotSent => (look.say("charges-not-sent"), Role::Dim),
    }
}

fn empty(model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    let list = &model.charges;
    let inner = area.narrowed(2).split_top(1).1;
    let width = usize::from(inner.width);
    let lines = if !list.loaded {
        wrapped(look, Role::Dim, &look.say("links-not-loaded"), width)
    } else if !list.query.value().is_empty() {
        lists::none_found(look, "charges-none-found", list.query.value(), width)
    } else {
        let words = ["charges-empty-title", "charges-empty-hint", "charges-empty-key"];
        lists::invitation(model, look, words, Some(Action::New), width)
    };
    put(lines, inner, frame);
}
