//! A sandbox (a local imitation of the payment service) inside the test process. Tests can inject
//! faults and read its ledger.

use balcao::sandbox::{
    self, BankOperation, Control, Fault, Ledger, Options, SandboxServer, Scene, ShareAddress,
    ShareLimits, ShareSocket, Times,
};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::gate::Gate;
use super::in_play::{BankInPlay, PASSWORD};
use super::pty::LIMIT;

/// A running sandbox, which stops when it is dropped.
pub struct Bank {
    sandbox: SandboxServer,
    runtime: Runtime,
    url: String,
    in_play: BankInPlay,
}

impl Bank {
    /// Starts a sandbox with default options on a free port.
    pub fn open() -> Bank {
        let scene = Scene { password: PASSWORD.into(), ..Scene::default() };
        Bank::with(Options { scene, ..Options::default() })
    }

    /// Starts a sandbox with these options.
    pub fn with(options: Options) -> Bank {
        let runtime = Runtime::new().expect("a runtime");
        let sandbox = runtime.block_on(sandbox::start(options)).expect("a sandbox");
        let url = sandbox.base_url();
        let in_play = BankInPlay::of(sandbox.control());
        Bank { sandbox, runtime, url, in_play }
    }

    /// Starts a sandbox behind a [`Gate`], a proxy that can hold back withdrawals.
    pub fn behind_a_gate() -> (Bank, Gate) {
        let bank = Bank::open();
        let gate = Gate::to(bank.address());
        (Bank { url: gate.url(), ..bank }, gate)
    }

    /// Makes the sandbox reachable at a second local address, and returns that address (host and
    /// port).
    pub fn share(&mut self) -> String {
        let held = ShareAddress::parse("127.0.0.2").and_then(ShareSocket::hold);
        let held = held.expect("a number of this machine");
        let address = held.address().to_string();
        let _runtime = self.runtime.enter();
        self.sandbox.share(held, ShareLimits::default()).expect("a share");
        address
    }

    /// Arms a fault for the next withdrawal.
    pub fn next_withdrawal(&self, fault: Fault) {
        let armed = self.control().arm(fault, BankOperation::Withdrawal, Times::Next(1));
        armed.expect("a fault that makes sense");
    }

    /// Returns the base URL for the app: the gate's URL, or the sandbox's if there is no gate.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Returns the host and port of the sandbox itself, even behind a gate.
    pub fn address(&self) -> String {
        self.sandbox.address().to_string()
    }

    /// Returns the seller's e-mail address and password.
    pub fn credentials(&self) -> (String, String) {
        self.sandbox.credentials()
    }

    /// Returns a JWT that allows the creation of payment links.
    pub fn jwt(&self) -> String {
        self.sandbox.jwt().to_owned()
    }

    /// Returns a handle that controls the sandbox.
    pub fn control(&self) -> Control {
        self.sandbox.control()
    }

    /// Waits until the sandbox has paid a withdrawal. Its reply may not have been sent yet.
    #[track_caller]
    pub fn wait_for_payout(&self) {
        let mut asked = self.control().asked();
        let paid = async {
            while self.ledger().payouts.is_empty() {
                // Missed events do not matter: the loop condition reads the ledger, which has every
                // payout.
                let _ = asked.recv().await;
            }
        };
        let waited = self.runtime.block_on(async { timeout(LIMIT, paid).await });
        assert!(waited.is_ok(), "nothing was paid out: {:?}", self.ledger());
    }

    /// Returns the requests received and the payouts made so far.
    pub fn ledger(&self) -> Ledger {
        self.control().ledger()
    }
}
