//! The words about a failure below a form, in the rows that the form leaves.

use crate::app::ui::block::Block;
use crate::app::ui::forms::BELOW;
use crate::app::ui::parts::{all_quoted, wrapped};
use crate::app::ui::sent_form::FAILED;
use crate::app::ui::{Line, Role};
use crate::words::Words;
use crate::words::failure::FailureText;

/// Lays out what happened and whether anything came of it, the service's words, then what to do.
///
/// With too few rows the service's words stand behind their labels instead of below them; they are
/// never left out in favour of our own.
pub fn told(say: &Words, told: &FailureText, next: &[String], width: usize) -> Block {
    let head = wrapped(Role::Bad, &format!("{} {}", told.what, told.moved), width);
    let next: Vec<Line> = next.iter().flat_map(|text| wrapped(Role::Text, text, width)).collect();
    let behind = told.quotes.iter().flat_map(|(label, words)| {
        let said = say.with("theirs-quote", &[("text", &words.shown())]);
        wrapped(Role::Quote, &format!("{label} {said}"), width)
    });
    let dense = head.iter().cloned().chain(behind).chain(next.iter().cloned()).collect();
    let airy = [head, all_quoted(&told.quotes, width), next].concat();
    Block::cut(BELOW, FAILED, airy).or(dense)
}
