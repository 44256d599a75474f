//! What went wrong below a form, in the rows that the form leaves.

use ratatui::text::Line;

use super::failure::Told;
use super::parts::{quoted, wrapped};
use super::{Look, Role};

/// What happened and whether anything came of it, then the service's words, then what to do.
///
/// Where there are not rows enough the words stand behind their labels instead of below them; what
/// the service said is never left out for what we say about it.
pub(super) fn lines(
    look: &Look,
    told: &Told,
    next: &[String],
    width: usize,
    rows: usize,
) -> Vec<Line<'static>> {
    let head = format!("{} {}", told.what, told.moved);
    let after = |mut lines: Vec<Line<'static>>| {
        for text in next {
            lines.extend(wrapped(look, Role::Text, text, width));
        }
        lines
    };
    let mut airy = wrapped(look, Role::Bad, &head, width);
    for (label, words) in &told.quotes {
        airy.extend(quoted(look, label, words, width));
    }
    let airy = after(airy);
    if airy.len() <= rows {
        return airy;
    }
    let mut dense = wrapped(look, Role::Bad, &head, width);
    for (label, words) in &told.quotes {
        let said = look.words.with("theirs-quote", &[("text", &words.shown())]);
        dense.extend(wrapped(look, Role::Quote, &format!("{label} {said}"), width));
    }
    after(dense)
}
