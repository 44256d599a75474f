//! The origin of the service, compared with the origins at which this profile was used before.
//!
//! Another program can change a profile's base URL, in the settings file or by an environment
//! variable, while the title in the header stays the same. The login page and the consent page
//! therefore name the earlier origin too.

use crate::app::Store;
use crate::app::store::session::Credential;
use crate::trade::Origin;

/// True if this profile has logged in at its origin, in this run or in an earlier one.
pub fn has_logged_in(store: &Store) -> bool {
    let has_token = matches!(
        store.session.api_token,
        Credential::Stored(_) | Credential::Refused(_)
    );
    has_token || store.setup.logins.contains(&store.setup.origin)
}

/// Records that a login has succeeded.
pub fn on_login(store: &mut Store) {
    if !store.setup.logins.contains(&store.setup.origin) {
        let logins = std::iter::once(&store.setup.origin).chain(&*store.setup.logins);
        store.setup.logins = logins.cloned().collect();
    }
}

/// The origin at which this profile was used before, if it was never used at its present origin.
/// Known are the origins of logins, of withdrawals, and of links and charges.
pub fn earlier(store: &Store) -> Option<&Origin> {
    if needs_no_check(store) {
        return None;
    }
    let setup = &store.setup;
    let withdrawals = store
        .withdrawals
        .list
        .page
        .rows
        .iter()
        .map(|row| &row.agreement);
    let withdrawals = withdrawals
        .filter(|agreement| agreement.profile == setup.profile)
        .map(|agreement| &agreement.account.origin);
    let links = store
        .links
        .list
        .page
        .rows
        .iter()
        .map(|link| &link.request.account.origin);
    let charges = store
        .charges
        .list
        .page
        .rows
        .iter()
        .map(|charge| &charge.request.account.origin);
    // The history does not record the profile, so leave out the origins of other profiles.
    let sales = links.chain(charges).filter(|origin| {
        setup
            .others
            .iter()
            .all(|other| other.origin.as_ref() != Some(*origin))
    });
    let mut origins = setup.logins.iter().chain(withdrawals).chain(sales);
    if origins.clone().any(|origin| *origin == setup.origin) {
        return None;
    }
    origins.next()
}

/// True if it is known whether the profile was used at another origin before: the journal and the
/// history have been read, or they do not matter.
pub fn is_known(store: &Store) -> bool {
    let has_history =
        store.history_trouble.is_some() || store.links.list.loaded && store.charges.list.loaded;
    let are_read = has_history && store.withdrawals.list.loaded;
    needs_no_check(store) || are_read || earlier(store).is_some()
}

fn needs_no_check(store: &Store) -> bool {
    store.setup.demo.is_some() || store.sandbox || has_logged_in(store)
}

/// The host of the service for the header, until a login has succeeded there. The title in the
/// header comes from the same file as the address, so it does not tell which service it is.
pub fn unproven_host(store: &Store) -> Option<&str> {
    let setup = &store.setup;
    let is_shown_anyway = setup.demo.is_some() || setup.title == setup.base_url;
    if is_shown_anyway || has_logged_in(store) {
        return None;
    }
    setup.origin.0.split_once("://").map(|(_, host)| host)
}
