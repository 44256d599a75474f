//! The receipt of a withdrawal that the service accepted: to be read, copied, and saved.

pub mod paper;
mod show;
mod svg;

use paper::Paper;

use crate::app::cx::Cx;
use crate::app::message::ReceiptFiles;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent};
use crate::app::store::clip::Clip;
use crate::app::store::copying;
use crate::app::ui::action::Action;
use crate::app::ui::{Area, Page};
use crate::app::{Effect, Msg, Pane, Store};
use crate::trade::{Ticket, Untrusted, Withdrawal};

/// The receipt of one withdrawal.
#[derive(Debug, Clone)]
pub struct Receipt {
    /// The withdrawal; that it was accepted does not change any more.
    pub withdrawal: Withdrawal,
    /// The state of its files.
    pub saving: Saving,
}

/// The state of the files of a receipt.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Saving {
    /// They were not asked for.
    #[default]
    Unasked,
    /// It is being written.
    Writing(Ticket),
    /// It stands in these files.
    Saved([Untrusted; 2]),
    /// It could not be written, and why, in the system's words.
    Failed(String),
}

impl Receipt {
    /// The receipt of this withdrawal.
    pub fn of(withdrawal: Withdrawal) -> Receipt {
        Receipt { withdrawal, saving: Saving::Unasked }
    }

    /// Asks for the files to be written; not twice at once.
    fn save(&mut self, cx: &mut Cx, paper: &Paper) {
        if matches!(self.saving, Saving::Writing(_)) {
            return;
        }
        let ticket = cx.store.ticket();
        self.saving = Saving::Writing(ticket);
        let svg = svg::drawn(paper, cx.store.setup.lang);
        let name = paper::file_name(cx.store, &self.withdrawal);
        cx.perform(Effect::SaveReceipt {
            ticket,
            files: ReceiptFiles { name, text: paper.text(), svg },
        })
    }
}

impl Screen for Receipt {
    fn info(&self) -> Info {
        Info { is_looked_at: true, ..Info::in_pane("receipt", Pane::Withdrawals) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        let offered = vec![Action::Copy, Action::Save, Action::Down, Action::Up];
        Actions::from(offered).word(Action::Copy, "text")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        let Some(paper) = Paper::of(cx.store, &self.withdrawal) else { return };
        match action {
            Action::Copy => copying::copy(cx, Clip::Receipt, paper.text().into()),
            Action::Save => self.save(cx, &paper),
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Message(Msg::ReceiptSaved { ticket, result }) = event else {
            return false;
        };
        if self.saving == Saving::Writing(*ticket) {
            // Where it was written stands in the first lines.
            cx.store.scroll = 0;
            self.saving = match result {
                Ok(paths) => Saving::Saved(paths.clone()),
                Err(why) => Saving::Failed(why.clone()),
            };
        }
        true
    }
}
