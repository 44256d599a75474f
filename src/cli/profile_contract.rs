//! The contract of a profile, with the lines of the seller's own file.

use std::time::Duration;

use super::complaint::Complaint;
use super::unreadable;
use crate::config::{Dirs, Profile, read_text};
use crate::contract::Contract;

/// The contract of a profile: the built-in one with the profile's lines in place of its own.
pub fn read(places: &Dirs, profile: &Profile) -> Result<Contract, Complaint> {
    let mut contract = match &profile.contract {
        None => Contract::built_in(),
        Some(file) => {
            let path = places.config.join(file);
            let text = read_text(&path).map_err(|error| unreadable(&path, error))?;
            Contract::with(&[(&path.display().to_string(), &text)]).map_err(Complaint::of)?
        }
    };
    // For the machines that kill the program hundreds of times and send again each time. A release
    // has no such door.
    if cfg!(debug_assertions) && std::env::var_os("BALCAO_TEST_RESEND_AT_ONCE").is_some() {
        contract.withdrawal.resend_after = Duration::ZERO;
    }
    Ok(contract)
}
