//! The parts that the lists and the details of links, charges and withdrawals have in common.

use compact_str::{CompactString, CompactStringExt};

use crate::app::ui::geometry::MOST_ASIDE;
use crate::app::ui::list::{List, ListLine, ShownRows};
use crate::app::ui::parts::{
    LABEL, labelled, pair, paragraph, put, put_right, tight, title, wrapped,
};
use crate::app::ui::picture::{CodePlace, Picture, QrPicture};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{broken, columns, exactly, fit, right};
use crate::app::ui::{Action, Area, Line, Page, Reader, Role, Span, Target};
use crate::trade::{JournalTrouble, Untrusted};
use crate::words::{Words, failure};

/// The row of this number in the whole list, if it is in the window.
pub fn row_at<T>(list: &List<T>, n: u64) -> Option<&T> {
    list.page.rows.get(usize::try_from(n.checked_sub(list.page.first)?).ok()?)
}

/// The number of rows while they are being counted.
pub const UNCOUNTED: &str = "…";

/// Returns the number of rows; empty for an empty list, which has words of its own.
pub fn count<T>(say: &Words, list: &List<T>, id: &str) -> String {
    match list.page.total {
        None => UNCOUNTED.to_owned(),
        Some(0) => String::new(),
        Some(total) => say.count(id, total, &[]),
    }
}

/// Puts the rows that are on the screen, below the days on which they were asked for.
pub fn by_day<T>(
    to: Reader<'_>,
    list: &List<T>,
    ShownRows { area, lines, .. }: ShownRows,
    row: impl Fn(&T) -> Row,
    total: impl Fn(i64) -> String,
    page: &mut Page,
) {
    let width = usize::from(area.width);
    row_targets(&lines, area, page);
    let row_of = |line| match line {
        ListLine::Row(n) => (line, row_at(list, n).map(&row)),
        ListLine::Day(_) | ListLine::Group(_) => (line, None),
    };
    let shown: Vec<(ListLine, Option<Row>)> = lines.into_iter().map(row_of).collect();
    let columns = Columns::of(shown.iter().filter_map(|(_, row)| row.as_ref()), width);
    let lines = shown.into_iter().map(|(line, row)| match (line, row) {
        (ListLine::Day(of), _) => day(to, of, &total(of), width),
        (ListLine::Row(n), Some(row)) => columns.line(row, n == list.cursor),
        (ListLine::Row(_) | ListLine::Group(_), _) => Line::default(),
    });
    put(lines.collect(), area, page);
}

/// Makes each row of a list mean itself when it is clicked.
pub fn row_targets(lines: &[ListLine], area: Area, page: &mut Page) {
    for (line, n) in lines.iter().zip(0..) {
        if let ListLine::Row(row) = line {
            page.target(area.row(n), Target::Row(*row));
        }
    }
}

/// Says how many rows of a list are above those shown, and how many below; at the right. Where no
/// row is free for that, signs beside the first and the last of them say that there are some.
pub fn put_hidden(say: &Words, shown: &ShownRows, count: usize, page: &mut Page) {
    if shown.foot.height > 0 {
        return put_right(hidden(say, shown, count), shown.foot.without_right(1), page);
    }
    for (sign, n) in shown.signs(count).into_iter().zip(0..) {
        if !sign.is_empty() {
            let (x, width) = (shown.area.right() + 1, shown.signs);
            put(vec![Line::of(Role::Dim, sign)], Area { x, width, ..shown.area.row(n) }, page);
        }
    }
}

/// How many rows of a list are above those shown, and how many below.
pub fn hidden(say: &Words, shown: &ShownRows, count: usize) -> Line {
    let (above, below) = shown.hidden(count);
    let above = (above > 0).then(|| format!("↑ {above}"));
    let below = (below > 0).then(|| say.count("list-below", below as u64, &[]));
    let both: Vec<String> = above.into_iter().chain(below).collect();
    Line::of(Role::Dim, both.join("   "))
}

/// The name of a day, and at the right what it comes to.
fn day(to: Reader<'_>, day: i64, total: &str, width: usize) -> Line {
    let name = to.day(day);
    let room = width.saturating_sub(columns(&name) + 2);
    Line::from(vec![
        Span::of(Role::Strong, [" ", &name].concat_compact()),
        Span::of(Role::Dim, right(&fit(total, room), room)),
    ])
}

/// One row of a list of things that were asked for on a day.
pub struct Row {
    /// `10:42`
    pub time: CompactString,
    /// `R$ 49,90`
    pub amount: CompactString,
    /// The text that says what it was for.
    pub description: String,
    /// The state, outcome or name that is seen at a glance.
    pub tag: Tag,
}

/// The end of a row, in its look.
pub enum Tag {
    /// A state in our words: all of it is seen.
    State(String, Role),
    /// A name or a word of others, of which a part may do.
    Name(String, Role),
}

/// The columns of a list, wide enough for the rows that are on the screen.
struct Columns {
    amount: usize,
    gap: &'static str,
    description: usize,
    tag: usize,
}

/// The least columns for an amount with the space before it, and those behind it: most lists look
/// alike.
const AMOUNT: (usize, &str) = (12, "   ");

/// The same in a list that is narrower than this: what its rows are for has little room there.
const NARROW: usize = 60;
const NARROW_AMOUNT: (usize, &str) = (10, "  ");

impl Columns {
    /// The columns for these rows in so much room.
    fn of<'a>(rows: impl Iterator<Item = &'a Row>, width: usize) -> Columns {
        let (mut amount, gap) = if width < NARROW { NARROW_AMOUNT } else { AMOUNT };
        let (mut state, mut name) = (0, 0);
        for row in rows {
            // The time stands before it, and two spaces away.
            amount = amount.max(columns(&row.amount) + 1);
            match &row.tag {
                Tag::State(text, _) => state = state.max(columns(text)),
                Tag::Name(text, _) => name = name.max(columns(text)),
            }
        }
        let room = width.saturating_sub(1 + 5 + 1 + amount + gap.len() + 2 + 1);
        // What a link is for says more than where it opens, and less than what became of it.
        let tag = name.min(width * 2 / 7).max(state).min(room);
        Columns { amount, gap, description: room - tag, tag }
    }

    fn line(&self, row: Row, under_cursor: bool) -> Line {
        let (Tag::State(tag, role) | Tag::Name(tag, role)) = row.tag;
        let spans = [
            Span::of(Role::Dim, exactly(&row.time, 6)),
            Span::of(Role::Money, right(&row.amount, self.amount)),
            Span::of(Role::Text, self.gap),
            Span::of(Role::Text, exactly(&row.description, self.description)),
            Span::of(Role::Text, "  "),
        ];
        let mut line = super::parts::row(under_cursor, spans);
        // Under the cursor too: its look says something, and a cursor that moves sends less.
        line.push(Span::of(role, fit(&tag, self.tag)));
        line
    }
}

/// The columns of what was searched for, in a sentence.
pub const QUERY: usize = 40;

/// The words of a list whose search found nothing.
pub fn none_found(say: &Words, id: &str, query: &str, width: usize) -> Vec<Line> {
    wrapped(Role::Text, &say.with(id, &[("query", query)]), width)
}

/// A list of the history that was not read yet, or cannot be: why, and what works all the same.
/// The folder of the history stands beside the message that says what works.
pub fn not_loaded(
    say: &Words,
    trouble: Option<&JournalTrouble>,
    (folder, works): (&Untrusted, &str),
    width: usize,
) -> Vec<Line> {
    let Some(trouble) = trouble else {
        return wrapped(Role::Dim, &say.text("links-not-loaded"), width);
    };
    let (what, detail) = failure::history(say, trouble);
    let mut lines = wrapped(Role::Bad, &what, width);
    lines.extend(wrapped(Role::Strong, &say.text(works), width));
    lines.extend(wrapped(Role::Text, &say.text("history-way"), width));
    lines.extend(pair(&say.text("locked-folder"), &folder.shown(), width));
    if let Some(detail) = detail {
        let detail = Untrusted::from(detail).shown_within(2 * width);
        lines.extend(pair(&say.text("history-detail"), &detail, width));
    }
    lines
}

/// An empty list that invites: what is missing, what it is good for, and the key that begins it.
pub fn invitation(
    to: Reader<'_>,
    [title, hint, begin]: [&str; 3],
    key: Option<Action>,
    width: usize,
) -> Vec<Line> {
    let mut lines = wrapped(Role::Strong, &to.words.text(title), width);
    lines.extend(paragraph(Role::Text, &to.words.text(hint), width));
    if let Some(key) = key.and_then(|action| to.keys.keys(action).first()) {
        lines.push(Line::default());
        let begin = Span::of(Role::Text, format!("  {}", to.words.text(begin)));
        lines.push(Line::from(vec![Span::of(Role::Key, key.to_string()), begin]));
    }
    lines
}

/// The least columns of words beside a QR code.
const WORDS: u16 = 34;

/// The least rows for what is known of it above an address or a code that stands at the foot.
const LEAST_KNOWN: u16 = 5;

/// Columns of a label where the words stand beside a QR code.
const NARROW_LABEL: usize = 15;

/// An address or a code in full, with nothing else on its lines, so that it can be selected whole.
pub fn in_full(text: &Untrusted, width: u16) -> Vec<Line> {
    // The last column stays empty: what reaches the edge looks as if it went on.
    let (shown, width) =
        (Untrusted::in_full(|| text.shown()), usize::from(width).saturating_sub(1).max(2));
    if columns(&shown) < width {
        return vec![Line::of(Role::Accent, format!(" {shown}"))];
    }
    broken(&shown, width).into_iter().map(|line| Line::of(Role::Accent, line)).collect()
}

/// Says why a text cannot be copied, if it cannot: signs that are not seen, its length, or a secret
/// that was taken out of it.
pub fn not_copied(
    say: &Words,
    text: &Untrusted,
    [not_clean, too_long, masked]: [&str; 3],
    width: usize,
) -> Vec<Line> {
    let said = match text.is_clean() {
        true if text.is_masked() => say.text(masked),
        true => return vec![],
        false if text.is_too_long() => {
            say.with(too_long, &[("most", &Untrusted::MOST_SHOWN.to_string())])
        }
        false => say.text(not_clean),
    };
    paragraph(Role::Bad, &said, width)
}

/// The details of what has an address or a code to pass on.
pub struct DetailPane {
    head: Area,
    /// The words that describe it.
    pub words: Text,
    picture: Option<Picture>,
    /// The address or the code, in full, where it stands at the foot.
    full: Vec<Line>,
    foot: Area,
}

impl DetailPane {
    /// Lays out what is known, beside or below it the picture, where it was made and has room, and
    /// all that can be copied.
    pub fn of(
        to: Reader<'_>,
        (text, place): (Option<&Untrusted>, Option<CodePlace<'_>>),
        (known, full): (impl Fn(usize) -> Vec<Line>, impl Fn(u16) -> Vec<Line>),
        area: Area,
    ) -> DetailPane {
        // What cannot be copied safely is not passed on as a picture either.
        let place = place.filter(|_| text.is_some_and(Untrusted::is_clean));
        let code = place.map(|place| place.code);
        let mut pane = DetailPane::laid(to, code, (known, full), area);
        // Where it is still to be made its place stays empty.
        pane.picture.take_if(|_| place.is_some_and(|place| !place.is_here));
        pane
    }

    fn laid(
        to: Reader<'_>,
        code: Option<&QrPicture>,
        (known, full): (impl Fn(usize) -> Vec<Line>, impl Fn(u16) -> Vec<Line>),
        area: Area,
    ) -> DetailPane {
        if let Some(pane) = DetailPane::below(to, code, (&known, &full), area) {
            return pane;
        }
        let margin = margin(area);
        // At the screen's edge it can be selected from the first column on.
        let at_left = area.narrowed(if area.x == 0 { 0 } else { margin });
        // Where it has no room there in full it stands below the words, which are scrolled.
        let most = area.height.saturating_sub(LEAST_KNOWN);
        let has_room = |lines: &Vec<Line>| lines.len() <= usize::from(most);
        let at_foot = Some(full(at_left.width)).filter(has_room).unwrap_or_default();
        let rows = u16::try_from(at_foot.len()).unwrap_or(most);
        let (upper, foot) = (area.split_bottom(rows).0, at_left.split_bottom(rows).1);
        let words = |area: Area| {
            let inner = area.split_top(2).1.narrowed(margin);
            (inner, known(usize::from(inner.width)))
        };
        let (mut head, mut picture) = beside_code(code, upper);
        let (mut inner, mut lines) = words(head);
        if picture.is_some() && lines.len() > usize::from(inner.height) {
            // What is known of it is worth more than its picture, which has its own key.
            (head, picture) = (upper, None);
            (inner, lines) = words(head);
        }
        if let Some(code) = code.filter(|_| picture.is_none()) {
            let hint = no_room(to, code, usize::from(inner.width));
            // The footer has its key too.
            if lines.len() + hint.len() <= usize::from(inner.height) {
                lines.extend(hint);
            }
        }
        if at_foot.is_empty() {
            let full = full(inner.width);
            lines.extend((!full.is_empty()).then(Line::default));
            lines.extend(full);
        }
        DetailPane { head, words: Text::tight(lines, inner), picture, full: at_foot, foot }
    }

    /// The words, the address and the picture below each other, where that has room, and the
    /// picture has none beside the words; beside a list also without the picture.
    fn below(
        to: Reader<'_>,
        code: Option<&QrPicture>,
        (known, full): (&impl Fn(usize) -> Vec<Line>, &impl Fn(u16) -> Vec<Line>),
        area: Area,
    ) -> Option<DetailPane> {
        if code.is_some_and(|code| area.width > code.least_cells().0 + WORDS) {
            return None;
        }
        let inner = text_area(area);
        let mut lines = known(usize::from(inner.width));
        lines.push(Line::default());
        lines.extend(full(inner.width));
        let below = |lines: &[Line]| {
            let rows = u16::try_from(lines.len() + 1).unwrap_or(u16::MAX);
            inner.split_top(rows).1
        };
        let mut picture = None;
        if let Some(code) = code {
            // The picture is worth more than the empty lines between what is said.
            let close = tight(lines.clone(), |lines| code.fits(below(lines)));
            picture = code.within(below(&close));
            lines = if picture.is_some() { close } else { lines };
        }
        if picture.is_none() {
            if area.x == 0 || lines.len() >= usize::from(inner.height) {
                return None;
            }
            let hint = code.map(|code| no_room(to, code, usize::from(inner.width)));
            lines.extend(hint.unwrap_or_default());
        }
        let foot = area.split_bottom(0).1;
        Some(DetailPane { head: area, words: Text::new(lines, inner), picture, full: vec![], foot })
    }

    /// Returns true when the picture has room in details that are laid out on this width, and has
    /// none on that part of it.
    pub fn gains(laid: impl Fn(Area) -> DetailPane, wide: Area, narrow: Area) -> bool {
        laid(narrow).picture.is_none() && laid(wide).picture.is_some()
    }

    /// Draws them under a title, to be scrolled.
    pub fn draw(self, to: Reader<'_>, id: &str, page: &mut Page) {
        let scroll = page.scroll();
        page.shows(self.words.shown(scroll), self.words.overflow());
        title(&to.words.text(id), Line::default(), self.head, page);
        self.put(to, scroll, page);
    }

    /// Draws the same beside a list that has the keys.
    pub fn peek(mut self, to: Reader<'_>, id: &str, page: &mut Page) {
        let name = Line::of(Role::Dim, format!(" {}", to.words.text(id)));
        put(vec![name], self.head.row(0), page);
        self.words.down = Action::Open;
        self.put(to, 0, page);
    }

    fn put(self, to: Reader<'_>, scroll: u16, page: &mut Page) {
        page.picture(self.picture);
        self.words.draw_from(scroll, to, page);
        put(self.full, self.foot, page);
    }
}

/// The part of the details in which their text stands, below the title and its empty line.
pub fn text_area(area: Area) -> Area {
    area.split_top(2).1.narrowed(margin(area))
}

/// The columns left free at each side: fewer where the area is narrow.
fn margin(area: Area) -> u16 {
    if area.width > MOST_ASIDE + 1 { 2 } else { 1 }
}

/// Names the key that shows the picture, where there is no room for it here; or the size of a
/// window that has room for it.
fn no_room(to: Reader<'_>, code: &QrPicture, width: usize) -> Vec<Line> {
    let window = Area { x: 0, y: 0, width: to.size.columns, height: to.size.rows };
    let said = match code.fits(window) {
        true => to.with_key("link-qr-room", Action::Qr),
        false => qr_needs(to.words, code),
    };
    paragraph(Role::Dim, &said, width)
}

/// Says how large a window has to be that has room for the picture.
pub fn qr_needs(say: &Words, code: &QrPicture) -> String {
    let (columns, rows) = code.least_cells();
    let [columns, rows] = [columns, rows].map(|n| n.to_string());
    say.with("qr-needs", &[("columns", &columns), ("rows", &rows)])
}

/// Divides an area between the words and, at their right, the QR code, if it has room there.
fn beside_code(code: Option<&QrPicture>, area: Area) -> (Area, Option<Picture>) {
    let placed = || {
        let code = code?;
        let (columns, _) = code.least_cells();
        let words = area.width.checked_sub(columns + 1).filter(|left| *left >= WORDS)?;
        // On the whole width of a wide terminal the words stay a text that is read with ease.
        let (words, place) = area.split_left(words.min(area.readable().width));
        Some((words, code.within(place)?))
    };
    match placed() {
        Some((words, picture)) => (words, Some(picture)),
        None => (area, None),
    }
}

/// A label and its value; the label is narrower where the room is.
pub fn named(say: &Words, id: &str, value: &str, width: usize) -> Vec<Line> {
    let columns = if width > 60 { LABEL } else { NARROW_LABEL };
    labelled((&say.text(id), columns), value, width)
}
