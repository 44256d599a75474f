//! Tests of confirming contract lines: by a response of the live service, or by the seller who saw
//! the amount arrive.

use super::*;
use crate::app::screens::withdrawals::ArrivedForm;
use crate::app::store::confirming::{ArrivedAmount, asks_what_arrived, judge};
use crate::contract::{ConfirmedLines, Provenance};

/// Creates an exchange of the withdrawal with this idempotency key.
fn of_key(key_header: &str, status: u16, body: &str) -> Exchange {
    let request_headers = vec![("Idempotency-Key".into(), key_header.to_owned())];
    Exchange { request_headers, ..exchange(Operation::Withdrawal, status, body) }
}

impl Counter {
    /// Delivers an exchange and confirms the contract lines that it proves. Returns these lines.
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
    let mut counter = Counter::open();
    let fee = || exchange(Operation::FeePreview, 200, r#"{"fee": 2.05, "netAmount": 97.95}"#);
    assert!(counter.proves(fee()).is_some());
    assert!(counter.is_confirmed("fee_preview.net") && counter.is_confirmed("fee_preview.fee"));
    for sent in ["fee_preview.path", "fee_preview.unit", "withdrawal.unit"] {
        assert!(!counter.is_confirmed(sent), "{sent}");
    }
    assert_eq!(counter.proves(fee()), None, "it is known");
}

#[test]
fn no_refusal_and_no_sandbox_confirms_anything() {
    let mut counter = Counter::open();
    let body = r#"{"netAmount": 97.95}"#;
    assert_eq!(counter.proves(exchange(Operation::FeePreview, 422, body)), None);
    counter.model.store.setup.this_machine = true;
    assert_eq!(counter.proves(exchange(Operation::FeePreview, 200, body)), None);
    counter.model.store.setup.this_machine = false;
    counter.model.store.sandbox = true;
    assert_eq!(counter.proves(exchange(Operation::FeePreview, 200, body)), None);
    let accepted = counter.accepted(r#"{"id": "1", "amount": 100.00}"#);
    assert!(!counter.is_confirmed("withdrawal.echo_amount"));
    assert!(!asks_what_arrived(&counter.model, &accepted));
}

#[test]
fn matching_echo_confirms_its_line_but_not_the_unit() {
    let mut counter = Counter::open();
    counter.accepted(r#"{"id": "saq-1", "status": "processing", "amount": 100.00}"#);
    for line in ["withdrawal.id", "withdrawal.status", "withdrawal.echo_amount"] {
        assert!(counter.is_confirmed(line), "{line}");
    }
    assert!(!counter.is_confirmed("withdrawal.unit"));
    let mut counter = Counter::open();
    counter.accepted(r#"{"id": "saq-1", "amount": 97.95}"#);
    assert!(counter.is_confirmed("withdrawal.id"));
    assert!(!counter.is_confirmed("withdrawal.echo_amount"), "the net is no echo of what was sent");
}

#[test]
fn a_reply_to_what_nobody_accepted_confirms_nothing() {
    let mut counter = Counter::open();
    let sent = counter.sends("10000");
    let key = sent.agreement.key_header.to_string();
    counter.proves(of_key(&key, 200, r#"{"id": "1", "status": "failed"}"#));
    counter.settles(&sent, LOST);
    assert!(!counter.is_confirmed("withdrawal.id"));
}

#[test]
fn the_unit_is_confirmed_by_who_saw_the_money_arrive() {
    let mut counter = Counter::open();
    let accepted = counter.accepted("{}");
    assert!(asks_what_arrived(&counter.model, &accepted));
    counter.keys("u");
    let form = counter.top().screen().form().unwrap();
    assert_eq!(form.money(), None, "nothing is suggested");
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    counter.types("9795");
    let wanted = counter.keys("Ctrl-S");
    assert_eq!(counter.confirms(&wanted), Some(Contract::built_in().unit_lines()));
    assert!(counter.is_confirmed("withdrawal.unit"));
    assert_eq!(said(&counter), Some(&Notice::good("said-unit-confirmed")));
    assert!(!asks_what_arrived(&counter.model, &accepted));
    counter.keys("u");
    assert!(!matches!(counter.top(), Layer::Arrived(_)));
}

#[test]
fn other_amount_unconfirmed_hundredfold_is_unit_error() {
    let mut counter = Counter::open();
    let accepted = counter.accepted("{}");
    counter.keys("u");
    for (typed, arrival) in [
        ("1000000", ArrivedAmount::OtherUnit),
        ("100", ArrivedAmount::OtherUnit),
        ("9000", ArrivedAmount::Other { expected: brl(9_795) }),
    ] {
        counter.keys("Ctrl-U");
        counter.types(typed);
        assert_eq!(counter.keys("Ctrl-S"), vec![], "{typed}");
        assert_eq!(counter.arrived().doubt(), Some(arrival), "{typed}");
    }
    assert!(!counter.is_confirmed("withdrawal.unit"));
    assert_eq!(judge(&accepted, brl(10_000)), ArrivedAmount::AsExpected, "no fee was taken");
}

#[test]
fn arrival_form_own_login_only_closed_when_confirmed() {
    let mut counter = Counter::open();
    let accepted = counter.accepted("{}");
    let mut other = accepted.clone();
    other.agreement.account.identity = "bia@loja.example".into();
    assert!(!asks_what_arrived(&counter.model, &other));
    counter.keys("u");
    counter.types("9");
    counter.tell(Msg::LinesConfirmed(Contract::built_in().unit_lines()));
    assert!(!matches!(counter.top(), Layer::Arrived(_)), "{:?}", counter.top());
}

#[test]
fn another_unit_is_assumed_again() {
    let mut counter = Counter::with_contract(
        Contract::with(&[("loja.toml", "withdrawal.unit = 'centavos'")]).unwrap(),
    );
    counter.tell(Msg::LinesConfirmed(Contract::built_in().unit_lines()));
    assert!(counter.model.setup.contract.unit_is_assumed());
}
