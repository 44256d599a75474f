//! From what a person asks for to what happens.

use super::action::Action;
use super::copying::Clip;
use super::layer::{Ask, Layer, Question, Wish};
use super::links::Onward;
use super::list::Move;
use super::withdrawals::{
    Flow, destinations, flow, guide, journals, quote, review, send, statement,
};
use super::{
    CopyTrouble, Effect, Model, Pane, Said, Stamp, buttons, buyer, charges, copying, dispatch,
    domains, exchanges, geometry, habits, leave, links, login, money_lines, offers, palette,
    scroll, update,
};
use crate::trade::{IdempotencyKey, Untrusted};

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
        Help => open(model, Layer::Help),
        Palette => palette::open(model),
        Redraw => vec![Effect::Redraw],
        Back => leave::back(model),
        Quit if model.layers.is_empty() => leave::quit(model),
        Quit => leave::back(model),
        Leave => leave::leave(model),
        Up => step(model, Move::By(-1)),
        Down => step(model, Move::By(1)),
        PageUp => page(model, -1),
        PageDown => page(model, 1),
        First => step(model, Move::First),
        Last => step(model, Move::Last),
        NextField | PrevField => in_form(model, action),
        PrevChoice | NextChoice => dispatch::choose(model, action == NextChoice),
        Enter => enter(model, stamp),
        Submit => submit(model, stamp),
        NextButton | PrevButton => buttons::next(model, action == NextButton),
        Press => buttons::press(model, stamp),
        offered if offers::offers(model).contains(&offered) => with_subject(model, offered),
        other => habits::not_here(model, other),
    }
}

/// Shows a pane; what lay over the one before is left, unless something would be lost with it.
pub fn go_to(model: &mut Model, pane: Pane) -> Vec<Effect> {
    if !leave::may_switch(model) {
        return vec![];
    }
    let mut effects = leave::drop_all(model);
    search(model, false);
    model.pane = pane;
    effects.extend(match pane {
        Pane::Domains if model.domains.listed.is_none() && model.domains.wait.is_none() => {
            domains::refresh_if_entered(model)
        }
        Pane::Links | Pane::Withdrawals | Pane::Charges => reload(model),
        _ => vec![],
    });
    effects
}

/// Puts a layer on top; one of those that can be opened anywhere is moved there.
///
/// So no number of keys makes more layers than there are kinds of them.
pub fn open(model: &mut Model, layer: Layer) -> Vec<Effect> {
    model.layers.retain(|below| !is_another(below, &layer));
    model.layers.push(layer);
    vec![]
}

fn is_another(below: &Layer, layer: &Layer) -> bool {
    match (below, layer) {
        (Layer::Help, Layer::Help)
        | (Layer::Palette(_), Layer::Palette(_))
        | (Layer::Buyer(_), Layer::Buyer(_))
        | (Layer::Guide { .. }, Layer::Guide { .. })
        | (Layer::NotPaid(_), Layer::NotPaid(_))
        | (Layer::MoneyLines(_), Layer::MoneyLines(_))
        | (Layer::Send(_), Layer::Send(_))
        | (Layer::Attempts, Layer::Attempts)
        | (Layer::Journals { .. }, Layer::Journals { .. }) => true,
        (Layer::Ask(below), Layer::Ask(ask)) => below.question == ask.question,
        _ => false,
    }
}

/// Puts a question on top, the focus on the harmless button.
pub fn ask(model: &mut Model, question: Question) -> Vec<Effect> {
    open(model, Layer::Ask(Box::new(Ask::new(question))))
}

fn with_subject(model: &mut Model, action: Action) -> Vec<Effect> {
    use Action::*;
    match action {
        New => match model.pane {
            Pane::Charges => charges::new(model),
            Pane::Withdrawals => flow::new(model),
            _ => links::new(model, None),
        },
        Repeat => {
            let again = links::subject(model).cloned();
            links::new(model, again.as_ref())
        }
        Open => open_selected(model),
        Search => search(model, true),
        Refresh => {
            let effects = refresh(model);
            habits::refreshing(model, effects)
        }
        Send => send::open(model),
        Copy => copy(model),
        CopyMessage => links::copy_message(model),
        Browse => links::pass(model, Onward::Browser),
        Qr => qr(model),
        Check => guide::open(model),
        Journals => journals::open(model),
        Found => subject_key(model).map(|key| ask(model, Question::Found(key))).unwrap_or_default(),
        NotPaid => statement::open(model),
        Discard => {
            subject_key(model).map(|key| ask(model, Question::Discard(key))).unwrap_or_default()
        }
        LogIn => {
            let mut effects = login::open(model, None);
            effects.extend(login::read_again(model));
            effects
        }
        LogOut => ask(model, Question::LogOut),
        PasteJwt => login::open_jwt(model, None),
        Contract => money_lines::look(model),
        ShowOther => show_other(model),
        NextKnown => destinations::choose(model, true),
        PrevKnown => destinations::choose(model, false),
        AskFee => {
            quote::ask_again(model);
            vec![]
        }
        _ => vec![],
    }
}

/// The withdrawal that lies on top.
fn subject_key(model: &Model) -> Option<IdempotencyKey> {
    guide::subject(model).map(|withdrawal| withdrawal.agreement.key)
}

/// Opens the details of the other withdrawal that is named here; what was typed stays below.
fn show_other(model: &mut Model) -> Vec<Effect> {
    let Some(other) = offers::other(model) else { return vec![] };
    // As it is known now: it may have changed since it was named.
    let key = other.agreement.key;
    let known = model.withdrawals.open.iter().find(|open| open.agreement.key == key);
    let shown = known.unwrap_or(other).clone();
    // Moved to the top where it lies below: no number of keys makes a tower.
    let is_it = |layer: &Layer| matches!(layer, Layer::Withdrawal(w) if w.agreement.key == key);
    model.layers.retain(|layer| !is_it(layer));
    open(model, Layer::Withdrawal(Box::new(shown)))
}

fn open_selected(model: &mut Model) -> Vec<Effect> {
    match model.layers.last() {
        Some(Layer::Buyer(_)) => return buyer::pay(model),
        Some(Layer::Journals { cursor }) => {
            let cursor = *cursor;
            return journals::ask(model, cursor);
        }
        Some(Layer::Withdrawal(_) | Layer::Withdraw(_)) => {
            return open(model, Layer::Attempts);
        }
        _ => {}
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
            .map(|exchange| Layer::Exchange(exchange.clone())),
        Pane::Domains => return domains::choose(model),
        Pane::Account => None,
    };
    layer.map(|layer| open(model, layer)).unwrap_or_default()
}

fn refresh(model: &mut Model) -> Vec<Effect> {
    match model.layers.last() {
        Some(Layer::Withdrawal(_) | Layer::Withdraw(Flow::Outcome(_))) => {
            update::reload_withdrawals(model)
        }
        Some(_) => vec![],
        None if model.pane == Pane::Domains => domains::refresh(model),
        None if model.pane == Pane::Account => login::read_again(model),
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
        None if model.pane == Pane::Charges => {
            let selected = model.charges.selected().cloned();
            selected.map(|charge| charges::copy(model, &charge)).unwrap_or_default()
        }
        Some(Layer::Qr(text)) => {
            let text = text.clone();
            copy_shown(model, text)
        }
        Some(Layer::Buyer(buyer)) => {
            let url = buyer.url.clone();
            links::copy_url(model, url)
        }
        Some(Layer::Guide { cursor }) => {
            let cursor = *cursor;
            guide::copy(model, cursor)
        }
        Some(Layer::Withdrawal(_) | Layer::Withdraw(_)) => copy_key(model, subject_key(model)),
        None if model.pane == Pane::Withdrawals => {
            let selected = model.withdrawals.list.selected();
            copy_key(model, selected.map(|withdrawal| withdrawal.agreement.key))
        }
        Some(Layer::Exchange(exchange)) => {
            let text = exchanges::text(exchange);
            copying::copy(model, Clip::Request, text)
        }
        None if model.pane == Pane::Exchanges => {
            let selected = model.exchanges.get(model.exchange_cursor);
            let text = selected.map(|exchange| exchanges::text(exchange));
            text.map(|text| copying::copy(model, Clip::Request, text)).unwrap_or_default()
        }
        _ => links::copy(model),
    }
}

/// Copies the code of a withdrawal.
fn copy_key(model: &mut Model, key: Option<IdempotencyKey>) -> Vec<Effect> {
    let text = key.map(|key| key.to_string().as_str().into());
    text.map(|text| copying::copy(model, Clip::Key, text)).unwrap_or_default()
}

/// Copies what a QR code shows, under the rules of what it was made from.
fn copy_shown(model: &mut Model, text: Untrusted) -> Vec<Effect> {
    let below = model.layers.iter().rev().nth(1);
    match below {
        Some(Layer::Charge(charge)) => {
            let charge = charge.clone();
            charges::copy(model, &charge)
        }
        _ => links::copy_url(model, text),
    }
}

fn qr(model: &mut Model) -> Vec<Effect> {
    let text = match model.layers.last() {
        Some(Layer::Charge(charge)) => charge.pix_code().cloned(),
        _ => return links::pass(model, Onward::Qr),
    };
    // A code that a camera reads is a copy too: the same bytes or nothing.
    match text.map(|text| (CopyTrouble::of(&text), text)) {
        Some((None, text)) => open(model, Layer::Qr(text)),
        Some((Some(trouble), _)) => update::say(model, Said::NotCopied(trouble)),
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

fn step(model: &mut Model, to: Move) -> Vec<Effect> {
    match model.layers.last_mut() {
        Some(Layer::Guide { .. }) => {
            guide::step(model, to);
            return vec![];
        }
        Some(Layer::Journals { .. }) => {
            journals::step(model, to);
            return vec![];
        }
        Some(Layer::Palette(palette)) => {
            let last = palette.found.len().saturating_sub(1);
            palette.cursor = moved(palette.cursor, last, to);
            return vec![];
        }
        Some(_) => {
            scroll::go(model, to);
            return vec![];
        }
        None => {}
    }
    if scroll::is_all_of_pane(model) {
        scroll::go(model, to);
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

/// A page up or down: of the text below the list, where it has more to say than there is room for.
fn page(model: &mut Model, way: i64) -> Vec<Effect> {
    match scroll::page_below(model) {
        Some(lines) => {
            scroll::go(model, Move::By(way * i64::from(lines)));
            vec![]
        }
        None => step(model, Move::By(way * i64::from(geometry::page_rows(model)))),
    }
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
    // A row that is clicked has the keys, and no longer the search field.
    search(model, false);
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
        Some(layer) if layer.wait().is_some() => vec![],
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
        Some(Layer::Withdraw(Flow::Form(_))) => review::open(model, stamp),
        _ => vec![],
    }
}

/// Grants a wish of the palette.
pub fn wish(model: &mut Model, wish: Wish, stamp: &Stamp) -> Vec<Effect> {
    match wish {
        Wish::Do(action) => act(model, action, stamp),
        Wish::New(pane) => {
            let mut effects = go_to(model, pane);
            effects.extend(act(model, Action::New, stamp));
            effects
        }
        Wish::BuyersView => buyer::open(model),
        Wish::Captions(on) => {
            model.story.silent = !on;
            vec![]
        }
        // It was offered before the money was on its way.
        Wish::StartOver if !palette::can_start_over(model) => update::say(model, Said::NotGranted),
        demo => vec![Effect::Demo(demo)],
    }
}
