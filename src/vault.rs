//! The vault, which stores credentials between runs: in a keyring, through a command, or in memory.
//!
//! A call to a [`Vault`] may block, for example while the user answers a keyring prompt. The rest
//! of the program uses a [`VaultHandle`], which sets a time limit for every call. If the keyring
//! fails, the program does not switch to memory by itself: the user must choose
//! [`VaultHandle::memory`].
//!
//! To add a kind of vault, add a file here with a constructor of `VaultHandle`, a variant in
//! `trade/credential.rs` and an arm in `cli/profile.rs`. If the variant's name is unclear to
//! sellers, add a description to `doctor.ftl` in each language.

#![warn(missing_docs)]

mod handle;
mod helper;
mod kernel_keyring;
mod memory;
mod os_keyring;
pub mod program;

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::trade::{CredentialKind, CredentialName, Secret, Untrusted, VaultTrouble, Wall};

pub use handle::{HELPER_LOGIN_LIMIT, READ_LIMIT, VaultHandle, WRITE_LIMIT};
pub use helper::HelperCommand;
pub use memory::MemoryVault;

/// A credential, such as an API token, with its metadata.
#[derive(Debug)]
pub struct StoredCredential {
    /// The identity with which the seller logs in. For a JWT it may be the `sub` claim instead.
    pub identity: Arc<str>,
    /// The secret token.
    pub secret: Secret,
    /// The time from which the token is valid. It is the issue date if known, otherwise the time
    /// when the token was stored.
    pub since: Option<Wall>,
    /// The time when the token expires, if it is known.
    pub expires: Option<Wall>,
    /// A note for the user about where the credential came from.
    pub note: Option<Arc<str>>,
}

/// A store of byte strings. Each entry is identified by a service name and a user name. Every call
/// may block.
///
/// Credentials and texts are encoded in the same way in all vaults.
pub trait Vault {
    /// The error for a stored value that this program cannot have written.
    fn invalid_value_error(&self, detail: String) -> VaultTrouble {
        VaultTrouble::Other(detail)
    }

    /// The value with this service name and user name, if it exists.
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble>;

    /// Stores a value with this service name and user name. Replaces an existing value.
    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble>;

    /// Removes the value with this service name and user name, if it exists.
    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble>;
}

/// The service name of texts that are not secret.
const TEXT_SERVICE: &str = "balcao/text";

/// The service name of the passwords of teams' databases.
const TEAM_SERVICE: &str = "balcao/team";

/// The service name of the test entries that `probe` writes.
const PROBE_SERVICE: &str = "balcao/probe";

impl dyn Vault + '_ {
    /// Stores and removes a test entry, to check that credentials can be stored.
    ///
    /// Reading an entry would not be enough, because a locked keyring may report "no such entry",
    /// as an empty keyring does.
    fn probe(&mut self) -> Result<(), VaultTrouble> {
        // The entry's name contains the process id, so that two running programs do not delete each
        // other's test entries.
        let user = std::process::id().to_string();
        self.set(PROBE_SERVICE, &user, b"probe")?;
        let stored = self.value(PROBE_SERVICE, &user);
        self.remove(PROBE_SERVICE, &user)?;
        if stored?.is_none_or(|stored| stored != b"probe") {
            return Err(self.invalid_value_error("it gives back other bytes than it took".into()));
        }
        Ok(())
    }

    /// The credential with this name, if it exists.
    fn get(
        &mut self,
        name: &CredentialName,
    ) -> Result<Option<Arc<StoredCredential>>, VaultTrouble> {
        let service = service_name(name);
        let Some(value) = self.value(&service, user_name(name.kind))? else {
            return Ok(None);
        };
        match decode(&value) {
            Some(credential) => Ok(Some(Arc::new(credential))),
            None => Err(self.invalid_value_error(format!(
                "the entry {service} holds what this program did not write; log in again to \
                 replace it"
            ))),
        }
    }

    /// Stores a credential. Replaces an existing credential with the same name.
    fn put(
        &mut self,
        name: &CredentialName,
        credential: &StoredCredential,
    ) -> Result<(), VaultTrouble> {
        self.set(
            &service_name(name),
            user_name(name.kind),
            &encode(credential),
        )
    }

    fn delete(&mut self, name: &CredentialName) -> Result<(), VaultTrouble> {
        self.remove(&service_name(name), user_name(name.kind))
    }

    /// Stores a text that is not secret, such as the path of the journal.
    fn put_text(&mut self, name: &str, text: &str) -> Result<(), VaultTrouble> {
        self.set(TEXT_SERVICE, name, text.as_bytes())
    }

    /// The text with this name, exactly as it was stored, if it exists.
    fn get_text(&mut self, name: &str) -> Result<Option<String>, VaultTrouble> {
        let value = self.value(TEXT_SERVICE, name)?;
        Ok(value.map(|value| String::from_utf8_lossy(&value).into_owned()))
    }

    /// Stores the password of a team's database. `database` is its address with the role.
    fn put_team_password(&mut self, database: &str, password: &Secret) -> Result<(), VaultTrouble> {
        self.set(TEAM_SERVICE, database, password.expose().as_bytes())
    }

    /// The password of a team's database, if it was stored.
    fn get_team_password(&mut self, database: &str) -> Result<Option<Secret>, VaultTrouble> {
        let Some(value) = self.value(TEAM_SERVICE, database)? else {
            return Ok(None);
        };
        match String::from_utf8(value) {
            Ok(password) => Ok(Some(Secret::new(password))),
            Err(_) => Err(self.invalid_value_error("a password that is no text".into())),
        }
    }

    fn delete_team_password(&mut self, database: &str) -> Result<(), VaultTrouble> {
        self.remove(TEAM_SERVICE, database)
    }

    fn delete_text(&mut self, name: &str) -> Result<(), VaultTrouble> {
        self.remove(TEXT_SERVICE, name)
    }
}

fn service_name(name: &CredentialName) -> String {
    // Different pairs of origin and profile never give the same name, because an origin contains no
    // spaces.
    format!("balcao/{} {}", name.origin, name.profile)
}

/// The vault's user name for this kind of credential. Do not change these names, because the
/// program would no longer find stored credentials.
fn user_name(kind: CredentialKind) -> &'static str {
    match kind {
        CredentialKind::ApiToken => "api-token",
        CredentialKind::Jwt => "jwt",
    }
}

/// The maximum width of an error text from another program, in columns. Longer texts are shortened.
const MAX_ERROR_COLUMNS: usize = 200;

/// Makes an error text from a keyring or another program safe to show on the screen.
fn safe_error_text(error: &impl Display) -> String {
    Untrusted::from(error.to_string()).shown_within(MAX_ERROR_COLUMNS)
}

/// The JSON form in which a credential is stored.
#[derive(Serialize, Deserialize)]
struct CredentialRecord<'a> {
    #[serde(borrow)]
    identity: Cow<'a, str>,
    #[serde(borrow)]
    secret: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<Wall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires: Option<Wall>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    note: Option<Cow<'a, str>>,
}

fn encode(credential: &StoredCredential) -> Vec<u8> {
    let record = CredentialRecord {
        identity: Cow::Borrowed(&credential.identity),
        secret: Cow::Borrowed(credential.secret.expose()),
        since: credential.since,
        expires: credential.expires,
        note: credential.note.as_deref().map(Cow::Borrowed),
    };
    serde_json::to_vec(&record).expect("strings and numbers, written to memory")
}

/// Decodes a credential from a vault entry. Returns `None` if this program cannot have written the
/// entry.
fn decode(value: &[u8]) -> Option<StoredCredential> {
    // Drop the parser's error, because its text may quote the secret.
    let record: CredentialRecord<'_> = serde_json::from_slice(value).ok()?;
    if record.secret.is_empty() {
        return None;
    }
    Some(StoredCredential {
        identity: Arc::from(&*record.identity),
        secret: Secret::new(record.secret.into_owned()),
        since: record.since,
        expires: record.expires,
        note: record.note.as_deref().map(Arc::from),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::Origin;

    #[test]
    fn entry_names_differ_by_profile_and_address() {
        let service = |origin: &str, profile: &str| {
            let origin = Origin(origin.into());
            service_name(&CredentialName {
                profile: profile.into(),
                origin,
                kind: CredentialKind::ApiToken,
            })
        };
        assert_eq!(
            service("https://a.example", "loja"),
            "balcao/https://a.example loja"
        );
        let pairs = [
            ("https://a.example", "loja"),
            ("https://a.example", "filial"),
        ];
        let more_pairs = [
            ("https://a.example", "filial loja"),
            ("https://b.example", "loja"),
        ];
        let names: std::collections::HashSet<String> = pairs
            .into_iter()
            .chain(more_pairs)
            .map(|(origin, profile)| service(origin, profile))
            .collect();
        assert_eq!(names.len(), 4);
    }

    fn credential(secret: &str, expires: Option<Wall>, note: Option<&str>) -> StoredCredential {
        StoredCredential {
            identity: "ana@loja.example".into(),
            secret: Secret::new(secret.to_owned()),
            since: expires.map(|Wall(ms)| Wall(ms.saturating_sub(1))),
            expires,
            note: note.map(Arc::from),
        }
    }

    #[test]
    fn encoded_credential_decodes_unchanged() {
        let special_characters = "\u{1}\"\\ç".repeat(2_000);
        for secret in ["ey.J.x", &special_characters] {
            for expires in [None, Some(Wall(1_795_000_000_000))] {
                for note in [None, Some("pasted")] {
                    let stored = credential(secret, expires, note);
                    let decoded = decode(&encode(&stored)).expect("our own value");
                    assert_eq!(decoded.identity, stored.identity);
                    assert_eq!(decoded.secret.expose(), secret);
                    assert_eq!((decoded.since, decoded.expires), (stored.since, expires));
                    assert_eq!(decoded.note, note.map(Arc::from));
                }
            }
        }
    }

    #[test]
    fn value_is_json_that_other_programs_read() {
        let value = encode(&credential("t", None, None));
        assert_eq!(
            &value[..],
            br#"{"identity":"ana@loja.example","secret":"t"}"#
        );
    }

    #[test]
    fn foreign_value_is_not_decoded() {
        let foreign: [&[u8]; 6] = [
            b"",
            b"token",
            b"{}",
            b"\xff\xfe",
            br#"{"secret":"t"}"#,
            b"{\"identity\":",
        ];
        for value in foreign {
            assert!(decode(value).is_none());
        }
        assert!(decode(br#"{"identity":"a","secret":""}"#).is_none());
    }
}
