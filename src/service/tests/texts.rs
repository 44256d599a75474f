//! Tests of replies in character sets other than UTF-8, and of replies that repeat a secret.

use std::future::ready;

use futures_util::future::BoxFuture;

use super::operations::OperationFixture;
use super::*;
use crate::contract::{FieldInput, FieldKind};
use crate::trade::{ChargeOutcome, Failure, Refusal, Untrusted};

/// Starts a server that sends these headers and this body.
async fn stage(head: &str, body: &[u8]) -> OperationFixture {
    let head = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n", body.len());
    let mut stage = OperationFixture::new("200 OK", "", "").await;
    stage.server = Server::start(ServerScript::Answer([head.as_bytes(), body].concat())).await;
    stage
}

async fn link(stage: &OperationFixture) -> Result<Untrusted, Failure> {
    let jwt = stage.credential(CredentialKind::Jwt);
    stage.service("").create_link(jwt, &stage.request(None)).await
}

#[tokio::test]
async fn odd_character_elsewhere_does_not_lose_the_link() {
    const URL: &str = "https://loja0.example.com.br/checkout/1";
    for body in [
        &b"\xEF\xBB\xBF{\"url\":\"https://loja0.example.com.br/checkout/1\"}"[..],
        br#"{"url":"https://loja0.example.com.br/checkout/1","description":"Camisa \ud83d"}"#,
        br#"{"url":"https://loja0.example.com.br/checkout/1","description":"\udc4d"}"#,
        br#"{"rate":NaN,"url":"https://loja0.example.com.br/checkout/1"}"#,
        b"{\"a\":\"a\x01\",\"url\":\"https://loja0.example.com.br/checkout/1\"}",
        b"{\"a\":\"Dom\xEDnio\",\"url\":\"https://loja0.example.com.br/checkout/1\"}",
    ] {
        let made = link(&stage("201 Created", body).await).await;
        assert_eq!(made, Ok(URL.into()), "{}", String::from_utf8_lossy(body));
    }
    for url in [
        &br#"https://loja.example/\ud83d"#[..],
        b"https://loja.example/\xC3\xA9\xC3",
        b"https://loja.example/\xFF1",
    ] {
        let body = [b"{\"url\":\"", url, b"\"}"].concat();
        let made = link(&stage("201 Created", &body).await).await;
        assert!(matches!(made, Err(Failure::Unreadable { .. })), "{made:?}");
    }
}

#[tokio::test]
async fn refusal_in_another_encoding_keeps_its_reason() {
    let latin = b"{\"message\":\"Dom\xEDnio obrigat\xF3rio.\",\"action\":\"Escolha um.\"}";
    let labelled = "400 Bad Request\r\ncontent-type: application/json; charset=iso-8859-1";
    let marked = [b"\xEF\xBB\xBF", "{\"message\":\"Domínio obrigatório.\"}".as_bytes()].concat();
    for (head, body) in [(labelled, &latin[..]), ("400 Bad", latin), ("400 Bad", &marked)] {
        let refused = link(&stage(head, body).await).await;
        let Err(Failure::Refused(Refusal { message, .. })) = refused else { panic!("{refused:?}") };
        assert_eq!(message, Some("Domínio obrigatório.".into()));
    }
    let half = br#"{"message":"Saldo \ud83d"}"#;
    let Err(Failure::Refused(refusal)) = link(&stage("400 Bad", half).await).await else {
        panic!()
    };
    assert_eq!(refusal.message, Some("Saldo \u{FFFD}".into()));
}

/// A consent check that allows every API contract and supplies a second stored credential.
struct LoggedIn;

impl Consent for LoggedIn {
    fn check<'a>(&'a self, _: &'a Contract) -> BoxFuture<'a, Result<(), NotSent>> {
        Box::pin(ready(Ok(())))
    }

    fn credentials(&self) -> BoxFuture<'_, Vec<Secret>> {
        Box::pin(ready(vec![Secret::new("tok-live-0123456789".into())]))
    }
}

#[tokio::test]
async fn other_kinds_of_credential_are_masked_in_replies() {
    let body = br#"{"url":"https://loja.example/?t=tok-live-0123456789"}"#;
    for (head, body) in [("201 Created", &body[..]), ("400 Bad", b"<p>tok-live-0123456789</p>")] {
        let watched = Watched::under(Arc::new(LoggedIn));
        let stage = OperationFixture { watched, ..stage(head, body).await };
        let service = stage.service("");
        let jwt = stage.credential(CredentialKind::Jwt);
        let made = service.create_link(jwt, &stage.request(None)).await;
        assert!(!format!("{made:?}").contains("0123456789"), "{made:?}");
        let seen = stage.watched.exchange().reply.unwrap();
        assert!(!seen.body.raw().contains("0123456789"), "{seen:?}");
    }
}

#[tokio::test]
async fn credential_that_comes_back_is_kept_in_no_record() {
    const TOKEN: &str = "tok-1234567890";
    let with_token =
        |stage: OperationFixture| OperationFixture { secret: Secret::new(TOKEN.into()), ..stage };
    let body = format!(r#"{{"url":"https://loja.example/?t={TOKEN}"}}"#);
    let made = link(&with_token(stage("201 Created", body.as_bytes()).await)).await.unwrap();
    assert_eq!((made.raw(), made.is_masked()), ("https://loja.example/?t=…", true));

    let body = format!(
        r#"{{"id":"{TOKEN}","status":"{TOKEN}","qrCode":"{TOKEN}","expiresAt":"x{TOKEN}"}}"#
    );
    let stage_ = with_token(stage("200 OK", body.as_bytes()).await);
    let service = stage_.service("direct_payment.body = ['amount', 'description']");
    let body = service.contract().direct_payment.form.body(|field| match field.kind {
        FieldKind::Amount => Some(FieldInput::Amount(crate::trade::Money::from_centavos(10))),
        _ => Some(FieldInput::Text("Café")),
    });
    let jwt = stage_.credential(CredentialKind::Jwt);
    let made = service.direct_payment(jwt, body.unwrap().text()).await.unwrap();
    let hidden = || Some("…".into());
    let (id, status, pix_code) = (hidden(), hidden(), hidden());
    assert_eq!(made, ChargeOutcome::Created { id, status, pix_code, expires: Some("x…".into()) });

    let body = format!(r#"[{{"domain":"{TOKEN}.example","status":"{TOKEN}"}}]"#);
    let stage = with_token(stage("200 OK", body.as_bytes()).await);
    let domains = stage.service("").domains(stage.credential(CredentialKind::Jwt)).await.unwrap();
    assert!(!format!("{domains:?}").contains(TOKEN), "{domains:?}");
    assert_eq!(domains[0].host.raw(), "….example");
}
