//! Draws the pages of the teaching screen: the overview, the reply in which the seller selects a
//! value, the form, and the review.

use super::setting_form::{SettingForm, field_use, setting_label_id, setting_texts, use_label_id};
use super::{OverviewRow, Stage, Teaching};
use crate::app::Store;
use crate::app::ui::block::Block;
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{paragraph, put, row, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::sent_form::MIN_FAILURE_ROWS;
use crate::app::ui::text::{columns, exactly, fit};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, json};
use crate::contract::{ReadValue, ReplySetting, ReplyValueKind, RequestPart, TreeRow, TreeValue};
use crate::trade::{CheckoutDomain, DomainState, Untrusted};
use crate::words::{Catalogue, Lang, names, personal};

/// The width, in columns, of the names on the overview page.
const NAME_WIDTH: usize = 26;

/// The maximum number of checkout domains whose states are shown in one text.
const MAX_STATES: usize = 12;

pub fn draw(store: &Store, teaching: &Teaching, area: Area, page: &mut Page) {
    let operation = names::operation(store.words(), teaching.operation());
    let aside = match &teaching.exchange.reply {
        Ok(reply) => Line::of(Role::Dim, format!("HTTP {}", reply.status)),
        Err(_) => Line::default(),
    };
    let (head, rest) = area.split_top(2);
    let name = store.with("teach-title", &[("what", &operation)]);
    if !matches!(teaching.stage, Stage::Edit(_)) {
        title(&name, aside.clone(), head, page);
    }
    let body = rest.narrowed(2);
    if teaching.reading.is_some() {
        return put(vec![Line::of(Role::Dim, store.text("exchange-reading"))], body, page);
    }
    match &teaching.stage {
        Stage::Overview => draw_overview(store, teaching, body, page),
        Stage::SelectValue { line, .. } => draw_value_selection(store, teaching, line, body, page),
        Stage::Edit(form) => draw_form(store.words(), form, (name, aside), area, page),
        Stage::Review => draw_review(store, teaching, body, page),
    }
}

/// Draws a scrolling list between fixed lines above and below it.
fn draw_list(
    store: &Store,
    (above, below): (Vec<Line>, Vec<Line>),
    (lines, cursor): (Vec<Line>, usize),
    area: Area,
    page: &mut Page,
) {
    let rows = |lines: &[Line]| u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let (top, rest) = area.split_top(rows(&above).min(area.height / 2));
    let (middle, foot) = rest.split_bottom(rows(&below).min(rest.height / 2));
    put(above, top, page);
    let text = Text::new(lines, middle);
    let first = cursor.saturating_sub(usize::from(middle.height / 2));
    let first = u16::try_from(first).unwrap_or(u16::MAX).min(text.overflow().lines);
    text.draw_from(first, store.render_cx(), page);
    put(below, foot, page);
}

fn draw_overview(store: &Store, teaching: &Teaching, area: Area, page: &mut Page) {
    let width = usize::from(area.width);
    let mut above = wrapped(Role::Text, &store.text(intro_id(teaching)), width);
    above.extend(refusal_lines(store.words(), teaching, width));
    above.push(Line::default());
    let (mut lines, mut cursor_line) = (vec![], 0);
    for (n, overview_row) in teaching.rows().iter().enumerate() {
        if let Some(heading) = heading_id(teaching, n, overview_row) {
            if n > 0 {
                lines.push(Line::default());
            }
            lines.push(Line::of(Role::Dim, store.text(heading)));
        }
        if n == teaching.cursor {
            cursor_line = lines.len();
        }
        lines.push(row(
            n == teaching.cursor,
            row_spans(store.words(), teaching, overview_row, width),
        ));
    }
    draw_list(store, (above, vec![]), (lines, cursor_line), area, page);
}

fn intro_id(teaching: &Teaching) -> &'static str {
    match (teaching.reply().is_some(), teaching.was_accepted()) {
        (true, _) => "teach-intro-reply",
        (false, true) => "teach-intro-no-json",
        (false, false) => "teach-intro-refused",
    }
}

/// Lays out the service's error text for a refused request.
fn refusal_lines(words: &Catalogue, teaching: &Teaching, width: usize) -> Vec<Line> {
    match &teaching.exchange.reply {
        Ok(reply) if !teaching.was_accepted() && !reply.body.is_empty() => {
            let quote =
                personal::excerpt(words, &reply.body, width.saturating_sub(4).saturating_mul(2));
            let quote = words.with("theirs-quote", &[("text", &quote)]);
            wrapped(Role::Quote, &quote, width)
        }
        _ => vec![],
    }
}

/// Returns the text id of the heading above a row of the overview. Only the first row of each kind
/// has a heading.
fn heading_id(teaching: &Teaching, n: usize, row: &OverviewRow) -> Option<&'static str> {
    let before = n.checked_sub(1).and_then(|n| teaching.rows().get(n).cloned());
    match (before, row) {
        (None, OverviewRow::ReplySetting(_)) => Some("teach-head-reply"),
        (None | Some(OverviewRow::ReplySetting(_)), OverviewRow::RequestSetting(_)) => {
            Some("teach-head-request")
        }
        (Some(_), OverviewRow::Save) => Some("teach-head-save"),
        _ => None,
    }
}

fn row_spans(words: &Catalogue, teaching: &Teaching, row: &OverviewRow, width: usize) -> Vec<Span> {
    let labelled = |name: String, role: Role, value: &str| {
        let room = width.saturating_sub(NAME_WIDTH + 2);
        vec![Span::of(Role::Text, exactly(&name, NAME_WIDTH)), Span::of(role, fit(value, room))]
    };
    match row {
        OverviewRow::ReplySetting(line) => {
            let (role, value) = read_value_text(words, teaching, line);
            labelled(words.text(&value_label_id(line)), role, &value)
        }
        OverviewRow::RequestSetting(line) => {
            let (name, value) = request_setting_texts(words, teaching, line);
            let is_new =
                teaching.corrections.iter().any(|correction| belongs_to(&correction.name, line));
            labelled(name, if is_new { Role::Good } else { Role::Dim }, &value)
        }
        OverviewRow::NewField => vec![Span::of(Role::Key, words.text("teach-new-field"))],
        OverviewRow::Save => {
            let count = words.count("teach-to-save", teaching.corrections.len() as u64, &[]);
            vec![Span::of(Role::Strong, count)]
        }
    }
}

/// Returns true if the overview row of `line` is about the corrected setting `name`.
fn belongs_to(name: &str, line: &RequestPart) -> bool {
    match line {
        RequestPart::Setting { name: setting_name, .. } => setting_name == name,
        RequestPart::Field(id) => name.contains(&format!(".field.{id}.")),
        RequestPart::Amounts => [".unit", ".amount_sent", ".amount_read", ".amount"]
            .iter()
            .any(|key| name.ends_with(key)),
    }
}

/// Returns the value that a setting of the API contract reads from the reply, formatted for the
/// screen.
fn read_value_text(words: &Catalogue, teaching: &Teaching, line: &ReplySetting) -> (Role, String) {
    let value = teaching.value(line);
    match (*value == ReadValue::Nothing, line.is_required) {
        (true, true) => (Role::Warn, words.text("teach-missing")),
        (true, false) => (Role::Dim, words.text("teach-absent")),
        (false, _) => (Role::Good, format_value(words, line, value)),
    }
}

/// Formats the value that a setting of the API contract reads from the reply.
fn format_value(words: &Catalogue, line: &ReplySetting, value: &ReadValue) -> String {
    match value {
        ReadValue::Nothing => words.text("teach-missing"),
        ReadValue::Hidden => words.text("teach-hidden"),
        ReadValue::Text(text) => personal::service_text(words, text).shown_within(120),
        ReadValue::Amount(money) => money.to_string(),
        ReadValue::Entries(count) => words.count("teach-entries", *count as u64, &[]),
        ReadValue::Domains(domains) if line.kind == ReplyValueKind::State => {
            state_names(words, domains)
        }
        ReadValue::Domains(domains) => {
            let hosts = domains.iter().take(3).map(|domain| domain.host.shown_within(40));
            let hosts = hosts.collect::<Vec<_>>().join(", ");
            words.count("teach-domains", domains.len() as u64, &[("hosts", &hosts)])
        }
    }
}

/// Returns the states of the domains as one text, in the order of `domains`.
fn state_names(words: &Catalogue, domains: &[CheckoutDomain]) -> String {
    let state = |domain: &CheckoutDomain| {
        words.text(match domain.state {
            DomainState::Usable => "domain-usable",
            DomainState::Active => "domain-active",
            DomainState::Pending(_) => "domain-pending",
        })
    };
    domains.iter().take(MAX_STATES).map(state).collect::<Vec<_>>().join(", ")
}

/// Returns the label and the value of a setting of the API contract about the request.
fn request_setting_texts(
    words: &Catalogue,
    teaching: &Teaching,
    line: &RequestPart,
) -> (String, String) {
    let contract = &teaching.contract;
    match line {
        RequestPart::Field(id) => {
            let field = contract.body_of(teaching.operation()).and_then(|form| form.field(id));
            let name = field.map_or("", |field| &field.name);
            let current_use = field_use(contract, teaching.operation(), id);
            let label = field.map_or("", |field| match words.lang() {
                Lang::Pt => &field.label_pt,
                Lang::En => &field.label_en,
            });
            let label = Untrusted::from(label).shown_within(NAME_WIDTH - 1);
            let name = Untrusted::from(name).shown_within(60);
            (label, format!("{name} · {}", words.text(use_label_id(current_use))))
        }
        RequestPart::Amounts => {
            let name = contract.amount_name(teaching.operation());
            let lines = contract.amount_settings(teaching.operation()).into_iter();
            let names = name.into_iter().chain(lines.map(|(name, _)| name));
            let values: Vec<String> =
                names.flat_map(|name| setting_texts(contract, &name)).collect();
            (
                words.text(setting_label_id(line)),
                Untrusted::from(values.join(" · ")).shown_within(120),
            )
        }
        RequestPart::Setting { name, .. } => {
            let value = Untrusted::from(setting_texts(contract, name).join(", ")).shown_within(120);
            let value = if value.is_empty() { words.text("teach-empty") } else { value };
            (words.text(setting_label_id(line)), value)
        }
    }
}

fn draw_value_selection(
    store: &Store,
    teaching: &Teaching,
    line: &ReplySetting,
    area: Area,
    page: &mut Page,
) {
    let Stage::SelectValue { cursor, is_optional, preview, is_unfit, .. } = &teaching.stage else {
        return;
    };
    let width = usize::from(area.width);
    let what = store.text(&value_label_id(line));
    let instruction = match line.name.ends_with(".state") {
        true => store.text("teach-where.state"),
        false => store.with("teach-where", &[("what", &what)]),
    };
    let mut above = wrapped(Role::Strong, &instruction, width);
    let paths = searched_paths(store.words(), teaching, line).join(", ");
    let paths = Untrusted::from(paths).shown_within(width * 2);
    let searched_text = store.with("teach-looked-for", &[("places", &paths)]);
    above.extend(wrapped(Role::Dim, &searched_text, width));
    if *is_optional {
        let skip_hint = store.render_cx().with_key("teach-optional", Action::Back);
        above.extend(wrapped(Role::Text, &skip_hint, width));
    }
    above.push(Line::default());
    let rows = teaching.reply().map(|tree| tree.rows()).unwrap_or_default();
    let lines = rows
        .iter()
        .enumerate()
        .map(|(n, tree_row)| tree_line(store.words(), tree_row, n == *cursor, width));
    let effect = match preview {
        ReadValue::Nothing if *is_unfit => {
            (Role::Bad, store.with("teach-unfit", &[("what", &what)]))
        }
        ReadValue::Nothing => (Role::Warn, store.text("teach-reads-nothing")),
        value => {
            let value = format_value(store.words(), line, value);
            (Role::Good, store.with("teach-reads", &[("value", &value)]))
        }
    };
    let effect_lines = paragraph(effect.0, &effect.1, width);
    draw_list(store, (above, effect_lines), (lines.collect(), *cursor), area, page);
}

/// Returns the paths at which a contract setting looks in the reply. The empty path, which means
/// the whole reply, is replaced with a word.
fn searched_paths(words: &Catalogue, teaching: &Teaching, line: &ReplySetting) -> Vec<String> {
    let mut paths = setting_texts(&teaching.contract, line.name);
    let root_paths = paths.iter_mut().filter(|path| path.is_empty());
    root_paths.for_each(|path| *path = words.text("teach-reply-itself"));
    if paths.is_empty() { vec![words.text("teach-empty")] } else { paths }
}

fn tree_line(words: &Catalogue, tree_row: &TreeRow, is_chosen: bool, width: usize) -> Line {
    let indent = "  ".repeat(tree_row.depth.min(12));
    let name = match tree_row.depth {
        0 => words.text("teach-reply-itself"),
        _ => tree_row.name.shown_within(40),
    };
    let label = format!("{indent}{name}  ");
    let (role, value) = match &tree_row.value {
        TreeValue::Text(text) => {
            let text = personal::service_text(words, text);
            (Role::Text, format!("\"{}\"", text.shown_within(120)))
        }
        TreeValue::Literal(text) => {
            (Role::Text, personal::service_text(words, text).shown_within(120))
        }
        TreeValue::List(count) => (Role::Dim, words.count("teach-list", *count as u64, &[])),
        TreeValue::Object(count) => (Role::Dim, words.count("teach-object", *count as u64, &[])),
    };
    let room = width.saturating_sub(columns(&label) + 2);
    row(is_chosen, vec![Span::of(Role::Key, label), Span::of(role, fit(&value, room))])
}

fn draw_form(
    words: &Catalogue,
    form: &SettingForm,
    (title, aside): (String, Line),
    area: Area,
    page: &mut Page,
) {
    let width = form_page::inner_width(area);
    let intro = match &form.line {
        Some(RequestPart::Field(_)) | None => words.text("teach-intro-field"),
        Some(RequestPart::Setting { name, .. }) if name.ends_with("headers") => {
            words.with("teach-intro-headers", &[("open", "{}")])
        }
        Some(_) => words.text("teach-intro-line"),
    };
    let error_block = form.error.as_ref().map(|error| {
        let error = words.with("teach-refused", &[("why", &error.shown_within(300))]);
        Block::cut(form_page::BELOW_PRIORITY, MIN_FAILURE_ROWS, wrapped(Role::Bad, &error, width))
    });
    let form = FormPage {
        title,
        aside,
        head: vec![Block::cut(form_page::HEAD_PRIORITY, 0, wrapped(Role::Dim, &intro, width))],
        form: &form.form,
        submit: words.text("teach-line-submit"),
        below: error_block.into_iter().collect(),
    };
    form.draw(words, area, page);
}

/// Returns the text id for the value that a setting of the API contract reads, such as
/// `teach-sought-net` for `fee_preview.net`.
fn value_label_id(line: &ReplySetting) -> String {
    let key = line.name.rsplit('.').next().unwrap_or_default();
    format!("teach-sought-{}", key.replace('_', "-"))
}

fn draw_review(store: &Store, teaching: &Teaching, area: Area, page: &mut Page) {
    let width = usize::from(area.width);
    let mut lines = vec![];
    if teaching.saving.is_some() {
        lines.push(Line::of(Role::Dim, store.text("teach-writing")));
    }
    lines.extend(wrapped(Role::Text, &store.text("teach-review-intro"), width));
    lines.push(Line::default());
    for line in &teaching.corrections {
        let shown = |text: String| Untrusted::from(text).shown();
        let new = shown(format!("{} = {}", line.name, line.value.text()));
        lines.extend(wrapped(Role::Good, &new, width));
        if let Some(old) = teaching.original.value(&line.name) {
            let old = store.with("teach-was", &[("old", &shown(old.text()))]);
            lines.extend(wrapped(Role::Dim, &old, width));
        }
    }
    lines.extend(preview_lines(store.words(), teaching, width));
    lines.extend(sample_request_lines(store.words(), teaching, width));
    Text::compact(lines, area).draw(store.render_cx(), page);
}

/// Lays out the values that the corrected settings read from the reply.
fn preview_lines(words: &Catalogue, teaching: &Teaching, width: usize) -> Vec<Line> {
    let settings = ReplySetting::of(teaching.operation());
    let is_corrected = |line: &&ReplySetting| {
        teaching.corrections.iter().any(|correction| correction.name == line.name)
    };
    let mut lines = vec![];
    for line in settings.filter(is_corrected) {
        let (role, value) = read_value_text(words, teaching, line);
        let what = format!("{}: {value}", words.text(&value_label_id(line)));
        lines.extend(wrapped(role, &what, width));
    }
    if !lines.is_empty() {
        let head = wrapped(Role::Strong, &words.text("teach-would-read"), width);
        lines.splice(0..0, std::iter::once(Line::default()).chain(head));
    }
    lines
}

/// Lays out a sample of the next request, with secrets masked, if the corrections change it.
fn sample_request_lines(words: &Catalogue, teaching: &Teaching, width: usize) -> Vec<Line> {
    let last_body = teaching.exchange.request_body.as_deref();
    let sample = teaching.contract.sample(teaching.operation(), &teaching.original, last_body);
    if sample == teaching.original.sample(teaching.operation(), &teaching.original, last_body) {
        return vec![];
    }
    let shown = |text: &str| Untrusted::from(text).shown_lines();
    let request_line = shown(&format!("{} {}", sample.method, sample.path));
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(Role::Strong, &words.text("teach-would-leave"), width));
    lines.extend(wrapped(Role::Text, &request_line, width));
    for (name, value) in &sample.headers {
        lines.extend(wrapped(Role::Dim, &shown(&format!("{name}: {value}")), width));
    }
    match &sample.body {
        Some(body) => {
            let body = Untrusted::without_masking(|| shown(body));
            let body = personal::body(words, json::pretty(&body), words.masks());
            lines.extend(wrapped(Role::Text, &body, width));
        }
        None if teaching.contract.body_of(teaching.operation()).is_some() => {
            lines.extend(wrapped(Role::Dim, &words.text("teach-body-unknown"), width));
        }
        None => {}
    }
    lines
}
