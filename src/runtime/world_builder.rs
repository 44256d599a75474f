//! The builder: a world put together from its parts, the same way for every run.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::chosen_domain::DomainFile;
use super::history::{self, Past};
use super::money::MoneyWorker;
use super::place::Place;
use super::surroundings::Surroundings;
use super::watch::ChangeNotifier;
use super::world::{
    Agreements, MoneyCredentials, OpenStores, Outside, RealWorld, Stage, Stores, Writer,
};
use super::{Inbox, Secrets};
use crate::app::Msg;
use crate::cashier::Clock;
use crate::contract::Contract;
use crate::service::{BaseUrl, Client, Limits, MoneyWire, Service};
use crate::vault::VaultHandle;

/// What a world is made from.
pub struct WorldBuilder {
    /// The profile's name: another one's credentials, and what was agreed to there, do not count.
    pub profile: Arc<str>,
    /// Where the service is.
    pub base: BaseUrl,
    /// What is believed about it.
    pub contract: Arc<Contract>,
    /// How long and how large an exchange may be.
    pub limits: Limits,
    /// Where the journal and the history are.
    pub journal: Arc<Place>,
    /// What a history that has nothing in it begins with, oldest first; nothing but in the demo.
    pub past: Option<Past>,
    /// The directory in which the chosen domain is kept; none in the demo.
    pub state: Option<PathBuf>,
    /// Where credentials are kept at first.
    pub vault: Arc<Mutex<VaultHandle>>,
    /// The clocks.
    pub clock: Arc<dyn Clock + Send + Sync>,
    /// Where copies and browsers go.
    pub around: Surroundings,
    /// Writes bytes to the terminal, past the screen.
    pub to_terminal: Writer,
    /// The demo's stage, if there is one.
    pub stage: Option<Box<dyn Stage>>,
    /// What stands in secret fields from the start.
    pub secrets: Secrets,
    /// Seconds the seller's clock stands east of UTC.
    pub utc_offset_s: i32,
}

impl WorldBuilder {
    /// The world, and the stores that outlive it. Nothing is opened yet, and nobody asked.
    pub fn build(self, inbox: Inbox) -> (RealWorld, OpenStores) {
        let (clocks, traced) = (self.clock.clone(), inbox.clone());
        let client = Client::new(
            self.limits.clone(),
            Arc::new(move || clocks.now()),
            Arc::new(move |exchange| traced.tell(Msg::Exchanged(Arc::new(exchange)))),
        );
        let origin = self.base.origin().clone();
        let named = origin.clone();
        let service = Service::new(self.base, self.contract.clone(), client.clone());
        let (vault, clock, told) = (self.vault.clone(), self.clock.clone(), inbox.clone());
        let contract = self.contract;
        let agreements = Agreements::new(&self.profile, &origin, contract.clone(), self.limits);
        let (agreed, profile) = (agreements.clone(), self.profile.clone());
        let open_stores = Box::new(move |place: Arc<Place>, past| {
            let agreements = agreed.clone();
            let window = agreements.window().clone();
            let (origin, vault) = (origin.clone(), vault.clone());
            let profile = profile.clone();
            let credentials = MoneyCredentials { profile, origin, vault, agreements };
            let wire = MoneyWire::new(client.clone(), contract.clone(), credentials);
            let changes = Arc::new(ChangeNotifier::default());
            let (clock, told) = (clock.clone(), told.clone());
            let history = history::open(place.clone(), clock.now().wall, past, told.clone());
            let money = MoneyWorker::new(place, wire, clock, window, told.clone(), changes.clone());
            Stores::new(money, history, changes, told)
        });
        let stores = OpenStores::new(open_stores(self.journal.clone(), self.past));
        let profile = &self.profile;
        let domain_file = self.state.map(|state| DomainFile::new(&state, profile, &named));
        let outside = Outside {
            domain_file,
            profile: self.profile,
            service,
            vault: self.vault,
            stores: stores.clone(),
            place: self.journal,
            open_stores,
            agreements,
            clock: self.clock,
            around: self.around,
            to_terminal: self.to_terminal,
            stage: self.stage,
            utc_offset_s: self.utc_offset_s,
            inbox,
        };
        (RealWorld::new(outside, self.secrets), stores)
    }
}
