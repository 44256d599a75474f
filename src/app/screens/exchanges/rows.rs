//! Converts an HTTP request and its reply to rows on the screen. JSON bodies become trees, and
//! everything else becomes lines of text.
//!
//! The rows are built again only if the mask, the language or the bodies change. A frame draws only
//! the visible rows.

mod compared;

use compared::Compared;
pub(super) use compared::headings;

use std::sync::Arc;

use crate::app::Store;
use crate::app::store::exchanges;
use crate::app::store::exchanges::bodies::{Bodies, ReadBody};
use crate::app::ui::parts::wrapped;
use crate::app::ui::text::{columns, split_at};
use crate::app::ui::{Line, Role, Span, hits};
use crate::contract::{ReplyTree, TreeRow, TreeValue};
use crate::trade::personal::Enclosing;
use crate::trade::{Exchange, Untrusted};
use crate::words::{Catalogue, Lang, personal, sizes};

use super::details::{Part, body_lines, for_each_part};

/// The width, in columns, to which text that is not JSON is wrapped.
const TEXT_WIDTH: usize = 74;

/// The maximum number of bytes that are shown of a body that is not JSON.
const MAX_TEXT_BYTES: usize = 64 * 1024;

/// The maximum number of indentation levels. JSON values that are nested deeper are not indented
/// further.
const MAX_INDENT_DEPTH: usize = 12;

/// The settings with which rows are built: the language and the masking. If they change, the rows
/// are built again.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RowSettings {
    lang: Lang,
    masks: bool,
    masks_all: bool,
}

/// The rows of one HTTP exchange, or of two HTTP exchanges that are compared.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    settings: RowSettings,
    bodies: Arc<Bodies>,
    pub all: Vec<Row>,
}

/// A row: a line of text, or a value of a JSON body.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// The index of the part that contains this row, such as the reply body. Masking does not
    /// change the index.
    part: usize,
    depth: usize,
    /// The JSON Pointer of the value; empty for the whole body and for a line of text.
    pointer: String,
    /// The name of the member; empty for a line of text.
    name: String,
    value: String,
    role: Role,
    /// The label and the path of the value, if the API contract reads this value; otherwise empty.
    contract_note: String,
    /// True if the API contract reads other values of this body, but not this one.
    is_unread: bool,
    /// The value from the second request, if two requests are compared.
    compared: Option<Compared>,
    /// The number of rows that are nested in this one.
    pub nested_count: usize,
}

impl Rows {
    /// Builds the rows of one HTTP exchange, or of two HTTP exchanges that are compared.
    pub fn of(store: &Store, exchanges: &[Arc<Exchange>], bodies: Arc<Bodies>) -> Rows {
        let settings = RowSettings::of(store);
        let all = Untrusted::masking(settings.masks, || match exchanges {
            [first, second] => compared::rows(settings, [first, second], &bodies),
            exchanges => exchanges
                .iter()
                .zip(&bodies.by_exchange)
                .flat_map(|(exchange, bodies)| exchange_rows(settings, exchange, bodies))
                .collect(),
        });
        Rows {
            settings,
            bodies,
            all,
        }
    }

    /// True if these rows show these bodies in the current language and with the current masking.
    pub fn are_current(&self, store: &Store, bodies: &Arc<Bodies>) -> bool {
        self.settings == RowSettings::of(store) && Arc::ptr_eq(&self.bodies, bodies)
    }

    /// The positions of the rows that are not inside a folded row.
    pub fn visible(&self, is_folded: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut visible = vec![];
        let mut n = 0;
        while n < self.all.len() {
            visible.push(n);
            n += 1 + if is_folded(n) {
                self.all[n].nested_count
            } else {
                0
            };
        }
        visible
    }

    /// The position of the row in which row `n` is nested.
    pub fn parent(&self, n: usize) -> Option<usize> {
        (0..n)
            .rev()
            .find(|above| above + self.all[*above].nested_count >= n)
    }

    /// The position of the row that shows the same value as row `n` of `earlier`. `earlier` was
    /// built from the same HTTP exchange, but with another mask, language or API contract.
    pub fn find_same(&self, earlier: &Rows, n: usize) -> usize {
        let Some(row) = earlier.all.get(n) else {
            return 0;
        };
        let is_same =
            |candidate: &&Row| candidate.part == row.part && candidate.pointer == row.pointer;
        let line = earlier.all[..n].iter().filter(is_same).count();
        let same = self
            .all
            .iter()
            .enumerate()
            .filter(|(_, candidate)| is_same(candidate));
        same.take(line + 1).last().map_or(0, |(index, _)| index)
    }

    /// The first row for which `is_hit` returns true. The search begins at `start`, goes forward or
    /// backward, and wraps around at the end.
    pub fn find_from(
        &self,
        start: usize,
        forward: bool,
        is_hit: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let count = self.all.len();
        let mut rows = (0..count).map(|step| {
            let row = if forward {
                start + step
            } else {
                start + count - step
            };
            row % count
        });
        rows.find(|n| is_hit(*n))
    }
}

impl RowSettings {
    fn of(store: &Store) -> RowSettings {
        let words = exchanges::words(store);
        RowSettings {
            lang: words.lang(),
            masks: words.masks(),
            masks_all: store.is_masked,
        }
    }

    fn catalogue(self) -> &'static Catalogue {
        if self.masks {
            Catalogue::masking(self.lang)
        } else {
            Catalogue::of(self.lang)
        }
    }
}

impl Row {
    fn text(line: &Line) -> Row {
        let role = line
            .spans
            .first()
            .and_then(|span| span.role)
            .unwrap_or(Role::Text);
        let part = 0;
        let depth = 0;
        let nested_count = 0;
        let is_unread = false;
        let (pointer, name, contract_note, compared) = Default::default();
        let value = line.to_string();
        Row {
            part,
            depth,
            pointer,
            name,
            value,
            role,
            contract_note,
            is_unread,
            compared,
            nested_count,
        }
    }

    fn full_text(&self) -> String {
        if let Some(other) = &self.compared {
            return other.full_text(self);
        }
        let parts = [&*self.name, &*self.value, &*self.contract_note];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The whole text of the row on several lines; empty if the row fits into one line.
    pub fn full_text_if_cut(&self, width: usize) -> Vec<Line> {
        if let Some(other) = &self.compared {
            return other.full_text_if_cut(self, width);
        }
        let is_cut = self.line(false, &[]).width() > width;
        if is_cut {
            wrapped(Role::Text, &self.full_text(), width)
        } else {
            vec![]
        }
    }

    /// The row as one line. A line that does not fit is cut and ends with "…".
    pub fn fitted_line(&self, is_folded: bool, search_words: &[String], width: usize) -> Line {
        let line = match &self.compared {
            Some(other) => other.line(self, is_folded, search_words, width),
            None => self.line(is_folded, search_words),
        };
        cut_line(line, width)
    }

    pub fn matches(&self, search_words: &[String]) -> bool {
        !search_words.is_empty() && hits::contains_all_words(&self.full_text(), search_words)
    }

    /// The row as one line, with the search words highlighted.
    fn line(&self, is_folded: bool, search_words: &[String]) -> Line {
        let role = |role| if self.is_unread { Role::Dim } else { role };
        let mut line = Line::of(Role::Text, "  ".repeat(self.depth.min(MAX_INDENT_DEPTH)));
        if !self.name.is_empty() {
            line.push(Span::of(role(Role::Key), format!("{}  ", self.name)));
        }
        line.push(Span::of(role(self.role), &*self.value));
        if is_folded {
            line.push(Span::of(Role::Strong, " …"));
        }
        if !self.contract_note.is_empty() {
            line.push(Span::of(Role::Good, format!("  {}", self.contract_note)));
        }
        hits::underline_hits(line, search_words)
    }
}

/// Cuts a line that does not fit, and ends it with "…".
fn cut_line(line: Line, width: usize) -> Line {
    const MORE: &str = " …";
    if line.width() <= width {
        return line;
    }
    let mut columns_left = width.saturating_sub(columns(MORE));
    let mut start = Line::default();
    for span in line.spans {
        let (text, _) = split_at(&span.text, columns_left);
        columns_left -= columns(text).min(columns_left);
        start.push(Span {
            text: text.into(),
            ..span
        });
    }
    start.push(Span::of(Role::Dim, MORE));
    start
}

fn exchange_rows(settings: RowSettings, exchange: &Exchange, bodies: &[ReadBody; 2]) -> Vec<Row> {
    let mut parts = vec![];
    for_each_part(
        settings.catalogue(),
        settings.masks_all,
        exchange,
        TEXT_WIDTH,
        &mut |part| match part {
            Part::Lines(lines) => parts.push(lines.iter().map(Row::text).collect()),
            Part::Body(body, is_reply) => parts.push(match &bodies[usize::from(is_reply)] {
                tree if !tree.rows.is_empty() => tree_rows(settings, tree),
                _ => {
                    let lines = body_lines(
                        settings.catalogue(),
                        settings.masks_all,
                        body,
                        (TEXT_WIDTH, MAX_TEXT_BYTES),
                    );
                    lines.iter().map(Row::text).collect()
                }
            }),
        },
    );
    join_parts(parts)
}

/// Joins the parts of an HTTP exchange into one list, and stores in each row the index of its part.
fn join_parts(parts: Vec<Vec<Row>>) -> Vec<Row> {
    parts
        .into_iter()
        .enumerate()
        .flat_map(|(part, rows)| rows.into_iter().map(move |row| Row { part, ..row }))
        .collect()
}

/// The rows of a JSON body. If the body has too many rows, the last row states the limit.
fn tree_rows(
    settings: RowSettings,
    ReadBody {
        rows: all,
        setting_by_pointer: read,
        bytes,
    }: &ReadBody,
) -> Vec<Row> {
    let mut enclosing = Enclosing::default();
    let mut rows: Vec<Row> = all
        .iter()
        .map(|row| {
            let line = read.get(&row.pointer).map(|line| {
                let word = settings.catalogue().text(&line.label_id());
                let pointer = &*row.pointer;
                if pointer.is_empty() {
                    format!("← {word}")
                } else {
                    format!("← {word} · {}", Untrusted::shown_of(pointer))
                }
            });
            let is_unread = line.is_none() && !read.is_empty() && is_value(row);
            tree_row(
                settings,
                &mut enclosing,
                row,
                (line.unwrap_or_default(), is_unread),
            )
        })
        .collect();
    for n in 0..all.len() {
        let nested_rows = all[n + 1..]
            .iter()
            .take_while(|row| row.depth > all[n].depth);
        rows[n].nested_count = if is_value(&all[n]) {
            0
        } else {
            nested_rows.count()
        };
    }
    if all.len() >= ReplyTree::MAX_ROWS {
        let max_rows = ReplyTree::MAX_ROWS.to_string();
        let kib = bytes.div_ceil(1024).to_string();
        let values = [("rows", &*max_rows), ("kib", &*kib)];
        let text = settings.catalogue().with("exchange-tree-goes-on", &values);
        rows.push(Row::text(&Line::of(Role::Warn, text)));
    }
    rows
}

fn is_value(row: &TreeRow) -> bool {
    matches!(row.value, TreeValue::Text(_) | TreeValue::Literal(_))
}

/// The row of a JSON value. The value's name and the names in `enclosing`, the objects and lists
/// around it, decide whether it is masked.
fn tree_row(
    settings: RowSettings,
    enclosing: &mut Enclosing,
    row: &TreeRow,
    (contract_note, is_unread): (String, bool),
) -> Row {
    let words = settings.catalogue();
    enclosing.leave_to(row.depth);
    let name = Untrusted::without_masking(|| row.name.shown());
    let mask = personal::body_mask(words, settings.masks_all);
    let (role, mut value) = match &row.value {
        TreeValue::Text(text) | TreeValue::Literal(text) => {
            let text = Untrusted::without_masking(|| text.shown());
            match row.value {
                TreeValue::Text(_) => (
                    Role::Text,
                    mask.value(enclosing, &name, &format!("\"{text}\"")),
                ),
                _ => (Role::Accent, mask.value(enclosing, &name, &text)),
            }
        }
        TreeValue::List(count) => (Role::Dim, words.count("teach-list", *count as u64, &[])),
        TreeValue::Object(count) => (Role::Dim, words.count("teach-object", *count as u64, &[])),
    };
    if !is_value(row) {
        enclosing.enter(&name, matches!(row.value, TreeValue::List(_)));
    }
    if row.hidden_count > 0 {
        let id = if is_value(row) {
            "exchange-cut-text"
        } else {
            "exchange-cut-inside"
        };
        let more = row.hidden_count as u64;
        let start = value.strip_suffix('"').unwrap_or(&value);
        let cut = words.count(id, more, &[("figure", &sizes::grouped(words, more))]);
        value = format!("{start}{}{cut}", if is_value(row) { "" } else { " " });
    }
    let name = if row.depth == 0 {
        String::new()
    } else {
        row.name.shown()
    };
    let depth = row.depth;
    let pointer = row.pointer.clone();
    Row {
        part: 0,
        depth,
        pointer,
        name,
        value,
        role,
        contract_note,
        is_unread,
        compared: None,
        nested_count: 0,
    }
}
