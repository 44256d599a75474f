//! What the lists and the details of links, charges and withdrawals have in common.

use ratatui::Frame;
use ratatui::text::Line;

use super::parts::{LABEL, first_key, put, title, wrapped};
use super::qr::Code;
use super::scrolled::Text;
use super::text::{columns, exactly, fit, right, split_at, wrap};
use super::{Look, Role, dates};
use crate::app::action::Action;
use crate::app::geometry::{self, Area, ListLine};
use crate::app::list::List;
use crate::app::{CopyTrouble, Model};
use crate::trade::Untrusted;

/// The row of this number in the whole list, if it is in the window.
pub(super) fn row_at<T>(list: &List<T>, n: u64) -> Option<&T> {
    list.page.rows.get(usize::try_from(n.checked_sub(list.page.first)?).ok()?)
}

/// How many rows there are; an empty list says so in its own words.
pub(super) fn count<T>(look: &Look, list: &List<T>, id: &str) -> String {
    match list.page.total {
        0 => String::new(),
        total => look.words.count(id, total, &[]),
    }
}

/// The rows that are on the screen, below the days on which they were asked for.
pub(super) fn by_day<T>(
    model: &Model,
    look: &Look,
    list: &List<T>,
    area: Area,
    row: impl Fn(&T) -> Row,
    total: impl Fn(i64) -> String,
) -> Vec<Line<'static>> {
    let width = usize::from(area.width);
    let shown: Vec<(ListLine, Option<Row>)> = geometry::list_lines(model, area.height)
        .into_iter()
        .map(|line| match line {
            ListLine::Row(n) => (line, row_at(list, n).map(&row)),
            ListLine::Day(_) | ListLine::Group(_) => (line, None),
        })
        .collect();
    let columns = Columns::of(shown.iter().filter_map(|(_, row)| row.as_ref()), width);
    shown
        .into_iter()
        .map(|(line, row)| match (line, row) {
            (ListLine::Day(of), _) => day(model, look, of, &total(of), width),
            (ListLine::Row(n), Some(row)) => columns.line(look, row, n == list.cursor),
            (ListLine::Row(_) | ListLine::Group(_), _) => Line::default(),
        })
        .collect()
}

/// The name of a day, and at the right what it comes to.
fn day(model: &Model, look: &Look, day: i64, total: &str, width: usize) -> Line<'static> {
    let name = dates::day(model, look, day);
    let room = width.saturating_sub(columns(&name) + 2);
    Line::from(vec![
        look.span(Role::Strong, format!(" {name}")),
        look.span(Role::Dim, right(&fit(total, room), room)),
    ])
}

/// One row of a list of things that were asked for on a day.
pub(super) struct Row {
    /// `10:42`
    pub time: String,
    /// `R$ 49,90`
    pub amount: String,
    /// What for.
    pub description: String,
    /// What is to be known at a glance, and how it looks.
    pub tag: (String, Role),
}

/// The columns of a list, wide enough for the rows that are on the screen.
struct Columns {
    amount: usize,
    description: usize,
    tag: usize,
}

impl Columns {
    /// The columns for these rows in so much room.
    fn of<'a>(rows: impl Iterator<Item = &'a Row>, width: usize) -> Columns {
        let (mut amount, mut tag) = (12, 0);
        for row in rows {
            // The time stands before it, and two spaces away.
            amount = amount.max(columns(&row.amount) + 1);
            tag = tag.max(columns(&row.tag.0));
        }
        let tag = tag.min(width / 3);
        Columns {
            amount,
            description: width.saturating_sub(1 + 5 + 1 + amount + 3 + 2 + tag + 1),
            tag,
        }
    }

    /// A row in these columns.
    fn line(&self, look: &Look, row: Row, under_cursor: bool) -> Line<'static> {
        let (tag, role) = row.tag;
        let spans = vec![
            look.span(Role::Dim, exactly(&row.time, 6)),
            look.span(Role::Money, right(&row.amount, self.amount)),
            look.span(Role::Text, format!("   {}  ", exactly(&row.description, self.description))),
            look.span(role, fit(&tag, self.tag)),
        ];
        super::parts::row(look, under_cursor, spans)
    }
}

/// What is said where the search found nothing.
pub(super) fn none_found(look: &Look, id: &str, query: &str, width: usize) -> Vec<Line<'static>> {
    let query = Untrusted::from(query).shown_within(40);
    wrapped(look, Role::Text, &look.words.with(id, &[("query", &query)]), width)
}

/// An empty list that invites: what is missing, what it is good for, and the key that begins it.
pub(super) fn invitation(
    model: &Model,
    look: &Look,
    [title, hint, begin]: [&str; 3],
    key: Option<Action>,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = wrapped(look, Role::Strong, &look.say(title), width);
    lines.push(Line::default());
    lines.extend(wrapped(look, Role::Text, &look.say(hint), width));
    let key = key.and_then(|action| model.setup.keys.keys(action).first());
    if let Some(key) = key {
        lines.push(Line::default());
        let begin = look.span(Role::Text, format!("  {}", look.say(begin)));
        lines.push(Line::from(vec![look.span(Role::Key, key.to_string()), begin]));
    }
    lines
}

/// The least columns of words beside a QR code.
const WORDS: u16 = 34;

/// The least rows for what is known of it; an address or a code takes the rest, if it needs it.
const LEAST_KNOWN: u16 = 5;

/// Columns of a label where the words stand beside a QR code.
const NARROW_LABEL: usize = 15;

/// An address or a code in full: from the first column on where it is long, and nothing else on
/// its lines, so that it can be selected without anything in between.
pub(super) fn in_full(look: &Look, text: &Untrusted, width: u16) -> Vec<Line<'static>> {
    // The last column stays empty: what reaches the edge looks as if it went on.
    let (shown, width) = (text.shown(), usize::from(width).saturating_sub(1).max(2));
    if columns(&shown) < width {
        return vec![look.line(Role::Accent, format!(" {shown}"))];
    }
    let mut lines = Vec::new();
    let mut rest = shown.as_str();
    while !rest.is_empty() {
        let (line, more) = split_at(rest, width);
        lines.push(look.line(Role::Accent, line));
        rest = more;
    }
    lines
}

/// The rows at the foot for an address or a code of so many lines; what is not clean is not copied,
/// so where it has no room in full it stands with the words alone.
fn foot(text: Option<&Untrusted>, lines: usize, most: u16) -> u16 {
    let rows = u16::try_from(lines).unwrap_or(u16::MAX);
    let is_clean = text.is_some_and(Untrusted::is_clean);
    if rows <= most || is_clean { rows.min(most) } else { 0 }
}

/// Why a text cannot be copied, where it cannot: signs that nobody sees, or its length.
pub(super) fn not_copied(
    look: &Look,
    text: &Untrusted,
    [not_clean, too_long]: [&str; 2],
    width: usize,
) -> Vec<Line<'static>> {
    let said = match CopyTrouble::of(text) {
        None => return vec![],
        Some(CopyTrouble::NotInFull) => {
            look.words.with(too_long, &[("most", &Untrusted::MOST_SHOWN.to_string())])
        }
        Some(_) => look.say(not_clean),
    };
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(look, Role::Bad, &said, width));
    lines
}

/// The details of what has an address or a code to pass on.
pub(super) struct Details {
    head: Area,
    /// What is known of it.
    pub words: Text,
    picture: Option<(Code, Area)>,
    /// The address or the code, in full.
    full: Vec<Line<'static>>,
    foot: Area,
}

impl Details {
    /// Lays out what is known, beside it the picture if it is to have one, and below both all that
    /// can be copied.
    pub(super) fn of(
        model: &Model,
        look: &Look,
        (text, has_picture): (Option<&Untrusted>, bool),
        (known, full): (impl Fn(usize) -> Vec<Line<'static>>, impl Fn(u16) -> Vec<Line<'static>>),
        area: Area,
    ) -> Details {
        let at_foot = full(area.width);
        let rows = foot(text, at_foot.len(), area.height.saturating_sub(LEAST_KNOWN));
        let (upper, foot) = area.split_bottom(rows);
        let words = |area: Area| {
            let inner = area.split_top(2).1.narrowed(2);
            (inner, known(usize::from(inner.width)))
        };
        let pictured = text.filter(|_| has_picture);
        let (mut head, mut picture) = beside_code(look, pictured, upper);
        let (mut inner, mut lines) = words(head);
        if picture.is_some() && lines.len() > usize::from(inner.height) {
            // What is known of it is worth more than its picture, which has its own key.
            (head, picture) = (upper, None);
            (inner, lines) = words(head);
        }
        if picture.is_none() && pictured.is_some_and(Untrusted::is_clean) {
            let hint = no_room(model, look, usize::from(inner.width));
            // The footer has its key too.
            if lines.len() + hint.len() <= usize::from(inner.height) {
                lines.extend(hint);
            }
        }
        if usize::from(rows) < at_foot.len() {
            // At the foot it is cut: all of it is below the words.
            lines.extend(full(inner.width));
        }
        Details { head, words: Text::tight(lines, inner), picture, full: at_foot, foot }
    }

    /// Draws them under a title.
    pub(super) fn draw(
        self,
        model: &Model,
        look: &Look,
        (id, scroll): (&str, u16),
        frame: &mut Frame,
    ) {
        title(look, &look.say(id), Line::default(), self.head, frame);
        if let Some((picture, place)) = self.picture {
            picture.draw(place, frame);
        }
        self.words.draw(model, look, scroll, frame);
        put_to_copy(model, look, self.full, self.foot, frame);
    }
}

/// Which key shows the picture that has no room here.
fn no_room(model: &Model, look: &Look, width: usize) -> Vec<Line<'static>> {
    let key = first_key(model, look, Action::Qr);
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(
        look,
        Role::Dim,
        &look.words.with("link-qr-room", &[("key", &key)]),
        width,
    ));
    lines
}

/// Puts an address or a code; where it has no room in full, the key that copies all of it is said.
fn put_to_copy(
    model: &Model,
    look: &Look,
    mut lines: Vec<Line<'static>>,
    area: Area,
    frame: &mut Frame,
) {
    let rows = usize::from(area.height);
    if lines.len() > rows {
        lines.truncate(rows.saturating_sub(1));
        let key = first_key(model, look, Action::Copy);
        lines.push(look.line(Role::Warn, look.words.with("more-to-copy", &[("key", &key)])));
    }
    put(lines, area, frame);
}

/// Where the words go, and at their right the QR code and its place, if it has room there.
fn beside_code(look: &Look, text: Option<&Untrusted>, area: Area) -> (Area, Option<(Code, Area)>) {
    let made = || {
        // What cannot be copied safely is not passed on as a picture either.
        let code = Code::of(look, text.filter(|text| text.is_clean())?)?;
        let (columns, rows) = code.least_cells();
        let words = area.width.checked_sub(columns + 1).filter(|left| *left >= WORDS)?;
        (rows <= area.height).then_some((code, words))
    };
    match made() {
        Some((code, words)) => {
            let (words, place) = area.split_left(words);
            (words, Some((code, place)))
        }
        None => (area, None),
    }
}

/// The QR code under what is known of something, where there is room.
pub(super) fn code_below(look: &Look, text: Option<&Untrusted>, area: Area, frame: &mut Frame) {
    let code = text.filter(|text| text.is_clean()).and_then(|text| Code::of(look, text));
    if let Some(code) = code {
        code.draw(area, frame);
    }
}

/// A label and its value; the label is narrower where the room is.
pub(super) fn named(look: &Look, id: &str, value: &str, width: usize) -> Vec<Line<'static>> {
    let name = if width > 60 { LABEL } else { NARROW_LABEL };
    let values = wrap(value, width.saturating_sub(name).max(1));
    let label = look.say(id);
    let labels = std::iter::once(label.as_str()).chain(std::iter::repeat(""));
    let line = |(value, label): (String, &str)| {
        Line::from(vec![look.span(Role::Dim, exactly(label, name)), look.span(Role::Text, value)])
    };
    values.into_iter().zip(labels).map(line).collect()
}
