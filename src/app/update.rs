//! The entry point of the app: [`update`] handles one message, changes the model and returns
//! effects. [`next_pulse`] returns how long to wait before the next message is due.

use std::time::Duration;

use super::chrome::banner;
use super::screens::Layer;
use crate::app::cx::{Cx, Route};
use crate::app::router::{profiles, read_tracker};
use crate::app::store::commands::Command;
use crate::app::store::first_run::StartupStage;
use crate::app::store::frame_snapshot::Front;
use crate::app::store::picture::REST_MS;
use crate::app::store::session::{Credential, VaultStatus};
use crate::app::store::setup::look_kept;
use crate::app::store::story::{SellerEvent, StoryEvent};
use crate::app::store::unsaved::HistoryRecord;
use crate::app::store::{
    charges, clip, confirming, consent, credentials, domains, kiosk, links, nicknames, paid,
    requests, sales, shown_keys, story, unsaved, unstored_exchanges, withdrawals,
};
use crate::app::ui::form::Form;
use crate::app::ui::list::List;
use crate::app::{Effect, Model, Msg, Notice, Stamp, Store, router};
use crate::trade::withdrawal::{AttemptEnd, Class, NotSent, WithdrawalState};
use crate::trade::{Charge, Failure, IdempotencyKey, PaymentLink, Wall, Withdrawal};

/// Handles one message.
///
/// The same model, message and stamp always give the same result: this function reads no clock,
/// disk, network or random source.
pub fn update(model: &mut Model, msg: Msg, stamp: &Stamp) -> Vec<Effect> {
    // First record what the last frame showed, because this message may change the model.
    read_tracker::note(model, stamp);
    model.now = stamp.clocks.clone();
    let before = Front::of(model);
    let is_told = matches!(msg, Msg::Story(StoryEvent::Caption { .. }));
    let ended = unstored_exchanges::ended(&msg);
    let mut effects = handle(model, msg, stamp);
    // After every message, in this order:
    // 1. Refresh the screens from the store. Close a screen if its subject no longer exists.
    // 2. Open the screens that open without a key press.
    // 3. Update the reading progress and the QR code of the front screen.
    // 4. Scroll a new front screen to its first line.
    // 5. Notify the demo's story.
    // 6. Store the exchanges of operations that have ended.
    // 7. Load the request under the cursor.
    // 8. Drop effects that a kiosk may not perform.
    effects.extend(router::on_store_change(model, stamp));
    model.just_entered = None;
    effects.extend(take_first_look(model, stamp));
    effects.extend(lead_to_first_link(model, stamp));
    read_tracker::reset_if_changed(model);
    picture_follows(model);
    let front = Front::of(model);
    if front != before {
        // A different screen, or a different stage of the same screen, is now in front.
        model.scroll = 0;
    }
    if model.story.playing {
        // Report the front screen if it changed. Also report it when a new caption appears, because
        // the caption may ask for the screen that is already in front.
        let came = SellerEvent::of_screen(front.name).filter(|_| front != before || is_told);
        effects.extend(came.map(Effect::TellStory));
    }
    // The runtime ignores effects after `Leave`, so put these effects before it.
    let at = if model.leaving { 0 } else { effects.len() };
    effects.splice(at..at, unstored_exchanges::store(&mut model.store, ended));
    let is_covered = !model.layers.is_empty();
    let loads = requests::follow_cursor(&mut model.store, is_covered);
    effects.extend(loads.filter(|_| !model.leaving));
    kiosk::guard(model, &mut effects);
    effects
}

fn handle(model: &mut Model, msg: Msg, at: &Stamp) -> Vec<Effect> {
    match msg {
        Msg::Input(input) => {
            let effects = router::input(model, input, at);
            router::remember_top(model);
            effects
        }
        Msg::Pulse => router::deadline_came(model, at),
        Msg::SecretEdited { slot, len } => {
            shown_keys::press(model, None);
            let now_ms = model.now.boot_ms;
            model.kiosk.touch(now_ms);
            forms(model).for_each(|form| form.secret_edited(&slot, len));
            vec![]
        }
        Msg::SecretFull(slot) => {
            forms(model).for_each(|form| form.secret_full(&slot));
            vec![]
        }
        Msg::Continued => vec![Effect::Redraw],
        Msg::ProfileOpened { ticket, result } => profiles::opened(model, ticket, result, at),
        Msg::Terminate(hung_up) => {
            model.hung_up |= hung_up;
            model.leaving = true;
            model.profiles.next = None;
            vec![Effect::Leave]
        }
        Msg::KioskEnds(why) => {
            (model.kiosk.ended, model.leaving) = (Some(why), true);
            vec![Effect::Leave]
        }
        msg => {
            let mut effects = vec![];
            if matches!(msg, Msg::DemoDone(Command::StartOver)) {
                model.layers.retain(Layer::is_login);
                effects = router::on_started_over(model);
            }
            let watched = shows_outcome(model, &msg);
            effects.extend(router::act_on_store(model, at, |cx| apply_to_store(cx, &msg, watched)));
            effects.extend(router::tell(model, &msg, at));
            // If the request was refused because of the agreement to the API contract, the stored
            // agreement differs from the copy in memory. Read it again.
            effects.extend(consent::was_refused(&msg).then_some(Effect::ReadConsent));
            effects
        }
    }
}

fn forms(model: &mut Model) -> impl Iterator<Item = &mut Form> {
    model.layers.iter_mut().filter_map(|layer| layer.screen_mut().form_mut())
}

/// Returns true if an open screen already shows the outcome that this message reports. It may be
/// the screen that sent the request, or the details.
fn shows_outcome(model: &Model, msg: &Msg) -> bool {
    let (key, is_kept) = match msg {
        Msg::LinkMade { .. } | Msg::ChargeMade { .. } => {
            return model.layers.iter().any(|layer| layer.shows_sale(msg));
        }
        Msg::AttemptTrouble { key, .. } => (*key, false),
        Msg::Settled(withdrawal) => (withdrawal.agreement.key, true),
        _ => return false,
    };
    let shows_it = |layer: &Layer| match layer {
        Layer::Withdraw(flow) => flow.is_watching(key),
        Layer::Withdrawal(details) => is_kept && details.withdrawal.agreement.key == key,
        _ => false,
    };
    model.layers.iter().any(shows_it)
}

/// Shows a notice that the seller's decision about a withdrawal could not be saved, and reloads the
/// list of withdrawals.
fn not_decided(cx: &mut Cx, failure: &Failure) {
    if let Failure::Journal(trouble) = failure {
        cx.store.withdrawals.trouble = Some(trouble.clone());
    }
    cx.store.notify(Notice::NotDecided(failure.clone()));
    withdrawals::on_journal_change(cx)
}

fn link_made(cx: &mut Cx, result: &Result<PaymentLink, Failure>, is_watched: bool) {
    if result.is_ok() {
        cx.store.startup_stage = StartupStage::Known;
        if !is_watched {
            cx.store.notify(Notice::good("said-link-ready"));
        }
    }
    cx.store.session.note(result.as_ref().err());
    links::reload(cx);
    let list = &mut cx.store.links.list;
    if let Ok(link) = result {
        list.replace(link, HistoryRecord::is_same);
    }
    (list.keeps_row, list.made) = (true, result.clone().ok());
}

fn charge_made(cx: &mut Cx, result: &Result<Charge, Failure>, is_watched: bool) {
    cx.store.session.note(result.as_ref().err());
    charges::reload(cx);
    if let Ok(charge) = result {
        cx.store.charges.replace(charge, HistoryRecord::is_same);
        if !is_watched && !charge.outcome.lacks_code() {
            cx.store.notify(Notice::good("said-charge-ready"));
        }
    }
    (cx.store.charges.keeps_row, cx.store.charges.made) = (true, result.clone().ok());
}

/// Applies a message to the store, before the screens receive the message.
fn apply_to_store(cx: &mut Cx, msg: &Msg, is_watched: bool) {
    use Msg::*;
    match msg {
        Started => start(cx),
        CredentialsRead { vault_status, api_token, jwt } => {
            credentials::credentials_read(cx, vault_status.clone(), api_token.clone(), jwt.clone())
        }
        ConsentRead(last) => consent::read(cx, last),
        Taught { result, .. } => consent::taught(cx.store, result),
        LinesConfirmed(lines) => confirming::confirmed(cx.store, lines),
        ConsentStored { result: Ok(()), .. } => consent::agreed(cx.store),
        NotKept(trouble) => cx.store.session.vault_status = VaultStatus::Trouble(trouble.clone()),
        LoggedOut(result) => credentials::logged_out(cx, result.clone()),
        DomainsListed { ticket, result } => domains::listed(cx, *ticket, result.clone()),
        DomainsNoted { account, seen } => domains::take_earlier_times(cx.store, account, seen),
        DomainRead(host) => domains::restore_choice(cx.store, host.clone()),
        LookKept { look, result } => look_kept(cx.store, look, result),
        DomainNotKept(why) => cx.store.notify(Notice::system("said-domain-not-kept", why)),
        LinksLoaded { ticket, result } => links::loaded(cx.store, *ticket, result.clone()),
        LinksCounted { ticket, result } => links::counted(cx.store, *ticket, result.clone()),
        LinkMade { result, .. } => link_made(cx, result, is_watched),
        NicknamesRead(result) => nicknames::read(cx.store, result),
        Nicknamed { result: Ok(nicknames), .. } => cx.store.nicknames = nicknames.clone(),
        HistoryChanged => cx.perform(Effect::ReadNicknames),
        NotSaved(_) | MarkedPaid(_) | SaleRemoved(_) => sales::on_message(cx, msg),
        SaleFound { .. } => sales::on_message(cx, msg),
        ChargesLoaded { ticket, result } => charges::loaded(cx.store, *ticket, result.clone()),
        ChargesCounted { ticket, result } => charges::counted(cx.store, *ticket, result.clone()),
        ChargeMade { result, .. } => charge_made(cx, result, is_watched),
        WithdrawalsLoaded { ticket, result } => {
            withdrawals::loaded(cx.store, *ticket, result.clone())
        }
        AttemptBegan { .. } | JournalChanged => withdrawals::on_journal_change(cx),
        Settled(withdrawal) => attempt_ended(cx, withdrawal, is_watched),
        AttemptTrouble { key, withdrawal, trouble } => {
            attempt_trouble(cx, *key, withdrawal.as_deref(), trouble, is_watched)
        }
        Decided { result: Ok(withdrawal), .. } => settled(cx, withdrawal),
        Decided { result: Err(failure), .. } => not_decided(cx, failure),
        Exchanged(exchange) => requests::arrived(cx, exchange),
        RequestsLoaded { .. } | ExchangeLoaded { .. } | ObjectFound { .. } | SaleBegun { .. } => {
            requests::on_message(cx, msg)
        }
        Copied(clip, result) => clip::copied(cx.store, *clip, result.clone()),
        RequestSaved(result) => cx.store.notify(Notice::request_saved(result)),
        Browsed(result) => cx.store.notify(Notice::browsed(*result)),
        SandboxPaidLinks(links) => paid::reported(cx, links),
        SandboxPaymentsRecorded(result) => paid::recorded(cx, result),
        DemoDone(command) => demo_done(cx, command),
        // The message `Proven` arrives before any message about the withdrawal journal.
        Proven { sandbox, journal } => {
            (cx.store.sandbox, cx.store.journal) = (*sandbox, cx.store.setup.path(journal))
        }
        HistoryMovedAside(to) => links::history_replaced(cx.store, to),
        NotWatching(why) => cx.store.notify(Notice::system("said-not-watching", why)),
        FaultsArmed(faults) => cx.store.faults.clone_from(faults),
        DemoNotDone => cx.store.notify(Notice::warn("said-not-granted")),
        Story(told) => story_said(cx, told.clone()),
        // The store ignores these messages. Only the screen that made the request handles them.
        #[rustfmt::skip]
        LoggedIn { .. } | JwtKept { .. } | ConsentStored { .. } | Quoted { .. } | Reviewed { .. }
        | DestinationsLoaded { .. } | BuyersLoaded { .. } | Nicknamed { .. } | Prepared { .. }
        | ReceiptSaved { .. } | BuyerPage { .. } | Examined { .. } | MadeLive { .. }
        | SetUp { .. } | BodiesRead(..) => {}
        // The router handles these messages, so they never reach the store.
        #[rustfmt::skip]
        Input(_) | Pulse | SecretEdited { .. } | SecretFull(_) | Continued | ProfileOpened { .. }
        | Terminate(_) | KioskEnds(_) => {}
    }
}

fn start(cx: &mut Cx) {
    kiosk::begin(cx.store);
    if let StartupStage::SetUp(answers) = &cx.store.startup_stage {
        return cx.open(Route::FirstRun(answers.clone()));
    }
    if cx.store.session.vault_status == VaultStatus::Asking {
        cx.perform(Effect::ReadCredentials);
    }
    load(cx);
    if cx.store.setup.demo.is_none() {
        cx.perform(Effect::ReadDomain);
    }
}

/// Requests the payment links, the withdrawals, the direct payments and the nicknames.
fn load(cx: &mut Cx) {
    links::reload(cx);
    withdrawals::reload(cx);
    charges::reload(cx);
    cx.perform(Effect::ReadNicknames);
}

/// Handles the outcome of a send attempt that has been written to the withdrawal journal.
fn attempt_ended(cx: &mut Cx, withdrawal: &Withdrawal, is_watched: bool) {
    let end = withdrawal.attempts.last().and_then(|attempt| attempt.end.as_ref());
    // Skip a send attempt that is no longer running: its outcome was handled earlier, and the
    // seller may have logged in again since then.
    if cx.store.withdrawals.in_flight == Some(withdrawal.agreement.key) {
        note_end(cx.store, end);
    }
    settled(cx, withdrawal);
    let (amount, state) = (withdrawal.agreement.amount, cx.store.state_of(withdrawal));
    // An open withdrawal gets no notice, because the banner already shows it.
    if is_watched {
        cx.store.withdrawals.list.made = Some(withdrawal.clone());
    } else if !state.is_open() {
        cx.store.notify(Notice::Settled { amount, state });
    }
    confirming::after_withdrawal(cx, withdrawal);
}

fn settled(cx: &mut Cx, withdrawal: &Withdrawal) {
    cx.store.withdrawals.in_flight.take_if(|key| *key == withdrawal.agreement.key);
    let is_open = cx.store.state_of(withdrawal).is_open();
    cx.store.withdrawals.note(withdrawal, is_open);
    withdrawals::on_journal_change(cx)
}

/// Marks the credential for withdrawals as refused or missing, if that is why the send attempt
/// failed.
fn note_end(store: &mut Store, end: Option<&AttemptEnd>) {
    let Some(kind) = store.setup.contract.withdrawal.call.credential else { return };
    match end.map(|end| &end.class) {
        Some(Class::Unauthorized) => store.session.credential_mut(kind).refuse(),
        Some(Class::NotSent(NotSent::NoCredential)) => {
            *store.session.credential_mut(kind) = Credential::Absent;
        }
        _ => {}
    }
}

fn attempt_trouble(
    cx: &mut Cx,
    key: IdempotencyKey,
    withdrawal: Option<&Withdrawal>,
    trouble: &Failure,
    is_watched: bool,
) {
    if let Some(journal) = trouble.journal_trouble() {
        cx.store.withdrawals.trouble = Some(journal.clone());
    }
    // The service's response is known, although it could not be written to the withdrawal journal.
    if let Failure::Unrecorded { end, .. } = trouble {
        note_end(cx.store, Some(end));
    }
    if let Failure::Clash(clash) = trouble {
        let is_open = cx.store.state_of(&clash.other).is_open();
        cx.store.withdrawals.note(&clash.other, is_open);
    }
    // The message has no withdrawal if the journal could not be read. Use the copy in the store
    // then.
    let known = withdrawal.cloned().or_else(|| cx.store.withdrawals.find(key).cloned());
    if !is_watched {
        cx.store.notify(Notice::Sending(trouble.clone()));
    }
    match known.filter(|_| withdrawal.is_some() || is_watched) {
        Some(withdrawal) => settled(cx, &withdrawal),
        None => {
            cx.store.withdrawals.in_flight.take_if(|in_flight| *in_flight == key);
        }
    }
}

fn demo_done(cx: &mut Cx, command: &Command) {
    use Command::*;
    match command {
        Fault(name) => cx.store.notify(Notice::FaultArmed(name.clone())),
        NoFaults => cx.store.notify(Notice::good("said-faults-gone")),
        StartOver => started_over(cx),
        Forward => cx.store.notify(Notice::warn("said-forwarded")),
        Story(false) => story::stopped(cx.store),
        DomainsDown(down) => {
            cx.store.notify(match down {
                true => Notice::warn("said-domains-down"),
                false => Notice::good("said-domains-up"),
            });
            domains::refresh(cx)
        }
        Do(_) | New(_) | Profile(_) | Theme(_) | Language(_) | KeepLook | Hint(_) | BuyersView
        | Story(true) | AutoplayStory | StoryNext | Mask(_) | Captions(_) => {}
    }
}

fn story_said(cx: &mut Cx, told: StoryEvent) {
    match told {
        StoryEvent::Began => (cx.store.story.playing, cx.store.story.caption) = (true, None),
        StoryEvent::Caption { words, step } => cx.store.story.notify(&words, step),
        StoryEvent::DomainsMoved => domains::refresh(cx),
        StoryEvent::Failed => cx.store.notify(Notice::warn("said-step-failed")),
        StoryEvent::Ended => cx.store.story.playing = false,
        // The router handles these events, and only in a kiosk.
        StoryEvent::Key(_) | StoryEvent::Stuck => {}
    }
}

/// Clears and reloads all lists after the demo was restarted, because its journal and its history
/// database are new.
fn started_over(cx: &mut Cx) {
    cx.store.links = links::LinksState::default();
    cx.store.withdrawals = withdrawals::WithdrawalsState::default();
    cx.store.charges = List::default();
    cx.store.unsaved = unsaved::Unsaved::default();
    cx.store.requests = requests::RequestsState::default();
    domains::forget(cx);
    cx.store.kiosk.started_over();
    load(cx);
    domains::refresh_if_entered(cx);
    cx.store.notify(Notice::good("said-started-over"));
}

/// Builds the QR code for the front screen. The code for a dialog is built at once. The code for a
/// row of a list is built after the cursor has rested on the row.
fn picture_follows(model: &mut Model) {
    let rest_ms = if model.layers.is_empty() { REST_MS } else { 0 };
    let mut picture = std::mem::take(&mut model.store.picture);
    let (ascii, boot_ms) = (model.setup.ascii, model.now.boot_ms);
    router::front(model, |screen, store| {
        picture.follow(screen.qr_text(store), rest_ms, ascii, boot_ms);
    });
    model.store.picture = picture;
}

/// Opens the details of one open withdrawal (its outcome is unknown), once after the program
/// starts. Nothing is sent.
///
/// Waits while the login or the consent page is open. If another screen or the search is open, does
/// nothing, because the banner shows the withdrawal too.
fn take_first_look(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    let withdrawals = &model.withdrawals;
    let is_due = !withdrawals.was_first_look_taken && withdrawals.list.loaded;
    let is_first = |layer: &Layer| layer.is_login() || matches!(layer, Layer::Consent(_));
    if !is_due || model.layers.iter().any(is_first) {
        return vec![];
    }
    model.withdrawals.was_first_look_taken = true;
    match first_to_open(&model.store).cloned() {
        Some(one) if model.layers.is_empty() && !router::is_searching(model) => {
            router::open(model, Route::Withdrawal(Box::new(one)), at)
        }
        _ => vec![],
    }
}

/// Opens the form for the first payment link, once, after the first-run setup and a login. The form
/// asks for the JWT.
fn lead_to_first_link(model: &mut Model, at: &Stamp) -> Vec<Effect> {
    let is_due = model.startup_stage == StartupStage::FirstLink { offered: false };
    let is_free = model.layers.is_empty() && !router::is_searching(model);
    let is_in = model.session.api_token.is_good(model.now.wall);
    if !is_due || !is_free || !is_in || model.setup.read_only {
        return vec![];
    }
    model.startup_stage = StartupStage::FirstLink { offered: true };
    router::open(model, Route::NewLink(None), at)
}

/// Returns the open withdrawal that needs the seller's attention most: a withdrawal whose response
/// contradicts the request, then one that needs a decision, then the oldest.
fn first_to_open(store: &Store) -> Option<&Withdrawal> {
    store.withdrawals.open.iter().min_by_key(|one| match store.state_of(one) {
        WithdrawalState::Mismatch(_) => 0,
        WithdrawalState::NeedsPerson(_) => 1,
        _ => 2,
    })
}

/// Returns the time until the next [`Msg::Pulse`]: until the nearest deadline, midnight, or the
/// expiry of a credential, whichever comes first.
pub fn next_pulse(model: &Model) -> Duration {
    let (now, offset) = (model.now.wall, model.setup.utc_offset_s);
    let midnight = Wall::of_local_day(now.local_day(offset).saturating_add(1), offset);
    let held = [&model.session.api_token, &model.session.jwt].into_iter();
    let ends = held.filter_map(|credential| credential.held()?.expires).filter(|end| *end > now);
    let changes = ends.chain([midnight]).filter_map(|at| at.since(now));
    changes.chain(next_deadline(model)).min().unwrap_or(Duration::MAX)
}

/// Returns the time until the nearest deadline in the model; `None` without a deadline.
pub fn next_deadline(model: &Model) -> Option<Duration> {
    let (store, last) = (&model.store, model.layers.len());
    // Screens that are visible behind a dialog or the palette still run their countdowns. Find the
    // topmost layer that hides the layers below it.
    let covering = model.layers.iter().rposition(|layer| !layer.screen().info().floats);
    let screens = model.layers.iter().zip(1..).map(|(layer, n)| {
        let screen = layer.screen();
        match covering.is_none_or(|covering| n > covering) {
            true => screen.deadline(store, n == last),
            false => screen.wait().map(|wait| wait.to_next_second(store.now.boot_ms)),
        }
    });
    let pane = store.pane.screen();
    let pane = match covering {
        None => pane.deadline(store, model.layers.is_empty()),
        Some(_) => None,
    };
    let banner = banner::next_deadline(model);
    let pulse = store.paid.pulse_left(store.now.boot_ms);
    let picture = store.picture.due(store.now.boot_ms);
    let keys = store.shown_keys.left(store.now.boot_ms);
    let press = read_tracker::until_press(model);
    let idle = kiosk::left(store);
    let steps = [pane, press, next_window_end(store), banner, pulse, picture, keys, idle];
    screens.chain(steps).flatten().min()
}

/// Returns the time until the first withdrawal with an unknown outcome can no longer be resent. The
/// banner, which is visible on every pane, changes at that time.
fn next_window_end(store: &Store) -> Option<Duration> {
    let open = store.withdrawals.open.iter();
    let unknown = open.filter(|one| store.state_of(one) == WithdrawalState::Unknown);
    let left = unknown.filter_map(|one| store.setup.window.left(&one.attempts, &store.now).ok());
    left.min().map(|left| left + Duration::from_millis(1))
}
