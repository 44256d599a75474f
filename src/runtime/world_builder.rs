//! The builder: a world put together from its parts, the same way for every run.

use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;

use super::chosen_domain;
use super::chosen_vault::VaultFile;
use super::clipboard::Clipboard;
use super::display_environment::DisplayEnvironment;
use super::doctor::Examiner;
use super::history::{self, SeedHistory};
use super::journal_location::JournalLocation;
use super::money::MoneyWorker;
use super::watch::ChangeNotifier;
use super::world::{
    ContractConsent, DemoBackend, OpenStores, ProfileOpener, ProfileVault, RealWorld, StoreOpener,
    Stores, WorldContext, Writer,
};
use super::{Inbox, SecretFields};
use crate::app::Msg;
use crate::cashier::Clock;
use crate::config::contract_files::ProfileContract;
use crate::contract::{Contract, ContractInForce};
use crate::service::{self, BaseUrl, Client, Limits, MoneyWire, NetworkSettings, Service};
use crate::vault::VaultHandle;

/// The parts that a world is built from.
pub struct WorldBuilder {
    /// The profile's name: credentials and consent of another profile do not count.
    pub profile: Arc<str>,
    /// The address of the service.
    pub base: BaseUrl,
    /// The contract with the service.
    pub contract: Arc<Contract>,
    /// The file that taught lines are written into; none in a demo.
    pub profile_contract: Option<ProfileContract>,
    /// The limits on the time and the size of an exchange.
    pub limits: Limits,
    /// The way to the service.
    pub connection: NetworkSettings,
    /// The location of the journal and the history.
    pub journal: Arc<JournalLocation>,
    /// The rows that an empty history begins with; only in the demo.
    pub past: Option<SeedHistory>,
    /// The directory in which the chosen domain is kept; none in the demo.
    pub state: Option<PathBuf>,
    /// The vault for credentials at the start.
    pub vault: Arc<Mutex<VaultHandle>>,
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
    /// The secret fields, with their content at the start.
    pub secrets: SecretFields,
    /// Seconds the seller's clock stands east of UTC.
    pub utc_offset_s: i32,
    /// The directory that receipts are saved in.
    pub receipts: PathBuf,
    /// The opener of other profiles; none in a demo.
    pub profiles: Option<ProfileOpener>,
}

impl WorldBuilder {
    /// Builds the world, and the stores that outlive it. Nothing is opened or called yet.
    pub fn build(mut self, inbox: Inbox) -> (RealWorld, OpenStores) {
        let contract = ContractInForce::from(self.contract.clone());
        let (profile, origin) = (self.profile.clone(), self.base.origin().clone());
        let vault = ProfileVault { profile, origin, vault: self.vault.clone() };
        let consent = ContractConsent::new(vault.clone(), contract.clone(), self.limits.clone());
        let (clock, traced) = (self.clock.clone(), inbox.clone());
        let client = Client::new(
            self.limits.clone(),
            mem::take(&mut self.connection).proving(self.journal.proof()),
            Arc::new(consent.clone()),
            Arc::new(move || clock.now()),
            Arc::new(move |exchange| traced.post(Msg::Exchanged(Arc::new(exchange)))),
        );
        let service = Service::new(self.base.clone(), self.contract.clone(), client.clone());
        let parts = (contract.clone(), vault.clone(), self.clock.clone(), inbox.clone());
        let (base, window) = (self.base.clone(), consent.window());
        let open_stores: StoreOpener = Box::new(move |location, past| {
            let (contract, vault, clock, inbox) = parts.clone();
            let changes = Arc::new(ChangeNotifier::default());
            let paid = follow_sandbox_payments(location.clone(), base.clone(), inbox.clone());
            let history = history::open(location.clone(), clock.now().wall, past, inbox.clone());
            let mut followed = JoinSet::new();
            followed.spawn(paid);
            followed.spawn(history::follow(history.clone(), changes.clone(), inbox.clone()));
            let wire = MoneyWire::new(client.clone(), contract, vault);
            let money = MoneyWorker::new(location, wire, clock, window.clone(), inbox, changes);
            Stores::new(money, history, followed)
        });
        let stores = OpenStores::new(open_stores(self.journal.clone(), self.past.take()));
        let state = self.state.as_deref();
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
            open_stores,
            consent,
            inbox,
        };
        (RealWorld::new(context, secrets), stores)
    }
}

/// Passes on which links were paid at a sandbox, for a window that does not play it itself.
///
/// Only a service that proved to be the sandbox is asked. It answers when a buyer pays, so the
/// window sleeps until then. Once the sandbox is gone, nothing is asked any more: whoever starts it
/// again has the mark again in a window that is opened then.
async fn follow_sandbox_payments(location: Arc<JournalLocation>, base: BaseUrl, inbox: Inbox) {
    if !location.is_of_sandbox().await {
        return;
    }
    let mut known = None;
    while let Some(now) = service::sandbox_payments(&base, known).await {
        // One that answers at once with what is known would be asked without end.
        if known.replace(now.payments) == Some(now.payments) {
            return;
        }
        inbox.send(Msg::SandboxPaidLinks(now.addresses().collect())).await;
    }
}
