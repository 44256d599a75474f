//! Tests of the bytes that each API operation sends, and of the values that it reads from the
//! reply.

use super::*;
use crate::contract::{Body, FieldInput, FieldKind, FieldSpec};
use crate::trade::{
    Account, CreatedCharge, DomainState, ExchangeId, ExchangeSubject, FigureSource, LinkRequest,
    Money, NoQuote, QuoteFault, Untrusted,
};

const PASSWORD: &str = "correct horse";

/// The exact request that the server should receive.
fn expected_request(server: &Server, request_line: &str, headers: &[&str], body: &str) -> String {
    let host = server.base.as_str().trim_start_matches("http://");
    let mut lines = vec![format!("{request_line} HTTP/1.1")];
    lines.push("Accept: application/json".into());
    lines.push("Accept-Encoding: identity".into());
    lines.push(concat!("User-Agent: balcao/", env!("CARGO_PKG_VERSION")).into());
    lines.extend(headers.iter().map(|header| (*header).to_owned()));
    lines.push(format!("Host: {host}"));
    if !body.is_empty() {
        lines.push(format!("Content-Length: {}", body.len()));
    }
    format!("{}\r\n\r\n{body}", lines.join("\r\n"))
}

pub(super) struct OperationFixture {
    pub(super) server: Server,
    pub(super) recorder: RecordingClient,
    pub(super) secret: Secret,
}

impl OperationFixture {
    pub(super) async fn new(status: &str, headers: &str, body: &str) -> OperationFixture {
        let server = Server::with_reply(status, headers, body).await;
        OperationFixture {
            server,
            recorder: RecordingClient::new(),
            secret: Secret::new("tok-123".into()),
        }
    }

    pub(super) fn service(&self, contract: &str) -> Service {
        self.recorder.service(&self.server.base, contract)
    }

    pub(super) fn credential(&self, kind: CredentialKind) -> BoundCredential<'_> {
        BoundCredential {
            kind,
            origin: self.server.base.origin(),
            secret: &self.secret,
        }
    }

    pub(super) fn request(&self, domain: Option<&str>) -> LinkRequest {
        let origin = self.server.base.origin().clone();
        LinkRequest {
            account: Account {
                origin,
                identity: "ana".into(),
            },
            amount: Money::from_centavos(1_010),
            description: "Bolo de cenoura".into(),
            domain: domain.map(Into::into),
        }
    }
}

pub(in crate::service) fn login_body(service: &Service) -> Body {
    let password = Secret::new(PASSWORD.into());
    let input = |field: &FieldSpec| match field.kind {
        FieldKind::Secret => Some(FieldInput::Secret(&password)),
        _ => Some(FieldInput::Text("ana@loja.example")),
    };
    service.contract().login.form.body(input).unwrap()
}

const JSON: &str = "Content-Type: application/json";
const BEARER: &str = "Authorization: Bearer tok-123";

#[tokio::test]
async fn login_sends_its_fields_and_returns_a_token() {
    let reply = r#"{"data":{"accessToken":"api-9","expiresIn":60,"chave":"api-8"}}"#;
    let fixture = OperationFixture::new("201 Created", "", reply).await;
    let service = fixture.service("");
    let login = service.login(&login_body(&service)).await.unwrap();
    assert_eq!(
        (login.token.expose(), &*login.identity),
        ("api-9", "ana@loja.example")
    );
    assert_eq!(login.expires, Some(Wall(NOW.0 + 60_000)));
    assert!(login.jwt.is_none());
    let body = r#"{"email":"ana@loja.example","password":"correct horse"}"#;
    let expected = expected_request(
        &fixture.server,
        "POST /api/v1/api-auth/login",
        &[JSON],
        body,
    );
    assert_eq!(fixture.server.request(), expected);

    let exchange = fixture.recorder.exchange();
    let request = r#"{"email":"ana@loja.example","password":"…"}"#;
    assert_eq!(
        exchange.request_body.map(Untrusted::from).unwrap().shown(),
        request
    );
    let reply_body = exchange.reply.unwrap().body;
    assert_eq!(
        reply_body.shown(),
        r#"{"data":{"accessToken":"…","expiresIn":60,"chave":"…"}}"#,
        "a token may stand anywhere in a login's reply"
    );
}

#[tokio::test]
async fn login_reads_a_jwt_and_a_token_in_a_header() {
    let fixture = OperationFixture::new(
        "200 OK",
        "Authorization: Bearer api-9\r\n",
        r#"{"jwt":"j"}"#,
    )
    .await;
    let service = fixture.service("login.jwt = ['/jwt']");
    let login = service.login(&login_body(&service)).await.unwrap();
    assert_eq!(login.token.expose(), "api-9");
    let (jwt, expires) = login.jwt.unwrap();
    assert_eq!((jwt.expose(), expires), ("j", None));
    assert!(!format!("{:?}", fixture.recorder.exchange()).contains("api-9"));
}

#[tokio::test]
async fn login_without_token_names_paths_and_no_secret() {
    let reply = r#"{"ok":true,"credencial":"api-9","echo":"correct horse"}"#;
    let fixture = OperationFixture::new("200 OK", "set-cookie: s=api-9\r\n", reply).await;
    let service = fixture.service("");
    let failure = service.login(&login_body(&service)).await.unwrap_err();
    let Failure::Unreadable {
        expected_settings,
        body,
        ..
    } = &failure
    else {
        panic!("{failure:?}")
    };
    assert_eq!(expected_settings, &["login.token", "login.token_header"]);
    assert_eq!(body.shown(), r#"{"ok":true,"credencial":"…","echo":"…"}"#);
    let debug_text = format!("{:?} {failure:?}", fixture.recorder.exchange());
    assert!(
        !debug_text.contains("api-9") && !debug_text.contains(PASSWORD),
        "{debug_text}"
    );

    let fixture = OperationFixture::new("200 OK", "", "plain api-9").await;
    let service = fixture.service("");
    assert!(service.login(&login_body(&service)).await.is_err());
    assert!(!format!("{:?}", fixture.recorder.exchange()).contains("api-9"));

    let fixture = OperationFixture::new("401 No", "", r#"{"message":"não: correct horse"}"#).await;
    let service = fixture.service("");
    let failure = service.login(&login_body(&service)).await.unwrap_err();
    let Failure::Unauthorized {
        credential: None,
        refusal,
    } = failure
    else {
        panic!("{failure:?}")
    };
    assert_eq!(refusal.message.unwrap().shown(), "não: …");
}

#[tokio::test]
async fn login_exchange_shows_nothing_but_the_identity() {
    let reply = r#"{"message":"Senha 'correct horse' ou PIN 4321-abc errados para ana@loja"}"#;
    let fixture = OperationFixture::new("401 No", "", reply).await;
    let lines = "login.body = ['email', 'pin', 'password']\n\
                 login.field.pin = { name = 'pin', kind = 'text', default = '4321-abc' }";
    let service = fixture.service(lines);
    let password = Secret::new(PASSWORD.into());
    let input = |field: &FieldSpec| match field.kind {
        FieldKind::Secret => Some(FieldInput::Secret(&password)),
        FieldKind::Email => Some(FieldInput::Text("ana@loja")),
        _ => None,
    };
    let body = service.contract().login.form.body(input).unwrap();
    let failure = service.login(&body).await.unwrap_err();
    assert!(
        fixture
            .server
            .request()
            .ends_with(r#""pin":"4321-abc","password":"correct horse"}"#)
    );
    let exchange = fixture.recorder.exchange();
    let masked = r#"{"email":"ana@loja","pin":"…","password":"…"}"#;
    let debug_text = format!("{exchange:?} {failure:?}");
    assert_eq!(
        exchange.request_body.map(Untrusted::from).unwrap().shown(),
        masked
    );
    assert!(
        debug_text.contains("Senha '…' ou PIN … errados para ana@loja"),
        "{debug_text}"
    );
    assert!(
        !debug_text.contains("4321") && !debug_text.contains("horse"),
        "{debug_text}"
    );
}

#[tokio::test]
async fn domains_are_requested_with_the_jwt() {
    let fixture = OperationFixture::new("200 OK", "", r#"{"data":["a.example"]}"#).await;
    let domains = fixture
        .service("")
        .domains(fixture.credential(CredentialKind::Jwt))
        .await
        .unwrap();
    let [domain] = &domains.domains[..] else {
        panic!("{domains:?}")
    };
    assert_eq!(
        (domain.host.raw(), &domain.state),
        ("a.example", &DomainState::Usable)
    );
    let request_line = "GET /api/v1/payment-links/available-domains";
    assert_eq!(
        fixture.server.request(),
        expected_request(&fixture.server, request_line, &[BEARER], "")
    );
    let exchange = fixture.recorder.exchange();
    assert!(!format!("{exchange:?}").contains("tok-123"));
    assert!(
        exchange
            .request_headers
            .contains(&("authorization".into(), "Bearer \u{FDEF}".into()))
    );
}

#[tokio::test]
async fn link_request_and_url_are_exact_to_the_byte() {
    let url = " https://Loja.example/checkout/link-1?x=%C3%A9\\u0007 ";
    let fixture = OperationFixture::new("201 Created", "", &format!(r#"{{"url":"{url}"}}"#)).await;
    let service = fixture.service("");
    let jwt = fixture.credential(CredentialKind::Jwt);
    let link = service
        .create_link(jwt, ROW, &fixture.request(None))
        .await
        .unwrap();
    assert_eq!(
        link.url.raw(),
        " https://Loja.example/checkout/link-1?x=%C3%A9\u{7} "
    );
    let body = r#"{"amount":10.10,"description":"Bolo de cenoura"}"#;
    let request_line = "POST /api/v1/payment-links";
    assert_eq!(
        fixture.server.request(),
        expected_request(&fixture.server, request_line, &[JSON, BEARER], body)
    );

    let fixture = OperationFixture::new("201 Created", "", r#"{"link":"x"}"#).await;
    let jwt = fixture.credential(CredentialKind::Jwt);
    let request = fixture.request(Some("loja.example"));
    let failure = fixture
        .service("")
        .create_link(jwt, ROW, &request)
        .await
        .unwrap_err();
    assert!(
        fixture
            .server
            .request()
            .ends_with(r#","checkoutDomain":"loja.example"}"#)
    );
    assert!(
        matches!(failure, Failure::Unreadable { status: 201, expected_settings, .. }
        if expected_settings == ["create_link.url"])
    );
}

#[tokio::test]
async fn direct_payment_returns_all_values() {
    let reply = r#"{"id":7,"status":"PENDING","pix":{"qrCode":"000201"},"expiresAt":"2026"}"#;
    let fixture = OperationFixture::new("200 OK", "", reply).await;
    let service = fixture.service("direct_payment.body = ['amount', 'description']");
    let body = service
        .contract()
        .direct_payment
        .form
        .body(|field| match field.kind {
            FieldKind::Amount => Some(FieldInput::Amount(Money::from_centavos(10))),
            _ => Some(FieldInput::Text("Café")),
        });
    let jwt = fixture.credential(CredentialKind::Jwt);
    let created = service
        .direct_payment(jwt, ROW, body.unwrap().text())
        .await
        .unwrap();
    let expected = CreatedCharge {
        id: Some("7".into()),
        status: Some("PENDING".into()),
        pix_code: Some("000201".into()),
        expires: Some("2026".into()),
    };
    assert_eq!(created, expected);
    let body = r#"{"amount":0.10,"description":"Café"}"#;
    let request_line = "POST /api/v1/direct/payment";
    assert_eq!(
        fixture.server.request(),
        expected_request(&fixture.server, request_line, &[JSON, BEARER], body)
    );
}

#[tokio::test]
async fn preview_by_query_or_body_returns_a_quote() {
    let amount = Money::from_centavos(1_010);
    let fixture = OperationFixture::new("200 OK", "", r#"{"data":{"fee":"1.10"}}"#).await;
    let token = fixture.credential(CredentialKind::ApiToken);
    let quote = fixture
        .service("")
        .fee_preview(token, amount)
        .await
        .unwrap();
    assert_eq!(
        (quote.fee, quote.net),
        (Money::from_centavos(110), Money::from_centavos(900))
    );
    assert_eq!(
        (quote.fee_source, quote.net_source),
        (FigureSource::Service, FigureSource::Computed)
    );
    let request_line = "GET /api/v1/withdrawals/fee-preview?amount=10.10";
    assert_eq!(
        fixture.server.request(),
        expected_request(&fixture.server, request_line, &[BEARER], "")
    );

    let fixture = OperationFixture::new("200 OK", "", r#"{"fee":110,"net":900}"#).await;
    let token = fixture.credential(CredentialKind::ApiToken);
    let service = fixture.service("fee_preview.method = 'POST'\nfee_preview.unit = 'centavos'");
    assert_eq!(
        service.fee_preview(token, amount).await.unwrap().fee,
        Money::from_centavos(110)
    );
    assert!(
        fixture
            .server
            .request()
            .ends_with("\r\n\r\n{\"amount\":1010}")
    );
}

#[tokio::test]
async fn figures_that_do_not_add_up_are_a_fault() {
    let amount = Money::from_centavos(1_010);
    let fixture = OperationFixture::new("200 OK", "", r#"{"fee":1.10,"net":9.01}"#).await;
    let token = fixture.credential(CredentialKind::ApiToken);
    let failure = fixture
        .service("")
        .fee_preview(token, amount)
        .await
        .unwrap_err();
    assert!(matches!(
        failure,
        NoQuote::Fault(QuoteFault::DoesNotAddUp { .. })
    ));
    let fixture = OperationFixture::new("200 OK", "", r#"{"taxa":1.10}"#).await;
    let token = fixture.credential(CredentialKind::ApiToken);
    let failure = fixture
        .service("")
        .fee_preview(token, amount)
        .await
        .unwrap_err();
    let NoQuote::Failure(Failure::Unreadable {
        expected_settings,
        body,
        ..
    }) = failure
    else {
        panic!("{failure:?}")
    };
    assert_eq!(expected_settings, ["fee_preview.fee", "fee_preview.net"]);
    assert_eq!(body.raw(), r#"{"taxa":1.10}"#);
}

#[tokio::test]
async fn operations_without_consent_send_nothing() {
    let fixture = OperationFixture::new("200 OK", JSON, "{}").await;
    for reason in [NotSent::NotAgreed, NotSent::Vault] {
        let consent = Arc::new(move |contract: &Contract| {
            assert_eq!(contract.login.call.path, "/seen-by-the-check");
            Err(reason)
        });
        let service = RecordingClient::with_consent(consent)
            .service(&fixture.server.base, "login.path = '/seen-by-the-check'");
        let jwt = CredentialKind::Jwt;
        let token = CredentialKind::ApiToken;
        let amount = Money::from_centavos(1_010);
        let not_quoted = match service.fee_preview(fixture.credential(token), amount).await {
            Err(NoQuote::Failure(failure)) => failure,
            other => panic!("{other:?}"),
        };
        let failures = [
            service.login(&login_body(&service)).await.unwrap_err(),
            service.domains(fixture.credential(jwt)).await.unwrap_err(),
            service
                .create_link(fixture.credential(jwt), ROW, &fixture.request(None))
                .await
                .unwrap_err(),
            service
                .direct_payment(fixture.credential(jwt), ROW, "{}")
                .await
                .unwrap_err(),
            not_quoted,
        ];
        assert_eq!(failures, [(); 5].map(|()| Failure::NotSent(reason)));
    }
    assert!(fixture.server.requests().is_empty());
}

#[tokio::test]
async fn exchange_has_its_number_and_subject() {
    let body = r#"{"url":"https://loja.example/a","id":"tx_1","domains":[]}"#;
    let fixture = OperationFixture::new("200 OK", "", body).await;
    let service = fixture.service("");
    let jwt = fixture.credential(CredentialKind::Jwt);
    _ = service.create_link(jwt, ROW, &fixture.request(None)).await;
    _ = service.direct_payment(jwt, RowId(8), "{}").await;
    _ = service.domains(jwt).await;
    let exchanges = fixture.recorder.exchanges.lock().unwrap();
    let facts: Vec<_> = exchanges
        .iter()
        .map(|exchange| (exchange.id, exchange.subject))
        .collect();
    let subjects = [Some(ROW), Some(RowId(8)), None].map(|row| row.map(ExchangeSubject::Sale));
    let ids = [1, 2, 3].map(ExchangeId::Run);
    assert_eq!(facts, ids.into_iter().zip(subjects).collect::<Vec<_>>());
}
