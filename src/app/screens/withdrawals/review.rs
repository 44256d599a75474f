//! The last look before money moves: what will be agreed, and everything that is not as usual.
//!
//! The unusual things are worked out anew whenever something comes in that they depend on: the
//! journal's answer, a quote, another withdrawal that is open or is no longer. An amount that was
//! typed before does not answer a reason that came after it.

pub mod show;

use super::Draft;
use crate::app::cx::{Cx, Resume};
use crate::app::screen::Buttons;
use crate::app::screen::buttons::DEAD_MS;
use crate::app::store::seen::{FiguresSeen, Terms};
use crate::app::store::withdrawals::answers::{Past, Refused};
use crate::app::store::withdrawals::quotes::leaves_the_fee_unknown;
use crate::app::store::withdrawals::rules::{account, missing, not_quoted, wall};
use crate::app::store::withdrawals::{self, QuoteState, Retype, WhyRetype, doubts};
use crate::app::store::{consent, entry};
use crate::app::ui::{Action, declared};
use crate::app::{Stamp, Store};
use crate::trade::withdrawal::{Agreement, Retyped};
use crate::trade::{Failure, Wall, Withdrawal};

/// The last look before money moves.
#[derive(Debug, Clone)]
pub struct Review {
    /// The draft, kept for the way back.
    pub draft: Draft,
    /// The agreement that will be made, byte for byte.
    pub agreement: Agreement,
    /// The way back, and the button that moves money.
    pub buttons: Buttons,
    /// The reason the amount must be typed again, if it must.
    pub retype: Option<Retype>,
    /// The past that matters here, once the journal has answered.
    pub past: Option<Past>,
}

/// From the form to the review: the bytes are made, the key is minted.
///
/// Returns none where something comes first.
pub fn open(draft: &mut Draft, cx: &mut Cx) -> Option<Review> {
    // Looked at anew: what still stands in the way is said again.
    draft.refused = None;
    if draft.form.check()
        && let Some(missing) = missing(cx.store)
    {
        entry::ask(cx, missing, Failure::NoCredential(missing));
        return None;
    }
    match agree(draft, cx.store, cx.stamp) {
        // The key that was minted for it is never used.
        Ok(review) => (!consent::come_first(cx, Resume::Press(Action::Submit))).then_some(review),
        Err(None) => None,
        Err(Some(refused)) => {
            let is_clash = matches!(refused, Refused::Clash(_));
            let may_pass = matches!(&refused, Refused::Journal(trouble) if trouble.may_pass());
            draft.refused = Some(refused);
            // Another window may have settled it since the list was read, or let the journal
            // go.
            if is_clash || may_pass {
                withdrawals::reload(cx);
            }
            None
        }
    }
}

/// Returns the review of the agreement; `Err(None)` when a field is wrong and says so itself.
fn agree(draft: &mut Draft, store: &Store, at: &Stamp) -> Result<Review, Option<Refused>> {
    let contract = store.setup.contract.clone();
    if !draft.form.check() {
        return Err(None);
    }
    let key = at.fresh_key;
    let key_text = contract.withdrawal.key_text(key);
    let form = &contract.withdrawal.form;
    let body = declared::body(&mut draft.form, form, Some(&key_text)).ok_or(None)?;
    // What the journal says was agreed is what the bytes say.
    let Some(amount) = body.amount else {
        draft.form.money_or_fault();
        return Err(None);
    };
    let call = &contract.withdrawal.call;
    let agreement = Agreement {
        key,
        account: account(store),
        profile: store.setup.profile.clone(),
        method: call.method.as_str().into(),
        url: format!("{}{}", store.setup.base_url, call.path).into(),
        key_header: key.header(contract.withdrawal.key_format).into(),
        key_header_name: contract.withdrawal.key_header.as_str().into(),
        body: body.bytes,
        untyped: body.untyped,
        amount,
        destination: body.destination,
        quote: draft.quote.shown().cloned(),
        agreed: at.clocks.clone(),
    };
    if let Some(refused) = wall(store, &agreement).or_else(|| not_quoted(&draft.quote)) {
        return Err(Some(refused));
    }
    // Dead until the journal was asked for what the review should mention.
    let buttons = Buttons::armed_at(u64::MAX);
    Ok(Review { draft: draft.clone(), agreement, buttons, retype: None, past: None })
}

impl Review {
    /// Returns true when the confirming button would move money now, where it is in sight.
    pub fn may_confirm(&self, now_ms: u64, now: Wall) -> bool {
        let quote_stands = match &self.draft.quote {
            QuoteState::Shown(quote) => {
                quote.is_fresh(now) && self.agreement.quote.as_ref() == Some(quote)
            }
            QuoteState::Failed { why, .. } => leaves_the_fee_unknown(why) && self.retype.is_some(),
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => false,
        };
        let retyped = Retype::is_done(self.retype.as_ref(), self.agreement.amount);
        now_ms >= self.buttons.armed_at_ms && quote_stands && retyped
    }

    /// For the journal a typed amount answers for the withdrawals that were named here, and no
    /// others; where only the quote was missing, none was named.
    pub fn retyped(&self) -> Option<Retyped> {
        let retype = self.retype.as_ref()?;
        let told = retype.why.iter().filter_map(WhyRetype::other);
        let told: Vec<_> = told.map(|other| other.agreement.key).collect();
        let amount = retype.field.money().filter(|_| !told.is_empty())?;
        Some(Retyped { amount, told })
    }

    /// The other withdrawal that is named first.
    pub fn named(&self) -> Option<&Withdrawal> {
        Retype::named(self.retype.as_ref())
    }

    /// A new quote is in view: it is the one that would be confirmed.
    pub fn take_quote(&mut self, store: &Store) {
        self.agreement.quote = self.draft.quote.shown().cloned();
        self.buttons.begin_again(store.now.boot_ms);
    }

    /// The journal answered what it should mention.
    pub fn looked_up(&mut self, store: &Store, past: &Past) {
        self.past = Some(past.clone());
        self.buttons.armed_at_ms = store.now.boot_ms + DEAD_MS;
    }

    /// Something was heard that it may have to say, or to say no more; what stands in its way now,
    /// if something does.
    pub fn look_again(&mut self, store: &Store) -> Option<Refused> {
        if let Some(Refused::Clash(clash)) = wall(store, &self.agreement) {
            return Some(Refused::LookAgain(Some(clash)));
        }
        let why = doubts::of_new(store, &self.agreement, self.past.as_ref());
        if !Retype::is_of(self.retype.as_ref(), &why) {
            // What was typed before this was known agreed to something else.
            self.retype = Retype::of(why);
            self.buttons.begin_again(store.now.boot_ms);
        }
        None
    }

    /// Returns the terms that the button would agree to.
    pub fn terms(&self) -> Terms {
        let fee = match &self.draft.quote {
            QuoteState::Shown(quote) => FiguresSeen::of(quote),
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => {
                FiguresSeen::Asking
            }
            failed @ QuoteState::Failed { .. } => FiguresSeen::Other(Box::new(failed.clone())),
        };
        let why = self.retype.iter().flat_map(|retype| retype.why.clone()).collect();
        Terms::Withdrawal { key: self.agreement.key, fee, why, past: self.past.clone() }
    }
}
