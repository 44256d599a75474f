//! The page of the checkup: each finding with its sign, its word, and what to do.

use super::Doctor;
use crate::app::Store;
use crate::app::ui::parts::{all_quoted, title, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{exactly, wrap};
use crate::app::ui::{Area, Line, Page, Role, Span, mark};
use crate::trade::checkup::{Checkup, Finding, Verdict};
use crate::words::{Words, checkup};

/// Columns before a finding's own words: the sign and the word of its verdict.
const INDENT: usize = 12;

pub fn draw(store: &Store, say: &Words, doctor: &Doctor, area: Area, page: &mut Page) {
    title(&say.text("doctor-title"), Line::default(), area.split_top(2).0, page);
    let rest = area.split_top(2).1.narrowed(1);
    let width = usize::from(rest.width);
    let mut lines = Vec::new();
    if let Some(wait) = doctor.wait {
        lines.push(waiting(store.reader(), &say.text("doctor-wait"), wait));
    }
    if let Some(found) = &doctor.checkup {
        lines.push(summary(say, found));
        lines.extend(wrapped(Role::Dim, &say.text("doctor-sent-nothing"), width));
        lines.extend(findings(store, say, found, width));
    }
    Text::new(lines, rest).draw(store.reader(), page);
}

fn summary(say: &Words, found: &Checkup) -> Line {
    let mark = mark::verdict(found.verdict());
    Line::from(vec![mark.span(mark.said(&checkup::summary(say, found)))])
}

/// All findings, below the names of their subjects.
fn findings(store: &Store, say: &Words, found: &Checkup, width: usize) -> Vec<Line> {
    let (mut lines, mut subject) = (Vec::new(), None);
    for one in found.findings() {
        if subject != Some(one.subject()) {
            subject = Some(one.subject());
            lines.push(Line::default());
            lines.push(Line::of(Role::Strong, checkup::subject(say, one.subject())));
        }
        lines.extend(finding(store, say, one, width));
    }
    lines
}

/// One finding: its words begin beside the verdict, and go on below themselves.
fn finding(store: &Store, say: &Words, one: &Finding, width: usize) -> Vec<Line> {
    let told = checkup::describe(say, one, (store.now.wall, store.setup.utc_offset_s), true);
    let (mark, room) = (mark::verdict(one.verdict), width.saturating_sub(INDENT).max(1));
    let verdict = mark.said(&checkup::verdict(say, one.verdict));
    let mut verdict = Some(mark.span(exactly(&verdict, INDENT)));
    let mut lines = Vec::new();
    for row in wrap(&format!("{}: {}", say.text(one.label), told.what), room) {
        let first = verdict.take().unwrap_or_else(|| Span::plain(" ".repeat(INDENT)));
        lines.push(Line::from(vec![first, Span::of(Role::Text, row)]));
    }
    let role = if one.verdict == Verdict::Fine { Role::Dim } else { Role::Strong };
    let next = wrapped(role, &told.next, room).into_iter().filter(|line| line.width() > 0);
    let quotes = all_quoted(&told.quotes, room);
    lines.extend(next.chain(quotes).map(|line| line.indented(INDENT)));
    lines
}
