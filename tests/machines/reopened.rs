//! After the app has exited or was killed, checks the files on disk and starts the app again.

use serde_json::Value;

use crate::keyboard;
use crate::scene::Scene;
use crate::support::gate::{Hold, Next};
use crate::support::run::{json_lines, run};

/// The only withdrawal that is on disk after the app has ended.
pub struct Left {
    pub state: String,
    key: String,
}

/// Whether the bank receives the request that the test proxy still held back when the app ended,
/// and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Late {
    /// The request never reaches the bank.
    Never,
    /// The request reaches the bank before the app is restarted.
    BeforeTheRestart,
    /// The request reaches the bank after the restarted app has sent the withdrawal again.
    AfterTheResend,
}

impl Late {
    pub const ALL: [Late; 3] = [Late::Never, Late::BeforeTheRestart, Late::AfterTheResend];
}

impl Scene {
    /// Returns the withdrawal on disk, if there is one. Checks that the journal is intact and
    /// contains every request that the bank received.
    #[track_caller]
    pub fn left(&self) -> Option<Left> {
        self.undo_cut_short();
        let url = self.gate.url();
        let listed =
            json_lines(&self.place, &["--base-url", &url, "withdrawals", "list", "--json"]);
        assert!(listed.len() <= 1, "{listed:#?}");
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let left =
            listed.first().map(|it| Left { state: text(&it["state"]), key: text(&it["key"]) });
        if left.is_some() {
            let verified = run(&self.place, &["--base-url", &url, "journal", "verify"]);
            assert!(verified.status.success(), "{verified:?}");
        }
        for request in self.bank.ledger().requests {
            let known = left.as_ref().map(|left| left.key.as_str());
            assert_eq!(request.key.as_deref(), known, "sent, and not on disk");
        }
        left
    }

    /// Delivers or drops the request that the test proxy delays.
    #[track_caller]
    pub fn deliver(&self, late: Late) {
        let (before, held) = (self.bank.ledger().requests.len(), self.gate.held());
        self.gate.release(if late == Late::Never { Next::Lost } else { Next::Goes });
        // If the proxy held the request back, the request reaches the bank only now. If the proxy
        // held the reply back, the bank already has the request.
        let comes = late != Late::Never && held == Some(Hold::Request);
        let after = self.bank.ledger().requests.len();
        assert_eq!(after, before + usize::from(comes), "{late:?} at {held:?}");
    }

    /// Starts the app again, checks its screen, and completes an unfinished withdrawal.
    #[track_caller]
    pub fn come_back(&self, left: Option<&Left>) {
        // Remove the faults that were planned for the first app.
        self.bank.control().disarm_all().expect("the sandbox");
        let mut again = self.open_again();
        let requests = self.bank.ledger().requests.len();
        let nothing_open = match left.map(|left| left.state.as_str()) {
            None => Some("Nenhum saque por aqui ainda"),
            Some("accepted") => Some("✓ aceito pelo serviço"),
            Some("unknown") => {
                again.wait_for("Saque de R$ 100,00 pode ter saído");
                None
            }
            Some("prepared") => None,
            Some(other) => panic!("left {other}"),
        };
        keyboard::type_login(&mut again, &self.bank);
        again.press("3");
        if let Some(list) = nothing_open {
            // The list of withdrawals appears only after the app has read the journal.
            again.wait_for(list);
            assert!(!again.text().contains("Saque de"), "{}", again.text());
            assert_eq!(self.bank.ledger().requests.len(), requests, "nothing is sent by itself");
            return;
        }
        again.wait_for("R$ 100,00");
        again.press("\r");
        again.wait_for("O que você pode fazer com segurança");
        assert_eq!(self.bank.ledger().requests.len(), requests, "nothing is sent by itself");
        keyboard::resend(&mut again);
        again.wait_for("ACEITO PELO SERVIÇO");
        assert_eq!(self.bank.ledger().requests.len(), requests + 1);
        let after = self.left().map(|left| left.state);
        assert_eq!(after.as_deref(), Some("accepted"));
    }

    /// Checks that the bank paid exactly once, or never if it received no request. All requests
    /// must have the same key and body.
    #[track_caller]
    pub fn is_paid_once_or_never(&self) {
        let ledger = self.bank.ledger();
        assert!(ledger.payouts.len() <= 1, "{:#?}", ledger.payouts);
        assert_eq!(ledger.payouts.is_empty(), ledger.requests.is_empty(), "{ledger:#?}");
        for (request, payout) in ledger.requests.iter().zip(ledger.payouts.iter().cycle()) {
            assert_eq!(request.key.as_deref(), Some(&*payout.key));
            assert_eq!(request.body.0, payout.body.0);
        }
    }
}
