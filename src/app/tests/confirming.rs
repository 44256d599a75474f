//! Tests of confirming settings of the API contract, the app's description of the service's API. A
//! response of the live service confirms a setting, or a seller who saw the money arrive.

use super::*;
use crate::app::screens::withdrawals::ArrivedForm;
use crate::app::store::confirming::{ArrivedAmount, asks_what_arrived, judge};
use crate::contract::{ConfirmedLines, Provenance};

/// Creates an HTTP exchange for the withdrawal with this idempotency key.
fn of_key(key_header: &str, status: u16, body: &str) -> Exchange {
    let request_headers = vec![("Idempotency-Key".into(), key_header.to_owned())];
    Exchange { request_headers, ..exchange(Operation::Withdrawal, status, body) }
}

impl App {
    /// Delivers an HTTP exchange, and returns the settings of the API contract that the app
    /// confirms because of it.
    fn proves(&mut self, exchange: Exchange) -> Option<ConfirmedLines> {
        let wanted = self.exchanges(exchange);
        self.confirms(&wanted)
    }

    fn confirms(&mut self, wanted: &[Effect]) -> Option<ConfirmedLines> {
        let lines = wanted.iter().find_map(|effect| match effect {
            Effect::Confirm(lines) => Some(lines.clone()),
            _ => None,
        })?;
        self.tell(Msg::LinesConfirmed(lines.clone()));
        Some(lines)
    }

    fn is_confirmed(&self, line: &str) -> bool {
        self.model.setup.contract.provenance(line) == Provenance::Confirmed
    }

    /// Sends a withdrawal of R$ 100,00, which the service accepts with this response, and shows its
    /// details.
    fn accepted(&mut self, body: &str) -> Withdrawal {
        let sent = self.sends("10000");
        let key = sent.agreement.key_header.to_string();
        assert_eq!(self.proves(of_key(&key, 202, body)), None);
        let settled = attempted(&sent, &self.now, ACCEPTED);
        let wanted = self.tell(Msg::Settled(Box::new(settled.clone())));
        self.confirms(&wanted);
        settled
    }

    fn arrived(&self) -> &ArrivedForm {
        match self.top() {
            Layer::Arrived(form) => form,
            other => panic!("no form but {other:?}"),
        }
    }
}

#[test]
fn success_confirms_only_response_lines_and_only_once() {
    let mut app = App::open();
    let fee = || exchange(Operation::FeePreview, 200, r#"{"fee": 2.05, "netAmount": 97.95}"#);
    assert!(app.proves(fee()).is_some());
    assert!(app.is_confirmed("fee_preview.net") && app.is_confirmed("fee_preview.fee"));
    for sent in ["fee_preview.path", "fee_preview.unit", "withdrawal.unit"] {
        assert!(!app.is_confirmed(sent), "{sent}");
    }
    assert_eq!(app.proves(fee()), None, "it is known");
}

#[test]
fn no_refusal_and_no_sandbox_confirms_anything() {
    let mut app = App::open();
    let body = r#"{"netAmount": 97.95}"#;
    assert_eq!(app.proves(exchange(Operation::FeePreview, 422, body)), None);
    app.model.store.setup.this_machine = true;
    assert_eq!(app.proves(exchange(Operation::FeePreview, 200, body)), None);
    app.model.store.setup.this_machine = false;
    app.model.store.sandbox = true;
    assert_eq!(app.proves(exchange(Operation::FeePreview, 200, body)), None);
    let accepted = app.accepted(r#"{"id": "1", "amount": 100.00}"#);
    assert!(!app.is_confirmed("withdrawal.echo_amount"));
    assert!(!asks_what_arrived(&app.model, &accepted));
}

#[test]
fn matching_echo_confirms_its_line_but_not_the_unit() {
    let mut app = App::open();
    app.accepted(r#"{"id": "saq-1", "status": "processing", "amount": 100.00}"#);
    for line in ["withdrawal.id", "withdrawal.status", "withdrawal.echo_amount"] {
        assert!(app.is_confirmed(line), "{line}");
    }
    assert!(!app.is_confirmed("withdrawal.unit"));
    let mut app = App::open();
    app.accepted(r#"{"id": "saq-1", "amount": 97.95}"#);
    assert!(app.is_confirmed("withdrawal.id"));
    assert!(!app.is_confirmed("withdrawal.echo_amount"), "the net is no echo of what was sent");
}

#[test]
fn a_reply_to_what_nobody_accepted_confirms_nothing() {
    let mut app = App::open();
    let sent = app.sends("10000");
    let key = sent.agreement.key_header.to_string();
    app.proves(of_key(&key, 200, r#"{"id": "1", "status": "failed"}"#));
    app.settles(&sent, LOST);
    assert!(!app.is_confirmed("withdrawal.id"));
}

#[test]
fn the_unit_is_confirmed_by_who_saw_the_money_arrive() {
    let mut app = App::open();
    let accepted = app.accepted("{}");
    assert!(asks_what_arrived(&app.model, &accepted));
    app.keys("u");
    let form = app.top().screen().form().unwrap();
    assert_eq!(form.money(), None, "nothing is suggested");
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    app.types("9795");
    let wanted = app.keys("Ctrl-S");
    assert_eq!(app.confirms(&wanted), Some(Contract::built_in().unit_lines()));
    assert!(app.is_confirmed("withdrawal.unit"));
    assert_eq!(said(&app), Some(&Notice::good("said-unit-confirmed")));
    assert!(!asks_what_arrived(&app.model, &accepted));
    app.keys("u");
    assert!(!matches!(app.top(), Layer::Arrived(_)));
}

#[test]
fn other_amount_unconfirmed_hundredfold_is_unit_error() {
    let mut app = App::open();
    let accepted = app.accepted("{}");
    app.keys("u");
    for (typed, arrival) in [
        ("1000000", ArrivedAmount::OtherUnit),
        ("100", ArrivedAmount::OtherUnit),
        ("9000", ArrivedAmount::Other { expected: brl(9_795) }),
    ] {
        app.keys("Ctrl-U");
        app.types(typed);
        assert_eq!(app.keys("Ctrl-S"), vec![], "{typed}");
        assert_eq!(app.arrived().doubt(), Some(arrival), "{typed}");
    }
    assert!(!app.is_confirmed("withdrawal.unit"));
    assert_eq!(judge(&accepted, brl(10_000)), ArrivedAmount::AsExpected, "no fee was taken");
}

#[test]
fn arrival_form_own_login_only_closed_when_confirmed() {
    let mut app = App::open();
    let accepted = app.accepted("{}");
    let mut other = accepted.clone();
    other.agreement.account.identity = "bia@loja.example".into();
    assert!(!asks_what_arrived(&app.model, &other));
    app.keys("u");
    app.types("9");
    app.tell(Msg::LinesConfirmed(Contract::built_in().unit_lines()));
    assert!(!matches!(app.top(), Layer::Arrived(_)), "{:?}", app.top());
}

#[test]
fn another_unit_is_assumed_again() {
    let mut app = App::with_contract(
        Contract::with(&[("loja.toml", "withdrawal.unit = 'centavos'")]).unwrap(),
    );
    app.tell(Msg::LinesConfirmed(Contract::built_in().unit_lines()));
    assert!(app.model.setup.contract.unit_is_assumed());
}
