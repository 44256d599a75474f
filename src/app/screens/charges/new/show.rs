//! The form of a new direct payment.

use crate::app::Store;
use crate::app::screen::Screen;
use crate::app::screens::charges::new::NewCharge;
use crate::app::store::entry;
use crate::app::ui::form_rows::places;
use crate::app::ui::parts::{labelled, put, title, waiting, wrapped};
use crate::app::ui::{Area, Line, Page, Role, forms, refusals};
use crate::contract::Encoding;
use crate::words::Words;
use crate::words::failure::{self, Doing};

pub fn new(store: &Store, say: &Words, new: &NewCharge, area: Area, page: &mut Page) {
    let aside = entry::at_head(store, new.links(store).needs);
    title(&say.text("new-charge-title"), aside, area, page);
    let submit = say.text("new-charge-submit");
    // However many fields a contract has, a row is left for what goes into the request.
    let around = new.sent.around(2).keeping();
    let places = places(&new.sent.form, around, area);
    let below = forms::draw(say, &new.sent.form, &submit, &places, page);
    let width = usize::from(below.width);
    let lines = match (&new.sent.wait, &new.sent.failure) {
        (Some(wait), _) => vec![waiting(store.reader(), &say.text("new-charge-wait"), *wait)],
        (None, Some(failure)) => {
            let told = failure::describe(say, failure, Doing::Charge);
            let next = [told.next.clone()];
            refusals::lines(say, &told, &next, width, usize::from(below.height))
        }
        (None, None) => {
            let labels = forms::label_columns(say, &new.sent.form, places.body);
            what_goes(store, say, new, (labels.into(), width))
        }
    };
    // A long form leaves few rows, and none to waste.
    let gap = u16::from(usize::from(below.height) > lines.len());
    put(lines, below.split_top(gap).1, page);
}

/// The amount exactly as it goes into the body, and what this kind of payment is.
fn what_goes(
    store: &Store,
    say: &Words,
    new: &NewCharge,
    (labels, width): (usize, usize),
) -> Vec<Line> {
    let form = &store.setup.contract.direct_payment.form;
    let literal = new.sent.form.money().and_then(|amount| match form.encoding {
        Encoding::Json => form.amounts.literal(amount),
        Encoding::Form => form.amounts.wire(amount),
    });
    let mut lines = Vec::new();
    if let Some(literal) = literal {
        lines.extend(labelled((&say.text("new-charge-json"), labels), &literal, width));
    }
    lines.extend(wrapped(Role::Dim, &say.text("new-charge-hint"), width));
    lines
}
