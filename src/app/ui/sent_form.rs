//! A form that is sent to the service. Includes the typed values, the pending request, and the last
//! failure.

use crate::app::ui::block::Block;
use crate::app::ui::form::Form;
use crate::app::ui::form_page::BELOW_PRIORITY;
use crate::app::ui::parts::{all_quoted, waiting, wrapped};
use crate::app::ui::wait::Wait;
use crate::app::ui::{RenderCx, Role, failure};
use crate::trade::{Failure, JournalTrouble, Ticket};
use crate::words::Catalogue;
use crate::words::failure::{Activity, FailureText};

/// A form whose values are sent to the service.
#[derive(Debug, Clone)]
pub struct SentForm {
    pub form: Form,
    /// The pending request that sends the form, if any.
    pub wait: Option<Wait>,
    /// The failure of the last request, if it failed.
    pub failure: Option<Failure>,
    /// The ticket of the last request, if its reply could not be read. After the seller has
    /// corrected the API contract, that reply is read again, and the result arrives with this
    /// ticket.
    pub unread: Option<Ticket>,
}

impl SentForm {
    /// Creates a form that has not been sent yet.
    pub fn new(form: Form) -> SentForm {
        SentForm {
            form,
            wait: None,
            failure: None,
            unread: None,
        }
    }

    /// Creates a form whose request is recorded in the history database before it is sent. If there
    /// is a problem with the database (`trouble`), the form shows it right away.
    pub fn for_history(form: Form, trouble: Option<&JournalTrouble>) -> SentForm {
        let failure = trouble.cloned().map(Failure::Journal);
        SentForm {
            failure,
            ..SentForm::new(form)
        }
    }

    /// Stores the pending request, and clears the failure of the earlier request.
    pub fn begin(&mut self, wait: Wait) {
        (self.wait, self.failure, self.unread) = (Some(wait), None, None);
    }

    /// Stores the failure of the pending request, which is then no longer pending.
    pub fn fail(&mut self, failure: Failure) {
        (self.wait, self.failure) = (None, Some(failure));
    }

    /// True if the form is waiting for the response with this ticket, so that [`SentForm::answer`]
    /// handles it.
    pub fn awaits(&self, ticket: Ticket) -> bool {
        match self.wait {
            Some(wait) => wait.ticket == ticket,
            None => self.unread == Some(ticket),
        }
    }

    /// Handles the response to the form's request, and stores the failure, if any. Returns `None`
    /// if the response belongs to another request.
    ///
    /// The response may also be an earlier one that could be read only after the API contract was
    /// corrected.
    pub fn answer<'a, T>(
        &mut self,
        ticket: Ticket,
        result: &'a Result<T, Failure>,
    ) -> Option<Result<&'a T, &'a Failure>> {
        if !self.awaits(ticket) {
            return None;
        }
        self.wait = None;
        self.failure = result.as_ref().err().cloned();
        self.unread = matches!(self.failure, Some(Failure::Unreadable { .. })).then_some(ticket);
        Some(result.as_ref())
    }

    /// The text below the form's button. It shows the pending request or the last failure, if there
    /// is one.
    pub fn status_block(
        &self,
        to: RenderCx<'_>,
        waits_for: &str,
        activity: Activity,
        width: usize,
    ) -> Option<Block> {
        if let Some(wait) = self.wait {
            return Some(Block::new(vec![waiting(
                to,
                &to.words.text(waits_for),
                wait,
            )]));
        }
        let failure = self.failure.as_ref()?;
        Some(Block::cut(
            BELOW_PRIORITY,
            MIN_FAILURE_ROWS,
            failure::lines(to.words, failure, activity, width),
        ))
    }
}

/// The number of rows that are reserved for the two most important sentences of a failure: what
/// happened, and whether money moved.
pub const MIN_FAILURE_ROWS: usize = 4;

/// The lines of a failure: what happened, whether money moved, the service's own text, and what to
/// do next.
///
/// If there are too few rows, the service's text is put on the same line as its label. The
/// service's text is never dropped to make room for the program's own text.
pub fn failure_block(words: &Catalogue, text: &FailureText, width: usize) -> Block {
    let head = wrapped(Role::Bad, &format!("{} {}", text.what, text.moved), width);
    let next = wrapped(Role::Text, &text.next, width);
    let inline_quotes = text.quotes.iter().flat_map(|(label, quoted)| {
        let quote = words.with("theirs-quote", &[("text", &quoted.shown())]);
        wrapped(Role::Quote, &format!("{label} {quote}"), width)
    });
    let dense = head
        .iter()
        .cloned()
        .chain(inline_quotes)
        .chain(next.iter().cloned())
        .collect();
    let spacious = [head, all_quoted(&text.quotes, width), next].concat();
    Block::cut(BELOW_PRIORITY, MIN_FAILURE_ROWS, spacious).or(dense)
}
