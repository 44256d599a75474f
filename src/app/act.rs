//! From what a person asks for to what happens.

use super::action::Action;
use super::layer::{Ask, Layer, Question, Wish};
use super::list::{List, Move};
use super::withdrawals::{Flow, flow};
use super::{Effect, Model, Pane, Stamp, buyer, charges, domains, links, login, offers, palette};
use crate::trade::withdrawal::Choice;
use crate::trade::{IdempotencyKey, NoAnswer};

/// Does what is asked for, if it is offered now.
pub fn act(model: &mut Model, action: Action, stamp: &Stamp) -> Vec<Effect> {
    use Action::*;
    match action {
        Links => go_to(model, Pane::Links),
        Domains => go_to(model, Pane::Domains),
        Withdrawals => go_to(model, Pane::Withdrawals),
        Charges => go_to(model, Pane::Charges),
        Exchanges => go_to(model, Pane::Exchanges),
        Account => go_to(model, Pane::Account),
        Help => open(model, Layer::Help { scroll: 0 }),
        Palette => palette::open(model),
        Redraw => vec![Effect::Redraw],
        Back => back(model),
        Quit => quit(model),
        Up => step(model, Move::By(-1)),
        Down => step(model, Move::By(1)),
        PageUp => step(model, Move::By(-page_rows(model))),
        PageDown => step(model, Move::By(page_rows(model))),
        First => step(model, Move::First),
        Last => step(model, Move::Last),
        NextField | PrevField | PrevChoice | NextChoice => in_form(model, action),
        Enter => enter(model, stamp),
        Submit => submit(model, stamp),
        NextButton | PrevButton => other_button(model, action == NextButton),
        Press => press(model, stamp),
        offered if offers::offers(model).contains(&offered) => with_subject(model, offered, stamp),
        _ => vec![],
    }
}

/// Shows a pane; what lay over the one before is left.
pub fn go_to(model: &mut Model, pane: Pane) -> Vec<Effect> {
    model.layers.clear();
    model.pane = pane;
    match pane {
        Pane::Domains if model.domains.listed.is_none() => domains::refresh(model),
        Pane::Links | Pane::Withdrawals | Pane::Charges => reload(model),
        _ => vec![],
    }
}

/// Puts a layer on top.
pub fn open(model: &mut Model, layer: Layer) -> Vec<Effect> {
    model.layers.push(layer);
    vec![]
}

/// Puts a question on top, the focus on the harmless button.
pub fn ask(model: &mut Model, question: Question) -> Vec<Effect> {
    open(model, Layer::Ask(Box::new(Ask { question, on_do: false })))
}

fn with_subject(model: &mut Model, action: Action, stamp: &Stamp) -> Vec<Effect> {
    use Action::*;
    match action {
        New => match model.pane {
            Pane::Charges => charges::new(model),
            Pane::Withdrawals => flow::new(model),
            _ => links::new(model, None),
        },
        Repeat => {
            let selected = model.links.list.selected().cloned();
            links::new(model, selected.as_ref())
        }
        Open => open_selected(model, stamp),
        Search => search(model, true),
        Refresh => refresh(model, stamp),
        Copy => copy(model),
        CopyMessage => links::copy_message(model),
        Browse => links::browse(model),
        Qr => qr(model),
        Found => subject_key(model).map(|key| ask(model, Question::Found(key))).unwrap_or_default(),
        Discard => {
            subject_key(model).map(|key| ask(model, Question::Discard(key))).unwrap_or_default()
        }
        LogIn => login::open(model),
        LogOut => ask(model, Question::LogOut),
        PasteJwt => login::open_jwt(model, None),
        _ => vec![],
    }
}

/// The withdrawal that lies on top.
fn subject_key(model: &Model) -> Option<IdempotencyKey> {
    match model.layers.last()? {
        Layer::Withdrawal(withdrawal) => Some(withdrawal.agreement.key),
        Layer::Withdraw(Flow::Outcome(outcome)) => Some(outcome.withdrawal.agreement.key),
        _ => None,
    }
}

fn open_selected(model: &mut Model, _stamp: &Stamp) -> Vec<Effect> {
    if let Some(Layer::Buyer(_)) = model.layers.last() {
        return buyer::pay(model);
    }
    let layer = match model.pane {
        Pane::Links => model.links.list.selected().cloned().map(|l| Layer::Link(Box::new(l))),
        Pane::Withdrawals => {
            let selected = model.withdrawals.list.selected().cloned();
            selected.map(|w| Layer::Withdrawal(Box::new(w)))
        }
        Pane::Charges => model.charges.selected().cloned().map(|c| Layer::Charge(Box::new(c))),
        Pane::Exchanges => model
            .exchanges
            .get(model.exchange_cursor)
            .map(|exchange| Layer::Exchange { exchange: exchange.clone(), scroll: 0 }),
        Pane::Domains => return domains::choose(model),
        Pane::Account => None,
    };
    layer.map(|layer| open(model, layer)).unwrap_or_default()
}

fn refresh(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    match model.layers.last() {
        Some(Layer::Withdrawal(_) | Layer::Withdraw(Flow::Outcome(_))) => {
            flow::send_again(model, stamp)
        }
        Some(_) => vec![],
        None if model.pane == Pane::Domains => domains::refresh(model),
        None => reload(model),
    }
}

/// Asks for the rows of the pane in front again.
pub fn reload(model: &mut Model) -> Vec<Effect> {
    let ticket = model.ticket();
    match model.pane {
        Pane::Links => vec![Effect::LoadLinks(model.links.list.ask(ticket))],
        Pane::Withdrawals => vec![Effect::LoadWithdrawals(model.withdrawals.list.ask(ticket))],
        Pane::Charges => vec![Effect::LoadCharges(model.charges.ask(ticket))],
        Pane::Domains | Pane::Exchanges | Pane::Account => vec![],
    }
}

fn copy(model: &mut Model) -> Vec<Effect> {
    match model.layers.last() {
        Some(Layer::Charge(charge)) => {
            let charge = charge.clone();
            charges::copy(model, &charge)
        }
        Some(Layer::Qr(text)) if text.is_clean() => vec![Effect::Copy(text.clone())],
        Some(Layer::Buyer(buyer)) => vec![Effect::Copy(buyer.url.clone())],
        Some(Layer::Withdrawal(_) | Layer::Withdraw(_)) => {
            let key = subject_key(model).map(|key| key.to_string().as_str().into());
            key.map(|key| vec![Effect::Copy(key)]).unwrap_or_default()
        }
        _ => links::copy(model),
    }
}

fn qr(model: &mut Model) -> Vec<Effect> {
    let text = match model.layers.last() {
        Some(Layer::Charge(charge)) => charge.pix_code().cloned(),
        _ => links::subject(model).and_then(|link| link.url().cloned()),
    };
    // A code that a camera reads is a copy too: the same bytes or nothing.
    match text {
        Some(text) if text.is_clean() => open(model, Layer::Qr(text)),
        Some(_) => links::refuse_copy(model),
        None => vec![],
    }
}

fn search(model: &mut Model, on: bool) -> Vec<Effect> {
    match model.pane {
        Pane::Links => model.links.list.searching = on,
        Pane::Withdrawals => model.withdrawals.list.searching = on,
        Pane::Charges => model.charges.searching = on,
        Pane::Domains | Pane::Exchanges | Pane::Account => {}
    }
    vec![]
}

fn quit(model: &mut Model) -> Vec<Effect> {
    if model.withdrawals.in_flight.is_some() {
        let asked = |layer: &Layer| match layer {
            Layer::Ask(ask) => ask.question == Question::LeaveInFlight,
            _ => false,
        };
        if model.layers.last().is_some_and(asked) {
            return vec![];
        }
        return ask(model, Question::LeaveInFlight);
    }
    model.leaving = true;
    vec![Effect::Leave]
}

/// One step back: out of a search, a wait, a layer; never out of the program.
fn back(model: &mut Model) -> Vec<Effect> {
    let Some(layer) = model.layers.last_mut() else {
        return leave_search(model);
    };
    match layer {
        Layer::Withdraw(Flow::Form(draft)) if !draft.form.touched => {
            let effects = flow::cancel_quote(draft);
            model.layers.pop();
            effects
        }
        Layer::Withdraw(Flow::Review(_)) => {
            flow::back_to_form(model);
            vec![]
        }
        // It is being made durable; there is nothing to cancel, and it is over in a moment.
        Layer::Withdraw(Flow::Preparing { .. }) => vec![],
        Layer::Ask(_) => {
            model.layers.pop();
            vec![]
        }
        layer if layer.wait().is_some() && !matches!(layer, Layer::Withdraw(_)) => cancel(model),
        layer if layer.form().is_some_and(|form| form.touched) => ask(model, Question::DropForm),
        _ => drop_top(model),
    }
}

fn leave_search(model: &mut Model) -> Vec<Effect> {
    fn leave<T>(list: &mut List<T>) -> bool {
        let had = list.searching || !list.query.value().is_empty();
        list.searching = false;
        list.query.reset();
        had
    }
    let had = match model.pane {
        Pane::Links => leave(&mut model.links.list),
        Pane::Withdrawals => leave(&mut model.withdrawals.list),
        Pane::Charges => leave(&mut model.charges),
        Pane::Domains | Pane::Exchanges | Pane::Account => false,
    };
    if had { reload(model) } else { vec![] }
}

/// Stops waiting. What may have reached the service is said to be unknown, not undone.
fn cancel(model: &mut Model) -> Vec<Effect> {
    use crate::trade::Failure;
    let Some(layer) = model.layers.last_mut() else { return vec![] };
    let Some(wait) = layer.wait() else { return vec![] };
    let left = Some(Failure::NoAnswer(NoAnswer::Left));
    match layer {
        Layer::Login(login) => {
            (login.wait, login.failure) = (None, Some(Failure::Cancelled));
        }
        Layer::Jwt(jwt) => (jwt.wait, jwt.failure) = (None, Some(Failure::Cancelled)),
        Layer::NewLink(link) => (link.wait, link.failure) = (None, left),
        Layer::NewCharge(charge) => (charge.wait, charge.failure) = (None, left),
        Layer::Buyer(_) => {
            model.layers.pop();
        }
        _ => return vec![],
    }
    vec![Effect::Cancel(wait.ticket)]
}

/// Takes the top layer away, and wipes the secrets that were typed into it.
pub fn drop_top(model: &mut Model) -> Vec<Effect> {
    let Some(layer) = model.layers.pop() else { return vec![] };
    let slots: Vec<_> = layer.form().map(login::slots).unwrap_or_default();
    let mut effects = match layer {
        Layer::Withdraw(Flow::Form(mut draft)) => flow::cancel_quote(&mut draft),
        _ => vec![],
    };
    if !slots.is_empty() {
        effects.push(Effect::WipeSecrets(slots));
    }
    effects
}

fn step(model: &mut Model, to: Move) -> Vec<Effect> {
    if let Some(layer) = model.layers.last_mut() {
        scroll(layer, to);
        return vec![];
    }
    let needs_rows = match model.pane {
        Pane::Links => model.links.list.go(to),
        Pane::Withdrawals => model.withdrawals.list.go(to),
        Pane::Charges => model.charges.go(to),
        Pane::Domains => {
            let last = model.domains.listed.as_ref().map_or(0, Vec::len);
            model.domains.cursor = moved(model.domains.cursor, last, to);
            false
        }
        Pane::Exchanges => {
            let last = model.exchanges.len().saturating_sub(1);
            model.exchange_cursor = moved(model.exchange_cursor, last, to);
            false
        }
        Pane::Account => false,
    };
    if needs_rows { reload(model) } else { vec![] }
}

/// Where a cursor on a short list goes.
pub fn moved(cursor: usize, last: usize, to: Move) -> usize {
    match to {
        Move::By(rows) => cursor.saturating_add_signed(rows as isize).min(last),
        Move::First => 0,
        Move::Last => last,
        Move::To(row) => usize::try_from(row).unwrap_or(usize::MAX).min(last),
    }
}

fn scroll(layer: &mut Layer, to: Move) {
    match layer {
        Layer::Help { scroll } | Layer::Exchange { scroll, .. } => {
            *scroll = match to {
                Move::By(rows) => scroll.saturating_add_signed(rows as i16),
                Move::First => 0,
                Move::Last => u16::MAX,
                Move::To(row) => row.min(u64::from(u16::MAX)) as u16,
            };
        }
        Layer::Palette(palette) => {
            let last = palette.found.len().saturating_sub(1);
            palette.cursor = moved(palette.cursor, last, to);
        }
        _ => {}
    }
}

fn page_rows(model: &Model) -> i64 {
    i64::from(model.size.rows.saturating_sub(8).max(1))
}

/// Puts the cursor on a row of the list, or opens it when it stands there already.
pub fn select_row(model: &mut Model, row: u64, stamp: &Stamp) -> Vec<Effect> {
    let here = match (model.layers.last(), model.pane) {
        (Some(Layer::Palette(palette)), _) => palette.cursor as u64,
        (Some(_), _) => return vec![],
        (None, Pane::Links) => model.links.list.cursor,
        (None, Pane::Withdrawals) => model.withdrawals.list.cursor,
        (None, Pane::Charges) => model.charges.cursor,
        (None, Pane::Domains) => model.domains.cursor as u64,
        (None, Pane::Exchanges) => model.exchange_cursor as u64,
        (None, Pane::Account) => return vec![],
    };
    match (model.layers.is_empty(), here == row) {
        (true, true) => act(model, Action::Open, stamp),
        (false, true) => act(model, Action::Enter, stamp),
        (_, false) => step(model, Move::To(row)),
    }
}

fn in_form(model: &mut Model, action: Action) -> Vec<Effect> {
    match model.layers.last_mut() {
        Some(Layer::Palette(palette)) => {
            let by = if action == Action::PrevField { -1 } else { 1 };
            let last = palette.found.len().saturating_sub(1);
            palette.cursor = moved(palette.cursor, last, Move::By(by));
            vec![]
        }
        Some(layer) => {
            let busy = layer.wait().is_some();
            match (layer.form_mut().filter(|_| !busy), action) {
                (Some(form), Action::NextField) => form.next(),
                (Some(form), Action::PrevField) => form.prev(),
                _ => {}
            }
            vec![]
        }
        None => {
            // Down from the search field goes to the rows it found.
            search(model, false);
            step(model, Move::By(0))
        }
    }
}

fn enter(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    match model.layers.last_mut() {
        None => search(model, false),
        Some(Layer::Palette(_)) => palette::press(model, stamp),
        Some(layer) => match layer.form_mut() {
            // Enter goes on to the next field, and behind the last one it submits.
            Some(form) if form.focus + 1 < form.fields.len() => {
                form.next();
                vec![]
            }
            _ => submit(model, stamp),
        },
    }
}

fn submit(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    match model.layers.last() {
        Some(layer) if layer.wait().is_some() => vec![],
        Some(Layer::Login(_)) => login::submit(model),
        Some(Layer::Jwt(_)) => login::submit_jwt(model),
        Some(Layer::NewLink(_)) => links::submit(model),
        Some(Layer::NewCharge(_)) => charges::submit(model),
        Some(Layer::Withdraw(Flow::Form(_))) => flow::review(model, stamp),
        _ => vec![],
    }
}

fn other_button(model: &mut Model, forward: bool) -> Vec<Effect> {
    match model.layers.last_mut() {
        Some(Layer::Ask(ask)) => ask.on_do = !ask.on_do,
        Some(Layer::Withdraw(Flow::Review(review))) => flow::move_focus(review, forward),
        _ => {}
    }
    vec![]
}

/// Presses the button of this number, counted from the left; 0 is the harmless one.
pub fn press_button(model: &mut Model, button: usize, stamp: &Stamp) -> Vec<Effect> {
    match model.layers.last_mut() {
        Some(Layer::Ask(ask)) => {
            ask.on_do = button > 0;
            press(model, stamp)
        }
        Some(Layer::Withdraw(Flow::Review(review))) => {
            flow::focus_button(review, button);
            press(model, stamp)
        }
        _ => vec![],
    }
}

fn press(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    match model.layers.last() {
        Some(Layer::Withdraw(Flow::Review(_))) => flow::press(model, stamp),
        Some(Layer::Ask(_)) => match model.layers.pop() {
            Some(Layer::Ask(ask)) if ask.on_do => answer(model, ask.question),
            _ => vec![],
        },
        _ => vec![],
    }
}

fn answer(model: &mut Model, question: Question) -> Vec<Effect> {
    match question {
        Question::DropForm => drop_top(model),
        Question::LeaveInFlight => {
            model.leaving = true;
            vec![Effect::Leave]
        }
        Question::LogOut => vec![Effect::LogOut],
        Question::CopyOdd { url, .. } => vec![Effect::Copy(url)],
        Question::Discard(key) => vec![Effect::Decide { key, choice: Choice::Discarded }],
        Question::Found(key) => vec![Effect::Decide { key, choice: Choice::FoundPaid }],
        Question::UseMemory => vec![Effect::UseMemory],
    }
}

/// Grants a wish of the palette.
pub fn wish(model: &mut Model, wish: Wish, stamp: &Stamp) -> Vec<Effect> {
    match wish {
        Wish::Do(action) => act(model, action, stamp),
        Wish::BuyersView => buyer::open(model),
        demo => vec![Effect::Demo(demo)],
    }
}
