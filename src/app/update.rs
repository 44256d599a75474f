//! `update`: one message in, the model changed, effects out.

use super::layer::{Layer, Wish};
use super::session::{Credential, Keeper};
use super::withdrawals::{
    Snapshot, destinations, first_look, flow, journals, quote, review, send, statement,
};
use super::{
    Effect, Model, Msg, Said, Stamp, buyer, charges, copying, dispatch, domains, exchanges,
    geometry, habits, links, login, money_lines, palette, scroll, search, seen, story, windows,
};
use crate::trade::withdrawal::{AttemptEnd, Class, NotSent};
use crate::trade::{CredentialKind, Failure, Ticket, Withdrawal};

use crate::trade::{JournalTrouble, Untrusted};

/// Hears one message.
///
/// The same model, message and stamp give the same result: there is no clock, disk, network or
/// chance in here.
pub fn update(model: &mut Model, msg: Msg, stamp: &Stamp) -> Vec<Effect> {
    // The frame showed the model as it was at its own time.
    seen::note(model, &stamp.seen);
    model.now = stamp.clocks.clone();
    let before = scroll::Front::of(model);
    let answer = habits::answered(&msg);
    let mut effects = hear(model, msg, stamp);
    habits::refreshed(model, answer);
    statement::drop_what_is_over(model);
    journals::drop_if_done(model);
    first_look::take(model);
    seen::follow(model);
    scroll::begin(model, before);
    search::understand(model, &mut effects);
    effects
}

fn hear(model: &mut Model, msg: Msg, stamp: &Stamp) -> Vec<Effect> {
    match msg {
        Msg::Started => start(model),
        Msg::Input(input) => {
            let effects = dispatch::input(model, input, stamp);
            geometry::remember_top(model);
            effects
        }
        Msg::Pulse => quote::pulse(model),
        Msg::SecretEdited { slot, len } => login::secret_edited(model, &slot, len),
        Msg::SecretFull(slot) => login::secret_full(model, &slot),
        Msg::CredentialsRead { keeper, api_token, jwt } => {
            login::credentials_read(model, keeper, api_token, jwt)
        }
        Msg::LoggedIn { ticket, result } => login::logged_in(model, ticket, result),
        Msg::JwtKept { ticket, result } => login::jwt_kept(model, ticket, result),
        Msg::LinesRead(last) => money_lines::read(model, last),
        Msg::LinesAgreed { ticket, result } => money_lines::agreed(model, ticket, result, stamp),
        Msg::LoggedOut(result) => login::logged_out(model, result),
        Msg::DomainsListed { ticket, result } => domains::listed(model, ticket, result),
        Msg::DomainRead(host) => domains::remembered(model, host),
        Msg::DomainNotKept(why) => say(model, Said::DomainNotKept(why)),
        Msg::LinksLoaded { ticket, result } => links::loaded(model, ticket, result),
        Msg::LinkMade { ticket, result } => links::made(model, ticket, result),
        Msg::NotSaved(not_saved) => super::unsaved::hear(model, *not_saved),
        Msg::ChargesLoaded { ticket, result } => charges::loaded(model, ticket, result),
        Msg::ChargeMade { ticket, result } => charges::made(model, ticket, result),
        Msg::Quoted { ticket, result } => quote::quoted(model, ticket, result),
        Msg::WithdrawalsLoaded { ticket, result } => withdrawals_loaded(model, ticket, result),
        Msg::Reviewed { key, past } => review::reviewed(model, key, past),
        Msg::DestinationsLoaded { ticket, result } => destinations::loaded(model, ticket, result),
        Msg::Prepared { key, result } => flow::prepared(model, key, result),
        Msg::AttemptBegan { key, n } => {
            flow::began(model, key, n);
            reload_withdrawals(model)
        }
        Msg::Settled(withdrawal) => attempt_ended(model, withdrawal),
        Msg::AttemptTrouble { key, withdrawal, trouble } => {
            attempt_trouble(model, key, withdrawal, trouble)
        }
        Msg::Decided { key, result } => decided(model, key, result, stamp),
        Msg::Exchanged(exchange) => exchanges::keep(model, exchange),
        Msg::Copied(clip, result) => copying::copied(model, clip, result),
        Msg::Browsed(result) => say(model, result.map_or_else(Said::NotOpened, |()| Said::Opened)),
        Msg::BuyerPage { ticket, page } => buyer::page(model, ticket, page),
        Msg::SandboxLinkPaid { description, amount } => {
            say(model, Said::SandboxLinkPaid { description, amount })
        }
        Msg::DemoDone(wish) => demo_done(model, wish),
        Msg::Proven { sandbox, journal } => proven(model, sandbox, journal),
        Msg::JournalChanged => windows::journal_changed(model),
        Msg::JournalPicked(result) => journals::picked(model, result),
        Msg::HistoryChanged => windows::history_changed(model),
        Msg::HistoryMovedAside(to) => windows::history_moved_aside(model, to),
        Msg::NotWatching(why) => say(model, Said::NotWatching(why)),
        Msg::Continued => vec![Effect::Redraw],
        Msg::FaultsInWait(faults) => palette::faults_in_wait(model, faults),
        Msg::DemoNotDone => say(model, Said::NotGranted),
        Msg::Story(told) => story::told(model, told),
        Msg::Terminate(hung_up) => {
            model.hung_up |= hung_up;
            model.leaving = true;
            vec![Effect::Leave]
        }
    }
}

fn start(model: &mut Model) -> Vec<Effect> {
    let unasked = model.session.keeper == Keeper::Asking;
    let mut effects: Vec<Effect> = unasked.then_some(Effect::ReadCredentials).into_iter().collect();
    effects.extend(load(model));
    effects.extend(model.setup.demo.is_none().then_some(Effect::ReadDomain));
    effects
}

/// Asks for every list.
pub fn load(model: &mut Model) -> Vec<Effect> {
    let (links, withdrawals, charges) = (model.ticket(), model.ticket(), model.ticket());
    vec![
        Effect::LoadLinks(model.links.list.ask(links)),
        Effect::LoadWithdrawals(model.withdrawals.list.ask(withdrawals)),
        Effect::LoadCharges(model.charges.ask(charges)),
    ]
}

/// Says something once, in the line above the footer.
pub fn say(model: &mut Model, what: Said) -> Vec<Effect> {
    model.notice = Some(what);
    vec![]
}

fn withdrawals_loaded(
    model: &mut Model,
    ticket: Ticket,
    result: Result<Snapshot, JournalTrouble>,
) -> Vec<Effect> {
    match result {
        Ok(read) => {
            model.withdrawals.was_read = true;
            // Nothing is missing and nobody holds it any more; every other trouble lasts.
            model.withdrawals.trouble.take_if(|trouble| trouble.may_pass());
            if read.locked.is_some() {
                model.withdrawals.trouble = read.locked;
            }
            model.withdrawals.beside = read.beside;
            model.withdrawals.network = read.network;
            let same = |a: &Withdrawal, b: &Withdrawal| a.agreement.key == b.agreement.key;
            if model.withdrawals.list.take_row(ticket, read.page, same) {
                model.withdrawals.open = read.open;
                model.withdrawals.elsewhere = read.elsewhere;
                review::look_anew(model);
            }
            // Said once only, whichever rows are wanted by now.
            windows::show(model, read.changed);
        }
        // The question that was asked since then has an answer of its own.
        Err(_) if model.withdrawals.list.asked != Some(ticket) => {}
        Err(trouble) => {
            model.withdrawals.was_read = false;
            model.withdrawals.list.loaded = true;
            model.withdrawals.trouble = Some(trouble);
        }
    }
    vec![]
}

/// An attempt ended, and the journal has it.
fn attempt_ended(model: &mut Model, withdrawal: Box<Withdrawal>) -> Vec<Effect> {
    let end = withdrawal.attempts.last().and_then(|attempt| attempt.end.as_ref());
    // One that was held up was heard of before; whoever logged in since is not meant by it.
    if model.withdrawals.in_flight == Some(withdrawal.agreement.key) {
        note_end(model, end);
    }
    // Other lines of the contract were agreed to than is known here.
    let not_agreed = end.is_some_and(|end| end.class == Class::NotSent(NotSent::NotAgreed));
    let mut effects: Vec<Effect> = not_agreed.then_some(Effect::ReadLines).into_iter().collect();
    effects.extend(settled(model, withdrawal, None));
    effects
}

fn settled(
    model: &mut Model,
    withdrawal: Box<Withdrawal>,
    trouble: Option<Failure>,
) -> Vec<Effect> {
    flow::settled(model, withdrawal.clone(), trouble);
    let is_open = model.state_of(&withdrawal).is_open();
    model.withdrawals.note(&withdrawal, is_open);
    review::look_anew(model);
    reload_withdrawals(model)
}

/// What an attempt that just ended says about the credential it was sent with.
fn note_end(model: &mut Model, end: Option<&AttemptEnd>) {
    let Some(kind) = model.setup.contract.withdrawal.call.credential else { return };
    match end.map(|end| &end.class) {
        Some(Class::Unauthorized) => model.session.credential_mut(kind).refuse(),
        Some(Class::NotSent(NotSent::NoCredential)) => {
            *model.session.credential_mut(kind) = Credential::Absent;
        }
        _ => {}
    }
}

fn attempt_trouble(
    model: &mut Model,
    key: crate::trade::IdempotencyKey,
    withdrawal: Option<Box<Withdrawal>>,
    trouble: Failure,
) -> Vec<Effect> {
    if let Some(journal) = trouble.journal_trouble() {
        model.withdrawals.trouble = Some(journal.clone());
    }
    // Not on disk, and heard all the same.
    if let Failure::Unrecorded { end, .. } = &trouble {
        note_end(model, Some(end));
    }
    if let Failure::Clash(clash) = &trouble {
        let is_open = model.state_of(&clash.other).is_open();
        model.withdrawals.note(&clash.other, is_open);
    }
    let known = withdrawal.or_else(|| {
        model.layers.iter().find_map(|layer| match layer {
            Layer::Withdraw(super::withdrawals::Flow::Sending { withdrawal, .. })
                if withdrawal.agreement.key == key =>
            {
                Some(withdrawal.clone())
            }
            _ => None,
        })
    });
    match known {
        Some(withdrawal) => {
            if !flow::is_watched(model, key) {
                say(model, Said::Sending(trouble.clone()));
            }
            settled(model, withdrawal, Some(trouble))
        }
        None => {
            if model.withdrawals.in_flight == Some(key) {
                model.withdrawals.in_flight = None;
            }
            say(model, Said::Sending(trouble))
        }
    }
}

fn decided(
    model: &mut Model,
    key: crate::trade::IdempotencyKey,
    result: Result<Box<Withdrawal>, Failure>,
    stamp: &Stamp,
) -> Vec<Effect> {
    match result {
        Ok(withdrawal) => {
            debug_assert_eq!(withdrawal.agreement.key, key);
            let mut effects = settled(model, withdrawal, None);
            effects.extend(send::replaced(model, key, stamp));
            effects
        }
        Err(failure) => {
            send::not_replaced(model, key);
            if let Failure::Journal(trouble) = &failure {
                model.withdrawals.trouble = Some(trouble.clone());
            }
            say(model, Said::NotDecided(failure));
            reload_withdrawals(model)
        }
    }
}

/// Asks for the withdrawals again: what is open decides what may be done next.
pub fn reload_withdrawals(model: &mut Model) -> Vec<Effect> {
    let ticket = model.ticket();
    vec![Effect::LoadWithdrawals(model.withdrawals.list.ask(ticket))]
}

/// What the service proved to be, which comes before anything of its journal.
fn proven(model: &mut Model, sandbox: bool, journal: Untrusted) -> Vec<Effect> {
    (model.sandbox, model.journal) = (sandbox, journal);
    vec![]
}

fn demo_done(model: &mut Model, wish: Wish) -> Vec<Effect> {
    match wish {
        Wish::Fault(name) => say(model, Said::FaultArmed(name)),
        Wish::NoFaults => say(model, Said::FaultsGone),
        Wish::StartOver => started_over(model),
        Wish::Forward => say(model, Said::Forwarded),
        Wish::Story(false) => story::stopped(model),
        Wish::DomainsDown(down) => {
            let mut effects = say(model, Said::DomainsDown(down));
            effects.extend(domains::refresh(model));
            effects
        }
        Wish::Do(_) | Wish::New(_) | Wish::BuyersView | Wish::Story(true) | Wish::Captions(_) => {
            vec![]
        }
    }
}

/// The demo's bank is new, and so are its journal and its history: nothing of before is shown.
fn started_over(model: &mut Model) -> Vec<Effect> {
    model.layers.retain(|layer| matches!(layer, Layer::Login(_) | Layer::Jwt(_)));
    model.links = links::State::default();
    model.withdrawals = super::withdrawals::State::default();
    model.charges = super::list::List::default();
    model.unsaved = super::unsaved::Unsaved::default();
    let mut effects = domains::forget(model);
    effects.extend(load(model));
    effects.extend(domains::refresh_if_entered(model));
    effects.extend(say(model, Said::StartedOver));
    effects
}

/// What every refused credential leads to: the screen that mends it, over what was typed.
///
/// What lies below stays as it is, so that after logging in it only needs to be sent again.
pub fn mend_entry(model: &mut Model, failure: &Failure) -> Vec<Effect> {
    match note_entry(model, Some(failure)) {
        Some(kind) => ask_entry(model, kind, failure.clone()),
        None => vec![],
    }
}

/// Remembers what a failure says about a credential, and which one it was.
pub fn note_entry(model: &mut Model, failure: Option<&Failure>) -> Option<CredentialKind> {
    match failure? {
        Failure::Unauthorized { credential: Some(kind), .. } => {
            model.session.credential_mut(*kind).refuse();
            Some(*kind)
        }
        Failure::NoCredential(kind) => {
            *model.session.credential_mut(*kind) = Credential::Absent;
            Some(*kind)
        }
        _ => None,
    }
}

/// Opens the screen on which this credential is put in place.
pub fn ask_entry(model: &mut Model, kind: CredentialKind, failure: Failure) -> Vec<Effect> {
    match kind {
        CredentialKind::ApiToken => login::open(model, Some(failure)),
        // The demo's login yields one: there is nothing to paste.
        CredentialKind::Jwt if model.setup.demo.is_some() => login::open(model, Some(failure)),
        CredentialKind::Jwt => login::open_jwt(model, Some(failure)),
    }
}

/// Asks for the JWT before anything is typed into the form that was just opened, where it will be
/// needed and is not at hand; the form stays below.
pub fn ask_jwt_first(model: &mut Model, wanted: Option<CredentialKind>) -> Vec<Effect> {
    match missing_entry(model, wanted) {
        Some(missing @ CredentialKind::Jwt) => {
            ask_entry(model, missing, Failure::NoCredential(missing))
        }
        Some(CredentialKind::ApiToken) | None => vec![],
    }
}

/// The credential a call needs and that is not at hand; before the vault answers nobody knows.
pub fn missing_entry(model: &Model, wanted: Option<CredentialKind>) -> Option<CredentialKind> {
    wanted.filter(|kind| match model.session.credential(*kind) {
        Credential::Unknown => false,
        known => !known.is_good(model.now.wall),
    })
}
