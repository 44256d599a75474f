//! A sandbox (a local payment service without real money) that runs inside the test process. Tests
//! can inject faults, and can read which requests and payouts the sandbox has recorded.

use balcao::sandbox::{
    self, BankOperation, Control, Fault, Ledger, Options, SandboxServer, Scene, ShareAddress,
    ShareLimits, ShareSocket, Times,
};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::gate::Gate;
use super::in_play::{PASSWORD, RegisteredBank};
use super::pty::WAIT_TIMEOUT;

/// A running sandbox, which stops when it is dropped.
pub struct Bank {
    sandbox: SandboxServer,
    runtime: Runtime,
    url: String,
    registration: RegisteredBank,
}

impl Bank {
    /// Starts a sandbox with default options on a free port.
    pub fn open() -> Bank {
        let scene = Scene {
            password: PASSWORD.into(),
            ..Scene::default()
        };
        Bank::with(Options {
            scene,
            ..Options::default()
        })
    }

    pub fn with(options: Options) -> Bank {
        let runtime = Runtime::new().expect("a runtime");
        let sandbox = runtime
            .block_on(sandbox::start(options))
            .expect("a sandbox");
        let url = sandbox.base_url();
        let registration = RegisteredBank::new(sandbox.control());
        Bank {
            sandbox,
            runtime,
            url,
            registration,
        }
    }

    /// Starts a sandbox behind a [`Gate`], which is a proxy that can hold back withdrawals.
    pub fn behind_a_gate() -> (Bank, Gate) {
        let bank = Bank::open();
        let gate = Gate::open(bank.address());
        (
            Bank {
                url: gate.url(),
                ..bank
            },
            gate,
        )
    }

    /// Makes the sandbox reachable at a second local address, and returns its host and port.
    pub fn share(&mut self) -> String {
        let socket = ShareAddress::parse("127.0.0.2").and_then(ShareSocket::reserve);
        let socket = socket.expect("a number of this machine");
        let address = socket.address().to_string();
        let _runtime = self.runtime.enter();
        self.sandbox
            .share(socket, ShareLimits::default())
            .expect("a share");
        address
    }

    /// Injects a fault that affects only the next withdrawal.
    pub fn inject_withdrawal_fault(&self, fault: Fault) {
        let result = self
            .control()
            .arm(fault, BankOperation::Withdrawal, Times::Next(1));
        result.expect("a fault that makes sense");
    }

    /// Returns the base URL that the app must use: the URL of the gate or, if there is no gate, of
    /// the sandbox.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Returns the host and port of the sandbox itself, even if it is behind a gate.
    pub fn address(&self) -> String {
        self.sandbox.address().to_string()
    }

    /// Returns the e-mail address and password with which the seller logs in.
    pub fn credentials(&self) -> (String, String) {
        self.sandbox.credentials()
    }

    /// Returns a JWT that allows the seller to create payment links.
    pub fn jwt(&self) -> String {
        self.sandbox.jwt().to_owned()
    }

    /// Returns a handle for injecting faults and reading the sandbox's records.
    pub fn control(&self) -> Control {
        self.sandbox.control()
    }

    /// Waits until the sandbox has paid out a withdrawal. At that time, the reply may not have been
    /// sent yet.
    #[track_caller]
    pub fn wait_for_payout(&self) {
        let mut requests = self.control().subscribe_requests();
        let payout = async {
            while self.ledger().payouts.is_empty() {
                // Ignore missed events, because the loop reads all payouts from the ledger.
                let _ = requests.recv().await;
            }
        };
        let result = self
            .runtime
            .block_on(async { timeout(WAIT_TIMEOUT, payout).await });
        assert!(result.is_ok(), "nothing was paid out: {:?}", self.ledger());
    }

    /// Returns the requests and payouts that the sandbox has recorded so far.
    pub fn ledger(&self) -> Ledger {
        self.control().ledger()
    }
}
