//! Tests of the question that a refusal leads to: whether the request should have a field under the
//! name that the service wants. No answer may change where the money goes, or show a secret.

use super::teaching::refusal;
use super::*;
use crate::app::store::typed_text::QUIET_MS;
use crate::app::ui::form::Entry;
use crate::contract::{FieldInput, FieldKind, SettingValue, members};

impl App {
    /// Answers every question of the teaching screen with yes, and saves. Returns the effects of
    /// the saved lesson, or `None` if nothing was saved.
    fn say_yes(&mut self) -> Option<Vec<Effect>> {
        for _ in 0..4 {
            let effects = match self.top().screen().info().name {
                "renaming" => {
                    self.wait_for_question();
                    self.press("Enter")
                }
                "rewording" => self.press("Ctrl-S"),
                "writing" => self.press("Enter"),
                _ => break,
            };
            if let [Effect::Teach { ticket, lines, .. }] = &effects[..] {
                return Some(self.deliver_taught(*ticket, lines));
            }
        }
        None
    }

    /// Renders the question, and waits until Enter can answer it. The text that was typed into the
    /// form must have ended, too.
    fn wait_for_question(&mut self) {
        self.render_frame();
        self.advance_ms(QUIET_MS);
    }

    fn is_asked(&self) -> bool {
        self.is_teaching() && self.top().screen().info().name == "renaming"
    }

    /// Creates an app whose login was refused with this status and body.
    fn with_refused_login(status: u16, body: &str) -> App {
        let mut app = App::new();
        let absent = Credential::Absent;
        let vault_status = VaultStatus::Kept(VaultKind::Keyring);
        app.deliver(Msg::CredentialsRead {
            vault_status,
            api_token: absent.clone(),
            jwt: absent,
        });
        app.load_empty_lists();
        app.type_text(SELLER);
        app.press("Tab");
        app.deliver(Msg::SecretEdited {
            slot: "login/password".into(),
            len: 7,
        });
        let ticket = match &app.press("Enter")[..] {
            [Effect::LogIn { ticket, .. }] => *ticket,
            other => panic!("{other:?}"),
        };
        app.deliver_exchange(exchange(Operation::Login, status, body));
        let failure = match status {
            401 => Failure::Unauthorized {
                credential: None,
                refusal: refusal(401),
            },
            status => Failure::Refused(refusal(status)),
        };
        app.deliver(Msg::LoggedIn {
            ticket,
            result: Err(failure),
        });
        app
    }

    /// Sends a withdrawal of R$ 100.00, which the service refuses with this body.
    fn refuse_withdrawal(&mut self, body: &str) -> Withdrawal {
        let sent = self.send_withdrawal("10000");
        let key_header = sent.agreement.key_header.to_string();
        self.deliver_exchange(Exchange {
            request_headers: vec![("Idempotency-Key".into(), key_header)],
            request_body: Some(sent.agreement.body.to_string()),
            ..exchange(Operation::Withdrawal, 422, body)
        });
        self.settle(&sent, Class::DefiniteNo);
        sent
    }

    fn screen_text(&self) -> String {
        format!("{:?}", chrome::page(&self.model, self.model.size).items)
    }

    fn name_of(&self, operation: Operation, id: &str) -> &str {
        let form = self.model.setup.contract.body_of(operation).unwrap();
        &form.field(id).unwrap().name
    }
}

#[test]
fn refused_login_asks_and_is_sent_again() {
    for (status, is_sent) in [
        (400, true),
        (401, true),
        (422, true),
        (408, false),
        (409, false),
        (499, false),
        (500, false),
    ] {
        let body = r#"{"errors":{"usuario":["é obrigatório"],"senha":["é obrigatório"]}}"#;
        let mut app = App::with_refused_login(status, body);
        assert_eq!(app.is_asked(), is_sent, "{status}: it opens by itself");
        if !is_sent {
            app.press("Ctrl-T");
            assert!(app.is_asked(), "{status}");
        }
        let text = app.screen_text();
        assert!(text.contains("usuario") && text.contains("senha"), "{text}");
        let effects = app.say_yes().expect("a lesson");
        assert!(matches!(app.top(), Layer::Login(_)), "{:?}", app.top());
        assert_eq!(app.name_of(Operation::Login, "email"), "usuario");
        assert_eq!(app.name_of(Operation::Login, "password"), "senha");
        let sends = effects
            .iter()
            .filter(|effect| matches!(effect, Effect::LogIn { .. }))
            .count();
        assert_eq!(sends, usize::from(is_sent), "{status}");
        assert_eq!(app.top().screen().form().unwrap().value("email"), SELLER);
    }
}

#[test]
fn question_waits_and_can_be_declined() {
    let body = r#"{"message":"usuario é obrigatório"}"#;
    let mut app = App::with_refused_login(400, body);
    assert!(app.is_asked());
    app.press("Esc");
    assert!(app.is_teaching() && !app.is_asked());
    app.press("Esc");
    assert!(
        matches!(app.top(), Layer::Login(_)),
        "nothing is lost, so nothing is asked"
    );
    app.press("Ctrl-T");
    assert_eq!(app.press("Tab Enter"), vec![], "the other button declines");
    assert!(app.is_teaching() && !app.is_asked());
    app.press("Esc Ctrl-T");
    assert_eq!(app.press("Enter"), vec![], "too early");
    assert!(app.is_asked());
    app.wait_for_question();
    assert!(matches!(&app.press("Enter")[..], [Effect::Teach { .. }]));
    assert_eq!(
        app.name_of(Operation::Login, "email"),
        "email",
        "not before it is stored"
    );
}

#[test]
fn keys_typed_before_the_question_do_not_answer_it() {
    for keys in [
        "Enter Enter",
        "Tab Tab Enter",
        "A n a Tab Tab Enter",
        "1 0 0 Enter Enter",
    ] {
        let mut app = App::logged_in();
        app.refuse_withdrawal(r#"{"message":"pix_key is required"}"#);
        assert!(app.is_asked());
        for key in keys.split(' ') {
            assert_eq!(app.press(key), vec![], "{keys}");
            app.advance_ms(52);
        }
        assert!(app.is_teaching(), "{keys}");
    }
}

#[test]
fn lesson_from_the_list_of_requests_sends_nothing() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(
        Operation::Login,
        400,
        r#"{"message":"senha is required"}"#,
    ));
    app.press("5 g Enter t");
    assert!(app.is_asked());
    assert_eq!(app.say_yes(), Some(vec![]));
}

#[test]
fn refused_link_is_sent_again() {
    let lines = "create_link.description = 'memo'";
    let contract = Contract::from_program_files(&[("profile.toml", lines)]).unwrap();
    let mut app = App::with_contract(contract);
    app.log_in();
    let (ticket, _) = app.submit_link_form();
    let body = r#"{"error":{"code":"missing","message":"required","field":"descricao"}}"#;
    app.deliver_exchange(exchange(Operation::CreateLink, 400, body));
    app.deliver(link_made(ticket, Err(Failure::Refused(refusal(400)))));
    assert!(
        app.is_asked() && app.screen_text().contains("Descrição (hoje"),
        "{}",
        app.screen_text()
    );
    let effects = app.say_yes().unwrap();
    assert!(
        matches!(&effects[..], [Effect::MakeLink { .. }]),
        "{effects:?}"
    );
    let name = app.model.setup.contract.value("create_link.description");
    assert_eq!(name, Some(&SettingValue::Text("descricao".into())));
}

#[test]
fn refused_withdrawal_comes_back_filled_and_unsent() {
    let mut app = App::logged_in();
    let missing = |name: &str| {
        format!(r#"{{"detail":"is required","source":{{"pointer":"/data/attributes/{name}"}}}}"#)
    };
    let missing = ["pix_key", "pix_key_type"].map(missing).join(",");
    let sent = app.refuse_withdrawal(&format!(r#"{{"errors":[{missing}]}}"#));
    assert!(app.is_asked());
    assert!(
        app.screen_text().contains("11144477735"),
        "the request as it would be sent"
    );
    let effects = app.say_yes().unwrap();
    let is_about_money = |effect: &&Effect| {
        !matches!(
            effect,
            Effect::Money(MoneyCommand::LoadDestinations { .. } | MoneyCommand::Load(_))
        )
    };
    let others: Vec<_> = effects.iter().filter(is_about_money).collect();
    assert!(
        others
            .iter()
            .all(|effect| !matches!(effect, Effect::Money(_))),
        "no withdrawal is sent: {others:?}"
    );
    let form = &app.draft().form;
    assert_eq!(
        (form.money(), form.value("key")),
        (Some(brl(10_000)), "11144477735".into())
    );
    // A new quote, review, key and confirmation follow.
    app.expect_quote_request_after(0);
    let ticket = app.last_ticket();
    let result = Ok(quote(brl(10_000), app.now.wall));
    app.deliver(Msg::Quoted { ticket, result });
    let agreement = app.review().agreement.clone();
    assert_ne!(agreement.key, sent.agreement.key);
    assert_eq!(
        &*agreement.body,
        r#"{"amount":100.00,"pix_key_type":"cpf","pix_key":"11144477735"}"#
    );
}

#[test]
fn unsettled_withdrawal_asks_no_name() {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10000");
    let key_header = sent.agreement.key_header.to_string();
    app.deliver_exchange(Exchange {
        request_headers: vec![("Idempotency-Key".into(), key_header)],
        ..exchange(
            Operation::Withdrawal,
            409,
            r#"{"message":"pix_key is required"}"#,
        )
    });
    app.settle(&sent, TIMED_OUT);
    assert!(!app.offers(Action::Teach));
    app.press("t");
    assert!(!app.is_teaching());
}

#[test]
fn unknown_field_can_be_left_out_but_never_the_key() {
    let mut app = App::logged_in();
    app.refuse_withdrawal(r#"{"message":"unknown field pixKeyType"}"#);
    assert!(app.is_asked());
    app.say_yes().unwrap();
    let contract = app.model.setup.contract.clone();
    assert!(!contract.withdrawal.form.sends_key_kind());
    app.expect_quote_request_after(0);
    let ticket = app.last_ticket();
    let result = Ok(quote(brl(10_000), app.now.wall));
    app.deliver(Msg::Quoted { ticket, result });
    let agreement = app.review().agreement.clone();
    assert_eq!(
        &*agreement.body,
        r#"{"amount":100.00,"pixKey":"11144477735"}"#
    );
    let text = app.screen_text();
    assert!(text.contains(r#"\"pixKey\":\"11144477735\""#), "{text}");
    for body in ["campo pixKey desconhecido", "amount: unknown field"] {
        let mut app = App::logged_in();
        app.refuse_withdrawal(&format!(r#"{{"message":"{body}"}}"#));
        app.press("t");
        assert!(!app.is_asked(), "{body}");
    }
}

#[test]
fn kinds_of_key_get_the_words_of_the_service() {
    let mut app = App::logged_in();
    app.refuse_withdrawal(r#"{"message":"pixKeyType is not valid"}"#);
    app.press("t Tab Tab Ctrl-U");
    app.type_text("DOC");
    app.press("Tab Ctrl-U");
    app.type_text("DOC");
    app.press("Tab Ctrl-U");
    app.type_text("doc");
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert_eq!(
        app.top().screen().info().name,
        "rewording",
        "a phone has a word of its own"
    );
    app.press("Ctrl-U");
    app.type_text("PHONE");
    app.press("Ctrl-S");
    app.say_yes().unwrap();
    let form = &app.model.setup.contract.withdrawal.form;
    let kinds = form.field("key_kind").unwrap();
    assert_eq!(kinds.key_word(PixKeyKind::Cnpj), Some("DOC"));
    assert_eq!(kinds.key_word(PixKeyKind::Phone), Some("PHONE"));
}

#[test]
fn listed_words_for_kinds_are_one_question() {
    let mut app = App::logged_in();
    let words = "CPF, CNPJ, PHONE, EMAIL, EVP";
    app.refuse_withdrawal(&format!(
        r#"{{"message":"pixKeyType must be one of {words}"}}"#
    ));
    assert!(app.is_asked() && app.screen_text().contains(words));
    app.say_yes().unwrap();
    let form = &app.model.setup.contract.withdrawal.form;
    let kinds = form.field("key_kind").unwrap();
    let words = PixKeyKind::ALL.map(|kind| kinds.key_word(kind).unwrap());
    assert_eq!(words, ["CPF", "CNPJ", "PHONE", "EMAIL", "EVP"]);
    // The same refusal, when its words are in use, is about something else.
    app.model.layers.clear();
    let body = r#"{"message":"pixKeyType must be one of CPF, CNPJ, PHONE, EMAIL, EVP"}"#;
    app.deliver_exchange(exchange(Operation::Withdrawal, 422, body));
    app.press("5 g Enter t");
    assert!(app.is_teaching() && !app.is_asked());
}

/// Names with which a hostile service tries to move the money, or to see a secret.
const HOSTILE_NAMES: [&str; 29] = [
    "refund_key",
    "chave_destino",
    "valor_total",
    "senha_saque",
    "source_pix_key",
    "payer_key",
    "api_key",
    "idempotencyKey",
    "conta_destino",
    "beneficiario_final",
    "recebedor",
    "destination",
    "chave_pix_2",
    "pixKey2",
    "pix/key",
    "pixKey/value",
    "amount2",
    "amount/value",
    "total_amount",
    "valor_liquido",
    "otp",
    "userToken",
    "pin_do_cartao",
    "passphrase",
    "client_secret",
    "centro_custo",
    "codigo_interno",
    "pix_k\u{435}y",
    "am\u{43e}unt",
];

/// The hostile names, and one that is as long as a sentence.
fn hostile_names() -> impl Iterator<Item = String> {
    HOSTILE_NAMES
        .into_iter()
        .map(str::to_owned)
        .chain(["chave_".repeat(34)])
}

/// The ways in which a refusal names a field.
fn refusals_naming(name: &str) -> [String; 5] {
    [
        format!(r#"{{"message":"{name} is required"}}"#),
        format!(r#"{{"errors":{{"{name}":["é obrigatório"]}}}}"#),
        format!(r#"{{"invalid-params":[{{"name":"{name}","reason":"is missing"}}]}}"#),
        format!(
            r#"{{"error":{{"code":"missing_field","message":"obrigatório","field":"{name}"}}}}"#
        ),
        format!(r#"{{"message":"unknown field pixKey, {name} is required"}}"#),
    ]
}

#[test]
fn hostile_names_move_no_money() {
    let thief = "ladrao@x.example";
    for n in 0..5 {
        let mut app = App::logged_in();
        for name in hostile_names() {
            app.model.layers.clear();
            app.deliver_exchange(exchange(
                Operation::Withdrawal,
                422,
                &*refusals_naming(&name)[n],
            ));
            app.press("5 g Enter t");
            app.say_yes();
        }
        let contract = app.model.setup.contract.clone();
        let form = &contract.withdrawal.form;
        assert!(
            form.fields
                .iter()
                .all(|field| field.kind != FieldKind::Secret)
        );
        // Even if the seller types the thief's key into every other field, it is not sent.
        let body_with = |other: &'static str| {
            form.body(move |field| match field.kind {
                FieldKind::Amount => Some(FieldInput::Amount(brl(10_000))),
                FieldKind::PixKeyKind => Some(FieldInput::Text("cpf")),
                FieldKind::PixKey => Some(FieldInput::Text("111.444.777-35")),
                _ if field.id == "description" => None,
                _ => Some(FieldInput::Text(other)),
            })
        };
        let has_other = form.fields.iter().any(|field| field.refuses_payment);
        assert_eq!(body_with(thief).is_err(), has_other);
        assert_eq!(body_with("999,99").is_err(), has_other);
        let body = body_with("loja 7").unwrap();
        let values: Vec<_> = members(body.text())
            .iter()
            .map(|it| (it.name(), it.value.text().to_owned()))
            .collect();
        let amounts: Vec<_> = values
            .iter()
            .filter(|(_, value)| value == "100.00")
            .collect();
        assert_eq!(amounts, [&("amount".to_owned(), "100.00".to_owned())]);
        assert_eq!(
            values
                .iter()
                .filter(|(_, value)| value == "11144477735")
                .count(),
            1
        );
        let others = values
            .iter()
            .filter(|(_, value)| value != "100.00" && value != "11144477735");
        assert!(
            others
                .clone()
                .all(|(_, value)| value == "loja 7" || value == "cpf"),
            "{values:?}"
        );
    }
}

#[test]
fn hostile_names_show_no_secret() {
    for n in 0..5 {
        let mut contract = Contract::built_in();
        for name in hostile_names() {
            let mut app = App::with_refused_login(400, &refusals_naming(&name)[n]);
            app.model.setup.contract = Arc::new(contract.clone());
            app.press("Ctrl-T");
            app.say_yes();
            contract = (*app.model.setup.contract).clone();
        }
        let form = &contract.login.form;
        let secret = Secret::new("canary".into());
        let body = form.body(|field| match field.kind {
            FieldKind::Secret => Some(FieldInput::Secret(&secret)),
            _ => Some(FieldInput::Text("ana@loja.example")),
        });
        let body = body.unwrap();
        assert!(body.text().contains("canary") && !body.masked().contains("canary"));
        for field in form
            .fields
            .iter()
            .filter(|field| field.kind != FieldKind::Secret)
        {
            let name = field.name.to_lowercase();
            for word in ["senha", "otp", "token", "pin", "passphrase", "secret"] {
                assert!(!name.contains(word), "{name} is typed in view");
            }
        }
        // The form hides what is typed into each of these fields.
        let shown = crate::app::ui::contract_form::form(form, "login");
        let hidden = shown
            .fields
            .iter()
            .filter(|field| matches!(field.entry, Entry::Secret { .. }));
        assert_eq!(
            hidden.count(),
            form.fields
                .iter()
                .filter(|field| field.kind == FieldKind::Secret)
                .count()
        );
    }
}

#[test]
fn other_destination_is_refused_in_words() {
    let mut app = App::logged_in();
    app.refuse_withdrawal(r#"{"message":"refund_key is required"}"#);
    app.press("t");
    assert!(app.is_teaching());
    let text = app.screen_text();
    assert!(
        text.contains("refund_key") && text.contains("outro destino"),
        "{text}"
    );
    assert_eq!(app.say_yes(), None);
    // A name that the seller types is checked, too.
    app.press("Esc");
    app.press("t End");
    for _ in 0..20 {
        app.press("Down");
    }
    app.press("Enter");
    app.type_text("conta_destino");
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(
        app.screen_text().contains("outro destino"),
        "{}",
        app.screen_text()
    );
    let new = app.model.setup.contract.withdrawal.form.fields.len();
    assert_eq!(new, Contract::built_in().withdrawal.form.fields.len());
}
