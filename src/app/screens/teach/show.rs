//! Draws the pages of the teaching screen: the overview, the reply in which the seller selects a
//! value, the form, and the review.

use super::line_form::{LineForm, becomes, line_word, texts, use_word};
use super::{OverviewRow, Stage, Teaching};
use crate::app::Store;
use crate::app::ui::block::Block;
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{paragraph, put, row, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::sent_form::MIN_FAILURE_ROWS;
use crate::app::ui::text::{columns, exactly, fit};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, json};
use crate::contract::{ReadValue, ReplyLine, ReplyValueKind, SentLine, TreeRow, TreeValue};
use crate::trade::{CheckoutDomain, DomainState, Untrusted};
use crate::words::{Catalogue, Lang, names, personal};

/// The width, in columns, of the names on the overview page.
const NAME: usize = 26;

/// The maximum number of domains whose states are listed.
const MOST_STATES: usize = 12;

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
    match &teaching.stage {
        Stage::Overview => overview(store, teaching, body, page),
        Stage::Point { line, .. } => point(store, teaching, line, body, page),
        Stage::Edit(form) => edit(store.words(), form, (name, aside), area, page),
        Stage::Review => review(store, teaching, body, page),
    }
}

/// Draws a scrolling list between fixed lines above and below it.
fn listed(
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

fn overview(store: &Store, teaching: &Teaching, area: Area, page: &mut Page) {
    let width = usize::from(area.width);
    let mut above = wrapped(Role::Text, &store.text(intro(teaching)), width);
    above.extend(refusal(store.words(), teaching, width));
    above.push(Line::default());
    let (mut lines, mut at) = (vec![], 0);
    for (n, one) in teaching.rows().iter().enumerate() {
        if let Some(heading) = heading(teaching, n, one) {
            if n > 0 {
                lines.push(Line::default());
            }
            lines.push(Line::of(Role::Dim, store.text(heading)));
        }
        if n == teaching.cursor {
            at = lines.len();
        }
        lines.push(row(n == teaching.cursor, row_spans(store.words(), teaching, one, width)));
    }
    listed(store, (above, vec![]), (lines, at), area, page);
}

fn intro(teaching: &Teaching) -> &'static str {
    match (teaching.reply().is_some(), teaching.was_accepted()) {
        (true, _) => "teach-intro-reply",
        (false, true) => "teach-intro-no-json",
        (false, false) => "teach-intro-refused",
    }
}

/// Lays out the service's error text for a refused request.
fn refusal(say: &Catalogue, teaching: &Teaching, width: usize) -> Vec<Line> {
    match &teaching.exchange.reply {
        Ok(reply) if !teaching.was_accepted() && !reply.body.is_empty() => {
            let said =
                personal::excerpt(say, &reply.body, width.saturating_sub(4).saturating_mul(2));
            let said = say.with("theirs-quote", &[("text", &said)]);
            wrapped(Role::Quote, &said, width)
        }
        _ => vec![],
    }
}

/// Returns the heading above a row of the overview. Only the first row of each kind has a heading.
fn heading(teaching: &Teaching, n: usize, row: &OverviewRow) -> Option<&'static str> {
    let before = n.checked_sub(1).and_then(|n| teaching.rows().get(n).cloned());
    match (before, row) {
        (None, OverviewRow::Sought(_)) => Some("teach-head-reply"),
        (None | Some(OverviewRow::Sought(_)), OverviewRow::Sent(_)) => Some("teach-head-request"),
        (Some(_), OverviewRow::Save) => Some("teach-head-save"),
        _ => None,
    }
}

fn row_spans(say: &Catalogue, teaching: &Teaching, row: &OverviewRow, width: usize) -> Vec<Span> {
    let named = |name: String, role: Role, value: &str| {
        let room = width.saturating_sub(NAME + 2);
        vec![Span::of(Role::Text, exactly(&name, NAME)), Span::of(role, fit(value, room))]
    };
    match row {
        OverviewRow::Sought(line) => {
            let (role, value) = read(say, teaching, line);
            named(say.text(&sought_word(line)), role, &value)
        }
        OverviewRow::Sent(line) => {
            let (name, value) = sent(say, teaching, line);
            let is_new = teaching.lines.iter().any(|taught| is_about(&taught.name, line));
            named(name, if is_new { Role::Good } else { Role::Dim }, &value)
        }
        OverviewRow::NewField => vec![Span::of(Role::Key, say.text("teach-new-field"))],
        OverviewRow::Save => {
            let count = say.count("teach-to-save", teaching.lines.len() as u64, &[]);
            vec![Span::of(Role::Strong, count)]
        }
    }
}

/// Returns true if the corrected setting `name` of the API contract belongs to this row.
fn is_about(name: &str, line: &SentLine) -> bool {
    match line {
        SentLine::Setting { name: own, .. } => own == name,
        SentLine::Field(id) => name.contains(&format!(".field.{id}.")),
        SentLine::Amounts => [".unit", ".amount_sent", ".amount_read", ".amount"]
            .iter()
            .any(|key| name.ends_with(key)),
    }
}

/// Returns the value that a setting of the API contract reads from the reply, formatted for the
/// screen.
fn read(say: &Catalogue, teaching: &Teaching, line: &ReplyLine) -> (Role, String) {
    let Some(tree) = teaching.reply() else { return (Role::Dim, String::new()) };
    let value = teaching.contract.reads(line, tree);
    match (value == ReadValue::Nothing, line.is_needed) {
        (true, true) => (Role::Warn, say.text("teach-missing")),
        (true, false) => (Role::Dim, say.text("teach-absent")),
        (false, _) => (Role::Good, said(say, line, &value)),
    }
}

/// Formats the value that a setting of the API contract reads from the reply.
fn said(say: &Catalogue, line: &ReplyLine, value: &ReadValue) -> String {
    match value {
        ReadValue::Nothing => say.text("teach-missing"),
        ReadValue::Hidden => say.text("teach-hidden"),
        ReadValue::Text(text) => personal::theirs(say, text).shown_within(120),
        ReadValue::Amount(money) => money.to_string(),
        ReadValue::Entries(count) => say.count("teach-entries", *count as u64, &[]),
        ReadValue::Domains(domains) if line.kind == ReplyValueKind::State => states(say, domains),
        ReadValue::Domains(domains) => {
            let hosts = domains.iter().take(3).map(|domain| domain.host.shown_within(40));
            let hosts = hosts.collect::<Vec<_>>().join(", ");
            say.count("teach-domains", domains.len() as u64, &[("hosts", &hosts)])
        }
    }
}

/// Returns the states of the domains as one text, in the order of `domains`.
fn states(say: &Catalogue, domains: &[CheckoutDomain]) -> String {
    let state = |domain: &CheckoutDomain| {
        say.text(match domain.state {
            DomainState::Usable => "domain-usable",
            DomainState::Active => "domain-active",
            DomainState::Pending(_) => "domain-pending",
        })
    };
    domains.iter().take(MOST_STATES).map(state).collect::<Vec<_>>().join(", ")
}

/// Returns the label and the value of a setting of the API contract about the request.
fn sent(say: &Catalogue, teaching: &Teaching, line: &SentLine) -> (String, String) {
    let contract = &teaching.contract;
    match line {
        SentLine::Field(id) => {
            let field = contract.body_of(teaching.operation()).and_then(|form| form.field(id));
            let name = field.map_or("", |field| &field.name);
            let becomes = becomes(contract, teaching.operation(), id);
            let label = field.map_or("", |field| match say.lang() {
                Lang::Pt => &field.label_pt,
                Lang::En => &field.label_en,
            });
            let label = Untrusted::from(label).shown_within(NAME - 1);
            let name = Untrusted::from(name).shown_within(60);
            (label, format!("{name} · {}", say.text(use_word(becomes))))
        }
        SentLine::Amounts => {
            let name = contract.amount_name(teaching.operation());
            let lines = contract.amount_lines(teaching.operation()).into_iter();
            let names = name.into_iter().chain(lines.map(|(name, _)| name));
            let values: Vec<String> = names.flat_map(|name| texts(contract, &name)).collect();
            (say.text(line_word(line)), Untrusted::from(values.join(" · ")).shown_within(120))
        }
        SentLine::Setting { name, .. } => {
            let value = Untrusted::from(texts(contract, name).join(", ")).shown_within(120);
            let value = if value.is_empty() { say.text("teach-empty") } else { value };
            (say.text(line_word(line)), value)
        }
    }
}

fn point(store: &Store, teaching: &Teaching, line: &ReplyLine, area: Area, page: &mut Page) {
    let Stage::Point { cursor, is_optional, is_unfit, .. } = teaching.stage else { return };
    let width = usize::from(area.width);
    let what = store.text(&sought_word(line));
    let where_is = match line.name.ends_with(".state") {
        true => store.text("teach-where.state"),
        false => store.with("teach-where", &[("what", &what)]),
    };
    let mut above = wrapped(Role::Strong, &where_is, width);
    let looked = places_of(store.words(), teaching, line).join(", ");
    let looked = Untrusted::from(looked).shown_within(width * 2);
    let looked = store.with("teach-looked-for", &[("places", &looked)]);
    above.extend(wrapped(Role::Dim, &looked, width));
    if is_optional {
        let optional = store.render_cx().with_key("teach-optional", Action::Back);
        above.extend(wrapped(Role::Text, &optional, width));
    }
    above.push(Line::default());
    let rows = teaching.reply().map(|tree| tree.rows()).unwrap_or_default();
    let lines =
        rows.iter().enumerate().map(|(n, one)| tree_line(store.words(), one, n == cursor, width));
    let read = teaching.lines_for_row(line, cursor).map_or(ReadValue::Nothing, |(_, read)| read);
    let below = match read {
        ReadValue::Nothing if is_unfit => {
            (Role::Bad, store.with("teach-unfit", &[("what", &what)]))
        }
        ReadValue::Nothing => (Role::Warn, store.text("teach-reads-nothing")),
        read => {
            let value = said(store.words(), line, &read);
            (Role::Good, store.with("teach-reads", &[("value", &value)]))
        }
    };
    let foot = paragraph(below.0, &below.1, width);
    listed(store, (above, foot), (lines.collect(), cursor), area, page);
}

/// Returns the paths at which a setting of the API contract looks in the reply. The empty path,
/// which means the whole reply, is replaced with a word.
fn places_of(say: &Catalogue, teaching: &Teaching, line: &ReplyLine) -> Vec<String> {
    let mut places = texts(&teaching.contract, line.name);
    let whole = places.iter_mut().filter(|place| place.is_empty());
    whole.for_each(|place| *place = say.text("teach-reply-itself"));
    if places.is_empty() { vec![say.text("teach-empty")] } else { places }
}

fn tree_line(say: &Catalogue, one: &TreeRow, is_chosen: bool, width: usize) -> Line {
    let indent = "  ".repeat(one.depth.min(12));
    let name = match one.depth {
        0 => say.text("teach-reply-itself"),
        _ => one.name.shown_within(40),
    };
    let label = format!("{indent}{name}  ");
    let (role, value) = match &one.value {
        TreeValue::Text(text) => {
            let text = personal::theirs(say, text);
            (Role::Text, format!("\"{}\"", text.shown_within(120)))
        }
        TreeValue::Literal(text) => (Role::Text, personal::theirs(say, text).shown_within(120)),
        TreeValue::List(count) => (Role::Dim, say.count("teach-list", *count as u64, &[])),
        TreeValue::Object(count) => (Role::Dim, say.count("teach-object", *count as u64, &[])),
    };
    let room = width.saturating_sub(columns(&label) + 2);
    row(is_chosen, vec![Span::of(Role::Key, label), Span::of(role, fit(&value, room))])
}

fn edit(
    say: &Catalogue,
    form: &LineForm,
    (title, aside): (String, Line),
    area: Area,
    page: &mut Page,
) {
    let width = form_page::inside(area);
    let intro = match &form.line {
        Some(SentLine::Field(_)) | None => say.text("teach-intro-field"),
        Some(SentLine::Setting { name, .. }) if name.ends_with("headers") => {
            say.with("teach-intro-headers", &[("open", "{}")])
        }
        Some(_) => say.text("teach-intro-line"),
    };
    let refused = form.refused.as_ref().map(|why| {
        let why = say.with("teach-refused", &[("why", &why.shown_within(300))]);
        Block::cut(form_page::BELOW, MIN_FAILURE_ROWS, wrapped(Role::Bad, &why, width))
    });
    let form = FormPage {
        title,
        aside,
        head: vec![Block::cut(form_page::HEAD, 0, wrapped(Role::Dim, &intro, width))],
        form: &form.form,
        submit: say.text("teach-line-submit"),
        below: refused.into_iter().collect(),
    };
    form.draw(say, area, page);
}

/// Returns the text id for the value that a setting of the API contract reads, such as
/// `teach-sought-net` for `fee_preview.net`.
fn sought_word(line: &ReplyLine) -> String {
    let key = line.name.rsplit('.').next().unwrap_or_default();
    format!("teach-sought-{}", key.replace('_', "-"))
}

fn review(store: &Store, teaching: &Teaching, area: Area, page: &mut Page) {
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
    Text::compact(lines, area).draw(store.render_cx(), page);
}

/// Lays out the values that the corrected settings read from the reply.
fn readings(say: &Catalogue, teaching: &Teaching, width: usize) -> Vec<Line> {
    let sought = ReplyLine::of(teaching.operation());
    let taught = |line: &&ReplyLine| teaching.lines.iter().any(|taught| taught.name == line.name);
    let mut lines = vec![];
    for line in sought.filter(taught) {
        let (role, value) = read(say, teaching, line);
        let what = format!("{}: {value}", say.text(&sought_word(line)));
        lines.extend(wrapped(role, &what, width));
    }
    if !lines.is_empty() {
        let head = wrapped(Role::Strong, &say.text("teach-would-read"), width);
        lines.splice(0..0, std::iter::once(Line::default()).chain(head));
    }
    lines
}

/// Lays out a sample of the next request, with secrets masked, if the corrections change it.
fn sample(say: &Catalogue, teaching: &Teaching, width: usize) -> Vec<Line> {
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
