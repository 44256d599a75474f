//! The links that were paid as far as the demo's sandbox says; no documented operation says so.

use std::collections::HashSet;
use std::time::Duration;

use crate::trade::{PaymentLink, Untrusted};

/// The time for which a payment that was just made stands out.
pub const PULSE_MS: u64 = 700;

/// The paid links, by their addresses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SandboxPaid {
    /// The addresses, exactly as the service gave them.
    links: HashSet<Untrusted>,
    /// The one that was paid last, and until when it stands out by the boot clock.
    pulse: Option<(Untrusted, u64)>,
}

impl SandboxPaid {
    /// Takes the sandbox's word for all of them: one it does not name was not paid.
    pub fn are(&mut self, links: &[Untrusted]) {
        self.links = links.iter().cloned().collect();
    }

    /// Marks one that was paid just now, and lets it stand out for a moment.
    pub fn note(&mut self, url: &Untrusted, boot_ms: u64) {
        self.links.insert(url.clone());
        self.pulse = Some((url.clone(), boot_ms.saturating_add(PULSE_MS)));
    }

    /// Returns true when the sandbox says that this link was paid.
    pub fn has(&self, link: &PaymentLink) -> bool {
        !self.links.is_empty() && link.url().is_some_and(|url| self.links.contains(url))
    }

    /// Returns true while this link stands out.
    pub fn stands_out(&self, link: &PaymentLink, boot_ms: u64) -> bool {
        let is_it = |url: &Untrusted| link.url() == Some(url);
        self.pulse.as_ref().is_some_and(|(url, until)| boot_ms < *until && is_it(url))
    }

    /// Returns the time until nothing stands out any more; `None` when that is so already.
    pub fn pulse_left(&self, boot_ms: u64) -> Option<Duration> {
        let (_, until) = self.pulse.as_ref()?;
        let left = until.saturating_sub(boot_ms);
        (left > 0).then(|| Duration::from_millis(left))
    }
}
