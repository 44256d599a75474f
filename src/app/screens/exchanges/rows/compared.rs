//! The rows that compare two HTTP requests. Each row shows the values of both requests.
//!
//! The values are compared unmasked, so two masked values that differ are shown as different.

use std::collections::{HashMap, HashSet};

use super::super::details::{activity, bytes, sent_bytes};
use super::super::{clock_word, duration, reply_word};
use super::tree_rows;
use super::{Key, MOST_TEXT, Row, Rows, WIDTH, body_lines, numbered};
use crate::app::store::exchanges::bodies::{Bodies, ReadBody, body};
use crate::app::ui::parts::{hanging, wrapped};
use crate::app::ui::text::{columns, exactly, fit};
use crate::app::ui::{Line, Role, Span, failure, hits};
use crate::contract::ReplyTree;
use crate::trade::{Exchange, RequestResult, Untrusted};
use crate::words::{Catalogue, personal, sizes};

/// The mark of a row whose values differ.
const DIFFERS: &str = "≠ ";

/// The mark for a value that one of the requests does not have.
const MISSING: &str = "—";

/// The mark for a value that may be missing only because a long body is cut at the row limit.
const CUT: &str = "…";

/// The value from the second request, and whether it differs from the first one.
#[derive(Debug, Clone)]
pub(super) struct Compared {
    value: String,
    differs: bool,
}

/// A value of one request, such as a header. It is compared with the value of the other request
/// that has an equal `place`.
struct Part {
    place: String,
    /// The value without the mask.
    value: Untrusted,
    row: Row,
}

impl Rows {
    /// Returns the number of values that differ.
    pub fn differences(&self) -> usize {
        (0..self.all.len()).filter(|n| self.is_difference(*n)).count()
    }

    /// Returns true if the values of this row differ. A row that contains other rows counts only if
    /// none of them differs.
    pub fn is_difference(&self, n: usize) -> bool {
        let differs = |row: &Row| row.compared.as_ref().is_some_and(|other| other.differs);
        let row = &self.all[n];
        differs(row) && !self.all[n + 1..][..row.inside].iter().any(differs)
    }
}

/// Returns the column widths for a value's name and for each of the two values.
fn widths(width: usize) -> (usize, usize) {
    let name = (width * 3 / 10).clamp(8, 34);
    (name, width.saturating_sub(columns(DIFFERS) + name + 2) / 2)
}

/// Returns a heading line with one text above each column of values.
pub(in super::super) fn headings(texts: &[String; 2], width: usize) -> Line {
    let (name, value) = widths(width);
    let before = " ".repeat(columns(DIFFERS) + name + 2);
    let [one, other] = texts;
    let texts = format!("{before}{} {}", exactly(one, value), fit(other, value));
    Line::of(Role::Strong, texts)
}

impl Compared {
    pub fn whole(&self, row: &Row) -> String {
        [&*row.name, &*row.value, &*self.value].join(" ")
    }

    /// Returns the line of a row: the name and both values. Texts that do not fit are cut.
    pub fn line(&self, row: &Row, is_folded: bool, words: &[String], width: usize) -> Line {
        let (name_width, value_width) = widths(width);
        let (mark, of_name, of_value) = match self.differs {
            true => (DIFFERS, Role::Key, row.role),
            false => ("  ", Role::Dim, Role::Dim),
        };
        let fold = if is_folded { " …" } else { "" };
        let name = format!("{}{}{fold}", "  ".repeat(row.depth.min(super::DEEPEST)), row.name);
        let value = |text: &str| format!(" {}", exactly(text, value_width));
        let line = Line::from(vec![
            Span::of(Role::Warn, mark),
            Span::of(of_name, exactly(&name, name_width)),
            Span::of(of_value, value(&row.value)),
            Span::of(of_value, value(&self.value)),
        ]);
        hits::marked(line, words)
    }

    /// Returns the complete name and both values on several lines. Returns no lines if they fit
    /// into the row.
    pub fn whole_if_cut(&self, row: &Row, width: usize) -> Vec<Line> {
        let (name, value) = widths(width);
        let fits = columns(&row.name) + 2 * row.depth <= name
            && columns(&row.value).max(columns(&self.value)) <= value;
        if fits {
            return vec![];
        }
        let mut lines = wrapped(Role::Strong, &row.name, width);
        for (number, text) in [("1 ", &row.value), ("2 ", &self.value)] {
            lines.extend(hanging(Span::of(Role::Dim, number), Role::Text, text, width));
        }
        lines
    }
}

/// Returns the rows that compare two HTTP exchanges.
pub(super) fn rows(key: Key, both: [&Exchange; 2], read: &Bodies) -> Vec<Row> {
    let heading = |id| Row::text(&Line::of(Role::Strong, key.say().text(id)));
    let mut rows = numbered(vec![
        vec![heading("compare-request")],
        paired(key, both.map(|one| request(key, one)), MISSING, differs),
        bodies(key, both, read, false),
        vec![Row::text(&Line::default()), heading("compare-reply")],
        paired(key, both.map(|one| reply(key, one)), MISSING, differs),
        bodies(key, both, read, true),
    ]);
    for n in 0..rows.len() {
        let inside = rows[n + 1..].iter().take_while(|row| row.depth > rows[n].depth);
        rows[n].inside = inside.count();
    }
    rows
}

impl Part {
    fn new(place: &str, name: String, shown: String, value: Untrusted) -> Part {
        let row = Row { name, ..Row::text(&Line::of(Role::Text, shown)) };
        Part { place: place.to_owned(), value, row }
    }

    /// Creates a value that contains no personal data, such as a duration.
    fn fact(say: &Catalogue, id: &str, shown: String) -> Part {
        let value = shown.as_str().into();
        Part::new(id, say.text(id), shown, value)
    }
}

fn request(key: Key, exchange: &Exchange) -> Vec<Part> {
    let say = key.say();
    let address = Untrusted::from(format!("{} {}", exchange.method, exchange.url));
    let sent = sent_bytes(exchange).map(|n| Part::fact(say, "compare-size", bytes(say, n)));
    let address = Part::new("address", say.text("compare-address"), address.shown(), address);
    let all = exchange.request_headers.iter().map(|(name, value)| (&**name, value.as_str().into()));
    [address].into_iter().chain(headers(key, all)).chain(sent).collect()
}

fn reply(key: Key, exchange: &Exchange) -> Vec<Part> {
    let say = key.say();
    let result = match &exchange.reply {
        Ok(reply) => RequestResult::Reply(reply.status),
        Err(failure) => RequestResult::of(failure),
    };
    let mut parts = vec![
        Part::fact(say, "compare-result", reply_word(say, result).1),
        Part::fact(say, "compare-took", duration(exchange.took)),
    ];
    if let Some(connecting) = exchange.connecting {
        let waiting = exchange.took.saturating_sub(connecting);
        parts.push(Part::fact(say, "compare-connecting", duration(connecting)));
        parts.push(Part::fact(say, "compare-waiting", duration(waiting)));
    }
    let clock = exchange.clock_difference_ms().map(|ms| clock_word(say, ms));
    parts.extend(clock.map(|clock| Part::fact(say, "compare-clock", clock)));
    match &exchange.reply {
        Ok(reply) => {
            let end = sizes::body_end(say, reply);
            parts.push(Part::fact(say, "compare-size", bytes(say, reply.received)));
            parts.extend(end.map(|end| Part::fact(say, "compare-end", end)));
            let all = reply.headers.iter().map(|(name, value)| (&**name, value.clone()));
            parts.extend(headers(key, all));
        }
        Err(why) => {
            let lines = failure::lines(say, why, activity(exchange.operation), WIDTH);
            let lines: Vec<_> = lines.iter().map(|line| line.to_string().trim().into()).collect();
            let lines: Vec<String> = lines;
            parts.push(Part::fact(say, "compare-failure", lines.join(" ").trim().to_owned()));
        }
    }
    parts
}

fn headers<'a>(key: Key, all: impl Iterator<Item = (&'a str, Untrusted)>) -> Vec<Part> {
    let mut counts = HashMap::new();
    let part = |(name, value): (&str, Untrusted)| {
        let name = name.to_ascii_lowercase();
        let count = counts.entry(name.clone()).and_modify(|n| *n += 1).or_insert(0);
        let shown = personal::header(key.say(), key.hides_all, &name, &value);
        let place = format!("header {name} {count}");
        Part::new(&place, Untrusted::shown_of(&name), shown, value)
    };
    all.map(part).collect()
}

/// Returns the rows that compare two bodies. If both are JSON or missing, their values are
/// compared; otherwise, their lines of text.
fn bodies(key: Key, both: [&Exchange; 2], read: &Bodies, is_reply: bool) -> Vec<Row> {
    let (bodies, at) = (both.map(|one| body(one, is_reply)), usize::from(is_reply));
    let trees = [0, 1].map(|n| read.all.get(n).map(|all| &all[at]).filter(|one| one.is_tree()));
    let are_trees = (0..2).all(|n| bodies[n].is_empty() || trees[n].is_some());
    let name = key.say().text("compare-body");
    if !are_trees {
        let parts = bodies.map(|body| texts(key, &name, body.into_owned()));
        return paired(key, parts, MISSING, differs);
    }
    let is_cut = trees.iter().flatten().any(|tree| tree.rows.len() >= ReplyTree::MOST_ROWS);
    let is_alone = trees.iter().flatten().count() < 2;
    let differs = |one: Option<&Part>, other: Option<&Part>| {
        is_alone || one.or(other).is_none_or(|part| read.differing[at].contains(&part.place))
    };
    let parts = trees.map(|tree| tree.map(|tree| tree_parts(key, &name, tree)).unwrap_or_default());
    paired(key, parts, if is_cut { CUT } else { MISSING }, differs)
}

fn differs(one: Option<&Part>, other: Option<&Part>) -> bool {
    one.map(|part| &part.value) != other.map(|part| &part.value)
}

/// Returns a row for the whole body, then a row for each of its lines. The lines are compared as
/// they are shown on the screen.
fn texts(key: Key, name: &str, body: Untrusted) -> Vec<Part> {
    if body.is_empty() {
        return vec![];
    }
    let lines = body_lines(key.say(), key.hides_all, &body, (WIDTH, MOST_TEXT));
    let whole = Part::new("", name.to_owned(), key.say().text("compare-text"), body);
    let lines = lines.iter().enumerate().map(|(n, line)| {
        let text = line.to_string();
        let part = Part::new(&n.to_string(), String::new(), text.clone(), text.into());
        Part { row: Row { depth: 1, ..part.row }, ..part }
    });
    [whole].into_iter().chain(lines).collect()
}

fn tree_parts(key: Key, name: &str, body: &ReadBody) -> Vec<Part> {
    let rows = tree_rows(key, body).into_iter().enumerate();
    let part = |(n, mut row): (usize, Row)| {
        if n == 0 {
            name.clone_into(&mut row.name);
        }
        // The row that states the row limit has no path in the body.
        let is_limit = n > 0 && row.pointer.is_empty();
        let place = if is_limit { CUT.to_owned() } else { row.pointer.clone() };
        Part { place, value: Untrusted::default(), row }
    };
    rows.map(part).collect()
}

/// Pairs the values of two requests by their `place`, in the order of the first request. A value
/// that only the second request has follows the value before it in that request.
fn paired(
    key: Key,
    [one, other]: [Vec<Part>; 2],
    missing: &str,
    differs: impl Fn(Option<&Part>, Option<&Part>) -> bool,
) -> Vec<Row> {
    let first: HashSet<String> = one.iter().map(|part| part.place.clone()).collect();
    let place = |(n, part): (usize, &Part)| (part.place.clone(), n);
    let second: HashMap<String, usize> = other.iter().enumerate().map(place).collect();
    let mut other: Vec<Option<Part>> = other.into_iter().map(Some).collect();
    let is_only = |part: &Part| !first.contains(&part.place);
    let row = |one: Option<Part>, other: Option<Part>| {
        let differs = differs(one.as_ref(), other.as_ref());
        let pointer = one.as_ref().or(other.as_ref()).map_or("", |part| &part.place).to_owned();
        let rows = [one, other].map(|part| part.map(|part| part.row));
        Row { pointer, ..row(key, rows, missing, differs) }
    };
    let (mut rows, mut next) = (vec![], 0);
    for part in one {
        let at = second.get(&part.place).copied();
        for other in other.iter_mut().take(at.unwrap_or(next)).skip(next) {
            rows.extend(other.take_if(|part| is_only(part)).map(|only| row(None, Some(only))));
        }
        next = at.map_or(next, |at| next.max(at + 1));
        rows.push(row(Some(part), at.and_then(|at| other[at].take())));
    }
    let rest = other.into_iter().flatten().filter(is_only);
    rows.extend(rest.map(|only| row(None, Some(only))));
    rows
}

/// Returns the row that compares two values. At most one of them may be missing.
fn row(key: Key, both: [Option<Row>; 2], missing: &str, differs: bool) -> Row {
    let [one, other] = both;
    let value = |row: &Option<Row>, partner: &Option<Row>| match (row, partner) {
        (Some(row), _) => row.value.clone(),
        (None, Some(partner)) if !differs => partner.value.clone(),
        (None, _) => missing.to_owned(),
    };
    let (first, mut second) = (value(&one, &other), value(&other, &one));
    let row = one.or(other).unwrap_or_else(|| Row::text(&Line::default()));
    if differs && first == second && row.role != Role::Dim {
        second = format!("{second} ({})", key.say().text("compare-differs"));
    }
    Row { value: first, compared: Some(Compared { value: second, differs }), ..row }
}
