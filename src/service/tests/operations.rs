//! Tests of the bytes that each API operation sends, and of the values that it reads from the
//! reply.

use super::*;
use crate::contract::{Body, FieldInput, FieldKind, FieldSpec};
use crate::trade::{
    Account, ChargeOutcome, DomainState, FigureSource, LinkRequest, Money, NoQuote, QuoteFault,
};

const PASSWORD: &str = "correct horse";

/// Returns the exact request that the server should receive.
fn expected(server: &Server, first: &str, headers: &[&str], body: &str) -> String {
    let host = server.base.as_str().trim_start_matches("http://");
    let mut lines = vec![format!("{first} HTTP/1.1")];
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
    pub(super) watched: Watched,
    pub(super) secret: Secret,
}

impl OperationFixture {
    pub(super) async fn new(status: &str, headers: &str, body: &str) -> OperationFixture {
        let server = Server::answering(status, headers, body).await;
        OperationFixture { server, watched: Watched::new(), secret: Secret::new("tok-123".into()) }
    }

    pub(super) fn service(&self, contract: &str) -> Service {
        self.watched.service(&self.server.base, contract)
    }

    pub(super) fn credential(&self, kind: CredentialKind) -> BoundCredential<'_> {
        BoundCredential { kind, origin: self.server.base.origin(), secret: &self.secret }
    }

    pub(super) fn request(&self, domain: Option<&str>) -> LinkRequest {
        let origin = self.server.base.origin().clone();
        LinkRequest {
            account: Account { origin, identity: "ana".into() },
            amount: Money::from_centavos(1_010),
            description: "Bolo de cenoura".into(),
            domain: domain.map(Into::into),
        }
    }
}

pub(in crate::service) fn login_body(service: &Service) -> Body {
    let password = Secret::new(PASSWORD.into());
    let typed = |field: &FieldSpec| match field.kind {
        FieldKind::Secret => Some(FieldInput::Secret(&password)),
        _ => Some(FieldInput::Text("ana@loja.example")),
    };
    service.contract().login.form.body(typed).unwrap()
}

const JSON: &str = "Content-Type: application/json";
const BEARER: &str = "Authorization: Bearer tok-123";

#[tokio::test]
async fn a_login_sends_its_fields_and_yields_a_token() {
    let reply = r#"{"data":{"accessToken":"api-9","expiresIn":60,"chave":"api-8"}}"#;
    let stage = OperationFixture::new("201 Created", "", reply).await;
    let service = stage.service("");
    let login = service.login(&login_body(&service)).await.unwrap();
    assert_eq!((login.token.expose(), &*login.identity), ("api-9", "ana@loja.example"));
    assert_eq!(login.expires, Some(Wall(NOW.0 + 60_000)));
    assert!(login.jwt.is_none());
    let body = r#"{"email":"ana@loja.example","password":"correct horse"}"#;
    let wanted = expected(&stage.server, "POST /api/v1/api-auth/login", &[JSON], body);
    assert_eq!(stage.server.request(), wanted);

    let seen = stage.watched.exchange();
    let request = r#"{"email":"ana@loja.example","password":"…"}"#;
    assert_eq!(seen.request_body.as_deref(), Some(request));
    let shown = seen.reply.unwrap().body;
    assert_eq!(
        shown.raw(),
        r#"{"data":{"accessToken":"…","expiresIn":60,"chave":"…"}}"#,
        "a token may stand anywhere in a login's reply"
    );
}

#[tokio::test]
async fn a_login_may_yield_a_jwt_or_its_token_in_a_header() {
    let stage =
        OperationFixture::new("200 OK", "Authorization: Bearer api-9\r\n", r#"{"jwt":"j"}"#).await;
    let service = stage.service("login.jwt = ['/jwt']");
    let login = service.login(&login_body(&service)).await.unwrap();
    assert_eq!(login.token.expose(), "api-9");
    let (jwt, expires) = login.jwt.unwrap();
    assert_eq!((jwt.expose(), expires), ("j", None));
    assert!(!format!("{:?}", stage.watched.exchange()).contains("api-9"));
}

#[tokio::test]
async fn login_without_token_names_paths_and_no_secret() {
    let reply = r#"{"ok":true,"credencial":"api-9","echo":"correct horse"}"#;
    let stage = OperationFixture::new("200 OK", "set-cookie: s=api-9\r\n", reply).await;
    let service = stage.service("");
    let failure = service.login(&login_body(&service)).await.unwrap_err();
    let Failure::Unreadable { looked_for, body, .. } = &failure else { panic!("{failure:?}") };
    assert_eq!(looked_for, &["login.token", "login.token_header"]);
    assert_eq!(body.raw(), r#"{"ok":true,"credencial":"…","echo":"…"}"#);
    let seen = format!("{:?} {failure:?}", stage.watched.exchange());
    assert!(!seen.contains("api-9") && !seen.contains(PASSWORD), "{seen}");

    let stage = OperationFixture::new("200 OK", "", "plain api-9").await;
    let service = stage.service("");
    assert!(service.login(&login_body(&service)).await.is_err());
    assert!(!format!("{:?}", stage.watched.exchange()).contains("api-9"));

    let stage = OperationFixture::new("401 No", "", r#"{"message":"não: correct horse"}"#).await;
    let service = stage.service("");
    let failure = service.login(&login_body(&service)).await.unwrap_err();
    let Failure::Unauthorized { credential: None, refusal } = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(refusal.message.unwrap().raw(), "não: …");
}

#[tokio::test]
async fn login_exchange_shows_nothing_but_the_identity() {
    let reply = r#"{"message":"Senha 'correct horse' ou PIN 4321-abc errados para ana@loja"}"#;
    let stage = OperationFixture::new("401 No", "", reply).await;
    let lines = "login.body = ['email', 'pin', 'password']\n\
                 login.field.pin = { name = 'pin', kind = 'text', default = '4321-abc' }";
    let service = stage.service(lines);
    let password = Secret::new(PASSWORD.into());
    let typed = |field: &FieldSpec| match field.kind {
        FieldKind::Secret => Some(FieldInput::Secret(&password)),
        FieldKind::Email => Some(FieldInput::Text("ana@loja")),
        _ => None,
    };
    let body = service.contract().login.form.body(typed).unwrap();
    let failure = service.login(&body).await.unwrap_err();
    assert!(stage.server.request().ends_with(r#""pin":"4321-abc","password":"correct horse"}"#));
    let seen = stage.watched.exchange();
    let masked = r#"{"email":"ana@loja","pin":"…","password":"…"}"#;
    assert_eq!(seen.request_body.as_deref(), Some(masked));
    let told = format!("{seen:?} {failure:?}");
    assert!(told.contains("Senha '…' ou PIN … errados para ana@loja"), "{told}");
    assert!(!told.contains("4321") && !told.contains("horse"), "{told}");
}

#[tokio::test]
async fn domains_are_asked_for_with_the_jwt() {
    let stage = OperationFixture::new("200 OK", "", r#"{"data":["a.example"]}"#).await;
    let domains = stage.service("").domains(stage.credential(CredentialKind::Jwt)).await.unwrap();
    assert_eq!((domains[0].host.raw(), &domains[0].state), ("a.example", &DomainState::Usable));
    let first = "GET /api/v1/payment-links/available-domains";
    assert_eq!(stage.server.request(), expected(&stage.server, first, &[BEARER], ""));
    let seen = stage.watched.exchange();
    assert!(!format!("{seen:?}").contains("tok-123"));
    assert!(seen.request_headers.contains(&("authorization".into(), "Bearer …".into())));
}

#[tokio::test]
async fn link_request_and_url_are_exact_to_the_byte() {
    let url = " https://Loja.example/checkout/link-1?x=%C3%A9\\u0007 ";
    let stage = OperationFixture::new("201 Created", "", &format!(r#"{{"url":"{url}"}}"#)).await;
    let service = stage.service("");
    let jwt = stage.credential(CredentialKind::Jwt);
    let made = service.create_link(jwt, &stage.request(None)).await.unwrap();
    assert_eq!(made.raw(), " https://Loja.example/checkout/link-1?x=%C3%A9\u{7} ");
    let body = r#"{"amount":10.10,"description":"Bolo de cenoura"}"#;
    let first = "POST /api/v1/payment-links";
    assert_eq!(stage.server.request(), expected(&stage.server, first, &[JSON, BEARER], body));

    let stage = OperationFixture::new("201 Created", "", r#"{"link":"x"}"#).await;
    let jwt = stage.credential(CredentialKind::Jwt);
    let request = stage.request(Some("loja.example"));
    let failure = stage.service("").create_link(jwt, &request).await.unwrap_err();
    assert!(stage.server.request().ends_with(r#","checkoutDomain":"loja.example"}"#));
    assert!(matches!(failure, Failure::Unreadable { status: 201, looked_for, .. }
        if looked_for == ["create_link.url"]));
}

#[tokio::test]
async fn a_direct_payment_reads_what_is_there() {
    let reply = r#"{"id":7,"status":"PENDING","pix":{"qrCode":"000201"},"expiresAt":"2026"}"#;
    let stage = OperationFixture::new("200 OK", "", reply).await;
    let service = stage.service("direct_payment.body = ['amount', 'description']");
    let body = service.contract().direct_payment.form.body(|field| match field.kind {
        FieldKind::Amount => Some(FieldInput::Amount(Money::from_centavos(10))),
        _ => Some(FieldInput::Text("Café")),
    });
    let jwt = stage.credential(CredentialKind::Jwt);
    let made = service.direct_payment(jwt, body.unwrap().text()).await.unwrap();
    let wanted = ChargeOutcome::Created {
        id: Some("7".into()),
        status: Some("PENDING".into()),
        pix_code: Some("000201".into()),
        expires: Some("2026".into()),
    };
    assert_eq!(made, wanted);
    let body = r#"{"amount":0.10,"description":"Café"}"#;
    let first = "POST /api/v1/direct/payment";
    assert_eq!(stage.server.request(), expected(&stage.server, first, &[JSON, BEARER], body));
}

#[tokio::test]
async fn preview_by_query_or_body_returns_a_quote() {
    let amount = Money::from_centavos(1_010);
    let stage = OperationFixture::new("200 OK", "", r#"{"data":{"fee":"1.10"}}"#).await;
    let token = stage.credential(CredentialKind::ApiToken);
    let quote = stage.service("").fee_preview(token, amount).await.unwrap();
    assert_eq!((quote.fee, quote.net), (Money::from_centavos(110), Money::from_centavos(900)));
    assert_eq!(
        (quote.fee_source, quote.net_source),
        (FigureSource::Service, FigureSource::Computed)
    );
    let first = "GET /api/v1/withdrawals/fee-preview?amount=10.10";
    assert_eq!(stage.server.request(), expected(&stage.server, first, &[BEARER], ""));

    let stage = OperationFixture::new("200 OK", "", r#"{"fee":110,"net":900}"#).await;
    let token = stage.credential(CredentialKind::ApiToken);
    let service = stage.service("fee_preview.method = 'POST'\nfee_preview.unit = 'centavos'");
    assert_eq!(service.fee_preview(token, amount).await.unwrap().fee, Money::from_centavos(110));
    assert!(stage.server.request().ends_with("\r\n\r\n{\"amount\":1010}"));
}

#[tokio::test]
async fn figures_that_do_not_add_up_are_a_fault() {
    let amount = Money::from_centavos(1_010);
    let stage = OperationFixture::new("200 OK", "", r#"{"fee":1.10,"net":9.01}"#).await;
    let token = stage.credential(CredentialKind::ApiToken);
    let failure = stage.service("").fee_preview(token, amount).await.unwrap_err();
    assert!(matches!(failure, NoQuote::Fault(QuoteFault::DoesNotAddUp { .. })));
    let stage = OperationFixture::new("200 OK", "", r#"{"taxa":1.10}"#).await;
    let token = stage.credential(CredentialKind::ApiToken);
    let failure = stage.service("").fee_preview(token, amount).await.unwrap_err();
    let NoQuote::Failure(Failure::Unreadable { looked_for, body, .. }) = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(looked_for, ["fee_preview.fee", "fee_preview.net"]);
    assert_eq!(body.raw(), r#"{"taxa":1.10}"#);
}

#[tokio::test]
async fn operations_without_consent_send_nothing() {
    let fixture = OperationFixture::new("200 OK", JSON, "{}").await;
    for why in [NotSent::NotAgreed, NotSent::Vault] {
        let consent = Arc::new(move |contract: &Contract| {
            assert_eq!(contract.login.call.path, "/seen-by-the-check");
            Err(why)
        });
        let service = Watched::under(consent)
            .service(&fixture.server.base, "login.path = '/seen-by-the-check'");
        let (jwt, token) = (CredentialKind::Jwt, CredentialKind::ApiToken);
        let amount = Money::from_centavos(1_010);
        let not_quoted = match service.fee_preview(fixture.credential(token), amount).await {
            Err(NoQuote::Failure(failure)) => failure,
            other => panic!("{other:?}"),
        };
        let refused = [
            service.login(&login_body(&service)).await.unwrap_err(),
            service.domains(fixture.credential(jwt)).await.unwrap_err(),
            service.create_link(fixture.credential(jwt), &fixture.request(None)).await.unwrap_err(),
            service.direct_payment(fixture.credential(jwt), "{}").await.unwrap_err(),
            not_quoted,
        ];
        assert_eq!(refused, [(); 5].map(|()| Failure::NotSent(why)));
    }
    assert!(fixture.server.requests().is_empty());
}
