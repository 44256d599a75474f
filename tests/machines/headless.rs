//! The parts with which a test process without a screen sends withdrawals: client, credentials and
//! clock.

use std::sync::Arc;
use std::time::Duration;

use balcao::cashier::{Clock, Wire};
use balcao::contract::Contract;
use balcao::journal::{Permit, Spent};
use balcao::runtime::clocks::MachineClocks;
use balcao::service::{Client, Credentials, Limits, MoneyWire, NetworkSettings};
use balcao::trade::withdrawal::{AttemptEnd, NotSent};
use balcao::trade::{Account, Clocks, CredentialKind, Secret};

/// Test credentials. The token contains the name of the sending window and the account, which the
/// simulated bank reads.
pub struct WindowCredentials(pub String);

impl Credentials for WindowCredentials {
    async fn credential(&self, account: &Account, _: CredentialKind) -> Result<Secret, NotSent> {
        Ok(Secret::new(format!("{}/{}", self.0, account.identity)))
    }
}

/// Returns the production wire, which sends requests over a real socket.
pub fn wire(window: &str) -> MoneyWire<WindowCredentials> {
    // Use a generous limit, because the machine may be busy. No reply in these tests takes more
    // than a second.
    let limits = Limits { total: Duration::from_secs(30), ..Limits::default() };
    let clock = Arc::new(MachineClocks::new());
    let client = Client::new(
        limits,
        NetworkSettings::default(),
        Arc::new(|_: &Contract| Ok(())),
        Arc::new(move || clock.now()),
        Arc::new(|_| ()),
    );
    MoneyWire::new(client, Arc::new(Contract::built_in()), WindowCredentials(window.into()))
}

/// A wire that calls `at` before each send (with `false`) and after it (with `true`).
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

/// The machine's clocks. They call `at` on each reading.
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
