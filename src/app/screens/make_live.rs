//! The form with which the seller chooses the current withdrawal journal as the journal for real
//! money. Until then, another journal is the one for real money, or it is not known which one is.
//!
//! The current journal may lack withdrawals, so a payment could be made twice. The seller must
//! therefore type the journal's path to confirm.

use crate::app::cx::Cx;
use crate::app::screen::{Info, Screen, ScreenEvent, body};
use crate::app::store::notice::Notice;
use crate::app::store::withdrawals;
use crate::app::ui::block::{Block, blocks};
use crate::app::ui::failure::contents_lines;
use crate::app::ui::form::{Field, FieldError, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{pair, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Area, Line, Page, Role, Target};
use crate::app::{Effect, Msg, Pane, Store};
use crate::trade::{JournalTrouble, Untrusted};
use crate::words::failure::Activity;

const FIELD: &str = "path";

/// The maximum length of the typed path, in characters.
const MAX_PATH_LENGTH: usize = 4096;

#[derive(Debug, Clone)]
pub struct MakeLive {
    pub sent: SentForm,
}

impl MakeLive {
    pub fn open() -> MakeLive {
        let path = Field::text(
            FIELD,
            Label::Word("field-journal-path"),
            true,
            MAX_PATH_LENGTH,
        );
        MakeLive {
            sent: SentForm::new(Form::new(vec![path])),
        }
    }
}

impl Screen for MakeLive {
    fn info(&self) -> Info {
        Info::in_pane("make-live", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let head = blocks(head_lines(store, self, form_page::inner_width(area)));
        if !form_page::has_room(&head, &self.sent.form, area) {
            title(&store.text("make-live-title"), Line::default(), area, page);
            let room = area.text().split_top(2).1;
            let lines = head.into_iter().flat_map(Block::into_lines).collect();
            return Text::new(lines, room).draw(store.render_cx(), page);
        }
        let names = ["make-live-title", "make-live-submit"];
        let form = FormPage::new(store.words(), names, &self.sent.form);
        FormPage { head, ..form }.draw(store.words(), area, page);
    }

    body!(Sent(sent));

    fn act(&mut self, cx: &mut Cx, action: Action) {
        // A small terminal shows the warning without the button. A hidden button must not be
        // pressed.
        let is_button_shown = cx
            .stamp
            .last_frame
            .targets
            .iter()
            .any(|(_, target)| *target == Target::Submit);
        if action != Action::Submit || !is_button_shown {
            return;
        }
        let wait = cx.store.wait();
        if !self.sent.form.check() {
            return;
        }
        if self.sent.form.value(FIELD).trim() != cx.store.journal_path.raw() {
            self.sent.form.fault(FIELD, FieldError::NotAsRequired);
            return;
        }
        self.sent.begin(wait);
        cx.perform(Effect::MakeLive(wait.ticket))
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Message(Msg::MadeLive { ticket, result }) => {
                if let Some(Ok(())) = self.sent.answer(*ticket, result) {
                    cx.store.notify(Notice::good("said-made-live"));
                    cx.close();
                    withdrawals::on_journal_change(cx);
                }
            }
            ScreenEvent::StoreChanged if !cx.store.withdrawals.can_make_live() => cx.close(),
            _ => return false,
        }
        true
    }
}

/// Lays out the path of the journal for real money, if another one is, and the path and a summary
/// of the current journal. Below them is the warning, then the instruction or the result.
fn head_lines(store: &Store, form: &MakeLive, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let trouble = store.withdrawals.trouble.as_ref();
    // After a failure, leave out the paths to make room for the failure's text.
    if form.sent.failure.is_none() {
        if let Some(live) = store.withdrawals.live_elsewhere() {
            let live = Untrusted::from(live.display().to_string()).shown();
            lines.extend(pair(&store.text("journal-elsewhere.folder"), &live, width));
        }
        lines.extend(pair(
            &store.text("make-live-here"),
            &store.journal_path.shown(),
            width,
        ));
        if let Some(contents) = trouble.and_then(JournalTrouble::contents) {
            lines.extend(contents_lines(store.render_cx(), contents, width));
        }
        lines.push(Line::default());
    }
    let warning = match trouble {
        Some(JournalTrouble::Unmarked(_)) => "make-live-what.unmarked",
        Some(JournalTrouble::OtherMachine(_)) => "make-live-what.other-machine",
        _ => "make-live-what",
    };
    lines.extend(wrapped(Role::Warn, &store.text(warning), width));
    let status = form.sent.status_block(
        store.render_cx(),
        "make-live-wait",
        Activity::Question,
        width,
    );
    lines.extend(status.map_or_else(
        || wrapped(Role::Text, &store.text("make-live-type"), width),
        Block::into_lines,
    ));
    lines
}
