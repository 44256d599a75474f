//! The checkup page: findings about this computer, the settings and the service, with advice.
//!
//! The checkup runs in the background whenever the page is opened or refreshed. The previous
//! findings stay visible until the new ones arrive.

use std::sync::Arc;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent};
use crate::app::store::clip::{self, Clip};
use crate::app::ui::parts::{all_quoted, hanging, title, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::exactly;
use crate::app::ui::{Action, Area, Line, Page, Role, symbols};
use crate::app::{Effect, Msg, Store, Wait};
use crate::trade::checkup::{Checkup, Finding, Verdict};
use crate::words::checkup;

#[derive(Debug, Clone, PartialEq)]
pub struct Doctor {
    /// The findings; `None` until the first checkup has ended.
    pub checkup: Option<Arc<Checkup>>,
    pub wait: Option<Wait>,
}

impl Doctor {
    /// Opens the page and starts a checkup.
    pub fn open(cx: &mut Cx) -> Doctor {
        let mut page = Doctor { checkup: None, wait: None };
        page.examine(cx);
        page
    }

    fn examine(&mut self, cx: &mut Cx) {
        let wait = cx.store.wait();
        self.wait = Some(wait);
        cx.perform(Effect::Examine { ticket: wait.ticket, size: cx.store.size })
    }

    /// Returns the checkup report as text for the clipboard. It contains no text from files or from
    /// other programs, because the seller may show the report to others.
    fn report(&self, store: &Store) -> Option<String> {
        let at = (store.now.wall, store.setup.utc_offset_s);
        let report = checkup::report(store.words(), self.checkup.as_ref()?, at, false);
        Some(report.join("\n") + "\n")
    }
}

impl Screen for Doctor {
    fn info(&self) -> Info {
        let cancels = self.wait.map(|wait| wait.ticket);
        Info { wait: self.wait, cancels, ..Info::of("doctor") }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let say = store.words();
        title(&say.text("doctor-title"), Line::default(), area.split_top(2).0, page);
        let rest = area.split_top(2).1.narrowed(1);
        let width = usize::from(rest.width);
        let mut lines = Vec::new();
        if let Some(wait) = self.wait {
            lines.push(waiting(store.render_cx(), &say.text("doctor-wait"), wait));
        }
        if let Some(found) = &self.checkup {
            let mark = symbols::verdict(found.verdict());
            lines.push(mark.span(mark.said(say, &checkup::summary(say, found))).into());
            lines.extend(wrapped(Role::Dim, &say.text("doctor-sent-nothing"), width));
            lines.extend(findings(store, found, width));
        }
        Text::new(lines, rest).draw(store.render_cx(), page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        let again = (self.wait.is_none(), Action::Refresh);
        let copy = (self.checkup.is_some(), Action::Copy);
        Actions::offered_if([again, copy, (true, Action::Down), (true, Action::Up)])
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Refresh => self.examine(cx),
            Action::Copy => {
                if let Some(report) = self.report(cx.store) {
                    clip::copy(cx, Clip::Report, report.into())
                }
            }
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Cancelled => {
                self.wait = None;
                if self.checkup.is_none() {
                    cx.close();
                }
            }
            ScreenEvent::Message(Msg::Examined { ticket, checkup })
                if self.wait.is_some_and(|wait| wait.ticket == *ticket) =>
            {
                (self.checkup, self.wait) = (Some(checkup.clone()), None);
            }
            _ => return false,
        }
        true
    }
}

/// The width, in columns, of the verdict (such as "fine") before each finding.
const INDENT: usize = 12;

/// Lays out all findings, grouped by subject.
fn findings(store: &Store, found: &Checkup, width: usize) -> Vec<Line> {
    let (mut lines, mut subject) = (Vec::new(), None);
    for one in found.findings() {
        if subject != Some(one.subject()) {
            subject = Some(one.subject());
            lines.push(Line::default());
            lines.push(Line::of(Role::Strong, checkup::subject(store.words(), one.subject())));
        }
        lines.extend(finding(store, one, width));
    }
    lines
}

/// Lays out one finding: the verdict, such as "fine", and the indented text beside it.
fn finding(store: &Store, one: &Finding, width: usize) -> Vec<Line> {
    let now = (store.now.wall, store.setup.utc_offset_s);
    let told = checkup::describe(store.words(), one, now, true);
    let (mark, room) = (symbols::verdict(one.verdict), width.saturating_sub(INDENT).max(1));
    let verdict = mark.said(store.words(), &checkup::verdict(store.words(), one.verdict));
    let verdict = mark.span(exactly(&verdict, INDENT));
    let said = format!("{}: {}", store.text(one.label), told.what);
    let mut lines = hanging(verdict, Role::Text, &said, width);
    let role = if one.verdict == Verdict::Fine { Role::Dim } else { Role::Strong };
    let next = wrapped(role, &told.next, room).into_iter().filter(|line| line.width() > 0);
    let quotes = all_quoted(&told.quotes, room);
    lines.extend(next.chain(quotes).map(|line| line.indented(INDENT)));
    lines
}
