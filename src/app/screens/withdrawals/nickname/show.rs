//! The form in which a destination is given a nickname.

use super::NicknameForm;
use crate::app::Store;
use crate::app::ui::block::Block;
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::{pair, wrapped};
use crate::app::ui::{Area, Page, Role};
use crate::words::failure::Doing;
use crate::words::names;

/// Draws the form: the key in full, the field, and what becomes of it.
pub fn nickname(store: &Store, form: &NicknameForm, area: Area, page: &mut Page) {
    let width = forms::inside(area);
    let key = names::destination(store.words(), Some(&form.key));
    let told = form.sent.told(store.reader(), "nickname-wait", Doing::Question, width);
    let hint =
        || Block::cut(forms::BELOW, 1, wrapped(Role::Dim, &store.text("nickname-hint"), width));
    let head = vec![Block::new(pair(&store.text("outcome-to"), &key, width))];
    let below = vec![told.unwrap_or_else(hint)];
    let names = ["nickname-title", "nickname-submit"];
    let form = FormPage::new(store.words(), names, &form.sent.form);
    FormPage { head, below, ..form }.draw(store.words(), area, page);
}
