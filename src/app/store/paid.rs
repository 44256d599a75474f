//! The links that were paid as far as the demo's sandbox says; no documented operation says so.

use std::collections::HashSet;
use std::time::Duration;

use super::Store;
use super::notice::Notice;
use crate::app::ui::Role;
use crate::trade::{PaymentLink, Untrusted};

/// The time for which a payment that was just made stands out.
pub const PULSE_MS: u64 = 700;

/// The paid links, by their addresses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SandboxPaid {
    /// The addresses, exactly as the service gave them.
    links: HashSet<Untrusted>,
    /// True once the sandbox told of all of them.
    is_told: bool,
    /// The one that was paid last, and until when it stands out by the boot clock.
    pulse: Option<(Untrusted, u64)>,
}

impl SandboxPaid {
    /// Takes the sandbox's word for all of them: one it does not name was not paid.
    ///
    /// Returns the one that was paid since it was told of them before. Of several at once none was
    /// paid just now: that is another ledger.
    pub fn are(&mut self, links: &[Untrusted]) -> Option<Untrusted> {
        let before = std::mem::replace(&mut self.links, links.iter().cloned().collect());
        let was_told = std::mem::replace(&mut self.is_told, true);
        let mut new = links.iter().filter(|url| !before.contains(*url));
        new.next().filter(|_| was_told && new.next().is_none()).cloned()
    }

    /// Marks one that was paid just now, and lets it stand out for a moment.
    pub fn note(&mut self, url: &Untrusted, boot_ms: u64) {
        self.links.insert(url.clone());
        self.pulse = Some((url.clone(), boot_ms.saturating_add(PULSE_MS)));
    }

    /// Returns true when the sandbox says that this link was paid.
    pub fn has(&self, link: &PaymentLink) -> bool {
        link.url().is_some_and(|url| self.has_address(url))
    }

    /// Returns true when the sandbox says that the link of this address was paid.
    pub fn has_address(&self, url: &Untrusted) -> bool {
        !self.links.is_empty() && self.links.contains(url)
    }

    /// Returns true while the link of this address stands out.
    pub fn stands_out(&self, url: &Untrusted, boot_ms: u64) -> bool {
        self.pulse.as_ref().is_some_and(|(paid, until)| boot_ms < *until && paid == url)
    }

    /// Returns the time until nothing stands out any more; `None` when that is so already.
    pub fn pulse_left(&self, boot_ms: u64) -> Option<Duration> {
        let (_, until) = self.pulse.as_ref()?;
        let left = until.saturating_sub(boot_ms);
        (left > 0).then(|| Duration::from_millis(left))
    }
}

/// The sandbox told of all links that were paid; one that is new was paid just now.
pub fn told(store: &mut Store, links: &[Untrusted]) {
    let Some(url) = store.paid.are(links) else { return };
    store.paid.note(&url, store.now.boot_ms);
    let rows = &store.links.list.page.rows;
    let Some(link) = rows.iter().find(|link| link.url() == Some(&url)) else { return };
    let (description, amount) = (&*link.request.description, link.request.amount);
    store.say(Notice::SandboxLinkPaid { description: description.into(), amount });
}

/// The look of a paid link: for a moment after the payment it stands out.
pub fn role(store: &Store, url: Option<&Untrusted>) -> Role {
    let stands_out = url.is_some_and(|url| store.paid.stands_out(url, store.now.boot_ms));
    if stands_out { Role::Badge } else { Role::Good }
}
