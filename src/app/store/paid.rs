//! The payment links that were paid, as reported by the demo's sandbox. No documented operation of
//! the API reports payments.

use std::collections::HashSet;
use std::time::Duration;

use super::Store;
use super::notice::Notice;
use crate::app::ui::Role;
use crate::trade::{PaymentLink, Untrusted};

/// The time for which a newly paid link is highlighted, in milliseconds.
pub const PULSE_MS: u64 = 700;

/// The addresses of all links that the sandbox reported as paid.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SandboxPaid {
    /// The links' addresses, byte for byte as the service returned them.
    links: HashSet<Untrusted>,
    /// True once the sandbox has reported its full list of paid links.
    has_full_list: bool,
    /// The most recently paid link, and the boot clock, in milliseconds, at which its highlight
    /// ends.
    highlight: Option<(Untrusted, u64)>,
}

impl SandboxPaid {
    /// Replaces the stored addresses with the sandbox's full list. A link that is not in the list
    /// was not paid.
    ///
    /// Returns the newly paid link if exactly one link was paid since the previous full list.
    /// Several newly paid links at once mean that the sandbox loaded different data, not that
    /// buyers just paid.
    pub fn are(&mut self, links: &[Untrusted]) -> Option<Untrusted> {
        let before = std::mem::replace(&mut self.links, links.iter().cloned().collect());
        let was_told = std::mem::replace(&mut self.has_full_list, true);
        let mut new = links.iter().filter(|url| !before.contains(*url));
        new.next().filter(|_| was_told && new.next().is_none()).cloned()
    }

    /// Adds a link that was just paid, and highlights it for a moment.
    pub fn note(&mut self, url: &Untrusted, boot_ms: u64) {
        self.links.insert(url.clone());
        self.highlight = Some((url.clone(), boot_ms.saturating_add(PULSE_MS)));
    }

    /// Returns true if the sandbox reported this link as paid.
    pub fn has(&self, link: &PaymentLink) -> bool {
        link.url().is_some_and(|url| self.has_address(url))
    }

    /// Returns true if the sandbox reported the link with this address as paid.
    pub fn has_address(&self, url: &Untrusted) -> bool {
        !self.links.is_empty() && self.links.contains(url)
    }

    /// Returns true while the link with this address is highlighted.
    pub fn is_highlighted(&self, url: &Untrusted, boot_ms: u64) -> bool {
        self.highlight.as_ref().is_some_and(|(paid, until)| boot_ms < *until && paid == url)
    }

    /// Returns the time until the current highlight ends, or `None` if no link is highlighted.
    pub fn pulse_left(&self, boot_ms: u64) -> Option<Duration> {
        let (_, until) = self.highlight.as_ref()?;
        let left = until.saturating_sub(boot_ms);
        (left > 0).then(|| Duration::from_millis(left))
    }
}

/// Stores the sandbox's full list of paid links. If exactly one link is newly paid, highlights the
/// link and shows a notice.
pub fn told(store: &mut Store, links: &[Untrusted]) {
    let Some(url) = store.paid.are(links) else { return };
    store.paid.note(&url, store.now.boot_ms);
    let rows = &store.links.list.page.rows;
    let Some(link) = rows.iter().find(|link| link.url() == Some(&url)) else { return };
    let (description, amount) = (&*link.request.description, link.request.amount);
    store.notify(Notice::SandboxLinkPaid { description: description.into(), amount });
}

/// Returns the style (role) of a paid link, which is highlighted for a moment after its payment.
pub fn role(store: &Store, url: Option<&Untrusted>) -> Role {
    let stands_out = url.is_some_and(|url| store.paid.is_highlighted(url, store.now.boot_ms));
    if stands_out { Role::Badge } else { Role::Good }
}
