//! Credentials: read, kept, forgotten; never seen by the app.

use std::sync::{Arc, PoisonError};

use super::Outside;
use crate::app::Msg;
use crate::app::session::{Credential, Held, Keeper};
use crate::contract::{self, Typed, is_jwt, jwt_expiry, jwt_subject};
use crate::service;
use crate::trade::withdrawal::NotSent;
use crate::trade::{
    Account, CredentialKind, CredentialName, Failure, Secret, Ticket, VaultTrouble,
};
use crate::vault::{StoredCredential, VaultHandle, VaultKind};

/// The note on a credential that the demo put in place.
pub const DEMO_NOTE: &str = "demo";

/// Reads both credentials.
pub async fn read(outside: Arc<Outside>) -> Msg {
    let vault = outside.vault();
    let (mut api_token, mut jwt) = both(&outside, &vault).await;
    if let (Ok(None), Ok(None)) = (&api_token, &jwt) {
        // An empty keyring and a locked one answer alike; only storing tells whether it would keep.
        // That unlocks it, and what it holds is seen only then.
        match vault.status().await {
            Ok(_) => (api_token, jwt) = both(&outside, &vault).await,
            Err(trouble) => api_token = Err(trouble),
        }
    }
    let keeper = match (&api_token, &jwt) {
        (Err(trouble), _) | (_, Err(trouble)) => Keeper::Trouble(trouble.clone()),
        _ => keeper_of(vault.kind()),
    };
    Msg::CredentialsRead { keeper, api_token: known(api_token), jwt: known(jwt) }
}

/// What the vault says of a credential.
type Found = Result<Option<Arc<StoredCredential>>, VaultTrouble>;

/// Both credentials, as the vault has them now.
async fn both(outside: &Outside, vault: &VaultHandle) -> (Found, Found) {
    tokio::join!(
        vault.get(name(outside, CredentialKind::ApiToken)),
        vault.get(name(outside, CredentialKind::Jwt)),
    )
}

/// Keeps credentials in memory from now on.
pub async fn use_memory(outside: Arc<Outside>) -> Msg {
    *outside.vault.lock().unwrap_or_else(PoisonError::into_inner) = VaultHandle::memory();
    read(outside).await
}

fn keeper_of(kind: VaultKind) -> Keeper {
    match kind {
        VaultKind::Keyring => Keeper::Keyring,
        VaultKind::Memory => Keeper::Memory,
    }
}

fn known(found: Found) -> Credential {
    match found {
        Ok(Some(stored)) => Credential::Held(held(&stored)),
        Ok(None) | Err(_) => Credential::Absent,
    }
}

fn held(stored: &StoredCredential) -> Held {
    Held {
        identity: stored.identity.clone(),
        expires: stored.expires,
        from_demo: stored.note.as_deref() == Some(DEMO_NOTE),
    }
}

fn name(outside: &Outside, kind: CredentialKind) -> CredentialName {
    CredentialName { origin: outside.service.base().origin().clone(), kind }
}

/// Logs in, and keeps what the login yields.
pub async fn log_in(
    outside: Arc<Outside>,
    ticket: Ticket,
    values: Vec<(Arc<str>, String)>,
    secrets: Vec<(Arc<str>, Secret)>,
) -> Msg {
    Msg::LoggedIn { ticket, result: try_log_in(&outside, &values, &secrets).await }
}

async fn try_log_in(
    outside: &Outside,
    values: &[(Arc<str>, String)],
    secrets: &[(Arc<str>, Secret)],
) -> Result<Vec<(CredentialKind, Credential)>, Failure> {
    let typed = |field: &contract::Field| {
        let value = values.iter().find(|(name, _)| **name == *field.id);
        let secret = secrets.iter().find(|(name, _)| **name == *field.id);
        let value = value.map(|(_, value)| Typed::Text(value));
        value.or_else(|| secret.map(|(_, secret)| Typed::Secret(secret)))
    };
    let form = &outside.service.contract().login.form;
    // The form on the screen checked what is required; the rest is for the service to say.
    let body = form.body(typed).map_err(|_| Failure::NotSent(NotSent::NoCredential))?;
    let logged_in = outside.service.login(&body).await?;
    let identity = logged_in.identity.clone();
    let token = StoredCredential {
        identity: identity.clone(),
        secret: logged_in.token,
        expires: logged_in.expires,
        note: None,
    };
    let mut kept = vec![keep(outside, CredentialKind::ApiToken, token).await?];
    if let Some((secret, expires)) = logged_in.jwt {
        let jwt = StoredCredential { identity, secret, expires, note: None };
        kept.push(keep(outside, CredentialKind::Jwt, jwt).await?);
    } else if let Some(jwt) = outside.stage.as_ref().and_then(|stage| stage.jwt()) {
        // Whoever logged out of the demo has no other way back to one.
        let jwt = jwt_credential(jwt, Some(DEMO_NOTE));
        kept.push(keep(outside, CredentialKind::Jwt, jwt).await?);
    }
    Ok(kept)
}

async fn keep(
    outside: &Outside,
    kind: CredentialKind,
    credential: StoredCredential,
) -> Result<(CredentialKind, Credential), Failure> {
    let credential = Arc::new(credential);
    let known = Credential::Held(held(&credential));
    let kept = outside.vault().put(name(outside, kind), credential).await;
    kept.map_err(Failure::Vault)?;
    Ok((kind, known))
}

/// Keeps a pasted JWT.
pub async fn keep_jwt(outside: Arc<Outside>, ticket: Ticket, jwt: Option<Secret>) -> Msg {
    let Some(jwt) = jwt else {
        let result = Err(Failure::NoCredential(CredentialKind::Jwt));
        return Msg::JwtKept { ticket, result };
    };
    // What is no JWT would only be refused later, where nobody thinks of this paste any more.
    if !is_jwt(jwt.expose()) {
        return Msg::JwtKept { ticket, result: Err(Failure::NotAJwt) };
    }
    let credential = jwt_credential(jwt, None);
    let kept = keep(&outside, CredentialKind::Jwt, credential).await;
    Msg::JwtKept { ticket, result: kept.map(|(_, credential)| credential) }
}

/// A JWT with what can be read in it: whose it is and until when.
pub fn jwt_credential(jwt: Secret, note: Option<&str>) -> StoredCredential {
    let subject = jwt_subject(jwt.expose());
    let identity = subject.map(|subject| subject.shown_within(120)).unwrap_or_default();
    let expires = jwt_expiry(jwt.expose());
    let note = note.map(Arc::from);
    StoredCredential { identity: identity.into(), secret: jwt, expires, note }
}

/// Forgets both credentials.
pub async fn log_out(outside: Arc<Outside>) -> Msg {
    let vault = outside.vault();
    let (api_token, jwt) = tokio::join!(
        vault.delete(name(&outside, CredentialKind::ApiToken)),
        vault.delete(name(&outside, CredentialKind::Jwt)),
    );
    Msg::LoggedOut(api_token.and(jwt))
}

/// The stored credential an operation is sent with.
pub async fn credential(
    outside: &Outside,
    kind: CredentialKind,
) -> Result<Arc<StoredCredential>, Failure> {
    let stored = outside.vault().get(name(outside, kind)).await.map_err(Failure::Vault)?;
    stored.ok_or(Failure::NoCredential(kind))
}

/// Finds the credential of an account just before its money is sent.
pub struct MoneyCredentials {
    /// The vault of this moment.
    pub vault: Arc<std::sync::Mutex<VaultHandle>>,
}

impl service::Credentials for MoneyCredentials {
    async fn credential(&self, account: &Account, kind: CredentialKind) -> Result<Secret, NotSent> {
        let vault = self.vault.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let name = CredentialName { origin: account.origin.clone(), kind };
        match vault.get(name).await {
            Err(_) => Err(NotSent::Vault),
            Ok(None) => Err(NotSent::NoCredential),
            Ok(Some(stored)) if stored.identity != account.identity => Err(NotSent::OtherAccount),
            Ok(Some(stored)) => Ok(stored.secret.duplicate()),
        }
    }
}
