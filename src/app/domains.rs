//! Checkout domains: what the service lists, and which one new links ask for.

use super::update::{missing_entry, note_entry, say};
use super::{Effect, Model, Said};
use crate::trade::{CheckoutDomain, DomainChoice, Failure, Ticket, Untrusted};

/// Asks for the list where its credential is at hand; what nobody asked for asks for nothing.
pub fn refresh_if_entered(model: &mut Model) -> Vec<Effect> {
    let kind = model.setup.contract.domains.call.credential;
    match missing_entry(model, kind) {
        None => refresh(model),
        Some(_) => vec![],
    }
}

/// Forgets what an account's domains were.
pub fn forget(model: &mut Model) -> Vec<Effect> {
    let forgotten = std::mem::take(&mut model.domains);
    forgotten.wait.map(|wait| Effect::Cancel(wait.ticket)).into_iter().collect()
}

/// Asks for the list.
pub fn refresh(model: &mut Model) -> Vec<Effect> {
    let wait = model.wait();
    let before = model.domains.wait.replace(wait);
    let mut effects: Vec<Effect> =
        before.map(|wait| Effect::Cancel(wait.ticket)).into_iter().collect();
    effects.push(Effect::ListDomains(wait.ticket));
    effects
}

/// The service listed them, or did not.
pub fn listed(
    model: &mut Model,
    ticket: Ticket,
    result: Result<Vec<CheckoutDomain>, Failure>,
) -> Vec<Effect> {
    if model.domains.wait.is_none_or(|wait| wait.ticket != ticket) {
        return vec![];
    }
    model.domains.wait = None;
    match result {
        Ok(listed) => {
            model.domains.failure = None;
            model.domains.cursor = model.domains.cursor.min(listed.len());
            // A domain that is listed no more is not asked for in silence.
            if let DomainChoice::Named(host) = &model.domains.choice
                && !listed.iter().any(|domain| domain.host == *host)
            {
                model.domains.choice = DomainChoice::Automatic;
            }
            model.domains.listed = Some(listed);
            vec![]
        }
        Err(failure) => {
            // The pane says it, with the key that mends it: who only looks is not sent away.
            note_entry(model, Some(&failure));
            model.domains.failure = Some(failure);
            vec![]
        }
    }
}

/// Takes the line under the cursor for new links.
pub fn choose(model: &mut Model) -> Vec<Effect> {
    let listed = model.domains.listed.as_deref().unwrap_or_default();
    model.domains.choice = match model.domains.cursor.checked_sub(1).and_then(|i| listed.get(i)) {
        Some(domain) => DomainChoice::Named(domain.host.clone()),
        None => DomainChoice::Automatic,
    };
    say(model, Said::DomainChosen);
    // A demo's domains end with it.
    let keep = model.setup.demo.is_none().then(|| Effect::KeepDomain(model.domains.choice.clone()));
    keep.into_iter().collect()
}

/// Takes the domain that was chosen when the program ran last, unless more is known by now.
pub fn remembered(model: &mut Model, host: Option<Untrusted>) -> Vec<Effect> {
    let Some(host) = host.filter(is_host) else { return vec![] };
    let is_listed = |listed: &Vec<CheckoutDomain>| listed.iter().any(|one| one.host == host);
    let may_be = model.domains.listed.as_ref().is_none_or(is_listed);
    if may_be && model.domains.choice == DomainChoice::Automatic {
        model.domains.choice = DomainChoice::Named(host);
    }
    vec![]
}

/// The longest name that the domain name system has.
const LONGEST_HOST: usize = 253;

/// Whether it is the name of a host and nothing else: whoever writes the file may write anything.
fn is_host(name: &Untrusted) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
    let text = name.shown();
    name.len() <= LONGEST_HOST
        && name.is_clean()
        && text.chars().all(is_plain)
        && matches!(url::Host::parse(&text), Ok(url::Host::Domain(_)))
}

impl super::Domains {
    /// Whether the service lists this host, and says that it is not active yet.
    pub fn is_pending(&self, host: &Untrusted) -> bool {
        self.listed.iter().flatten().any(|domain| domain.host == *host && !domain.is_usable())
    }

    /// The hosts that can be used now, as far as is known.
    pub fn usable(&self) -> impl Iterator<Item = &CheckoutDomain> {
        self.listed.iter().flatten().filter(|domain| domain.is_usable())
    }
}
