//! Tests of the bank's rules, without HTTP.

use std::time::Duration;

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::amount::Amount;
use super::checkout::{CheckoutState, NotPaid, checkout_page, link_id, pay_charge, pay_link};
use super::ledger::{PaidItem, Payment, RequestOutcome};
use super::*;

const NOW: Moment = Moment(1_795_000_000_000);
const CPF: &str = "52998224725";

fn bank() -> Bank {
    let mut bank = Bank::open(Scene::default(), 42);
    bank.set_port(41873);
    bank
}

/// Sends a request to the simulated bank and parses its reply.
fn send(bank: &mut Bank, request: &BankRequest) -> (u16, Value) {
    send_at(bank, request, NOW)
}

fn send_at(bank: &mut Bank, request: &BankRequest, now: Moment) -> (u16, Value) {
    let reply = apply(bank, request, now);
    (reply.status, serde_json::from_str(&reply.body).unwrap())
}

fn request(operation: BankOperation, token: &str, body: &str) -> BankRequest {
    BankRequest {
        authorization: Some(format!("Bearer {token}")),
        content_type: Some("application/json; charset=utf-8".to_owned()),
        body: body.as_bytes().to_vec(),
        ..BankRequest::new(operation)
    }
}

fn login(email: &str, password: &str) -> BankRequest {
    let body = json!({ "email": email, "password": password }).to_string();
    request(BankOperation::Login, "", &body)
}

fn api_token(bank: &mut Bank) -> String {
    let scene = Scene::default();
    let (status, reply) = send(bank, &login(&scene.email, &scene.password));
    assert_eq!(status, 200);
    assert_eq!(reply["expiresIn"], json!(86_400));
    reply["token"].as_str().unwrap().to_owned()
}

fn logged_in() -> (Bank, String) {
    let mut bank = bank();
    let token = api_token(&mut bank);
    (bank, token)
}

fn withdrawal(token: &str, key: &str, body: &str) -> BankRequest {
    BankRequest {
        idempotency_key: Some(key.to_owned()),
        ..request(BankOperation::Withdrawal, token, body)
    }
}

fn withdrawal_body(amount: &str) -> String {
    format!(r#"{{"amount":{amount},"pixKey":"{CPF}","pixKeyType":"cpf"}}"#)
}

fn create_link(bank: &mut Bank, body: &str) -> (u16, Value) {
    let jwt = bank.jwt(NOW);
    send(bank, &request(BankOperation::CreateLink, &jwt, body))
}

fn deactivate_all(bank: &mut Bank) {
    for domain in bank.own_domains().to_vec() {
        bank.set_domain(&domain.host, DomainSetup::SslPending);
    }
}

#[test]
fn wrong_login_returns_401_without_token() {
    let mut bank = bank();
    let scene = Scene::default();
    for (email, password) in [
        (scene.email.as_str(), "x"),
        ("x@x.example", &scene.password),
    ] {
        let (status, reply) = send(&mut bank, &login(email, password));
        assert_eq!((status, reply.get("token")), (401, None));
    }
    for body in [
        "",
        "[]",
        r#"{"email":"a"}"#,
        r#"{"email":1,"password":"x"}"#,
    ] {
        assert_eq!(
            send(&mut bank, &request(BankOperation::Login, "", body)).0,
            400,
            "{body}"
        );
    }
}

#[test]
fn each_operation_takes_its_own_credential_only() {
    let mut bank = bank();
    let token = api_token(&mut bank);
    let jwt = bank.jwt(NOW);
    let with_jwt = [
        BankOperation::CreateLink,
        BankOperation::Domains,
        BankOperation::DirectPayment,
    ];
    for operation in with_jwt {
        assert_eq!(send(&mut bank, &request(operation, &token, "{}")).0, 401);
        assert_ne!(send(&mut bank, &request(operation, &jwt, "{}")).0, 401);
    }
    for operation in [BankOperation::FeePreview, BankOperation::Withdrawal] {
        assert_eq!(send(&mut bank, &request(operation, &jwt, "{}")).0, 401);
        assert_ne!(send(&mut bank, &request(operation, &token, "{}")).0, 401);
    }
    for operation in BankOperation::ALL
        .into_iter()
        .filter(|o| *o != BankOperation::Login)
    {
        assert_eq!(send(&mut bank, &BankRequest::new(operation)).0, 401);
        assert_eq!(send(&mut bank, &request(operation, "guessed", "{}")).0, 401);
        let basic = BankRequest {
            authorization: Some(format!("Basic {jwt}")),
            ..BankRequest::new(operation)
        };
        assert_eq!(send(&mut bank, &basic).0, 401);
        let any_token = BankRequest {
            accepted_tokens: vec![TokenKind::ApiToken, TokenKind::Jwt],
            ..request(operation, "", "{}")
        };
        for text in [&token, &jwt] {
            let authorization = Some(format!("Bearer {text}"));
            let reply = send(
                &mut bank,
                &BankRequest {
                    authorization,
                    ..any_token.clone()
                },
            );
            assert_ne!(reply.0, 401, "{operation:?}");
        }
    }
}

#[test]
fn tokens_expire_by_the_clock_and_by_order() {
    let (mut bank, token) = logged_in();
    let preview = BankRequest {
        query: "amount=10".into(),
        ..request(BankOperation::FeePreview, &token, "")
    };
    let last = NOW.plus(Duration::from_secs(86_400 - 1));
    assert_eq!(send_at(&mut bank, &preview, last).0, 200);
    let expired = NOW.plus(Duration::from_secs(86_400));
    let (status, reply) = send_at(&mut bank, &preview, expired);
    assert_eq!(
        (status, reply["message"].as_str()),
        (401, Some("Token expirado. Faça login novamente."))
    );

    let old_jwt = bank.jwt(NOW);
    bank.expire_tokens(NOW);
    assert_eq!(send(&mut bank, &preview).0, 401);
    assert_eq!(
        send(&mut bank, &request(BankOperation::Domains, &old_jwt, "")).0,
        401
    );
    let new_jwt = bank.jwt(NOW);
    assert_ne!(new_jwt, old_jwt);
    assert_eq!(
        send(&mut bank, &request(BankOperation::Domains, &new_jwt, "")).0,
        200
    );
}

#[test]
fn domains_come_as_objects_with_their_state() {
    let mut bank = bank();
    let jwt = bank.jwt(NOW);
    let (status, list) = send(&mut bank, &request(BankOperation::Domains, &jwt, ""));
    assert_eq!(status, 200);
    let states: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["status"].as_str())
        .collect();
    assert_eq!(
        states,
        [
            Some("active"),
            Some("active"),
            Some("pending_dns"),
            Some("pending_ssl")
        ]
    );
    assert_eq!(list[0]["domain"], "loja-da-ana.localhost");
    assert_eq!(
        (&list[0]["default"], &list[1]["default"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        (&list[1]["active"], &list[2]["active"]),
        (&json!(true), &json!(false))
    );
}

#[test]
fn link_is_served_on_the_chosen_or_default_domain() {
    let mut bank = bank();
    let (status, default_link) = create_link(&mut bank, r#"{"amount":10.10,"description":"Bolo"}"#);
    assert_eq!(status, 201);
    let url = default_link["url"].as_str().unwrap();
    let id = url
        .strip_prefix("http://loja-da-ana.localhost:41873/checkout/link-")
        .unwrap();
    assert_eq!((id.len(), id), (6, link_id(url)));
    assert_eq!(default_link["amount"].to_string(), "10.10");

    let body = r#"{"amount":1,"description":"x","checkoutDomain":"Atelie-da-ana.localhost"}"#;
    let (status, reply) = create_link(&mut bank, body);
    assert_eq!(status, 201);
    assert!(
        reply["url"]
            .as_str()
            .unwrap()
            .starts_with("http://atelie-da-ana.localhost:41873/")
    );

    bank.set_domain("loja-da-ana.localhost", DomainSetup::DnsPending);
    let (_, next_link) = create_link(&mut bank, r#"{"amount":1,"description":"x"}"#);
    assert!(
        next_link["url"]
            .as_str()
            .unwrap()
            .starts_with("http://atelie-da-ana.localhost:")
    );
    assert_eq!(bank.ledger().links.len(), 3);
}

#[test]
fn no_active_domain_returns_documented_refusal() {
    let mut bank = bank();
    deactivate_all(&mut bank);
    for body in [
        r#"{"amount":1,"description":"x"}"#,
        r#"{"amount":1,"description":"x","checkoutDomain":"loja-da-ana.localhost"}"#,
    ] {
        let (status, reply) = create_link(&mut bank, body);
        assert_eq!(status, 400);
        assert_eq!(reply["message"], "Domínio de checkout obrigatório.");
        let action = reply["action"].as_str().unwrap();
        assert!(
            action.contains("domínio próprio ativo") && action.contains("lojas"),
            "{action}"
        );
        assert_eq!(reply.as_object().unwrap().len(), 2);
    }
    assert!(bank.ledger().links.is_empty());
}

#[test]
fn link_on_unusable_domain_is_refused() {
    let mut bank = bank();
    for host in [
        "promo-da-ana.localhost",
        "feira-da-ana.localhost",
        "someone-else.example",
        "",
    ] {
        let body = json!({ "amount": 1, "description": "x", "checkoutDomain": host }).to_string();
        let (status, reply) = create_link(&mut bank, &body);
        assert_eq!(status, 400, "{host}");
        assert_ne!(reply["message"], "Domínio de checkout obrigatório.");
    }
    assert!(bank.ledger().links.is_empty());
}

#[test]
fn invalid_link_is_refused_naming_the_field() {
    let mut bank = bank();
    for (body, field) in [
        (r#"{"description":"x"}"#, "amount"),
        (r#"{"amount":"10.10","description":"x"}"#, "amount"),
        (r#"{"amount":0,"description":"x"}"#, "amount"),
        (r#"{"amount":-1,"description":"x"}"#, "amount"),
        (r#"{"amount":1.001,"description":"x"}"#, "amount"),
        (r#"{"amount":1}"#, "description"),
        (r#"{"amount":1,"description":"  "}"#, "description"),
        (r#"{"amount":1,"description":5}"#, "description"),
        (
            r#"{"amount":1,"description":"x","checkoutDomain":null}"#,
            "checkoutDomain",
        ),
        (r#"{"amount":1"#, "JSON"),
    ] {
        let (status, reply) = create_link(&mut bank, body);
        assert_eq!(status, 400, "{body}");
        assert!(
            reply["message"].as_str().unwrap().contains(field),
            "{body}: {reply}"
        );
    }
    let jwt = bank.jwt(NOW);
    let body = r#"{"amount":1,"description":"x"}"#;
    let mut without_content_type = request(BankOperation::CreateLink, &jwt, body);
    without_content_type.content_type = None;
    assert_eq!(send(&mut bank, &without_content_type).0, 415);
    assert!(bank.ledger().links.is_empty());
}

#[test]
fn link_is_paid_once_without_a_fee() {
    let mut bank = bank();
    let (_, reply) = create_link(&mut bank, r#"{"amount":10.10,"description":"Bolo"}"#);
    let url = reply["url"].as_str().unwrap();
    let id = link_id(url).to_owned();
    assert_eq!(
        checkout_page(&bank, &id).unwrap().state,
        CheckoutState::Open
    );
    let notice = pay_link(&mut bank, &id, NOW).unwrap();
    let amount = Amount::from_centavos(1010);
    assert_eq!(
        notice,
        Payment {
            of: PaidItem::Link,
            id: id.clone(),
            amount,
            at: NOW
        }
    );
    assert_eq!(pay_link(&mut bank, &id, NOW), Err(NotPaid::AlreadyPaid));
    assert_eq!(
        checkout_page(&bank, &id).unwrap().state,
        CheckoutState::Paid
    );
    assert_eq!(bank.ledger().balance.to_string(), "5010.10");
    assert_eq!(bank.ledger().payments, [notice]);
    assert_eq!(pay_link(&mut bank, "zzzzzz", NOW), Err(NotPaid::Unknown));
}

fn payment_body() -> Value {
    json!({
        "amount": Amount::from_centavos(2550),
        "description": "Pedido 12",
        "paymentMethod": "pix",
        "customer": {
            "name": "Bia",
            "email": "bia@example.com",
            "phone": "+5511987654321",
            "document": { "number": CPF, "type": "cpf" },
        },
    })
}

#[test]
fn direct_payment_needs_no_domain_and_expires() {
    let mut bank = bank();
    deactivate_all(&mut bank);
    let jwt = bank.jwt(NOW);
    let charge_request = request(
        BankOperation::DirectPayment,
        &jwt,
        &payment_body().to_string(),
    );
    let (status, reply) = send(&mut bank, &charge_request);
    assert_eq!((status, reply["status"].as_str()), (201, Some("pending")));
    assert_eq!(reply["amount"].to_string(), "25.50");
    assert!(reply["qrCode"].as_str().unwrap().starts_with("000201"));
    assert_eq!(
        reply["expiresAt"],
        NOW.plus(Duration::from_secs(1800)).to_iso()
    );
    let id = reply["id"].as_str().unwrap();
    let (_, second_charge) = send(&mut bank, &charge_request);
    assert_eq!(pay_charge(&mut bank, id, NOW).unwrap().of, PaidItem::Charge);
    assert_eq!(pay_charge(&mut bank, id, NOW), Err(NotPaid::AlreadyPaid));
    let expired = NOW.plus(Duration::from_secs(1800));
    assert_eq!(
        pay_charge(&mut bank, second_charge["id"].as_str().unwrap(), expired),
        Err(NotPaid::Expired)
    );
    assert_eq!(pay_charge(&mut bank, "nothing", NOW), Err(NotPaid::Unknown));
    assert_eq!(bank.ledger().balance.to_string(), "5025.50");
}

#[test]
fn invalid_payment_is_refused_naming_the_field() {
    let mut bank = bank();
    let jwt = bank.jwt(NOW);
    for (pointer, value, field) in [
        ("/amount", json!("25.50"), "amount"),
        ("/description", json!(""), "description"),
        ("/paymentMethod", json!("card"), "paymentMethod"),
        ("/customer", json!("Bia"), "customer"),
        ("/customer/name", json!(""), "customer.name"),
        ("/customer/email", json!("bia"), "customer.email"),
        (
            "/customer/document/number",
            json!("52998224724"),
            "document.number",
        ),
        ("/customer/document/type", json!("rg"), "document.type"),
    ] {
        let mut body = payment_body();
        *body.pointer_mut(pointer).unwrap() = value;
        let charge_request = request(BankOperation::DirectPayment, &jwt, &body.to_string());
        let (status, reply) = send(&mut bank, &charge_request);
        assert_eq!(status, 400, "{pointer}");
        assert!(
            reply["message"].as_str().unwrap().contains(field),
            "{pointer}: {reply}"
        );
    }
    assert!(bank.ledger().charges.is_empty());
}

#[test]
fn preview_returns_exact_figures_without_changes() {
    let (mut bank, token) = logged_in();
    let before = bank.clone();
    let preview = |bank: &mut Bank, query: &str| {
        let preview_request = BankRequest {
            query: query.to_owned(),
            ..request(BankOperation::FeePreview, &token, "")
        };
        let reply = apply(bank, &preview_request, NOW);
        (reply.status, reply.body)
    };
    let ok = |text: &str| (200, text.to_owned());
    let hundred = preview(&mut bank, "amount=100.00");
    assert_eq!(
        hundred,
        ok(r#"{"amount":100.00,"fee":2.05,"netAmount":97.95}"#)
    );
    let big = preview(&mut bank, "x=1&amount=1234567890.12");
    assert_eq!(
        big,
        ok(r#"{"amount":1234567890.12,"fee":12962963.85,"netAmount":1221604926.27}"#)
    );
    for query in [
        "",
        "amount=",
        "amount=1,00",
        "amount=1&amount=2",
        "amount=1.01",
        "amount=-5",
    ] {
        assert_eq!(preview(&mut bank, query).0, 400, "{query}");
    }
    assert_eq!(bank, before);
}

#[test]
fn withdrawal_subtracts_amount_and_pays_net() {
    let (mut bank, token) = logged_in();
    let body =
        format!(r#"{{"amount":100.0,"pixKey":"{CPF}","pixKeyType":"CPF","description":"maio"}}"#);
    let reply = apply(&mut bank, &withdrawal(&token, "k-1", &body), NOW);
    assert_eq!(reply.status, 201);
    let json: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!(
        json["amount"].to_string(),
        "100.0",
        "the amount keeps its own text"
    );
    assert_eq!(
        (json["fee"].to_string(), json["netAmount"].to_string()),
        ("2.05".into(), "97.95".into())
    );
    assert_eq!(
        (json["pixKey"].as_str(), json["description"].as_str()),
        (Some(CPF), Some("maio"))
    );
    assert_eq!(bank.ledger().balance.0, Decimal::new(490_000, 2));
    let payout = &bank.ledger().payouts[0];
    assert_eq!((payout.key.as_str(), payout.at), ("k-1", NOW));
    assert_eq!(payout.body.0, body.as_bytes());
    assert_eq!(payout.amount.minus(payout.fee), payout.net);
    assert_eq!(json["id"].as_str(), Some(payout.id.as_str()));
}

#[test]
fn repeated_request_gets_the_first_reply() {
    let (mut bank, token) = logged_in();
    let request = withdrawal(&token, "k-1", &withdrawal_body("100.00"));
    let first = apply(&mut bank, &request, NOW);
    let later = NOW.plus(Duration::from_secs(3600));
    assert_eq!(apply(&mut bank, &request, later), first);
    assert_eq!(bank.ledger().payouts.len(), 1);
    assert_eq!(bank.ledger().balance.to_string(), "4900.00");
    let outcomes: Vec<_> = bank.ledger().requests.iter().map(|r| r.outcome).collect();
    assert_eq!(outcomes, [RequestOutcome::Paid, RequestOutcome::Replayed]);
}

#[test]
fn repeated_key_with_another_body_returns_422() {
    let (mut bank, token) = logged_in();
    apply(
        &mut bank,
        &withdrawal(&token, "k-1", &withdrawal_body("100.00")),
        NOW,
    );
    // The bank compares bodies byte by byte. A single additional space makes a different body.
    for body in [
        withdrawal_body("200.00"),
        format!("{} ", withdrawal_body("100.00")),
    ] {
        assert_eq!(send(&mut bank, &withdrawal(&token, "k-1", &body)).0, 422);
    }
    assert_eq!(bank.ledger().payouts.len(), 1);
}

#[test]
fn second_key_causes_a_second_payout() {
    let (mut bank, token) = logged_in();
    for key in ["k-1", "k-2"] {
        assert_eq!(
            send(
                &mut bank,
                &withdrawal(&token, key, &withdrawal_body("100.00"))
            )
            .0,
            201
        );
    }
    assert_eq!(bank.ledger().payouts.len(), 2);
    assert_ne!(bank.ledger().payouts[0].id, bank.ledger().payouts[1].id);
}

#[test]
fn bad_withdrawal_key_returns_400_and_pays_nothing() {
    let (mut bank, token) = logged_in();
    let mut request = withdrawal(&token, "", &withdrawal_body("100.00"));
    for key in [
        None,
        Some(""),
        Some("a b"),
        Some("á"),
        Some(&*"k".repeat(256)),
    ] {
        request.idempotency_key = key.map(str::to_owned);
        let (status, reply) = send(&mut bank, &request);
        assert_eq!(status, 400, "{key:?}");
        assert!(
            reply["message"]
                .as_str()
                .unwrap()
                .contains("Idempotency-Key")
        );
    }
    assert!(bank.ledger().payouts.is_empty());
    assert_eq!(bank.ledger().requests.len(), 5);
    assert_eq!(bank.ledger().balance, Scene::default().balance);
}

#[test]
fn only_an_amount_above_the_balance_returns_400() {
    let (mut bank, token) = logged_in();
    let (status, reply) = send(
        &mut bank,
        &withdrawal(&token, "k-1", &withdrawal_body("5000.01")),
    );
    assert_eq!(
        (status, reply["message"].as_str()),
        (400, Some("Saldo insuficiente."))
    );
    assert_eq!(
        send(
            &mut bank,
            &withdrawal(&token, "k-2", &withdrawal_body("5000.00"))
        )
        .0,
        201
    );
    assert_eq!(bank.ledger().balance, Amount::ZERO);
    // The bank has stored the refusal and repeats it for the same key.
    assert_eq!(
        send(
            &mut bank,
            &withdrawal(&token, "k-1", &withdrawal_body("5000.01"))
        )
        .0,
        400
    );
}

#[test]
fn invalid_withdrawal_returns_400_and_pays_nothing() {
    let (mut bank, token) = logged_in();
    let bodies = [
        "".to_owned(),
        withdrawal_body("\"100.00\""),
        withdrawal_body("0"),
        withdrawal_body("1e2"),
        withdrawal_body("1.01"), // the fee equals this amount
        format!(r#"{{"amount":10,"pixKeyType":"cpf","x":"{CPF}"}}"#),
        r#"{"amount":10,"pixKey":"52998224725"}"#.to_owned(),
        r#"{"amount":10,"pixKey":"52998224724","pixKeyType":"cpf"}"#.to_owned(),
        r#"{"amount":10,"pixKey":"52998224725","pixKeyType":"boleto"}"#.to_owned(),
        r#"{"amount":10,"pixKey":"52998224725","pixKeyType":"cpf","description":7}"#.to_owned(),
    ];
    for (number, body) in bodies.iter().enumerate() {
        let request = withdrawal(&token, &format!("k-{number}"), body);
        assert_eq!(send(&mut bank, &request).0, 400, "{body}");
    }
    assert!(bank.ledger().payouts.is_empty());
    assert_eq!(bank.ledger().balance, Scene::default().balance);
}

#[test]
fn unauthorized_reply_is_not_stored_for_the_key() {
    let (mut bank, token) = logged_in();
    assert_eq!(
        send(
            &mut bank,
            &withdrawal("wrong", "k-1", &withdrawal_body("10.00"))
        )
        .0,
        401
    );
    assert_eq!(
        send(
            &mut bank,
            &withdrawal(&token, "k-1", &withdrawal_body("10.00"))
        )
        .0,
        201
    );
}

#[test]
fn reset_keeps_tokens_and_reuses_no_id() {
    let (mut bank, token) = logged_in();
    let (_, before) = create_link(&mut bank, r#"{"amount":1,"description":"x"}"#);
    send(
        &mut bank,
        &withdrawal(&token, "k-1", &withdrawal_body("10.00")),
    );
    bank.set_domain("loja-da-ana.localhost", DomainSetup::DnsPending);
    bank.start_over();
    assert_eq!(
        *bank.ledger(),
        Ledger {
            balance: Scene::default().balance,
            ..Ledger::default()
        }
    );
    assert_eq!(bank.own_domains(), Scene::default().domains);
    let (_, after) = create_link(&mut bank, r#"{"amount":1,"description":"x"}"#);
    assert_ne!(before["id"], after["id"]);
    assert_eq!(
        send(
            &mut bank,
            &withdrawal(&token, "k-1", &withdrawal_body("10.00"))
        )
        .0,
        201
    );
}

#[test]
fn same_seed_and_requests_give_the_same_bank() {
    let simulate = || {
        let (mut bank, token) = logged_in();
        create_link(&mut bank, r#"{"amount":1,"description":"x"}"#);
        send(
            &mut bank,
            &withdrawal(&token, "k-1", &withdrawal_body("10.00")),
        );
        bank
    };
    assert_eq!(simulate(), simulate());
    let json = serde_json::to_string(&simulate()).unwrap();
    let mut restored: Bank = serde_json::from_str(&json).unwrap();
    restored.set_port(41873);
    assert_eq!(restored, simulate());
}
