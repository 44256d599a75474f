//! After the app has exited or was killed, checks the files on disk and starts the app again.

use serde_json::Value;

use crate::keyboard;
use crate::scene::Scene;
use crate::support::gate::{PausePoint, Release};
use crate::support::run::{run, run_json_lines};

/// The only withdrawal that is on disk after the app has ended.
pub struct StoredWithdrawal {
    pub state: String,
    key: String,
}

/// Whether and when the bank receives the request that the test proxy held back when the app ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LateRequest {
    /// The request never reaches the bank.
    Never,
    /// The request reaches the bank before the app is restarted.
    BeforeTheRestart,
    /// The request reaches the bank after the restarted app has sent the withdrawal again.
    AfterTheResend,
}

impl LateRequest {
    pub const ALL: [LateRequest; 3] = [
        LateRequest::Never,
        LateRequest::BeforeTheRestart,
        LateRequest::AfterTheResend,
    ];
}

impl Scene {
    /// Returns the withdrawal on disk, if there is one. Checks that the journal is intact and
    /// contains every request that the bank received.
    #[track_caller]
    pub fn stored_withdrawal(&self) -> Option<StoredWithdrawal> {
        self.roll_back_interrupted_write();
        let url = self.gate.url();
        let rows = run_json_lines(
            &self.home,
            &["--base-url", &url, "withdrawals", "list", "--json"],
        );
        assert!(rows.len() <= 1, "{rows:#?}");
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let stored = rows.first().map(|row| StoredWithdrawal {
            state: text(&row["state"]),
            key: text(&row["key"]),
        });
        if stored.is_some() {
            let verified = run(&self.home, &["--base-url", &url, "journal", "verify"]);
            assert!(verified.status.success(), "{verified:?}");
        }
        for request in self.bank.ledger().requests {
            let known = stored.as_ref().map(|stored| stored.key.as_str());
            assert_eq!(request.key.as_deref(), known, "sent, and not on disk");
        }
        stored
    }

    /// Delivers or drops the request or reply that the test proxy holds back.
    #[track_caller]
    pub fn release_late_request(&self, late: LateRequest) {
        let before = self.bank.ledger().requests.len();
        let held = self.gate.paused_at();
        self.gate.release(if late == LateRequest::Never {
            Release::Lost
        } else {
            Release::Goes
        });
        // If the proxy held the request back, the request reaches the bank only now. If the proxy
        // held the reply back, the bank already has the request.
        let arrives_now = late != LateRequest::Never && held == Some(PausePoint::Request);
        let request_count = self.bank.ledger().requests.len();
        assert_eq!(
            request_count,
            before + usize::from(arrives_now),
            "{late:?} at {held:?}"
        );
    }

    /// Starts the app again, checks its screen, and completes an unfinished withdrawal.
    #[track_caller]
    pub fn restart_and_finish(&self, stored: Option<&StoredWithdrawal>) {
        // Remove the faults that were planned for the first app.
        self.bank.control().disarm_all().expect("the sandbox");
        let mut tui = self.open_again();
        let requests = self.bank.ledger().requests.len();
        let list_text = match stored.map(|stored| stored.state.as_str()) {
            None => Some("Nenhum saque por aqui ainda"),
            Some("accepted") => Some("✓ aceito pelo serviço"),
            Some("unknown") => {
                tui.wait_for("Saque de R$ 100,00 pode ter saído");
                None
            }
            Some("prepared") => None,
            Some(other) => panic!("left {other}"),
        };
        keyboard::type_login(&mut tui, &self.bank);
        tui.press("3");
        if let Some(text) = list_text {
            // The list of withdrawals appears only after the app has read the journal.
            tui.wait_for(text);
            assert!(!tui.text().contains("Saque de"), "{}", tui.text());
            assert_eq!(
                self.bank.ledger().requests.len(),
                requests,
                "nothing is sent by itself"
            );
            return;
        }
        tui.wait_for("R$ 100,00");
        tui.press("\r");
        tui.wait_for("O que você pode fazer com segurança");
        assert_eq!(
            self.bank.ledger().requests.len(),
            requests,
            "nothing is sent by itself"
        );
        keyboard::resend(&mut tui);
        tui.wait_for("ACEITO PELO SERVIÇO");
        assert_eq!(self.bank.ledger().requests.len(), requests + 1);
        let state = self.stored_withdrawal().map(|stored| stored.state);
        assert_eq!(state.as_deref(), Some("accepted"));
    }

    /// Checks that the bank paid exactly once, or never if it received no request. All requests
    /// must have the same key and body.
    #[track_caller]
    pub fn assert_paid_at_most_once(&self) {
        let ledger = self.bank.ledger();
        assert!(ledger.payouts.len() <= 1, "{:#?}", ledger.payouts);
        assert_eq!(
            ledger.payouts.is_empty(),
            ledger.requests.is_empty(),
            "{ledger:#?}"
        );
        for (request, payout) in ledger.requests.iter().zip(ledger.payouts.iter().cycle()) {
            assert_eq!(request.key.as_deref(), Some(&*payout.key));
            assert_eq!(request.body.0, payout.body.0);
        }
    }
}
