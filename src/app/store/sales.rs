//! The facts about a link or direct payment that the seller records.
//!
//! A created link or direct payment can be marked as paid. If its creation is not confirmed, the
//! seller can remove it or, if a request was sent, enter the URL or Pix code found at the service.

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

/// Returns the actions for recording something about a link or direct payment.
pub fn actions(store: &Store, sale: &Sale) -> Vec<Action> {
    let marking = can_mark(store, sale).then_some(Action::MarkPaid);
    marking.into_iter().chain(settling(sale).iter().copied()).collect()
}

/// Returns the actions with their labels. If the row is marked as paid, the mark action is labeled
/// as undo.
pub fn labelled(offered: Vec<Action>, is_marked: bool) -> Actions {
    let actions = Actions::from(offered).word(Action::Discard, "put-away");
    if is_marked { actions.word(Action::MarkPaid, "undo") } else { actions }
}

/// Runs one of the [`actions`] on a link or direct payment.
pub fn act(cx: &mut Cx, sale: Sale, action: Action) {
    match action {
        action if !actions(cx.store, &sale).contains(&action) => {}
        Action::MarkPaid => mark(cx, sale),
        Action::Found => cx.open(Route::FoundSale(Box::new(sale))),
        Action::Discard => cx.ask(Question::PutAway(Box::new(sale))),
        _ => {}
    }
}

/// Returns true if a link or direct payment can be marked as paid: its creation is recorded in the
/// history, and the sandbox has not reported its payment.
fn can_mark(store: &Store, sale: &Sale) -> bool {
    let is_reported = sale.paid().is_some_and(|paid| paid.source == PaidSource::Sandbox);
    sale.is_created() && !store.unsaved.has(sale) && !is_reported
}

/// Marks a link or direct payment as paid, or removes the mark. The seller sets the mark, because
/// the API does not report payments.
fn mark(cx: &mut Cx, sale: Sale) {
    let paid = if sale.paid().is_none() { Some(cx.store.now.wall) } else { None };
    let mark = HistoryCommand::MarkPaid { sale: Box::new(sale), paid };
    cx.perform(Effect::History(mark));
    cx.tell_story(SellerEvent::Mark);
}

/// Returns the actions for a link or direct payment whose creation is not confirmed. Returns none
/// if it was created.
///
/// After a refusal, the seller can still enter the URL or Pix code, because the service may still
/// have created the link or payment.
pub fn settling(sale: &Sale) -> &'static [Action] {
    match sale {
        Sale::Link(PaymentLink { outcome: LinkOutcome::Created { .. }, .. })
        | Sale::Charge(Charge { outcome: ChargeOutcome::Created { .. }, .. }) => &[],
        Sale::Link(PaymentLink { outcome: LinkOutcome::NotSent, .. })
        | Sale::Charge(Charge { outcome: ChargeOutcome::NotSent, .. }) => &[Action::Discard],
        Sale::Link(_) | Sale::Charge(_) => &[Action::Found, Action::Discard],
    }
}

/// Returns the link or direct payment as created, with the URL or Pix code that the seller found.
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

/// Returns the warnings about the URL or Pix code that the seller is entering.
pub fn warnings(store: &Store, found: &Sale) -> Vec<PayableWarning> {
    Payable::of_sale(store, found).map(|payable| payable.warnings).unwrap_or_default()
}

/// Stores the address or Pix code that the seller found at the service.
pub fn found(cx: &mut Cx, sale: Sale) -> Wait {
    let wait = cx.store.wait();
    let found = HistoryCommand::FoundSale { ticket: wait.ticket, sale: Box::new(sale) };
    cx.perform(Effect::History(found));
    wait
}

/// Handles a message about one link or direct payment: it was marked as paid, found at the service,
/// removed, or could not be saved.
pub fn on_message(cx: &mut Cx, msg: &Msg) {
    match msg {
        Msg::NotSaved(sale) => cx.store.unsaved.keep((**sale).clone()),
        Msg::MarkedPaid(Ok(sale)) => {
            let said = if sale.paid().is_some() { "said-marked" } else { "said-unmarked" };
            cx.store.notify(Notice::good(said));
            reload(cx, sale);
        }
        Msg::MarkedPaid(Err(why)) => cx.store.notify(Notice::NotMarked(why.clone())),
        Msg::SaleFound { result: Ok(sale), .. } => {
            match &**sale {
                Sale::Link(link) => cx.store.links.list.replace(link, HistoryRecord::is_same),
                Sale::Charge(charge) => cx.store.charges.replace(charge, HistoryRecord::is_same),
            }
            reload(cx, sale);
        }
        Msg::PutAway(Ok(sale)) => {
            cx.store.notify(Notice::good("said-put-away"));
            reload(cx, sale);
        }
        Msg::PutAway(Err(why)) => cx.store.notify(Notice::History(why.clone())),
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
