//! The form in which the seller says how much of a withdrawal arrived.

use super::ArrivedForm;
use crate::app::Store;
use crate::app::screens::withdrawals::show::facts;
use crate::app::store::confirming::ArrivedAmount;
use crate::app::ui::form_rows::{Around, places};
use crate::app::ui::parts::{pair, put, title, wrapped};
use crate::app::ui::{Area, Line, Page, Role, forms};

/// Draws the form: which withdrawal, the field, and what was typed says.
pub fn arrived(store: &Store, form: &ArrivedForm, area: Area, page: &mut Page) {
    let agreement = &form.withdrawal.agreement;
    let width = usize::from(area.width).saturating_sub(4);
    let mut head = pair(&store.text("arrived-of"), &agreement.amount.to_string(), width);
    head.extend(facts::destination(store, agreement, width));
    let rows = u16::try_from(head.len()).unwrap_or(u16::MAX);
    let kept = if form.doubt.is_some() { 4 } else { 0 };
    let around = Around { head: rows.saturating_add(3), below: 4, kept };
    let places = places(&form.form, around, area);
    title(&store.text("arrived-title"), Line::default(), places.head, page);
    put(head, places.head.narrowed(2).split_top(2).1, page);
    let below =
        forms::draw(store.words(), &form.form, &store.text("arrived-submit"), &places, page);
    let width = usize::from(below.width);
    let lines = match form.doubt {
        Some(ArrivedAmount::OtherUnit) => {
            wrapped(Role::Bad, &store.text("arrived-other-unit"), width)
        }
        Some(ArrivedAmount::Other { expected }) => {
            let said = store.with("arrived-other", &[("expected", &expected.to_string())]);
            wrapped(Role::Warn, &said, width)
        }
        Some(ArrivedAmount::AsExpected) | None => {
            wrapped(Role::Dim, &store.text("arrived-hint"), width)
        }
    };
    let gap = u16::from(usize::from(below.height) > lines.len());
    put(lines, below.split_top(gap).1, page);
}
