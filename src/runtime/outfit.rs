//! The outfit: a world put together from its parts, the same way for every run.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::history::{self, Past};
use super::money::{Place, Till};
use super::surroundings::Surroundings;
use super::watch::Bells;
use super::world::{Books, MoneyCredentials, OpenBooks, Outside, RealWorld, Stage, Writer};
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
    /// The world, and the books that outlive it. Nothing is opened yet, and nobody asked.
    pub fn world(self, inbox: Inbox) -> (RealWorld, OpenBooks) {
        let (clocks, traced) = (self.clock.clone(), inbox.clone());
        let client = Client::new(
            self.limits,
            Arc::new(move || clocks.now()),
            Arc::new(move |exchange| traced.tell(Msg::Exchanged(Arc::new(exchange)))),
        );
        let service = Service::new(self.base, self.contract.clone(), client.clone());
        let (vault, clock, told) = (self.vault.clone(), self.clock.clone(), inbox.clone());
        let remembers = vault.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (contract, window) = (self.contract, service.window());
        let open_books = Box::new(move |dir: PathBuf, past| {
            let credentials = MoneyCredentials { vault: vault.clone() };
            let wire = MoneyWire::new(client.clone(), contract.clone(), credentials);
            let place = Place { dir: dir.clone(), vault: remembers.clone() };
            let bells = Arc::new(Bells::default());
            let (clock, window, told) = (clock.clone(), window.clone(), told.clone());
            let history = history::open(dir, clock.now().wall, past, told.clone());
            let till = Till::new(place, wire, clock, window, told.clone(), bells.clone());
            Books::new(till, history, bells, told)
        });
        let books = OpenBooks::new(open_books(self.journal, self.past));
        let outside = Outside {
            service,
            vault: self.vault,
            books: books.clone(),
            open_books,
            clock: self.clock,
            around: self.around,
            to_terminal: self.to_terminal,
            stage: self.stage,
            utc_offset_s: self.utc_offset_s,
            inbox,
        };
        (RealWorld::new(outside, self.secrets), books)
    }
}
