//! The receipt on the screen, and where it was saved.

use super::paper::Paper;
use super::{Receipt, Saving};
use crate::app::Store;
use crate::app::ui::action::Action;
use crate::app::ui::lists::in_full;
use crate::app::ui::parts::{pair, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::Untrusted;

pub fn draw(store: &Store, receipt: &Receipt, area: Area, page: &mut Page) {
    let Some(paper) = Paper::of(store, &receipt.withdrawal) else { return };
    title(&paper.title, Line::default(), area, page);
    let inner = area.narrowed(2).split_top(2).1;
    let mut lines = saved(store, &receipt.saving, inner.width);
    lines.extend(on_paper(&paper, usize::from(inner.width)));
    Text::tight(lines, inner).draw(store.reader(), page);
}

/// Says where it was saved, or why it was not.
fn saved(store: &Store, saving: &Saving, width: u16) -> Vec<Line> {
    let columns = usize::from(width);
    let mut lines = match saving {
        Saving::Unasked => return vec![],
        Saving::Writing(_) => wrapped(Role::Dim, &store.text("receipt-writing"), columns),
        Saving::Saved(paths) => {
            let mut lines = wrapped(Role::Good, &store.text("receipt-saved"), columns);
            for path in paths {
                lines.extend(in_full(path, width));
            }
            lines
        }
        Saving::Failed(why) => {
            let key = store.reader().first_key(Action::Copy);
            let why = Untrusted::from(&**why).shown_within(200);
            let said = store.with("receipt-not-saved", &[("why", &why), ("key", key)]);
            wrapped(Role::Bad, &said, columns)
        }
    };
    lines.push(Line::default());
    lines
}

fn on_paper(paper: &Paper, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for note in &paper.notes {
        lines.extend(wrapped(Role::Strong, note, width));
    }
    for part in &paper.parts {
        lines.push(Line::default());
        lines.extend(wrapped(Role::Strong, &part.heading, width));
        for (label, value) in &part.rows {
            lines.extend(pair(label, value, width));
        }
    }
    lines.push(Line::default());
    lines.extend(wrapped(Role::Dim, &paper.closing, width));
    lines
}
