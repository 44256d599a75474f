//! The checkout domains of the seller: the list from the service, and the domain for new payment
//! links.

use std::collections::HashMap;
use std::ops::Deref;

use tui_input::Input as TextField;

use crate::app::cx::Cx;
use crate::app::store::payable_warnings::listed_host;
use crate::app::store::{consent, credential_trial, key_feedback};
use crate::app::ui::form::{Edited, edit_text};
use crate::app::ui::input::Key;
use crate::app::ui::list::{AnyList, MAX_SEARCHED, Move, moved_cursor};
use crate::app::ui::parts::SearchField;
use crate::app::ui::wait::Wait;
use crate::app::{Effect, Store};
use crate::trade::{
    Account, CheckoutDomain, DomainChoice, DomainList, DomainState, Failure, Operation, Ticket,
    Untrusted, Wall,
};

/// The list of checkout domains that the service returned, with an index by host name.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedDomains {
    domains: Vec<CheckoutDomain>,
    /// Maps each host name to the position of its first domain in the list.
    index_by_host: HashMap<String, usize>,
    /// True if the list has more pages, which the API contract does not read.
    pub has_more_pages: bool,
}

impl From<DomainList> for ListedDomains {
    fn from(list: DomainList) -> ListedDomains {
        let DomainList {
            domains,
            has_more_pages,
        } = list;
        let indexes = domains.iter().enumerate().rev();
        let indexes = indexes
            .filter_map(|(n, domain)| Some((listed_host(&domain.host)?, n)))
            .collect();
        ListedDomains {
            domains,
            index_by_host: indexes,
            has_more_pages,
        }
    }
}

impl From<Vec<CheckoutDomain>> for ListedDomains {
    fn from(domains: Vec<CheckoutDomain>) -> ListedDomains {
        DomainList::from(domains).into()
    }
}

impl Deref for ListedDomains {
    type Target = [CheckoutDomain];

    fn deref(&self) -> &[CheckoutDomain] {
        &self.domains
    }
}

impl ListedDomains {
    /// The domain with this host name. The host name must be in ASCII.
    pub fn find_by_host(&self, host: &str) -> Option<&CheckoutDomain> {
        self.index_by_host.get(host).map(|n| &self.domains[*n])
    }
}

/// The list of checkout domains that the service returned, and the domain that the seller chose.
#[derive(Debug, Clone, Default)]
pub struct Domains {
    /// The list of domains, or `None` until it has arrived from the service.
    pub listed: Option<ListedDomains>,
    /// When the list of domains arrived from the service.
    pub listed_at: Option<Wall>,
    /// Each listed domain, with the time at which its state last changed. That time may come from
    /// an earlier run, through the history database.
    pub first_seen: Vec<(CheckoutDomain, Wall)>,
    /// The pending request for the list of domains.
    pub wait: Option<Wait>,
    /// The reason the list of domains could not be loaded.
    pub failure: Option<Failure>,
    /// The position of the cursor in the visible rows. Without a search, row 0 is the choice
    /// "automatic", and the domains follow.
    pub cursor: usize,
    /// The search text.
    pub query: TextField,
    /// True while the search field has the focus.
    pub searching: bool,
    /// The rows that match the search text; `None` if no search is active.
    pub matching_rows: Option<Vec<usize>>,
    /// The checkout domain that new payment links should use.
    pub choice: DomainChoice,
}

/// Requests the list of domains if the seller has the needed credential and has agreed to the API
/// contract. Otherwise does nothing: unlike [`refresh`], never opens the consent page.
pub fn refresh_if_entered(cx: &mut Cx) {
    let kind = cx.store.setup.contract.domains.call.credential;
    if cx.store.missing_credential(kind).is_none() && consent::pending(cx.store).is_empty() {
        refresh(cx);
    }
}

/// Clears the list of domains and the seller's choice, and cancels the pending request. Called on
/// logout and when the demo is reset.
pub fn forget(cx: &mut Cx) {
    let pending_wait = std::mem::take(&mut cx.store.domains).wait;
    cancel(cx, pending_wait);
}

fn cancel(cx: &mut Cx, wait: Option<Wait>) {
    if let Some(wait) = wait {
        cx.perform(Effect::Cancel(wait.ticket));
    }
}

/// Requests the list of domains. If the seller has not agreed to the API contract, opens the
/// consent page instead.
pub fn refresh(cx: &mut Cx) {
    if consent::open_if_pending(cx, None) {
        return;
    }
    let wait = cx.store.wait();
    // Clear the last failure. Its cause may be gone, for example because the seller logged in
    // again.
    cx.store.domains.failure = None;
    let previous_wait = cx.store.domains.wait.replace(wait);
    cancel(cx, previous_wait);
    cx.perform(Effect::ListDomains(wait.ticket));
}

/// Handles the reply to the request for the list of domains. On success, also saves the list in the
/// history database.
pub fn listed(cx: &mut Cx, ticket: Ticket, result: Result<DomainList, Failure>) {
    if cx
        .store
        .domains
        .wait
        .is_none_or(|wait| wait.ticket != ticket)
    {
        return;
    }
    cx.store.domains.wait = None;
    match result {
        Ok(list) => {
            let listed = list.domains.clone();
            cx.store.domains.failure = None;
            // Stop using the chosen domain if it is no longer in the list.
            if let DomainChoice::Named(host) = &cx.store.domains.choice
                && !listed.iter().any(|domain| domain.host == *host)
            {
                cx.store.domains.choice = DomainChoice::Automatic;
            }
            cx.store.domains.record_states(&listed, cx.store.now.wall);
            cx.store.domains.listed = Some(list.into());
            cx.store.domains.cursor = cx.store.domains.cursor.min(cx.store.domains.last_row());
            cx.perform(Effect::NoteDomains {
                account: cx.store.account(),
                listed,
            });
            key_feedback::confirm_refresh(cx.store, Some(ticket));
        }
        Err(failure) => {
            // The domains pane shows the failure and the key that fixes it. Do not open the login
            // automatically, because the seller may not have requested the list.
            credential_trial::note(cx.store, Operation::Domains, Some(&failure));
            cx.store.domains.failure = Some(failure);
        }
    }
}

/// Corrects the time at which the state of each domain last changed. `seen` contains the times from
/// the history database, which are used if they are earlier. Times of another account are ignored.
pub fn take_earlier_times(store: &mut Store, account: &Account, seen: &[(CheckoutDomain, Wall)]) {
    if *account != store.account() {
        return;
    }
    let earlier_times = times_by_state(seen);
    for (domain, since) in &mut store.domains.first_seen {
        let earlier = earlier_times.get(&(&domain.host, &domain.state));
        *since = earlier.map_or(*since, |earlier| (*earlier).min(*since));
    }
}

/// Restores the domain that was chosen in the previous run. Does nothing if the seller has already
/// chosen a domain in this run, or if the service does not list that domain.
pub fn restore_choice(store: &mut Store, host: Option<Untrusted>) {
    let Some(host) = host.filter(is_host) else {
        return;
    };
    let is_allowed = store
        .domains
        .listed
        .as_ref()
        .is_none_or(|listed| listed.iter().any(|domain| domain.host == host));
    if is_allowed && store.domains.choice == DomainChoice::Automatic {
        store.domains.choice = DomainChoice::Named(host);
    }
}

/// The maximum length of a host name in DNS.
const MAX_HOST_LENGTH: usize = 253;

/// True if the text is a valid host name for a checkout domain. The text comes from a file, which
/// may contain anything.
fn is_host(name: &Untrusted) -> bool {
    let host = listed_host(name).and_then(|host| url::Host::parse(&host).ok());
    name.len() <= MAX_HOST_LENGTH && name.is_clean() && matches!(host, Some(url::Host::Domain(_)))
}

fn times_by_state(seen: &[(CheckoutDomain, Wall)]) -> HashMap<(&Untrusted, &DomainState), Wall> {
    // If the list contains a domain twice, the first entry counts. Insert the entries from last to
    // first, so that the first overwrites the others.
    let last_to_first = seen.iter().rev();
    last_to_first
        .map(|(domain, since)| ((&domain.host, &domain.state), *since))
        .collect()
}

impl Domains {
    /// Records since when each listed domain has had its current state. If the state has not
    /// changed, the earlier time is kept.
    fn record_states(&mut self, listed: &[CheckoutDomain], now: Wall) {
        let before = std::mem::take(&mut self.first_seen);
        let before = times_by_state(&before);
        self.first_seen = listed
            .iter()
            .map(|domain| {
                let since = before
                    .get(&(&domain.host, &domain.state))
                    .copied()
                    .unwrap_or(now);
                (domain.clone(), since)
            })
            .collect();
        self.listed_at = Some(now);
    }

    pub fn field(&self) -> SearchField<'_> {
        SearchField {
            query: &self.query,
            searching: self.searching,
            is_personal: false,
        }
    }

    /// The number of visible rows. With a search, these are the matches. Without a search, these
    /// are one row for "automatic" and one for each domain.
    pub fn shown(&self) -> usize {
        self.matching_rows.as_ref().map_or_else(
            || 1 + self.listed.as_ref().map_or(0, |listed| listed.len()),
            Vec::len,
        )
    }

    /// The position of the last visible row.
    fn last_row(&self) -> usize {
        self.shown().saturating_sub(1)
    }

    /// The row that is visible at this position, as its number in the list without a search. Row 0
    /// is "automatic". Row 1 is the first domain.
    pub fn row(&self, position: usize) -> Option<usize> {
        match &self.matching_rows {
            Some(matches) => matches.get(position).copied(),
            None => Some(position).filter(|position| *position < self.shown()),
        }
    }

    /// The domain under the cursor, and the time at which its state last changed.
    pub fn under_cursor(&self) -> Option<(&CheckoutDomain, Wall)> {
        let row = self.row(self.cursor)?;
        let (domain, since) = self.first_seen.get(row.checked_sub(1)?)?;
        Some((domain, *since))
    }

    /// True if this host is in the service's list, but not active yet.
    pub fn is_pending(&self, host: &Untrusted) -> bool {
        self.listed
            .iter()
            .flat_map(|listed| listed.iter())
            .any(|domain| domain.host == *host && !domain.is_usable())
    }

    /// The domains in the service's list that can be used now.
    pub fn usable(&self) -> impl Iterator<Item = &CheckoutDomain> {
        self.listed
            .iter()
            .flat_map(|listed| listed.iter())
            .filter(|domain| domain.is_usable())
    }
}

impl AnyList for Domains {
    fn is_searching(&self) -> bool {
        self.searching
    }

    fn has_no_row(&self) -> bool {
        self.shown() == 0
    }

    fn search(&mut self, on: bool) {
        self.searching = on;
    }

    fn type_key(&mut self, key: Key) -> Edited {
        let edited = edit_text(&mut self.query, MAX_SEARCHED, key);
        if edited == Edited::Changed {
            self.cursor = 0;
        }
        edited
    }

    fn leave_search(&mut self) -> bool {
        self.searching = false;
        let was_filtered = !self.query.value().is_empty();
        if was_filtered {
            // Keep the cursor on the domain that the user found with the search.
            self.cursor = self.row(self.cursor).unwrap_or(0);
            self.query.reset();
            self.matching_rows = None;
        }
        was_filtered
    }

    /// Does nothing, because this list cannot be scrolled separately: its visible part always
    /// follows the cursor.
    fn set_top(&mut self, _: u64) {}

    fn cursor(&self) -> u64 {
        self.cursor as u64
    }

    fn last(&self) -> u64 {
        self.last_row() as u64
    }

    fn go(&mut self, to: Move) -> bool {
        self.cursor = moved_cursor(self.cursor, self.last_row(), to);
        false
    }
}
