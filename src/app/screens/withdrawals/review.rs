//! The review of a new withdrawal: it shows the request exactly as it will be sent, before the
//! seller confirms it.

use super::Draft;
use super::final_review::FinalReview;
use super::show::terms::{self, TermsBuilder, TermsPage};
use crate::app::cx::{Cx, Route, ScreenCommand};
use crate::app::store::frame_snapshot::Terms;
use crate::app::store::withdrawals::Refused;
use crate::app::store::withdrawals::rules::{
    account, missing_credential, needs_approval, new_withdrawal_refusal, quote_refusal,
};
use crate::app::store::withdrawals::{self, QuoteState, confirm_warnings};
use crate::app::store::{consent, credentials, unit};
use crate::app::ui::parts::wrapped;
use crate::app::ui::{Action, Area, Line, Page, Role, contract_form};
use crate::app::{Notice, Store};
use crate::trade::withdrawal::{Agreement, Blocker};
use crate::trade::{Failure, NoQuote, Wall};

#[derive(Debug, Clone)]
pub struct Review {
    /// The draft that the seller can return to.
    pub draft: Draft,
    /// The withdrawal to confirm, with the exact bytes of the request body.
    pub agreement: Agreement,
    /// The last check before sending: unusual facts about the withdrawal, and the buttons.
    pub final_review: FinalReview,
    /// True if the seller confirmed that the withdrawal is only prepared, because somebody else
    /// must approve it.
    pub only_prepares: bool,
}

/// Opens the review screen for a draft: builds the request body and assigns an idempotency key.
///
/// Returns `None` if the draft is refused, or if a login or consent must come first.
pub fn open(draft: &mut Draft, cx: &mut Cx) -> Option<Review> {
    // Clear the previous refusal, which is set again below if it still applies.
    let previous = draft.refusal.take();
    if draft.check(cx.store) {
        if let Some(missing) = missing_credential(cx.store) {
            credentials::open_credential_form(cx, missing, Failure::NoCredential(missing));
            return None;
        }
        if draft.ask_to_try_credential(cx) {
            return None;
        }
    }
    // Figures that do not fit the unit block the review, so ask about the unit first.
    if draft.check(cx.store) && cx.store.unit.doubt.is_some() {
        cx.open(Route::UnitDoubt);
        return None;
    }
    match build_review(draft, cx.store) {
        Ok(_) if unit::open_question(cx) => None,
        // If the seller must first agree to the API contract, drop this review and its unused
        // idempotency key.
        Ok(review) => (!consent::open_if_pending(cx, Some(ScreenCommand::Press(Action::Submit))))
            .then_some(review),
        Err(None) => None,
        Err(Some(refusal)) => {
            let is_clash = matches!(refusal, Refused::Blocked(Blocker::Clash(_)));
            let is_transient =
                matches!(&refusal, Refused::Journal(trouble) if trouble.is_transient());
            if previous.as_ref() == Some(&refusal) {
                cx.store.notify(Notice::warn("said-still-refused"));
            }
            draft.refusal = Some(refusal);
            // Reload the withdrawals, because the cause may be gone: the other withdrawal has a
            // final outcome, or the journal works again.
            if is_clash || is_transient {
                withdrawals::reload(cx);
            }
            None
        }
    }
}

/// Builds the withdrawal and its review from the draft.
///
/// # Errors
///
/// Returns the refusal, or `None` if a field of the form is invalid, because that field shows the
/// reason. Also returns `None` if the current message has already opened a review.
fn build_review(draft: &mut Draft, store: &mut Store) -> Result<Review, Option<Refused>> {
    let contract = store.setup.contract.clone();
    if !draft.check(store) {
        return Err(None);
    }
    let key = store.fresh_key.take().ok_or(None)?;
    let key_text = contract.withdrawal.key_text(key);
    let form = &contract.withdrawal.form;
    let body = contract_form::body(&mut draft.form, form, Some(&key_text)).ok_or(None)?;
    // Read the amount back from the request body, so that the journal and the request cannot
    // differ.
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
        quote: draft.quote.arrived().cloned(),
        agreed: store.now.clone(),
    };
    match new_withdrawal_refusal(store, &agreement).or_else(|| quote_refusal(&draft.quote)) {
        Some(refusal) => Err(Some(refusal)),
        None => Ok(Review {
            draft: draft.clone(),
            agreement,
            final_review: FinalReview::waiting(),
            only_prepares: false,
        }),
    }
}

impl Review {
    /// True if the seller may confirm the withdrawal now. The fee quote must be recent or known to
    /// be unavailable, and the amount must be retyped if required.
    pub fn may_confirm(&self, now_ms: u64, now: Wall) -> bool {
        let is_quote_valid = match &self.draft.quote {
            QuoteState::Arrived(quote) => {
                quote.is_fresh(now) && self.agreement.quote.as_ref() == Some(quote)
            }
            quote @ QuoteState::Failed { .. } => {
                quote.leaves_the_fee_unknown() && self.final_review.retype.is_some()
            }
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => false,
        };
        is_quote_valid && self.final_review.may_confirm(self.agreement.amount, now_ms)
    }

    /// Copies the new fee quote into the withdrawal, and disables the confirming button for a
    /// moment.
    pub fn copy_quote(&mut self, store: &Store) {
        self.agreement.quote = self.draft.quote.arrived().cloned();
        self.final_review
            .buttons
            .reset_focus_and_delay(store.now.boot_ms);
    }

    /// Updates the reasons why the seller must type the amount again. Returns a refusal if another
    /// withdrawal now blocks this one.
    pub fn on_store_change(&mut self, store: &Store) -> Option<Refused> {
        // A quote that was requested on this screen may have raised a doubt.
        if store.unit.doubt.is_some() {
            return Some(Refused::ReviewAgain(None));
        }
        match new_withdrawal_refusal(store, &self.agreement) {
            Some(Refused::Blocked(Blocker::Clash(clash))) => {
                return Some(Refused::ReviewAgain(Some(clash)));
            }
            Some(Refused::OtherUnit) => return Some(Refused::OtherUnit),
            _ => {}
        }
        let reasons = confirm_warnings::reasons_for_new(
            store,
            &self.agreement,
            self.final_review.past.as_ref(),
        );
        self.final_review.set_reasons(store, reasons);
        None
    }

    /// The terms, such as the amount and the fee, that pressing the confirming button would accept.
    pub fn terms(&self, store: &Store) -> Terms {
        let fee = self.draft.quote.as_terms();
        let why = self.final_review.reasons().to_vec();
        Terms::Withdrawal {
            key: self.agreement.key,
            needs_approval: needs_approval(store),
            fee,
            why,
            past: self.final_review.past.clone(),
        }
    }

    fn is_stale(&self, store: &Store) -> bool {
        self.agreement
            .quote
            .as_ref()
            .is_some_and(|quote| !quote.is_fresh(store.now.wall))
    }

    /// Draws the amounts, the other terms and the unusual facts about the withdrawal.
    pub fn show(&self, store: &Store, area: Area, page: &mut Page) {
        // Another withdrawal may have been paid, so "nothing was sent" must refer to this
        // withdrawal only.
        let nothing_sent_id =
            if store.is_another_open(None) || self.final_review.other_withdrawal().is_some() {
                "beside-not-sent"
            } else {
                "review-nothing-yet"
            };
        let can_confirm = self.may_confirm(store.now.boot_ms, store.now.wall);
        let is_quote_outdated = self.draft.quote.has_no_result() || self.is_stale(store);
        let amount = self.agreement.amount.to_string();
        let back_label = store.text("review-back");
        let confirm_id = if needs_approval(store) {
            "review-prepare"
        } else {
            "review-confirm"
        };
        let confirm_label = store.with(confirm_id, &[("amount", &amount)]);
        let terms = TermsPage {
            name: &store.text("review-title"),
            amount: &amount,
            aside: Line::of(Role::Dim, store.text(nothing_sent_id)),
            labels: [&back_label, &confirm_label],
            can_confirm: Some(can_confirm).filter(|can_confirm| {
                !self.draft.quote.blocks() && (*can_confirm || !is_quote_outdated)
            }),
        };
        terms.draw(
            store,
            &self.final_review,
            |builder| self.add_terms(store, builder),
            area,
            page,
        );
    }

    fn add_terms(&self, store: &Store, builder: &mut TermsBuilder) {
        self.add_amounts(store, builder);
        builder.add_gap();
        builder.add_agreement(store, &self.agreement, self.final_review.past.as_ref());
        builder.add_gap();
        match &self.final_review.retype {
            _ if self.draft.quote.blocks() => {}
            Some(_) => builder.add_retype(store, &self.final_review, self.agreement.amount),
            None if needs_approval(store) => {}
            None => builder.add_text(Role::Text, &store.text("review-only-then")),
        }
        if needs_approval(store) && !self.draft.quote.blocks() {
            builder.add_text(Role::Text, &store.text("review-approval-first"));
        }
    }

    /// Adds the amount, the fee and the net amount to the page, with the warnings about them.
    fn add_amounts(&self, store: &Store, builder: &mut TermsBuilder) {
        let amounts_without_quote =
            || terms::figures_without_quote(store.words(), self.agreement.amount, builder.width);
        match &self.agreement.quote {
            // The fee is unusable, or the service refused the amount. Therefore show neither a fee
            // nor "unknown", but only the amount.
            _ if self.draft.quote.blocks() => builder.add(amounts_without_quote().amount),
            Some(quote) => builder.add_figures(terms::quote_figures(store, quote, builder.width)),
            None => builder.add_figures(amounts_without_quote()),
        }
        builder.add(self.warning_lines(store, builder.width));
    }

    /// Lays out the warnings about the amount, the fee and the net amount.
    fn warning_lines(&self, store: &Store, width: usize) -> Vec<Line> {
        let mut lines = match &self.draft.quote {
            QuoteState::Asking { wait, .. } => terms::asking_lines(store, *wait, width),
            QuoteState::Failed { amount, why }
                if why.blocks() || matches!(why, NoQuote::Fault(_)) =>
            {
                terms::no_quote_lines(store, *amount, why, width)
            }
            _ if self.is_stale(store) => wrapped(Role::Warn, &store.text("review-stale"), width),
            _ => vec![],
        };
        if let Some(first_quote) = self.draft.first_quote_if_changed() {
            let values = [
                ("fee", &*first_quote.fee.to_string()),
                ("net", &first_quote.net.to_string()),
            ];
            let changed = store.with("review-quote-changed", &values);
            lines.extend(wrapped(Role::Warn, &changed, width));
        }
        lines
    }
}
