//! The form in which the journal here is made the live one, laid out.

use super::MakeLive;
use crate::app::Store;
use crate::app::ui::form_rows::places;
use crate::app::ui::parts::{pair, put, title, waiting, wrapped};
use crate::app::ui::{Area, Line, Page, Role, failure, forms};
use crate::trade::Untrusted;
use crate::words::failure::Doing;

/// Draws both paths, the field, and what the change means.
pub fn form(store: &Store, form: &MakeLive, area: Area, page: &mut Page) {
    let width = usize::from(area.width).saturating_sub(4);
    let head = head(store, width);
    let rows = u16::try_from(head.len()).unwrap_or(u16::MAX).saturating_add(3);
    let places = places(&form.sent.form, form.sent.around(rows), area);
    title(&store.text("make-live-title"), Line::default(), places.head, page);
    let (_, text) = places.head.narrowed(2).split_top(2);
    put(head, text, page);
    let submit = store.text("make-live-submit");
    let below = forms::draw(store.words(), &form.sent.form, &submit, &places, page);
    let width = usize::from(below.width);
    let lines = match (&form.sent.wait, &form.sent.failure) {
        (Some(wait), _) => vec![waiting(store.reader(), &store.text("make-live-wait"), *wait)],
        (None, Some(failed)) => failure::lines(store.words(), failed, Doing::Question, width),
        (None, None) => wrapped(Role::Warn, &store.text("make-live-what"), width),
    };
    // The smallest windows have room for the paths and the field only.
    if below.height == 0 {
        return;
    }
    let gap = u16::from(usize::from(below.height) > lines.len());
    put(lines, below.split_top(gap).1, page);
}

/// The live journal, the one here, and what is to be typed.
fn head(store: &Store, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(live) = store.withdrawals.live_elsewhere() {
        let live = Untrusted::from(live.display().to_string()).shown();
        lines.extend(pair(&store.text("journal-elsewhere.folder"), &live, width));
    }
    lines.extend(pair(&store.text("make-live-here"), &store.journal.shown(), width));
    lines.extend(wrapped(Role::Text, &store.text("make-live-type"), width));
    lines
}
