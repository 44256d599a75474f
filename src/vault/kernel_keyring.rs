//! A vault in the keyring of the Linux kernel. Credentials are kept in kernel memory, never on
//! disk.
//!
//! The vault uses the session keyring, which ends with the login session. In the kernel's
//! persistent keyring, credentials would remain for days after a logout.

#[cfg(target_os = "linux")]
use linux_keyutils::{Key, KeyError, KeyRing, KeyRingIdentifier};

use super::{Vault, VaultHandle};
use crate::trade::{VaultKind, VaultTrouble};

/// A vault whose entries are kept until the user logs out of the computer.
struct KernelKeyring;

impl VaultHandle {
    /// A vault that uses the keyring of the Linux kernel. On other systems every call fails.
    pub fn keyutils() -> VaultHandle {
        VaultHandle::on_thread(VaultKind::Keyutils, || Box::new(KernelKeyring))
    }
}

#[cfg(not(target_os = "linux"))]
impl Vault for KernelKeyring {
    fn value(&mut self, _: &str, _: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        Err(VaultTrouble::Denied)
    }

    fn set(&mut self, _: &str, _: &str, _: &[u8]) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::Denied)
    }

    fn remove(&mut self, _: &str, _: &str) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::Denied)
    }
}

#[cfg(target_os = "linux")]
impl Vault for KernelKeyring {
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        let Some(key) = find_key(service, user)? else {
            return Ok(None);
        };
        match key.read_to_vec() {
            Ok(value) => Ok(Some(value)),
            Err(error) => ignore_missing_key(error).map(|()| None),
        }
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        session_keyring()?
            .add_key(&key_name(service, user), value)
            .map(drop)
            .map_err(vault_error)
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        let Some(key) = find_key(service, user)? else {
            return Ok(());
        };
        key.invalidate().or_else(ignore_missing_key)
    }
}

/// The session keyring. The kernel creates it if it does not exist.
#[cfg(target_os = "linux")]
fn session_keyring() -> Result<KeyRing, VaultTrouble> {
    KeyRing::from_special_id(KeyRingIdentifier::Session, true).map_err(vault_error)
}

#[cfg(target_os = "linux")]
fn find_key(service: &str, user: &str) -> Result<Option<Key>, VaultTrouble> {
    match session_keyring()?.search(&key_name(service, user)) {
        Ok(key) => Ok(Some(key)),
        Err(error) => ignore_missing_key(error).map(|()| None),
    }
}

/// The name of a key in the keyring. The name must not contain a secret, because every program of
/// this user can list the names.
#[cfg(target_os = "linux")]
fn key_name(service: &str, user: &str) -> String {
    format!("{service} | {user}")
}

/// `Ok` if the key is missing, expired or revoked. Converts any other error to a vault error.
#[cfg(target_os = "linux")]
fn ignore_missing_key(error: KeyError) -> Result<(), VaultTrouble> {
    match error {
        KeyError::KeyDoesNotExist | KeyError::KeyExpired | KeyError::KeyRevoked => Ok(()),
        error => Err(vault_error(error)),
    }
}

/// Converts a keyring error of the kernel to a vault error.
#[cfg(target_os = "linux")]
fn vault_error(error: KeyError) -> VaultTrouble {
    /// The error number for "function not implemented". Some containers and unusual kernels return
    /// it.
    const ENOSYS: i32 = 38;
    match error {
        KeyError::AccessDenied
        | KeyError::PermissionDenied
        | KeyError::OperationNotSupported
        | KeyError::Unknown(ENOSYS) => VaultTrouble::Denied,
        KeyError::QuotaExceeded => {
            VaultTrouble::Other("the kernel lets this user keep no more keys".into())
        }
        KeyError::InvalidArguments => {
            VaultTrouble::Other("the kernel takes at most 32767 bytes in one key".into())
        }
        error => VaultTrouble::Other(format!("the kernel says {error:?}")),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn keyring_errors_become_vault_errors() {
        for (error, expected) in [
            (KeyError::AccessDenied, VaultTrouble::Denied),
            (KeyError::PermissionDenied, VaultTrouble::Denied),
            (KeyError::Unknown(38), VaultTrouble::Denied),
            (
                KeyError::QuotaExceeded,
                VaultTrouble::Other("the kernel lets this user keep no more keys".into()),
            ),
            (
                KeyError::Unknown(5),
                VaultTrouble::Other("the kernel says Unknown(5)".into()),
            ),
        ] {
            assert_eq!(ignore_missing_key(error), Err(expected));
        }
        for error in [
            KeyError::KeyDoesNotExist,
            KeyError::KeyExpired,
            KeyError::KeyRevoked,
        ] {
            assert_eq!(ignore_missing_key(error), Ok(()));
        }
    }
}
