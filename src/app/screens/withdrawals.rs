//! Withdrawals: the pane with their list, the details screen, and [`Flow`], the screen from the
//! form to the outcome.
//!
//! [`Flow`] has these stages:
//!
//! ```text
//! Form -- submit --> Review -- confirm --> Preparing -- durable --> Sending -- settled --> Outcome
//!   ^--- back ---------'                                    ^---- the send question (same key) --'
//! ```
//!
//! Opening the review creates an agreement (the terms to confirm) with its own idempotency key. A
//! changed draft gets a new review and a new key. A resend uses the same agreement and the same
//! key.

mod details;
pub mod draft;
mod final_review;
mod flow;
mod forms;
pub mod guide;
pub mod not_paid;
pub mod receipt;
mod review;
pub mod send;
mod show;
mod unit_doubt;

pub use details::{Attempts, Details};
pub use draft::Draft;
pub use final_review::FinalReview;
pub use flow::Flow;
pub use forms::{ArrivedForm, NicknameForm};
pub use guide::Guide;
pub use not_paid::NotPaidForm;
pub use receipt::Receipt;
pub use review::Review;
pub use send::{FeeCheck, SendQuestion};
pub use unit_doubt::UnitQuestion;

use std::time::Duration;

use crate::app::cx::{Cx, Question, Route};
use crate::app::screen::{Actions, Info, ListAccess, Screen, ScreenBody, ScreenEvent, ScreenLinks};
use crate::app::store::clip::{self, Clip};
use crate::app::store::list_export::ListKind;
use crate::app::store::withdrawals::Purpose;
use crate::app::store::withdrawals::rules::{
    approval_action, can_repeat, can_take_approval_back, has_receipt, send_action,
};
use crate::app::store::{requests, withdrawals};
use crate::app::ui::action::Action;
use crate::app::ui::list::{Group, ListLine, ShownRows};
use crate::app::ui::{Area, Page};
use crate::app::{Effect, MoneyCommand, Pane, Store};
use crate::trade::Withdrawal;
use crate::trade::withdrawal::WithdrawalState;

#[derive(Debug, Clone, Copy)]
pub struct WithdrawalsPane;

/// The group in which the list shows a withdrawal: open, prepared or decided.
fn list_group(store: &Store, withdrawal: &Withdrawal) -> Group {
    match store.state_of(withdrawal) {
        state if state.is_open() => Group::Open,
        WithdrawalState::Prepared => Group::Prepared,
        _ => Group::Decided,
    }
}

/// Runs an action on a withdrawal, both in the list and on its details screen.
fn act_on(cx: &mut Cx, withdrawal: &Withdrawal, action: Action) {
    let agreement = &withdrawal.agreement;
    let key = agreement.key;
    match action {
        Action::Send => cx.open(Route::Send(Box::new(withdrawal.clone()), Purpose::Send)),
        Action::Approve if can_take_approval_back(cx.store, withdrawal) => {
            cx.perform(Effect::Money(MoneyCommand::TakeApprovalBack { key }));
        }
        Action::Approve => cx.open(Route::Send(Box::new(withdrawal.clone()), Purpose::Approve)),
        Action::Copy => clip::copy(cx, Clip::Key, key.to_string().into()),
        Action::Check => cx.open(Route::Guide(key)),
        Action::Found => cx.ask(Question::Found(key)),
        Action::Discard => cx.ask(Question::Discard(key)),
        Action::Open => cx.open(Route::Attempts(key)),
        // Prefill only the destination of the new withdrawal; the seller types the amount again.
        Action::Repeat => cx.open(Route::NewWithdrawal(
            agreement.destination.clone().map(Box::new),
        )),
        Action::Nickname => {
            if let Some(key) = agreement.destination.clone() {
                cx.open(Route::Nickname(Box::new((agreement.account.clone(), key))))
            }
        }
        Action::Arrived => {
            let withdrawal = Box::new(withdrawal.clone());
            cx.open(Route::Arrived {
                withdrawal,
                is_before_review: false,
            })
        }
        Action::Receipt => cx.open(Route::Receipt(Box::new(withdrawal.clone()))),
        Action::Related => requests::show_of_withdrawal(cx, withdrawal),
        Action::Refresh => withdrawals::reload(cx),
        _ => {}
    }
}

/// Opens the details of another withdrawal that the current screen mentions, on top of that screen.
fn open_other(cx: &mut Cx, other: Option<&Withdrawal>) {
    let Some(other) = other else { return };
    // The copy in `other` may be outdated, so prefer the version in the store.
    let key = other.agreement.key;
    let stored = cx.store.withdrawals.find(key);
    cx.open(Route::Withdrawal(Box::new(stored.unwrap_or(other).clone())))
}

/// Labels the send action "resend" if the outcome of the withdrawal is unknown, and the approval
/// "take back" if the seller has approved.
fn label_actions(store: &Store, withdrawal: Option<&Withdrawal>, offered: Vec<Action>) -> Actions {
    let is_unknown =
        withdrawal.is_some_and(|withdrawal| store.state_of(withdrawal) == WithdrawalState::Unknown);
    let is_approved =
        withdrawal.is_some_and(|withdrawal| can_take_approval_back(store, withdrawal));
    let mut actions = Actions::from(offered);
    if is_unknown {
        actions = actions.word(Action::Send, "again");
    }
    if is_approved {
        actions = actions.word(Action::Approve, "back");
    }
    actions
}

impl Screen for WithdrawalsPane {
    fn info(&self) -> Info {
        Info::list("withdrawals", Pane::Withdrawals)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let needs = store.setup.contract.withdrawal.call.credential;
        ScreenLinks {
            needs,
            ..ScreenLinks::default()
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::pane::draw(store, area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let withdrawals = &store.withdrawals;
        let mut offered = if withdrawals.can_begin() {
            vec![Action::New]
        } else {
            vec![]
        };
        offered.extend(withdrawals.can_make_live().then_some(Action::MakeLive));
        if let Some(selected) = withdrawals.list.selected() {
            offered.push(Action::Open);
            offered.extend(send_action(store, selected).filter(|action| *action == Action::Send));
            offered.extend(approval_action(store, selected));
            offered.extend(can_repeat(store, selected).then_some(Action::Repeat));
            offered.extend(has_receipt(store, selected).then_some(Action::Receipt));
        }
        offered.extend([Action::Search, Action::Refresh]);
        if let Some(selected) = withdrawals.list.selected() {
            offered.push(Action::Copy);
            offered.extend(
                selected
                    .agreement
                    .destination
                    .as_ref()
                    .map(|_| Action::Nickname),
            );
            offered.push(Action::Related);
            if store.setup.kiosk().is_none() {
                offered.push(Action::Save);
            }
        }
        label_actions(store, withdrawals.list.selected(), offered).word(Action::Save, "list")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match (action, cx.store.withdrawals.list.selected().cloned()) {
            (Action::New, _) => cx.open(Route::NewWithdrawal(None)),
            (Action::MakeLive, _) => cx.open(Route::MakeLive),
            (Action::Refresh, _) => withdrawals::reload(cx),
            (Action::Save, _) => cx.open(Route::ExportList(ListKind::Withdrawals)),
            // In the list, Open shows the details. On the details screen, it shows the send
            // attempts.
            (Action::Open, Some(withdrawal)) => cx.open(Route::Withdrawal(Box::new(withdrawal))),
            (action, Some(withdrawal)) => act_on(cx, &withdrawal, action),
            _ => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::List(ListAccess {
            get: |store| &store.withdrawals.list,
            get_mut: |store| &mut store.withdrawals.list,
        })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let loads = matches!(event, ScreenEvent::Load);
        if loads {
            withdrawals::reload(cx);
        }
        loads
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        let area = show::pane::areas(area).list;
        let list = &store.withdrawals.list;
        Some(list.shown(area, |withdrawal| {
            ListLine::Group(list_group(store, withdrawal))
        }))
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        let areas = store.areas(store.size)?;
        show::pane::areas(areas.body).aside?;
        details::next_change(store, store.withdrawals.list.selected()?)
    }
}
