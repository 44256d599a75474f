//! Direct payments: what all screens know of them, and what may be done with a Pix code.

use std::time::Duration;

use crate::app::cx::Cx;
use crate::app::store::links;
use crate::app::store::meaning::{Searched, understood};
use crate::app::store::notice::Notice;
use crate::app::store::passing::Payable;
use crate::app::ui::Action;
use crate::app::{Effect, Store};
use crate::contract;
use crate::trade::{
    Charge, ChargeOutcome, JournalTrouble, ListPage, MessageFields, Ticket, Untrusted, Wall,
};
use crate::words::dates;

/// Asks for the rows again.
pub fn reload(cx: &mut Cx) {
    let ticket = cx.store.ticket();
    let ask = cx.store.charges.ask_near(ticket, |charge| charge.id);
    cx.perform(Effect::LoadCharges(understood(cx.store, Searched::Charges, ask)));
}

/// The direct payments of a question were counted.
pub fn counted(store: &mut Store, ticket: Ticket, result: Result<u64, JournalTrouble>) {
    if store.charges.counting != Some(ticket) {
        return;
    }
    match result {
        Ok(total) => store.charges.page.total = Some(total),
        Err(why) => links::history_failed(store, why),
    }
}

/// A window of direct payments came.
pub fn loaded(store: &mut Store, ticket: Ticket, result: Result<ListPage<Charge>, JournalTrouble>) {
    let is_narrowed = !store.charges.query.value().is_empty();
    links::rows_came(store, ticket, result, is_narrowed, |store| {
        (&mut store.charges, &store.unsaved.charges)
    });
}

/// Says that a charge was made, for the screen in front alone; one without a code says all itself.
pub fn made(cx: &mut Cx, charge: &Charge) {
    let Some(payable) = Payable::of_charge(cx.store, charge).filter(|_| cx.is_front) else {
        return;
    };
    cx.store.say(match payable.is_odd() {
        true => Notice::warn("said-charge-made-odd"),
        false => Notice::WithKey("said-charge-made", Action::Copy),
    });
}

/// The message for the buyer. Its date is written out: it is read on other days too.
pub fn message(store: &Store, charge: &Charge, code: &Untrusted) -> Untrusted {
    let request = &charge.request;
    let expiry = charge.expires_at().and_then(|at| {
        let offset = store.setup.utc_offset_s;
        Some(format!("{}, {}", dates::figures(at, offset)?, dates::time(at, offset)))
    });
    let fields = MessageFields {
        description: &request.description,
        amount: request.amount,
        payable: code,
        buyer: request.customer.as_deref().unwrap_or_default(),
        expiry: expiry.as_deref().unwrap_or_default(),
    };
    store.setup.charge_message.fill(&fields).into()
}

/// Returns the time until what is shown of a direct payment changes by the clock alone.
pub fn next_change(store: &Store, charge: &Charge) -> Option<Duration> {
    let left = charge.expires_at()?.since(store.now.wall)?;
    (!left.is_zero()).then(|| dates::left_changes_in(left))
}

/// Returns true when the time in which a direct payment could be paid is over.
pub fn is_expired(store: &Store, charge: &Charge) -> bool {
    charge.expires_at().is_some_and(|at| at <= store.now.wall)
}

/// Returns the time until the next of these is over.
pub fn next_expiry(store: &Store, charges: &[Charge]) -> Option<Duration> {
    let left = charges.iter().filter_map(|one| one.expires_at()?.since(store.now.wall));
    left.filter(|left| !left.is_zero()).min()
}

impl Charge {
    /// The PIX copy-and-paste code, if the service gave one.
    pub fn pix_code(&self) -> Option<&Untrusted> {
        match &self.outcome {
            ChargeOutcome::Created { pix_code, .. } => pix_code.as_ref(),
            _ => None,
        }
    }

    /// The moment until which it can be paid, if the service wrote one that can be read.
    pub fn expires_at(&self) -> Option<Wall> {
        match &self.outcome {
            ChargeOutcome::Created { expires, .. } => {
                let expires = expires.as_ref()?;
                contract::rfc3339(&Untrusted::in_full(|| expires.shown_within(60)))
            }
            _ => None,
        }
    }
}
