//! Tests of confirming settings of the API contract. A setting is confirmed by a response of the
//! live service, or by a seller who saw the money arrive.

use super::*;
use crate::app::screens::withdrawals::ArrivedForm;
use crate::app::store::confirming::{
    ArrivedAmount, compare_arrived_amount, should_ask_arrived_amount,
};
use crate::contract::{ConfirmedSettings, Provenance};

/// Creates an HTTP exchange that sent the withdrawal with this idempotency key.
fn withdrawal_exchange(key_header: &str, status: u16, body: &str) -> Exchange {
    let request_headers = vec![("Idempotency-Key".into(), key_header.to_owned())];
    Exchange {
        request_headers,
        ..exchange(Operation::Withdrawal, status, body)
    }
}

impl App {
    /// Delivers an HTTP exchange, and returns the API contract settings that the app confirms.
    fn deliver_and_confirm(&mut self, exchange: Exchange) -> Option<ConfirmedSettings> {
        let effects = self.deliver_exchange(exchange);
        self.confirm_lines(&effects)
    }

    fn confirm_lines(&mut self, effects: &[Effect]) -> Option<ConfirmedSettings> {
        let lines = effects.iter().find_map(|effect| match effect {
            Effect::Confirm(lines) => Some(lines.clone()),
            _ => None,
        })?;
        self.deliver(Msg::SettingsConfirmed(lines.clone()));
        Some(lines)
    }

    fn is_confirmed(&self, line: &str) -> bool {
        self.model.setup.contract.provenance(line) == Provenance::Confirmed
    }

    /// Sends a withdrawal of R$ 100,00, which the service accepts with this response, and shows its
    /// details.
    fn send_accepted(&mut self, body: &str) -> Withdrawal {
        let sent = self.send_withdrawal("10000");
        let key = sent.agreement.key_header.to_string();
        assert_eq!(
            self.deliver_and_confirm(withdrawal_exchange(&key, 202, body)),
            None
        );
        let settled = with_attempt(&sent, &self.now, ACCEPTED);
        let effects = self.deliver(Msg::Settled(Box::new(settled.clone())));
        self.confirm_lines(&effects);
        settled
    }

    fn arrived_form(&self) -> &ArrivedForm {
        match self.top() {
            Layer::Arrived(form) => form,
            other => panic!("no form but {other:?}"),
        }
    }
}

#[test]
fn success_confirms_only_response_lines_and_only_once() {
    let mut app = App::logged_in();
    let fee = || {
        exchange(
            Operation::FeePreview,
            200,
            r#"{"fee": 2.05, "netAmount": 97.95}"#,
        )
    };
    assert!(app.deliver_and_confirm(fee()).is_some());
    assert!(app.is_confirmed("fee_preview.net") && app.is_confirmed("fee_preview.fee"));
    for line in ["fee_preview.path", "fee_preview.unit", "withdrawal.unit"] {
        assert!(!app.is_confirmed(line), "{line}");
    }
    assert_eq!(app.deliver_and_confirm(fee()), None, "it is known");
}

#[test]
fn refusal_or_sandbox_confirms_nothing() {
    let mut app = App::logged_in();
    let body = r#"{"netAmount": 97.95}"#;
    assert_eq!(
        app.deliver_and_confirm(exchange(Operation::FeePreview, 422, body)),
        None
    );
    app.model.store.setup.this_machine = true;
    assert_eq!(
        app.deliver_and_confirm(exchange(Operation::FeePreview, 200, body)),
        None
    );
    app.model.store.setup.this_machine = false;
    app.model.store.sandbox = true;
    assert_eq!(
        app.deliver_and_confirm(exchange(Operation::FeePreview, 200, body)),
        None
    );
    let accepted = app.send_accepted(r#"{"id": "1", "amount": 100.00}"#);
    assert!(!app.is_confirmed("withdrawal.echo_amount"));
    assert!(!should_ask_arrived_amount(&app.model, &accepted));
}

#[test]
fn matching_echo_confirms_its_line_but_not_the_unit() {
    let mut app = App::logged_in();
    app.send_accepted(r#"{"id": "saq-1", "status": "processing", "amount": 100.00}"#);
    for line in [
        "withdrawal.id",
        "withdrawal.status",
        "withdrawal.echo_amount",
    ] {
        assert!(app.is_confirmed(line), "{line}");
    }
    assert!(!app.is_confirmed("withdrawal.unit"));
    let mut app = App::logged_in();
    app.send_accepted(r#"{"id": "saq-1", "amount": 97.95}"#);
    assert!(app.is_confirmed("withdrawal.id"));
    assert!(
        !app.is_confirmed("withdrawal.echo_amount"),
        "the net is no echo of what was sent"
    );
}

#[test]
fn reply_without_acceptance_confirms_nothing() {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10000");
    let key = sent.agreement.key_header.to_string();
    app.deliver_and_confirm(withdrawal_exchange(
        &key,
        200,
        r#"{"id": "1", "status": "failed"}"#,
    ));
    app.settle(&sent, TIMED_OUT);
    assert!(!app.is_confirmed("withdrawal.id"));
}

#[test]
fn arrived_amount_confirms_unit() {
    let mut app = App::logged_in();
    let accepted = app.send_accepted("{}");
    assert!(should_ask_arrived_amount(&app.model, &accepted));
    app.press("u");
    let form = app.top().screen().form().unwrap();
    assert_eq!(form.money(), None, "nothing is suggested");
    assert_eq!(app.press("Ctrl-S"), vec![]);
    app.type_text("9795");
    let effects = app.press("Ctrl-S");
    assert_eq!(
        app.confirm_lines(&effects),
        Some(Contract::built_in().unit_settings())
    );
    assert!(app.is_confirmed("withdrawal.unit"));
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::good("said-unit-confirmed"))
    );
    assert!(!should_ask_arrived_amount(&app.model, &accepted));
    app.press("u");
    assert!(!matches!(app.top(), Layer::Arrived(_)));
}

#[test]
fn other_amount_unconfirmed_hundredfold_is_unit_error() {
    let mut app = App::logged_in();
    let accepted = app.send_accepted("{}");
    app.press("u");
    for (typed, arrival) in [
        ("1000000", ArrivedAmount::OtherUnit),
        ("100", ArrivedAmount::OtherUnit),
        ("90", ArrivedAmount::OtherUnit),
        (
            "1000",
            ArrivedAmount::Other {
                expected: brl(9_795),
            },
        ),
        (
            "100000",
            ArrivedAmount::Other {
                expected: brl(9_795),
            },
        ),
        (
            "9000",
            ArrivedAmount::Other {
                expected: brl(9_795),
            },
        ),
    ] {
        app.press("Ctrl-U");
        app.type_text(typed);
        let effects = app.press("Ctrl-S");
        let refuted = app.model.setup.contract.refuted_unit();
        let is_refuted = arrival == ArrivedAmount::OtherUnit;
        assert_eq!(
            app.confirm_lines(&effects),
            is_refuted.then_some(refuted),
            "{typed}"
        );
        assert_eq!(app.arrived_form().check_result(), Some(arrival), "{typed}");
    }
    assert!(!app.is_confirmed("withdrawal.unit"));
    assert_eq!(
        compare_arrived_amount(&accepted, brl(10_000)),
        ArrivedAmount::AsExpected,
        "no fee was taken"
    );
}

#[test]
fn arrival_form_own_login_only_closed_when_confirmed() {
    let mut app = App::logged_in();
    let accepted = app.send_accepted("{}");
    let mut other = accepted.clone();
    other.agreement.account.identity = "bia@loja.example".into();
    assert!(!should_ask_arrived_amount(&app.model, &other));
    app.press("u");
    app.type_text("9");
    app.deliver(Msg::SettingsConfirmed(Contract::built_in().unit_settings()));
    assert!(!matches!(app.top(), Layer::Arrived(_)), "{:?}", app.top());
}

#[test]
fn changed_unit_is_assumed_again() {
    let mut app = App::with_contract(
        Contract::with(&[("loja.toml", "withdrawal.unit = 'centavos'")]).unwrap(),
    );
    app.deliver(Msg::SettingsConfirmed(Contract::built_in().unit_settings()));
    assert!(app.model.setup.contract.unit_is_assumed());
}

#[test]
fn long_reply_confirms_once_the_runtime_has_read_it() {
    let entry = r#"{"domain":"loja.example","status":"active"},"#;
    let long = || {
        exchange(
            Operation::Domains,
            200,
            format!("[{}{{}}]", entry.repeat(2_000)),
        )
    };
    let read_request = |effects: &[Effect]| match effects {
        [Effect::ReadBodies(request)] => request.clone(),
        other => panic!("{other:?}"),
    };
    let mut app = App::logged_in();
    let request = read_request(&app.deliver_exchange(long()));
    assert!(request.whole_reply && !app.is_confirmed("domains.host"));
    let effects = app.deliver(Msg::BodiesRead(request.ticket, request.read().into()));
    app.confirm_lines(&effects);
    assert!(app.is_confirmed("domains.host"));
    // The settings were changed while the reply was read.
    let mut app = App::logged_in();
    let request = read_request(&app.deliver_exchange(long()));
    app.model.setup.contract = Arc::new(Contract::built_in());
    let effects = app.deliver(Msg::BodiesRead(request.ticket, request.read().into()));
    assert_eq!(app.confirm_lines(&effects), None);
}
