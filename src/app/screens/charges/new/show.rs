//! The form of a new direct payment.

use crate::app::Store;
use crate::app::screen::Screen;
use crate::app::screens::charges::new::NewCharge;
use crate::app::store::entry;
use crate::app::ui::block::Block;
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::{labelled, wrapped};
use crate::app::ui::{Area, Line, Page, Role, refusals};
use crate::contract::Encoding;
use crate::words::Words;
use crate::words::failure::{self, Doing};

pub fn new(store: &Store, say: &Words, new: &NewCharge, area: Area, page: &mut Page) {
    let width = forms::inside(area);
    let told = match &new.sent.failure {
        Some(failure) => {
            let told = failure::describe(say, failure, Doing::Charge);
            Some(refusals::told(say, &told, std::slice::from_ref(&told.next), width))
        }
        None => new.sent.told(store.reader(), "new-charge-wait", Doing::Charge, width),
    };
    let labels = forms::label_columns(say, &new.sent.form, area);
    // However many fields a contract has, a row is left for what goes into the request.
    let goes = || Block::cut(forms::BELOW, 1, what_goes(store, say, new, (labels, width)));
    let (aside, below) =
        (entry::at_head(store, new.links(store).needs), vec![told.unwrap_or_else(goes)]);
    let form = FormPage::new(say, ["new-charge-title", "new-charge-submit"], &new.sent.form);
    FormPage { aside, below, ..form }.draw(say, area, page);
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
