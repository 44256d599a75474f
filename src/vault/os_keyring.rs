//! The operating system's keyring: Keychain, Credential Manager or Secret Service.

use std::fmt::Display;
use std::sync::Arc;

use keyring_core::{Entry, Error};
use zeroize::Zeroizing;

use super::{StoredCredential, Vault, pieces, record, word};
use crate::trade::{CredentialName, Untrusted, VaultKind, VaultTrouble};

/// The most columns that are shown of the keyring's own words.
const WORDS_SHOWN: usize = 200;

/// The vault that lasts beyond the end of the program.
///
/// A connection that failed once has failed for the life of the process: the library keeps the
/// first answer. After a keyring is started, the program has to be started again.
#[derive(Debug, Default)]
pub struct OsKeyring;

impl Vault for OsKeyring {
    fn kind(&self) -> VaultKind {
        VaultKind::Keyring
    }

    fn probe(&mut self) -> Result<(), VaultTrouble> {
        // A name of this process's own: two windows must not delete each other's probe.
        let entry = entry("balcao/probe", &std::process::id().to_string())?;
        entry.set_secret(b"probe").map_err(|e| trouble(&e))?;
        let read = entry.get_secret().map_err(|e| trouble(&e));
        entry.delete_credential().map_err(|e| trouble(&e))?;
        if read? != b"probe" {
            return Err(VaultTrouble::Other("it gives back other bytes than it took".into()));
        }
        Ok(())
    }

    fn get(
        &mut self,
        name: &CredentialName,
    ) -> Result<Option<Arc<StoredCredential>>, VaultTrouble> {
        let value = match credential_entry(name)?.get_secret() {
            Ok(value) => Zeroizing::new(value),
            Err(Error::NoEntry) => return Ok(None),
            Err(error) => return Err(trouble(&error)),
        };
        match record::decode(&value) {
            Some(credential) => Ok(Some(Arc::new(credential))),
            None => Err(VaultTrouble::Other(format!(
                "the entry {} holds what this program did not write; log in again to replace it",
                service_of(name)
            ))),
        }
    }

    fn put(
        &mut self,
        name: &CredentialName,
        credential: &Arc<StoredCredential>,
    ) -> Result<(), VaultTrouble> {
        let value = record::encode(credential);
        credential_entry(name)?.set_secret(&value).map_err(|e| trouble(&e))
    }

    fn delete(&mut self, name: &CredentialName) -> Result<(), VaultTrouble> {
        match credential_entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(trouble(&error)),
        }
    }

    fn put_marker(&mut self, name: &str) -> Result<(), VaultTrouble> {
        entry("balcao/marker", name)?.set_secret(b"yes").map_err(|e| trouble(&e))
    }

    fn has_marker(&mut self, name: &str) -> Result<bool, VaultTrouble> {
        match entry("balcao/marker", name)?.get_secret() {
            Ok(_) => Ok(true),
            Err(Error::NoEntry) => Ok(false),
            Err(error) => Err(trouble(&error)),
        }
    }

    fn delete_marker(&mut self, name: &str) -> Result<(), VaultTrouble> {
        match entry("balcao/marker", name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(trouble(&error)),
        }
    }

    fn put_text(&mut self, name: &str, text: &str) -> Result<(), VaultTrouble> {
        let Some(pieces) = pieces::cut(text) else {
            return Err(VaultTrouble::Other("it is more than is kept in the keyring".into()));
        };
        for (n, piece) in pieces.iter().enumerate().rev() {
            text_entry(name, n)?.set_secret(piece).map_err(|e| trouble(&e))?;
        }
        Ok(())
    }

    fn get_text(&mut self, name: &str) -> Result<Option<String>, VaultTrouble> {
        pieces::join(|n| match text_entry(name, n)?.get_secret() {
            Ok(piece) => Ok(Some(piece)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(trouble(&error)),
        })
    }

    fn delete_text(&mut self, name: &str) -> Result<(), VaultTrouble> {
        for n in 0..pieces::MOST {
            match text_entry(name, n)?.delete_credential() {
                Ok(()) => {}
                Err(Error::NoEntry) => break,
                Err(error) => return Err(trouble(&error)),
            }
        }
        Ok(())
    }
}

/// The entry of one piece of a text.
fn text_entry(name: &str, n: usize) -> Result<Entry, VaultTrouble> {
    entry("balcao/text", &format!("{name} {n}"))
}

fn credential_entry(name: &CredentialName) -> Result<Entry, VaultTrouble> {
    entry(&service_of(name), word(name.kind))
}

fn service_of(name: &CredentialName) -> String {
    // An origin has no spaces: no two pairs share a name, whatever the profile is called.
    format!("balcao/{} {}", name.origin, name.profile)
}

/// An entry of the platform's keyring; the first call connects to it.
fn entry(service: &str, user: &str) -> Result<Entry, VaultTrouble> {
    // `keyring::Entry::new` would hide why the connection failed; the store's status shows it.
    if keyring::Entry::store_status().is_err() {
        return Err(VaultTrouble::Absent);
    }
    Entry::new(service, user).map_err(|e| trouble(&e))
}

/// The library's error as a seller's trouble.
fn trouble(error: &Error) -> VaultTrouble {
    match error {
        Error::NoDefaultStore => VaultTrouble::Absent,
        // A Secret Service that was never set up: there is nothing that could be unlocked.
        Error::NoStorageAccess(cause) if cause.to_string().contains("result not returned") => {
            VaultTrouble::Other("it has no default collection; make one in its own program".into())
        }
        Error::NoStorageAccess(_) => VaultTrouble::Locked,
        Error::TooLong(_, most) => VaultTrouble::Other(format!(
            "one entry takes at most {most} bytes, and this credential needs more"
        )),
        Error::Ambiguous(_) => VaultTrouble::Other(
            "it has several entries of that name; remove them in its own program".into(),
        ),
        Error::PlatformFailure(cause) => platform_trouble(cause),
        other => VaultTrouble::Other(shown(other)),
    }
}

/// A failure below the library as a seller's trouble; the names are those of D-Bus.
fn platform_trouble(cause: &impl Display) -> VaultTrouble {
    let text = cause.to_string();
    let says = |name: &str| text.contains(name);
    if says("Secret.Error.IsLocked") {
        VaultTrouble::Locked
    } else if says("DBus.Error.ServiceUnknown") || says("DBus.Error.NameHasNoOwner") {
        VaultTrouble::Absent
    } else if says("DBus.Error.NoReply") || says("DBus.Error.TimedOut") {
        VaultTrouble::Hangs
    } else {
        VaultTrouble::Other(shown(&text))
    }
}

/// The keyring's own words, safe to show; another program wrote them.
fn shown(words: &impl Display) -> String {
    Untrusted::from(words.to_string()).shown_within(WORDS_SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(text: &str) -> Box<dyn std::error::Error + Send + Sync> {
        text.into()
    }

    #[test]
    fn each_profile_at_each_address_has_entries_of_its_own() {
        let service = |origin: &str, profile: &str| {
            let origin = crate::trade::Origin(origin.into());
            service_of(&CredentialName {
                profile: profile.into(),
                origin,
                kind: crate::trade::CredentialKind::ApiToken,
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

    #[test]
    fn every_error_has_its_meaning() {
        let other = |text: &str| VaultTrouble::Other(text.into());
        let table = [
            (Error::NoDefaultStore, VaultTrouble::Absent),
            (Error::NoStorageAccess(cause("SS error: prompt dismissed")), VaultTrouble::Locked),
            (
                Error::NoStorageAccess(cause("SS error: result not returned from SS API")),
                other("it has no default collection; make one in its own program"),
            ),
            (
                Error::TooLong("secret".into(), 2560),
                other("one entry takes at most 2560 bytes, and this credential needs more"),
            ),
            (
                Error::Ambiguous(Vec::new()),
                other("it has several entries of that name; remove them in its own program"),
            ),
            (
                Error::PlatformFailure(cause("org.freedesktop.Secret.Error.IsLocked: no")),
                VaultTrouble::Locked,
            ),
            (
                Error::PlatformFailure(cause("org.freedesktop.DBus.Error.ServiceUnknown: gone")),
                VaultTrouble::Absent,
            ),
            (
                Error::PlatformFailure(cause("org.freedesktop.DBus.Error.NoReply: late")),
                VaultTrouble::Hangs,
            ),
            (Error::PlatformFailure(cause("disk full")), other("disk full")),
        ];
        for (error, expected) in table {
            assert_eq!(trouble(&error), expected, "{error}");
        }
    }

    #[test]
    fn foreign_words_cannot_command_the_terminal() {
        let error = Error::PlatformFailure(cause(&"\u{1b}[2J".repeat(500)));
        let VaultTrouble::Other(words) = trouble(&error) else { panic!("other words") };
        assert!(!words.contains('\u{1b}'));
        assert!(words.chars().count() <= WORDS_SHOWN);
    }

    #[test]
    fn what_the_value_held_is_not_in_the_words() {
        let error = Error::BadEncoding(b"s3cr3t".to_vec());
        assert!(!format!("{:?}", trouble(&error)).contains("s3cr3t"));
        let error = Error::BadDataFormat(b"s3cr3t".to_vec(), cause("bad"));
        assert!(!format!("{:?}", trouble(&error)).contains("s3cr3t"));
    }
}
