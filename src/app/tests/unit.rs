//! Tests of the unit of amounts: a wrong unit is looked for before money moves, and only the seller
//! proves the unit.

use super::*;
use crate::app::message::TaughtContract;
use crate::contract::{ConfirmedSettings, Provenance, TaughtSetting};

type Answer = Result<Quote, NoQuote>;

/// An answer of the service to a fee preview, as result and as HTTP reply.
#[derive(Clone)]
struct Reply {
    answer: Answer,
    status: u16,
    body: &'static str,
}

fn figures(amount: i64, fee: i64, net: i64) -> Answer {
    Quote::new(brl(amount), Some(brl(fee)), Some(brl(net)), Wall(1_000_000)).map_err(NoQuote::Fault)
}

fn whole() -> Reply {
    let body = r#"{"fee":2.05,"netAmount":97.95}"#;
    Reply {
        answer: figures(10_000, 205, 9_795),
        status: 200,
        body,
    }
}

fn fitting() -> Reply {
    let body = r#"{"fee":2.05,"netAmount":97.96}"#;
    Reply {
        answer: figures(10_001, 205, 9_796),
        status: 200,
        body,
    }
}

fn refusal(status: u16, body: &'static str) -> Reply {
    let refusal = Refusal {
        status,
        message: None,
        hint: None,
        retry_after: None,
    };
    let failure = match status {
        401 => Failure::Unauthorized {
            credential: None,
            refusal,
        },
        _ => Failure::Refused(refusal),
    };
    Reply {
        answer: Err(NoQuote::Failure(failure)),
        status,
        body,
    }
}

const NOT_WHOLE: &str = r#"{"message":"amount deve ser um inteiro"}"#;

impl App {
    /// Proves the unit of amounts, as if the seller had said how much arrived.
    pub(super) fn prove_unit(&mut self) {
        let lines = self.model.setup.contract.unit_settings();
        self.deliver(Msg::SettingsConfirmed(lines));
    }

    fn deliver_preview(&mut self, amount: &str, reply: &Reply) -> Vec<Effect> {
        let url = format!("https://api.example/api/v1/withdrawals/fee-preview?amount={amount}");
        let masked = Ok(MaskedReply::new(reply.status, vec![], reply.body));
        self.deliver_exchange(Exchange::new(Operation::FeePreview, "GET", url, masked))
    }

    /// Fills in the form with R$ 100,00, and delivers the fee quote and the answer to its probe.
    /// Returns the effects of the probe.
    fn probe(&mut self, quote: &Reply, probe: &Reply) -> Vec<Effect> {
        self.fill_withdrawal_form("10000");
        let effects = self.pulse_after_ms(300);
        let [
            Effect::Quote {
                ticket,
                amount,
                has_probe: true,
            },
        ] = effects[..]
        else {
            panic!("{effects:?}")
        };
        self.deliver_preview("100.00", quote);
        let mut effects = self.deliver_preview("100.01", probe);
        let answers = [quote, probe].map(|reply| Box::new(reply.answer.clone()));
        let [boxed_quote, probe] = answers;
        effects.extend(self.deliver(Msg::UnitProbed {
            amount,
            quote: boxed_quote,
            probe,
        }));
        self.deliver(Msg::Quoted {
            ticket,
            result: quote.answer.clone(),
        });
        effects
    }

    fn confirmed(&mut self, effects: &[Effect]) -> Vec<ConfirmedSettings> {
        let lines = effects.iter().filter_map(|effect| match effect {
            Effect::Confirm(lines) => Some(lines.clone()),
            _ => None,
        });
        let lines: Vec<_> = lines.collect();
        for lines in &lines {
            self.deliver(Msg::SettingsConfirmed(lines.clone()));
        }
        lines
    }

    /// Changes the amount in the form to R$ 1.000,00. Returns true if its quote has a probe.
    fn has_next_probe(&mut self) -> bool {
        self.press("Shift-Tab");
        self.type_text("0");
        let effects = self.pulse_after_ms(300);
        let [Effect::Quote { has_probe, .. }] = effects[..] else {
            panic!("{effects:?}")
        };
        has_probe
    }

    fn page_text(&self) -> String {
        exchange_rows::lines(self).join("\n")
    }

    fn is_unit_proved(&self) -> bool {
        self.model.setup.contract.provenance("withdrawal.unit") == Provenance::Confirmed
    }
}

/// Creates an app whose last withdrawal of R$ 100,00 was accepted.
fn after_accepted() -> (App, Withdrawal) {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10000");
    let accepted = app.settle(&sent, ACCEPTED);
    app.press("Esc");
    (app, accepted)
}

/// Fills in the form for another withdrawal, and submits it.
fn submit_next(app: &mut App) -> Vec<Effect> {
    app.fill_withdrawal_form("20000");
    app.deliver_quote();
    app.press("Ctrl-S")
}

fn is_review(effects: &[Effect]) -> bool {
    effects
        .iter()
        .any(|one| matches!(one, Effect::Money(MoneyCommand::LookUpPast(_))))
}

#[test]
fn refused_centavo_asks_which_amount_was_read() {
    let mut app = App::logged_in();
    app.probe(&whole(), &refusal(400, NOT_WHOLE));
    assert!(
        app.page_text().contains("O serviço pode ter lido R$ 1,00"),
        "{}",
        app.page_text()
    );
    app.press("Ctrl-S");
    assert!(matches!(app.top(), Layer::UnitDoubt(_)), "{:?}", app.top());
    let page = app.page_text();
    for text in [
        "R$ 100,00 ou R$ 1,00?",
        "R$ 100,01",
        "deve ser um inteiro",
        r#""fee":2.05"#,
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    // Enter chooses neither, and the question comes again before the review.
    assert_eq!(app.press("Enter Enter"), vec![]);
    assert!(
        matches!(app.top(), Layer::Withdraw(Flow::Form(_))),
        "{:?}",
        app.top()
    );
    assert_eq!(app.press("Ctrl-S Ctrl-S"), vec![]);
    assert!(
        matches!(app.top(), Layer::Withdraw(Flow::Form(_))),
        "{:?}",
        app.top()
    );
}

#[test]
fn typed_amount_goes_on_without_proof() {
    let mut app = App::logged_in();
    app.probe(&whole(), &refusal(400, NOT_WHOLE));
    app.press("Ctrl-S");
    let effects = app.press("Right Ctrl-S");
    assert!(is_review(&effects), "{effects:?}");
    let expected = app.model.setup.contract.looked_at_unit();
    assert_eq!(app.confirmed(&effects), [expected]);
    assert!(!app.is_unit_proved());
    assert!(
        app.page_text().contains("comece com até R$ 10,00"),
        "{}",
        app.page_text()
    );
    app.press("Esc");
    assert!(!app.has_next_probe(), "it is asked once");
}

#[test]
fn other_amount_teaches_the_unit() {
    let mut app = App::logged_in();
    app.probe(&whole(), &refusal(400, NOT_WHOLE));
    app.press("Ctrl-S Right Right Ctrl-S");
    let review = app.page_text();
    assert!(
        review.contains("withdrawal.unit = \"centavos\""),
        "{review}"
    );
    let effects = app.press("Enter");
    let [Effect::Teach { ticket, lines, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    let names: Vec<_> = lines
        .iter()
        .map(|line: &TaughtSetting| &*line.name)
        .collect();
    assert_eq!(names, ["fee_preview.unit", "withdrawal.unit"]);
    let before = app.model.setup.contract.clone();
    let contract = Arc::new(before.with_taught(lines).unwrap());
    let agreed = Some(before.agreed_after_teaching(None, lines));
    let result = Ok(TaughtContract {
        contract,
        agreed,
        file: None,
    });
    app.deliver(Msg::Taught {
        ticket: *ticket,
        result,
    });
    assert!(app.model.unit.doubt.is_none());
    // The quote is requested again in centavos, and its unit is looked at again.
    let effects = app.pulse_after_ms(0);
    assert!(
        matches!(
            effects[..],
            [Effect::Quote {
                has_probe: true,
                ..
            }]
        ),
        "{effects:?}"
    );
}

#[test]
fn figures_hundred_times_off_ask_though_they_block() {
    let hundredfold = |answer, body| Reply {
        answer,
        status: 200,
        body,
    };
    let quote = hundredfold(
        figures(10_000, 20_500, 979_500),
        r#"{"fee":205,"net":9795}"#,
    );
    let probe = hundredfold(
        figures(10_001, 20_500, 979_600),
        r#"{"fee":205,"net":9796}"#,
    );
    let mut app = App::logged_in();
    app.probe(&quote, &probe);
    assert!(app.offers(Action::Submit));
    app.press("Ctrl-S");
    assert!(matches!(app.top(), Layer::UnitDoubt(_)), "{:?}", app.top());
}

#[test]
fn answers_without_a_sign_ask_nothing() {
    for (probe, is_remembered) in [
        (fitting(), true),
        (refusal(422, r#"{"code":"LIMIT_EXCEEDED"}"#), false),
        (
            refusal(
                400,
                r#"{"erro":{"texto":"O valor m\u00ednimo é R$ 200,00"}}"#,
            ),
            false,
        ),
        (refusal(402, "Saldo insuficiente."), false),
        (refusal(401, "{}"), false),
        (refusal(429, "{}"), false),
        (refusal(503, "{}"), false),
    ] {
        let mut app = App::logged_in();
        let effects = app.probe(&whole(), &probe);
        let looked_at = app.model.setup.contract.looked_at_unit();
        let expected = if is_remembered {
            vec![looked_at]
        } else {
            vec![]
        };
        assert_eq!(app.confirmed(&effects), expected, "{}", probe.body);
        assert!(is_review(&app.press("Ctrl-S")), "{}", probe.body);
        // A service that takes the centavo may still count in centavos.
        assert!(!app.is_unit_proved() && app.page_text().contains("ainda não foi provada"));
        app.press("Esc");
        assert!(!app.has_next_probe(), "{}", probe.body);
    }
}

#[test]
fn probe_reply_confirms_no_settings() {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10000");
    app.expect_quote_request();
    let effects = app.deliver_preview("100.01", &fitting());
    assert_eq!(app.confirmed(&effects), []);
    let effects = app.deliver_preview("100.00", &whole());
    assert_eq!(app.confirmed(&effects).len(), 1);
    assert!(!app.is_unit_proved());
}

#[test]
fn unit_is_not_probed_if_known_or_not_plain_get() {
    let proved = Contract::built_in();
    let proved = proved.confirmed_by(&proved.unit_settings());
    let looked_at = Contract::built_in();
    let looked_at = looked_at.confirmed_by(&looked_at.looked_at_unit());
    let posted = Contract::with(&[("a", "fee_preview.method = 'POST'")]).unwrap();
    for (contract, is_sandbox) in [
        (proved, false),
        (looked_at, false),
        (posted, false),
        (Contract::built_in(), true),
    ] {
        let mut app = App::logged_in();
        app.model.setup.contract = Arc::new(contract);
        app.model.agreed_settings = Some(app.model.setup.contract.all_settings());
        app.model.store.sandbox = is_sandbox;
        app.press("3 n");
        app.type_text("10000");
        let effects = app.pulse_after_ms(300);
        assert!(
            matches!(
                effects[..],
                [Effect::Quote {
                    has_probe: false,
                    ..
                }]
            ),
            "{effects:?}"
        );
    }
}

#[test]
fn outdated_probe_is_ignored() {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10000");
    app.expect_quote_request();
    app.press("Shift-Tab");
    app.type_text("0");
    app.pulse_after_ms(300);
    app.deliver_preview("100.00", &whole());
    app.deliver_preview("100.01", &refusal(400, NOT_WHOLE));
    let [quote, probe] = [whole(), refusal(400, NOT_WHOLE)].map(|reply| Box::new(reply.answer));
    app.deliver(Msg::UnitProbed {
        amount: brl(10_000),
        quote,
        probe,
    });
    assert!(app.model.unit.doubt.is_none());
}

#[test]
fn arrival_is_asked_before_the_next_review() {
    for is_this_machine in [false, true] {
        let (mut app, _) = after_accepted();
        app.model.store.setup.this_machine = is_this_machine;
        assert_eq!(submit_next(&mut app), vec![]);
        assert!(matches!(app.top(), Layer::Arrived(_)), "{:?}", app.top());
        app.type_text("9795");
        let effects = app.press("Ctrl-S");
        assert!(is_review(&effects), "{effects:?}");
        assert!(app.is_unit_proved() && app.review().final_review.retype.is_none());
        assert!(!app.page_text().contains("provada"), "{}", app.page_text());
    }
    let (mut app, _) = after_accepted();
    app.model.store.sandbox = true;
    assert!(is_review(&submit_next(&mut app)));
}

#[test]
fn money_not_arrived_yet_retypes_the_amount() {
    let (mut app, _) = after_accepted();
    submit_next(&mut app);
    let effects = app.press("Tab Right Ctrl-S");
    assert!(is_review(&effects), "{effects:?}");
    let key = app.review().agreement.key;
    app.deliver_no_similar_withdrawals(key);
    app.advance_ms(500);
    assert!(
        app.page_text().contains("ainda não confirma a unidade"),
        "{}",
        app.page_text()
    );
    assert_eq!(app.press("Tab Enter"), vec![]);
    let (mut app, _) = after_accepted();
    submit_next(&mut app);
    app.press("Tab Right Ctrl-S");
    let key = app.review().agreement.key;
    app.deliver_no_similar_withdrawals(key);
    app.advance_ms(500);
    app.type_text("20000");
    let effects = app.confirm_after_typing();
    assert_eq!(
        expect_prepare(effects).1,
        None,
        "no other withdrawal is named"
    );
}

#[test]
fn other_amount_proves_nothing_and_stays_open() {
    // The question does not come back, but the next amount is typed again.
    let (mut app, _) = after_accepted();
    submit_next(&mut app);
    app.type_text("9000");
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(is_review(&app.press("Ctrl-S")));
    assert!(!app.is_unit_proved() && app.review().final_review.retype.is_some());

    let (mut app, _) = after_accepted();
    submit_next(&mut app);
    app.type_text("9000");
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(matches!(app.top(), Layer::Arrived(_)), "{:?}", app.top());
    assert!(!app.is_unit_proved());
    // The seller can still say that it has not arrived, or correct the answer.
    app.press("Ctrl-U");
    app.type_text("9795");
    assert!(is_review(&app.press("Ctrl-S")));
}

#[test]
fn amount_of_other_unit_blocks_until_unit_is_taught() {
    let (mut app, accepted) = after_accepted();
    submit_next(&mut app);
    app.type_text("98");
    let effects = app.press("Ctrl-S");
    assert_eq!(
        app.confirmed(&effects),
        [app.model.setup.contract.refuted_unit()]
    );
    // Now "not yet" is no way around it.
    assert!(!is_review(&app.press("Tab Right Ctrl-S")));
    app.press("Esc Tab Enter");
    assert!(!is_review(&app.press("Ctrl-S")));
    assert_eq!(app.draft().refusal, Some(Refused::OtherUnit));
    // A withdrawal that was prepared in this unit is not sent either.
    let prepared = Withdrawal {
        attempts: vec![],
        ..accepted.clone()
    };
    app.open_details(prepared);
    assert!(!app.offers(Action::Send));
    // With the unit corrected, withdrawals are possible again.
    let contract = app.model.setup.contract.clone();
    let value = crate::contract::SettingValue::Text("centavos".into());
    let line = TaughtSetting {
        name: "withdrawal.unit".into(),
        value,
    };
    app.model.setup.contract = Arc::new(contract.with_taught(&[line]).unwrap());
    app.model.agreed_settings = Some(app.model.setup.contract.all_settings());
    app.model.layers.clear();
    app.fill_withdrawal_form("20000");
    app.deliver_quote();
    assert!(
        is_review(&app.press("Ctrl-S")),
        "the old withdrawal says nothing about the new unit"
    );
}

#[test]
fn wrong_answer_about_arrival_is_taken_back() {
    let (mut app, accepted) = after_accepted();
    submit_next(&mut app);
    app.type_text("98");
    let effects = app.press("Ctrl-S");
    app.confirmed(&effects);
    app.press("Esc");
    app.open_details(accepted);
    app.press("u");
    app.type_text("9795");
    let effects = app.press("Ctrl-S");
    app.confirmed(&effects);
    assert!(app.is_unit_proved());
    app.model.layers.clear();
    assert!(is_review(&submit_next(&mut app)));
}

#[test]
fn doubt_on_the_review_returns_to_the_form() {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10000");
    let (ticket, _) = app.expect_quote_request();
    app.time_out_quote(ticket);
    app.submit_form();
    app.press("Ctrl-R");
    let effects = app.pulse_after_ms(0);
    let [
        Effect::Quote {
            amount,
            has_probe: true,
            ..
        },
    ] = effects[..]
    else {
        panic!("{effects:?}")
    };
    app.deliver_preview("100.00", &whole());
    app.deliver_preview("100.01", &refusal(400, NOT_WHOLE));
    let [quote, probe] = [whole(), refusal(400, NOT_WHOLE)].map(|reply| Box::new(reply.answer));
    app.deliver(Msg::UnitProbed {
        amount,
        quote,
        probe,
    });
    assert_eq!(app.draft().refusal, Some(Refused::ReviewAgain(None)));
    app.press("Ctrl-S");
    assert!(matches!(app.top(), Layer::UnitDoubt(_)), "{:?}", app.top());
}
