//! The form for the seller's note about a payment link.

use crate::app::cx::Cx;
use crate::app::screen::{Info, Screen, ScreenEvent, body};
use crate::app::store::notice::Notice;
use crate::app::ui::block::Block;
use crate::app::ui::form::{Field, FieldError, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::wrapped;
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Area, Line, Page, Role};
use crate::app::{Effect, HistoryCommand, Msg, Pane, Store};
use crate::contract::FieldFault;
use crate::trade::{MAX_NOTE_LENGTH, PaymentLink, Sale, Untrusted, parse_note};
use crate::words::failure::Activity;

/// The id of the field.
pub const FIELD: &str = "note";

/// The field for a note, also in the form for a new link.
pub fn field() -> Field {
    Field::text(FIELD, Label::Word("field-note"), false, MAX_NOTE_LENGTH).personal()
}

/// The note in the form; `None` if the field is empty. Marks the field and returns an error if the
/// text has invisible characters.
pub fn read(form: &mut Form) -> Result<Option<String>, FieldError> {
    let typed = form.value(FIELD);
    let note = parse_note(&typed);
    if note.is_none() && !typed.is_empty() {
        let error = FieldError::Fault(FieldFault::ControlCharacter);
        form.fault(FIELD, error.clone());
        return Err(error);
    }
    Ok(note)
}

/// The form for the note about a link that exists. Notes are stored only on this computer.
#[derive(Debug, Clone)]
pub struct NoteForm {
    pub sent: SentForm,
    link: PaymentLink,
}

impl NoteForm {
    /// Opens the form, prefilled with the current note.
    pub fn of(link: PaymentLink) -> NoteForm {
        let mut field = field();
        field.fill(link.note.as_deref().unwrap_or_default());
        NoteForm {
            sent: SentForm::new(Form::new(vec![field])),
            link,
        }
    }
}

impl Screen for NoteForm {
    fn info(&self) -> Info {
        Info {
            submits: Some("keep"),
            ..Info::in_pane("note", Pane::Links)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let width = form_page::inner_width(area);
        let request = &self.link.request;
        let mut head = vec![Line::of(Role::Money, request.amount.to_string())];
        head.extend(wrapped(
            Role::Text,
            &Untrusted::shown_of(&request.description),
            width,
        ));
        let status =
            self.sent
                .status_block(store.render_cx(), "note-wait", Activity::Question, width);
        let below = status.unwrap_or_else(|| {
            let hint = wrapped(Role::Dim, &store.text("note-hint"), width);
            Block::cut(form_page::BELOW_PRIORITY, 1, hint)
        });
        let names = ["note-title", "note-submit"];
        let form = FormPage::new(store.words(), names, &self.sent.form);
        FormPage {
            head: vec![Block::new(head)],
            below: vec![below],
            ..form
        }
        .draw(store.words(), area, page);
    }

    body!(Sent(sent));

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit || !self.sent.form.check() {
            return;
        }
        let Ok(note) = read(&mut self.sent.form) else {
            return;
        };
        let wait = cx.store.wait();
        self.sent.begin(wait);
        cx.perform(Effect::History(HistoryCommand::SetNote {
            ticket: wait.ticket,
            link: Box::new(self.link.clone()),
            note,
        }));
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Message(Msg::NoteSaved { ticket, result }) = event else {
            return false;
        };
        if let Some(Ok(sale)) = self.sent.answer(*ticket, result) {
            let has_note = matches!(&**sale, Sale::Link(link) if link.note.is_some());
            let notice_id = if has_note {
                "said-noted"
            } else {
                "said-no-note"
            };
            cx.store.notify(Notice::good(notice_id));
            cx.close();
        }
        true
    }
}
