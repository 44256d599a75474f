//! A vault made of a place that keeps values under names: the same entries in every such place.

use std::sync::Arc;

use zeroize::Zeroizing;

use super::{StoredCredential, Vault, record, word};
use crate::trade::{CredentialName, VaultKind, VaultTrouble};

/// A value as it comes out of such a place, wiped when it is dropped.
pub(super) type EntryValue = Zeroizing<Vec<u8>>;

/// A place that keeps a value under a pair of names; every call may block.
pub(super) trait Entries {
    /// The kind of vault that it is.
    fn kind(&self) -> VaultKind;

    /// The trouble with a value that is not as it should be.
    fn odd(&self, detail: String) -> VaultTrouble {
        VaultTrouble::Other(detail)
    }

    /// The value under these names, if there is one.
    fn value(&mut self, service: &str, user: &str) -> Result<Option<EntryValue>, VaultTrouble>;

    /// Keeps a value, in place of an earlier one under these names.
    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble>;

    /// Forgets the value under these names, if there is one.
    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble>;
}

/// The vault that keeps everything in entries.
pub(super) struct EntryVault<E>(pub(super) E);

const TEXT: &str = "balcao/text";
const PROBE: &str = "balcao/probe";

impl<E: Entries> Vault for EntryVault<E> {
    fn kind(&self) -> VaultKind {
        self.0.kind()
    }

    fn probe(&mut self) -> Result<(), VaultTrouble> {
        // A name of this process's own: two windows must not delete each other's probe.
        let user = std::process::id().to_string();
        self.0.set(PROBE, &user, b"probe")?;
        let read = self.0.value(PROBE, &user);
        self.0.remove(PROBE, &user)?;
        if read?.is_none_or(|read| *read != b"probe") {
            return Err(self.0.odd("it gives back other bytes than it took".into()));
        }
        Ok(())
    }

    fn get(
        &mut self,
        name: &CredentialName,
    ) -> Result<Option<Arc<StoredCredential>>, VaultTrouble> {
        let service = service_of(name);
        let Some(value) = self.0.value(&service, word(name.kind))? else { return Ok(None) };
        match record::decode(&value) {
            Some(credential) => Ok(Some(Arc::new(credential))),
            None => Err(self.0.odd(format!(
                "the entry {service} holds what this program did not write; log in again to \
                 replace it"
            ))),
        }
    }

    fn put(
        &mut self,
        name: &CredentialName,
        credential: &Arc<StoredCredential>,
    ) -> Result<(), VaultTrouble> {
        let value = record::encode(credential);
        self.0.set(&service_of(name), word(name.kind), &value)
    }

    fn delete(&mut self, name: &CredentialName) -> Result<(), VaultTrouble> {
        self.0.remove(&service_of(name), word(name.kind))
    }

    fn put_text(&mut self, name: &str, text: &str) -> Result<(), VaultTrouble> {
        self.0.set(TEXT, name, text.as_bytes())
    }

    fn get_text(&mut self, name: &str) -> Result<Option<String>, VaultTrouble> {
        let value = self.0.value(TEXT, name)?;
        Ok(value.map(|value| String::from_utf8_lossy(&value).into_owned()))
    }

    fn delete_text(&mut self, name: &str) -> Result<(), VaultTrouble> {
        self.0.remove(TEXT, name)
    }
}

fn service_of(name: &CredentialName) -> String {
    // An origin has no spaces: no two pairs share a name, whatever the profile is called.
    format!("balcao/{} {}", name.origin, name.profile)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
