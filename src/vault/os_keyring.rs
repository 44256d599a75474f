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
    /// Returns a vault that uses the keyring of the operating system.
    pub fn keyring() -> VaultHandle {
        VaultHandle::on_thread(VaultKind::Keyring, || Box::new(OsKeyring))
    }
}

impl Vault for OsKeyring {
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        match entry(service, user)?.get_secret() {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(vault_error(&error)),
        }
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        entry(service, user)?.set_secret(value).map_err(|e| vault_error(&e))
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        match entry(service, user)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(vault_error(&error)),
        }
    }
}

/// Returns the keyring entry with this service name and user name. The first call connects to the
/// keyring.
fn entry(service: &str, user: &str) -> Result<Entry, VaultTrouble> {
    // Check the connection first, because `Entry::new` would hide why it failed.
    if keyring::Entry::store_status().is_err() {
        return Err(VaultTrouble::Absent);
    }
    Entry::new(service, user).map_err(|e| vault_error(&e))
}

/// Converts an error of the keyring library to a vault error.
fn vault_error(error: &Error) -> VaultTrouble {
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
        Error::Ambiguous(_) => VaultTrouble::Other(
            "it has several entries of that name; remove them in its own program".into(),
        ),
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
    use super::*;
    use crate::vault::MAX_ERROR_COLUMNS;

    fn cause(text: &str) -> Box<dyn std::error::Error + Send + Sync> {
        text.into()
    }

    #[test]
    fn keyring_errors_become_vault_errors() {
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
            assert_eq!(vault_error(&error), expected, "{error}");
        }
    }

    #[test]
    fn error_text_has_no_control_characters() {
        let error = Error::PlatformFailure(cause(&"\u{1b}[2J".repeat(500)));
        let VaultTrouble::Other(text) = vault_error(&error) else { panic!("other words") };
        assert!(!text.contains('\u{1b}'));
        assert!(text.chars().count() <= MAX_ERROR_COLUMNS);
    }

    #[test]
    fn error_text_does_not_quote_the_value() {
        let error = Error::BadEncoding(b"s3cr3t".to_vec());
        assert!(!format!("{:?}", vault_error(&error)).contains("s3cr3t"));
        let error = Error::BadDataFormat(b"s3cr3t".to_vec(), cause("bad"));
        assert!(!format!("{:?}", vault_error(&error)).contains("s3cr3t"));
    }
}
