//! The words about a failure below a form, in the rows that the form leaves.

use crate::app::ui::parts::{all_quoted, wrapped};
use crate::app::ui::{Line, Role};
use crate::words::Words;
use crate::words::failure::FailureText;

/// Lays out what happened and whether anything came of it, the service's words, then what to do.
///
/// With too few rows the service's words stand behind their labels instead of below them; they are
/// never left out in favour of our own.
pub fn lines(
    say: &Words,
    told: &FailureText,
    next: &[String],
    width: usize,
    rows: usize,
) -> Vec<Line> {
    let head = format!("{} {}", told.what, told.moved);
    let after = |mut lines: Vec<Line>| {
        for text in next {
            lines.extend(wrapped(Role::Text, text, width));
        }
        lines
    };
    let airy = after([wrapped(Role::Bad, &head, width), all_quoted(&told.quotes, width)].concat());
    if airy.len() <= rows {
        return airy;
    }
    let mut dense = wrapped(Role::Bad, &head, width);
    for (label, words) in &told.quotes {
        let said = say.with("theirs-quote", &[("text", &words.shown())]);
        dense.extend(wrapped(Role::Quote, &format!("{label} {said}"), width));
    }
    after(dense)
}
