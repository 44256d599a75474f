//! Tests that a client in read-only mode sends no request that could create or pay something.

use super::operations::{OperationFixture, login_body};
use super::*;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Money, NoQuote};

const READ_ONLY: Failure = Failure::NotSent(NotSent::ReadOnly);

async fn read_only_fixture(body: &str) -> OperationFixture {
    let recorder = RecordingClient::with_limits(Limits {
        is_read_only: true,
        ..Limits::default()
    });
    OperationFixture {
        recorder,
        ..OperationFixture::new("200 OK", "", body).await
    }
}

#[tokio::test]
async fn read_only_client_sends_no_create_or_payment() {
    let fixture = read_only_fixture(r#"{"url":"https://loja.example/a","fee":1}"#).await;
    let jwt = fixture.credential(CredentialKind::Jwt);
    let token = fixture.credential(CredentialKind::ApiToken);
    let service = fixture.service("domains.method = 'POST'\nfee_preview.method = 'POST'");
    assert_eq!(
        service.create_link(jwt, ROW, &fixture.request(None)).await,
        Err(READ_ONLY)
    );
    assert_eq!(service.direct_payment(jwt, ROW, "{}").await, Err(READ_ONLY));
    // In this API contract, a `POST` lists the checkout domains. It is not sent, because it might
    // change data at the service.
    assert_eq!(service.domains(jwt).await, Err(READ_ONLY));
    let quote = service.fee_preview(token, Money::from_centavos(10)).await;
    assert_eq!(quote, Err(NoQuote::Failure(READ_ONLY)));
    assert!(fixture.server.requests().is_empty());
}

#[tokio::test]
async fn read_only_login_is_not_sent_to_a_creating_path() {
    let fixture = read_only_fixture(r#"{"token":"t"}"#).await;
    for path in [
        "/novo",
        "/Novo/",
        "/cobrar.json?x=1",
        "/saques",
        "/api/v1/%70ayment-links",
        "/api/v1/direct/payment",
        "/api/v1/integrations/withdrawals",
        "/x/../novo",
    ] {
        let lines = "create_link.path = '/novo'\ndirect_payment.path = '/cobrar'\n\
                     withdrawal.path = '/saques'";
        let mut contract = Contract::with(&[("mine.toml", lines)]).unwrap();
        // A contract file with this path is refused, but the last check does not rely on that.
        contract.login.call.path = path.to_owned();
        let base = fixture.server.base.clone();
        let client = fixture.recorder.client.clone();
        let service = Service::new(base, Arc::new(contract), client);
        let result = service.login(&login_body(&service)).await;
        assert_eq!(result.err(), Some(READ_ONLY), "{path}");
    }
    assert!(fixture.server.requests().is_empty());
}

/// The base URL can contain the beginning of a path at which something is created or paid.
#[tokio::test]
async fn login_is_not_sent_to_a_path_the_base_completes() {
    let body = r#"{"token":"t"}"#;
    let read_only = read_only_fixture(body).await;
    for fixture in [read_only, OperationFixture::new("200 OK", "", body).await] {
        for (base, path) in [
            ("/api/v1", "/payment-links"),
            ("/api/v1/direct/", "/Payment"),
            ("/api/v1/integrations", "/withdrawals"),
            ("/x/../api/v1", "/payment-links"),
        ] {
            let base = format!("{}{base}", fixture.server.base.as_str());
            let contract = format!("login.path = '{path}'");
            let contract = Contract::with(&[("mine.toml", &contract)]).unwrap();
            let base = BaseUrl::parse(&base).unwrap();
            let service = Service::new(base, Arc::new(contract), fixture.recorder.client.clone());
            assert!(
                service.login(&login_body(&service)).await.is_err(),
                "{path}"
            );
        }
        assert!(fixture.server.requests().is_empty());
    }
}

#[tokio::test]
async fn login_and_plain_get_are_sent_read_only() {
    let fixture = read_only_fixture(r#"{"token":"t","fee":1,"data":["loja.example"]}"#).await;
    let service = fixture.service("");
    assert!(service.login(&login_body(&service)).await.is_ok());
    let token = fixture.credential(CredentialKind::ApiToken);
    assert!(
        service
            .fee_preview(token, Money::from_centavos(10_000))
            .await
            .is_ok()
    );
    let domains = service
        .domains(fixture.credential(CredentialKind::Jwt))
        .await;
    assert_eq!(domains.map(|list| list.domains.len()), Ok(1));
    assert_eq!(fixture.server.requests().len(), 3);
}
