//! The screen of withdrawals that are locked: what is wrong, what is known, and the way out.

use crate::app::Store;
use crate::app::ui::action::Action;
use crate::app::ui::parts::{pair, wrapped};
use crate::app::ui::{Line, Role};
use crate::words::failure::{self, FailureText};

/// Everything there is to say while withdrawals are locked, the most needed first.
pub fn lines(store: &Store, width: usize) -> Vec<Line> {
    let Some(trouble) = &store.withdrawals.trouble else {
        return on_network(store, width);
    };
    let FailureText { what, quotes, .. } = failure::journal(store.words(), trouble);
    let mut lines = wrapped(Role::Bad, &store.text("withdrawals-locked"), width);
    lines.extend(wrapped(Role::Bad, &what, width));
    let money = format!("{} {}", store.text("withdrawals-locked-money"), store.text(known(store)));
    lines.extend(wrapped(Role::Strong, &money, width));
    for way in failure::ways_out(store.words(), trouble) {
        lines.extend(wrapped(Role::Text, &way, width));
    }
    if store.withdrawals.live_elsewhere().is_some() {
        let key = store.reader().first_key(Action::MakeLive);
        let here = store.with("make-live-key", &[("key", key)]);
        lines.extend(wrapped(Role::Strong, &here, width));
    }
    if !trouble.may_pass() {
        lines.extend(wrapped(Role::Text, &store.text("locked-until"), width));
    }
    let folder = store.journal.shown();
    lines.extend(pair(&store.text("locked-folder"), &folder, width));
    for (label, detail) in &quotes {
        lines.extend(pair(label, &detail.shown_within(2 * width), width));
    }
    lines.extend(wrapped(Role::Dim, &store.text("locked-commands"), width));
    lines
}

/// Says that no new withdrawal is begun here, and that the others go on.
fn on_network(store: &Store, width: usize) -> Vec<Line> {
    let Some(network) = store.withdrawals.network else { return Vec::new() };
    let what = format!("{} ({network})", store.text("journal-network").trim_end_matches('.'));
    let mut lines = wrapped(Role::Warn, &what, width);
    lines.extend(wrapped(Role::Text, &store.text("journal-network.way"), width));
    lines.extend(pair(&store.text("locked-folder"), &store.journal.shown(), width));
    lines
}

/// Names what is known of open withdrawals: it claims nothing of a journal that was not read.
fn known(store: &Store) -> &'static str {
    let withdrawals = &store.withdrawals;
    match (withdrawals.open.is_empty(), withdrawals.was_read) {
        (false, _) => "locked-open",
        (true, true) => "locked-none-open",
        (true, false) => "locked-not-known",
    }
}
