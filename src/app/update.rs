//! The entry point of the app: [`update`] handles one message, changes the model and returns
//! effects. [`next_pulse`] returns how long to wait before the next message is due.

use std::sync::Arc;
use std::time::Duration;

use super::chrome::{self, banner};
use super::screens::Layer;
use crate::app::cx::{Cx, Route};
use crate::app::router::{profiles, read_tracker};
use crate::app::store::commands::Command;
use crate::app::store::first_run::StartupStage;
use crate::app::store::frame_snapshot::Front;
use crate::app::store::picture::QR_DELAY_MS;
use crate::app::store::sales::SaleKind;
use crate::app::store::session::{Credential, VaultStatus};
use crate::app::store::setup::look_kept;
use crate::app::store::story::{SellerEvent, StoryEvent};
use crate::app::store::{
    clip, confirming, consent, credential_trial, credentials, domains, imports, kiosk, links,
    nicknames, paid, recording, requests, sales, shown_keys, story, unstored_exchanges,
    withdrawals,
};
use crate::app::ui::form::Form;
use crate::app::{Effect, Model, Msg, Notice, Stamp, Store, router};
use crate::trade::withdrawal::{AttemptEnd, Blocker, Class, NotSent, WithdrawalState};
use crate::trade::{
    ChargeRequest, Failure, IdempotencyKey, LinkRequest, Operation, Sale, SaleOf, Wall, Withdrawal,
};

/// Handles one message.
///
/// The same model, message and stamp always give the same result: this function reads no clock,
/// disk, network or random source.
pub fn update(model: &mut Model, msg: Msg, stamp: &Stamp) -> Vec<Effect> {
    // First record what the last frame showed, because this message may change the model.
    read_tracker::record_frame(model, stamp);
    model.now = stamp.clocks.clone();
    model.fresh_key = Some(stamp.fresh_key);
    let before = Front::of(model);
    let is_caption = matches!(msg, Msg::Story(StoryEvent::Caption { .. }));
    let ended_operations = unstored_exchanges::ended(&msg);
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
    effects.extend(open_withdrawal_at_start(model, stamp));
    effects.extend(open_first_link_form(model, stamp));
    model.store.notice_rows = chrome::notice_rows(model);
    model.store.withdrawals.is_on_own_page = router::is_on_own_page(model);
    read_tracker::reset_if_changed(model);
    update_qr_code(model);
    let front = Front::of(model);
    if front != before {
        // A different screen, or a different stage of the same screen, is now in front.
        model.scroll = 0;
    }
    if model.story.playing {
        // Report the front screen if it changed. Also report it when a new caption appears, because
        // the caption may ask for the screen that is already in front.
        let event = SellerEvent::of_screen(front.name).filter(|_| front != before || is_caption);
        effects.extend(event.map(Effect::ReportToStory));
    }
    // The runtime ignores effects after `Leave`, so put these effects before it.
    let index = if model.leaving { 0 } else { effects.len() };
    effects.splice(
        index..index,
        unstored_exchanges::store(&mut model.store, ended_operations),
    );
    let is_covered = !model.layers.is_empty();
    let load = requests::follow_cursor(&mut model.store, is_covered);
    effects.extend(load.filter(|_| !model.leaving));
    kiosk::drop_clipboard_effects(model, &mut effects);
    effects
}

fn handle(model: &mut Model, msg: Msg, stamp: &Stamp) -> Vec<Effect> {
    match msg {
        Msg::Input(input) => {
            let effects = router::input(model, input, stamp);
            router::remember_top(model);
            effects
        }
        Msg::Pulse => router::on_deadline(model, stamp),
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
        Msg::ProfileOpened { ticket, result } => profiles::on_opened(model, ticket, result, stamp),
        Msg::Terminate(hung_up) => {
            model.hung_up |= hung_up;
            model.leaving = true;
            model.profiles.next = None;
            model.starts_over = false;
            vec![Effect::Leave]
        }
        Msg::KioskEnds(why) => {
            (model.kiosk.ended, model.leaving) = (Some(why), true);
            model.starts_over = false;
            vec![Effect::Leave]
        }
        Msg::DemoDone(Command::StartOver) => router::leave_to_start_over(model),
        msg => {
            let mut effects = vec![];
            let has_started_over = model.starts_over && !model.leaving;
            if has_started_over && !std::mem::take(&mut model.layers).is_empty() {
                // The login form of the previous run would wait for a reply that never arrives.
                effects = router::open(model, Route::Login(None), stamp);
            }
            let is_watched = shows_outcome(model, &msg);
            effects.extend(router::act_on_store(model, stamp, |cx| {
                apply_to_store(cx, &msg, is_watched)
            }));
            effects.extend(router::pass_message(model, &msg, stamp));
            // If the request was refused because of the agreement to the API contract, the stored
            // agreement differs from the copy in memory, so read it again.
            effects.extend(consent::was_refused(&msg).then_some(Effect::ReadConsent));
            effects.extend(router::act_on_store(model, stamp, |cx| {
                nicknames::look_up(cx, [])
            }));
            effects
        }
    }
}

fn forms(model: &mut Model) -> impl Iterator<Item = &mut Form> {
    model
        .layers
        .iter_mut()
        .filter_map(|layer| layer.screen_mut().form_mut())
}

/// True if an open screen already shows the outcome that this message reports, such as the screen
/// that sent the request.
fn shows_outcome(model: &Model, msg: &Msg) -> bool {
    let (key, is_recorded) = match msg {
        Msg::SaleMade { .. } => {
            return model.layers.iter().any(|layer| layer.shows_sale(msg));
        }
        Msg::AttemptTrouble { key, .. } => (*key, false),
        Msg::Settled(withdrawal) => (withdrawal.agreement.key, true),
        _ => return false,
    };
    model.layers.iter().any(|layer| match layer {
        Layer::Withdraw(flow) => flow.will_show_result_of(key),
        Layer::Withdrawal(details) => is_recorded && details.withdrawal.agreement.key == key,
        _ => false,
    })
}

fn on_decision(cx: &mut Cx, result: &Result<Box<Withdrawal>, Failure>) {
    match result {
        Ok(withdrawal) => {
            // An approval is the only decision that leaves a withdrawal undecided.
            if !cx.store.state_of(withdrawal).is_decided() {
                note_approval(cx, withdrawal);
            }
            withdrawals::record_state(cx, withdrawal)
        }
        Err(failure) => on_decision_failed(cx, failure),
    }
}

/// Shows a notice that a withdrawal was approved, or that the approval was taken back.
fn note_approval(cx: &mut Cx, withdrawal: &Withdrawal) {
    let is_approved = withdrawal.approvals.valid(cx.store.now.wall).is_some();
    cx.store.notify(Notice::good(if is_approved {
        "said-approved"
    } else {
        "said-approval-taken-back"
    }));
}

/// Shows a notice that the seller's decision about a withdrawal could not be saved, and reloads the
/// list of withdrawals.
fn on_decision_failed(cx: &mut Cx, failure: &Failure) {
    if let Failure::Journal(trouble) = failure {
        cx.store.withdrawals.trouble = Some(trouble.clone());
    }
    cx.store.notify(Notice::NotDecided(failure.clone()));
    withdrawals::on_journal_change(cx)
}

fn on_sale_made(
    cx: &mut Cx,
    operation: Operation,
    result: &Result<Arc<Sale>, Failure>,
    is_watched: bool,
) {
    credential_trial::note(cx.store, operation, result.as_ref().err());
    match operation {
        Operation::CreateLink => update_list::<LinkRequest>(cx, result),
        _ => update_list::<ChargeRequest>(cx, result),
    }
    let ready = match result.as_deref() {
        Ok(Sale::Link(_)) => {
            cx.store.startup_stage = StartupStage::Known;
            "said-link-ready"
        }
        Ok(Sale::Charge(charge)) if !charge.outcome.lacks_code() => "said-charge-ready",
        _ => return,
    };
    if !is_watched {
        cx.store.notify(Notice::good(ready));
    }
}

/// Loads the list again after a request for a new link or direct payment has ended. The new row is
/// shown at once, and gets the cursor.
fn update_list<R: SaleKind>(cx: &mut Cx, result: &Result<Arc<Sale>, Failure>) {
    sales::reload_keeping_row::<R>(cx);
    let made = result.as_deref().ok().and_then(R::of_sale);
    let list = &mut R::state_mut(cx.store).list;
    if let Some(sale) = made {
        list.replace(sale, SaleOf::is_same);
    }
    list.created = made.cloned();
}

/// Shows where a file was saved, or why it was not.
fn on_file_saved(cx: &mut Cx, msg: &Msg) {
    cx.store.notify(match msg {
        Msg::RequestSaved(result) => Notice::request_saved(result),
        Msg::QrSaved(result) => Notice::qr_saved(result),
        Msg::DemoStatementSaved(result) => Notice::statement_saved(result),
        _ => return,
    });
}

/// Applies a message to the store, before the screens receive the message.
fn apply_to_store(cx: &mut Cx, msg: &Msg, is_watched: bool) {
    use Msg::*;
    match msg {
        Started => on_start(cx),
        CredentialsRead {
            vault_status,
            api_token,
            jwt,
        } => {
            credentials::credentials_read(cx, vault_status.clone(), api_token.clone(), jwt.clone())
        }
        ConsentRead(last) => consent::on_consent_read(cx, last),
        Taught { result, .. } => consent::taught(cx.store, result),
        SettingsConfirmed(lines) => confirming::confirmed(cx.store, lines),
        ConsentStored { result: Ok(()), .. } => consent::record_agreement(cx.store),
        NotStored(trouble) => cx.store.session.vault_status = VaultStatus::Trouble(trouble.clone()),
        LoggedOut(result) => credentials::logged_out(cx, result.clone()),
        DomainsListed { ticket, result } => domains::listed(cx, *ticket, result.clone()),
        DomainsNoted { account, seen } => domains::take_earlier_times(cx.store, account, seen),
        DomainRead(host) => domains::restore_choice(cx.store, host.clone()),
        Focused(has_focus) => cx.store.has_focus = *has_focus,
        LookSaved { look, result } => look_kept(cx.store, look, result),
        DomainNotSaved(why) => cx.store.notify(Notice::system("said-domain-not-kept", why)),
        LinksLoaded { ticket, result } => sales::loaded(cx.store, *ticket, result.clone()),
        ChargesLoaded { ticket, result } => sales::loaded(cx.store, *ticket, result.clone()),
        SalesCounted { ticket, result } => sales::counted(cx.store, *ticket, result.clone()),
        SaleMade {
            operation, result, ..
        } => on_sale_made(cx, *operation, result, is_watched),
        Import(msg) => imports::on_message(cx, msg),
        NicknamesRead(_) | Nicknamed { .. } | HistoryChanged => nicknames::on_message(cx, msg),
        NotSaved(_) | MarkedPaid(_) | SaleRemoved(_) | PutAway(_) => sales::on_message(cx, msg),
        SaleFound { .. } | NoteSaved { .. } => sales::on_message(cx, msg),
        StatementMarked { .. } | StatementUndone { .. } => sales::on_message(cx, msg),
        WithdrawalsLoaded { .. } | JournalVerifying { .. } => withdrawals::on_message(cx, msg),
        UnitProbed { .. } => withdrawals::on_message(cx, msg),
        BodiesRead(ticket, bodies) => confirming::on_reply_read(cx, *ticket, bodies),
        AttemptBegan { .. } | JournalChanged => withdrawals::on_journal_change(cx),
        Settled(_) | AttemptTrouble { .. } => on_attempt_message(cx, msg, is_watched),
        Decided { result, .. } => on_decision(cx, result),
        Exchanged(exchange) => requests::arrived(cx, exchange),
        RequestsLoaded { .. } | ExchangeLoaded { .. } | ObjectFound { .. } => {
            requests::on_message(cx, msg)
        }
        Copied(clip, result) => clip::copied(cx.store, *clip, result.clone()),
        RequestSaved(_) | QrSaved(_) | DemoStatementSaved(_) => on_file_saved(cx, msg),
        Browsed(result) => cx.store.notify(Notice::browsed(*result)),
        SandboxPaidLinks(links) => paid::reported(cx, links),
        SandboxPaymentsRecorded(result) => paid::recorded(cx, result),
        DemoDone(command) => on_demo_done(cx, command),
        // The message `Proven` arrives before any message about the withdrawal journal.
        Proven { sandbox, journal } => {
            (cx.store.sandbox, cx.store.journal_path) = (*sandbox, cx.store.setup.path(journal))
        }
        HistoryLost { lost, is_new } => links::history_lost(cx.store, lost, *is_new),
        NotWatching(why) => cx.store.notify(Notice::system("said-not-watching", why)),
        HistoryNotShared(why) => cx.store.notify(Notice::system("said-not-shared", why)),
        ZoneUnreadable => cx.store.notify(Notice::warn("said-zone-unreadable")),
        FaultsArmed(faults) => cx.store.faults.clone_from(faults),
        DemoNotDone => cx.store.notify(Notice::warn("said-not-granted")),
        Story(event) => on_story_event(cx, event.clone()),
        Recording(news) => recording::on_news(cx.store, news),
        // The store ignores these messages. A screen recognizes its own by the ticket.
        #[rustfmt::skip]
        LoggedIn { .. } | JwtKept { .. } | ConsentStored { .. } | Quoted { .. } | Reviewed { .. }
        | DestinationsLoaded { .. } | BuyersLoaded { .. } | KnownLinksLoaded { .. }
        | Prepared { .. } | PathCompleted { .. } | Reconciled { .. } | ReportLoaded { .. }
        | WithdrawalsReported { .. } | ListExported { .. } | SetUp { .. }
        | ReceiptSaved { .. } | BuyerPage { .. } | Examined { .. } | MadeLive { .. } => {}
        // The router handles these messages, so they never reach the store.
        #[rustfmt::skip]
        Input(_) | Pulse | SecretEdited { .. } | SecretFull(_) | Continued | ProfileOpened { .. }
        | Terminate(_) | KioskEnds(_) => {}
    }
}

fn on_start(cx: &mut Cx) {
    if std::mem::take(&mut cx.store.starts_over) {
        domains::refresh_if_entered(cx);
        cx.store.notify(Notice::good("said-started-over"));
    } else {
        kiosk::begin(cx.store);
    }
    if let StartupStage::SetUp(answers) = &cx.store.startup_stage {
        return cx.open(Route::FirstRun(answers.clone()));
    }
    if cx.store.session.vault_status == VaultStatus::Asking {
        cx.perform(Effect::ReadCredentials);
    }
    load_lists(cx);
    if cx.store.setup.demo.is_none() {
        cx.perform(Effect::ReadDomain);
    }
}

/// Requests the payment links, the withdrawals, the direct payments and the known nicknames.
fn load_lists(cx: &mut Cx) {
    sales::reload::<LinkRequest>(cx);
    withdrawals::reload(cx);
    sales::reload::<ChargeRequest>(cx);
    nicknames::reload(cx);
}

fn on_attempt_message(cx: &mut Cx, msg: &Msg, is_watched: bool) {
    match msg {
        Msg::Settled(withdrawal) => on_attempt_end(cx, withdrawal, is_watched),
        Msg::AttemptTrouble {
            key,
            withdrawal,
            trouble,
        } => on_attempt_trouble(cx, *key, withdrawal.as_deref(), trouble, is_watched),
        _ => {}
    }
}

/// Handles the outcome of a send attempt that has been written to the withdrawal journal.
fn on_attempt_end(cx: &mut Cx, withdrawal: &Withdrawal, is_watched: bool) {
    let end = withdrawal
        .attempts
        .last()
        .and_then(|attempt| attempt.end.as_ref());
    // Skip a send attempt that is no longer running: its outcome was handled earlier, and the
    // seller may have logged in again since then.
    if cx.store.withdrawals.in_flight == Some(withdrawal.agreement.key) {
        note_credential(cx.store, end);
    }
    withdrawals::record_state(cx, withdrawal);
    let amount = withdrawal.agreement.amount;
    let state = cx.store.state_of(withdrawal);
    // An open withdrawal gets no notice, because the banner already shows it.
    if is_watched {
        cx.store.withdrawals.list.created = Some(withdrawal.clone());
    } else if !state.is_open() {
        cx.store.notify(Notice::Settled { amount, state });
    }
    confirming::after_withdrawal(cx, withdrawal);
}

/// Marks the credential for withdrawals as refused or missing, if that made the send attempt fail.
fn note_credential(store: &mut Store, end: Option<&AttemptEnd>) {
    let Some(kind) = store.setup.contract.withdrawal.call.credential else {
        return;
    };
    match end.map(|end| &end.class) {
        Some(Class::Unauthorized) => store.session.credential_mut(kind).refuse(),
        Some(Class::NotSent(NotSent::NoCredential)) => {
            *store.session.credential_mut(kind) = Credential::Absent;
        }
        _ => {}
    }
}

fn on_attempt_trouble(
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
        note_credential(cx.store, Some(end));
    }
    if let Failure::Blocked(Blocker::Clash(clash)) = trouble {
        let is_open = cx.store.state_of(&clash.other).is_open();
        cx.store.withdrawals.note(&clash.other, is_open);
    }
    // The message has no withdrawal if the journal could not be read. Use the copy in the store
    // then.
    let latest = withdrawal
        .cloned()
        .or_else(|| cx.store.withdrawals.find(key).cloned());
    if !is_watched {
        cx.store.notify(Notice::Sending(trouble.clone()));
    }
    match latest.filter(|_| withdrawal.is_some() || is_watched) {
        Some(withdrawal) => withdrawals::record_state(cx, &withdrawal),
        None => {
            cx.store
                .withdrawals
                .in_flight
                .take_if(|in_flight| *in_flight == key);
        }
    }
}

fn on_demo_done(cx: &mut Cx, command: &Command) {
    use Command::*;
    match command {
        Fault(name) => cx.store.notify(Notice::FaultArmed(name.clone())),
        NoFaults => cx.store.notify(Notice::good("said-faults-gone")),
        Forward => cx.store.notify(Notice::warn("said-forwarded")),
        Story(false) => story::stopped(cx.store),
        DomainsDown(down) => {
            cx.store.notify(if *down {
                Notice::warn("said-domains-down")
            } else {
                Notice::good("said-domains-up")
            });
            domains::refresh(cx)
        }
        // The router handles `StartOver`.
        Do(_) | New(_) | Profile(_) | Theme(_) | Language(_) | KeepLook | Hint(_) | BuyersView
        | StartOver | Statement | Story(true) | AutoplayStory | StoryNext | Mask(_) | Record(_)
        | Captions(_) => {}
    }
}

fn on_story_event(cx: &mut Cx, event: StoryEvent) {
    match event {
        StoryEvent::Began => (cx.store.story.playing, cx.store.story.caption) = (true, None),
        StoryEvent::Caption { text, step } => cx.store.story.notify(&text, step),
        StoryEvent::DomainsMoved => domains::refresh(cx),
        StoryEvent::Failed => cx.store.notify(Notice::warn("said-step-failed")),
        StoryEvent::Ended => cx.store.story.playing = false,
        // The router handles these events, and only in a kiosk.
        StoryEvent::Key(_) | StoryEvent::Stuck => {}
    }
}

/// Builds the QR code for the front screen. The code for a dialog is built at once. The code for a
/// row of a list is built after the cursor has rested on the row for a moment.
fn update_qr_code(model: &mut Model) {
    let rest_ms = if model.layers.is_empty() {
        QR_DELAY_MS
    } else {
        0
    };
    let mut picture = std::mem::take(&mut model.store.qr_code);
    let ascii = model.setup.ascii;
    let boot_ms = model.now.boot_ms;
    router::with_front_screen(model, |screen, store| {
        picture.request_code(screen.qr_text(store), rest_ms, ascii, boot_ms);
    });
    model.store.qr_code = picture;
}

/// Opens the details of the most urgent open withdrawal (its outcome is unknown), once after the
/// program starts. Nothing is sent.
///
/// Waits while the login or the consent page is open. If another screen or the search is open, does
/// nothing, because the banner shows the withdrawal too.
fn open_withdrawal_at_start(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let withdrawals = &model.withdrawals;
    let is_due = !withdrawals.has_decided_to_open && withdrawals.list.loaded;
    if !is_due
        || model
            .layers
            .iter()
            .any(|layer| layer.is_login() || matches!(layer, Layer::Consent(_)))
    {
        return vec![];
    }
    model.withdrawals.has_decided_to_open = true;
    match most_urgent(&model.store).cloned() {
        Some(withdrawal) if model.layers.is_empty() && !router::is_searching(model) => {
            router::open(model, Route::Withdrawal(Box::new(withdrawal)), stamp)
        }
        _ => vec![],
    }
}

/// Opens the form for the first payment link, once, after the first-run setup and a login. The form
/// asks for the JWT.
fn open_first_link_form(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let is_due = model.startup_stage == StartupStage::FirstLink { offered: false };
    let is_free = model.layers.is_empty() && !router::is_searching(model);
    let is_logged_in = model.session.api_token.is_good(model.now.wall);
    if !is_due || !is_free || !is_logged_in || model.setup.read_only {
        return vec![];
    }
    model.startup_stage = StartupStage::FirstLink { offered: true };
    router::open(model, Route::NewLink(None), stamp)
}

/// The open withdrawal that is most urgent: first a contradicted one, then one that needs a
/// decision, then the oldest.
fn most_urgent(store: &Store) -> Option<&Withdrawal> {
    store
        .withdrawals
        .open
        .iter()
        .min_by_key(|withdrawal| match store.state_of(withdrawal) {
            WithdrawalState::Mismatch(_) => 0,
            WithdrawalState::NeedsPerson(_) => 1,
            _ => 2,
        })
}

/// The time until the next [`Msg::Pulse`]: until the nearest deadline, midnight, or the expiry of a
/// credential, whichever comes first.
pub fn next_pulse(model: &Model) -> Duration {
    let now = model.now.wall;
    let offset = model.setup.utc_offset_s;
    let [_, midnight] = Wall::span_of_local_day(now.local_day(offset), offset);
    let tokens = [&model.session.api_token, &model.session.jwt].into_iter();
    let ends = tokens
        .filter_map(|credential| credential.held()?.expires)
        .filter(|end| *end > now);
    let changes = ends.chain([midnight]).filter_map(|time| time.since(now));
    changes
        .chain(next_deadline(model))
        .min()
        .unwrap_or(Duration::MAX)
}

/// The time until the nearest deadline in the model; `None` without a deadline.
pub fn next_deadline(model: &Model) -> Option<Duration> {
    let store = &model.store;
    let count = model.layers.len();
    // Screens that are visible behind a dialog or the palette still run their countdowns. Find the
    // topmost layer that hides the layers below it.
    let covering_index = model
        .layers
        .iter()
        .rposition(|layer| !layer.screen().info().floats);
    let screens = model.layers.iter().zip(1..).map(|(layer, number)| {
        let screen = layer.screen();
        if covering_index.is_none_or(|covering_index| number > covering_index) {
            screen.deadline(store, number == count)
        } else {
            screen
                .wait()
                .map(|wait| wait.to_next_second(store.now.boot_ms))
        }
    });
    let pane = store.pane.screen();
    let pane = match covering_index {
        None => pane.deadline(store, model.layers.is_empty()),
        Some(_) => None,
    };
    let banner = banner::next_deadline(model);
    let pulse = store.paid.pulse_left(store.now.boot_ms);
    let check_mark = store
        .paid
        .motion()
        .and_then(|motion| motion.time_left(store));
    let picture = store.qr_code.time_until_built(store.now.boot_ms);
    let keys = store.shown_keys.left(store.now.boot_ms);
    let confirm = read_tracker::next_deadline(model);
    let idle = kiosk::left(store);
    let deadlines = [
        pane,
        confirm,
        next_window_end(store),
        banner,
        pulse,
        check_mark,
        picture,
        keys,
        idle,
    ];
    screens.chain(deadlines).flatten().min()
}

/// The time until the first withdrawal with an unknown outcome can no longer be resent. The banner,
/// which is visible on every pane, changes at that time.
fn next_window_end(store: &Store) -> Option<Duration> {
    let open = store.withdrawals.open.iter();
    let unknown = open.filter(|one| store.state_of(one) == WithdrawalState::Unknown);
    let left =
        unknown.filter_map(|one| store.setup.window.time_left(&one.attempts, &store.now).ok());
    left.min().map(|left| left + Duration::from_millis(1))
}
