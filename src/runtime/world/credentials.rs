//! Reads, stores and deletes credentials. The app's state never contains a secret.

use std::sync::Arc;

use super::{WorldContext, consent};
use crate::app::Msg;
use crate::app::store::session::{Credential, CredentialDetails, VaultStatus};
use crate::contract::{FieldInput, is_jwt, jwt_expiry, jwt_issued, jwt_subject};
use crate::locked::Locked;
use crate::service;
use crate::trade::withdrawal::NotSent;
use crate::trade::{
    Account, CredentialKind, CredentialName, Failure, Origin, Secret, Ticket, VaultTrouble, Wall,
};
use crate::vault::{StoredCredential, VaultHandle};

/// The note on a credential that comes from the demo.
pub const DEMO_NOTE: &str = "demo";

/// The vault in use, and the names of the entries that belong to one profile.
#[derive(Clone)]
pub struct ProfileVault {
    /// The profile's name. Credentials of other profiles are never read.
    pub profile: Arc<str>,
    /// The origin of the profile's service. Credentials are sent only to this origin.
    pub origin: Origin,
    /// The vault in use. The seller can switch to keeping credentials only in memory.
    pub vault: Arc<Locked<VaultHandle>>,
}

/// The result of reading one credential from the vault.
type StoredResult = Result<Option<Arc<StoredCredential>>, VaultTrouble>;

impl ProfileVault {
    /// Creates access to the vault's entries for this profile and origin.
    pub fn new(profile: &str, origin: &Origin, vault: VaultHandle) -> ProfileVault {
        let vault = Arc::new(Locked::new(vault));
        ProfileVault {
            profile: profile.into(),
            origin: origin.clone(),
            vault,
        }
    }

    pub fn now(&self) -> VaultHandle {
        self.vault.lock().clone()
    }

    /// The name of the vault entry for a credential of this kind.
    pub fn name(&self, kind: CredentialKind) -> CredentialName {
        CredentialName {
            profile: self.profile.clone(),
            origin: self.origin.clone(),
            kind,
        }
    }

    /// The name of the vault entry for a text that is not a credential, such as the seller's
    /// consent to the API contract.
    pub fn text_name(&self, kind: &str) -> String {
        // An origin contains no spaces, so different profiles and origins never share a name.
        format!("{kind} {} {}", self.origin.0, self.profile)
    }

    /// Reads the API token and the JWT from the vault.
    async fn read_both(&self) -> (StoredResult, StoredResult) {
        let vault = self.now();
        tokio::join!(
            vault.get(self.name(CredentialKind::ApiToken)),
            vault.get(self.name(CredentialKind::Jwt)),
        )
    }

    /// The API token and the JWT, which must be masked wherever a reply is shown.
    pub async fn secrets(&self) -> Vec<Secret> {
        let (api_token, jwt) = self.read_both().await;
        let results = [api_token, jwt]
            .into_iter()
            .filter_map(|result| result.ok().flatten());
        results.map(|stored| stored.secret.duplicate()).collect()
    }
}

/// Like [`read_in_order`], but posts the first message and returns the second one.
pub async fn read(context: Arc<WorldContext>) -> Msg {
    let [consent, credentials] = read_in_order(context.clone()).await;
    context.inbox.post(consent);
    credentials
}

/// Reads the API token, the JWT, the seller's consent to the API contract, and the confirmed
/// contract settings from the vault.
///
/// Returns the message with the consent and the message with the credentials. The app must receive
/// them in this order. Otherwise it would ask for the consent before it knows the stored one.
pub async fn read_in_order(context: Arc<WorldContext>) -> [Msg; 2] {
    let vault = context.vault.now();
    // Try again to store credentials that are only in memory, because the vault may be unlocked
    // now.
    let unstored = vault.retry_unstored().await;
    let (mut api_token, mut jwt) = context.vault.read_both().await;
    if let (Ok(None), Ok(None)) = (&api_token, &jwt) {
        // A locked keyring can look empty, so store a test entry to find out. If that succeeds, the
        // keyring is now unlocked and the credentials can be read.
        match vault.status().await {
            Ok(_) => (api_token, jwt) = context.vault.read_both().await,
            Err(trouble) => api_token = Err(trouble),
        }
    }
    let vault_status = match (&api_token, &jwt) {
        _ if unstored.is_some() => unstored.map_or(VaultStatus::Asking, VaultStatus::Trouble),
        (Err(trouble), _) | (_, Err(trouble)) => VaultStatus::Trouble(trouble.clone()),
        _ => VaultStatus::Kept(vault.kind()),
    };
    context.consent.remember_first_run().await;
    // Read the consent last, because the calls above may have unlocked the vault that contains it.
    let consent_msg = consent::read(context.clone()).await;
    consent::read_confirmed(&context).await;
    let credentials_msg = Msg::CredentialsRead {
        vault_status,
        api_token: credential_state(api_token),
        jwt: credential_state(jwt),
    };
    [consent_msg, credentials_msg]
}

/// Switches to keeping credentials only in memory.
pub async fn use_memory(context: Arc<WorldContext>) -> Msg {
    *context.vault.vault.lock() = VaultHandle::memory();
    read(context).await
}

fn credential_state(result: StoredResult) -> Credential {
    match result {
        Ok(Some(stored)) => Credential::Stored(held_credential(&stored)),
        Ok(None) | Err(_) => Credential::Absent,
    }
}

fn held_credential(stored: &StoredCredential) -> CredentialDetails {
    CredentialDetails {
        identity: stored.identity.clone(),
        since: stored.since,
        expires: stored.expires,
        from_demo: stored.note.as_deref() == Some(DEMO_NOTE),
    }
}

/// Logs in, and stores the credentials from the service's reply.
pub async fn log_in(
    context: Arc<WorldContext>,
    ticket: Ticket,
    values: Vec<(Arc<str>, String)>,
    secrets: Vec<(Arc<str>, Secret)>,
) -> Msg {
    let result = try_log_in(&context, &values, &secrets).await;
    if result.is_ok() {
        context.consent.remember().await;
        // The vault stored the token, so it is now unlocked. Read the consent again, because the
        // vault may have been locked before.
        let consent_msg = consent::read(context.clone()).await;
        context.inbox.post(consent_msg);
    }
    Msg::LoggedIn { ticket, result }
}

async fn try_log_in(
    context: &WorldContext,
    values: &[(Arc<str>, String)],
    secrets: &[(Arc<str>, Secret)],
) -> Result<Vec<(CredentialKind, Credential)>, Failure> {
    let service = context.service();
    let form = &service.contract().login.form;
    // The login form has already checked all fields except the password and token fields.
    let body = form.body(|field| {
        let value = values.iter().find(|(name, _)| **name == *field.id);
        let secret = secrets.iter().find(|(name, _)| **name == *field.id);
        let value = value.map(|(_, value)| FieldInput::Text(value));
        value.or_else(|| secret.map(|(_, secret)| FieldInput::Secret(secret)))
    });
    let body = body.map_err(|_| Failure::NotSent(NotSent::NoCredential))?;
    let logged_in = service.login(&body).await?;
    let identity = logged_in.identity.clone();
    let token = StoredCredential {
        identity: identity.clone(),
        since: valid_since(&logged_in.token, logged_in.at),
        secret: logged_in.token,
        expires: logged_in.expires,
        note: None,
    };
    let mut stored = vec![store(context, CredentialKind::ApiToken, token).await?];
    if let Some((secret, expires)) = logged_in.jwt {
        let since = valid_since(&secret, logged_in.at);
        let jwt = StoredCredential {
            identity,
            secret,
            since,
            expires,
            note: None,
        };
        stored.push(store(context, CredentialKind::Jwt, jwt).await?);
    } else if let Some(jwt) = context.setup.demo.as_ref().and_then(|stage| stage.jwt()) {
        // The demo's login returns no JWT, so get one from the demo itself. After a logout, there
        // is no other source.
        let jwt = jwt_credential(jwt, Some(DEMO_NOTE), logged_in.at);
        stored.push(store(context, CredentialKind::Jwt, jwt).await?);
    }
    Ok(stored)
}

async fn store(
    context: &WorldContext,
    kind: CredentialKind,
    credential: StoredCredential,
) -> Result<(CredentialKind, Credential), Failure> {
    let credential = Arc::new(credential);
    let state = Credential::Stored(held_credential(&credential));
    let vault = context.vault.now();
    match vault
        .put(context.vault.name(kind), credential.clone())
        .await
    {
        Ok(()) => {
            if let Some(file) = &context.vault_file {
                // Ignore an error. Its only effect is that the user must pass the vault option
                // again at the next start.
                let _ = file.put(vault.kind());
            }
        }
        Err(VaultTrouble::ReadOnly) => return Err(Failure::Vault(VaultTrouble::ReadOnly)),
        Err(trouble) => {
            // The vault cannot store the token, so keep it in memory. Otherwise the user would have
            // to log in a second time.
            vault.keep_in_memory(context.vault.name(kind), credential);
            context.inbox.post(Msg::NotStored(trouble));
        }
    }
    Ok((kind, state))
}

/// Stores a JWT that the seller pasted.
pub async fn store_jwt(context: Arc<WorldContext>, ticket: Ticket, jwt: Option<Secret>) -> Msg {
    let Some(jwt) = jwt else {
        let result = Err(Failure::NoCredential(CredentialKind::Jwt));
        return Msg::JwtKept { ticket, result };
    };
    // Check the format now, because the service would reject a bad JWT only at a later request.
    let must_be_jwt = context.service().contract().checks_jwt_shape;
    if must_be_jwt && !is_jwt(jwt.expose()) {
        return Msg::JwtKept {
            ticket,
            result: Err(Failure::NotAJwt),
        };
    }
    let credential = jwt_credential(jwt, None, context.setup.clock.now().wall);
    let stored = store(&context, CredentialKind::Jwt, credential).await;
    Msg::JwtKept {
        ticket,
        result: stored.map(|(_, credential)| credential),
    }
}

/// Creates the credential for a JWT. The user's name and the validity period come from the JWT, if
/// it contains them.
pub fn jwt_credential(jwt: Secret, note: Option<&str>, now: Wall) -> StoredCredential {
    let text = jwt.expose();
    let subject = jwt_subject(text);
    let identity = subject
        .map(|subject| subject.shown_within(120))
        .unwrap_or_default();
    let expires = jwt_expiry(text);
    let note = note.map(Arc::from);
    let since = valid_since(&jwt, now);
    StoredCredential {
        identity: identity.into(),
        secret: jwt,
        since,
        expires,
        note,
    }
}

/// The time from which a token is valid: its issue time, or `now` if it contains no issue time.
fn valid_since(token: &Secret, now: Wall) -> Option<Wall> {
    Some(jwt_issued(token.expose()).unwrap_or(now))
}

/// Deletes the API token and the JWT, but keeps the seller's consent to the API contract.
pub async fn log_out(context: Arc<WorldContext>) -> Msg {
    let vault = context.vault.now();
    let (api_token, jwt) = tokio::join!(
        vault.delete(context.vault.name(CredentialKind::ApiToken)),
        vault.delete(context.vault.name(CredentialKind::Jwt)),
    );
    Msg::LoggedOut(api_token.and(jwt))
}

impl service::Credentials for ProfileVault {
    async fn credential(&self, account: &Account, kind: CredentialKind) -> Result<Secret, NotSent> {
        // The vault may contain a credential for the account's origin. This service must not use
        // it, because it belongs to another origin.
        if account.origin != self.origin {
            return Err(NotSent::OtherAccount);
        }
        match self.now().get(self.name(kind)).await {
            Err(_) => Err(NotSent::Vault),
            Ok(None) => Err(NotSent::NoCredential),
            Ok(Some(stored)) if stored.identity != account.identity => Err(NotSent::OtherAccount),
            Ok(Some(stored)) => Ok(stored.secret.duplicate()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Credentials;

    fn origin_at(port: u16) -> Origin {
        Origin(format!("https://api.example:{port}").into())
    }

    /// A vault with Ana's credentials for two ports of the same host.
    async fn credentials() -> ProfileVault {
        let vault = VaultHandle::memory();
        for port in [1, 2] {
            let stored = StoredCredential {
                identity: "ana".into(),
                secret: Secret::new(format!("token {port}")),
                expires: None,
                since: None,
                note: None,
            };
            let profile = "loja".into();
            let kind = CredentialKind::ApiToken;
            let name = CredentialName {
                profile,
                origin: origin_at(port),
                kind,
            };
            vault.put(name, Arc::new(stored)).await.unwrap();
        }
        ProfileVault::new("loja", &origin_at(1), vault)
    }

    #[tokio::test]
    async fn profiles_at_an_address_have_own_credentials() {
        let vault = credentials().await;
        let name = |profile: &str| CredentialName {
            profile: profile.into(),
            origin: origin_at(1),
            kind: CredentialKind::ApiToken,
        };
        let bia = StoredCredential {
            identity: "bia".into(),
            secret: Secret::new("bia's token".into()),
            expires: None,
            since: None,
            note: None,
        };
        vault
            .now()
            .put(name("filial"), Arc::new(bia))
            .await
            .unwrap();
        let account = |identity: &str| Account {
            origin: origin_at(1),
            identity: identity.into(),
        };
        let kind = CredentialKind::ApiToken;
        let found = vault.credential(&account("ana"), kind).await;
        assert_eq!(
            found.map(|secret| secret.expose().to_owned()).as_deref(),
            Ok("token 1")
        );
        assert_eq!(
            vault.credential(&account("bia"), kind).await.err(),
            Some(NotSent::OtherAccount)
        );
        // Logging out of one profile must leave the other profile logged in.
        vault.now().delete(name("loja")).await.unwrap();
        assert_eq!(
            vault.credential(&account("ana"), kind).await.err(),
            Some(NotSent::NoCredential)
        );
        assert!(vault.now().get(name("filial")).await.unwrap().is_some());
    }

    async fn request_credential(port: u16, identity: &str) -> Result<String, NotSent> {
        let account = Account {
            origin: origin_at(port),
            identity: identity.into(),
        };
        let found = credentials()
            .await
            .credential(&account, CredentialKind::ApiToken)
            .await;
        found.map(|secret| secret.expose().to_owned())
    }

    #[tokio::test]
    async fn withdrawal_gets_only_its_own_login_credential() {
        assert_eq!(request_credential(1, "ana").await.as_deref(), Ok("token 1"));
        // The vault contains a credential for the service at port 2, but the service at port 1 must
        // not use it.
        assert_eq!(
            request_credential(2, "ana").await,
            Err(NotSent::OtherAccount)
        );
        // Locks and warnings treat "Ana" and " ana" as the same account, but only the exact name
        // may use the credential.
        for identity in ["Ana", " ana", "bia", ""] {
            assert_eq!(
                request_credential(1, identity).await,
                Err(NotSent::OtherAccount),
                "{identity:?}"
            );
        }
    }
}
