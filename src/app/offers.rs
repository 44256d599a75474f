//! What can be asked for now.
//!
//! The footer, the help and the dispatch all read this one list, so what is shown can be done and
//! what can be done is shown.

use std::time::Duration;

use super::action::{Action, Place};
use super::form::{Entry, Form, Slot};
use super::layer::Layer;
use super::session::Keeper;
use super::ui::Shown;
pub use super::update::missing_entry;
use super::withdrawals::send::Against;
use super::withdrawals::{
    Flow, QuoteState, Refused, ReviewFocus, destinations, guide, journals, send,
};
use super::{Model, Pane, buyer, money_lines, seen};
use crate::trade::withdrawal::{Attempt, Class, WithdrawalState};
use crate::trade::{
    ChargeOutcome, CredentialKind, Failure, LinkOutcome, PaymentLink, Wall, Withdrawal,
};

/// Where keys are looked up now, the nearest place first.
pub fn places(model: &Model) -> &'static [Place] {
    match model.layers.last() {
        None if is_searching(model) => &[Place::Forms],
        None => &[Place::Lists, Place::Anywhere],
        Some(layer) => match layer {
            Layer::Ask(_)
            | Layer::NotPaid(_)
            | Layer::Send(_)
            | Layer::Withdraw(Flow::Review(_)) => match is_paged(model) {
                false => &[Place::Dialogs, Place::Anywhere],
                true => &[Place::Dialogs, Place::Lists, Place::Anywhere],
            },
            Layer::Palette(_) => &[Place::Forms],
            Layer::MoneyLines(reading) if reading.has_button() => {
                &[Place::Dialogs, Place::Lists, Place::Anywhere]
            }
            layer if layer.form().is_some() => &[Place::Forms, Place::Anywhere],
            _ => &[Place::Lists, Place::Anywhere],
        },
    }
}

/// Whether printable keys are text now.
pub fn takes_text(model: &Model) -> bool {
    match model.layers.last() {
        None => is_searching(model),
        Some(Layer::Palette(_)) => true,
        Some(Layer::NotPaid(statement)) => statement.focus == ReviewFocus::Amount,
        Some(Layer::Send(question)) => question.focus == ReviewFocus::Amount,
        Some(Layer::Withdraw(Flow::Review(review))) => review.focus == ReviewFocus::Amount,
        Some(layer) => layer.wait().is_none() && layer.form().is_some_and(|form| form.takes_text()),
    }
}

/// Whether a choice has the focus.
pub fn is_choosing(model: &Model) -> bool {
    let layer = model.layers.last().filter(|layer| layer.wait().is_none());
    let focused = layer.and_then(Layer::form).and_then(Form::focused);
    focused.is_some_and(|field| matches!(field.entry, Entry::Choice { .. }))
}

/// The secret field with the focus: what is typed there goes to the runtime and nowhere else.
pub fn secret_focus(model: &Model) -> Option<&Slot> {
    let layer = model.layers.last().filter(|layer| layer.wait().is_none())?;
    layer.form()?.secret_slot()
}

/// Whether the search field of the pane in front has the focus.
pub fn is_searching(model: &Model) -> bool {
    match model.pane {
        Pane::Links => model.links.list.searching,
        Pane::Withdrawals => model.withdrawals.list.searching,
        Pane::Charges => model.charges.searching,
        Pane::Domains | Pane::Exchanges | Pane::Account => false,
    }
}

/// What was offered before the palette was opened over it.
pub fn offers_below_palette(model: &Model) -> Vec<Action> {
    let below = model.layers.iter().rev().find(|layer| !matches!(layer, Layer::Palette(_)));
    below.map_or_else(|| pane(model), |layer| over(model, layer, seen::has_more(model)))
}

/// What is offered now, the most useful first.
pub fn offers(model: &Model) -> Vec<Action> {
    let has_more = match model.layers.last() {
        Some(Layer::MoneyLines(reading)) => !reading.is_read,
        _ => seen::has_more(model),
    };
    offers_with(model, has_more)
}

/// What is offered where what would be agreed to was seen as a whole, or has more to be read.
pub fn offers_with(model: &Model, has_more: bool) -> Vec<Action> {
    match model.layers.last() {
        None if is_searching(model) => vec![Action::Enter, Action::Back],
        None => {
            let mut offered = pane(model);
            offered.extend([Action::Palette, Action::Help, Action::Quit]);
            offered
        }
        Some(layer) => {
            let mut offered = over(model, layer, has_more);
            // While an agreement is made durable there is no way back, and it is over in a moment.
            if !matches!(layer, Layer::Withdraw(Flow::Preparing { .. })) {
                offered.push(Action::Back);
            }
            offered
        }
    }
}

fn pane(model: &Model) -> Vec<Action> {
    use Action::*;
    match model.pane {
        Pane::Links => {
            let mut offered = vec![New];
            if let Some(link) = model.links.list.selected() {
                offered.extend([Open, Repeat]);
                offered.extend(with_link(link));
            }
            offered.extend([Search, Refresh]);
            offered
        }
        Pane::Domains => {
            let missing = missing_entry(model, model.setup.contract.domains.call.credential);
            let entry = missing.map(|kind| entry(model, kind));
            entry.into_iter().chain([Open, Refresh]).collect()
        }
        Pane::Withdrawals => {
            let mut offered = if can_withdraw(model) { vec![New] } else { vec![] };
            offered.extend((!journals::all(model).is_empty()).then_some(Journals));
            if let Some(selected) = model.withdrawals.list.selected() {
                offered.push(Open);
                offered.extend(sends(model, selected).filter(|step| *step == Send));
            }
            offered.extend([Search, Refresh]);
            offered.extend(model.withdrawals.list.selected().map(|_| Copy));
            offered
        }
        Pane::Charges => {
            let mut offered = vec![New];
            if let Some(charge) = model.charges.selected() {
                offered.push(Open);
                offered.extend(charge.pix_code().map(|_| Copy));
            }
            offered.extend([Search, Refresh]);
            offered
        }
        Pane::Exchanges if model.exchanges.is_empty() => vec![],
        Pane::Exchanges => vec![Open, Copy],
        Pane::Account => {
            let mut offered = vec![LogIn, PasteJwt];
            if model.session.identity().is_some() {
                offered.push(LogOut);
            }
            if matches!(model.session.keeper, Keeper::Trouble(_)) {
                offered.insert(0, Refresh);
            }
            if !money_lines::to_look_at(model).is_empty() {
                offered.push(Contract);
            }
            offered
        }
    }
}

/// What puts this credential in place; the demo's login yields both.
pub fn entry(model: &Model, kind: CredentialKind) -> Action {
    match kind {
        CredentialKind::Jwt if model.setup.demo.is_none() => Action::PasteJwt,
        CredentialKind::Jwt | CredentialKind::ApiToken => Action::LogIn,
    }
}

fn over(model: &Model, layer: &Layer, has_more: bool) -> Vec<Action> {
    use Action::*;
    match layer {
        Layer::Link(link) => with_link(link).into_iter().chain([Repeat]).collect(),
        Layer::Charge(charge) => match &charge.outcome {
            ChargeOutcome::Created { pix_code: Some(_), .. } => vec![Copy, Qr],
            _ => vec![],
        },
        Layer::Withdraw(Flow::Outcome(outcome)) => {
            let mut offered = in_details(model, &outcome.withdrawal);
            offered.extend(other_of(layer).map(|_| ShowOther));
            offered
        }
        Layer::Withdraw(Flow::Sending { .. } | Flow::Preparing { .. }) => vec![],
        Layer::Withdraw(Flow::Review(_)) => {
            let mut offered = buttons(has_more);
            offered.extend(other_of(layer).map(|_| ShowOther));
            offered
        }
        Layer::Withdraw(Flow::Form(draft)) => {
            let known = destinations::are_in_view(draft, &model.setup.contract);
            let mut offered = in_form(model);
            let failed = matches!(draft.quote, QuoteState::Failed { .. });
            offered.extend(failed.then_some(AskFee));
            offered.extend(other_of(layer).map(|_| ShowOther));
            offered.extend(known.then_some([NextKnown, PrevKnown]).into_iter().flatten());
            offered.extend(draft.quote.shown().map(|_| AskFee));
            offered
        }
        Layer::Withdrawal(withdrawal) => in_details(model, withdrawal),
        Layer::Guide { .. } => {
            guide::subject(model).map(|one| in_guide(model, one)).unwrap_or_default()
        }
        Layer::Attempts => vec![Down, Up],
        Layer::Journals { .. } => vec![Open, Down, Up],
        Layer::NotPaid(_) | Layer::Ask(_) => buttons(has_more),
        Layer::Send(_) => {
            let mut offered = buttons(has_more);
            offered.extend(other_of(layer).map(|_| ShowOther));
            offered
        }
        Layer::Palette(palette) if palette.found.is_empty() => vec![],
        Layer::Palette(_) => vec![Enter],
        Layer::Buyer(buyer) if buyer::can_pay(buyer) => vec![Open, Copy],
        Layer::Buyer(_) => vec![Copy],
        Layer::Qr(_) => vec![Copy],
        Layer::MoneyLines(reading) if reading.wait.is_some() => vec![],
        Layer::MoneyLines(reading) if reading.has_button() && !has_more => {
            vec![NextButton, Press, PageUp]
        }
        Layer::MoneyLines(_) => vec![PageDown, PageUp],
        Layer::Exchange(_) => vec![Copy, Down, Up],
        Layer::Help => vec![Down, Up],
        layer if layer.wait().is_some() => vec![],
        _ => in_form(model),
    }
}

fn in_form(model: &Model) -> Vec<Action> {
    let mut offered = vec![Action::Submit, Action::NextField];
    if is_choosing(model) {
        offered.push(Action::NextChoice);
    }
    offered
}

/// The buttons of what could be agreed to; while a frame leaves some of it unread it is only read.
///
/// What came in after the last frame holds no key up that moves the focus: a press counts only once
/// it was seen.
fn buttons(has_more: bool) -> Vec<Action> {
    match has_more {
        false => vec![Action::NextButton, Action::Press],
        true => vec![Action::PageDown, Action::PageUp],
    }
}

/// Whether what is in front can be agreed to at all: all of it was on the screen.
pub fn can_agree(model: &Model) -> bool {
    seen::all(model)
}

/// Whether what is in front is read page by page.
fn is_paged(model: &Model) -> bool {
    seen::in_front(model).is_some_and(|seen| !seen.shown.is_some_and(Shown::is_all))
}

fn with_link(link: &PaymentLink) -> Vec<Action> {
    match link.outcome {
        LinkOutcome::Created { .. } => {
            vec![Action::Copy, Action::CopyMessage, Action::Browse, Action::Qr]
        }
        _ => vec![],
    }
}

/// The other withdrawal that what is in front names.
pub fn other(model: &Model) -> Option<&Withdrawal> {
    other_of(model.layers.last()?)
}

fn other_of(layer: &Layer) -> Option<&Withdrawal> {
    match layer {
        Layer::Withdraw(Flow::Form(draft)) => match &draft.refused {
            Some(Refused::Clash(clash) | Refused::LookAgain(Some(clash))) => Some(&clash.other),
            _ => None,
        },
        Layer::Withdraw(Flow::Review(review)) => review.named(),
        Layer::Send(question) => question.named(),
        Layer::Withdraw(Flow::Outcome(outcome)) => match &outcome.trouble {
            Some(Failure::Clash(clash)) => Some(&clash.other),
            _ => None,
        },
        _ => None,
    }
}

/// The steps that are safe now; those that are not are absent.
pub fn with_withdrawal(model: &Model, withdrawal: &Withdrawal) -> Vec<Action> {
    use Action::*;
    let mut offered = match model.state_of(withdrawal) {
        WithdrawalState::Prepared => {
            sends(model, withdrawal).into_iter().chain([Discard]).collect()
        }
        WithdrawalState::Unknown => {
            sends(model, withdrawal).into_iter().chain([Check, Found]).collect()
        }
        WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_) => vec![Check, Found],
        _ => vec![],
    };
    if is_locked(model, withdrawal) {
        // Looking is always safe.
        offered.retain(|action| *action == Check);
    }
    offered.push(Copy);
    offered
}

/// What leads to its being sent; nothing can be sent before somebody logs in: that is it then.
fn sends(model: &Model, withdrawal: &Withdrawal) -> Option<Action> {
    match send::against(model, withdrawal) {
        // The question shows what is wrong with the bytes, and sends nothing.
        None | Some(Against::OtherDestination) => Some(Action::Send),
        Some(Against::Entry(missing) | Against::OtherLogin(missing)) => Some(entry(model, missing)),
        Some(_) => None,
    }
}

/// The steps, a look at every attempt, and reading it again.
fn in_details(model: &Model, withdrawal: &Withdrawal) -> Vec<Action> {
    let mut offered = with_withdrawal(model, withdrawal);
    if !withdrawal.attempts.is_empty() {
        offered.push(Action::Open);
    }
    offered.push(Action::Refresh);
    offered
}

/// What can be said after a look at the account; "not paid" only where no send is safe any more.
pub fn in_guide(model: &Model, withdrawal: &Withdrawal) -> Vec<Action> {
    use Action::*;
    let mut offered = match model.state_of(withdrawal) {
        WithdrawalState::Unknown => vec![Found],
        WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_) => vec![Found, NotPaid],
        _ => vec![],
    };
    if is_locked(model, withdrawal) {
        offered.clear();
    }
    offered.push(Copy);
    offered
}

/// Whether nothing can be changed now: the journal is in trouble, or something is being sent, here
/// or for this account in another window.
fn is_locked(model: &Model, withdrawal: &Withdrawal) -> bool {
    let withdrawals = &model.withdrawals;
    let busy = withdrawals.in_flight.is_some()
        || withdrawals.is_busy_elsewhere(&withdrawal.agreement.account);
    withdrawals.trouble.is_some() || busy
}

/// How long a further send may still begin, where one may be needed and one has begun.
///
/// While it is on the screen it is counted down.
pub fn sends_left(model: &Model, withdrawal: &Withdrawal) -> Option<Duration> {
    let may_need_one =
        matches!(model.state_of(withdrawal), WithdrawalState::Unknown | WithdrawalState::Prepared);
    let has_begun = withdrawal.attempts.iter().any(Attempt::counts);
    let left = model.setup.window.left(&withdrawal.attempts, &model.now).ok();
    left.filter(|_| may_need_one && has_begun && model.withdrawals.trouble.is_none())
}

/// How long the attempt before may still be worked on: until then it is not sent again.
pub fn resend_wait(model: &Model, withdrawal: &Withdrawal) -> Duration {
    match model.state_of(withdrawal) {
        WithdrawalState::Unknown => model.setup.window.wait(&withdrawal.attempts, &model.now),
        _ => Duration::ZERO,
    }
}

/// Until when the service asked to be left alone about this withdrawal.
pub fn throttled_until(withdrawal: &Withdrawal) -> Option<Wall> {
    let end = withdrawal.attempts.last()?.end.as_ref()?;
    match end.class {
        Class::Throttled { retry_after: Some(wait) } => Some(end.at.plus(wait)),
        _ => None,
    }
}

/// Whether a new withdrawal may be begun at all.
pub fn can_withdraw(model: &Model) -> bool {
    model.withdrawals.trouble.is_none() && model.withdrawals.beside.is_empty()
}
