//! A vault in the keyring of the operating system: macOS Keychain or the Secret Service on Linux.

use std::fmt::Display;

use keyring_core::{Entry, Error};

use super::{Vault, VaultHandle, safe_error_text};
use crate::trade::{VaultKind, VaultTrouble};

/// A vault in the operating system's keyring. Its entries remain after the program ends.
///
/// The keyring library tries to connect only once per process. If that fails, the user must start
/// the keyring service and restart this program.
pub(super) struct OsKeyring;

impl VaultHandle {
    /// A vault that uses the keyring of the operating system.
    pub fn keyring() -> VaultHandle {
        VaultHandle::on_thread(VaultKind::Keyring, || Box::new(OsKeyring))
    }
}

impl Vault for OsKeyring {
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        read(&entry(service, user)?).map_err(|error| vault_error(&error, service, user))
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        write(&entry(service, user)?, value).map_err(|error| vault_error(&error, service, user))
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        delete(&entry(service, user)?).map_err(|error| vault_error(&error, service, user))
    }
}

/// The value of an entry, if it exists. If an import or another program has duplicated the entry,
/// all duplicates must have the same value.
fn read(entry: &Entry) -> Result<Option<Vec<u8>>, Error> {
    let duplicates = match entry.get_secret() {
        Ok(value) => return Ok(Some(value)),
        Err(Error::NoEntry) => return Ok(None),
        Err(Error::Ambiguous(duplicates)) => duplicates,
        Err(error) => return Err(error),
    };
    let mut values = duplicates
        .iter()
        .map(Entry::get_secret)
        .collect::<Result<Vec<_>, _>>()?;
    values.dedup();
    match values.len() {
        1 => Ok(values.pop()),
        _ => Err(Error::Ambiguous(duplicates)),
    }
}

/// Stores a value. If the entry has duplicates, one of them remains with the new value, and the
/// others are deleted.
fn write(entry: &Entry, value: &[u8]) -> Result<(), Error> {
    let duplicates = match entry.set_secret(value) {
        Err(Error::Ambiguous(duplicates)) => duplicates,
        result => return result,
    };
    let Some((kept, others)) = duplicates.split_first() else {
        return entry.set_secret(value);
    };
    kept.set_secret(value)?;
    delete_all(others)
}

/// Deletes an entry with all its duplicates, if it exists.
fn delete(entry: &Entry) -> Result<(), Error> {
    match entry.delete_credential() {
        Ok(()) | Err(Error::NoEntry) => Ok(()),
        Err(Error::Ambiguous(duplicates)) => delete_all(&duplicates),
        Err(error) => Err(error),
    }
}

/// Deletes these entries. Continues after an error, and returns the first one.
fn delete_all(entries: &[Entry]) -> Result<(), Error> {
    entries.iter().map(delete).fold(Ok(()), Result::and)
}

/// The keyring entry with this service name and user name. The first call connects to the keyring.
fn entry(service: &str, user: &str) -> Result<Entry, VaultTrouble> {
    // Check the connection first, because `Entry::new` would hide why it failed.
    if keyring::Entry::store_status().is_err() {
        return Err(VaultTrouble::Absent);
    }
    Entry::new(service, user).map_err(|error| vault_error(&error, service, user))
}

/// Converts an error of the keyring library to a vault error. The service name and the user name
/// identify the entry.
fn vault_error(error: &Error, service: &str, user: &str) -> VaultTrouble {
    match error {
        Error::NoDefaultStore => VaultTrouble::Absent,
        // This message means that the Secret Service has no default collection, so there is nothing
        // to unlock.
        Error::NoStorageAccess(cause) if cause.to_string().contains("result not returned") => {
            VaultTrouble::Other("it has no default collection; make one in its own program".into())
        }
        Error::NoStorageAccess(_) => VaultTrouble::Locked,
        Error::TooLong(_, max) => VaultTrouble::Other(format!(
            "one entry takes at most {max} bytes, and this credential needs more"
        )),
        // The first part is the label that the keyring's own program shows.
        Error::Ambiguous(_) => VaultTrouble::Several(format!(
            "keyring:{user}@{service} (service {service}, username {user})"
        )),
        Error::PlatformFailure(cause) => platform_error(cause),
        other => VaultTrouble::Other(safe_error_text(other)),
    }
}

/// Converts an error of the platform's keyring service to a vault error. The text of the error
/// contains a D-Bus error name, which determines the result.
fn platform_error(cause: &impl Display) -> VaultTrouble {
    let text = cause.to_string();
    let contains = |name: &str| text.contains(name);
    if contains("Secret.Error.IsLocked") {
        VaultTrouble::Locked
    } else if contains("DBus.Error.ServiceUnknown") || contains("DBus.Error.NameHasNoOwner") {
        VaultTrouble::Absent
    } else if contains("DBus.Error.NoReply") || contains("DBus.Error.TimedOut") {
        VaultTrouble::Hangs
    } else {
        VaultTrouble::Other(safe_error_text(&text))
    }
}

#[cfg(test)]
mod tests {
    use keyring_core::api::CredentialStoreApi;
    use keyring_core::mock;

    use super::*;
    use crate::vault::MAX_ERROR_COLUMNS;

    fn cause(text: &str) -> Box<dyn std::error::Error + Send + Sync> {
        text.into()
    }

    fn to_trouble(error: &Error) -> VaultTrouble {
        vault_error(error, "balcao/https://x loja", "jwt")
    }

    /// An entry with these values. If there are several, the entry is ambiguous, and the next call
    /// on it returns the other entries.
    fn entry_with_values(values: &[&str]) -> (Entry, Vec<Entry>) {
        let store = mock::Store::new().unwrap();
        let build = |user: usize| store.build("balcao", &user.to_string(), None).unwrap();
        let duplicates = || (1..=values.len()).map(build).collect::<Vec<_>>();
        for (entry, value) in duplicates().iter().zip(values) {
            entry.set_secret(value.as_bytes()).unwrap();
        }
        let entry = build(0);
        let mock: &mock::Cred = entry.as_any().downcast_ref().unwrap();
        mock.set_error(Error::Ambiguous(duplicates()));
        (entry, duplicates())
    }

    fn values(entries: &[Entry]) -> Vec<Option<Vec<u8>>> {
        entries
            .iter()
            .map(|entry| entry.get_secret().ok())
            .collect()
    }

    #[test]
    fn equal_duplicates_are_read_as_one_entry() {
        for equal in [&["a", "a"][..], &["a", "a", "a"]] {
            let (entry, _) = entry_with_values(equal);
            assert_eq!(read(&entry).unwrap(), Some(b"a".to_vec()));
        }
        for different in [&["a", "b"][..], &["a", "a", "b"], &["a", "b", "a"]] {
            let (entry, _) = entry_with_values(different);
            let Err(Error::Ambiguous(found)) = read(&entry) else {
                panic!("{different:?}")
            };
            assert_eq!(found.len(), different.len());
        }
    }

    #[test]
    fn write_replaces_all_duplicates_by_one_entry() {
        let (entry, duplicates) = entry_with_values(&["a", "b", "a"]);
        write(&entry, b"new").unwrap();
        assert_eq!(values(&duplicates), [Some(b"new".to_vec()), None, None]);
    }

    #[test]
    fn delete_removes_all_duplicates_despite_an_error() {
        let (entry, duplicates) = entry_with_values(&["a", "b", "c"]);
        let first: &mock::Cred = duplicates[0].as_any().downcast_ref().unwrap();
        first.set_error(Error::NoStorageAccess(cause("SS error: locked")));
        assert_eq!(
            to_trouble(&delete(&entry).unwrap_err()),
            VaultTrouble::Locked
        );
        assert_eq!(values(&duplicates), [Some(b"a".to_vec()), None, None]);
        let (entry, duplicates) = entry_with_values(&["a", "b"]);
        delete(&entry).unwrap();
        assert_eq!(values(&duplicates), [None, None]);
    }

    #[test]
    fn keyring_errors_become_vault_errors() {
        let other = |text: &str| VaultTrouble::Other(text.into());
        let table = [
            (Error::NoDefaultStore, VaultTrouble::Absent),
            (
                Error::NoStorageAccess(cause("SS error: prompt dismissed")),
                VaultTrouble::Locked,
            ),
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
                VaultTrouble::Several(
                    "keyring:jwt@balcao/https://x loja (service balcao/https://x loja, username \
                     jwt)"
                        .into(),
                ),
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
            (
                Error::PlatformFailure(cause("disk full")),
                other("disk full"),
            ),
        ];
        for (error, expected) in table {
            assert_eq!(to_trouble(&error), expected, "{error}");
        }
    }

    #[test]
    fn error_text_has_no_control_characters() {
        let error = Error::PlatformFailure(cause(&"\u{1b}[2J".repeat(500)));
        let VaultTrouble::Other(text) = to_trouble(&error) else {
            panic!("other words")
        };
        assert!(!text.contains('\u{1b}'));
        assert!(text.chars().count() <= MAX_ERROR_COLUMNS);
    }

    #[test]
    fn error_text_does_not_quote_the_value() {
        let error = Error::BadEncoding(b"s3cr3t".to_vec());
        assert!(!format!("{:?}", to_trouble(&error)).contains("s3cr3t"));
        let error = Error::BadDataFormat(b"s3cr3t".to_vec(), cause("bad"));
        assert!(!format!("{:?}", to_trouble(&error)).contains("s3cr3t"));
    }
}
