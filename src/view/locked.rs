//! The screen of withdrawals that are locked: what is wrong, what is known, and the way out.

use ratatui::text::Line;

use super::failure::{self, Told};
use super::parts::{first_key, pair, wrapped};
use super::{Look, Role, journals};
use crate::app::Model;
use crate::app::action::Action;
use crate::trade::JournalTrouble;

/// The ways out of a trouble, the one to try first before the others.
pub fn ways(look: &Look, trouble: &JournalTrouble) -> Vec<String> {
    let (id, _) = failure::journal_id(trouble);
    let way = look.say(&format!("{id}.way"));
    let other = match trouble {
        JournalTrouble::Damaged(_) => Some(look.say("journal-damaged.else")),
        JournalTrouble::Missing => Some(look.say("journal-missing.else")),
        JournalTrouble::MaybeMissing(_) => Some(look.say("journal-maybe-missing.else")),
        _ => None,
    };
    std::iter::once(way).chain(other).collect()
}

/// Everything there is to say while withdrawals are locked, the most needed first.
pub(super) fn lines(model: &Model, look: &Look, width: usize) -> Vec<Line<'static>> {
    let Some(trouble) = &model.withdrawals.trouble else {
        let mut lines = journals::beside(model, look, width);
        lines.extend(on_network(model, look, width));
        return lines;
    };
    let Told { what, quotes, .. } = failure::journal(look, trouble);
    let mut lines = wrapped(look, Role::Bad, &look.say("withdrawals-locked"), width);
    lines.extend(wrapped(look, Role::Bad, &what, width));
    let money = format!("{} {}", look.say("withdrawals-locked-money"), look.say(known(model)));
    lines.extend(wrapped(look, Role::Strong, &money, width));
    for way in ways(look, trouble) {
        lines.extend(wrapped(look, Role::Text, &way, width));
    }
    if let JournalTrouble::Several(_) = trouble {
        let key = first_key(model, look, Action::Journals);
        let pick = look.words.with("journals-pick", &[("key", &key)]);
        lines.extend(wrapped(look, Role::Strong, &pick, width));
    }
    if !trouble.may_pass() {
        lines.extend(wrapped(look, Role::Text, &look.say("locked-until"), width));
    }
    let folder = model.journal.shown();
    lines.extend(pair(look, &look.say("locked-folder"), &folder, width));
    for (label, detail) in &quotes {
        lines.extend(pair(look, label, &detail.shown_within(2 * width), width));
    }
    lines.extend(wrapped(look, Role::Dim, &look.say("locked-commands"), width));
    lines
}

/// That no new withdrawal is begun here, and that the others go on.
fn on_network(model: &Model, look: &Look, width: usize) -> Vec<Line<'static>> {
    let Some(network) = model.withdrawals.network else { return Vec::new() };
    let what = format!("{} ({network})", look.say("journal-network").trim_end_matches('.'));
    let mut lines = wrapped(look, Role::Warn, &what, width);
    lines.extend(wrapped(look, Role::Text, &look.say("journal-network.way"), width));
    lines.extend(pair(look, &look.say("locked-folder"), &model.journal.shown(), width));
    lines
}

/// What is known of open withdrawals: nothing is claimed of a journal that was not read.
fn known(model: &Model) -> &'static str {
    let withdrawals = &model.withdrawals;
    match (withdrawals.open.is_empty(), withdrawals.was_read) {
        (false, _) => "locked-open",
        (true, true) => "locked-none-open",
        (true, false) => "locked-not-known",
    }
}
