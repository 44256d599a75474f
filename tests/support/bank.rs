//! A sandbox inside the test, with its faults and its ledger at hand.

use balcao::sandbox::{self, Control, Fault, Ledger, Operation, Options, Sandbox, Times};
use tokio::runtime::Runtime;

use super::http::exchange;

/// A running sandbox; it ends with the test.
pub struct Bank {
    sandbox: Sandbox,
    _runtime: Runtime,
}

impl Bank {
    /// Opens one on a free port of this machine.
    pub fn open() -> Bank {
        let runtime = Runtime::new().expect("a runtime");
        let sandbox = runtime.block_on(sandbox::start(Options::default())).expect("a sandbox");
        Bank { sandbox, _runtime: runtime }
    }

    /// Lays a fault in wait for the next withdrawal.
    pub fn next_withdrawal(&self, fault: Fault) {
        let armed = self.control().arm(fault, Operation::Withdrawal, Times::Next(1));
        armed.expect("a fault that makes sense");
    }

    /// Where it is.
    pub fn url(&self) -> String {
        self.sandbox.base_url()
    }

    /// The same without the scheme.
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
        // Each look is a request on a socket of its own: time enough for others to work.
        for _ in 0..10_000 {
            let (_, ledger) = exchange(&self.address(), "GET", "/_sandbox/ledger", None, None);
            if ledger["payouts"].as_array().is_some_and(|payouts| !payouts.is_empty()) {
                return;
            }
        }
        panic!("nothing was paid out: {:?}", self.ledger());
    }

    /// What it took in and paid out.
    pub fn ledger(&self) -> Ledger {
        self.control().ledger()
    }
}
