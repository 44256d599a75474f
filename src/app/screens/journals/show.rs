//! The journals of withdrawals to pick one from, each with what is in it.

use crate::app::Store;
use crate::app::ui::blocks::BlockText;
use crate::app::ui::parts::{pair, row, title, wrapped};
use crate::app::ui::text::wrap;
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::trade::{OtherJournal, Untrusted};
use crate::words::{Words, personal};

pub fn draw(store: &Store, say: &Words, cursor: usize, area: Area, page: &mut Page) {
    title(&say.text("journals-title"), Line::default(), area, page);
    let inner = area.narrowed(1).split_top(2).1.without_right(1);
    let width = usize::from(inner.width).saturating_sub(1);
    let head = wrapped(Role::Text, &say.text("journals-what"), width);
    let all = store.withdrawals.journals().iter().enumerate();
    let blocks = all.map(|(n, one)| journal(store, say, one, n == cursor, width)).collect();
    BlockText::new(head, blocks, cursor, inner).draw(store.reader(), page);
}

/// One journal: its folder, its accounts, and how many withdrawals of which kind are in it.
fn journal(
    store: &Store,
    say: &Words,
    one: &OtherJournal,
    is_chosen: bool,
    width: usize,
) -> Vec<Line> {
    let folder = Untrusted::from(one.dir.display().to_string()).shown();
    let folder = wrap(&folder, width).into_iter();
    let head = folder.map(|line| row(is_chosen, vec![Span::of(Role::Strong, line)]));
    let mut below = Vec::new();
    for owner in &one.owners {
        let who = personal::name(say, &owner.identity).shown_within(60);
        let place = Untrusted::from(&*owner.origin.0).shown_within(60);
        let account = say.with("account-at", &[("who", &who), ("place", &place)]);
        below.extend(pair(&say.text("outcome-account"), &account, width));
    }
    below.extend(pair(&say.text("journals-in-it"), &contents(store, say, one), width));
    if one.holds_back() {
        below.extend(pair("", &say.text("journals-holds-back"), width));
    }
    head.chain(below.into_iter().map(|line| line.indented(1))).collect()
}

fn contents(store: &Store, say: &Words, one: &OtherJournal) -> String {
    if one.trouble.is_some() {
        return say.text("journals-unreadable");
    }
    if one.withdrawals == 0 {
        return say.text("journals-no-withdrawals");
    }
    let mut parts = vec![say.count("journals-withdrawals", one.withdrawals, &[])];
    for (id, count) in [
        ("journals-open", one.open),
        ("journals-prepared", one.prepared),
        ("journals-recent", one.recent),
    ] {
        if count > 0 {
            parts.push(say.count(id, count, &[]));
        }
    }
    if let Some(last) = one.last {
        let when = store.reader().moment(last);
        parts.push(say.with("journals-last", &[("when", &when)]));
    }
    parts.join(", ")
}
