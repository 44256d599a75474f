//! Where credentials are kept between two runs: one trait, one thread.
//!
//! A [`Vault`] is synchronous and may block for as long as a person leaves a prompt open.
//! Therefore the rest of the program only knows the [`VaultHandle`], whose calls always end. There
//! is no silent fallback: memory in place of the keyring is a call of [`VaultHandle::memory`].
//!
//! A new kind of vault is a file here with what makes its handle, a line in the list below, its
//! name in `trade/credential.rs` and the arm of `cli/profile.rs` that opens it. Where that
//! name says too little to a seller, `doctor.ftl` has a word for it in each language.

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

pub use handle::{READ_LIMIT, UNLOCK_LIMIT, VaultHandle, WRITE_LIMIT};
pub use helper::HelperCommand;
pub use memory::MemoryVault;

/// A credential as it is kept, with what is known of it.
#[derive(Debug)]
pub struct StoredCredential {
    /// The login it belongs to: the login's identity, or the JWT's `sub`.
    pub identity: Arc<str>,
    /// The token itself.
    pub secret: Secret,
    /// The moment from which it is good: the token's own word, else when it was put here.
    pub since: Option<Wall>,
    /// The moment at which it expires, where that is known.
    pub expires: Option<Wall>,
    /// Its origin, in words for a person.
    pub note: Option<Arc<str>>,
}

/// A place that keeps a value under a pair of names; every call may block.
///
/// Credentials and texts are entries of it, in every place the same ones.
pub trait Vault {
    /// The trouble with a value that is not as it should be.
    fn odd(&self, detail: String) -> VaultTrouble {
        VaultTrouble::Other(detail)
    }

    /// The value under these names, if there is one.
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble>;

    /// Keeps a value, in place of an earlier one under these names.
    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble>;

    /// Forgets the value under these names, if there is one.
    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble>;
}

/// The service of all texts.
const TEXT: &str = "balcao/text";

/// The service of what is stored only to see whether that works.
const PROBE: &str = "balcao/probe";

impl dyn Vault + '_ {
    /// Proves that a credential could be stored, by storing something of no value.
    ///
    /// Reading proves nothing: an empty or locked keyring says "no such entry" as a good one does.
    fn probe(&mut self) -> Result<(), VaultTrouble> {
        // A name of this process's own: two windows must not delete each other's probe.
        let user = std::process::id().to_string();
        self.set(PROBE, &user, b"probe")?;
        let read = self.value(PROBE, &user);
        self.remove(PROBE, &user)?;
        if read?.is_none_or(|read| read != b"probe") {
            return Err(self.odd("it gives back other bytes than it took".into()));
        }
        Ok(())
    }

    /// The credential of that name, if there is one.
    fn get(
        &mut self,
        name: &CredentialName,
    ) -> Result<Option<Arc<StoredCredential>>, VaultTrouble> {
        let service = service_of(name);
        let Some(value) = self.value(&service, word(name.kind))? else { return Ok(None) };
        match decode(&value) {
            Some(credential) => Ok(Some(Arc::new(credential))),
            None => Err(self.odd(format!(
                "the entry {service} holds what this program did not write; log in again to \
                 replace it"
            ))),
        }
    }

    /// Keeps a credential, in place of an earlier one of that name.
    fn put(
        &mut self,
        name: &CredentialName,
        credential: &StoredCredential,
    ) -> Result<(), VaultTrouble> {
        self.set(&service_of(name), word(name.kind), &encode(credential))
    }

    /// Forgets the credential of that name, if there is one.
    fn delete(&mut self, name: &CredentialName) -> Result<(), VaultTrouble> {
        self.remove(&service_of(name), word(name.kind))
    }

    /// Keeps a text that is no secret, such as the path of the live money journal.
    fn put_text(&mut self, name: &str, text: &str) -> Result<(), VaultTrouble> {
        self.set(TEXT, name, text.as_bytes())
    }

    /// The text of that name, whole as it was kept, if there is one.
    fn get_text(&mut self, name: &str) -> Result<Option<String>, VaultTrouble> {
        let value = self.value(TEXT, name)?;
        Ok(value.map(|value| String::from_utf8_lossy(&value).into_owned()))
    }

    /// Forgets the text of that name, if there is one.
    fn delete_text(&mut self, name: &str) -> Result<(), VaultTrouble> {
        self.remove(TEXT, name)
    }
}

fn service_of(name: &CredentialName) -> String {
    // An origin has no spaces: no two pairs share a name, whatever the profile is called.
    format!("balcao/{} {}", name.origin, name.profile)
}

/// The kind's word in the name of its entry; changing one loses what is stored under it.
fn word(kind: CredentialKind) -> &'static str {
    match kind {
        CredentialKind::ApiToken => "api-token",
        CredentialKind::Jwt => "jwt",
    }
}

/// The most columns that are shown of another program's own words.
const WORDS_SHOWN: usize = 200;

/// The words of a keyring or another program, safe to show.
fn words_of_another(words: &impl Display) -> String {
    Untrusted::from(words.to_string()).shown_within(WORDS_SHOWN)
}

/// The JSON of a keyring entry.
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

/// The value of an entry that keeps this credential.
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

/// The credential that an entry's value keeps, or `None` where it is none of ours.
fn decode(value: &[u8]) -> Option<StoredCredential> {
    // The reason is dropped on purpose: the reader's message may quote the value.
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
            service_of(&CredentialName {
                profile: profile.into(),
                origin,
                kind: CredentialKind::ApiToken,
            })
        };
        assert_eq!(service("https://a.example", "loja"), "balcao/https://a.example loja");
        let pairs = [("https://a.example", "loja"), ("https://a.example", "filial")];
        let odd = [("https://a.example", "filial loja"), ("https://b.example", "loja")];
        let names: std::collections::HashSet<String> = pairs
            .into_iter()
            .chain(odd)
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
        let worst = "\u{1}\"\\ç".repeat(2_000);
        for secret in ["ey.J.x", &worst] {
            for expires in [None, Some(Wall(1_795_000_000_000))] {
                for note in [None, Some("pasted")] {
                    let kept = credential(secret, expires, note);
                    let back = decode(&encode(&kept)).expect("our own value");
                    assert_eq!(back.identity, kept.identity);
                    assert_eq!(back.secret.expose(), secret);
                    assert_eq!((back.since, back.expires), (kept.since, expires));
                    assert_eq!(back.note, note.map(Arc::from));
                }
            }
        }
    }

    #[test]
    fn the_value_is_json_that_other_programs_read() {
        let value = encode(&credential("t", None, None));
        assert_eq!(&value[..], br#"{"identity":"ana@loja.example","secret":"t"}"#);
    }

    #[test]
    fn a_foreign_value_is_none_of_ours() {
        let foreign: [&[u8]; 6] =
            [b"", b"token", b"{}", b"\xff\xfe", br#"{"secret":"t"}"#, b"{\"identity\":"];
        for value in foreign {
            assert!(decode(value).is_none());
        }
        assert!(decode(br#"{"identity":"a","secret":""}"#).is_none());
    }
}
