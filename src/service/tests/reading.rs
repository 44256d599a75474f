//! Tests that a client in read-only mode sends no request that could create or pay something.

use super::operations::{OperationFixture, login_body};
use super::*;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Money, NoQuote};

const HELD_BACK: Failure = Failure::NotSent(NotSent::ReadOnly);

async fn reading(body: &str) -> OperationFixture {
    let watched = Watched::with(Limits { reads_only: true, ..Limits::default() });
    OperationFixture { watched, ..OperationFixture::new("200 OK", "", body).await }
}

#[tokio::test]
async fn read_only_client_sends_no_create_or_payment() {
    let stage = reading(r#"{"url":"https://loja.example/a","fee":1}"#).await;
    let (jwt, token) =
        (stage.credential(CredentialKind::Jwt), stage.credential(CredentialKind::ApiToken));
    let service = stage.service("domains.method = 'POST'\nfee_preview.method = 'POST'");
    assert_eq!(service.create_link(jwt, &stage.request(None)).await, Err(HELD_BACK));
    assert_eq!(service.direct_payment(jwt, "{}").await, Err(HELD_BACK));
    // In this API contract, a `POST` lists the checkout domains. It is not sent, because it might
    // change data at the service.
    assert_eq!(service.domains(jwt).await, Err(HELD_BACK));
    let quote = service.fee_preview(token, Money::from_centavos(10)).await;
    assert_eq!(quote, Err(NoQuote::Failure(HELD_BACK)));
    assert!(stage.server.requests().is_empty());
}

#[tokio::test]
async fn login_and_plain_get_are_sent_read_only() {
    let stage = reading(r#"{"token":"t","fee":1,"data":["loja.example"]}"#).await;
    let service = stage.service("");
    assert!(service.login(&login_body(&service)).await.is_ok());
    let token = stage.credential(CredentialKind::ApiToken);
    assert!(service.fee_preview(token, Money::from_centavos(10_000)).await.is_ok());
    let domains = service.domains(stage.credential(CredentialKind::Jwt)).await;
    assert_eq!(domains.map(|domains| domains.len()), Ok(1));
    assert_eq!(stage.server.requests().len(), 3);
}
