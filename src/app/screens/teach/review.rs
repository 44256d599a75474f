//! The last page before saving: the corrected settings, and a sample of the next request.

use super::show::{lesson_fault, read_value_text, value_label_id};
use super::{Stage, Teaching};
use crate::app::Store;
use crate::app::store::consent;
use crate::app::ui::parts::wrapped;
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role, json};
use crate::contract::ReplySetting;
use crate::trade::Untrusted;
use crate::words::{Catalogue, personal};

pub fn draw(store: &Store, teaching: &Teaching, area: Area, page: &mut Page) {
    let width = usize::from(area.width);
    let mut lines = vec![];
    if teaching.saving.is_some() {
        lines.push(Line::of(Role::Dim, store.text("teach-writing")));
    }
    match teaching.fault() {
        Some(fault) => {
            lines.extend(wrapped(
                Role::Bad,
                &lesson_fault(store.words(), &fault),
                width,
            ));
        }
        None => {
            let lasts = !consent::is_taught_for_run(store);
            let id = if lasts {
                "teach-review-intro"
            } else {
                "teach-review-intro-for-run"
            };
            lines.extend(wrapped(Role::Text, &store.text(id), width));
        }
    }
    lines.push(Line::default());
    for line in &teaching.corrections {
        let new = Untrusted::from(format!("{} = {}", line.name, line.value.text())).shown();
        lines.extend(wrapped(Role::Good, &new, width));
        if let Some(old) = teaching.original.value(&line.name) {
            let old = Untrusted::from(old.text()).shown();
            let old = store.with("teach-was", &[("old", &old)]);
            lines.extend(wrapped(Role::Dim, &old, width));
        }
    }
    lines.extend(preview_lines(store, teaching, width));
    lines.extend(sample_request_lines(store.words(), teaching, width));
    lines.extend(next_step_lines(store, teaching, width));
    Text::compact(lines, area).draw(store.render_cx(), page);
}

/// Lays out the values that the corrected settings read from the reply.
fn preview_lines(store: &Store, teaching: &Teaching, width: usize) -> Vec<Line> {
    let words = store.words();
    let settings = ReplySetting::of(teaching.operation());
    let corrected_settings = settings.filter(|line| {
        teaching
            .corrections
            .iter()
            .any(|correction| correction.name == line.name)
    });
    let mut lines = vec![];
    for line in corrected_settings {
        let (role, value) = read_value_text(store, teaching, line);
        let what = format!("{}: {value}", words.text(&value_label_id(line)));
        lines.extend(wrapped(role, &what, width));
    }
    if !lines.is_empty() {
        let head = wrapped(Role::Strong, &words.text("teach-would-read"), width);
        lines.splice(0..0, std::iter::once(Line::default()).chain(head));
    }
    lines
}

/// Lays out what happens to the refused request after the lesson.
pub fn next_step_lines(store: &Store, teaching: &Teaching, width: usize) -> Vec<Line> {
    let Some(id) = teaching.next_step_id() else {
        return vec![];
    };
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(Role::Text, &store.text(id), width));
    lines
}

/// Lays out a sample of the next request, with secrets masked, if the corrections change it. A
/// question about a field of the body leaves out the headers.
pub fn sample_request_lines(words: &Catalogue, teaching: &Teaching, width: usize) -> Vec<Line> {
    let last_body = teaching.exchange.request_body.as_deref();
    let sample = teaching
        .contract
        .sample(teaching.operation(), &teaching.original, last_body);
    if sample
        == teaching
            .original
            .sample(teaching.operation(), &teaching.original, last_body)
    {
        return vec![];
    }
    let request_line = Untrusted::from(format!("{} {}", sample.method, sample.path));
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(
        Role::Strong,
        &words.text("teach-would-leave"),
        width,
    ));
    lines.extend(wrapped(Role::Text, &request_line.shown_lines(), width));
    let is_about_body = matches!(teaching.stage, Stage::Question(_));
    for (name, value) in sample.headers.iter().filter(|_| !is_about_body) {
        let header = Untrusted::from(format!("{name}: {value}"));
        lines.extend(wrapped(Role::Dim, &header.shown_lines(), width));
    }
    match &sample.body {
        Some(body) => {
            let body = Untrusted::without_masking(|| Untrusted::from(body.as_str()).shown_lines());
            let body = json::pretty(&body, personal::body_mask(words, true));
            lines.extend(wrapped(Role::Text, &body, width));
        }
        None if teaching.contract.body_of(teaching.operation()).is_some() => {
            lines.extend(wrapped(Role::Dim, &words.text("teach-body-unknown"), width));
        }
        None => {}
    }
    lines
}
