//! Direct payments: the pane, a new one, the details of one.

use super::ChargesPane;
use super::NewCharge;
use crate::app::Store;
use crate::app::action::Action;
use crate::app::geometry::{self, PaneAreas};
use crate::app::screen::Screen;
use crate::app::ui::form_rows::{Around, places};
use crate::app::ui::forms;
use crate::app::ui::lists::{self, Row};
use crate::app::ui::moments as dates;
use crate::app::ui::parts::{self, pair, put, title, waiting, wrapped};
use crate::app::ui::refusals;
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::{Charge, ChargeOutcome, Untrusted};
use crate::words::Words;
use crate::words::failure::{self, Doing};

mod details;

pub use details::details;

/// The parts of the pane.
pub fn areas(body: Area) -> PaneAreas {
    geometry::pane(body, 1, true, |_| 0)
}

/// Draws the pane.
pub fn pane(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let areas = areas(area);
    let list = &store.charges;
    let count = lists::count(say, list, "charges-count");
    parts::search(say, &list.query, list.searching, &count, areas.top, page);
    if list.page.total == 0 {
        empty(store, say, areas.list, page);
        return;
    }
    let Some(rows) = ChargesPane.rows(store, area) else { return };
    let row = |charge: &Charge| row(store, say, charge);
    // Only the links of a day are counted.
    lists::by_day(store, say, list, rows, row, |_| String::new(), page);
    if let (Some(aside), Some(selected)) = (areas.aside, list.selected()) {
        details::beside(store, say, selected, aside, page);
    }
}

/// A new direct payment.
pub fn new(store: &Store, say: &Words, new: &NewCharge, area: Area, page: &mut Page) {
    title(&say.text("new-charge-title"), Line::default(), area, page);
    let submit = say.text("new-charge-submit");
    let failed = new.failure.is_some();
    let around = Around { head: 2, below: if failed { 4 } else { 1 }, keeps_below: failed };
    let places = places(&new.form, around, area);
    let below = forms::draw(say, &new.form, &submit, &places, page);
    let width = usize::from(below.width);
    let lines = match (&new.wait, &new.failure) {
        (Some(wait), _) => vec![waiting(store, say, &say.text("new-charge-wait"), *wait)],
        (None, Some(failure)) => {
            let told = failure::describe(say, failure, Doing::Charge);
            let next = [told.next.clone()];
            refusals::lines(say, &told, &next, width, usize::from(below.height))
        }
        (None, None) => what_goes(store, say, new, width),
    };
    // A long form leaves few rows, and none to waste.
    let gap = u16::from(usize::from(below.height) > lines.len());
    put(lines, below.split_top(gap).1, page);
}

/// The amount exactly as it goes into the body, and what this kind of payment is.
fn what_goes(store: &Store, say: &Words, new: &NewCharge, width: usize) -> Vec<Line> {
    let unit = store.setup.contract.direct_payment.form.unit;
    let literal = new.form.money().and_then(|amount| unit.wire(amount));
    let mut lines = Vec::new();
    if let Some(literal) = literal {
        lines.extend(pair(&say.text("new-charge-json"), &literal, width));
    }
    lines.extend(wrapped(Role::Dim, &say.text("new-charge-hint"), width));
    lines
}

fn row(store: &Store, say: &Words, charge: &Charge) -> Row {
    let mut description = Untrusted::from(&*charge.request.description).shown();
    if let Some(customer) = &charge.request.customer {
        let customer = Untrusted::from(&**customer).shown();
        description =
            if description.is_empty() { customer } else { format!("{description} · {customer}") };
    }
    Row {
        time: dates::time(store, charge.at),
        amount: charge.request.amount.to_string(),
        description,
        tag: match store.unsaved.has_charge(charge) {
            true => (say.text("links-not-saved"), Role::Warn),
            false => tag(say, charge),
        },
    }
}

/// The service's own word as its word, or why there is no payment.
fn tag(say: &Words, charge: &Charge) -> (String, Role) {
    match &charge.outcome {
        ChargeOutcome::Created { status: Some(status), .. } => {
            let text = status.shown_within(20);
            (say.with("theirs-quote", &[("text", &text)]), Role::Quote)
        }
        ChargeOutcome::Created { status: None, .. } => (say.text("charges-created"), Role::Dim),
        ChargeOutcome::Unknown => (say.text("links-unknown"), Role::Warn),
        ChargeOutcome::Refused(_) => (say.text("charges-refused"), Role::Bad),
        ChargeOutcome::NotSent => (say.text("charges-not-sent"), Role::Dim),
    }
}

fn empty(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let list = &store.charges;
    let inner = area.narrowed(2).split_top(1).1;
    let width = usize::from(inner.width);
    let lines = if !list.loaded {
        wrapped(Role::Dim, &say.text("links-not-loaded"), width)
    } else if !list.query.value().is_empty() {
        lists::none_found(say, "charges-none-found", list.query.value(), width)
    } else {
        let words = ["charges-empty-title", "charges-empty-hint", "charges-empty-key"];
        lists::invitation(store, say, words, Some(Action::New), width)
    };
    put(lines, inner, page);
}
