//! The outfit: a world put together from its parts, the same way for every run.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::history::{self, Past};
use super::money::{Place, Till};
use super::surroundings::Surroundings;
use super::watch::Bells;
use super::world::{MoneyCredentials, Outside, RealWorld, Stage, Writer};
use super::{Inbox, Secrets};
use crate::app::Msg;
use crate::cashier::Clock;
use crate::contract::Contract;
use crate::service::{BaseUrl, Client, Limits, MoneyWire, Service};
use crate::vault::VaultHandle;

/// What a world is made from.
pub struct Outfit {
    /// Where the service is.
    pub base: BaseUrl,
    /// What is believed about it.
    pub contract: Arc<Contract>,
    /// How long and how large an exchange may be.
    pub limits: Limits,
    /// The directory of the journal and the history.
    pub journal: PathBuf,
    /// What a history that has nothing in it begins with, oldest first; nothing but in the demo.
    pub past: Option<Past>,
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

impl Outfit {
    /// The world, and the till that outlives it. Nothing is opened yet, and nobody asked.
    pub fn world(self, inbox: Inbox) -> (RealWorld, Till) {
        let (wall, traced) = (self.clock.clone(), inbox.clone());
        let client = Client::new(
            self.limits,
            Arc::new(move || wall.now().wall),
            Arc::new(move |exchange| traced.tell(Msg::Exchanged(Arc::new(exchange)))),
        );
        let service = Service::new(self.base, self.contract.clone(), client.clone());
        let credentials = MoneyCredentials { vault: self.vault.clone() };
        let wire = MoneyWire::new(client, self.contract, credentials);
        let place = Place { dir: self.journal.clone(), vault: self.vault.clone() };
        let window = service.window();
        let bells = Arc::new(Bells::default());
        let (clock, rung) = (self.clock.clone(), bells.clone());
        let till = Till::new(place, wire, clock, window, inbox.clone(), rung);
        let outside = Outside {
            service,
            vault: self.vault,
            history: history::open(self.journal, self.clock.now().wall, self.past),
            till: till.clone(),
            clock: self.clock,
            around: self.around,
            to_terminal: self.to_terminal,
            stage: self.stage,
            utc_offset_s: self.utc_offset_s,
            bells,
            inbox,
        };
        (RealWorld::new(outside, self.secrets), till)
    }
}
