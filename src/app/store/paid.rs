//! Handles the sandbox's reports of paid links. Saves them in the history, and highlights a link
//! that was just paid. Only the demo's sandbox reports payments. The documented API cannot.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::Store;
use super::motion::{FRAMES, Motion};
use super::notice::Notice;
use super::{links, sales};
use crate::app::Effect;
use crate::app::cx::Cx;
use crate::app::ui::Role;
use crate::trade::{
    Author, JournalTrouble, LinkRequest, Paid, PaidSource, PaymentLink, Sale, Untrusted, Wall,
};
use crate::words::names;

/// How long a newly paid link is highlighted, in milliseconds. The time is long enough for an
/// audience to notice it.
pub const HIGHLIGHT_MS: u64 = 6_000;

/// The unfinished frames of a check mark.
const CHECK_MARK_FRAMES: [&str; FRAMES] = ["⠄", "⡠"];

/// The payment links that the sandbox reported as paid.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SandboxPaid {
    /// The URLs of the paid links, byte for byte as the service returned them.
    links: HashSet<Untrusted>,
    /// True once the sandbox has reported the full list of paid links.
    has_full_list: bool,
    highlight: Option<Highlight>,
}

/// The most recently paid link.
#[derive(Debug, Clone, PartialEq)]
struct Highlight {
    url: Untrusted,
    /// When the link was created. The list of links shows the link under that day.
    created_at: Wall,
    /// The start of the highlight, and of the motion of the link's check mark.
    motion: Motion,
}

impl SandboxPaid {
    /// Replaces the stored URLs with the sandbox's full list of paid links.
    ///
    /// Returns the new paid link if exactly one link was added since the previous list. If several
    /// links were added at once, the sandbox loaded different data, and buyers did not just pay.
    pub fn replace_list(&mut self, links: &[Untrusted]) -> Option<Untrusted> {
        let old_links = std::mem::replace(&mut self.links, links.iter().cloned().collect());
        let had_full_list = std::mem::replace(&mut self.has_full_list, true);
        let mut new_links = links.iter().filter(|url| !old_links.contains(*url));
        new_links
            .next()
            .filter(|_| had_full_list && new_links.next().is_none())
            .cloned()
    }

    /// Highlights a link for a few seconds, because it was just paid.
    pub fn highlight(&mut self, link: &PaymentLink, boot_ms: u64) {
        self.highlight = link.url().map(|url| Highlight {
            url: url.clone(),
            created_at: link.at,
            motion: Motion(boot_ms),
        });
    }

    /// True if the sandbox reported the link with this URL as paid.
    pub fn is_paid_address(&self, url: &Untrusted) -> bool {
        !self.links.is_empty() && self.links.contains(url)
    }

    fn highlighted(&self, boot_ms: u64) -> Option<&Highlight> {
        self.pulse_left(boot_ms).and(self.highlight.as_ref())
    }

    /// True while the link with this URL is highlighted.
    pub fn is_highlighted(&self, url: &Untrusted, boot_ms: u64) -> bool {
        self.highlighted(boot_ms)
            .is_some_and(|highlight| highlight.url == *url)
    }

    /// The time until the current highlight ends, or `None` if no link is highlighted.
    pub fn pulse_left(&self, boot_ms: u64) -> Option<Duration> {
        let begin_ms = self.highlight.as_ref()?.motion.0;
        let left_ms = begin_ms
            .saturating_add(HIGHLIGHT_MS)
            .saturating_sub(boot_ms);
        (left_ms > 0).then_some(Duration::from_millis(left_ms))
    }

    /// The motion of the check mark of the most recently paid link.
    pub fn motion(&self) -> Option<Motion> {
        self.highlight.as_ref().map(|highlight| highlight.motion)
    }
}

/// The text about the mark in the details of a link or direct payment: who of a team made it, and
/// when, or the day of the statement that it is from.
pub fn mark_text(store: &Store, paid: Paid, author: Option<&Author>) -> String {
    let cx = store.render_cx();
    let words = cx.words;
    let who = author.map(|author| names::author(words, author));
    let who = who.as_deref();
    if let PaidSource::Statement(day) = paid.source {
        let day = cx.day(day);
        return match who {
            Some(who) => {
                let values = [("who", who), ("day", &*day)];
                words.with("link-marked-by-statement.team", &values)
            }
            None => words.with("link-marked-by-statement", &[("day", &day)]),
        };
    }
    let when = cx.moment(paid.at);
    match who {
        Some(who) => words.with("link-marked.team", &[("who", who), ("when", &when)]),
        None => words.with("link-marked", &[("when", &when)]),
    }
}

/// Handles the sandbox's report of paid links: saves the payments in the history database. Totals,
/// filters and searches then include them.
pub fn reported(cx: &mut Cx, links: &Arc<[Untrusted]>) {
    let new_link = cx.store.paid.replace_list(links);
    if !links.is_empty() {
        cx.perform(Effect::RecordPaid {
            links: links.clone(),
            new: new_link,
        });
    }
}

/// Reloads the list of links after payments were recorded in the history database. If exactly one
/// link is newly paid, highlights it and shows a notice.
pub fn recorded(cx: &mut Cx, result: &Result<Option<Arc<Sale>>, JournalTrouble>) {
    match result {
        Ok(paid) => {
            sales::reload_keeping_row::<LinkRequest>(cx);
            let Some(Sale::Link(link)) = paid.as_deref() else {
                return;
            };
            cx.store.paid.highlight(link, cx.store.now.boot_ms);
            let description = &*link.request.description;
            let amount = link.request.amount;
            cx.store.notify(Notice::SandboxLinkPaid {
                description: description.into(),
                amount,
            });
        }
        Err(trouble) => links::report_history_trouble(cx.store, trouble.clone()),
    }
}

/// True if a created link is not paid yet. This is known only from the sandbox that created it.
pub fn is_awaited(store: &Store, link: &PaymentLink) -> bool {
    let is_of_sandbox = link.request.account.origin == store.setup.origin;
    let is_known = store.paid.has_full_list && is_of_sandbox;
    is_known && link.url().is_some() && link.paid.is_none()
}

/// True while the link with this URL is highlighted.
pub fn is_highlighted(store: &Store, url: Option<&Untrusted>) -> bool {
    url.is_some_and(|url| store.paid.is_highlighted(url, store.now.boot_ms))
}

/// True while any link that was created on this local day is highlighted.
pub fn is_day_highlighted(store: &Store, day: i64) -> bool {
    let highlight = store.paid.highlighted(store.now.boot_ms);
    highlight
        .is_some_and(|highlight| highlight.created_at.local_day(store.setup.utc_offset_s) == day)
}

/// The style (role) of a paid link. For a few seconds after the payment, the link is highlighted.
pub fn role(store: &Store, url: Option<&Untrusted>) -> Role {
    if is_highlighted(store, url) {
        Role::Badge
    } else {
        Role::Good
    }
}

/// The text with this id about the state of a link. The check mark of a link that was just paid
/// draws itself.
pub fn state_text(store: &Store, url: Option<&Untrusted>, id: &str) -> String {
    let text = store.text(id);
    let motion = store.paid.motion().filter(|_| is_highlighted(store, url));
    match motion.and_then(|motion| motion.frame(store)) {
        Some(frame) => text.replacen('✓', CHECK_MARK_FRAMES[frame], 1),
        None => text,
    }
}
