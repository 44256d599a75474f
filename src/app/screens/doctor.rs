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
        let mut page = Doctor {
            checkup: None,
            wait: None,
        };
        page.start_checkup(cx);
        page
    }

    fn start_checkup(&mut self, cx: &mut Cx) {
        let wait = cx.store.wait();
        self.wait = Some(wait);
        cx.perform(Effect::Examine {
            ticket: wait.ticket,
            size: cx.store.size,
        })
    }

    /// The checkup report as text for the clipboard. It contains no text from files or from other
    /// programs, because the seller may show the report to others.
    fn report_text(&self, store: &Store) -> Option<String> {
        let now = (store.now.wall, store.setup.utc_offset_s);
        let report = checkup::report(store.words(), self.checkup.as_ref()?, now, false);
        Some(report.join("\n") + "\n")
    }
}

impl Screen for Doctor {
    fn info(&self) -> Info {
        let cancels = self.wait.map(|wait| wait.ticket);
        Info {
            wait: self.wait,
            cancels,
            ..Info::of("doctor")
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        title(
            &words.text("doctor-title"),
            Line::default(),
            area.split_top(2).0,
            page,
        );
        let rest = area.split_top(2).1.narrowed(1);
        let width = usize::from(rest.width);
        let mut lines = Vec::new();
        if let Some(wait) = self.wait {
            lines.push(waiting(store.render_cx(), &words.text("doctor-wait"), wait));
        }
        if let Some(checkup) = &self.checkup {
            let symbol = symbols::verdict(checkup.verdict());
            lines.push(
                symbol
                    .span(symbol.with_word(words, &checkup::summary(words, checkup)))
                    .into(),
            );
            lines.extend(wrapped(
                Role::Dim,
                &words.text("doctor-sent-nothing"),
                width,
            ));
            lines.extend(all_finding_lines(store, checkup, width));
        }
        Text::new(lines, rest).draw(store.render_cx(), page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        let refresh = (self.wait.is_none(), Action::Refresh);
        let copy = (self.checkup.is_some(), Action::Copy);
        Actions::offered_if([refresh, copy, (true, Action::Down), (true, Action::Up)])
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Refresh => self.start_checkup(cx),
            Action::Copy => {
                if let Some(report) = self.report_text(cx.store) {
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
const VERDICT_WIDTH: usize = 12;

fn all_finding_lines(store: &Store, checkup: &Checkup, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut subject = None;
    for finding in checkup.findings() {
        if subject != Some(finding.subject()) {
            subject = Some(finding.subject());
            lines.push(Line::default());
            lines.push(Line::of(
                Role::Strong,
                checkup::subject(store.words(), finding.subject()),
            ));
        }
        lines.extend(finding_lines(store, finding, width));
    }
    lines
}

/// Lays out one finding: the verdict, such as "fine", and the indented text beside it.
fn finding_lines(store: &Store, finding: &Finding, width: usize) -> Vec<Line> {
    let now = (store.now.wall, store.setup.utc_offset_s);
    let description = checkup::describe(store.words(), finding, now, true);
    let symbol = symbols::verdict(finding.verdict);
    let room = width.saturating_sub(VERDICT_WIDTH).max(1);
    let verdict = symbol.with_word(
        store.words(),
        &checkup::verdict(store.words(), finding.verdict),
    );
    let verdict = symbol.span(exactly(&verdict, VERDICT_WIDTH));
    let text = format!(
        "{}: {}",
        store.text(&checkup::label_id(finding)),
        description.what
    );
    let mut lines = hanging(verdict, Role::Text, &text, width);
    let role = if finding.verdict == Verdict::Fine {
        Role::Dim
    } else {
        Role::Strong
    };
    let next = wrapped(role, &description.next, room)
        .into_iter()
        .filter(|line| line.width() > 0);
    let quotes = all_quoted(&description.quotes, room);
    lines.extend(next.chain(quotes).map(|line| line.indented(VERDICT_WIDTH)));
    lines
}
