//! The form in which a destination is given a nickname.

use super::NicknameForm;
use crate::app::Store;
use crate::app::ui::form_rows::places;
use crate::app::ui::parts::{pair, put, title, waiting, wrapped};
use crate::app::ui::{Area, Line, Page, Role, failure, forms};
use crate::words::failure::Doing;
use crate::words::names;

/// Draws the form: the key in full, the field, and what becomes of it.
pub fn nickname(store: &Store, form: &NicknameForm, area: Area, page: &mut Page) {
    let places = places(&form.sent.form, form.sent.around(4), area);
    title(&store.text("nickname-title"), Line::default(), places.head, page);
    let (_, text) = places.head.narrowed(2).split_top(2);
    let key = names::destination(store.words(), Some(&form.key));
    put(pair(&store.text("outcome-to"), &key, usize::from(text.width)), text, page);
    let submit = store.text("nickname-submit");
    let below = forms::draw(store.words(), &form.sent.form, &submit, &places, page);
    let width = usize::from(below.width);
    let lines = match (&form.sent.wait, &form.sent.failure) {
        (Some(wait), _) => vec![waiting(store.reader(), &store.text("nickname-wait"), *wait)],
        (None, Some(failed)) => failure::lines(store.words(), failed, Doing::Question, width),
        (None, None) => wrapped(Role::Dim, &store.text("nickname-hint"), width),
    };
    let gap = u16::from(usize::from(below.height) > lines.len());
    put(lines, below.split_top(gap).1, page);
}
