use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;
use crate::cashier::{self, Clock, Report};
use crate::contract::{FieldInput, FieldKind, FieldSpec, Unit};
use crate::journal::money::{Files, MoneyJournal};
use crate::service::tests::{NOW, RecordingClient, Server, ServerScript, clocks, http_reply};
use crate::service::{ReadClocks, Service};
use crate::trade::withdrawal::{Class, SendDeadline, Unclear, WithdrawalState};
use crate::trade::{Clocks, ExchangeSubject, IdempotencyKey, Money, Wall};

/// A source of credentials that has one token for one account.
struct TestCredentials {
    account: Account,
    token: Result<&'static str, NotSent>,
}

impl Credentials for TestCredentials {
    async fn credential(&self, account: &Account, kind: CredentialKind) -> Result<Secret, NotSent> {
        assert_eq!(kind, CredentialKind::ApiToken);
        if *account != self.account {
            return Err(NotSent::OtherAccount);
        }
        self.token.map(|token| Secret::new(token.into()))
    }
}

/// A limit at this time after the test clock's time.
fn send_limit(seconds: u64) -> SendLimit {
    let limit = Duration::from_secs(seconds);
    let began = clocks();
    SendLimit::new(SendDeadline { began, limit }, None)
}

fn agreement(service: &Service) -> Agreement {
    let form = &service.contract().withdrawal.form;
    let input = |field: &FieldSpec| match field.kind {
        FieldKind::Amount => Some(FieldInput::Amount(Money::from_centavos(1_010))),
        FieldKind::PixKeyKind => Some(FieldInput::Text("email")),
        FieldKind::PixKey => Some(FieldInput::Text("Ana@Loja.example")),
        FieldKind::RequestKey => Some(FieldInput::Text("3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a")),
        _ => None,
    };
    let key = IdempotencyKey(uuid::Uuid::from_u128(0x3f0e6c1c7c554a8e9d5a2f1b6f1e0c9a));
    let body = form.body(input).unwrap();
    let lines = &service.contract().withdrawal;
    let origin = service.base().origin().clone();
    Agreement {
        key,
        account: Account {
            origin,
            identity: "ana".into(),
        },
        profile: "default".into(),
        method: lines.call.method.as_str().into(),
        url: format!("{}{}", service.base().as_str(), lines.call.path).into(),
        key_header: key.header(lines.key_format).into(),
        key_header_name: lines.key_header.as_str().into(),
        untyped: vec![],
        body: body.text().into(),
        amount: body.amount.unwrap(),
        destination: body.destination.clone(),
        quote: None,
        agreed: clocks(),
    }
}

fn wire(service: &Service, agreement: &Agreement) -> MoneyWire<TestCredentials> {
    let credentials = TestCredentials {
        account: agreement.account.clone(),
        token: Ok("api-token-1"),
    };
    MoneyWire::new(
        service.client.clone(),
        service.contract().clone(),
        credentials,
    )
}

/// Makes one attempt to send this withdrawal, and returns how the attempt ended.
async fn attempt(service: &Service, agreement: &Agreement) -> AttemptEnd {
    wire(service, agreement)
        .attempt(agreement, false, &send_limit(600))
        .await
}

/// Makes one attempt to send a new withdrawal, and returns how the attempt ended.
pub(in crate::service) async fn attempt_new_withdrawal(service: &Service) -> AttemptEnd {
    attempt(service, &agreement(service)).await
}

async fn attempt_with_script(script: ServerScript, recorder: &RecordingClient) -> AttemptEnd {
    let server = Server::start(script).await;
    let end = attempt_new_withdrawal(&recorder.service(&server.base, "")).await;
    assert!(server.requests().len() <= 1, "nothing is ever sent twice");
    end
}

#[tokio::test]
async fn withdrawal_request_has_these_bytes() {
    let headers = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    let reply = http_reply(
        "202 Accepted",
        headers,
        r#"{"id":"w-1","status":"queued","amount":10.1}"#,
    );
    let server = Server::start(ServerScript::Answer(reply)).await;
    let recorder = RecordingClient::new();
    let service = recorder.service(&server.base, "");
    let end = attempt_new_withdrawal(&service).await;
    let class = Class::Confirmed {
        id: Some("w-1".into()),
        status: Some("queued".into()),
    };
    assert_eq!((end.class, end.status), (class, Some(202)));
    assert_eq!(
        (end.at, end.server_date),
        (NOW, Some(Wall(784_111_777_000)))
    );
    let host = server.base.as_str().trim_start_matches("http://");
    let body = r#"{"amount":10.10,"pixKeyType":"email","pixKey":"ana@loja.example"}"#;
    let expected = [
        "POST /api/v1/integrations/withdrawals HTTP/1.1",
        "Accept: application/json",
        "Accept-Encoding: identity",
        concat!("User-Agent: balcao/", env!("CARGO_PKG_VERSION")),
        "Content-Type: application/json",
        "Idempotency-Key: 3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a",
        "Authorization: Bearer api-token-1",
        &format!("Host: {host}"),
        &format!("Content-Length: {}", body.len()),
        "",
        body,
    ];
    assert_eq!(server.request(), expected.join("\r\n"));

    let exchange = recorder.exchange();
    let id = IdempotencyKey(uuid::Uuid::from_u128(0x3f0e6c1c7c554a8e9d5a2f1b6f1e0c9a));
    assert_eq!(exchange.subject, Some(ExchangeSubject::Withdrawal(id)));
    let key = "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a".to_owned();
    assert!(
        exchange
            .request_headers
            .contains(&("idempotency-key".into(), key))
    );
    assert!(!format!("{exchange:?}").contains("api-token-1"));
}

#[tokio::test]
async fn stored_bytes_are_sent_after_contract_change() {
    let server = Server::with_reply("200 OK", "", "{}").await;
    let recorder = RecordingClient::new();
    let mut agreement = agreement(&recorder.service(&server.base, ""));
    agreement.body = r#"{"amount": 10.10, "old":1}"#.into();
    agreement.key_header = "\"old-key\"".into();
    agreement.url = format!("{}/old/path?v=1", server.base.as_str()).into();
    let newer = "withdrawal = { path = '/new', key_header = 'X-Once' }";
    let newer = recorder.service(&server.base, newer);
    attempt(&newer, &agreement).await;
    let request = server.request();
    assert!(
        request.starts_with("POST /old/path?v=1 HTTP/1.1\r\n"),
        "{request}"
    );
    assert!(
        request.contains("\r\nIdempotency-Key: \"old-key\"\r\n"),
        "{request}"
    );
    assert_eq!(request.matches("old-key").count(), 1, "{request}");
    assert!(!request.contains("X-Once"), "{request}");
    assert!(
        request.ends_with("\r\n\r\n{\"amount\": 10.10, \"old\":1}"),
        "{request}"
    );
}

#[tokio::test]
async fn agreed_put_form_is_sent_under_any_contract() {
    let server = Server::with_reply("200 OK", "", "{}").await;
    let recorder = RecordingClient::new();
    let lines = "[withdrawal]\nmethod = 'PUT'\nencoding = 'form'\npath = '/w?kind=pix'\n\
                 key_in_body = '/request/id'\namount_sent = 'text-comma'";
    let agreement = agreement(&recorder.service(&server.base, lines));
    let form = "amount=10%2C10&pixKeyType=email&pixKey=ana%40loja.example\
                &request%5Bid%5D=3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a";
    assert_eq!(&*agreement.body, form);
    for contract in [lines, ""] {
        let later = recorder.service(&server.base, contract);
        attempt(&later, &agreement).await;
    }
    let requests = server.requests();
    assert_eq!(requests[0], requests[1], "a resend is the same bytes");
    assert!(
        requests[0].starts_with("PUT /w?kind=pix HTTP/1.1\r\n"),
        "{}",
        requests[0]
    );
    let kind = "\r\nContent-Type: application/x-www-form-urlencoded\r\n";
    assert!(requests[0].contains(kind) && requests[0].ends_with(&format!("\r\n\r\n{form}")));
    let key = "\r\nIdempotency-Key: 3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a\r\n";
    assert!(requests[0].contains(key), "in the header as well");
}

#[tokio::test]
async fn method_that_creates_nothing_is_not_sent() {
    let server = Server::with_reply("200 OK", "", "{}").await;
    let service = RecordingClient::new().service(&server.base, "");
    for method in ["GET", "DELETE", "post", ""] {
        let agreement = Agreement {
            method: method.into(),
            ..agreement(&service)
        };
        let end = attempt(&service, &agreement).await;
        assert_eq!(end.class, Class::NotSent(NotSent::OtherAccount), "{method}");
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn key_for_an_invalid_header_is_not_sent() {
    for name in ["Authorization", "accept_encoding", "two words", ""] {
        let server = Server::with_reply("201 Yes", "", "{}").await;
        let recorder = RecordingClient::new();
        let service = recorder.service(&server.base, "");
        let mut agreement = agreement(&service);
        agreement.key_header_name = name.into();
        let end = attempt(&service, &agreement).await;
        assert_eq!(end.class, Class::NotSent(NotSent::Headers), "{name}");
        assert!(server.requests().is_empty(), "{name}");
    }
}

#[tokio::test]
async fn service_message_is_kept_and_redirect_not_followed() {
    let body = r#"{"message":"Saldo insuficiente para api-token-1","action":"Deposite"}"#;
    let end = attempt_with_script(
        ServerScript::Answer(http_reply("400 Bad", "", body)),
        &RecordingClient::new(),
    )
    .await;
    assert_eq!(end.class, Class::DefiniteNo);
    assert_eq!(end.message.unwrap().shown(), "Saldo insuficiente para …");
    assert_eq!(end.hint.unwrap().raw(), "Deposite");

    let elsewhere = Server::with_reply("200 OK", "", "{}").await;
    let location = format!("location: {}/\r\n", elsewhere.base.as_str());
    let end = attempt_with_script(
        ServerScript::Answer(http_reply("307 Go", &location, "")),
        &RecordingClient::new(),
    )
    .await;
    assert_eq!((end.class, end.status), (Class::Redirected, Some(307)));
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn missing_or_foreign_credential_sends_nothing() {
    let server = Server::with_reply("200 OK", "", "{}").await;
    let recorder = RecordingClient::new();
    let service = recorder.service(&server.base, "");
    let valid = agreement(&service);
    let mut other_origin = valid.clone();
    other_origin.account.origin = crate::trade::Origin("https://other.example".into());
    let mut plain_http = valid.clone();
    plain_http.url = "http://192.0.2.1/api".into();
    plain_http.account.origin = crate::trade::Origin("http://192.0.2.1".into());
    for (agreement, token, reason) in [
        (&valid, Err(NotSent::NoCredential), NotSent::NoCredential),
        (&valid, Err(NotSent::Vault), NotSent::Vault),
        (&valid, Ok("two\r\nlines"), NotSent::NoCredential),
        (&other_origin, Ok("api-token-1"), NotSent::OtherAccount),
        (&plain_http, Ok("api-token-1"), NotSent::Tls),
    ] {
        let credentials = TestCredentials {
            account: agreement.account.clone(),
            token,
        };
        let wire = MoneyWire::new(
            recorder.client.clone(),
            service.contract().clone(),
            credentials,
        );
        let end = wire.attempt(agreement, false, &send_limit(600)).await;
        assert_eq!((end.class, end.status), (Class::NotSent(reason), None));
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn read_only_client_sends_no_withdrawal() {
    let server = Server::with_reply("202 Yes", "", "{}").await;
    let recorder = RecordingClient::with_limits(Limits {
        is_read_only: true,
        ..Limits::default()
    });
    let end = attempt_new_withdrawal(&recorder.service(&server.base, "")).await;
    assert_eq!(
        (end.class, end.status),
        (Class::NotSent(NotSent::ReadOnly), None)
    );
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn withdrawal_without_consent_is_not_sent() {
    for reason in [NotSent::NotAgreed, NotSent::Vault] {
        let server = Server::with_reply("202 Yes", "", "{}").await;
        let recorder = RecordingClient::with_consent(Arc::new(move |contract: &Contract| {
            assert_eq!(contract.withdrawal.form.amounts.unit, Unit::Centavos);
            Err(reason)
        }));
        let service = recorder.service(&server.base, "withdrawal.unit = 'centavos'");
        let end = attempt_new_withdrawal(&service).await;
        assert_eq!((end.class, end.status), (Class::NotSent(reason), None));
        assert!(server.requests().is_empty());
    }
}

/// Clocks that jump ahead by one hour at reading number `read`, as if the machine had slept. The
/// first reading has the number 0.
fn clocks_jumping_at(read: usize) -> ReadClocks {
    let reads = AtomicUsize::new(0);
    Arc::new(move || match reads.fetch_add(1, Ordering::SeqCst) {
        before if before < read => clocks(),
        _ => an_hour_later(),
    })
}

fn an_hour_later() -> Clocks {
    let hour = Duration::from_secs(3_600);
    Clocks {
        wall: NOW.plus(hour),
        boot_ms: 1_000 + 3_600_000,
        ..clocks()
    }
}

#[tokio::test]
async fn nothing_is_sent_after_a_long_sleep() {
    // The machine sleeps at one of four moments: before the request is sent (0), before connecting
    // (1), while connecting (2), or before the reply arrives (3).
    for (read, is_sent) in [(0, false), (1, false), (2, false), (3, true)] {
        let server = Server::with_reply("202 Yes", "", r#"{"id":"w-1"}"#).await;
        let recorder = RecordingClient::with_clocks(Limits::default(), clocks_jumping_at(read));
        let service = recorder.service(&server.base, "");
        let end = attempt_new_withdrawal(&service).await;
        let is_confirmed = matches!(end.class, Class::Confirmed { .. });
        assert_eq!(is_confirmed, is_sent, "{read}: {:?}", end.class);
        assert!(
            is_confirmed || end.class == Class::NotSent(NotSent::NotSafe),
            "{:?}",
            end.class
        );
        // The client opened a connection here. Wait until the server has recorded it.
        while read >= 2 && server.requests().is_empty() {
            tokio::task::yield_now().await;
        }
        let was_received = server.requests().iter().any(|request| !request.is_empty());
        assert_eq!(was_received, is_sent, "{read}");
    }
}

#[tokio::test]
async fn vault_time_counts_against_the_window() {
    struct SlowCredentials(Arc<AtomicUsize>, usize);
    impl Credentials for SlowCredentials {
        async fn credential(&self, _: &Account, _: CredentialKind) -> Result<Secret, NotSent> {
            self.0.fetch_add(self.1, Ordering::SeqCst);
            Ok(Secret::new("api-token-1".into()))
        }
    }
    for (takes_ms, is_sent) in [(3_000, true), (3_001, false)] {
        let server = Server::with_reply("202 Yes", "", r#"{"id":"w-1"}"#).await;
        let elapsed_ms = Arc::new(AtomicUsize::new(0));
        let clock_ms = elapsed_ms.clone();
        let delayed_clock = move || Clocks {
            boot_ms: 1_000 + clock_ms.load(Ordering::SeqCst) as u64,
            ..clocks()
        };
        let recorder = RecordingClient::with_clocks(Limits::default(), Arc::new(delayed_clock));
        let service = recorder.service(&server.base, "");
        let agreement = agreement(&service);
        let credentials = SlowCredentials(elapsed_ms, takes_ms);
        let wire = MoneyWire::new(
            recorder.client.clone(),
            service.contract().clone(),
            credentials,
        );
        let end = wire.attempt(&agreement, true, &send_limit(3)).await;
        assert_eq!(
            matches!(end.class, Class::Confirmed { .. }),
            is_sent,
            "{:?}",
            end.class
        );
        assert_eq!(server.requests().len(), usize::from(is_sent));
    }
}

#[tokio::test]
async fn failure_word_is_kept_masked_and_shortened() {
    let long = format!(
        "{{\"error\":\"{} api-token-1 {}\"}}",
        "no".repeat(10),
        "x".repeat(900)
    );
    let server = Server::with_reply("202 Yes", "", &long).await;
    let recorder = RecordingClient::with_clocks(Limits::default(), Arc::new(clocks));
    let service = recorder.service(&server.base, "");
    let end = attempt_new_withdrawal(&service).await;
    let Class::SaysFailed(sign) = &end.class else {
        panic!("{:?}", end.class)
    };
    assert_eq!(
        (&*sign.member, sign.word.shown().chars().count()),
        ("error", 200)
    );
    assert!(
        sign.word.shown().contains("no … x"),
        "{}",
        sign.word.shown()
    );
    assert_eq!((end.at, end.boot_ms), (clocks().wall, clocks().boot_ms));
}

struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Clocks {
        clocks()
    }
}

#[tokio::test]
async fn resend_after_sleep_sends_nothing_and_stays_unknown() {
    let server = Server::with_reply("500 Oh", "", "{}").await;
    let service = RecordingClient::new().service(&server.base, "");
    let agreement = agreement(&service);
    let window = window(service.contract(), service.client.limits());
    assert_eq!(window.deadline, Duration::from_secs(30));
    let key = agreement.key;
    let window = Window {
        resend_after: Duration::ZERO,
        ..window
    };
    let dir = tempfile::tempdir().unwrap();
    let mut journal = MoneyJournal::open(Files::new(dir.path()), false).unwrap();
    journal.prepare(agreement.clone(), None).unwrap();
    let journal = Mutex::new(journal);
    let mut last_report = None;
    // In the second case, the machine sleeps while the second attempt connects.
    for clocks in [clocks_jumping_at(usize::MAX), clocks_jumping_at(2)] {
        let recorder = RecordingClient::with_clocks(Limits::default(), clocks);
        let wire = wire(&recorder.service(&server.base, ""), &agreement);
        let on_report = async |report| last_report = Some(report);
        cashier::attempt(
            (key, None),
            &window,
            &journal,
            &wire,
            &StoppedClock,
            on_report,
        )
        .await;
    }
    let Some(Report::Settled(withdrawal)) = last_report else {
        panic!("{last_report:?}")
    };
    assert_eq!(
        withdrawal.attempts[1].end.as_ref().unwrap().class,
        Class::NotSent(NotSent::NotSafe)
    );
    assert!(!withdrawal.attempts[1].may_have_been_sent());
    assert_eq!(
        withdrawal.state(&clocks(), &window, false),
        WithdrawalState::Unknown
    );
    assert_ne!(
        withdrawal.state(&an_hour_later(), &window, false),
        WithdrawalState::Unknown
    );
    assert_eq!(
        server
            .requests()
            .iter()
            .filter(|request| !request.is_empty())
            .count(),
        1
    );
}

#[tokio::test]
async fn echoed_token_is_masked_in_the_attempt_end() {
    for (status, body) in [
        (
            "201 Created",
            r#"{"id":"api-token-1","status":"api-token-1"}"#,
        ),
        (
            "201 Created",
            r#"{"id":"1","status":"failed api-token-1","error":"api-token-1"}"#,
        ),
        ("400 Bad", r#"{"id":"1","status":"api-token-1"}"#),
        (
            "400 Bad",
            r#"{"message":"YXBpLXRva2VuLTE=","action":"api%2Dtoken%2D1"}"#,
        ),
    ] {
        let script = ServerScript::Answer(http_reply(status, "", body));
        let end = format!(
            "{:?}",
            attempt_with_script(script, &RecordingClient::new()).await
        );
        let encodings = ["api-token-1", "YXBpLXRva2VuLTE", "api%2Dtoken"];
        assert!(
            !encodings.iter().any(|encoding| end.contains(encoding)),
            "{end}"
        );
        assert!(end.contains('…'), "{end}");
    }
}

#[tokio::test]
async fn unreadable_head_is_unclear_and_not_a_cut() {
    let lines: String = (0..101).map(|n| format!("x-{n}: 1\r\n")).collect();
    let head = format!("HTTP/1.1 201 Created\r\n{lines}\r\n").into_bytes();
    let end = attempt_with_script(ServerScript::Answer(head), &RecordingClient::new()).await;
    assert_eq!(
        (end.class, end.status),
        (Class::Unclear(Unclear::Unreadable), None)
    );
}
