//! The builder: a world put together from its parts, the same way for every run.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::chosen_domain;
use super::chosen_vault::VaultFile;
use super::display_environment::DisplayEnvironment;
use super::doctor::Examiner;
use super::history::{self, SeedHistory};
use super::journal_location::JournalLocation;
use super::money::MoneyWorker;
use super::sandbox_payments;
use super::watch::ChangeNotifier;
use super::world::{
    ContractConsent, DemoBackend, MoneyCredentials, OpenStores, ProfileOpener, RealWorld, Stores,
    WorldContext, Writer, secrets,
};
use super::{Inbox, SecretFields};
use crate::app::Msg;
use crate::cashier::Clock;
use crate::config::contract_files::ProfileContract;
use crate::contract::{Contract, ContractInForce};
use crate::service::{BaseUrl, Client, Limits, MoneyWire, NetworkSettings, Service};
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
    pub fn build(self, inbox: Inbox) -> (RealWorld, OpenStores) {
        let (clocks, traced) = (self.clock.clone(), inbox.clone());
        let origin = self.base.origin().clone();
        let contract = ContractInForce::from(self.contract.clone());
        let (limits, vault) = (self.limits.clone(), self.vault.clone());
        let consent =
            ContractConsent::new((&self.profile, &origin), contract.clone(), limits, vault);
        let client = Client::new(
            self.limits,
            self.connection.proving(self.journal.proof()),
            Arc::new(consent.clone()),
            Arc::new(move || clocks.now()),
            Arc::new(move |exchange| traced.post(Msg::Exchanged(Arc::new(exchange)))),
        );
        let (vault, profile, at) = (self.vault.clone(), self.profile.clone(), origin.clone());
        client.hide_in_replies(Arc::new(move || {
            let vault = vault.lock().unwrap_or_else(PoisonError::into_inner).clone();
            Box::pin(secrets(vault, profile.clone(), at.clone()))
        }));
        let (named, base) = (origin.clone(), self.base.clone());
        let service = Service::new(self.base, self.contract, client.clone());
        let (vault, clock, told) = (self.vault.clone(), self.clock.clone(), inbox.clone());
        let in_force = contract.clone();
        let (window, profile) = (consent.window().clone(), self.profile.clone());
        let open_stores = Box::new(move |location: Arc<JournalLocation>, past| {
            let window = window.clone();
            let (origin, vault) = (origin.clone(), vault.clone());
            let profile = profile.clone();
            let credentials = MoneyCredentials { profile, origin, vault };
            let wire = MoneyWire::new(client.clone(), contract.clone(), credentials);
            let changes = Arc::new(ChangeNotifier::default());
            let (clock, told) = (clock.clone(), told.clone());
            let payments = sandbox_payments::follow(location.clone(), base.clone(), told.clone());
            let history = history::open(location.clone(), clock.now().wall, past, told.clone());
            let money =
                MoneyWorker::new(location, wire, clock, window, told.clone(), changes.clone());
            Stores::new(money, history, changes, told).following(payments)
        });
        let stores = OpenStores::new(open_stores(self.journal.clone(), self.past));
        let profile = &self.profile;
        let state = self.state.as_deref();
        let domain_file = state.map(|state| chosen_domain::file(state, profile, &named));
        let vault_file = state.map(|state| VaultFile::new(state, profile, &named));
        let context = WorldContext {
            domain_file,
            vault_file,
            profile: self.profile,
            service,
            contract: in_force,
            profile_contract: self.profile_contract,
            vault: self.vault,
            stores: stores.clone(),
            location: self.journal,
            open_stores,
            consent,
            examiner: self.examiner,
            clock: self.clock,
            display: self.display,
            to_terminal: self.to_terminal,
            stage: self.stage,
            utc_offset_s: self.utc_offset_s,
            receipts: self.receipts,
            profiles: self.profiles,
            inbox,
        };
        (RealWorld::new(context, self.secrets), stores)
    }
}
