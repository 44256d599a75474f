//! Direct payments: what all screens know of them.

use crate::app::next::Next;
use crate::app::store::clip::Clip;
use crate::app::store::copying;
use crate::app::store::notice::Notice;
use crate::app::{CopyTrouble, Effect, Store};
use crate::trade::{Charge, ChargeOutcome, JournalTrouble, ListPage, Ticket, Untrusted};

/// Asks for the rows again.
pub fn reload(store: &mut Store) -> Effect {
    let ticket = store.ticket();
    Effect::LoadCharges(store.charges.ask(ticket))
}

/// A window of direct payments came.
pub fn loaded(store: &mut Store, ticket: Ticket, result: Result<ListPage<Charge>, JournalTrouble>) {
    match result {
        Ok(mut page) => {
            store.unsaved.charges.put(&mut page);
            store.charges.take_row(ticket, page, |a, b| a.id == b.id);
        }
        Err(why) if store.charges.asked == Some(ticket) => {
            if store.charges.query.value().is_empty() {
                store.unsaved.charges.put_before(&mut store.charges.page);
            }
            store.say(Notice::History(why));
        }
        Err(_) => {}
    }
}

/// Copies the PIX code: its exact bytes, or nothing.
pub fn copy(store: &mut Store, charge: &Charge) -> Next {
    match charge.pix_code() {
        Some(code) => copying::exactly(store, Clip::PixCode, code.clone()),
        None => store.not_copied(CopyTrouble::Nothing),
    }
}

impl Charge {
    /// The PIX copy-and-paste code, if the service gave one.
    pub fn pix_code(&self) -> Option<&Untrusted> {
        match &self.outcome {
            ChargeOutcome::Created { pix_code, .. } => pix_code.as_ref(),
            _ => None,
        }
    }
}
