//! The last look: the lines as they will be written, and the next request as it will leave.

use crate::app::Store;
use crate::app::screens::teach::Teaching;
use crate::app::ui::parts::wrapped;
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role, json};
use crate::contract::SoughtLine;
use crate::trade::Untrusted;
use crate::words::{Words, personal};

pub fn draw(store: &Store, teaching: &Teaching, area: Area, page: &mut Page) {
    let width = usize::from(area.width);
    let mut lines = vec![];
    if teaching.saving.is_some() {
        lines.push(Line::of(Role::Dim, store.text("teach-writing")));
    }
    lines.extend(wrapped(Role::Text, &store.text("teach-review-intro"), width));
    lines.push(Line::default());
    for line in &teaching.lines {
        let shown = |text: String| Untrusted::from(text).shown();
        let new = shown(format!("{} = {}", line.name, line.value.text()));
        lines.extend(wrapped(Role::Good, &new, width));
        if let Some(old) = teaching.before.value(&line.name) {
            let old = store.with("teach-was", &[("old", &shown(old.text()))]);
            lines.extend(wrapped(Role::Dim, &old, width));
        }
    }
    lines.extend(readings(store.words(), teaching, width));
    lines.extend(sample(store.words(), teaching, width));
    Text::tight(lines, area).draw(store.reader(), page);
}

/// Lays out what is read in the reply by the lines that were taught.
fn readings(say: &Words, teaching: &Teaching, width: usize) -> Vec<Line> {
    let sought = SoughtLine::of(teaching.operation());
    let taught = |line: &&SoughtLine| teaching.lines.iter().any(|taught| taught.name == line.name);
    let mut lines = vec![];
    for line in sought.filter(taught) {
        let (role, value) = super::read(say, teaching, line);
        let what = format!("{}: {value}", say.text(&super::sought_word(line)));
        lines.extend(wrapped(role, &what, width));
    }
    if !lines.is_empty() {
        let head = wrapped(Role::Strong, &say.text("teach-would-read"), width);
        lines.splice(0..0, std::iter::once(Line::default()).chain(head));
    }
    lines
}

/// Lays out the next request as it would leave, secrets masked, where it leaves otherwise now.
fn sample(say: &Words, teaching: &Teaching, width: usize) -> Vec<Line> {
    let last = teaching.exchange.request_body.as_deref();
    let sample = teaching.contract.sample(teaching.operation(), &teaching.before, last);
    if sample == teaching.before.sample(teaching.operation(), &teaching.before, last) {
        return vec![];
    }
    let shown = |text: &str| Untrusted::from(text).shown_lines();
    let first = shown(&format!("{} {}", sample.method, sample.path));
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(Role::Strong, &say.text("teach-would-leave"), width));
    lines.extend(wrapped(Role::Text, &first, width));
    for (name, value) in &sample.headers {
        lines.extend(wrapped(Role::Dim, &shown(&format!("{name}: {value}")), width));
    }
    match &sample.body {
        Some(body) => {
            let body = Untrusted::in_full(|| shown(body));
            let body = personal::body(say, json::pretty(&body), say.masks());
            lines.extend(wrapped(Role::Text, &body, width));
        }
        None if teaching.contract.body_of(teaching.operation()).is_some() => {
            lines.extend(wrapped(Role::Dim, &say.text("teach-body-unknown"), width));
        }
        None => {}
    }
    lines
}
