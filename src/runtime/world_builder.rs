//! Builds the effect handler for a normal run, a demo or a test.

use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::chosen_domain;
use super::chosen_vault::VaultFile;
use super::clipboard::Clipboard;
use super::clocks;
use super::display_environment::DisplayEnvironment;
use super::doctor::Examiner;
use super::history::{self, SeedHistory};
use super::journal_location::JournalLocation;
use super::log::Log;
use super::money::MoneyWorker;
use super::requests::RequestsWorker;
use super::shared_history;
use super::watch::ChangeNotifier;
use super::world::{
    ContractConsent, DemoBackend, Imports, ProfileOpener, ProfileVault, RealWorld, Stores,
    TerminalWriter, ThemeSwitch, Unread, WorldContext,
};
use super::{Inbox, SecretFields};
use crate::app::Msg;
use crate::cashier::Clock;
use crate::config::contract_files::ProfileContract;
use crate::contract::{AgreedAtStart, Contract, ContractInForce};
use crate::journal::requests::RequestOwner;
use crate::locked::Locked;
use crate::service::{self, BaseUrl, Client, Limits, MoneyWire, NetworkSettings, Service};
use crate::vault::VaultHandle;

/// A function that moves the clock of the app forward.
pub type AdvanceClock = Arc<dyn Fn(Duration) + Send + Sync>;

/// The settings and components that the effect handler is built from, in a normal run, a demo or a
/// test.
pub struct WorldBuilder {
    /// The name of the profile. The credentials and consents of other profiles are not used.
    pub profile: Arc<str>,
    pub base: BaseUrl,
    pub contract: Arc<Contract>,
    /// The settings that the seller chose in this start, and need not agree to again.
    pub agreed_at_start: AgreedAtStart,
    /// The file for settings of the API contract that the seller chooses in the app. `None` in a
    /// demo.
    pub profile_contract: Option<ProfileContract>,
    /// The maximum duration and size of a request and its reply.
    pub limits: Limits,
    /// The network settings, such as the proxy.
    pub network: NetworkSettings,
    pub journal: Arc<JournalLocation>,
    /// A function that fills an empty history with example data. `None` outside the demo.
    pub seed_history: Option<SeedHistory>,
    /// The directory with the files that remember the chosen checkout domain and vault. `None` in a
    /// demo.
    pub state_dir: Option<PathBuf>,
    /// The vault for credentials that was selected when the program started.
    pub vault: Arc<Locked<VaultHandle>>,
    /// Runs the checks of `balcao doctor` on this computer, the program's files and the service.
    pub examiner: Examiner,
    pub clock: Arc<dyn Clock + Send + Sync>,
    /// Moves `clock` forward. `None` unless the state directory is that of a replay of exported
    /// requests.
    pub advance_clock: Option<AdvanceClock>,
    /// The environment of the terminal, which determines how to copy text and open a browser.
    pub display: DisplayEnvironment,
    /// Sends bytes to the terminal without changing the screen.
    pub to_terminal: TerminalWriter,
    /// The functions of the demo that effects need. `None` outside the demo.
    pub demo: Option<Arc<dyn DemoBackend>>,
    /// The text fields for passwords and tokens. In a demo, they contain example secrets.
    pub secrets: SecretFields,
    /// The seller's offset from UTC, in seconds east.
    pub utc_offset_s: i32,
    /// The directory in which receipts and exported requests are saved.
    pub receipts_dir: PathBuf,
    /// True if HTTP requests are stored for later runs.
    pub stores_requests: bool,
    /// The settings file, to which a chosen theme and language are written.
    pub config: PathBuf,
    pub switch_theme: ThemeSwitch,
    /// A function that prepares the switch to another profile. `None` in a demo.
    pub open_profile: Option<ProfileOpener>,
    /// Receives each request.
    pub log: Log,
}

impl WorldBuilder {
    /// Builds the effect handler and its stores, without opening a file or sending a request.
    pub fn build(mut self, inbox: Inbox) -> (RealWorld, Stores) {
        if clocks::unreadable_zone().is_some() {
            inbox.post(Msg::ZoneUnreadable);
        }
        let contract = ContractInForce::from(self.contract.clone());
        let profile = self.profile.clone();
        let origin = self.base.origin().clone();
        let owner = RequestOwner {
            profile: profile.clone(),
            origin: origin.clone(),
        };
        let vault = ProfileVault {
            profile,
            origin,
            vault: self.vault.clone(),
        };
        let consent = ContractConsent::new(vault.clone(), contract.clone(), self.limits.clone())
            .with_start(self.agreed_at_start, self.journal.proof());
        let client = self.client(consent.clone(), inbox.clone());
        let service = Service::new(self.base.clone(), self.contract.clone(), client.clone());
        let location = self.journal.clone();
        let changes = Arc::new(ChangeNotifier::default());
        let now = self.clock.now().wall;
        let seed = self.seed_history.take();
        let history = history::open(location.clone(), now, seed, inbox.clone());
        let requests = RequestsWorker::new(owner, location.clone(), self.stores_requests, now);
        let payments = follow_sandbox_payments(location.clone(), self.base.clone(), inbox.clone());
        let mut background_tasks = JoinSet::new();
        background_tasks.spawn(payments);
        background_tasks.spawn(history::report_changes(
            history.clone(),
            changes.clone(),
            inbox.clone(),
        ));
        background_tasks.spawn(shared_history::keep_in_step(
            location.clone(),
            history.clone(),
            changes.clone(),
            inbox.clone(),
        ));
        let wire = MoneyWire::new(client, contract.clone(), vault.clone());
        let money = MoneyWorker::new(
            location,
            wire,
            self.clock.clone(),
            consent.window(),
            inbox.clone(),
            changes,
        );
        let stores = Stores::new(money, history, requests, background_tasks);
        let state = self.state_dir.as_deref();
        let domain_file = state.map(|dir| chosen_domain::file(dir, &vault.profile, &vault.origin));
        let vault_file = state.map(|dir| VaultFile::new(dir, &vault.profile, &vault.origin));
        let secrets = mem::take(&mut self.secrets);
        let context = WorldContext {
            clipboard: Clipboard::new(self.display),
            setup: self,
            domain_file,
            vault_file,
            service,
            contract,
            vault,
            stores: stores.clone(),
            consent,
            unread: Unread::default(),
            imports: Imports::default(),
            body_parsing: Arc::new(Semaphore::new(1)),
            inbox,
        };
        (RealWorld::new(context, secrets), stores)
    }

    fn client(&mut self, consent: ContractConsent, inbox: Inbox) -> Client {
        let (clock, log) = (self.clock.clone(), self.log.clone());
        Client::new(
            self.limits.clone(),
            mem::take(&mut self.network).with_proof(self.journal.proof()),
            Arc::new(consent),
            Arc::new(move || clock.now()),
            Arc::new(move |exchange| {
                log.write_exchange(&exchange);
                inbox.post(Msg::Exchanged(Arc::new(exchange)));
            }),
        )
    }
}

/// Notifies the app of payments at a sandbox that runs in another process.
///
/// Only a service that proved to be the sandbox is queried. It replies only when a buyer pays, so
/// this task sleeps until then. The task ends together with the sandbox, and is not restarted.
async fn follow_sandbox_payments(location: Arc<JournalLocation>, base: BaseUrl, inbox: Inbox) {
    if !location.is_sandbox().await {
        return;
    }
    let mut known = None;
    while let Some(now) = service::sandbox_payments(&base, known).await {
        // The sandbox replied without a new payment. Stop, because the queries to such a sandbox
        // would never end.
        if known.replace(now.payments) == Some(now.payments) {
            return;
        }
        inbox
            .send(Msg::SandboxPaidLinks(now.urls().collect()))
            .await;
    }
}
