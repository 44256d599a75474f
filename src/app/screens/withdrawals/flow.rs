//! The screen of a withdrawal through all its stages: form, review, sending and outcome.

use std::time::Duration;

use super::final_review::look_up_past;
use super::show::{facts, outcome};
use super::{Details, Draft, Review, draft, open_other, review};
use crate::app::cx::Cx;
use crate::app::screen::{
    Actions, BodyMut, Info, Offer, Screen, ScreenBody, ScreenEvent, ScreenLinks,
};
use crate::app::store::kiosk::{self, Limited};
use crate::app::store::motion::Motion;
use crate::app::store::withdrawals::QuoteState;
use crate::app::store::withdrawals::Refused;
use crate::app::store::withdrawals::rules::{is_unapproved, needs_approval};
use crate::app::store::{teaching, unit, withdrawals};
use crate::app::ui::action::Action;
use crate::app::ui::parts::{title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role};
use crate::app::{Effect, MoneyCommand, Msg, Pane, Store, Wait};
use crate::trade::withdrawal::{Agreement, Attempt, Blocker, NotDone, NotSent, WithdrawalState};
use crate::trade::{CredentialKind, Failure, IdempotencyKey, NoQuote, Operation, Withdrawal};

/// The stages of a withdrawal on this screen, from the form to the outcome.
#[derive(Debug, Clone)]
pub enum Flow {
    /// The seller fills in the form.
    Form(Box<Draft>),
    /// The seller reviews the exact request. From here on the withdrawal has an idempotency key.
    Review(Box<Review>),
    /// The seller has confirmed, and the journal is storing the withdrawal.
    Preparing { review: Box<Review>, wait: Wait },
    /// The request is being sent to the service.
    Sending {
        /// The withdrawal. Once this send attempt has begun, the withdrawal contains it.
        withdrawal: Box<Withdrawal>,
        wait: Wait,
    },
    /// The result of sending is shown.
    Outcome(Box<Details>),
}

impl Flow {
    /// Creates the sending stage, and marks the withdrawal as being sent.
    pub fn begin_sending(store: &mut Store, withdrawal: Withdrawal) -> Flow {
        store.withdrawals.in_flight = Some(withdrawal.agreement.key);
        store.withdrawals.show(&withdrawal);
        Flow::Sending {
            withdrawal: Box::new(withdrawal),
            wait: store.wait(),
        }
    }

    /// The idempotency key; `None` in the form stage.
    pub fn key(&self) -> Option<IdempotencyKey> {
        match self {
            Flow::Form(_) => None,
            Flow::Review(review) | Flow::Preparing { review, .. } => Some(review.agreement.key),
            Flow::Sending { withdrawal, .. } => Some(withdrawal.agreement.key),
            Flow::Outcome(outcome) => Some(outcome.withdrawal.agreement.key),
        }
    }

    fn draft_mut(&mut self) -> Option<&mut Draft> {
        match self {
            Flow::Form(draft) => Some(draft),
            Flow::Review(review) => Some(&mut review.draft),
            Flow::Preparing { .. } | Flow::Sending { .. } | Flow::Outcome(_) => None,
        }
    }

    /// Requests that the journal store the confirmed withdrawal. The withdrawal is sent only after
    /// it was stored.
    fn confirm(&mut self, cx: &mut Cx) {
        let Flow::Review(review) = self else { return };
        if !kiosk::count_use(cx.store, Limited::Withdrawal) {
            return;
        }
        let mut review = review.clone();
        review.agreement.agreed = cx.stamp.clocks.clone();
        review.only_prepares = needs_approval(cx.store);
        let agreement = Box::new(review.agreement.clone());
        let retyped = review.final_review.retyped();
        cx.store.withdrawals.preparing = Some(agreement.key);
        *self = Flow::Preparing {
            review,
            wait: cx.store.wait(),
        };
        cx.perform(Effect::Money(MoneyCommand::Prepare { agreement, retyped }))
    }

    /// True if this screen will show the result of sending this withdrawal.
    pub fn will_show_result_of(&self, key: IdempotencyKey) -> bool {
        matches!(self, Flow::Sending { .. } | Flow::Outcome(_)) && self.key() == Some(key)
    }

    /// Switches to the stage that shows the outcome. `trouble` is a failure on this computer, such
    /// as a withdrawal journal that could not be written.
    fn show_outcome(
        &mut self,
        store: &mut Store,
        withdrawal: &Withdrawal,
        trouble: Option<Failure>,
    ) {
        store.withdrawals.show(withdrawal);
        let was_shown = matches!(self, Flow::Outcome(details) if details.withdrawal == *withdrawal);
        let is_accepted = store.state_of(withdrawal) == WithdrawalState::Accepted;
        *self = Flow::Outcome(Box::new(Details {
            withdrawal: withdrawal.clone(),
            trouble,
            motion: (is_accepted && !was_shown).then_some(Motion(store.now.boot_ms)),
        }));
    }

    /// Shows the trouble of a send attempt. `latest` is the withdrawal in the journal, if it can be
    /// read.
    fn show_trouble(&mut self, store: &mut Store, latest: Option<&Withdrawal>, trouble: &Failure) {
        let latest = match (latest, &*self) {
            (Some(latest), Flow::Sending { .. } | Flow::Outcome(_)) => latest.clone(),
            (None, Flow::Sending { withdrawal, .. }) => (**withdrawal).clone(),
            _ => return,
        };
        self.show_outcome(store, &latest, Some(trouble.clone()));
    }

    /// Handles a message about this withdrawal. Returns false for any other message.
    fn on_message(&mut self, cx: &mut Cx, msg: &Msg) -> bool {
        let own_key = self.key();
        match (&mut *self, msg) {
            (Flow::Form(draft), Msg::Quoted { ticket, result }) => {
                draft.on_quote_in_form(cx, *ticket, result);
            }
            (Flow::Review(review), Msg::Quoted { ticket, result }) => {
                if review.draft.on_quote(cx.store, *ticket, result) {
                    review.copy_quote(cx.store);
                }
            }
            (_, Msg::ConsentStored { result: Ok(()), .. }) => {
                if let Some(draft) = self.draft_mut() {
                    draft.retry_failed_quote(cx.store);
                }
            }
            // The terms on the review screen must not change, so a correction of the API contract
            // affects only the form.
            (Flow::Form(draft), Msg::Taught { result: Ok(_), .. }) => {
                draft.on_contract_change(cx.store)
            }
            (_, Msg::DestinationsLoaded { ticket, result }) => {
                if let Some(draft) = self.draft_mut() {
                    draft.on_known_loaded(cx, *ticket, result);
                }
            }
            (Flow::Review(review), Msg::Reviewed { key, past }) if own_key == Some(*key) => {
                if let Some(trouble) = review.final_review.on_past_loaded(cx, past) {
                    self.return_to_form(Some(Refused::Journal(trouble)));
                }
            }
            // Another withdrawal may now prevent sending this one, so check again.
            (Flow::Review(review), Msg::JournalChanged) => look_up_past(cx, &review.agreement),
            (Flow::Preparing { review, .. }, Msg::Prepared { key, result })
                if own_key == Some(*key) =>
            {
                let draft = review.draft.clone();
                let only_prepares = review.only_prepares;
                self.on_prepared(cx, draft, only_prepares, result)
            }
            (Flow::Sending { withdrawal, .. }, Msg::AttemptBegan { key, n })
                if own_key == Some(*key) =>
            {
                add_attempt(cx.store, withdrawal, *n);
            }
            (
                Flow::Sending { .. } | Flow::Outcome(_),
                Msg::Settled(withdrawal)
                | Msg::Decided {
                    result: Ok(withdrawal),
                    ..
                },
            ) if own_key == Some(withdrawal.agreement.key) => {
                self.show_outcome(cx.store, withdrawal, None);
                let refused = teaching::after_withdrawal(cx.store, withdrawal);
                teaching::ask_after_refusal(cx, refused);
            }
            (
                _,
                Msg::AttemptTrouble {
                    key,
                    withdrawal,
                    trouble,
                },
            ) if own_key == Some(*key) => {
                self.show_trouble(cx.store, withdrawal.as_deref(), trouble);
            }
            _ => return false,
        }
        true
    }

    /// Handles the journal's reply to the request to store the withdrawal: sends it, or returns to
    /// the form.
    fn on_prepared(
        &mut self,
        cx: &mut Cx,
        draft: Draft,
        only_prepares: bool,
        result: &Result<Box<Withdrawal>, NotDone>,
    ) {
        cx.store.withdrawals.preparing = None;
        // Remember the new withdrawal, so that the cursor of the list is on it if the seller leaves
        // this screen.
        cx.store.withdrawals.list.created = result.as_deref().ok().cloned();
        match result {
            // Only one withdrawal can be sent at a time. The new one stays stored until the current
            // one has ended.
            Ok(withdrawal) if cx.store.withdrawals.in_flight.is_some() => {
                self.show_outcome(cx.store, withdrawal, Some(Failure::NotSent(NotSent::Busy)));
            }
            // The seller agreed to prepare it only, or the journal would refuse to send it.
            Ok(withdrawal) if only_prepares || is_unapproved(cx.store, withdrawal) => {
                self.show_outcome(cx.store, withdrawal, None);
            }
            Ok(withdrawal) => {
                *self = Flow::begin_sending(cx.store, (**withdrawal).clone());
                let key = withdrawal.agreement.key;
                return cx.perform(Effect::Money(MoneyCommand::Attempt { key, retyped: None }));
            }
            Err(not_done) => {
                let refusal = match not_done.clone() {
                    // Add the other withdrawal to the list, so that the next review mentions it.
                    NotDone::Blocked(Blocker::Clash(clash)) => {
                        let is_open = cx.store.state_of(&clash.other).is_open();
                        cx.store.withdrawals.note(&clash.other, is_open);
                        Refused::ReviewAgain(Some(clash))
                    }
                    NotDone::Blocked(blocker) => Refused::Blocked(blocker),
                    NotDone::Journal(trouble) => Refused::Journal(trouble),
                };
                *self = Flow::Form(Box::new(Draft {
                    refusal: Some(refusal),
                    ..draft
                }));
            }
        }
        withdrawals::reload(cx)
    }

    /// Returns from the review screen to the form. If there is a refusal, the form shows it.
    fn return_to_form(&mut self, refusal: Option<Refused>) {
        if let Flow::Review(review) = self {
            let draft = review.draft.clone();
            let refusal = refusal.or(draft.refusal.clone());
            *self = Flow::Form(Box::new(Draft { refusal, ..draft }));
        }
    }

    /// Updates the screen after the store changed, for example because another instance of the
    /// program wrote to the withdrawal journal.
    fn on_store_change(&mut self, cx: &mut Cx) {
        if let Some(credential) = cx.store.just_entered
            && let Some(draft) = self.draft_mut()
        {
            draft.retry_failed_quote(cx.store);
            // The earlier destinations depend on the account, so load them again after a login.
            if credential == CredentialKind::ApiToken {
                draft.request_known(cx);
            }
        }
        match self {
            Flow::Form(draft) => {
                draft.show_key_hint(cx);
                draft.clear_outdated_refusal(cx.store);
            }
            Flow::Review(review) => {
                review.draft.clear_outdated_refusal(cx.store);
                if let Some(refusal) = review.on_store_change(cx.store) {
                    self.return_to_form(Some(refusal));
                }
            }
            Flow::Outcome(outcome) => outcome.sync_with_store(cx.store),
            Flow::Preparing { .. } | Flow::Sending { .. } => {}
        }
    }
}

fn add_attempt(store: &Store, withdrawal: &mut Withdrawal, n: u32) {
    // The attempt was stored and its request is being sent, so money may move from now on.
    if withdrawal.attempts.iter().all(|attempt| attempt.n < n) {
        let began = store.now.clone();
        withdrawal.attempts.push(Attempt {
            n,
            began,
            end: None,
            by: None,
        });
    }
}

fn flow_info(name: &'static str) -> Info {
    Info {
        keeps_request_on_back: true,
        ..Info::in_pane(name, Pane::Withdrawals)
    }
}

impl Screen for Flow {
    fn info(&self) -> Info {
        match self {
            Flow::Form(draft) => Info {
                cancels: draft.pending_quote_ticket(),
                ..flow_info("withdraw")
            },
            Flow::Review(review) => {
                let was_typed = Some(review.draft.form.touched);
                Info {
                    blocks_pane_switch: true,
                    was_typed,
                    ..flow_info("review")
                }
            }
            // Storing takes only a moment and cannot be cancelled.
            Flow::Preparing { wait, .. } => Info {
                blocks_pane_switch: true,
                has_no_way_back: true,
                wait: Some(*wait),
                ..flow_info("preparing")
            },
            Flow::Sending { wait, .. } => Info {
                wait: Some(*wait),
                ..flow_info("sending")
            },
            Flow::Outcome(_) => Info {
                about: self.key(),
                ..flow_info("outcome")
            },
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        match self {
            Flow::Form(draft) => draft::show::draw(store, draft, area, page),
            Flow::Review(review) => review.show(store, area, page),
            Flow::Preparing { review, wait } => {
                draw_preparing(store, &review.agreement, *wait, area, page);
            }
            Flow::Sending { withdrawal, wait } => {
                draw_sending(store, withdrawal, *wait, area, page)
            }
            Flow::Outcome(outcome) => outcome.show(store, area, page),
        }
    }

    fn actions(&self, store: &Store, has_more: bool) -> Actions {
        match self {
            // Submitting the form sends nothing; it opens the review screen.
            Flow::Form(draft) => Actions::from(draft.actions(store)).word(Action::Submit, "review"),
            Flow::Review(review) => {
                let mut actions = review.final_review.actions(has_more);
                if review.draft.quote.blocks() {
                    // The confirming button is hidden, so there is no other button to move the
                    // focus to.
                    actions
                        .offered
                        .retain(|action| *action != Action::NextButton);
                }
                let failed = matches!(review.draft.quote, QuoteState::Failed { .. });
                actions.offered.extend(failed.then_some(Action::AskFee));
                actions
            }
            Flow::Preparing { .. } => Actions::default(),
            Flow::Sending { .. } => Actions::default().word(Action::Back, "leave"),
            Flow::Outcome(outcome) => outcome.actions(store, has_more),
        }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match (&mut *self, action) {
            (Flow::Form(draft), Action::ShowOther) => open_other(cx, draft.blocking_withdrawal()),
            (Flow::Form(draft), Action::NextKnown) => draft.choose_known(cx, true),
            (Flow::Form(draft), Action::PrevKnown) => draft.choose_known(cx, false),
            (Flow::Form(draft), Action::AskFee) => draft.ask_fee(cx),
            (Flow::Form(draft), Action::Submit) => {
                if let Some(review) = review::open(draft, cx) {
                    look_up_past(cx, &review.agreement);
                    *self = Flow::Review(Box::new(review));
                }
            }
            (Flow::Review(review), Action::AskFee) => review.draft.refresh_quote(cx.store),
            (Flow::Review(review), Action::ShowOther) => {
                open_other(cx, review.final_review.other_withdrawal())
            }
            (Flow::Review(_), Action::Press) => self.confirm(cx),
            (Flow::Outcome(outcome), action) => outcome.act(cx, action),
            _ => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        match self {
            Flow::Form(draft) => ScreenBody::Form(&draft.form),
            Flow::Review(review) => review.final_review.body(),
            Flow::Preparing { .. } | Flow::Sending { .. } | Flow::Outcome(_) => ScreenBody::Text,
        }
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        match self {
            Flow::Form(draft) => BodyMut::Form(&mut draft.form),
            Flow::Review(review) => review.final_review.body_mut(),
            Flow::Preparing { .. } | Flow::Sending { .. } | Flow::Outcome(_) => BodyMut::Text,
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match (event, &mut *self) {
            (ScreenEvent::Edited, Flow::Form(draft)) => draft.on_edited(cx),
            (ScreenEvent::Typed(key), Flow::Form(draft)) => return draft.type_in_known(cx, key),
            (ScreenEvent::Deadline, _) => {
                if let Some(draft) = self.draft_mut() {
                    draft.request_due_quote(cx);
                }
            }
            // Return to the form with its values. The review's idempotency key is discarded unused.
            (ScreenEvent::Back, Flow::Review(_)) => self.return_to_form(None),
            // Storing takes only a moment and cannot be cancelled.
            (ScreenEvent::Back, Flow::Preparing { .. }) => {}
            (ScreenEvent::Message(msg), _) => return self.on_message(cx, msg),
            (ScreenEvent::StoreChanged, _) => self.on_store_change(cx),
            _ => return false,
        }
        true
    }

    fn offer(&self, store: &Store) -> Option<Offer> {
        let Flow::Review(review) = self else {
            return None;
        };
        let may_confirm = review.may_confirm(store.now.boot_ms, store.now.wall);
        Some(Offer {
            terms: review.terms(store),
            may_confirm,
            amount: Some(review.agreement.amount),
        })
    }

    fn next_deadline(&self, store: &Store, front: bool) -> Option<Duration> {
        match self {
            Flow::Form(draft) => draft.next_deadline(store).filter(|_| front),
            Flow::Review(review) => review.draft.next_deadline(store).filter(|_| front),
            Flow::Preparing { .. } | Flow::Sending { .. } => None,
            Flow::Outcome(outcome) => outcome.next_deadline(store, front),
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        match self {
            Flow::Form(draft) => ScreenLinks {
                needs: store.setup.contract.withdrawal.call.credential,
                exchange: match &draft.quote {
                    _ if draft.refusal == Some(Refused::OtherUnit) => {
                        unit::exchange_to_teach(store)
                    }
                    QuoteState::Failed {
                        why: NoQuote::Failure(failure),
                        ..
                    } => teaching::after(store, Some(failure), Operation::FeePreview),
                    _ => None,
                },
                ..ScreenLinks::default()
            },
            // The outcome is a screen of its own and is never drawn beside the list.
            Flow::Outcome(outcome) => ScreenLinks {
                is_under_cursor: false,
                ..outcome.links(store)
            },
            Flow::Review(_) | Flow::Preparing { .. } | Flow::Sending { .. } => {
                ScreenLinks::default()
            }
        }
    }
}

/// Draws the screen while the journal is storing the confirmed withdrawal. Nothing has been sent
/// yet.
fn draw_preparing(store: &Store, agreement: &Agreement, wait: Wait, area: Area, page: &mut Page) {
    let seconds = wait.seconds(store.now.boot_ms).to_string();
    let elapsed = store.with("preparing-elapsed", &[("seconds", &seconds)]);
    let money_text_id = if store.is_another_open(Some(agreement.key)) {
        "beside-preparing"
    } else {
        "preparing-money"
    };
    let text_ids = [money_text_id, "preparing-what"];
    draw_progress(
        store,
        agreement,
        ("preparing-title", elapsed),
        text_ids,
        area,
        page,
    );
}

fn draw_sending(store: &Store, withdrawal: &Withdrawal, wait: Wait, area: Area, page: &mut Page) {
    let elapsed = outcome::elapsed_text(store, wait.seconds(store.now.boot_ms));
    let text_ids = [outcome::sending_text_id(withdrawal), "sending-leave"];
    draw_progress(
        store,
        &withdrawal.agreement,
        ("sending-title", elapsed),
        text_ids,
        area,
        page,
    );
}

fn draw_progress(
    store: &Store,
    agreement: &Agreement,
    (title_id, elapsed): (&str, String),
    text_ids: [&str; 2],
    area: Area,
    page: &mut Page,
) {
    let heading = store.with(title_id, &[("amount", &agreement.amount.to_string())]);
    title(&heading, Line::of(Role::Dim, elapsed), area, page);
    let inner = area.text().split_top(2).1;
    let width = usize::from(inner.width);
    let mut lines = wrapped(Role::Strong, &store.text(text_ids[0]), width);
    lines.push(Line::default());
    lines.extend(wrapped(Role::Text, &store.text(text_ids[1]), width));
    lines.push(Line::default());
    lines.extend(facts::destination_lines(store, agreement, width));
    lines.extend(facts::key_lines(store.words(), agreement, width));
    Text::compact(lines, inner).draw(store.render_cx(), page);
}
