//! Completes the path of a file in a form. The key for the next field completes what was typed,
//! and the names that it could be are shown.

use crate::app::cx::Cx;
use crate::app::message::Completion;
use crate::app::store::notice::Notice;
use crate::app::ui::form::Form;
use crate::app::ui::parts::wrapped;
use crate::app::ui::{Line, Role};
use crate::app::{Effect, Msg, Store};
use crate::trade::{Ticket, Untrusted};

/// The maximum number of names that complete the path and are shown.
const SHOWN_NAMES: usize = 24;

/// The completion of a path. The path is the first field of its form.
#[derive(Debug, Clone)]
pub struct PathCompletion {
    /// The name of the field.
    field: &'static str,
    /// The pending completion.
    pending: Option<Ticket>,
    /// The names that complete the path.
    found: Completion,
}

impl PathCompletion {
    pub fn new(field: &'static str) -> PathCompletion {
        PathCompletion {
            field,
            pending: None,
            found: Completion::default(),
        }
    }

    /// True if the key for the next field completes the path.
    pub fn is_possible(&self, form: &Form) -> bool {
        form.focus == 0 && form.field(self.field).is_some_and(|path| !path.is_empty())
    }

    /// Requests the files whose paths begin with the typed text.
    pub fn begin(&mut self, cx: &mut Cx, form: &Form) {
        let ticket = cx.store.next_ticket();
        self.pending = Some(ticket);
        let typed = form.value(self.field);
        cx.perform(Effect::CompletePath { ticket, typed });
    }

    /// Drops the names and the pending completion, because the path was edited or used.
    pub fn clear(&mut self) {
        *self = PathCompletion::new(self.field);
    }

    /// Fills in the path as far as the found names agree. If nothing is left to complete, moves to
    /// the next field. Returns false for any other message.
    pub fn on_message(&mut self, cx: &mut Cx, form: &mut Form, msg: &Msg) -> bool {
        let Msg::PathCompleted { ticket, completion } = msg else {
            return false;
        };
        if self.pending != Some(*ticket) {
            return false;
        }
        self.pending = None;
        let is_complete = completion.total == 1 && completion.text == form.value(self.field);
        form.replace(self.field, &completion.text);
        self.found = completion.clone();
        if is_complete {
            form.next();
        }
        if completion.total == 0 {
            cx.store.notify(Notice::warn("said-no-such-file"));
        }
        true
    }

    /// Lays out the names that complete the path, if there are several.
    pub fn lines(&self, store: &Store, width: usize) -> Vec<Line> {
        if self.found.total < 2 {
            return vec![];
        }
        let names = self.found.names.iter().take(SHOWN_NAMES);
        let names: Vec<_> = names.map(Untrusted::shown).collect();
        let more = self.found.total.saturating_sub(names.len() as u64);
        let mut lines = wrapped(Role::Text, &names.join("   "), width);
        if more > 0 {
            let text = store.words().count("import-more-names", more, &[]);
            lines.extend(wrapped(Role::Dim, &text, width));
        }
        lines
    }
}
