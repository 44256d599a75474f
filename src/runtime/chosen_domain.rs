//! Remembers, for the next start, which checkout domain the seller chose for new payment links.
//!
//! The choice is stored in `domains.toml` in the state directory. If the file cannot be read, no
//! domain is chosen. The file's content is untrusted, so the app checks it before use.

use std::path::Path;

use crate::app::Msg;
use crate::config::{ProfileState, StateFileKind};
use crate::trade::{DomainChoice, Origin, Untrusted};

/// The file that stores the chosen checkout domain for this profile and service.
pub fn file(state: &Path, profile: &str, origin: &Origin) -> ProfileState {
    ProfileState::new(state, StateFileKind::Domains, profile, origin)
}

/// Reads the checkout domain that the seller chose in an earlier run of the program.
pub async fn read(file: Option<ProfileState>) -> Msg {
    let host = tokio::task::spawn_blocking(move || file.and_then(|file| file.get().ok()?)).await;
    Msg::DomainRead(host.unwrap_or_default().map(Untrusted::from))
}

/// Stores the chosen checkout domain. If that fails, returns a message that reports the failure.
pub async fn store(file: Option<ProfileState>, choice: DomainChoice) -> Option<Msg> {
    let file = file?;
    let host = match choice {
        // Store the host name only if it is printable, because any other name would be rejected at
        // the next start.
        DomainChoice::Named(host) if host.is_clean() => Some(host.shown()),
        DomainChoice::Named(_) | DomainChoice::Automatic => None,
    };
    let writing = tokio::task::spawn_blocking(move || file.put(host.as_deref()));
    let error = match writing.await {
        Ok(Ok(())) => return None,
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    Some(Msg::DomainNotSaved(error))
}
