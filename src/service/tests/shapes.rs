//! The shapes that a contract can give to requests and replies.

use super::operations::OperationFixture;
use super::*;
use crate::contract::{FieldInput, FieldKind, FieldSpec};
use crate::trade::{ChargeOutcome, LinkOutcome, Money, NoQuote};

/// The body of a small direct payment.
fn payment_body(service: &Service) -> String {
    let body = service.contract().direct_payment.form.body(|field: &FieldSpec| match field.kind {
        FieldKind::Amount => Some(FieldInput::Amount(Money::from_centavos(10))),
        _ => Some(FieldInput::Text("x")),
    });
    body.map(|body| body.text().to_owned()).unwrap()
}

const SMALL: &str = "direct_payment.body = ['amount', 'description']\n";

#[tokio::test]
async fn a_success_that_says_it_failed_is_a_refusal_that_proves_nothing() {
    let reply =
        r#"{"url":"https://loja.example/c","state":"REJECTED","message":"Sem saldo","ok":1}"#;
    let stage = OperationFixture::new("201 Created", "", reply).await;
    let lines = "create_link.status = ['/state']\ncreate_link.failed_words = ['rejected']";
    let service = stage.service(lines);
    let jwt = stage.credential(CredentialKind::Jwt);
    let failure = service.create_link(jwt, &stage.request(None)).await.unwrap_err();
    let Failure::Refused(refusal) = &failure else { panic!("{failure:?}") };
    assert_eq!((refusal.status, refusal.message.as_ref().unwrap().raw()), (201, "Sem saldo"));
    assert_eq!(LinkOutcome::of_failure(&failure), LinkOutcome::Unknown);
    let link = stage.service("").create_link(jwt, &stage.request(None)).await.unwrap();
    assert_eq!(link.raw(), "https://loja.example/c");

    let service = stage.service("fee_preview.failed_flag = ['/ok']");
    let token = stage.credential(CredentialKind::ApiToken);
    let failure = service.fee_preview(token, Money::from_centavos(10)).await.unwrap_err();
    assert!(matches!(failure, NoQuote::Failure(Failure::Unreadable { .. })), "{failure:?}");
}

#[tokio::test]
async fn a_preview_and_a_payment_that_say_no_are_no_preview_and_no_payment() {
    let reply = r#"{"id":"7","fee":1,"amount":0.10,"success":false,"status":"tok-123"}"#;
    let stage = OperationFixture::new("200 OK", "", reply).await;
    let token = stage.credential(CredentialKind::ApiToken);
    let lines = "fee_preview.failed_flag = ['/success']\nfee_preview.success = [200]";
    let failure = stage.service(lines).fee_preview(token, Money::from_centavos(10)).await;
    let Err(NoQuote::Failure(Failure::Refused(refusal))) = failure else { panic!("{failure:?}") };
    assert_eq!(refusal.message.unwrap().raw(), "false", "without words of its own the sign itself");

    let service = stage.service(&format!("{SMALL}direct_payment.failed_words = ['tok-123']"));
    let jwt = stage.credential(CredentialKind::Jwt);
    let failure = service.direct_payment(jwt, &payment_body(&service)).await.unwrap_err();
    let Failure::Refused(refusal) = failure else { panic!("{failure:?}") };
    assert_eq!(refusal.message.unwrap().raw(), "…", "a secret said back is masked");
}

#[tokio::test]
async fn a_payment_without_the_id_that_must_be_there_is_not_taken_for_one() {
    let stage = OperationFixture::new("201 Created", "", r#"{"qrCode":"000201"}"#).await;
    let jwt = stage.credential(CredentialKind::Jwt);
    let service = stage.service(&format!("{SMALL}direct_payment.id_required = true"));
    let failure = service.direct_payment(jwt, &payment_body(&service)).await.unwrap_err();
    let Failure::Unreadable { looked_for, .. } = failure else { panic!("{failure:?}") };
    assert_eq!(looked_for, ["direct_payment.id"]);
    let service = stage.service(SMALL);
    let made = service.direct_payment(jwt, &payment_body(&service)).await.unwrap();
    assert!(matches!(made, ChargeOutcome::Created { id: None, .. }));
}

#[tokio::test]
async fn a_credential_and_fixed_headers_leave_as_the_contract_says_and_are_masked() {
    let stage = OperationFixture::new("200 OK", "", r#"{"fee":"0.01","echo":"tok-123"}"#).await;
    let lines = "credential.api-token.headers = ['X-Api-Key: {}']\n\
                 request.headers = ['X-Store: 12']\nfee_preview.headers = ['X-App-Token: abc']";
    let token = stage.credential(CredentialKind::ApiToken);
    stage.service(lines).fee_preview(token, Money::from_centavos(10)).await.unwrap();
    let request = stage.server.request();
    for line in ["X-Api-Key: tok-123", "X-Store: 12", "X-App-Token: abc"] {
        assert_eq!(request.matches(&format!("\r\n{line}\r\n")).count(), 1, "{line} in {request}");
    }
    assert!(!request.contains("Authorization"));
    let seen = stage.watched.exchange();
    let shown = |name: &str| {
        let mut headers = seen.request_headers.iter();
        headers.find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    };
    assert_eq!((shown("x-api-key"), shown("x-store")), (Some("…"), Some("12")));
    assert_eq!(shown("x-app-token"), Some("…"));
    assert!(!format!("{seen:?}").contains("tok-123"));
}
