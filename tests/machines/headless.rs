//! The program without a screen, in a process of its own: what its cashier works with.

use std::sync::Arc;
use std::time::Duration;

use balcao::cashier::{Clock, Wire};
use balcao::contract::Contract;
use balcao::journal::{Permit, Spent};
use balcao::runtime::clocks::MachineClocks;
use balcao::service::{Client, Credentials, Limits, MoneyWire, NetworkSettings};
use balcao::trade::withdrawal::{AttemptEnd, NotSent};
use balcao::trade::{Account, Clocks, CredentialKind, Secret};

/// Says to the bank who sends, and for whom.
pub struct Badge(pub String);

impl Credentials for Badge {
    async fn credential(&self, account: &Account, _: CredentialKind) -> Result<Secret, NotSent> {
        Ok(Secret::new(format!("{}/{}", self.0, account.identity)))
    }
}

/// The production wire, over a real socket.
pub fn wire(window: &str) -> MoneyWire<Badge> {
    // Enough for a machine that is busy with others; no reply here takes a second.
    let limits = Limits { total: Duration::from_secs(30), ..Limits::default() };
    let clock = Arc::new(MachineClocks::new());
    let client = Client::new(
        limits,
        NetworkSettings::default(),
        Arc::new(|_: &Contract| Ok(())),
        Arc::new(move || clock.now()),
        Arc::new(|_| ()),
    );
    MoneyWire::new(client, Arc::new(Contract::built_in()), Badge(window.into()))
}

/// A wire, and something that happens before and after each send.
pub struct Watched<W, F> {
    pub wire: W,
    pub at: F,
}

impl<W: Wire, F: Fn(bool)> Wire for Watched<W, F> {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        (self.at)(false);
        let sent = self.wire.send(permit).await;
        (self.at)(true);
        sent
    }
}

/// The machine's clocks, and something that happens whenever they are read.
pub struct WatchedClocks<F> {
    pub clocks: MachineClocks,
    pub at: F,
}

impl<F: Fn()> Clock for WatchedClocks<F> {
    fn now(&self) -> Clocks {
        (self.at)();
        self.clocks.now()
    }
}
