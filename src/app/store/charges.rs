//! Direct payments: what all screens know of them, and what may be done with a Pix code.

use std::time::Duration;

use crate::app::cx::{CodeText, Cx, Question, Route};
use crate::app::store::clip::Clip;
use crate::app::store::code_oddity;
use crate::app::store::copying;
use crate::app::store::links;
use crate::app::store::meaning::{Searched, understood};
use crate::app::store::notice::Notice;
use crate::app::{CopyTrouble, Effect, Store};
use crate::contract;
use crate::trade::{
    Charge, ChargeOutcome, JournalTrouble, ListPage, MessageFields, Money, Ticket, Untrusted, Wall,
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

/// Copies the Pix code: its exact bytes, or nothing; asks first when something about it is odd.
pub fn copy(cx: &mut Cx, charge: &Charge) {
    let Some(code) = charge.pix_code() else { return cx.store.not_copied(CopyTrouble::Nothing) };
    copy_with(cx, (Clip::PixCode, code.clone()), code, Some(charge.request.amount))
}

/// Says that a charge was made, for the screen in front alone; one without a code says all itself.
pub fn made(cx: &mut Cx, charge: &Charge) {
    let Some(code) = charge.pix_code() else { return };
    let oddities = code_oddity::of_code(code, Some(charge.request.amount));
    let is_odd = CopyTrouble::of(code).is_some() || !oddities.is_empty();
    if cx.is_front {
        cx.store.say(Notice::ChargeMade { is_odd });
    }
}

/// Copies a Pix code of which only the text is known: the direct payment that has it says how much
/// was asked for.
pub fn copy_shown(cx: &mut Cx, code: &Untrusted) {
    let made = cx.store.charges.page.rows.iter().find(|charge| charge.pix_code() == Some(code));
    let asked = made.map(|charge| charge.request.amount);
    copy_with(cx, (Clip::PixCode, code.clone()), code, asked)
}

/// Copies a message for the buyer, by the seller's template.
pub fn copy_message(cx: &mut Cx, charge: &Charge) {
    let Some(code) = charge.pix_code() else { return };
    let text = message(cx.store, charge, code);
    copy_with(cx, (Clip::Message, text), code, Some(charge.request.amount))
}

/// Copies a text with a Pix code in it, or the code alone.
fn copy_with(cx: &mut Cx, (clip, text): (Clip, Untrusted), code: &Untrusted, asked: Option<Money>) {
    if let Some(trouble) = CopyTrouble::of(code) {
        return cx.store.not_copied(trouble);
    }
    let oddities = code_oddity::of_code(code, asked);
    match oddities.is_empty() {
        true => copying::copy(cx, clip, text),
        false => cx.ask(Question::CopyOddCode { clip, text, code: code.clone(), oddities }),
    }
}

/// Shows the Pix code as a QR code: a picture is a copy too, so it asks first as a copy does.
pub fn pass_as_picture(cx: &mut Cx, charge: &Charge) {
    let Some(code) = charge.pix_code().cloned() else { return };
    if let Some(trouble) = CopyTrouble::of(&code) {
        return cx.store.not_copied(trouble);
    }
    let oddities = code_oddity::of_charge(charge);
    match oddities.is_empty() {
        true => show(cx, code),
        false => cx.ask(Question::ShowOddCode { code, oddities }),
    }
}

/// Shows a Pix code as a QR code, once nothing about it is odd or the seller agreed to it.
pub fn show(cx: &mut Cx, code: Untrusted) {
    cx.open(Route::Qr(CodeText { text: code, clip: Clip::PixCode }));
}

/// The message for the buyer. Its date is written out: it is read on other days too.
fn message(store: &Store, charge: &Charge, code: &Untrusted) -> Untrusted {
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
