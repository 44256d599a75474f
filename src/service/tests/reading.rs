//! A client that only reads: nothing that creates or pays leaves, whatever asks for it.

use super::operations::login_body;
use super::*;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Account, LinkRequest, Money, NoQuote};

const HELD_BACK: Failure = Failure::NotSent(NotSent::ReadOnly);

#[tokio::test]
async fn nothing_that_creates_or_pays_leaves_it() {
    let server = Server::answering("201 Created", "", r#"{"url":"https://loja.example/a"}"#).await;
    let watched = Watched::with(Limits { reads_only: true, ..Limits::default() });
    let service = watched.service(&server.base, "");
    let (origin, secret) = (server.base.origin().clone(), Secret::new("tok-123".into()));
    let jwt = BoundCredential { kind: CredentialKind::Jwt, origin: &origin, secret: &secret };
    let account = Account { origin: origin.clone(), identity: "ana".into() };
    let link = LinkRequest {
        account,
        amount: Money::from_centavos(1_010),
        description: "Bolo".into(),
        domain: None,
    };
    assert_eq!(service.create_link(jwt, &link).await, Err(HELD_BACK));
    assert_eq!(service.direct_payment(jwt, "{}").await, Err(HELD_BACK));
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn what_only_reads_is_sent_as_ever() {
    let server = Server::answering("200 OK", "", r#"["loja.example"]"#).await;
    let watched = Watched::with(Limits { reads_only: true, ..Limits::default() });
    let service = watched.service(&server.base, "");
    let (origin, secret) = (server.base.origin().clone(), Secret::new("tok-123".into()));
    let jwt = BoundCredential { kind: CredentialKind::Jwt, origin: &origin, secret: &secret };
    assert_eq!(service.domains(jwt).await.map(|domains| domains.len()), Ok(1));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn question_by_post_is_not_sent_read_only() {
    let server = Server::answering("200 OK", "", r#"{"fee":1}"#).await;
    let watched = Watched::with(Limits { reads_only: true, ..Limits::default() });
    let service =
        watched.service(&server.base, "domains.method = 'POST'\nfee_preview.method = 'POST'");
    let (origin, secret) = (server.base.origin().clone(), Secret::new("tok-123".into()));
    let of = |kind| BoundCredential { kind, origin: &origin, secret: &secret };
    assert_eq!(service.domains(of(CredentialKind::Jwt)).await, Err(HELD_BACK));
    let quote = service.fee_preview(of(CredentialKind::ApiToken), Money::from_centavos(10)).await;
    assert_eq!(quote, Err(NoQuote::Failure(HELD_BACK)));
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn login_and_plain_get_are_sent_read_only() {
    let server = Server::answering("200 OK", "", r#"{"token":"t","fee":1}"#).await;
    let watched = Watched::with(Limits { reads_only: true, ..Limits::default() });
    let service = watched.service(&server.base, "");
    assert!(service.login(&login_body(&service)).await.is_ok());
    let (origin, secret) = (server.base.origin().clone(), Secret::new("tok-123".into()));
    let token =
        BoundCredential { kind: CredentialKind::ApiToken, origin: &origin, secret: &secret };
    assert!(service.fee_preview(token, Money::from_centavos(10_000)).await.is_ok());
    assert_eq!(server.requests().len(), 2);
}
