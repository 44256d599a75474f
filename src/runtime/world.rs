//! The world: the handler of effects.
//!
//! One `match` from [`Effect`] to a future or an order, and from its end to a [`Msg`]. Every answer
//! comes through the [`Inbox`]; nothing here touches the model.

mod confirming;
mod consent;
mod entry;
mod examination;
mod payments;
mod profiles;
mod teaching;
#[cfg(test)]
mod tests;

pub use confirming::confirmed_lines;
pub use consent::ContractConsent;
pub use entry::{DEMO_NOTE, MoneyCredentials, jwt_credential, secrets};

use std::collections::HashMap;
use std::future::Future;
use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use tokio::task::{AbortHandle, JoinSet};

use super::browser;
use super::chosen_domain;
use super::chosen_vault::VaultFile;
use super::clipboard::Clipboard;
use super::display_environment::DisplayEnvironment;
use super::doctor::Examiner;
use super::history::{self, HistoryWorker, ListRequests, ListSelector, SeedHistory};
use super::inbox::Inbox;
use super::journal_location::{JournalLocation, SeedWithdrawals};
use super::money::MoneyWorker;
use super::receipt_files;
use super::secret_fields::SecretFields;
use super::watch::ChangeNotifier;
use crate::app::message::{BuyerPage, ReceiptFiles};
use crate::app::store::clip::Clip;
use crate::app::store::commands::Command;
use crate::app::store::story::SellerEvent;
use crate::app::ui::list::PageRequest;
use crate::app::{Effect, MoneyCommand, Msg, NoBrowser};
use crate::cashier::Clock;
use crate::config::ProfileState;
use crate::config::contract_files::ProfileContract;
use crate::contract::ContractInForce;
use crate::service::Service;
use crate::trade::{Failure, Origin, Secret, Ticket, Untrusted, VaultKind, Wall};
use crate::vault::VaultHandle;

/// A handler that performs the effects for the loop.
pub trait EffectHandler {
    /// Begins to perform an effect, and never waits.
    fn perform(&mut self, effect: Effect);

    /// The secret fields.
    fn secrets(&mut self) -> &mut SecretFields;
}

/// The demo behind the app, as far as the world needs it; the demo itself is another room.
pub trait DemoBackend: Send + Sync {
    /// A JWT for links that is good now; the documented login yields none.
    fn jwt(&self) -> Option<Secret>;

    /// Grants a command and returns true, or changes nothing.
    fn grant(&self, command: &Command, inbox: &Inbox) -> bool;

    /// Hears what the seller did that the sandbox does not hear of, by its name.
    fn seller_did(&self, what: SellerEvent);

    /// The beginning of a demo that starts over; `None` where it does not start over.
    fn anew(&self, origin: &Origin, now: Wall) -> Option<FreshDemo>;

    /// The page a buyer sees at this address; with `pay`, after pressing its button.
    fn page(&self, url: &Untrusted, pay: bool) -> BuyerPage;
}

/// The beginning of a demo that starts over.
pub struct FreshDemo {
    /// The directory of its journal, in which there is nothing yet.
    pub journal: PathBuf,
    /// The links and charges of the days before.
    pub past: SeedHistory,
    /// The withdrawals of the days before.
    pub withdrawals: SeedWithdrawals,
}

/// The journal's two workers: money and history.
#[derive(Clone)]
pub struct Stores {
    /// Withdrawals.
    pub money: MoneyWorker,
    /// Links and direct payments.
    pub history: HistoryWorker,
    /// The newest requests for lists.
    pub asked: Arc<ListRequests>,
    /// The tasks that watch what others do, windows and buyers; aborted with them.
    followed: Arc<JoinSet<()>>,
}

impl Stores {
    /// The stores, with a task that reports changes by another window.
    pub fn new(
        money: MoneyWorker,
        history: HistoryWorker,
        changes: Arc<ChangeNotifier>,
        inbox: Inbox,
    ) -> Stores {
        let mut followed = JoinSet::new();
        followed.spawn(history::follow(history.clone(), changes, inbox));
        Stores { money, history, asked: Arc::default(), followed: Arc::new(followed) }
    }

    /// The same with one more task, which ends with them. There is no clone of them yet.
    pub fn following(mut self, task: impl Future<Output = ()> + Send + 'static) -> Stores {
        if let Some(followed) = Arc::get_mut(&mut self.followed) {
            followed.spawn(task);
        }
        self
    }

    fn close(&self) {
        self.money.close();
        self.history.close();
    }
}

/// The stores in use; a demo that starts over and a picked journal replace them.
#[derive(Clone)]
pub struct OpenStores(Arc<Mutex<Stores>>);

impl OpenStores {
    /// Begins with these stores.
    pub fn new(stores: Stores) -> OpenStores {
        OpenStores(Arc::new(Mutex::new(stores)))
    }

    /// The stores in use now.
    pub fn now(&self) -> Stores {
        self.lock().clone()
    }

    /// Closes the stores in use: no thread writes in their directory from then on.
    pub fn close(&self) {
        self.now().close();
    }

    /// Submits a command to the money thread in use.
    ///
    /// The stores are locked meanwhile, as they are while others take their place: no command goes
    /// to the money thread of one demo and meets the bank of the next.
    fn submit(&self, command: MoneyCommand) -> Result<(), Box<Msg>> {
        self.lock().money.submit(command)
    }

    /// Replaces the stores, if `others` returns some; no command is submitted meanwhile.
    fn replace(&self, others: impl FnOnce(&Stores) -> Option<Stores>) -> bool {
        let old = {
            let mut open = self.lock();
            let Some(others) = others(&open) else { return false };
            mem::replace(&mut *open, others)
        };
        // Only now: it waits for their threads, and the lock must not be held meanwhile.
        old.close();
        true
    }

    fn lock(&self) -> MutexGuard<'_, Stores> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens the stores at a location, with the rows that an empty history begins with.
pub type StoreOpener =
    Box<dyn Fn(Arc<JournalLocation>, Option<SeedHistory>) -> Stores + Send + Sync>;

/// The parts that all tasks of the world share.
pub struct WorldContext {
    /// The profile's name.
    pub profile: Arc<str>,
    /// The service, under the contract that the program began with.
    pub service: Service,
    /// The contract in force.
    pub contract: ContractInForce,
    /// The file that taught lines are written into; none in a demo.
    pub profile_contract: Option<ProfileContract>,
    /// The vault for credentials; memory takes its place by the seller's choice.
    pub vault: Arc<Mutex<VaultHandle>>,
    /// Withdrawals, links and direct payments.
    pub stores: OpenStores,
    /// The location of the stores.
    pub location: Arc<JournalLocation>,
    /// The function that opens other stores.
    pub open_stores: StoreOpener,
    /// The file of the chosen domain; none in a demo.
    pub domain_file: Option<ProfileState>,
    /// The file that remembers the vault of the last login; none in a demo.
    pub vault_file: Option<VaultFile>,
    /// The seller's consent to the contract.
    pub consent: ContractConsent,
    /// The examiner of the checkup.
    pub examiner: Examiner,
    /// The clocks.
    pub clock: Arc<dyn Clock + Send + Sync>,
    /// The display for copies and browsers.
    pub display: DisplayEnvironment,
    /// Writes bytes to the terminal, past the screen.
    pub to_terminal: Writer,
    /// The demo's backend, if there is one.
    pub stage: Option<Box<dyn DemoBackend>>,
    /// Seconds the seller's clock stands east of UTC.
    pub utc_offset_s: i32,
    /// The directory that receipts are saved in.
    pub receipts: PathBuf,
    /// The opener of other profiles; none in a demo.
    pub profiles: Option<ProfileOpener>,
    /// The sender of answers.
    pub inbox: Inbox,
}

/// A function that makes another profile ready to take the place of this one, or says what is
/// wrong with it.
pub type ProfileOpener = Arc<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// A function that writes to the terminal, past the screen.
pub type Writer = Box<dyn Fn(&[u8]) + Send + Sync>;

/// The world of the running program.
pub struct RealWorld {
    context: Arc<WorldContext>,
    clipboard: Arc<Clipboard>,
    secrets: SecretFields,
    /// The tasks under way that can be cancelled.
    under_way: HashMap<Ticket, AbortHandle>,
}

impl RealWorld {
    /// A world of these parts.
    pub fn new(context: WorldContext, secrets: SecretFields) -> RealWorld {
        let clipboard = Arc::new(Clipboard::new(context.display));
        RealWorld { context: Arc::new(context), clipboard, secrets, under_way: HashMap::new() }
    }

    /// The message that is known without waiting: the credentials of a vault in memory.
    pub fn known(&self) -> Option<Msg> {
        match self.context.vault().kind() {
            VaultKind::Memory | VaultKind::Environment => {
                entry::read(self.context.clone()).now_or_never()
            }
            _ => None,
        }
    }

    /// Spawns a task and sends its message, if it returns one.
    fn answer<F>(&mut self, ticket: Option<Ticket>, work: impl FnOnce(Arc<WorldContext>) -> F)
    where
        F: Future<Output: Into<Option<Msg>>> + Send + 'static,
    {
        let context = self.context.clone();
        let work = work(context.clone());
        let task = tokio::spawn(async move {
            let msg: Option<Msg> = work.await.into();
            if let Some(msg) = msg {
                context.inbox.send(msg).await;
            }
        });
        self.under_way.retain(|_, task| !task.is_finished());
        if let Some(ticket) = ticket {
            self.under_way.insert(ticket, task.abort_handle());
        }
    }

    /// Asks for a list; a request for it that still waits is replaced.
    fn ask_list<F>(
        &mut self,
        ask: PageRequest,
        select: ListSelector,
        load: impl FnOnce(Arc<WorldContext>, Stores) -> F,
    ) where
        F: Future<Output = Option<Msg>> + Send + 'static,
    {
        // The slot is in the stores: those of another demo know nothing of the request.
        let stores = self.context.stores.now();
        if select(&stores.asked).put(ask) {
            self.answer(None, |o| load(o, stores));
        }
    }

    /// Ends the wait for the answer to a question.
    fn cancel(&mut self, ticket: Ticket) {
        if let Some(task) = self.under_way.remove(&ticket) {
            task.abort();
        }
    }

    /// Submits a command to the money thread; the answer is sent at once where that fails.
    fn submit(&self, command: MoneyCommand) {
        if let Err(answer) = self.context.stores.submit(command) {
            self.context.inbox.post(*answer);
        }
    }
}

impl EffectHandler for RealWorld {
    fn perform(&mut self, effect: Effect) {
        use Effect::*;
        match effect {
            ReadCredentials => self.answer(None, entry::read),
            UseMemory => self.answer(None, entry::use_memory),
            LogIn { ticket, values, secrets } => {
                let secrets = secrets
                    .into_iter()
                    .filter_map(|(name, slot)| Some((name, self.secrets.get(&slot)?)))
                    .collect();
                self.answer(Some(ticket), |o| entry::log_in(o, ticket, values, secrets));
            }
            KeepJwt { ticket, slot } => {
                let jwt = self.secrets.get(&slot);
                self.answer(Some(ticket), |o| entry::keep_jwt(o, ticket, jwt));
            }
            WipeSecrets(slots) => slots.iter().for_each(|slot| self.secrets.wipe(slot)),
            LogOut => self.answer(None, entry::log_out),
            ListDomains(ticket) => self.answer(Some(ticket), |o| payments::domains(o, ticket)),
            NoteDomains { account, listed } => {
                self.answer(None, |o| payments::note_domains(o, account, listed))
            }
            ReadDomain => self.answer(None, |o| chosen_domain::read(o.domain_file.clone())),
            KeepDomain(choice) => {
                self.answer(None, |o| chosen_domain::keep(o.domain_file.clone(), choice))
            }
            LoadLinks(ask) => self.ask_list(ask, |a| &a.links, payments::load_links),
            MakeLink { ticket, request } => {
                self.answer(Some(ticket), |o| payments::make_link(o, ticket, request))
            }
            MarkLink { link, paid } => self.answer(None, |o| payments::mark(o, link, paid)),
            ReadNicknames => self.answer(None, payments::nicknames),
            Nickname { ticket, account, key, name } => {
                let named = (account, key, name);
                self.answer(Some(ticket), |o| payments::nickname(o, ticket, named));
            }
            LoadCharges(ask) => self.ask_list(ask, |a| &a.charges, payments::load_charges),
            MakeCharge { ticket, request, body } => {
                self.answer(Some(ticket), |o| payments::make_charge(o, ticket, request, body))
            }
            Quote { ticket, amount } => {
                self.answer(Some(ticket), |o| payments::quote(o, ticket, amount))
            }
            Cancel(ticket) => self.cancel(ticket),
            Copy(clip, text) => {
                let clipboard = self.clipboard.clone();
                self.answer(None, |o| copy(o, clipboard, clip, text));
            }
            SaveReceipt { ticket, files } => self.answer(None, |o| save_receipt(o, ticket, files)),
            Browse(url) => self.answer(None, |o| browse(o, url)),
            Buyer { ticket, url, pay } => self.answer(Some(ticket), |o| buyer(o, ticket, url, pay)),
            Examine { ticket, size } => {
                self.answer(Some(ticket), |o| examination::examine(o, ticket, size))
            }
            Demo(command) => self.answer(None, |o| grant(o, command)),
            TellStory(did) => self.context.stage.iter().for_each(|it| it.seller_did(did)),
            OpenProfile { ticket, name } => self.answer(None, |o| profiles::open(o, ticket, name)),
            Money(command) => self.submit(command),
            ReadConsent => self.answer(None, consent::read),
            Confirm(lines) => self.answer(None, |o| confirming::confirm(o, lines)),
            Teach { ticket, lines } => self.answer(None, |o| teaching::teach(o, ticket, lines)),
            Agree(ticket) => self.answer(Some(ticket), |o| consent::agree(o, ticket)),
            MakeLive(ticket) => self.answer(None, |o| make_live(o, ticket)),
            // The loop and the set-up do these.
            Redraw | Leave | SetUp(_) => {}
        }
    }

    fn secrets(&mut self) -> &mut SecretFields {
        &mut self.secrets
    }
}

impl WorldContext {
    /// The service under the contract of this moment.
    fn service(&self) -> Service {
        self.service.under(self.contract.now())
    }

    /// The vault of this moment.
    fn vault(&self) -> VaultHandle {
        self.vault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Copies exactly these bytes; a copy through the terminal is written past the screen.
async fn copy(
    context: Arc<WorldContext>,
    clipboard: Arc<Clipboard>,
    clip: Clip,
    text: Untrusted,
) -> Msg {
    let copied = clipboard.copy(text.raw(), |bytes| (context.to_terminal)(bytes)).await;
    Msg::Copied(clip, copied)
}

/// Saves a receipt in the directory in which the program was started.
async fn save_receipt(context: Arc<WorldContext>, ticket: Ticket, files: ReceiptFiles) -> Msg {
    let save = move || receipt_files::save_and_tell(&context.receipts, &files);
    let saved = tokio::task::spawn_blocking(save).await;
    Msg::ReceiptSaved { ticket, result: saved.unwrap_or_else(|error| Err(error.to_string())) }
}

async fn browse(context: Arc<WorldContext>, url: Untrusted) -> Msg {
    let display = context.display;
    let opened = tokio::task::spawn_blocking(move || browser::open_url(url.raw(), &display)).await;
    Msg::Browsed(opened.unwrap_or(Err(NoBrowser::Failed)))
}

async fn buyer(context: Arc<WorldContext>, ticket: Ticket, url: Untrusted, pay: bool) -> Msg {
    let page = context.stage.as_ref().map_or(BuyerPage::NotFound, |stage| stage.page(&url, pay));
    Msg::BuyerPage { ticket, page }
}

async fn grant(context: Arc<WorldContext>, command: Command) -> Msg {
    let granted = match command {
        Command::StartOver => start_over(&context),
        _ => context.stage.as_ref().is_some_and(|stage| stage.grant(&command, &context.inbox)),
    };
    if granted { Msg::DemoDone(command) } else { Msg::DemoNotDone }
}

/// Makes the journal here the live one, in the place of another.
async fn make_live(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let result = context.location.make_live().await.map_err(Failure::Journal);
    Msg::MadeLive { ticket, result }
}

/// Starts the demo over, with a bank that has forgotten everything and with a new journal.
///
/// A journal that outlived its bank would send an open withdrawal again to a bank that knows
/// nothing of its key, and that would pay it anew. It is left where it lies, closed. While money is
/// in flight the demo does not start over, and no attempt begins until it has.
fn start_over(context: &WorldContext) -> bool {
    let Some(stage) = &context.stage else { return false };
    let origin = context.service.base().origin();
    let Some(anew) = stage.anew(origin, context.clock.now().wall) else { return false };
    context.stores.replace(|open| {
        if open.money.is_busy() {
            return None;
        }
        let location = JournalLocation::temporary(&anew.journal, context.location.vault());
        let location = location.beginning_with(anew.withdrawals);
        let stores = (context.open_stores)(Arc::new(location), Some(anew.past));
        stage.grant(&Command::StartOver, &context.inbox).then_some(stores)
    })
}
