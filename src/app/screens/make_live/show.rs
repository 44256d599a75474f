//! The form in which the journal here is made the live one, laid out.

use super::MakeLive;
use crate::app::Store;
use crate::app::ui::block::{Block, blocks};
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::{pair, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::Untrusted;
use crate::words::failure::Doing;

/// Draws both paths, what the change means, and the field.
///
/// The field and the button are shown only together with all of what the change means.
pub fn form(store: &Store, form: &MakeLive, area: Area, page: &mut Page) {
    let head = blocks(head(store, form, forms::inside(area)));
    if !forms::has_room(&head, &form.sent.form, area) {
        title(&store.text("make-live-title"), Line::default(), area, page);
        let room = area.narrowed(2).split_top(2).1;
        let lines = head.into_iter().flat_map(Block::into_lines).collect();
        return Text::new(lines, room).draw(store.reader(), page);
    }
    let names = ["make-live-title", "make-live-submit"];
    let form = FormPage::new(store.words(), names, &form.sent.form);
    FormPage { head, ..form }.draw(store.words(), area, page);
}

/// Lays out the two journals, the warning, and what is to be typed or what came of it.
fn head(store: &Store, form: &MakeLive, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    // Where the path was typed, the rows are for what came of it.
    if form.sent.failure.is_none() {
        if let Some(live) = store.withdrawals.live_elsewhere() {
            let live = Untrusted::from(live.display().to_string()).shown();
            lines.extend(pair(&store.text("journal-elsewhere.folder"), &live, width));
        }
        lines.extend(pair(&store.text("make-live-here"), &store.journal.shown(), width));
        lines.push(Line::default());
    }
    lines.extend(wrapped(Role::Warn, &store.text("make-live-what"), width));
    let told = form.sent.told(store.reader(), "make-live-wait", Doing::Question, width);
    let what_to_type = || wrapped(Role::Text, &store.text("make-live-type"), width);
    lines.extend(told.map_or_else(what_to_type, Block::into_lines));
    lines
}
