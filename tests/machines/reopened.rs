//! What is left when the program is gone, and what the next one makes of it.

use serde_json::Value;

use crate::gate::Next;
use crate::keyboard;
use crate::scene::Scene;
use crate::support::run::{json_lines, run};

/// The only withdrawal that was ever confirmed, as the files have it.
pub struct Left {
    pub state: String,
    key: String,
}

/// What becomes of a request that stood still at the gate when its sender died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Late {
    /// The bank never gets it.
    Never,
    /// The bank gets it before anybody looks.
    BeforeTheRestart,
    /// The bank gets it after the same was sent again.
    AfterTheResend,
}

impl Late {
    pub const ALL: [Late; 3] = [Late::Never, Late::BeforeTheRestart, Late::AfterTheResend];
}

impl Scene {
    /// What the files say, which must be whole and must know of all that the bank knows.
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

    /// Brings to its end what stood still at the gate when the program died.
    #[track_caller]
    pub fn deliver(&self, late: Late) {
        self.gate.release(if late == Late::Never { Next::Lost } else { Next::Goes });
    }

    /// Starts the program again, and ends by order what was not ended.
    #[track_caller]
    pub fn come_back(&self, left: Option<&Left>) {
        let mut again = self.open_again();
        match left.map(|left| left.state.as_str()) {
            None | Some("accepted") => {
                again.wait_for("E-mail");
                assert!(!again.text().contains("Saque de"), "{}", again.text());
                return;
            }
            Some("unknown") => again.wait_for("Saque de R$ 100,00: resultado desconhecido"),
            Some("prepared") => again.wait_for("E-mail"),
            Some(other) => panic!("left {other}"),
        }
        let requests = self.bank.ledger().requests.len();
        keyboard::type_login(&mut again, &self.bank);
        again.press("3");
        again.wait_for("R$ 100,00");
        again.press("\r");
        again.wait_for("r   enviar");
        assert_eq!(self.bank.ledger().requests.len(), requests, "nothing is sent by itself");
        again.press("r");
        again.wait_for("ACEITO PELO SERVIÇO");
        assert_eq!(self.bank.ledger().requests.len(), requests + 1);
        let after = self.left().map(|left| left.state);
        assert_eq!(after.as_deref(), Some("accepted"));
    }

    /// One payout, or none where nothing was ever sent; all requests with its key and its bytes.
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
