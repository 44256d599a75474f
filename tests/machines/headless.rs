//! The HTTP client, credentials and clocks of a test process that sends withdrawals without a
//! screen.

use std::sync::Arc;
use std::time::Duration;

use balcao::cashier::{Clock, Wire};
use balcao::contract::Contract;
use balcao::journal::{Permit, Spent};
use balcao::runtime::clocks::MachineClocks;
use balcao::service::{Client, Credentials, Limits, MoneyWire, NetworkSettings};
use balcao::trade::withdrawal::{AttemptEnd, NotSent};
use balcao::trade::{Account, Clocks, CredentialKind, Secret};

/// The credentials of a test process (a "window"). The token contains the names of the window and
/// the account, so that the simulated bank knows who sent a request.
pub struct WindowCredentials(pub String);

impl Credentials for WindowCredentials {
    async fn credential(&self, account: &Account, _: CredentialKind) -> Result<Secret, NotSent> {
        Ok(Secret::new(format!("{}/{}", self.0, account.identity)))
    }
}

/// Returns the app's real HTTP client for withdrawals, on a real socket.
pub fn http_wire(window: &str) -> MoneyWire<WindowCredentials> {
    // Use a long timeout, so that requests do not time out on a busy machine. The bank in these
    // tests replies within a second.
    let limits = Limits {
        request_timeout: Duration::from_secs(30),
        ..Limits::default()
    };
    let clock = Arc::new(MachineClocks::new());
    let client = Client::new(
        limits,
        NetworkSettings::default(),
        Arc::new(|_: &Contract| Ok(())),
        Arc::new(move || clock.now()),
        Arc::new(|_| ()),
    );
    MoneyWire::new(
        client,
        Arc::new(Contract::built_in()),
        WindowCredentials(window.into()),
    )
}

/// A wire (connection to the bank) that calls `on_send(false)` before each send and `on_send(true)`
/// after it.
pub struct WatchedWire<W, F> {
    pub wire: W,
    pub on_send: F,
}

impl<W: Wire, F: Fn(bool)> Wire for WatchedWire<W, F> {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        (self.on_send)(false);
        let result = self.wire.send(permit).await;
        (self.on_send)(true);
        result
    }
}

/// The machine's clocks, which also call `on_read` whenever they are read.
pub struct WatchedClocks<F> {
    pub clocks: MachineClocks,
    pub on_read: F,
}

impl<F: Fn()> Clock for WatchedClocks<F> {
    fn now(&self) -> Clocks {
        (self.on_read)();
        self.clocks.now()
    }
}
