//! A form that is sent: what was typed, the question it became, and how the last one failed.

use super::Reader;
use super::block::Block;
use super::failure;
use super::form::Form;
use super::forms::BELOW;
use super::parts::waiting;
use super::wait::Wait;
use crate::trade::{Failure, JournalTrouble, Ticket};
use crate::words::failure::Doing;

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
