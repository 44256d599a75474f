//! The world: the handler of effects.
//!
//! One `match` from [`Effect`] to a future or an order, and from its end to a [`Msg`]. Every answer
//! comes through the [`Inbox`]; nothing here touches the model.

mod consent;
mod entry;
mod payments;
#[cfg(test)]
mod tests;

pub use consent::{ContractConsent, confirmed_lines};
pub use entry::{DEMO_NOTE, ProfileVault, jwt_credential};

use std::collections::HashMap;
use std::future::Future;
use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use tokio::task::{AbortHandle, JoinError, JoinSet, spawn_blocking};

use super::chosen_domain;
use super::chosen_vault::VaultFile;
use super::clipboard::Clipboard;
use super::display_environment::open_url;
use super::doctor::Examined;
use super::history::{HistoryWorker, SeedHistory};
use super::inbox::Inbox;
use super::journal_location::{JournalLocation, SeedWithdrawals};
use super::money::MoneyWorker;
use super::newest::Newest;
use super::receipt_files;
use super::secret_fields::SecretFields;
use super::world_builder::WorldBuilder;
use crate::app::message::{BuyerPage, ReceiptFiles};
use crate::app::store::clip::Clip;
use crate::app::store::commands::Command;
use crate::app::store::profiles::NotSwitched;
use crate::app::store::story::SellerEvent;
use crate::app::ui::geometry::LEAST;
use crate::app::ui::list::PageRequest;
use crate::app::{Effect, MoneyCommand, Msg, NoBrowser, Size};
use crate::config::ProfileState;
use crate::contract::ContractInForce;
use crate::service::Service;
use crate::trade::{Failure, Origin, Secret, Ticket, Untrusted, VaultKind, Wall, checkup};

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
    /// The newest request for links: a list that is searched or scrolled asks with each key, and
    /// the pages between are not needed.
    pub links: Arc<Newest<PageRequest>>,
    /// The newest request for direct payments.
    pub charges: Arc<Newest<PageRequest>>,
    /// The tasks that watch what others do, windows and buyers; aborted with them.
    _followed: Arc<JoinSet<()>>,
}

impl Stores {
    /// The stores, with tasks that end with them.
    pub fn new(money: MoneyWorker, history: HistoryWorker, followed: JoinSet<()>) -> Stores {
        let (links, charges) = Default::default();
        Stores { money, history, links, charges, _followed: Arc::new(followed) }
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
    /// The parts that it was built from.
    pub setup: WorldBuilder,
    /// The service, under the contract that the program began with.
    pub service: Service,
    /// The contract in force.
    pub contract: ContractInForce,
    /// The vault for credentials; memory takes its place by the seller's choice.
    pub vault: ProfileVault,
    /// Withdrawals, links and direct payments.
    pub stores: OpenStores,
    /// The function that opens other stores.
    pub open_stores: StoreOpener,
    /// The file of the chosen domain; none in a demo.
    pub domain_file: Option<ProfileState>,
    /// The file that remembers the vault of the last login; none in a demo.
    pub vault_file: Option<VaultFile>,
    /// The seller's consent to the contract.
    pub consent: ContractConsent,
    /// The clipboard of the person before the screen.
    pub clipboard: Clipboard,
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
    secrets: SecretFields,
    /// The tasks under way that can be cancelled.
    under_way: HashMap<Ticket, AbortHandle>,
}

impl RealWorld {
    /// A world of these parts.
    pub fn new(context: WorldContext, secrets: SecretFields) -> RealWorld {
        RealWorld { context: Arc::new(context), secrets, under_way: HashMap::new() }
    }

    /// The message that is known without waiting: the credentials of a vault in memory.
    pub fn known(&self) -> Option<Msg> {
        match self.context.vault.now().kind() {
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
        select: fn(&Stores) -> &Newest<PageRequest>,
        ask: PageRequest,
        load: fn(Arc<WorldContext>, Stores) -> F,
    ) where
        F: Future<Output = Option<Msg>> + Send + 'static,
    {
        // The slot is in the stores: those of another demo know nothing of the request.
        let stores = self.context.stores.now();
        if select(&stores).put(ask) {
            self.answer(None, |o| load(o, stores));
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
                let typed = |(name, slot)| Some((name, self.secrets.get(&slot)?));
                let secrets = secrets.into_iter().filter_map(typed).collect();
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
            LoadLinks(ask) => self.ask_list(|open| &open.links, ask, payments::load_links),
            LoadCharges(ask) => self.ask_list(|open| &open.charges, ask, payments::load_charges),
            MakeLink { ticket, request } => {
                self.answer(Some(ticket), |o| payments::make_link(o, ticket, request))
            }
            MarkLink { link, paid } => self.answer(None, |o| payments::mark(o, link, paid)),
            ReadNicknames => self.answer(None, payments::nicknames),
            Nickname { ticket, account, key, name } => {
                let named = (account, key, name);
                self.answer(Some(ticket), |o| payments::nickname(o, ticket, named));
            }
            MakeCharge { ticket, request, body } => {
                self.answer(Some(ticket), |o| payments::make_charge(o, ticket, request, body))
            }
            Quote { ticket, amount } => {
                self.answer(Some(ticket), |o| payments::quote(o, ticket, amount))
            }
            Cancel(ticket) => self.under_way.remove(&ticket).iter().for_each(AbortHandle::abort),
            Copy(clip, text) => self.answer(None, |o| copy(o, clip, text)),
            SaveReceipt { ticket, files } => self.answer(None, |o| save_receipt(o, ticket, files)),
            Browse(url) => self.answer(None, |o| browse(o, url)),
            Buyer { ticket, url, pay } => self.answer(Some(ticket), |o| buyer(o, ticket, url, pay)),
            Examine { ticket, size } => self.answer(Some(ticket), |o| examine(o, ticket, size)),
            Demo(command) => self.answer(None, |o| grant(o, command)),
            TellStory(did) => self.context.setup.stage.iter().for_each(|it| it.seller_did(did)),
            OpenProfile { ticket, name } => self.answer(None, |o| open_profile(o, ticket, name)),
            Money(command) => {
                // Where it cannot be given to the money thread, it is answered at once.
                let refused = self.context.stores.submit(command).err();
                refused.into_iter().for_each(|answer| self.context.inbox.post(*answer));
            }
            ReadConsent => self.answer(None, consent::read),
            Confirm(lines) => self.answer(None, |o| consent::confirm(o, lines)),
            Teach { ticket, lines } => self.answer(None, |o| consent::teach(o, ticket, lines)),
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
}

/// Copies exactly these bytes; a copy through the terminal is written past the screen.
async fn copy(context: Arc<WorldContext>, clip: Clip, text: Untrusted) -> Msg {
    let to_terminal = &context.setup.to_terminal;
    Msg::Copied(clip, context.clipboard.copy(text.raw(), |bytes| to_terminal(bytes)).await)
}

/// Saves a receipt in the directory in which the program was started.
async fn save_receipt(context: Arc<WorldContext>, ticket: Ticket, files: ReceiptFiles) -> Msg {
    let save = move || receipt_files::save_and_tell(&context.setup.receipts, &files);
    let saved = spawn_blocking(save).await;
    Msg::ReceiptSaved { ticket, result: saved.unwrap_or_else(|error| Err(error.to_string())) }
}

async fn browse(context: Arc<WorldContext>, url: Untrusted) -> Msg {
    let display = context.setup.display;
    let opened = spawn_blocking(move || open_url(url.raw(), &display)).await;
    Msg::Browsed(opened.unwrap_or(Err(NoBrowser::Failed)))
}

async fn buyer(context: Arc<WorldContext>, ticket: Ticket, url: Untrusted, pay: bool) -> Msg {
    let stage = context.setup.stage.as_ref();
    let page = stage.map_or(BuyerPage::NotFound, |stage| stage.page(&url, pay));
    Msg::BuyerPage { ticket, page }
}

/// Examines the very parts that the program works with, in a window of this size.
async fn examine(context: Arc<WorldContext>, ticket: Ticket, size: Size) -> Msg {
    let window = checkup::window(Some([size.columns, size.rows]), [LEAST.columns, LEAST.rows]);
    let examined = Examined {
        profile: context.setup.profile.clone(),
        contract: Some(context.contract.now()),
        pending: context.consent.pending().await.ok(),
        vault: Some(context.vault.now()),
        base: Some(context.service.base().clone()),
        service: Some(context.service()),
        location: Some(context.setup.journal.clone()),
    };
    let now = context.setup.clock.now().wall;
    let checkup = context.setup.examiner.examine(window, &examined, now).await;
    Msg::Examined { ticket, checkup: Arc::new(checkup) }
}

/// Makes a profile ready to take the place of this one: what is wrong with it is found before.
///
/// The money thread is asked too: it knows of an attempt that no screen shows any more, and of an
/// end that could not be written down.
async fn open_profile(context: Arc<WorldContext>, ticket: Ticket, name: Arc<str>) -> Msg {
    let opened = spawn_blocking(move || {
        let money = context.stores.now().money;
        if money.is_busy() || money.unrecorded().is_some() {
            return Err(NotSwitched::InFlight);
        }
        let Some(open) = &context.setup.profiles else { return Err(NotSwitched::NoProfiles) };
        open(&name).map_err(|wrong| NotSwitched::Wrong(wrong.into()))
    });
    let gone = |error: JoinError| Err(NotSwitched::Wrong(error.to_string().into()));
    Msg::ProfileOpened { ticket, result: opened.await.unwrap_or_else(gone) }
}

async fn grant(context: Arc<WorldContext>, command: Command) -> Msg {
    let is_granted = match (&command, &context.setup.stage) {
        (_, None) => false,
        (Command::StartOver, Some(stage)) => start_over(&context, &**stage),
        (command, Some(stage)) => stage.grant(command, &context.inbox),
    };
    if is_granted { Msg::DemoDone(command) } else { Msg::DemoNotDone }
}

/// Makes the journal here the live one, in the place of another.
async fn make_live(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let result = context.setup.journal.make_live().await.map_err(Failure::Journal);
    Msg::MadeLive { ticket, result }
}

/// Starts the demo over, with a bank that has forgotten everything and with a new journal.
///
/// A journal that outlived its bank would send an open withdrawal again to a bank that knows
/// nothing of its key, and that would pay it anew. It is left where it lies, closed. While money is
/// in flight the demo does not start over, and no attempt begins until it has.
fn start_over(context: &WorldContext, stage: &dyn DemoBackend) -> bool {
    let (origin, now) = (context.service.base().origin(), context.setup.clock.now().wall);
    let Some(anew) = stage.anew(origin, now) else { return false };
    context.stores.replace(|open| {
        if open.money.is_busy() {
            return None;
        }
        let location = JournalLocation::temporary(&anew.journal, context.setup.journal.vault());
        let location = location.beginning_with(anew.withdrawals);
        let stores = (context.open_stores)(Arc::new(location), Some(anew.past));
        stage.grant(&Command::StartOver, &context.inbox).then_some(stores)
    })
}
