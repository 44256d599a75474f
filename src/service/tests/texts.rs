//! Tests of replies in character sets other than UTF-8, and of replies that repeat a secret.

use std::future::ready;

use futures_util::future::BoxFuture;

use super::operations::OperationFixture;
use super::*;
use crate::contract::{FieldInput, FieldKind};
use crate::trade::{CreatedCharge, Failure, Refusal, Untrusted};

/// Starts a server that sends these headers and this body.
async fn fixture_with_reply(head: &str, body: &[u8]) -> OperationFixture {
    let head = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n", body.len());
    let mut fixture = OperationFixture::new("200 OK", "", "").await;
    fixture.server = Server::start(ServerScript::Answer([head.as_bytes(), body].concat())).await;
    fixture
}

async fn create_link(fixture: &OperationFixture) -> Result<Untrusted, Failure> {
    let jwt = fixture.credential(CredentialKind::Jwt);
    let created = fixture
        .service("")
        .create_link(jwt, ROW, &fixture.request(None))
        .await;
    created.map(|link| link.url)
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
        let link = create_link(&fixture_with_reply("201 Created", body).await).await;
        assert_eq!(link, Ok(URL.into()), "{}", String::from_utf8_lossy(body));
    }
    for url in [
        &br#"https://loja.example/\ud83d"#[..],
        b"https://loja.example/\xC3\xA9\xC3",
        b"https://loja.example/\xFF1",
    ] {
        let body = [b"{\"url\":\"", url, b"\"}"].concat();
        let link = create_link(&fixture_with_reply("201 Created", &body).await).await;
        assert!(matches!(link, Err(Failure::Unreadable { .. })), "{link:?}");
    }
}

#[tokio::test]
async fn refusal_without_known_message_shows_its_body() {
    let long = format!(r#"{{"motivo":"{}"}}"#, "x".repeat(1_000));
    for (body, expected) in [
        (
            r#"{"codigo":7,"motivo":"falta"}"#,
            Some(r#"{"codigo":7,"motivo":"falta"}"#),
        ),
        (
            r#"{"message":"NO_DOMAIN","detail":"Falta o domínio."}"#,
            Some("Falta o domínio."),
        ),
        (r#"{"message":"NO_DOMAIN"}"#, Some("NO_DOMAIN")),
        ("Payload too large", Some("Payload too large")),
        (
            r#"{"motivo":"Bearer tok-1234567890"}"#,
            Some(r#"{"motivo":"Bearer …"}"#),
        ),
        (&long, Some(&long[..300])),
        ("{}", None),
        (" ", None),
    ] {
        let mut fixture = fixture_with_reply("400 Bad", body.as_bytes()).await;
        fixture.secret = Secret::new("tok-1234567890".into());
        let Err(Failure::Refused(refusal)) = create_link(&fixture).await else {
            panic!("{body}")
        };
        assert_eq!(
            refusal.message.as_ref().map(Untrusted::shown).as_deref(),
            expected
        );
    }
}

#[tokio::test]
async fn refusal_in_another_encoding_keeps_its_reason() {
    let latin = b"{\"message\":\"Dom\xEDnio obrigat\xF3rio.\",\"action\":\"Escolha um.\"}";
    let with_charset = "400 Bad Request\r\ncontent-type: application/json; charset=iso-8859-1";
    let with_byte_order_mark = [
        b"\xEF\xBB\xBF",
        "{\"message\":\"Domínio obrigatório.\"}".as_bytes(),
    ]
    .concat();
    for (head, body) in [
        (with_charset, &latin[..]),
        ("400 Bad", latin),
        ("400 Bad", &with_byte_order_mark),
    ] {
        let result = create_link(&fixture_with_reply(head, body).await).await;
        let Err(Failure::Refused(Refusal { message, .. })) = result else {
            panic!("{result:?}")
        };
        assert_eq!(message, Some("Domínio obrigatório.".into()));
    }
    let lone_surrogate = br#"{"message":"Saldo \ud83d"}"#;
    let Err(Failure::Refused(refusal)) =
        create_link(&fixture_with_reply("400 Bad", lone_surrogate).await).await
    else {
        panic!()
    };
    assert_eq!(refusal.message, Some("Saldo \u{FFFD}".into()));
}

/// A consent check that allows every API contract and supplies a second stored credential.
struct ConsentWithCredential;

impl Consent for ConsentWithCredential {
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
    for (head, body) in [
        ("201 Created", &body[..]),
        ("400 Bad", b"<p>tok-live-0123456789</p>"),
    ] {
        let recorder = RecordingClient::with_consent(Arc::new(ConsentWithCredential));
        let fixture = OperationFixture {
            recorder,
            ..fixture_with_reply(head, body).await
        };
        let service = fixture.service("");
        let jwt = fixture.credential(CredentialKind::Jwt);
        let result = service.create_link(jwt, ROW, &fixture.request(None)).await;
        assert!(!format!("{result:?}").contains("0123456789"), "{result:?}");
        let recorded_reply = fixture.recorder.exchange().reply.unwrap();
        assert!(
            !recorded_reply.body.raw().contains("0123456789"),
            "{recorded_reply:?}"
        );
    }
}

#[tokio::test]
async fn echoed_credential_is_masked_in_all_results() {
    const TOKEN: &str = "tok-1234567890";
    let with_token = |fixture: OperationFixture| OperationFixture {
        secret: Secret::new(TOKEN.into()),
        ..fixture
    };
    let body = format!(r#"{{"url":"https://loja.example/?t={TOKEN}"}}"#);
    let link = create_link(&with_token(
        fixture_with_reply("201 Created", body.as_bytes()).await,
    ))
    .await
    .unwrap();
    assert_eq!(
        (&*link.shown(), link.is_masked()),
        ("https://loja.example/?t=…", true)
    );

    for innocent in ["Bolo…", "Bolo\u{FDEF}", r"Bolo\ufdef", r"Bolo\uFDEF"] {
        let body = format!(r#"{{"url":"https://loja.example/{innocent}"}}"#);
        let fixture = with_token(fixture_with_reply("201 Created", body.as_bytes()).await);
        let link = create_link(&fixture).await;
        assert!(!link.is_ok_and(|link| link.is_masked()), "{innocent}");
        let recorded_reply = fixture.recorder.exchange().reply.unwrap();
        let tree = crate::contract::ReplyTree::read(&recorded_reply.body).unwrap();
        assert!(!format!("{tree:?}").contains("Bolo\u{FDEF}"), "{tree:?}");
        assert!(!format!("{:?}", tree.rows()).contains("Bolo…") || innocent == "Bolo…");
    }

    let body = format!(
        r#"{{"id":"{TOKEN}","status":"{TOKEN}","qrCode":"{TOKEN}","expiresAt":"x{TOKEN}"}}"#
    );
    let payment_fixture = with_token(fixture_with_reply("200 OK", body.as_bytes()).await);
    let service = payment_fixture.service("direct_payment.body = ['amount', 'description']");
    let body = service
        .contract()
        .direct_payment
        .form
        .body(|field| match field.kind {
            FieldKind::Amount => Some(FieldInput::Amount(crate::trade::Money::from_centavos(10))),
            _ => Some(FieldInput::Text("Café")),
        });
    let jwt = payment_fixture.credential(CredentialKind::Jwt);
    let created = service
        .direct_payment(jwt, ROW, body.unwrap().text())
        .await
        .unwrap();
    let masked = || Some(Untrusted::MASKED.into());
    let id = masked();
    let status = masked();
    let pix_code = masked();
    assert_eq!(
        created,
        CreatedCharge {
            id,
            status,
            pix_code,
            expires: Some("x\u{FDEF}".into())
        }
    );

    let body = format!(r#"[{{"domain":"{TOKEN}.example","status":"{TOKEN}"}}]"#);
    let fixture = with_token(fixture_with_reply("200 OK", body.as_bytes()).await);
    let domains = fixture
        .service("")
        .domains(fixture.credential(CredentialKind::Jwt))
        .await
        .unwrap();
    assert!(!format!("{domains:?}").contains(TOKEN), "{domains:?}");
    assert_eq!(domains.domains[0].host.shown(), "….example");
}
