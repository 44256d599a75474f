//! The rows that compare two HTTP requests. Each row shows the values of both requests.
//!
//! The values are compared unmasked, so two masked values that differ are shown as different.

use std::collections::{HashMap, HashSet};

use super::super::details::{activity_of, format_bytes, sent_bytes};
use super::super::{clock_difference_text, format_duration, result_text};
use super::tree_rows;
use super::{MAX_TEXT_BYTES, Row, RowSettings, Rows, TEXT_WIDTH, body_lines, join_parts};
use crate::app::store::exchanges::bodies::{Bodies, ReadBody, body};
use crate::app::ui::parts::{hanging, wrapped};
use crate::app::ui::text::{columns, exactly, fit};
use crate::app::ui::{Line, Role, Span, failure, hits};
use crate::contract::ReplyTree;
use crate::trade::{Exchange, RequestResult, Untrusted};
use crate::words::{Catalogue, personal, sizes};

/// The mark of a row whose values differ.
const DIFFERENCE_MARK: &str = "≠ ";

/// The mark for a value that one of the requests does not have.
const MISSING_MARK: &str = "—";

/// The mark for a missing value if a long body was cut. The value may be in the part that was cut
/// off.
const CUT_MARK: &str = "…";

/// The value from the second request, and whether it differs from the first one.
#[derive(Debug, Clone)]
pub(super) struct Compared {
    value: String,
    differs: bool,
}

/// A value of one request, such as a header. It is compared with the value of the other request
/// that has an equal `match_key`.
struct Part {
    match_key: String,
    /// The value without the mask.
    value: Untrusted,
    row: Row,
}

impl Rows {
    /// The number of values that differ.
    pub fn differences(&self) -> usize {
        (0..self.all.len())
            .filter(|n| self.is_difference(*n))
            .count()
    }

    /// True if the values of this row differ. If a row nested in this one differs, only the nested
    /// row counts as a difference.
    pub fn is_difference(&self, n: usize) -> bool {
        let row = &self.all[n];
        differs(row) && !self.all[n + 1..][..row.nested_count].iter().any(differs)
    }
}

fn differs(row: &Row) -> bool {
    row.compared.as_ref().is_some_and(|other| other.differs)
}

/// The column widths for a value's name and for each of the two values.
fn column_widths(width: usize) -> (usize, usize) {
    let name = (width * 3 / 10).clamp(8, 34);
    (
        name,
        width.saturating_sub(columns(DIFFERENCE_MARK) + name + 2) / 2,
    )
}

/// A heading line with one text above each column of values.
pub(in super::super) fn headings(texts: &[String; 2], width: usize) -> Line {
    let (name, value) = column_widths(width);
    let indent = " ".repeat(columns(DIFFERENCE_MARK) + name + 2);
    let [one, other] = texts;
    let texts = format!("{indent}{} {}", exactly(one, value), fit(other, value));
    Line::of(Role::Strong, texts)
}

impl Compared {
    pub fn full_text(&self, row: &Row) -> String {
        [&*row.name, &*row.value, &*self.value].join(" ")
    }

    /// The line of a row: the name and both values. Texts that do not fit are cut.
    pub fn line(&self, row: &Row, is_folded: bool, search_words: &[String], width: usize) -> Line {
        let (name_width, value_width) = column_widths(width);
        let (mark, name_role, value_role) = if self.differs {
            (DIFFERENCE_MARK, Role::Key, row.role)
        } else {
            ("  ", Role::Dim, Role::Dim)
        };
        let fold_mark = if is_folded { " …" } else { "" };
        let name = format!(
            "{}{}{fold_mark}",
            "  ".repeat(row.depth.min(super::MAX_INDENT_DEPTH)),
            row.name
        );
        let value = |text: &str| format!(" {}", exactly(text, value_width));
        let line = Line::from(vec![
            Span::of(Role::Warn, mark),
            Span::of(name_role, exactly(&name, name_width)),
            Span::of(value_role, value(&row.value)),
            Span::of(value_role, value(&self.value)),
        ]);
        hits::underline_hits(line, search_words)
    }

    /// The complete name and both values on several lines; empty if they fit into the row.
    pub fn full_text_if_cut(&self, row: &Row, width: usize) -> Vec<Line> {
        let (name, value) = column_widths(width);
        let fits = columns(&row.name) + 2 * row.depth <= name
            && columns(&row.value).max(columns(&self.value)) <= value;
        if fits {
            return vec![];
        }
        let mut lines = wrapped(Role::Strong, &row.name, width);
        for (number, text) in [("1 ", &row.value), ("2 ", &self.value)] {
            lines.extend(hanging(
                Span::of(Role::Dim, number),
                Role::Text,
                text,
                width,
            ));
        }
        lines
    }
}

pub(super) fn rows(
    settings: RowSettings,
    exchanges: [&Exchange; 2],
    read_bodies: &Bodies,
) -> Vec<Row> {
    let mut rows = join_parts(vec![
        vec![heading(settings, "compare-request")],
        pair_parts(
            settings,
            exchanges.map(|exchange| request_parts(settings, exchange)),
            MISSING_MARK,
            values_differ,
        ),
        body_rows(settings, exchanges, read_bodies, false),
        vec![
            Row::text(&Line::default()),
            heading(settings, "compare-reply"),
        ],
        pair_parts(
            settings,
            exchanges.map(|exchange| reply_parts(settings, exchange)),
            MISSING_MARK,
            values_differ,
        ),
        body_rows(settings, exchanges, read_bodies, true),
    ]);
    for n in 0..rows.len() {
        let nested_rows = rows[n + 1..]
            .iter()
            .take_while(|row| row.depth > rows[n].depth);
        rows[n].nested_count = nested_rows.count();
    }
    rows
}

fn heading(settings: RowSettings, id: &str) -> Row {
    Row::text(&Line::of(Role::Strong, settings.catalogue().text(id)))
}

impl Part {
    fn new(match_key: &str, name: String, shown: String, value: Untrusted) -> Part {
        let row = Row {
            name,
            ..Row::text(&Line::of(Role::Text, shown))
        };
        Part {
            match_key: match_key.to_owned(),
            value,
            row,
        }
    }

    /// Creates a value without personal data, such as a duration. `id` is the text id of its label.
    fn fact(words: &Catalogue, id: &str, shown: String) -> Part {
        let value = shown.as_str().into();
        Part::new(id, words.text(id), shown, value)
    }
}

fn request_parts(settings: RowSettings, exchange: &Exchange) -> Vec<Part> {
    let words = settings.catalogue();
    let address = Untrusted::from(format!("{} {}", exchange.method, exchange.url));
    let size =
        sent_bytes(exchange).map(|n| Part::fact(words, "compare-size", format_bytes(words, n)));
    let address = Part::new(
        "address",
        words.text("compare-address"),
        address.shown(),
        address,
    );
    let header_values = exchange
        .request_headers
        .iter()
        .map(|(name, value)| (&**name, value.as_str().into()));
    [address]
        .into_iter()
        .chain(header_parts(settings, header_values))
        .chain(size)
        .collect()
}

fn reply_parts(settings: RowSettings, exchange: &Exchange) -> Vec<Part> {
    let words = settings.catalogue();
    let result = match &exchange.reply {
        Ok(reply) => RequestResult::Reply(reply.status),
        Err(failure) => RequestResult::of(failure),
    };
    let mut parts = vec![
        Part::fact(words, "compare-result", result_text(words, result).1),
        Part::fact(words, "compare-took", format_duration(exchange.took)),
    ];
    if let Some(connecting) = exchange.connecting {
        let waiting = exchange.took.saturating_sub(connecting);
        parts.push(Part::fact(
            words,
            "compare-connecting",
            format_duration(connecting),
        ));
        parts.push(Part::fact(
            words,
            "compare-waiting",
            format_duration(waiting),
        ));
    }
    let clock = exchange
        .clock_difference_ms()
        .map(|ms| clock_difference_text(words, ms));
    parts.extend(clock.map(|clock| Part::fact(words, "compare-clock", clock)));
    match &exchange.reply {
        Ok(reply) => {
            let end = sizes::body_end(words, reply);
            parts.push(Part::fact(
                words,
                "compare-size",
                format_bytes(words, reply.received),
            ));
            parts.extend(end.map(|end| Part::fact(words, "compare-end", end)));
            let header_values = reply
                .headers
                .iter()
                .map(|(name, value)| (&**name, value.clone()));
            parts.extend(header_parts(settings, header_values));
        }
        Err(failure) => {
            let lines = failure::lines(words, failure, activity_of(exchange.operation), TEXT_WIDTH);
            let lines: Vec<_> = lines
                .iter()
                .map(|line| line.to_string().trim().into())
                .collect();
            let lines: Vec<String> = lines;
            parts.push(Part::fact(
                words,
                "compare-failure",
                lines.join(" ").trim().to_owned(),
            ));
        }
    }
    parts
}

fn header_parts<'a>(
    settings: RowSettings,
    header_values: impl Iterator<Item = (&'a str, Untrusted)>,
) -> Vec<Part> {
    let mut counts = HashMap::new();
    header_values
        .map(|(name, value)| {
            let name = name.to_ascii_lowercase();
            let count = counts
                .entry(name.clone())
                .and_modify(|n| *n += 1)
                .or_insert(0);
            let shown = personal::header(settings.catalogue(), settings.masks_all, &name, &value);
            let match_key = format!("header {name} {count}");
            Part::new(&match_key, Untrusted::shown_of(&name), shown, value)
        })
        .collect()
}

/// The rows that compare two bodies. If each body is JSON or empty, the rows compare JSON values;
/// otherwise, they compare lines of text.
fn body_rows(
    settings: RowSettings,
    exchanges: [&Exchange; 2],
    read_bodies: &Bodies,
    is_reply: bool,
) -> Vec<Row> {
    let bodies = exchanges.map(|exchange| body(exchange, is_reply));
    let side = usize::from(is_reply);
    let trees = [0, 1].map(|n| {
        read_bodies
            .by_exchange
            .get(n)
            .map(|sides| &sides[side])
            .filter(|body| body.is_tree())
    });
    let are_trees = (0..2).all(|n| bodies[n].is_empty() || trees[n].is_some());
    let name = settings.catalogue().text("compare-body");
    if !are_trees {
        let parts = bodies.map(|body| text_parts(settings, &name, body.into_owned()));
        return pair_parts(settings, parts, MISSING_MARK, values_differ);
    }
    let is_cut = trees
        .iter()
        .flatten()
        .any(|tree| tree.rows.len() >= ReplyTree::MAX_ROWS);
    let has_one_tree = trees.iter().flatten().count() < 2;
    let parts = trees.map(|tree| {
        tree.map(|tree| tree_parts(settings, &name, tree))
            .unwrap_or_default()
    });
    pair_parts(
        settings,
        parts,
        if is_cut { CUT_MARK } else { MISSING_MARK },
        |one, other| {
            has_one_tree
                || one
                    .or(other)
                    .is_none_or(|part| read_bodies.differing[side].contains(&part.match_key))
        },
    )
}

fn values_differ(one: Option<&Part>, other: Option<&Part>) -> bool {
    one.map(|part| &part.value) != other.map(|part| &part.value)
}

/// The whole body as one value, then each of its lines as a value. The lines are compared as they
/// are shown on the screen.
fn text_parts(settings: RowSettings, name: &str, body: Untrusted) -> Vec<Part> {
    if body.is_empty() {
        return vec![];
    }
    let lines = body_lines(
        settings.catalogue(),
        settings.masks_all,
        &body,
        (TEXT_WIDTH, MAX_TEXT_BYTES),
    );
    let body_part = Part::new(
        "",
        name.to_owned(),
        settings.catalogue().text("compare-text"),
        body,
    );
    let lines = lines.iter().enumerate().map(|(n, line)| {
        let text = line.to_string();
        let part = Part::new(&n.to_string(), String::new(), text.clone(), text.into());
        Part {
            row: Row {
                depth: 1,
                ..part.row
            },
            ..part
        }
    });
    [body_part].into_iter().chain(lines).collect()
}

fn tree_parts(settings: RowSettings, name: &str, body: &ReadBody) -> Vec<Part> {
    let rows = tree_rows(settings, body).into_iter().enumerate();
    rows.map(|(n, mut row)| {
        if n == 0 {
            name.clone_into(&mut row.name);
        }
        // Only the first row (the whole body) and the row that states the row limit have an empty
        // JSON Pointer.
        let is_limit = n > 0 && row.pointer.is_empty();
        let match_key = if is_limit {
            CUT_MARK.to_owned()
        } else {
            row.pointer.clone()
        };
        Part {
            match_key,
            value: Untrusted::default(),
            row,
        }
    })
    .collect()
}

/// Pairs the values of two requests that have the same `match_key`. The rows follow the order of
/// the first request; values that only the second request has are inserted between them.
fn pair_parts(
    settings: RowSettings,
    [one, other]: [Vec<Part>; 2],
    missing: &str,
    differs: impl Fn(Option<&Part>, Option<&Part>) -> bool,
) -> Vec<Row> {
    let first_keys: HashSet<String> = one.iter().map(|part| part.match_key.clone()).collect();
    let second_indices: HashMap<String, usize> = other
        .iter()
        .enumerate()
        .map(|(n, part)| (part.match_key.clone(), n))
        .collect();
    let mut other: Vec<Option<Part>> = other.into_iter().map(Some).collect();
    let row = |one: Option<Part>, other: Option<Part>| {
        let differs = differs(one.as_ref(), other.as_ref());
        let pointer = one
            .as_ref()
            .or(other.as_ref())
            .map_or("", |part| &part.match_key)
            .to_owned();
        let rows = [one, other].map(|part| part.map(|part| part.row));
        Row {
            pointer,
            ..compare_row(settings, rows, missing, differs)
        }
    };
    let mut rows = vec![];
    let mut next = 0;
    for part in one {
        let at = second_indices.get(&part.match_key).copied();
        for other in other.iter_mut().take(at.unwrap_or(next)).skip(next) {
            rows.extend(
                other
                    .take_if(|part| !first_keys.contains(&part.match_key))
                    .map(|part| row(None, Some(part))),
            );
        }
        next = at.map_or(next, |at| next.max(at + 1));
        rows.push(row(Some(part), at.and_then(|at| other[at].take())));
    }
    let rest = other
        .into_iter()
        .flatten()
        .filter(|part| !first_keys.contains(&part.match_key));
    rows.extend(rest.map(|part| row(None, Some(part))));
    rows
}

/// The row that shows two values side by side. If a value is missing and the bodies differ there,
/// `missing` is shown in its place.
fn compare_row(settings: RowSettings, rows: [Option<Row>; 2], missing: &str, differs: bool) -> Row {
    let [one, other] = rows;
    let value = |row: &Option<Row>, partner: &Option<Row>| match (row, partner) {
        (Some(row), _) => row.value.clone(),
        (None, Some(partner)) if !differs => partner.value.clone(),
        (None, _) => missing.to_owned(),
    };
    let first = value(&one, &other);
    let mut second = value(&other, &one);
    let row = one.or(other).unwrap_or_else(|| Row::text(&Line::default()));
    if differs && first == second && row.role != Role::Dim {
        second = format!(
            "{second} ({})",
            settings.catalogue().text("compare-differs")
        );
    }
    Row {
        value: first,
        compared: Some(Compared {
            value: second,
            differs,
        }),
        ..row
    }
}
