//! The list of direct payments (paid by Pix code). Also writes the message to the buyer, and
//! computes when a payment expires.

use std::time::Duration;

use crate::app::cx::Cx;
use crate::app::store::links;
use crate::app::store::notice::Notice;
use crate::app::store::payable::Payable;
use crate::app::store::query_expansion::{Searched, expand_request};
use crate::app::ui::Action;
use crate::app::{Effect, Store};
use crate::trade::{Charge, JournalTrouble, ListPage, MessageFields, Ticket, Untrusted};
use crate::words::dates;

/// Reloads the list of direct payments from the history database.
pub fn reload(cx: &mut Cx) {
    let ticket = cx.store.next_ticket();
    let request = cx.store.charges.request_near_row(ticket, |charge| charge.id);
    cx.perform(Effect::LoadCharges(expand_request(cx.store, Searched::Charges, request)));
}

/// Stores how many direct payments match the search. Ignores the result of an outdated request.
pub fn counted(store: &mut Store, ticket: Ticket, result: Result<u64, JournalTrouble>) {
    if store.charges.counting != Some(ticket) {
        return;
    }
    match result {
        Ok(total) => store.charges.page.total = Some(total),
        Err(trouble) => links::report_history_trouble(store, trouble),
    }
}

/// Stores a page of direct payments that was loaded from the history database.
pub fn loaded(store: &mut Store, ticket: Ticket, result: Result<ListPage<Charge>, JournalTrouble>) {
    let is_narrowed = !store.charges.query.value().is_empty();
    links::store_rows(store, ticket, result, is_narrowed, |store| {
        (&mut store.charges, &store.unsaved.charges)
    });
}

/// Shows a notice that the direct payment was created, if its form is still the front screen. A
/// payment without a Pix code gets no notice, because its details explain the missing code.
pub fn made(cx: &mut Cx, charge: &Charge) {
    let Some(payable) = Payable::of_charge(cx.store, charge).filter(|_| cx.is_front) else {
        return;
    };
    cx.store.notify(match payable.has_warnings() {
        true => Notice::warn("said-charge-made-odd"),
        false => Notice::WithKey("said-charge-made", Action::Copy),
    });
}

/// Returns the message to the buyer. The expiry is written with a full date, because the buyer may
/// read the message on another day.
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

/// Returns how soon the screen must update the remaining time of a direct payment, such as "12
/// min".
pub fn next_change(store: &Store, charge: &Charge) -> Option<Duration> {
    let remaining = charge.expires_at()?.since(store.now.wall)?;
    (!remaining.is_zero()).then(|| dates::left_changes_in(remaining))
}

/// Returns true if a direct payment can no longer be paid because it expired.
pub fn is_expired(store: &Store, charge: &Charge) -> bool {
    charge.expires_at().is_some_and(|at| at <= store.now.wall)
}

/// Returns the time until the first of these direct payments expires. Payments that have already
/// expired are ignored.
pub fn next_expiry(store: &Store, charges: &[Charge]) -> Option<Duration> {
    let remaining = charges.iter().filter_map(|charge| charge.expires_at()?.since(store.now.wall));
    remaining.filter(|remaining| !remaining.is_zero()).min()
}
