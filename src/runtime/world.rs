//! Performs the effects that `update` returns: network requests, journal, vault, clipboard and
//! files.
//!
//! [`RealWorld`] maps each [`Effect`] to an async task or to a command for another thread. The
//! result goes to the event loop as a [`Msg`], through the [`Inbox`]. Nothing here changes the
//! model.

mod consent;
mod credentials;
mod exports;
mod imports;
mod list_exports;
mod nicknames;
mod payments;
mod requests;
mod statements;
mod stores;
#[cfg(test)]
mod tests;
mod unread;

pub use consent::{ContractConsent, confirmed_lines};
pub use credentials::{DEMO_NOTE, ProfileVault, jwt_credential};
pub use imports::Imports;
pub use stores::{ClosingDatabases, Stores};
pub use unread::Unread;

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt;
use payments::SaleWork;
use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, spawn_blocking};

use super::chosen_domain;
use super::chosen_vault::VaultFile;
use super::clipboard::Clipboard;
use super::display_environment::open_url;
use super::doctor::CheckupTargets;
use super::inbox::Inbox;
use super::look_file;
use super::receipt_files;
use super::secret_fields::SecretFields;
use super::typed_path;
use super::world_builder::WorldBuilder;
use crate::app::message::{BuyerPage, ReceiptFiles};
use crate::app::store::clip::Clip;
use crate::app::store::commands::Command;
use crate::app::store::kiosk::FORWARD;
use crate::app::store::profiles::SwitchRefusal;
use crate::app::store::story::SellerEvent;
use crate::app::ui::geometry::MIN_SIZE;
use crate::app::ui::list::PageRequest;
use crate::app::{Effect, HistoryCommand, MoneyCommand, Msg, NoBrowser, Size};
use crate::config::ProfileState;
use crate::contract::ContractInForce;
use crate::service::Service;
use crate::trade::{
    ChargeRequest, Failure, LinkRequest, Secret, Ticket, Untrusted, VaultKind, checkup,
};

/// Performs the effects that `update` returns. Tests use other implementations.
pub trait EffectHandler {
    /// Starts to perform an effect, without waiting for its result.
    fn perform(&mut self, effect: Effect);

    fn secrets(&mut self) -> &mut SecretFields;
}

/// The functions of the demo that effects need. They are a trait, because the demo's module depends
/// on this module.
pub trait DemoBackend: Send + Sync {
    /// A valid JWT for payment links. The login of the documented API returns none.
    fn jwt(&self) -> Option<Secret>;

    /// Carries out a demo command. Returns false and changes nothing if that is not possible now.
    fn carry_out(&self, command: &Command, inbox: &Inbox) -> bool;

    /// A bank statement, in the format OFX, of the money that arrived at the sandbox's bank.
    fn statement(&self) -> String;

    /// Notifies the demo's guided story of an action of the seller that sends no request.
    fn on_seller_event(&self, event: SellerEvent);

    /// The checkout page at this address, as a buyer sees it. If `pay` is true, first presses the
    /// page's pay button.
    fn checkout_page(&self, url: &Untrusted, pay: bool) -> BuyerPage;
}

/// The data that all tasks of effects share.
pub struct WorldContext {
    /// The settings from which the effect handler was built.
    pub setup: WorldBuilder,
    /// The client of the payment service, with the API contract that was read at startup.
    pub service: Service,
    /// The API contract (the data that describes the API) that is in use now.
    pub contract: ContractInForce,
    /// The vault for credentials. The seller can switch to keeping them only in memory.
    pub vault: ProfileVault,
    pub stores: Stores,
    /// The file that remembers the chosen checkout domain. `None` in a demo.
    pub domain_file: Option<ProfileState>,
    /// The file that remembers which vault the last login used. `None` in a demo.
    pub vault_file: Option<VaultFile>,
    /// The seller's stored consent to the settings of the API contract.
    pub consent: ContractConsent,
    pub clipboard: Clipboard,
    /// The last payment link and the last direct payment whose replies could not be read.
    pub unread: Unread,
    /// The file that was checked last, and the batch of links that is being sent.
    pub imports: imports::Imports,
    /// Allows only one thread at a time to parse long bodies, because that needs much memory.
    pub body_parsing: Arc<Semaphore>,
    /// Sends the results of effects to the event loop.
    pub inbox: Inbox,
}

/// A function that checks another profile and prepares the switch to it, or returns an error text.
pub type ProfileOpener = Arc<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// A function that switches to the theme with this name. A theme that cannot be used is ignored.
pub type ThemeSwitch = Box<dyn Fn(&str) + Send + Sync>;

/// A function that sends bytes, such as an escape sequence, to the terminal without changing the
/// screen.
pub type TerminalWriter = Box<dyn Fn(&[u8]) + Send + Sync>;

/// The effect handler of a normal run or a demo.
pub struct RealWorld {
    context: Arc<WorldContext>,
    secrets: SecretFields,
    /// The running tasks that can be canceled, each with the ticket of its effect.
    running_tasks: HashMap<Ticket, AbortHandle>,
}

impl RealWorld {
    pub fn new(context: WorldContext, secrets: SecretFields) -> RealWorld {
        RealWorld {
            context: Arc::new(context),
            secrets,
            running_tasks: HashMap::new(),
        }
    }

    /// The messages with the consent and the credentials if they are in memory or in environment
    /// variables, where they can be read at once. Returns none for any other vault.
    pub fn startup_messages(&self) -> Vec<Msg> {
        let messages = match self.context.vault.now().kind() {
            VaultKind::Memory | VaultKind::Environment => {
                credentials::read_in_order(self.context.clone()).now_or_never()
            }
            _ => None,
        };
        messages.into_iter().flatten().collect()
    }

    /// Runs `work` as a task. If the task returns a message, sends it to the event loop.
    fn spawn<F>(&mut self, ticket: Option<Ticket>, work: impl FnOnce(Arc<WorldContext>) -> F)
    where
        F: Future<Output: Into<Option<Msg>>> + Send + 'static,
    {
        let context = self.context.clone();
        let future = work(context.clone());
        let task = tokio::spawn(async move {
            let msg: Option<Msg> = future.await.into();
            if let Some(msg) = msg {
                context.inbox.send(msg).await;
            }
        });
        self.running_tasks.retain(|_, task| !task.is_finished());
        if let Some(ticket) = ticket {
            self.running_tasks.insert(ticket, task.abort_handle());
        }
    }

    /// Starts a query for a list. If an earlier query for the same list is still waiting, replaces
    /// it.
    fn load_sales<R: SaleWork>(&mut self, request: PageRequest) {
        if R::newest_query(&self.context.stores).put(request) {
            self.spawn(None, payments::load_sales::<R>);
        }
    }

    /// Submits a command to the money thread. If that fails, the app gets the error as the reply.
    fn submit(&self, command: MoneyCommand) {
        let error_reply = self.context.stores.money.submit(command).err();
        error_reply
            .into_iter()
            .for_each(|reply| self.context.inbox.post(*reply));
    }

    fn cancel(&mut self, ticket: Ticket) {
        self.context.imports.forget(ticket);
        self.running_tasks
            .remove(&ticket)
            .iter()
            .for_each(AbortHandle::abort);
    }

    fn perform_in_history(&mut self, command: HistoryCommand) {
        match command {
            HistoryCommand::MarkPaid { sale, paid } => {
                self.spawn(None, |cx| payments::mark_paid(cx, sale, paid))
            }
            HistoryCommand::PutAway { link, since } => {
                self.spawn(None, |cx| payments::put_away(cx, link, since))
            }
            HistoryCommand::SetNote { ticket, link, note } => self.spawn(Some(ticket), |cx| {
                payments::set_note(cx, ticket, link, note)
            }),
            HistoryCommand::RemoveSale(sale) => {
                self.spawn(None, |cx| payments::remove_sale(cx, sale))
            }
            HistoryCommand::FoundSale { ticket, sale } => self.spawn(Some(ticket), |cx| {
                payments::settle_found_sale(cx, ticket, sale)
            }),
            HistoryCommand::Find {
                ticket,
                operation,
                id,
                by,
            } => self.spawn(None, |cx| {
                requests::find_sale(cx, ticket, (operation, id, by))
            }),
            HistoryCommand::Reconcile { ticket, path } => {
                self.spawn(Some(ticket), |cx| statements::reconcile(cx, ticket, path))
            }
            HistoryCommand::MarkFromStatement { ticket, marks } => {
                self.spawn(None, |cx| statements::mark(cx, ticket, marks))
            }
            HistoryCommand::UndoStatement(ticket) => {
                self.spawn(None, |cx| statements::undo(cx, ticket))
            }
            HistoryCommand::LoadBuyers { ticket, account } => self.spawn(Some(ticket), |cx| {
                payments::load_buyers(cx, ticket, account)
            }),
            HistoryCommand::LoadKnownLinks { ticket, account } => self.spawn(Some(ticket), |cx| {
                payments::load_known_links(cx, ticket, account)
            }),
        }
    }
}

impl EffectHandler for RealWorld {
    #[expect(clippy::too_many_lines, reason = "a table with an arm for each effect")]
    fn perform(&mut self, effect: Effect) {
        use Effect::*;
        match effect {
            ReadCredentials => self.spawn(None, credentials::read),
            UseMemory => self.spawn(None, credentials::use_memory),
            LogIn {
                ticket,
                values,
                secrets,
            } => {
                let secrets = secrets
                    .into_iter()
                    .filter_map(|(name, slot)| Some((name, self.secrets.get(&slot)?)));
                let secrets = secrets.collect();
                self.spawn(Some(ticket), |cx| {
                    credentials::log_in(cx, ticket, values, secrets)
                });
            }
            KeepJwt { ticket, slot } => {
                let jwt = self.secrets.get(&slot);
                self.spawn(Some(ticket), |cx| credentials::store_jwt(cx, ticket, jwt));
            }
            WipeSecrets(slots) => slots.iter().for_each(|slot| self.secrets.wipe(slot)),
            LogOut => self.spawn(None, credentials::log_out),
            ListDomains(ticket) => self.spawn(Some(ticket), |cx| payments::domains(cx, ticket)),
            NoteDomains { account, listed } => {
                self.spawn(None, |cx| payments::record_domains(cx, account, listed))
            }
            ReadDomain => self.spawn(None, |cx| chosen_domain::read(cx.domain_file.clone())),
            KeepDomain(choice) => self.spawn(None, |cx| {
                chosen_domain::store(cx.domain_file.clone(), choice)
            }),
            LoadLinks(page) => self.load_sales::<LinkRequest>(page),
            LoadCharges(page) => self.load_sales::<ChargeRequest>(page),
            MakeLink {
                ticket,
                request,
                note,
            } => self.spawn(Some(ticket), |cx| {
                payments::create_sale(cx, ticket, (request, note), "".into())
            }),
            Import(command) => self.import(command),
            CompletePath { ticket, typed } => {
                self.spawn(None, |_| typed_path::complete(ticket, typed))
            }
            RecordPaid { links, new } => self.spawn(None, |cx| payments::set_paid(cx, links, new)),
            History(command) => self.perform_in_history(command),
            ReadNicknames(keys) => self.spawn(None, |cx| nicknames::read(cx, keys)),
            Nickname {
                ticket,
                account,
                key,
                name,
            } => self.spawn(Some(ticket), |cx| {
                nicknames::set(cx, ticket, (account, key, name))
            }),
            MakeCharge {
                ticket,
                request,
                body,
            } => self.spawn(Some(ticket), |cx| {
                payments::create_sale(cx, ticket, (request, None), body)
            }),
            Quote {
                ticket,
                amount,
                has_probe: probe,
            } => self.spawn(Some(ticket), |cx| {
                payments::request_quote(cx, ticket, amount, probe)
            }),
            Cancel(ticket) => self.cancel(ticket),
            Copy(clip, text) => self.spawn(None, |cx| copy(cx, clip, text)),
            Export(request) => self.export(request),
            ExportList(export) => {
                self.spawn(Some(export.ticket), |cx| list_exports::export(cx, export))
            }
            SaveQr(svg) => self.spawn(None, |cx| async move {
                Msg::QrSaved(save_text(&cx, ("qrcode", "svg"), svg).await)
            }),
            SaveReceipt { ticket, files } => self.spawn(None, |cx| save_receipt(cx, ticket, files)),
            Browse(url) => self.spawn(None, |cx| open_browser(cx, url)),
            Buyer { ticket, url, pay } => self.spawn(Some(ticket), |cx| page(cx, ticket, url, pay)),
            Examine { ticket, size } => self.spawn(Some(ticket), |cx| examine(cx, ticket, size)),
            Demo(command) => self.spawn(None, |cx| run_demo_command(cx, command)),
            ReportToStory(event) => self.context.notify_story(event),
            UseTheme(name) => (self.context.setup.switch_theme)(&name),
            KeepLook(look) => self.spawn(None, |cx| look_file::save(cx.setup.config.clone(), look)),
            OpenProfile { ticket, name } => self.spawn(None, |cx| open_profile(cx, ticket, name)),
            Money(MoneyCommand::Load(request)) => self.load_withdrawals(request),
            Money(command) => self.submit(command),
            ReadConsent => self.spawn(None, consent::read),
            Confirm(settings) => self.spawn(None, |cx| consent::confirm(cx, settings)),
            KeepExchange(exchange) => self.context.stores.requests.keep(exchange),
            LoadReport(request) => {
                let number = self.context.stores.reports.begin();
                self.spawn(Some(request.ticket), |cx| {
                    payments::load_report(cx, number, request)
                });
            }
            LoadRequests(query) => self.spawn(None, |cx| requests::load(cx, query)),
            LoadExchange(id) => self.spawn(None, |cx| requests::load_exchange(cx, id)),
            ReadBodies(job) => self.spawn(Some(job.ticket), |cx| requests::read_bodies(cx, job)),
            Teach {
                ticket,
                lines,
                exchange,
            } => self.spawn(None, |cx| consent::teach(cx, ticket, lines, exchange)),
            TryCredential(operation, line) => self.context.consent.begin_trial(operation, line),
            Agree(ticket) => self.spawn(Some(ticket), |cx| consent::agree(cx, ticket)),
            MakeLive(ticket) => self.spawn(None, |cx| make_live(cx, ticket)),
            // The event loop or the first-run setup handles these.
            Redraw | Suspend | Leave | Record(_) | SetUp(_) => {}
        }
    }

    fn secrets(&mut self) -> &mut SecretFields {
        &mut self.secrets
    }
}

impl WorldContext {
    fn notify_story(&self, event: SellerEvent) {
        self.setup
            .demo
            .iter()
            .for_each(|demo| demo.on_seller_event(event));
    }

    /// The client of the payment service, with the API contract that is in use now.
    fn service(&self) -> Service {
        self.service.with_contract(self.contract.current())
    }
}

async fn copy(context: Arc<WorldContext>, clip: Clip, text: Untrusted) -> Msg {
    let to_terminal = &context.setup.to_terminal;
    Msg::Copied(
        clip,
        context
            .clipboard
            .copy(text.raw(), |bytes| to_terminal(bytes))
            .await,
    )
}

async fn save_receipt(context: Arc<WorldContext>, ticket: Ticket, files: ReceiptFiles) -> Msg {
    let result =
        spawn_blocking(move || receipt_files::save_receipt(&context.setup.receipts_dir, &files))
            .await;
    Msg::ReceiptSaved {
        ticket,
        result: result.unwrap_or_else(|error| Err(error.to_string())),
    }
}

/// Saves a file in the directory for receipts, and returns its path or the system's error.
async fn save_text(
    context: &WorldContext,
    name_and_extension: (&'static str, &'static str),
    text: String,
) -> Result<Untrusted, String> {
    let dir = context.setup.receipts_dir.clone();
    let saved = spawn_blocking(move || {
        let dir = std::path::absolute(dir)?;
        receipt_files::save_file(&dir, name_and_extension, &text)
    });
    let saved = saved.await.unwrap_or_else(|error| Err(error.into()));
    let path = saved.map(|path| Untrusted::from(path.display().to_string()));
    path.map_err(|error| error.to_string())
}

async fn open_browser(context: Arc<WorldContext>, url: Untrusted) -> Msg {
    let display = context.setup.display;
    let result = spawn_blocking(move || open_url(url.raw(), &display)).await;
    Msg::Browsed(result.unwrap_or(Err(NoBrowser::Failed)))
}

/// Loads the checkout page of a link, as a buyer sees it, and pays if `pay` is true.
async fn page(context: Arc<WorldContext>, ticket: Ticket, url: Untrusted, pay: bool) -> Msg {
    let demo = context.setup.demo.as_ref();
    let page = demo.map_or(BuyerPage::NotFound, |demo| demo.checkout_page(&url, pay));
    Msg::BuyerPage { ticket, page }
}

/// Runs the checks of `balcao doctor` with this process's vault, service and journal. `size` is the
/// size of the terminal.
async fn examine(context: Arc<WorldContext>, ticket: Ticket, size: Size) -> Msg {
    let window = checkup::terminal_size(
        Some([size.columns, size.rows]),
        [MIN_SIZE.columns, MIN_SIZE.rows],
    );
    let targets = CheckupTargets {
        profile: context.setup.profile.clone(),
        contract: Some(context.contract.current()),
        agreement: Some(context.consent.agreement().await),
        vault: Some(context.vault.now()),
        base: Some(context.service.base().clone()),
        service: Some(context.service()),
        location: Some(context.stores.money.location().clone()),
    };
    let now = context.setup.clock.now().wall;
    let checkup = context.setup.examiner.examine(window, &targets, now).await;
    Msg::Examined {
        ticket,
        checkup: Arc::new(checkup),
    }
}

/// Checks another profile and prepares the switch to it.
///
/// The switch is refused while a withdrawal attempt is in flight, even if no screen shows it. It is
/// also refused after an outcome could not be written to the journal.
async fn open_profile(context: Arc<WorldContext>, ticket: Ticket, name: Arc<str>) -> Msg {
    let result = spawn_blocking(move || {
        let money = &context.stores.money;
        if money.is_busy() || money.unrecorded_outcome().is_some() {
            return Err(SwitchRefusal::InFlight);
        }
        let Some(open) = &context.setup.open_profile else {
            return Err(SwitchRefusal::NoProfiles);
        };
        open(&name).map_err(|error| SwitchRefusal::Wrong(error.into()))
    });
    let result = result
        .await
        .unwrap_or_else(|error| Err(SwitchRefusal::Wrong(error.to_string().into())));
    Msg::ProfileOpened { ticket, result }
}

async fn run_demo_command(context: Arc<WorldContext>, command: Command) -> Msg {
    if let (Command::Statement, Some(demo)) = (&command, &context.setup.demo) {
        let text = demo.statement();
        return Msg::DemoStatementSaved(save_text(&context, ("extrato", "ofx"), text).await);
    }
    let is_done = match (&command, &context.setup.demo) {
        (Command::Forward, None) => forward_replay(&context).await,
        (_, None) => false,
        // The app then ends its run, and the next run starts with a new journal.
        (Command::StartOver, Some(_)) => !context.stores.money.is_busy(),
        (command, Some(demo)) => demo.carry_out(command, &context.inbox),
    };
    if is_done {
        Msg::DemoDone(command)
    } else {
        Msg::DemoNotDone
    }
}

/// Moves the clock of the app forward if its service is a replay of exported requests. Returns
/// false if the service no longer proves to be this replay.
async fn forward_replay(context: &WorldContext) -> bool {
    let Some(advance) = &context.setup.advance_clock else {
        return false;
    };
    let Some(proof) = context.setup.journal.proof() else {
        return false;
    };
    let is_proven = proof.is_still_sandbox().await;
    if is_proven {
        advance(FORWARD);
    }
    is_proven
}

/// Makes this process's journal the live one, in place of any other journal.
async fn make_live(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let result = context
        .setup
        .journal
        .make_live()
        .await
        .map_err(Failure::Journal);
    Msg::MadeLive { ticket, result }
}
