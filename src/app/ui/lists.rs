//! The parts that the lists and the details of links, charges and withdrawals have in common.

use compact_str::CompactStringExt;

use crate::app::ui::block;
use crate::app::ui::geometry::MOST_ASIDE;
use crate::app::ui::list::{List, ShownRows};
use crate::app::ui::parts::{
    LABEL, first_line, labelled, pair, paragraph, put, put_right, title, wrapped,
};
use crate::app::ui::picture::{CodePlace, Picture, QrPicture};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{broken, columns, fit, right};
use crate::app::ui::{Action, Area, Line, Page, Reader, Role, Span};
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

/// Says at the right below the rows how many of a list are above those shown, and how many below.
pub fn put_hidden(say: &Words, shown: &ShownRows, count: usize, page: &mut Page) {
    if shown.foot.height > 0 {
        put_right(hidden(say, shown, count), shown.foot.without_right(1), page);
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
pub fn day(to: Reader<'_>, day: i64, total: &str, width: usize) -> Line {
    let name = to.day(day);
    let room = width.saturating_sub(columns(&name) + 2);
    Line::from(vec![
        Span::of(Role::Strong, [" ", &name].concat_compact()),
        Span::of(Role::Dim, right(&fit(total, room), room)),
    ])
}

/// The columns of what was searched for, in a sentence.
const QUERY: usize = 40;

/// Says that a search found nothing, if that is why a list is empty.
pub fn none_found<T>(
    say: &Words,
    (list, is_personal): (&List<T>, bool),
    id: &str,
    width: usize,
) -> Option<Vec<Line>> {
    let is_search = !list.query.value().is_empty();
    let query = is_search.then(|| list.field(is_personal).typed(say, QUERY))?;
    Some(wrapped(Role::Text, &say.with(id, &[("query", &query)]), width))
}

/// Puts the words of an empty list into its place.
pub fn put_empty(area: Area, lines: impl FnOnce(usize) -> Vec<Line>, page: &mut Page) {
    let inner = area.narrowed(2).readable().split_top(1).1;
    put(lines(usize::from(inner.width)), inner, page);
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

/// Draws the details of what has an address or a code to pass on, under a title: what is `known`,
/// beside or below it the picture, where it was made and has room, and all that can be copied in
/// `full`.
pub fn put_details(
    to: Reader<'_>,
    (title, look): (&str, Look),
    (text, place): (Option<&Untrusted>, Option<CodePlace<'_>>),
    (known, full): (impl Fn(usize) -> Vec<Line>, impl Fn(u16) -> Vec<Line>),
    area: Area,
    page: &mut Page,
) {
    // What cannot be copied safely is not passed on as a picture either.
    let place = place.filter(|_| text.is_some_and(Untrusted::is_clean));
    // At the screen's edge it can be selected from the first column on.
    let at_left = area.narrowed(if area.x == 0 { 0 } else { margin(area) });
    // Where it has no room at the foot in full it stands below the words, which are scrolled.
    let most = usize::from(area.height.saturating_sub(LEAST_KNOWN));
    let has_foot = |lines: &Vec<Line>| margin(area) > 1 && lines.len() <= most;
    let at_foot = Some(full(at_left.width)).filter(has_foot).unwrap_or_default();
    let rows = u16::try_from(at_foot.len()).unwrap_or(u16::MAX);
    let (upper, foot) = (area.split_bottom(rows).0, at_left.split_bottom(rows).1);
    let words = |head: Area| {
        let inner = head.split_top(2).1.narrowed(margin(area));
        let mut lines = known(usize::from(inner.width));
        if at_foot.is_empty() {
            lines.push(Line::default());
            lines.extend(full(inner.width));
        }
        (inner, lines)
    };
    let (head, lines, picture) = arranged(to, place.map(|place| place.code), words, upper);
    look.title(&to.words.text(title), Line::default(), head, page);
    // Where it is still to be made its place stays empty.
    page.picture(picture.filter(|_| place.is_some_and(|place| place.is_here)));
    let inner = head.split_top(2).1.narrowed(margin(area));
    look.text(Text::tight(lines, inner), to, page);
    put(at_foot, foot, page);
}

/// Divides the part above the foot between title and words, which are returned too, and the
/// picture, where that has room.
fn arranged(
    to: Reader<'_>,
    code: Option<&QrPicture>,
    words: impl Fn(Area) -> (Area, Vec<Line>),
    upper: Area,
) -> (Area, Vec<Line>, Option<Picture>) {
    if let Some((head, picture)) = code.and_then(|code| beside_code(code, upper)) {
        let (inner, lines) = words(head);
        if lines.len() <= usize::from(inner.height) {
            return (head, lines, Some(picture));
        }
    }
    let (inner, mut lines) = words(upper);
    let Some(code) = code else { return (upper, lines, None) };
    // Below the words it is worth more than the empty lines between them.
    let rows = usize::from(inner.height.saturating_sub(code.least_cells().1 + 1));
    let close = block::text(block::blocks(lines.clone()), rows);
    let rows = u16::try_from(close.len() + 1).unwrap_or(u16::MAX);
    if let Some(picture) = code.within(inner.split_top(rows).1) {
        return (upper, close, Some(picture));
    }
    // The footer has its key too.
    let hint = no_room(to, code, usize::from(inner.width));
    if lines.len() + hint.len() <= usize::from(inner.height) {
        lines.extend(hint);
    }
    (upper, lines, None)
}

/// The way in which details are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// They were entered, and are scrolled.
    Entered,
    /// They stand beside their list, which has the keys.
    Beside,
}

impl Look {
    /// Puts the name of details, and something at its right.
    pub fn title(self, name: &str, aside: Line, area: Area, page: &mut Page) {
        match self {
            Look::Entered => title(name, aside, area, page),
            Look::Beside => first_line(Line::of(Role::Dim, format!(" {name}")), aside, area, page),
        }
    }

    /// Puts the text of details.
    pub fn text(self, text: Text, to: Reader<'_>, page: &mut Page) {
        match self {
            Look::Entered => text.draw(to, page),
            Look::Beside => Text { down: Action::Open, ..text }.draw_from(0, to, page),
        }
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
fn beside_code(code: &QrPicture, area: Area) -> Option<(Area, Picture)> {
    let (columns, _) = code.least_cells();
    let words = area.width.checked_sub(columns + 1).filter(|left| *left >= WORDS)?;
    // On the whole width of a wide terminal the words stay a text that is read with ease.
    let (words, place) = area.split_left(words.min(area.readable().width));
    Some((words, code.within(place)?))
}

/// A label and its value; the label is narrower where the room is.
pub fn named(say: &Words, id: &str, value: &str, width: usize) -> Vec<Line> {
    let columns = if width > 60 { LABEL } else { NARROW_LABEL };
    labelled((&say.text(id), columns), value, width)
}
