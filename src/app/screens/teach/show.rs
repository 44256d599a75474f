//! Draws the pages of the teaching screen: the overview, the reply in which the seller selects a
//! value, the form, and the review.

use super::field_question::{name_fault_id, untaught_lines};
use super::setting_form::{
    FormError, SettingForm, field_use, setting_label_id, setting_texts, use_label_id,
};
use super::{OverviewRow, Stage, Teaching, review};
use crate::app::Store;
use crate::app::store::teaching::TeachScope;
use crate::app::ui::block::Block;
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{paragraph, put, row, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::sent_form::MIN_FAILURE_ROWS;
use crate::app::ui::text::{columns, exactly, fit};
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::contract::reply_setting::{DOMAIN_STATE, FEE, WITHDRAWAL_ID};
use crate::contract::{
    FigureFit, LessonFault, ReadValue, ReplySetting, ReplyTime, ReplyValueKind, RequestPart,
    TreeRow, TreeValue, Unit,
};
use crate::trade::{CheckoutDomain, Exchange, Untrusted};
use crate::words::{Catalogue, Lang, dates, names, personal};

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
    let body = rest.text();
    if teaching.reading.is_some() {
        return put(
            vec![Line::of(Role::Dim, store.text("exchange-reading"))],
            body,
            page,
        );
    }
    match &teaching.stage {
        Stage::Overview => draw_overview(store, teaching, body, page),
        Stage::SelectValue { line, .. } => draw_value_selection(store, teaching, line, body, page),
        Stage::Edit(form) => draw_form(store, teaching, form, (name, aside), area, page),
        Stage::Question(question) => question.draw(store, teaching, body, page),
        Stage::Review => review::draw(store, teaching, body, page),
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
    let (top, rest) = area.split_top(row_count(&above).min(area.height / 2));
    let (middle, foot) = rest.split_bottom(row_count(&below).min(rest.height / 2));
    put(above, top, page);
    let text = Text::new(lines, middle);
    let first = cursor.saturating_sub(usize::from(middle.height / 2));
    let first = u16::try_from(first)
        .unwrap_or(u16::MAX)
        .min(text.overflow().lines);
    text.draw_from(first, store.render_cx(), page);
    put(below, foot, page);
}

fn row_count(lines: &[Line]) -> u16 {
    u16::try_from(lines.len()).unwrap_or(u16::MAX)
}

fn draw_overview(store: &Store, teaching: &Teaching, area: Area, page: &mut Page) {
    let width = usize::from(area.width);
    let mut above = wrapped(Role::Text, &store.text(intro_id(teaching)), width);
    above.extend(refusal_lines(store.words(), teaching, width));
    above.extend(untaught_lines(store.words(), teaching, width));
    above.push(Line::default());
    let mut lines = vec![];
    let mut cursor_line = 0;
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
            row_spans(store, teaching, overview_row, width),
        ));
    }
    draw_list(store, (above, vec![]), (lines, cursor_line), area, page);
}

fn intro_id(teaching: &Teaching) -> &'static str {
    if teaching.scope == TeachScope::OpenWithdrawal {
        return "teach-intro-open";
    }
    match (teaching.reply().is_some(), teaching.was_accepted()) {
        (true, true) => "teach-intro-reply",
        (false, true) => "teach-intro-no-json",
        (_, false) => "teach-intro-refused",
    }
}

/// Lays out the service's error text for a refused request.
fn refusal_lines(words: &Catalogue, teaching: &Teaching, width: usize) -> Vec<Line> {
    match &teaching.exchange.reply {
        Ok(reply) if !teaching.was_accepted() && !reply.body.is_empty() => {
            let quote = personal::excerpt(
                words,
                &reply.body,
                width.saturating_sub(4).saturating_mul(2),
            );
            let quote = words.with("theirs-quote", &[("text", &quote)]);
            wrapped(Role::Quote, &quote, width)
        }
        _ => vec![],
    }
}

/// The text id of the heading above a row of the overview. Only the first row of each kind has a
/// heading.
fn heading_id(teaching: &Teaching, n: usize, row: &OverviewRow) -> Option<&'static str> {
    let before = n
        .checked_sub(1)
        .and_then(|n| teaching.rows().get(n).cloned());
    match (before, row) {
        (None, OverviewRow::ReplySetting(_)) => Some("teach-head-reply"),
        (None | Some(OverviewRow::ReplySetting(_)), OverviewRow::RequestSetting(_)) => {
            Some("teach-head-request")
        }
        (Some(_), OverviewRow::Save) => Some("teach-head-save"),
        _ => None,
    }
}

fn row_spans(store: &Store, teaching: &Teaching, row: &OverviewRow, width: usize) -> Vec<Span> {
    let words = store.words();
    let (name, role, value) = match row {
        OverviewRow::ReplySetting(line) => {
            let (role, value) = read_value_text(store, teaching, line);
            (words.text(&value_label_id(line)), role, value)
        }
        OverviewRow::RequestSetting(line) => {
            let (name, value) = request_setting_texts(words, teaching, line);
            let is_new = teaching
                .corrections
                .iter()
                .any(|correction| belongs_to(&correction.name, line));
            (name, if is_new { Role::Good } else { Role::Dim }, value)
        }
        OverviewRow::NewField => return vec![Span::of(Role::Key, words.text("teach-new-field"))],
        OverviewRow::Save => {
            let count = words.count("teach-to-save", teaching.corrections.len() as u64, &[]);
            return vec![Span::of(Role::Strong, count)];
        }
    };
    let room = width.saturating_sub(NAME_WIDTH + 2);
    vec![
        Span::of(Role::Text, exactly(&name, NAME_WIDTH)),
        Span::of(role, fit(&value, room)),
    ]
}

/// True if the overview row of `line` is about the corrected setting `name`.
fn belongs_to(name: &str, line: &RequestPart) -> bool {
    match line {
        RequestPart::Setting {
            name: setting_name, ..
        } => setting_name == name,
        RequestPart::Field(id) => name.contains(&format!(".field.{id}.")),
        RequestPart::Amounts => [".unit", ".amount_sent", ".amount_read", ".amount"]
            .iter()
            .any(|key| name.ends_with(key)),
    }
}

/// The value that a setting of the API contract reads from the reply, formatted for the screen.
pub(super) fn read_value_text(
    store: &Store,
    teaching: &Teaching,
    line: &ReplySetting,
) -> (Role, String) {
    let value = teaching.value(line);
    if *value != ReadValue::Nothing {
        return (Role::Good, format_value(store, teaching, line, value));
    }
    let is_computed = line.is_required
        && line
            .alternative()
            .is_some_and(|other| *teaching.value(other) != ReadValue::Nothing);
    if is_computed {
        let id = if line == FEE {
            "figure-computed.fee"
        } else {
            "figure-computed"
        };
        return (Role::Dim, store.text(id));
    }
    if line.is_required {
        return (Role::Warn, store.text("teach-missing"));
    }
    (Role::Dim, store.text("teach-absent"))
}

/// Formats the value that a setting of the API contract reads from the reply. For a time, this is
/// the end of the token's life.
fn format_value(
    store: &Store,
    teaching: &Teaching,
    line: &ReplySetting,
    value: &ReadValue,
) -> String {
    let words = store.words();
    match value {
        ReadValue::Time(time) => {
            let end = time.from(teaching.exchange.at);
            let offset = store.setup.utc_offset_s;
            let is_same_day = end.local_day(offset) == teaching.exchange.at.local_day(offset);
            let end = if is_same_day {
                dates::time(end, offset).to_string()
            } else {
                dates::to_the_minute(words, end, offset)
            };
            match time {
                ReplyTime::At(_) => store.with("teach-valid-until", &[("when", &end)]),
                ReplyTime::After(lifetime) => {
                    let lifetime = dates::lifetime(*lifetime);
                    store.with("teach-valid-for", &[("time", &lifetime), ("when", &end)])
                }
            }
        }
        ReadValue::Nothing => words.text("teach-missing"),
        ReadValue::Hidden => words.text("teach-hidden"),
        ReadValue::Text(text) => personal::service_text(words, text).shown_within(120),
        ReadValue::Amount(money) => money.to_string(),
        ReadValue::Entries(count) => words.count("teach-entries", *count as u64, &[]),
        ReadValue::Domains(domains) if line.kind == ReplyValueKind::State => {
            state_names(words, domains)
        }
        ReadValue::Domains(domains) => {
            let hosts = domains
                .iter()
                .take(3)
                .map(|domain| domain.host.shown_within(40));
            let hosts = hosts.collect::<Vec<_>>().join(", ");
            words.count("teach-domains", domains.len() as u64, &[("hosts", &hosts)])
        }
    }
}

/// The states of the domains as one text, in the order of `domains`.
fn state_names(words: &Catalogue, domains: &[CheckoutDomain]) -> String {
    let names = domains
        .iter()
        .take(MAX_STATES)
        .map(|domain| names::domain_state(words, &domain.state));
    names.collect::<Vec<_>>().join(", ")
}

/// The label and the value of a setting of the API contract about the request.
fn request_setting_texts(
    words: &Catalogue,
    teaching: &Teaching,
    line: &RequestPart,
) -> (String, String) {
    let contract = &teaching.contract;
    match line {
        RequestPart::Field(id) => {
            let field = contract
                .body_of(teaching.operation())
                .and_then(|form| form.field(id));
            let name = field.map_or("", |field| &field.name);
            let current_use = field_use(contract, teaching.operation(), id);
            let label = field.map_or("", |field| match words.lang() {
                Lang::Pt => &field.label_pt,
                Lang::En => &field.label_en,
            });
            let label = Untrusted::from(label).shown_within(NAME_WIDTH - 1);
            let name = Untrusted::from(name).shown_within(60);
            (
                label,
                format!("{name} · {}", words.text(use_label_id(current_use))),
            )
        }
        RequestPart::Amounts => {
            let name = contract.amount_name(teaching.operation());
            let lines = contract.amount_settings(teaching.operation()).into_iter();
            let names = name.into_iter().chain(lines.map(|(name, _)| name));
            let values: Vec<String> = names
                .flat_map(|name| setting_texts(contract, &name))
                .collect();
            (
                words.text(setting_label_id(line)),
                Untrusted::from(values.join(" · ")).shown_within(120),
            )
        }
        RequestPart::Setting { name, .. } => {
            let value = Untrusted::from(setting_texts(contract, name).join(", ")).shown_within(120);
            let value = if value.is_empty() {
                words.text("teach-empty")
            } else {
                value
            };
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
    let Stage::SelectValue {
        cursor,
        is_optional,
        preview,
        fault,
        is_unfit,
        fit,
        ..
    } = &teaching.stage
    else {
        return;
    };
    let width = usize::from(area.width);
    let what = store.text(&value_label_id(line));
    let instruction = match line {
        DOMAIN_STATE => store.text("teach-where.state"),
        WITHDRAWAL_ID => where_is_code(store, &teaching.exchange),
        _ => store.with("teach-where", &[("what", &what)]),
    };
    let mut above = wrapped(Role::Strong, &instruction, width);
    if *is_optional {
        let id = if line.is_required {
            "teach-optional.figure"
        } else {
            "teach-optional"
        };
        let skip_hint = store.render_cx().with_key(id, Action::Back);
        above.extend(wrapped(Role::Text, &skip_hint, width));
    }
    above.push(Line::default());
    let rows = teaching.reply().map(|tree| tree.rows()).unwrap_or_default();
    let lines = rows
        .iter()
        .enumerate()
        .map(|(n, tree_row)| tree_line(store.words(), tree_row, n == *cursor, width));
    let effect = match (fault, preview) {
        (Some(fault), _) => (Role::Bad, lesson_fault(store.words(), fault)),
        (None, ReadValue::Nothing) if *is_unfit => {
            (Role::Bad, store.with("teach-unfit", &[("what", &what)]))
        }
        (None, ReadValue::Nothing) => (Role::Warn, store.text("teach-reads-nothing")),
        (None, value) => {
            let value = format_value(store, teaching, line, value);
            value_text(store, teaching, &value, *fit)
        }
    };
    let effect_lines = paragraph(effect.0, &effect.1, width);
    draw_list(
        store,
        (above, effect_lines),
        (lines.collect(), *cursor),
        area,
        page,
    );
}

/// The text with the value that was read. It shows whether the value fits the amount.
fn value_text(store: &Store, teaching: &Teaching, value: &str, fit: FigureFit) -> (Role, String) {
    let amount = teaching
        .sent
        .amount
        .map(|amount| amount.to_string())
        .unwrap_or_default();
    let unit = store.text(other_unit_id(teaching));
    let values = [("value", value), ("amount", &*amount), ("unit", &*unit)];
    let (role, id) = match fit {
        FigureFit::Fits => (Role::Good, "teach-reads"),
        FigureFit::FitsInOtherUnit => (Role::Warn, "teach-figures-other-unit"),
        FigureFit::Contradicts => (Role::Bad, "teach-figures-off"),
    };
    (role, store.with(id, &values))
}

/// Asks where the code of a withdrawal is in the reply of this exchange.
fn where_is_code(store: &Store, exchange: &Exchange) -> String {
    let status = exchange
        .reply
        .as_ref()
        .map_or(0, |reply| reply.status)
        .to_string();
    store.with("teach-where.code", &[("status", &status)])
}

/// Explains why a value of the reply to a withdrawal may not be taught.
pub(super) fn lesson_fault(words: &Catalogue, fault: &LessonFault) -> String {
    let id = match fault {
        LessonFault::SaysFailed(word) => {
            let word = personal::service_text(words, word).shown_within(60);
            return words.with("lesson-says-failed", &[("word", &word)]);
        }
        LessonFault::UnreadState(name) => {
            return words.with("lesson-unread-state", &[("name", &name.shown_within(40))]);
        }
        LessonFault::NoCode => "lesson-no-code",
        LessonFault::NotACode => "lesson-not-a-code",
        LessonFault::Masked => "lesson-masked",
        LessonFault::RequestId => "lesson-request-id",
        LessonFault::Time => "lesson-time",
        LessonFault::Sent => "lesson-sent",
        LessonFault::Elsewhere => "lesson-elsewhere",
        LessonFault::NotAState => "lesson-not-a-state",
    };
    words.text(id)
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
        TreeValue::Literal(text) => (
            Role::Text,
            personal::service_text(words, text).shown_within(120),
        ),
        TreeValue::List(count) => (Role::Dim, words.count("teach-list", *count as u64, &[])),
        TreeValue::Object(count) => (Role::Dim, words.count("teach-object", *count as u64, &[])),
    };
    let room = width.saturating_sub(columns(&label) + 2);
    row(
        is_chosen,
        vec![
            Span::of(Role::Key, label),
            Span::of(role, fit(&value, room)),
        ],
    )
}

/// The text id of the unit of amounts that the fee preview does not use now.
fn other_unit_id(teaching: &Teaching) -> &'static str {
    match teaching.contract.fee_preview.amounts.unit {
        Unit::Reais => "unit-centavos",
        Unit::Centavos => "unit-reais",
    }
}

fn draw_form(
    store: &Store,
    teaching: &Teaching,
    form: &SettingForm,
    (title, aside): (String, Line),
    area: Area,
    page: &mut Page,
) {
    let words = store.words();
    let width = form_page::inner_width(area);
    let sent = teaching
        .sent
        .amount
        .map(|amount| amount.to_string())
        .unwrap_or_default();
    let intro = match &form.line {
        Some(RequestPart::Amounts) if form.asked_amount.is_some() => {
            let unit = words.text(other_unit_id(teaching));
            words.with("teach-asks-unit", &[("amount", &sent), ("unit", &unit)])
        }
        Some(RequestPart::Field(_)) if form.asks_for_words() => words.text("teach-intro-kinds"),
        Some(RequestPart::Field(_)) | None => words.text("teach-intro-field"),
        Some(RequestPart::Setting { name, .. }) if name.ends_with("headers") => {
            words.with("teach-intro-headers", &[("open", "{}")])
        }
        Some(_) => words.text("teach-intro-line"),
    };
    let error = match &form.error {
        _ if form.is_contradicted => Some(words.with("teach-unit-off", &[("amount", &sent)])),
        Some(FormError::Contract(error)) => {
            Some(words.with("teach-refused", &[("why", &error.shown_within(300))]))
        }
        Some(FormError::Name(fault)) => Some(words.text(name_fault_id(*fault))),
        None => None,
    };
    let error_block = error.map(|error| {
        Block::cut(
            form_page::BELOW_PRIORITY,
            MIN_FAILURE_ROWS,
            wrapped(Role::Bad, &error, width),
        )
    });
    let form = FormPage {
        title,
        aside,
        head: vec![Block::cut(
            form_page::HEAD_PRIORITY,
            0,
            wrapped(Role::Dim, &intro, width),
        )],
        form: &form.form,
        submit: words.text("teach-line-submit"),
        below: error_block.into_iter().collect(),
    };
    form.draw(words, area, page);
}

/// The text id for the value that a setting of the API contract reads, such as `teach-sought-net`
/// for `fee_preview.net`.
pub(super) fn value_label_id(line: &ReplySetting) -> String {
    if line == WITHDRAWAL_ID {
        return "teach-sought-code".to_owned();
    }
    line.label_id()
}
