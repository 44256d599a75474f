//! Tests of the login under which the lines of a batch are sent.

use super::*;
use crate::journal::history::TakenLine;
use crate::runtime::world::imports::LineSender;
use crate::trade::{Account, CredentialKind, Failure, LinkRequest, Money, RowId, Secret};
use crate::vault::StoredCredential;

fn credential(identity: &str) -> Arc<StoredCredential> {
    Arc::new(StoredCredential {
        identity: identity.into(),
        secret: Secret::new("token".into()),
        since: None,
        expires: None,
        note: None,
    })
}

#[tokio::test]
async fn batch_is_sent_only_under_the_login_it_began_with() {
    let dir = tempfile::tempdir().unwrap();
    let vault = VaultHandle::memory();
    let (world, _inbox) = build(builder(dir.path(), vault.clone()));
    let context = &world.context;
    let log_in = async |kind, identity| {
        let name = context.vault.name(kind);
        vault.put(name, credential(identity)).await.unwrap();
    };
    log_in(CredentialKind::ApiToken, "ana").await;
    log_in(CredentialKind::Jwt, "ana").await;
    let account = Account {
        origin: context.service().base().origin().clone(),
        identity: "ana".into(),
    };
    let sender = LineSender::new(context, account.clone());
    let create = async || {
        let line = TakenLine {
            number: 2,
            row: RowId(1),
            request: LinkRequest {
                account: account.clone(),
                amount: Money::from_centavos(4_990),
                description: "Boné".into(),
                domain: None,
            },
        };
        sender.create(line).await.unwrap_err()
    };
    let refused = Failure::NoCredential(CredentialKind::Jwt);
    // Nothing listens at the service's address, so an accepted line is not answered.
    assert_ne!(create().await, refused);
    log_in(CredentialKind::Jwt, "bia").await;
    assert_eq!(create().await, refused, "another credential would sign");
    log_in(CredentialKind::Jwt, "ana").await;
    assert_ne!(create().await, refused);
    log_in(CredentialKind::ApiToken, "bia").await;
    assert_eq!(create().await, refused, "the account is another one");
}
