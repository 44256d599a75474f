//! Credentials: read, kept, forgotten; never seen by the app.

use std::sync::{Arc, PoisonError};

use super::{Agreements, Outside, money_lines};
use crate::app::Msg;
use crate::app::session::{Credential, Held, Keeper};
use crate::contract::{self, Contract, FieldInput, is_jwt, jwt_expiry, jwt_subject};
use crate::service;
use crate::trade::withdrawal::NotSent;
use crate::trade::{
    Account, CredentialKind, CredentialName, Failure, Origin, Secret, Ticket, VaultTrouble,
};
use crate::vault::{StoredCredential, VaultHandle};

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
        _ => Keeper::Kept(vault.kind()),
    };
    // The same vault knows what was agreed to, and may be unlocked only now.
    let agreed = money_lines::read(outside.clone()).await;
    outside.inbox.tell(agreed);
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
    let origin = outside.service.base().origin().clone();
    CredentialName { profile: outside.profile.clone(), origin, kind }
}

/// Logs in, and keeps what the login yields.
pub async fn log_in(
    outside: Arc<Outside>,
    ticket: Ticket,
    values: Vec<(Arc<str>, String)>,
    secrets: Vec<(Arc<str>, Secret)>,
) -> Msg {
    let result = try_log_in(&outside, &values, &secrets).await;
    if result.is_ok() {
        // A vault that took the token is open, whatever it said at the start.
        let agreed = money_lines::read(outside.clone()).await;
        outside.inbox.tell(agreed);
    }
    Msg::LoggedIn { ticket, result }
}

async fn try_log_in(
    outside: &Outside,
    values: &[(Arc<str>, String)],
    secrets: &[(Arc<str>, Secret)],
) -> Result<Vec<(CredentialKind, Credential)>, Failure> {
    let typed = |field: &contract::FieldSpec| {
        let value = values.iter().find(|(name, _)| **name == *field.id);
        let secret = secrets.iter().find(|(name, _)| **name == *field.id);
        let value = value.map(|(_, value)| FieldInput::Text(value));
        value.or_else(|| secret.map(|(_, secret)| FieldInput::Secret(secret)))
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

/// Forgets both credentials; what was agreed to of the contract stays.
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
    /// The profile: another one's credentials are not asked for.
    pub profile: Arc<str>,
    /// The one address that money is sent to from here.
    pub origin: Origin,
    /// The vault of this moment.
    pub vault: Arc<std::sync::Mutex<VaultHandle>>,
    /// What the seller agreed to of the contract.
    pub agreements: Agreements,
}

impl MoneyCredentials {
    fn vault(&self) -> VaultHandle {
        self.vault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl service::Credentials for MoneyCredentials {
    async fn credential(&self, account: &Account, kind: CredentialKind) -> Result<Secret, NotSent> {
        // One made at another address may be known here, and its credential too: it is sent from
        // there, under what is believed about that service.
        if account.origin != self.origin {
            return Err(NotSent::OtherAccount);
        }
        let (profile, origin) = (self.profile.clone(), account.origin.clone());
        let name = CredentialName { profile, origin, kind };
        match self.vault().get(name).await {
            Err(_) => Err(NotSent::Vault),
            Ok(None) => Err(NotSent::NoCredential),
            Ok(Some(stored)) if stored.identity != account.identity => Err(NotSent::OtherAccount),
            Ok(Some(stored)) => Ok(stored.secret.duplicate()),
        }
    }

    async fn agreed(&self, contract: &Contract) -> Result<(), NotSent> {
        self.agreements.allow(&self.vault(), contract).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::service::Credentials;

    fn place(port: u16) -> Origin {
        Origin(format!("https://api.example:{port}").into())
    }

    /// Ana is logged in at two ports of one host.
    async fn credentials() -> MoneyCredentials {
        let vault = VaultHandle::memory();
        for port in [1, 2] {
            let stored = StoredCredential {
                identity: "ana".into(),
                secret: Secret::new(format!("token {port}")),
                expires: None,
                note: None,
            };
            let (profile, kind) = ("loja".into(), CredentialKind::ApiToken);
            let name = CredentialName { profile, origin: place(port), kind };
            vault.put(name, Arc::new(stored)).await.unwrap();
        }
        let contract = Arc::new(Contract::built_in());
        let limits = crate::service::Limits::default();
        let agreements = Agreements::new("loja", &place(1), contract, limits);
        let vault = Arc::new(Mutex::new(vault));
        MoneyCredentials { profile: "loja".into(), origin: place(1), vault, agreements }
    }

    #[tokio::test]
    async fn another_profile_at_this_address_has_its_own_credential() {
        let ours = credentials().await;
        let name = |profile: &str| CredentialName {
            profile: profile.into(),
            origin: place(1),
            kind: CredentialKind::ApiToken,
        };
        let bia = StoredCredential {
            identity: "bia".into(),
            secret: Secret::new("bia's token".into()),
            expires: None,
            note: None,
        };
        ours.vault().put(name("filial"), Arc::new(bia)).await.unwrap();
        let account = |identity: &str| Account { origin: place(1), identity: identity.into() };
        let kind = CredentialKind::ApiToken;
        let found = ours.credential(&account("ana"), kind).await;
        assert_eq!(found.map(|secret| secret.expose().to_owned()).as_deref(), Ok("token 1"));
        assert_eq!(ours.credential(&account("bia"), kind).await.err(), Some(NotSent::OtherAccount));
        // Logging out of one leaves the other logged in.
        ours.vault().delete(name("loja")).await.unwrap();
        assert_eq!(ours.credential(&account("ana"), kind).await.err(), Some(NotSent::NoCredential));
        assert!(ours.vault().get(name("filial")).await.unwrap().is_some());
    }

    async fn asked(port: u16, identity: &str) -> Result<String, NotSent> {
        let account = Account { origin: place(port), identity: identity.into() };
        let found = credentials().await.credential(&account, CredentialKind::ApiToken).await;
        found.map(|secret| secret.expose().to_owned())
    }

    #[tokio::test]
    async fn money_has_the_credential_of_its_own_login_at_this_address_and_no_other() {
        assert_eq!(asked(1, "ana").await.as_deref(), Ok("token 1"));
        // Here the vault holds one for it; it is sent from there.
        assert_eq!(asked(2, "ana").await, Err(NotSent::OtherAccount));
        // Locks and warnings take these for the same owner; a credential does not go by likeness.
        for identity in ["Ana", " ana", "bia", ""] {
            assert_eq!(asked(1, identity).await, Err(NotSent::OtherAccount), "{identity:?}");
        }
    }
}
