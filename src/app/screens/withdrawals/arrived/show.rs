//! The form in which the seller says how much of a withdrawal arrived.

use super::ArrivedForm;
use crate::app::Store;
use crate::app::screens::withdrawals::show::facts;
use crate::app::store::confirming::ArrivedAmount;
use crate::app::ui::block::Block;
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::{pair, wrapped};
use crate::app::ui::sent_form::FAILED;
use crate::app::ui::{Area, Page, Role};

/// Draws the form: which withdrawal, the field, and what was typed says.
pub fn arrived(store: &Store, form: &ArrivedForm, area: Area, page: &mut Page) {
    let agreement = &form.withdrawal.agreement;
    let width = forms::inside(area);
    let mut head = pair(&store.text("arrived-of"), &agreement.amount.to_string(), width);
    head.extend(facts::destination(store, agreement, width));
    let (role, said) = match form.doubt {
        Some(ArrivedAmount::OtherUnit) => (Role::Bad, store.text("arrived-other-unit")),
        Some(ArrivedAmount::Other { expected }) => {
            (Role::Warn, store.with("arrived-other", &[("expected", &expected.to_string())]))
        }
        Some(ArrivedAmount::AsExpected) | None => (Role::Dim, store.text("arrived-hint")),
    };
    let head = vec![Block::new(head)];
    let below = vec![Block::cut(forms::BELOW, FAILED, wrapped(role, &said, width))];
    let form = FormPage::new(store.words(), ["arrived-title", "arrived-submit"], &form.form);
    FormPage { head, below, ..form }.draw(store.words(), area, page);
}
