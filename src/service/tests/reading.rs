//! A client that only reads: nothing that creates or pays leaves, whatever asks for it.

use super::*;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Account, LinkRequest, Money};

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
