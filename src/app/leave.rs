//! Ways out: out of a search, a wait, a layer, a pane, the program.

use super::layer::{Layer, Question};
use super::list::List;
use super::withdrawals::send::Fee;
use super::withdrawals::{Flow, quote, review};
use super::{Effect, Model, Pane, act, login};
use crate::trade::{Failure, NoAnswer};

/// Leaves the program from anywhere; what was typed is not thrown away without a question.
///
/// Pressed once more at that question it leaves: whoever insists wants to be gone, and what was
/// typed has moved nothing. With money in flight only the button leaves.
pub fn leave(model: &mut Model) -> Vec<Effect> {
    let asked =
        |layer: &Layer| matches!(layer, Layer::Ask(ask) if ask.question == Question::DropAndLeave);
    let was_typed = |layer: &Layer| match layer {
        Layer::Withdraw(Flow::Review(review)) => review.draft.form.touched,
        layer => layer.form().is_some_and(|form| form.touched),
    };
    let in_flight = model.withdrawals.in_flight.is_some();
    let insists = model.layers.last().is_some_and(asked);
    if !in_flight && !insists && model.layers.iter().any(was_typed) {
        return act::ask(model, Question::DropAndLeave);
    }
    quit(model)
}

/// Leaves the program; with money in flight it says so and asks.
pub fn quit(model: &mut Model) -> Vec<Effect> {
    if model.withdrawals.in_flight.is_some() {
        return act::ask(model, Question::LeaveInFlight);
    }
    model.leaving = true;
    vec![Effect::Leave]
}

/// Whether another pane may take the place of what lies over this one.
///
/// What was typed, agreed or asked for is never thrown away by a key or a click beside it.
pub fn may_switch(model: &Model) -> bool {
    model.layers.iter().all(|layer| match layer {
        Layer::Ask(_)
        | Layer::NotPaid(_)
        | Layer::Send(_)
        | Layer::Withdraw(Flow::Review(_) | Flow::Preparing { .. }) => false,
        layer => layer.form().is_none_or(|form| !form.touched) && !is_busy_form(layer),
    })
}

fn is_busy_form(layer: &Layer) -> bool {
    layer.form().is_some() && layer.wait().is_some()
}

/// One step back: out of a search, a wait, a layer; never out of the program.
pub fn back(model: &mut Model) -> Vec<Effect> {
    let Some(layer) = model.layers.last() else {
        return leave_search(model);
    };
    match layer {
        Layer::Withdraw(Flow::Review(_)) => {
            review::back_to_form(model);
            vec![]
        }
        // It is being made durable; there is nothing to cancel, and it is over in a moment.
        Layer::Withdraw(Flow::Preparing { .. }) => vec![],
        layer if layer.wait().is_some() && !matches!(layer, Layer::Withdraw(_)) => cancel(model),
        layer if layer.form().is_some_and(|form| form.touched) => {
            act::ask(model, Question::DropForm)
        }
        _ => drop_top(model),
    }
}

fn leave_search(model: &mut Model) -> Vec<Effect> {
    fn leave<T>(list: &mut List<T>) -> bool {
        let was_filtered = !list.query.value().is_empty();
        list.searching = false;
        list.query.reset();
        if was_filtered {
            // The row had this number among those found, which says nothing about the whole list.
            list.cursor = 0;
        }
        was_filtered
    }
    let was_filtered = match model.pane {
        Pane::Links => leave(&mut model.links.list),
        Pane::Withdrawals => leave(&mut model.withdrawals.list),
        Pane::Charges => leave(&mut model.charges),
        Pane::Domains | Pane::Exchanges | Pane::Account => false,
    };
    if was_filtered { act::reload(model) } else { vec![] }
}

/// Stops waiting. What may have reached the service is said to be unknown, not undone.
fn cancel(model: &mut Model) -> Vec<Effect> {
    let Some(layer) = model.layers.last_mut() else { return vec![] };
    let Some(wait) = layer.wait() else { return vec![] };
    let left = Some(Failure::NoAnswer(NoAnswer::Left));
    let mut effects = vec![Effect::Cancel(wait.ticket)];
    match layer {
        Layer::Login(login) => {
            (login.wait, login.failure) = (None, Some(Failure::Cancelled));
        }
        Layer::Jwt(jwt) => (jwt.wait, jwt.failure) = (None, Some(Failure::Cancelled)),
        Layer::NewLink(link) => {
            (link.wait, link.failure) = (None, left);
            // It was noted before it was asked for: the list shows it as unknown.
            let ticket = model.ticket();
            effects.push(Effect::LoadLinks(model.links.list.ask(ticket)));
        }
        Layer::NewCharge(charge) => {
            (charge.wait, charge.failure) = (None, left);
            let ticket = model.ticket();
            effects.push(Effect::LoadCharges(model.charges.ask(ticket)));
        }
        Layer::Buyer(_) => {
            model.layers.pop();
        }
        Layer::MoneyLines(reading) => reading.wait = None,
        _ => return vec![],
    }
    effects
}

/// Takes the top layer away, and wipes the secrets that were typed into it.
pub fn drop_top(model: &mut Model) -> Vec<Effect> {
    let Some(layer) = model.layers.pop() else { return vec![] };
    let slots: Vec<_> = layer.form().map(login::slots).unwrap_or_default();
    let mut effects: Vec<Effect> = match layer {
        Layer::Withdraw(Flow::Form(draft)) => quote::cancel_quote(&draft),
        Layer::Send(question) => match question.fee {
            Fee::Asking(wait) => vec![Effect::Cancel(wait.ticket)],
            Fee::AsAgreed | Fee::Same(_) | Fee::Other(_) => vec![],
        },
        Layer::Buyer(buyer) => {
            buyer.wait.map(|wait| Effect::Cancel(wait.ticket)).into_iter().collect()
        }
        _ => vec![],
    };
    if !slots.is_empty() {
        effects.push(Effect::WipeSecrets(slots));
    }
    effects
}

/// Takes every layer away.
pub fn drop_all(model: &mut Model) -> Vec<Effect> {
    let mut effects = vec![];
    while !model.layers.is_empty() {
        effects.extend(drop_top(model));
    }
    effects
}
