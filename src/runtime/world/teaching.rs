//! Lines that the seller taught: written into the profile's contract, and in force from then on.
//!
//! Teaching a line is agreeing to it.

use std::sync::Arc;

use super::WorldContext;
use crate::app::Msg;
use crate::app::message::TaughtContract;
use crate::config::contract_files::TeachError;
use crate::contract::{Contract, TaughtLine};
use crate::trade::{Ticket, Untrusted};

/// Writes lines into the contract of the profile, and puts them in force.
///
/// The demo has no file, and a profile that no file names has none either: there they count for
/// this run. Nothing changes while money is in flight.
pub async fn teach(context: Arc<WorldContext>, ticket: Ticket, lines: Vec<TaughtLine>) -> Msg {
    let result = match context.stores.now().money.is_busy() {
        true => Err("a withdrawal is in flight".into()),
        false => write(&context, lines).await,
    };
    Msg::Taught { ticket, result }
}

async fn write(
    context: &WorldContext,
    lines: Vec<TaughtLine>,
) -> Result<TaughtContract, Untrusted> {
    let now = context.contract.now();
    let told = |error: String| Untrusted::from(error);
    let taught_lines = lines.clone();
    let for_the_run = |lines: &[TaughtLine]| now.taught(lines).map_err(|e| told(e.to_string()));
    let (contract, file): (Contract, _) = match context.profile_contract.clone() {
        None => (for_the_run(&lines)?, None),
        Some(profile) => {
            let taught = lines.clone();
            let written = tokio::task::spawn_blocking(move || profile.teach(&taught)).await;
            match written.map_err(|error| told(error.to_string()))? {
                Ok((contract, path)) => (contract, Some(path.display().to_string().into())),
                Err(TeachError::NoProfile(_)) => (for_the_run(&lines)?, None),
                Err(error) => return Err(told(error.to_string())),
            }
        }
    };
    let contract = Arc::new(contract.in_place_of(&now));
    context.contract.replace(contract.clone());
    let agreed = context.consent.agree_by_teaching(&now, &taught_lines).await;
    Ok(TaughtContract { contract, agreed, file })
}
