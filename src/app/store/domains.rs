//! Checkout domains: what the service lists, and which one new links ask for.

use std::collections::HashMap;
use std::ops::Deref;

use crate::app::cx::Cx;
use crate::app::store::oddity::listed_host;
use crate::app::store::{consent, habits};
use crate::app::ui::wait::Wait;
use crate::app::{Effect, Store};
use crate::trade::{
    Account, CheckoutDomain, DomainChoice, DomainState, Failure, Ticket, Untrusted, Wall,
};

/// A list of domains, with the hosts that they name.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedDomains {
    domains: Vec<CheckoutDomain>,
    /// The first domain that names each host: an address is looked up in thousands of them.
    hosts: HashMap<String, usize>,
}

impl From<Vec<CheckoutDomain>> for ListedDomains {
    fn from(domains: Vec<CheckoutDomain>) -> ListedDomains {
        let hosts = domains.iter().enumerate().rev();
        let hosts = hosts.filter_map(|(n, one)| Some((listed_host(&one.host)?, n))).collect();
        ListedDomains { domains, hosts }
    }
}

impl Deref for ListedDomains {
    type Target = [CheckoutDomain];

    fn deref(&self) -> &[CheckoutDomain] {
        &self.domains
    }
}

impl ListedDomains {
    /// Returns the domain that names this host, which is in ASCII.
    pub fn naming(&self, host: &str) -> Option<&CheckoutDomain> {
        self.hosts.get(host).map(|n| &self.domains[*n])
    }
}

/// Checkout domains, as the service listed them.
#[derive(Debug, Clone, Default)]
pub struct Domains {
    /// The list, once it is here.
    pub listed: Option<ListedDomains>,
    /// The time at which this list came.
    pub listed_at: Option<Wall>,
    /// Since when each of its domains has been seen in its state without a break: in this run,
    /// until the history says since when in earlier ones.
    pub seen_since: Vec<(CheckoutDomain, Wall)>,
    /// The question for the list, while it is under way.
    pub wait: Option<Wait>,
    /// The reason it is not here.
    pub failure: Option<Failure>,
    /// The line under the cursor; 0 is "automatic".
    pub cursor: usize,
    /// The one for new links.
    pub choice: DomainChoice,
}

/// Asks for the list, if its credential is at hand and the contract is agreed to; it never asks for
/// either by itself.
pub fn refresh_if_entered(cx: &mut Cx) {
    let kind = cx.store.setup.contract.domains.call.credential;
    if cx.store.missing(kind).is_none() && consent::pending(cx.store).is_empty() {
        refresh(cx);
    }
}

/// Forgets what an account's domains were.
pub fn forget(cx: &mut Cx) {
    let before = std::mem::take(&mut cx.store.domains).wait;
    cancel(cx, before);
}

fn cancel(cx: &mut Cx, wait: Option<Wait>) {
    if let Some(wait) = wait {
        cx.perform(Effect::Cancel(wait.ticket));
    }
}

/// Asks for the list.
pub fn refresh(cx: &mut Cx) {
    if consent::come_first(cx, None) {
        return;
    }
    let wait = cx.store.wait();
    let before = cx.store.domains.wait.replace(wait);
    cancel(cx, before);
    cx.perform(Effect::ListDomains(wait.ticket));
}

/// The service listed them, or did not; what it listed is noted.
pub fn listed(cx: &mut Cx, ticket: Ticket, result: Result<Vec<CheckoutDomain>, Failure>) {
    if cx.store.domains.wait.is_none_or(|wait| wait.ticket != ticket) {
        return;
    }
    cx.store.domains.wait = None;
    match result {
        Ok(listed) => {
            cx.store.domains.failure = None;
            cx.store.domains.cursor = cx.store.domains.cursor.min(listed.len());
            // A domain that is listed no more is not asked for in silence.
            if let DomainChoice::Named(host) = &cx.store.domains.choice
                && !listed.iter().any(|domain| domain.host == *host)
            {
                cx.store.domains.choice = DomainChoice::Automatic;
            }
            cx.store.domains.seen(&listed, cx.store.now.wall);
            cx.store.domains.listed = Some(listed.clone().into());
            cx.perform(Effect::NoteDomains { account: cx.store.account(), listed });
            habits::refreshed(cx.store, Some(ticket));
        }
        Err(failure) => {
            // The pane says it, with the key that mends it: who only looks is not sent away.
            cx.store.session.note(Some(&failure));
            cx.store.domains.failure = Some(failure);
        }
    }
}

/// The history knows since when domains of this account have been seen in their state.
pub fn known_since(store: &mut Store, account: &Account, seen: &[(CheckoutDomain, Wall)]) {
    if *account != store.account() {
        return;
    }
    let known = by_state(seen);
    for (domain, since) in &mut store.domains.seen_since {
        let known = known.get(&(&domain.host, &domain.state));
        *since = known.map_or(*since, |known| (*known).min(*since));
    }
}

/// Takes the domain that was chosen when the program ran last, unless more is known by now.
pub fn remembered(store: &mut Store, host: Option<Untrusted>) {
    let Some(host) = host.filter(is_host) else { return };
    let is_listed = |listed: &ListedDomains| listed.iter().any(|one| one.host == host);
    let may_be = store.domains.listed.as_ref().is_none_or(is_listed);
    if may_be && store.domains.choice == DomainChoice::Automatic {
        store.domains.choice = DomainChoice::Named(host);
    }
}

/// The longest name that the domain name system has.
const LONGEST_HOST: usize = 253;

/// Returns true for what can be a domain as a service lists it: the file may hold any text.
fn is_host(name: &Untrusted) -> bool {
    let host = listed_host(name).and_then(|host| url::Host::parse(&host).ok());
    name.len() <= LONGEST_HOST && name.is_clean() && matches!(host, Some(url::Host::Domain(_)))
}

/// The moments of domains by host and state: a service may list thousands.
fn by_state(seen: &[(CheckoutDomain, Wall)]) -> HashMap<(&Untrusted, &DomainState), Wall> {
    // Of a domain that is listed twice the first one counts.
    let last_to_first = seen.iter().rev();
    last_to_first.map(|(domain, since)| ((&domain.host, &domain.state), *since)).collect()
}

impl Domains {
    /// Notes a list of now: a domain that is in the state it was in before keeps its moment.
    fn seen(&mut self, listed: &[CheckoutDomain], now: Wall) {
        let before = std::mem::take(&mut self.seen_since);
        let before = by_state(&before);
        let since = |one: &CheckoutDomain| {
            let since = before.get(&(&one.host, &one.state)).copied().unwrap_or(now);
            (one.clone(), since)
        };
        self.seen_since = listed.iter().map(since).collect();
        self.listed_at = Some(now);
    }

    /// The domain under the cursor, and since when it has been seen in its state.
    pub fn under_cursor(&self) -> Option<(&CheckoutDomain, Wall)> {
        let (domain, since) = self.seen_since.get(self.cursor.checked_sub(1)?)?;
        Some((domain, *since))
    }

    /// Returns true when the service lists this host, and says that it is not active yet.
    pub fn is_pending(&self, host: &Untrusted) -> bool {
        self.listed
            .iter()
            .flat_map(|it| it.iter())
            .any(|domain| domain.host == *host && !domain.is_usable())
    }

    /// The hosts that can be used now, as far as is known.
    pub fn usable(&self) -> impl Iterator<Item = &CheckoutDomain> {
        self.listed.iter().flat_map(|it| it.iter()).filter(|domain| domain.is_usable())
    }
}
