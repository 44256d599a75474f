//! The actions by which the seller records something about a link or direct payment.
//!
//! If the link or payment was created, the seller can mark it as paid. If its creation is not
//! confirmed, the seller can remove it. If a request was sent, the seller can also enter the URL or
//! Pix code found at the service.

use crate::app::cx::{Cx, Question, Route};
use crate::app::store::notice::Notice;
use crate::app::store::payable::Payable;
use crate::app::store::payable_warnings::PayableWarning;
use crate::app::store::story::SellerEvent;
use crate::app::store::unsaved::HistoryRecord;
use crate::app::store::{charges, links};
use crate::app::ui::action::{Action, Actions};
use crate::app::{Effect, HistoryCommand, Msg, Store, Wait};
use crate::trade::{Charge, ChargeOutcome, LinkOutcome, PaidSource, PaymentLink, Sale, Untrusted};

/// Returns the actions by which the seller can record something about this link or direct payment.
pub fn actions(store: &Store, sale: &Sale) -> Vec<Action> {
    let mark_action = can_mark(store, sale).then_some(Action::MarkPaid);
    mark_action.into_iter().chain(unconfirmed_actions(sale).iter().copied()).collect()
}

/// Returns the actions with their labels. If the link or payment is already marked as paid, the
/// mark action is labeled as undo.
pub fn label_actions(actions: Vec<Action>, is_marked: bool) -> Actions {
    let actions = Actions::from(actions).word(Action::Discard, "put-away");
    if is_marked { actions.word(Action::MarkPaid, "undo") } else { actions }
}

/// Runs an action on a link or direct payment, if it is one of its [`actions`].
pub fn act(cx: &mut Cx, sale: Sale, action: Action) {
    match action {
        action if !actions(cx.store, &sale).contains(&action) => {}
        Action::MarkPaid => mark(cx, sale),
        Action::Found => cx.open(Route::FoundSale(Box::new(sale))),
        Action::Discard => cx.ask(Question::RemoveSale(Box::new(sale))),
        _ => {}
    }
}

/// Returns true if the seller can mark a link or direct payment as paid. The history must contain
/// that it was created, and the sandbox must not have reported it as paid.
fn can_mark(store: &Store, sale: &Sale) -> bool {
    let is_reported = sale.paid().is_some_and(|paid| paid.source == PaidSource::Sandbox);
    sale.is_created() && !store.unsaved.has(sale) && !is_reported
}

/// Marks a link or direct payment as paid, or removes the mark. The seller does this by hand,
/// because the API does not report payments.
fn mark(cx: &mut Cx, sale: Sale) {
    let paid = if sale.paid().is_none() { Some(cx.store.now.wall) } else { None };
    let command = HistoryCommand::MarkPaid { sale: Box::new(sale), paid };
    cx.perform(Effect::History(command));
    cx.tell_story(SellerEvent::Mark);
}

/// Returns the actions for a link or direct payment whose creation is not confirmed. The list is
/// empty if it was created.
///
/// Even after a refusal, the seller can enter the URL or Pix code, because the service may have
/// created the link or payment anyway.
pub fn unconfirmed_actions(sale: &Sale) -> &'static [Action] {
    match sale {
        Sale::Link(PaymentLink { outcome: LinkOutcome::Created { .. }, .. })
        | Sale::Charge(Charge { outcome: ChargeOutcome::Created { .. }, .. }) => &[],
        Sale::Link(PaymentLink { outcome: LinkOutcome::NotSent, .. })
        | Sale::Charge(Charge { outcome: ChargeOutcome::NotSent, .. }) => &[Action::Discard],
        Sale::Link(_) | Sale::Charge(_) => &[Action::Found, Action::Discard],
    }
}

/// Returns the link or direct payment with the outcome "created" and the URL or Pix code `text`,
/// which the seller found at the service.
pub fn with_payable(sale: Sale, text: Untrusted) -> Sale {
    match sale {
        Sale::Link(link) => {
            Sale::Link(PaymentLink { outcome: LinkOutcome::Created { url: text }, ..link })
        }
        Sale::Charge(charge) => {
            let pix_code = Some(text);
            let outcome =
                ChargeOutcome::Created { id: None, status: None, pix_code, expires: None };
            Sale::Charge(Charge { outcome, ..charge })
        }
    }
}

/// Returns the warnings about the URL or Pix code that the seller is typing.
pub fn warnings(store: &Store, found: &Sale) -> Vec<PayableWarning> {
    Payable::of_sale(store, found).map(|payable| payable.warnings).unwrap_or_default()
}

/// Saves the URL or Pix code that the seller found at the service.
pub fn record_found(cx: &mut Cx, sale: Sale) -> Wait {
    let wait = cx.store.wait();
    let command = HistoryCommand::FoundSale { ticket: wait.ticket, sale: Box::new(sale) };
    cx.perform(Effect::History(command));
    wait
}

/// Handles a message about one link or direct payment, for example that it was marked as paid, was
/// removed, or could not be saved.
pub fn on_message(cx: &mut Cx, msg: &Msg) {
    match msg {
        Msg::NotSaved(sale) => cx.store.unsaved.keep((**sale).clone()),
        Msg::MarkedPaid(Ok(sale)) => {
            let message_id = if sale.paid().is_some() { "said-marked" } else { "said-unmarked" };
            cx.store.notify(Notice::good(message_id));
            reload(cx, sale);
        }
        Msg::MarkedPaid(Err(trouble)) => cx.store.notify(Notice::NotMarked(trouble.clone())),
        Msg::SaleFound { result: Ok(sale), .. } => {
            match &**sale {
                Sale::Link(link) => cx.store.links.list.replace(link, HistoryRecord::is_same),
                Sale::Charge(charge) => cx.store.charges.replace(charge, HistoryRecord::is_same),
            }
            reload(cx, sale);
        }
        Msg::SaleRemoved(Ok(sale)) => {
            cx.store.notify(Notice::good("said-put-away"));
            reload(cx, sale);
        }
        Msg::SaleRemoved(Err(trouble)) => cx.store.notify(Notice::History(trouble.clone())),
        _ => {}
    }
}

fn reload(cx: &mut Cx, sale: &Sale) {
    match sale {
        Sale::Link(_) => {
            links::reload(cx);
            cx.store.links.list.keeps_row = true;
        }
        Sale::Charge(_) => {
            charges::reload(cx);
            cx.store.charges.keeps_row = true;
        }
    }
}
