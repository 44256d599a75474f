//! A form that is sent: what was typed, the question it became, and how the last one failed.

use crate::app::ui::block::Block;
use crate::app::ui::form::Form;
use crate::app::ui::forms::BELOW;
use crate::app::ui::parts::{all_quoted, waiting, wrapped};
use crate::app::ui::wait::Wait;
use crate::app::ui::{Reader, Role, failure};
use crate::trade::{Failure, JournalTrouble, Ticket};
use crate::words::Words;
use crate::words::failure::{Doing, FailureText};

/// A form whose content a question carries away.
#[derive(Debug, Clone)]
pub struct SentForm {
    /// The fields, as they are typed.
    pub form: Form,
    /// The question that is under way.
    pub wait: Option<Wait>,
    /// The reason the last one failed.
    pub failure: Option<Failure>,
}

impl SentForm {
    /// A form that was not sent yet.
    pub fn new(form: Form) -> SentForm {
        SentForm { form, wait: None, failure: None }
    }

    /// A form whose content is noted in the history first; shows at once why that cannot be done.
    pub fn noted(form: Form, trouble: Option<&JournalTrouble>) -> SentForm {
        let failure = trouble.cloned().map(Failure::Journal);
        SentForm { failure, ..SentForm::new(form) }
    }

    /// Begins to wait for the answer; an earlier failure is not shown any more.
    pub fn begin(&mut self, wait: Wait) {
        (self.wait, self.failure) = (Some(wait), None);
    }

    /// Stops waiting, for this reason.
    pub fn fail(&mut self, failure: Failure) {
        (self.wait, self.failure) = (None, Some(failure));
    }

    /// Takes the answer to the question under way, and keeps a failure; `None` for another's.
    pub fn answer<'a, T>(
        &mut self,
        ticket: Ticket,
        result: &'a Result<T, Failure>,
    ) -> Option<Result<&'a T, &'a Failure>> {
        self.wait.take_if(|wait| wait.ticket == ticket)?;
        self.failure = result.as_ref().err().cloned();
        Some(result.as_ref())
    }

    /// The wait for an answer, or why the last question failed, below the button; nothing before.
    pub fn told(
        &self,
        to: Reader<'_>,
        waits_for: &str,
        doing: Doing,
        width: usize,
    ) -> Option<Block> {
        if let Some(wait) = self.wait {
            return Some(Block::new(vec![waiting(to, &to.words.text(waits_for), wait)]));
        }
        let failure = self.failure.as_ref()?;
        Some(Block::cut(BELOW, FAILED, failure::lines(to.words, failure, doing, width)))
    }
}

/// The rows in which a failure says what happened and whether anything came of it.
pub const FAILED: usize = 4;

/// Lays out what happened and whether anything came of it, the service's words, then what to do.
///
/// With too few rows the service's words stand behind their labels instead of below them; they are
/// never left out in favour of our own.
pub fn refused(say: &Words, told: &FailureText, width: usize) -> Block {
    let head = wrapped(Role::Bad, &format!("{} {}", told.what, told.moved), width);
    let next = wrapped(Role::Text, &told.next, width);
    let behind = told.quotes.iter().flat_map(|(label, words)| {
        let said = say.with("theirs-quote", &[("text", &words.shown())]);
        wrapped(Role::Quote, &format!("{label} {said}"), width)
    });
    let dense = head.iter().cloned().chain(behind).chain(next.iter().cloned()).collect();
    let airy = [head, all_quoted(&told.quotes, width), next].concat();
    Block::cut(BELOW, FAILED, airy).or(dense)
}
