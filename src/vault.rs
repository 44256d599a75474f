//! Where credentials are kept between two runs: one trait, one thread.
//!
//! A [`Vault`] is synchronous and may block for as long as a person leaves a prompt open.
//! Therefore the rest of the program only knows the [`VaultHandle`], whose calls always end. There
//! is no silent fallback: memory in place of the keyring is a call of [`VaultHandle::memory`].
//!
//! A new kind of vault is a file here with what makes its handle, a line in the list below, its
//! name in `trade/credential.rs` and the arm of `cli/vault_choice.rs` that opens it. Where that
//! name says too little to a seller, `doctor.ftl` has a word for it in each language.

mod call_limit;
mod entries;
mod environment;
mod handle;
mod helper;
mod kernel_keyring;
mod memory;
mod os_keyring;
mod record;

use std::fmt::Display;
use std::sync::Arc;

use crate::trade::{
    CredentialKind, CredentialName, Secret, Untrusted, VaultKind, VaultTrouble, Wall,
};

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

/// A place that keeps credentials; every call may block.
pub trait Vault {
    /// The kind of this place.
    fn kind(&self) -> VaultKind;

    /// Proves that a credential could be stored, by storing something of no value.
    ///
    /// Reading proves nothing: an empty or locked keyring says "no such entry" as a good one does.
    fn probe(&mut self) -> Result<(), VaultTrouble>;

    /// The credential of that name, if there is one.
    fn get(&mut self, name: &CredentialName)
    -> Result<Option<Arc<StoredCredential>>, VaultTrouble>;

    /// Keeps a credential, in place of an earlier one of that name.
    fn put(
        &mut self,
        name: &CredentialName,
        credential: &Arc<StoredCredential>,
    ) -> Result<(), VaultTrouble>;

    /// Forgets the credential of that name, if there is one.
    fn delete(&mut self, name: &CredentialName) -> Result<(), VaultTrouble>;

    /// Keeps a text that is no secret, such as the path of the live money journal, in place of an
    /// earlier one of that name.
    fn put_text(&mut self, name: &str, text: &str) -> Result<(), VaultTrouble>;

    /// The text of that name, whole as it was kept, if there is one.
    fn get_text(&mut self, name: &str) -> Result<Option<String>, VaultTrouble>;

    /// Forgets the text of that name, if there is one.
    fn delete_text(&mut self, name: &str) -> Result<(), VaultTrouble>;
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
