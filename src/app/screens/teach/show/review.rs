//! The last look: the lines as they will be written, and the next request as it will leave.

use crate::app::Store;
use crate::app::screens::teach::Teaching;
use crate::app::ui::parts::{waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role, json};
use crate::trade::Untrusted;
use crate::words::Words;

/// Draws it.
pub fn draw(store: &Store, say: &Words, teaching: &Teaching, area: Area, page: &mut Page) {
    let width = usize::from(area.width);
    let mut lines = vec![];
    if let Some(wait) = teaching.wait {
        lines.push(waiting(store.reader(), &say.text("teach-writing"), wait));
    }
    if let Some(why) = &teaching.trouble {
        let why = say.with("teach-not-written", &[("why", &why.shown_within(400))]);
        lines.extend(wrapped(Role::Bad, &why, width));
    }
    lines.extend(wrapped(Role::Text, &say.text("teach-review-intro"), width));
    lines.push(Line::default());
    for line in &teaching.lines {
        let shown = |text: String| Untrusted::from(text).shown();
        let new = shown(format!("{} = {}", line.name, line.value.text()));
        lines.extend(wrapped(Role::Good, &new, width));
        let old = teaching.before.value(&line.name).map(|old| old.text());
        let old = old.map_or_else(|| say.text("teach-was-not"), shown);
        lines.extend(wrapped(Role::Dim, &say.with("teach-was", &[("old", &old)]), width));
    }
    if is_about_money(teaching) {
        lines.push(Line::default());
        lines.extend(wrapped(Role::Warn, &say.text("teach-agreed-later"), width));
    }
    lines.push(Line::default());
    lines.extend(wrapped(Role::Strong, &say.text("teach-would-leave"), width));
    lines.extend(sample(say, teaching, width));
    Text::tight(lines, area).draw(store.reader(), page);
}

/// Returns true when a line that was taught steers money.
fn is_about_money(teaching: &Teaching) -> bool {
    let lines = teaching.contract.money_lines();
    !lines.changes_from(&teaching.before.money_lines()).is_empty()
}

/// Lays out the next request as it would leave, secrets masked.
fn sample(say: &Words, teaching: &Teaching, width: usize) -> Vec<Line> {
    let last = teaching.exchange.request_body.as_deref();
    let sample = teaching.contract.sample(teaching.operation(), &teaching.before, last);
    let shown = |text: &str| Untrusted::from(text).shown_lines();
    let first = shown(&format!("{} {}", sample.method, sample.path));
    let mut lines = wrapped(Role::Text, &first, width);
    for (name, value) in &sample.headers {
        lines.extend(wrapped(Role::Dim, &shown(&format!("{name}: {value}")), width));
    }
    match &sample.body {
        Some(body) => lines.extend(wrapped(Role::Text, &json::pretty(&shown(body)), width)),
        None if teaching.contract.body_of(teaching.operation()).is_some() => {
            lines.extend(wrapped(Role::Dim, &say.text("teach-body-unknown"), width));
        }
        None => {}
    }
    lines
}
