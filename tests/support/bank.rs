//! A sandbox inside the test, with its faults and its ledger at hand.

use balcao::sandbox::{
    self, BankOperation, Control, Fault, Ledger, Options, SandboxServer, Scene, ShareAddress,
    ShareLimits, ShareSocket, Times,
};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::gate::Gate;
use super::in_play::{BankInPlay, PASSWORD};
use super::pty::LIMIT;

/// A running sandbox; it ends with the test.
pub struct Bank {
    sandbox: SandboxServer,
    runtime: Runtime,
    url: String,
    in_play: BankInPlay,
}

impl Bank {
    /// Opens one on a free port of this machine.
    pub fn open() -> Bank {
        let scene = Scene { password: PASSWORD.into(), ..Scene::default() };
        Bank::with(Options { scene, ..Options::default() })
    }

    /// Opens one with these options.
    pub fn with(options: Options) -> Bank {
        let runtime = Runtime::new().expect("a runtime");
        let sandbox = runtime.block_on(sandbox::start(options)).expect("a sandbox");
        let url = sandbox.base_url();
        let in_play = BankInPlay::of(sandbox.control());
        Bank { sandbox, runtime, url, in_play }
    }

    /// Opens one whose only known way leads through a gate.
    pub fn behind_a_gate() -> (Bank, Gate) {
        let bank = Bank::open();
        let gate = Gate::to(bank.address());
        (Bank { url: gate.url(), ..bank }, gate)
    }

    /// Shares it on another number of this machine, and says where that is, without the scheme.
    pub fn share(&mut self) -> String {
        let held = ShareAddress::parse("127.0.0.2").and_then(ShareSocket::hold);
        let held = held.expect("a number of this machine");
        let address = held.address().to_string();
        let _runtime = self.runtime.enter();
        self.sandbox.share(held, ShareLimits::default()).expect("a share");
        address
    }

    /// Lays a fault in wait for the next withdrawal.
    pub fn next_withdrawal(&self, fault: Fault) {
        let armed = self.control().arm(fault, BankOperation::Withdrawal, Times::Next(1));
        armed.expect("a fault that makes sense");
    }

    /// Where a program finds it.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Where it is itself, without the scheme.
    pub fn address(&self) -> String {
        self.sandbox.address().to_string()
    }

    /// The e-mail and the password that log in.
    pub fn credentials(&self) -> (String, String) {
        self.sandbox.credentials()
    }

    /// A JWT for links.
    pub fn jwt(&self) -> String {
        self.sandbox.jwt().to_owned()
    }

    /// The handle that faults, pays and looks.
    pub fn control(&self) -> Control {
        self.sandbox.control()
    }

    /// Waits until it has paid a withdrawal out, whether or not it has said so.
    #[track_caller]
    pub fn wait_for_payout(&self) {
        let mut asked = self.control().asked();
        let paid = async {
            while self.ledger().payouts.is_empty() {
                // One that was missed is in the ledger too.
                let _ = asked.recv().await;
            }
        };
        let waited = self.runtime.block_on(async { timeout(LIMIT, paid).await });
        assert!(waited.is_ok(), "nothing was paid out: {:?}", self.ledger());
    }

    /// What it took in and paid out.
    pub fn ledger(&self) -> Ledger {
        self.control().ledger()
    }
}
