//! Finds the service whose stored requests are exported, if no profile names it.

use crate::cli::complaint::Complaint;
use crate::cli::{ChosenProfile, GlobalArgs};
use crate::journal::requests::{MAX_ROWS, RequestOwner, Requests};
use crate::runtime::journal_location::LiveJournal;

/// The chosen profile. If it has no base URL, and all requests in the live journal were sent to one
/// service, the profile gets the address of that service.
pub(super) fn chosen_profile(args: &GlobalArgs) -> Result<ChosenProfile, Complaint> {
    let chosen = args.chosen_profile()?;
    if chosen.optional_base_url()?.is_some() {
        return Ok(chosen);
    }
    let owners = owners(&chosen).unwrap_or_default();
    let Some(first) = owners.first() else {
        return Ok(chosen);
    };
    if !all_equal(&owners, |owner| &owner.origin) {
        return Ok(chosen);
    }
    let mut args = args.clone();
    args.base_url = Some(first.origin.0.to_string());
    let is_stored = owners.iter().any(|owner| *owner.profile == *chosen.name);
    if args.profile.is_none() && !is_stored && all_equal(&owners, |owner| &owner.profile) {
        args.profile = Some(first.profile.to_string());
    }
    args.chosen_profile()
}

fn all_equal<T: PartialEq>(owners: &[RequestOwner], part: impl Fn(&RequestOwner) -> &T) -> bool {
    owners
        .windows(2)
        .all(|pair| part(&pair[0]) == part(&pair[1]))
}

/// The profile and service of each stored request. Errors are ignored here, because the export
/// reports that the base URL is missing.
fn owners(chosen: &ChosenProfile) -> Option<Vec<RequestOwner>> {
    let dir = LiveJournal::new(&chosen.settings.dirs).dir();
    let rows = Requests::open_to_read(&dir)
        .ok()??
        .rows(None, MAX_ROWS)
        .ok()?;
    let owners = rows.into_iter().map(|row| RequestOwner {
        profile: row.profile,
        origin: row.origin,
    });
    Some(owners.collect())
}
