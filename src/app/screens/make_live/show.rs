//! The form in which the journal here is made the live one, laid out.

use super::MakeLive;
use crate::app::Store;
use crate::app::ui::form_rows::{Around, places};
use crate::app::ui::parts::{pair, put, tight, title, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role, failure, forms};
use crate::trade::Untrusted;
use crate::words::failure::Doing;

/// Draws both paths, what the change means, and the field.
///
/// The field and the button are shown only together with all of what the change means.
pub fn form(store: &Store, form: &MakeLive, area: Area, page: &mut Page) {
    let head = head(store, form, usize::from(area.width).saturating_sub(4));
    let rows = u16::try_from(head.len()).unwrap_or(u16::MAX).saturating_add(1);
    let places = places(&form.sent.form, Around { head: rows, below: 0, kept: 0 }, area);
    title(&store.text("make-live-title"), Line::default(), places.head, page);
    let text = places.head.narrowed(2).split_top(1).1;
    let fits = |lines: &[Line]| lines.len() <= usize::from(text.height);
    let head = tight(head, fits);
    if !fits(&head) {
        let room = area.narrowed(2).split_top(1).1;
        return Text::new(head, room).draw(store.reader(), page);
    }
    put(head, text, page);
    let submit = store.text("make-live-submit");
    forms::draw(store.words(), &form.sent.form, &submit, &places, page);
}

/// Lays out the two journals, the warning, and what is to be typed or what came of it.
fn head(store: &Store, form: &MakeLive, width: usize) -> Vec<Line> {
    let paths = || {
        let live = store.withdrawals.live_elsewhere().into_iter().flat_map(|live| {
            let live = Untrusted::from(live.display().to_string()).shown();
            pair(&store.text("journal-elsewhere.folder"), &live, width)
        });
        let here = pair(&store.text("make-live-here"), &store.journal.shown(), width);
        live.chain(here).chain([Line::default()]).collect()
    };
    let (paths, then) = match (&form.sent.wait, &form.sent.failure) {
        (Some(wait), _) => {
            (paths(), vec![waiting(store.reader(), &store.text("make-live-wait"), *wait)])
        }
        // The path was typed: the rows are for what came of it.
        (None, Some(failed)) => {
            (vec![], failure::lines(store.words(), failed, Doing::Question, width))
        }
        (None, None) => (paths(), wrapped(Role::Text, &store.text("make-live-type"), width)),
    };
    let what = wrapped(Role::Warn, &store.text("make-live-what"), width);
    let air = || vec![Line::default()];
    [air(), paths, what, then, air()].concat()
}
