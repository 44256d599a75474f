//! The form in which a destination is given a nickname.

use super::NicknameForm;
use crate::app::Store;
use crate::app::ui::form_rows::places;
use crate::app::ui::parts::{pair, put, title, waiting, wrapped};
use crate::app::ui::{Area, Line, Page, Role, failure, forms};
use crate::words::failure::Doing;
use crate::words::{Words, names};

/// Draws the form: the key in full, the field, and what becomes of it.
pub fn nickname(store: &Store, say: &Words, form: &NicknameForm, area: Area, page: &mut Page) {
    let places = places(&form.sent.form, form.sent.around(4), area);
    title(&say.text("nickname-title"), Line::default(), places.head, page);
    let (_, text) = places.head.narrowed(2).split_top(2);
    let key = names::destination(say, Some(&form.key));
    put(pair(&say.text("outcome-to"), &key, usize::from(text.width)), text, page);
    let submit = say.text("nickname-submit");
    let below = forms::draw(say, &form.sent.form, &submit, &places, page);
    let width = usize::from(below.width);
    let lines = match (&form.sent.wait, &form.sent.failure) {
        (Some(wait), _) => vec![waiting(store.reader(), &say.text("nickname-wait"), *wait)],
        (None, Some(failed)) => failure::lines(say, failed, Doing::Question, width),
        (None, None) => wrapped(Role::Dim, &say.text("nickname-hint"), width),
    };
    let gap = u16::from(usize::from(below.height) > lines.len());
    put(lines, below.split_top(gap).1, page);
}
