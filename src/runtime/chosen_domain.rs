//! The domain that new links ask for, kept from one run to the next.
//!
//! The file is beside the journals. It is a comfort and no secret: one that cannot be read counts
//! as none. The app checks the domain in it like all text from outside.

use std::path::Path;

use crate::app::Msg;
use crate::config::ProfileState;
use crate::trade::{DomainChoice, Origin, Untrusted};

const HEAD: &str =
    "# The domain that new links ask for, as it was chosen last. balcao writes this.\n";

/// The file in the directory of what the program remembers.
pub fn file(state: &Path, profile: &str, origin: &Origin) -> ProfileState {
    ProfileState::new(state.join("domains.toml"), HEAD, profile, origin)
}

/// Looks up which domain was chosen when the program ran last.
pub async fn read(file: Option<ProfileState>) -> Msg {
    let host = tokio::task::spawn_blocking(move || file.and_then(|file| file.get().ok()?)).await;
    Msg::DomainRead(host.unwrap_or_default().map(Untrusted::from))
}

/// Stores the chosen domain; returns a message where that did not work.
pub async fn keep(file: Option<ProfileState>, choice: DomainChoice) -> Option<Msg> {
    let file = file?;
    let host = match choice {
        // A host that is not shown as it is would be refused when it is read again.
        DomainChoice::Named(host) if host.is_clean() => Some(host.shown()),
        DomainChoice::Named(_) | DomainChoice::Automatic => None,
    };
    let put = tokio::task::spawn_blocking(move || file.put(host.as_deref()));
    let why = match put.await {
        Ok(Ok(())) => return None,
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    Some(Msg::DomainNotKept(why))
}
