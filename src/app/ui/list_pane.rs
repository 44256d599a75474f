//! Parts that the panes for payment links, direct payments and withdrawals share: lists and
//! details.

use compact_str::CompactString;

use crate::app::ui::area::MEASURE;
use crate::app::ui::block;
use crate::app::ui::geometry::{MAX_DETAILS_WIDTH, PaneAreas};
use crate::app::ui::list::{List, ShownRows};
use crate::app::ui::parts::{
    LABEL_WIDTH, first_line, labelled, pair, paragraph, put, put_right, title, wrapped,
};
use crate::app::ui::picture::{CodePlace, Picture, QrPicture};
use crate::app::ui::scrolled::Text;
use crate::app::ui::table::Heading;
use crate::app::ui::text::{break_word, columns, first_fitting};
use crate::app::ui::{Action, Area, Line, Page, RenderCx, Role, Span};
use crate::trade::search::Reading;
use crate::trade::{JournalTrouble, LinksTotal, LostHistory, SearchTotals, Untrusted};
use crate::words::{Catalogue, dates, failure, reading};

/// The row at `position` in the whole list, or `None` if that row is not loaded.
pub fn row_at<T>(list: &List<T>, position: u64) -> Option<&T> {
    list.page
        .rows
        .get(usize::try_from(position.checked_sub(list.page.first)?).ok()?)
}

/// The text that is shown instead of the number of rows while the rows are being counted.
pub const UNCOUNTED: &str = "…";

/// The number of rows as text, such as "12 links". The text is empty for an empty list, because the
/// list itself then shows a message.
pub fn count<T>(words: &Catalogue, list: &List<T>, id: &str) -> String {
    match list.page.total {
        None => UNCOUNTED.to_owned(),
        Some(0) => String::new(),
        Some(total) => words.count(id, total, &[]),
    }
}

/// The number of columns reserved for the search text beside what was found.
pub const SEARCH_TEXT_WIDTH: usize = 18;

/// The text beside the search field: the number of rows, after what was read in the search text.
pub fn count_and_reading<T>(to: RenderCx<'_>, list: &List<T>, count: String, top: Area) -> String {
    if list.reading.is_empty() {
        return count;
    }
    let found = Some(count).filter(|count| !count.is_empty());
    let room = usize::from(top.width).saturating_sub(SEARCH_TEXT_WIDTH);
    with_reading(to, &list.reading, [found.into_iter()], room).into()
}

/// Up to two texts: the sum of all rows that a search finds, and the sum of the paid ones.
///
/// A row that the service did not create is not part of a sum. If the list contains such rows, the
/// text also gives the number of created ones, with the message `made`.
pub fn sum_texts(
    words: &Catalogue,
    made: &str,
    totals: &SearchTotals,
    row_count: u64,
    shows_paid: bool,
) -> Vec<String> {
    let Some(LinksTotal { count, sum }) = totals.total() else {
        return vec![];
    };
    let sum = words.with("links-sum", &[("sum", &sum.to_string())]);
    let sum = if count == row_count {
        sum
    } else {
        format!("{}, {sum}", words.count(made, count, &[]))
    };
    let paid = (shows_paid && totals.paid.count > 0).then(|| {
        let sum = totals.paid.sum.to_string();
        words.with("links-sum-paid", &[("sum", &sum)])
    });
    std::iter::once(sum).chain(paid).collect()
}

/// The period and the amounts that were read in a search text, before the first text about the
/// found rows that fits. They must be visible, so if there is little room, they are shown without
/// labels or without another text. The texts of the first group are worth more than the labels.
pub fn with_reading<I: Iterator<Item = String> + Clone>(
    to: RenderCx<'_>,
    reading: &Reading,
    found: impl IntoIterator<Item = I>,
    room: usize,
) -> CompactString {
    let room = room.min(usize::from(MEASURE));
    let groups = found.into_iter();
    if reading.is_empty() {
        return first_fitting(groups.flatten(), room);
    }
    let today = to.now.local_day(to.utc_offset_s);
    let read = [true, false].map(|labels| reading::texts(to.words, today, reading, labels));
    let read = read.map(|texts| texts.join(" · "));
    let with_found = groups.flat_map(|group| {
        let both = |read| group.clone().map(move |found| format!("{read} · {found}"));
        read.iter().flat_map(both).collect::<Vec<_>>()
    });
    first_fitting(with_found.chain(read.iter().cloned()), room)
}

/// Shows how many rows of a list are hidden above and below. The text is right-aligned below the
/// list.
pub fn put_hidden_counts(words: &Catalogue, shown: &ShownRows, count: usize, page: &mut Page) {
    if shown.foot.height > 0 {
        put_right(
            hidden_counts_line(words, shown, count),
            shown.foot.without_right(1),
            page,
        );
    }
}

/// A line with the numbers of hidden rows above and below the visible rows.
pub fn hidden_counts_line(words: &Catalogue, shown: &ShownRows, count: usize) -> Line {
    let (above, below) = shown.hidden(count);
    let above = (above > 0).then(|| format!("↑ {above}"));
    let below = (below > 0).then(|| words.count("list-below", below as u64, &[]));
    let counts: Vec<String> = above.into_iter().chain(below).collect();
    Line::of(Role::Dim, counts.join("   "))
}

/// The heading of a day in a list. The year is shown only if it is not the current year.
pub fn day(to: RenderCx<'_>, day: i64) -> Heading {
    let today = to.now.local_day(to.utc_offset_s);
    let name = dates::short_day(to.words, today, day);
    Heading {
        name: Span::of(Role::Strong, name),
        ..Heading::default()
    }
}

const MAX_QUERY_WIDTH: usize = 40;

/// The message that nothing was found, if the list is empty because of a search.
pub fn none_found<T>(
    words: &Catalogue,
    (list, is_personal): (&List<T>, bool),
    id: &str,
    width: usize,
) -> Option<Vec<Line>> {
    let is_search = !list.query.value().is_empty();
    let query = is_search.then(|| list.field(is_personal).typed(words, MAX_QUERY_WIDTH))?;
    Some(wrapped(
        Role::Text,
        &words.with(id, &[("query", &query)]),
        width,
    ))
}

/// Shows a text in place of the list.
pub fn put_empty_list(areas: &PaneAreas, lines: impl FnOnce(usize) -> Vec<Line>, page: &mut Page) {
    let inner = areas.empty_list();
    put(lines(usize::from(inner.width)), inner, page);
}

/// The text that is shown in place of a list while the list is not loaded. If the history database
/// cannot be read, the text explains why, and where the database is. The message `works` then lists
/// what still works.
pub fn not_loaded(
    words: &Catalogue,
    trouble: Option<&JournalTrouble>,
    (folder, works): (&Untrusted, &str),
    width: usize,
) -> Vec<Line> {
    let Some(trouble) = trouble else {
        return wrapped(Role::Dim, &words.text("links-not-loaded"), width);
    };
    let (what, detail) = failure::history(words, trouble);
    let mut lines = wrapped(Role::Bad, &what, width);
    lines.extend(wrapped(Role::Strong, &words.text(works), width));
    lines.extend(wrapped(Role::Text, &words.text("history-way"), width));
    lines.extend(pair(&words.text("locked-folder"), &folder.shown(), width));
    if let Some(detail) = detail {
        let detail = Untrusted::from(detail).shown_within(2 * width);
        lines.extend(pair(&words.text("history-detail"), &detail, width));
    }
    lines
}

/// The text about the rows of an earlier history database, which the lists lack.
pub fn lost_history(words: &Catalogue, lost: &LostHistory, width: usize) -> Vec<Line> {
    let label = words.text("account-history");
    match lost {
        LostHistory::Missing => pair(&label, &words.text("account-history-missing"), width),
        LostHistory::Aside(path) => {
            let means = words.text("account-history-means");
            [pair(&label, &path.shown(), width), pair("", &means, width)].concat()
        }
    }
}

/// The text for an empty list: a title, the purpose of the list, and the key for creating the first
/// item.
pub fn invitation(
    to: RenderCx<'_>,
    [title, hint, begin]: [&str; 3],
    key: Option<Action>,
    width: usize,
) -> Vec<Line> {
    let mut lines = wrapped(Role::Strong, &to.words.text(title), width);
    lines.extend(paragraph(Role::Text, &to.words.text(hint), width));
    if let Some(key) = key.and_then(|action| to.keys.keys(action).first()) {
        lines.push(Line::default());
        let begin = Span::of(Role::Text, format!("  {}", to.words.text(begin)));
        lines.push(Line::from(vec![
            Span::of(Role::Key, key.to_string()),
            begin,
        ]));
    }
    lines
}

/// The minimum width, in columns, of a text that has a QR code beside it.
const MIN_TEXT_WIDTH: u16 = 34;

/// The minimum number of rows for the details that are shown above a URL or Pix code.
const MIN_DETAIL_ROWS: u16 = 5;

/// The width of labels, in columns, in a narrow area, such as beside a QR code.
const NARROW_LABEL: usize = 15;

/// The lines of a complete URL or Pix code. They contain nothing else, so that the user can select
/// all of it with the mouse.
pub fn in_full(text: &Untrusted, width: u16) -> Vec<Line> {
    // Keep the last column empty, because a text that reaches the edge looks cut off.
    let visible_text = Untrusted::without_masking(|| text.shown());
    let width = usize::from(width).saturating_sub(1).max(2);
    if columns(&visible_text) < width {
        return vec![Line::of(Role::Accent, format!(" {visible_text}"))];
    }
    break_word(&visible_text, width)
        .into_iter()
        .map(|line| Line::of(Role::Accent, line))
        .collect()
}

/// The reason why a text cannot be copied, if there is one: it has invisible characters, is too
/// long, or contains a masked secret.
pub fn not_copied(
    words: &Catalogue,
    text: &Untrusted,
    [not_clean, too_long, masked]: [&str; 3],
    width: usize,
) -> Vec<Line> {
    let reason = if text.is_clean() {
        return vec![];
    } else if text.is_masked() {
        words.text(masked)
    } else if text.is_too_long() {
        words.with(too_long, &[("most", &Untrusted::MAX_SHOWN.to_string())])
    } else {
        words.text(not_clean)
    };
    paragraph(Role::Bad, &reason, width)
}

/// Shows the details of an item that has a URL or a Pix code. The title and the text `known` are at
/// the top, and the copyable text `full` is at the bottom. If the QR code fits, it is beside or
/// below `known`.
pub fn put_details(
    to: RenderCx<'_>,
    (title, look): (&str, Look),
    (text, place): (Option<&Untrusted>, Option<CodePlace<'_>>),
    (known, full): (impl Fn(usize) -> Vec<Line>, impl Fn(u16) -> Vec<Line>),
    area: Area,
    page: &mut Page,
) {
    // If a text is unsafe to copy, do not show its QR code either.
    let place = place.filter(|_| text.is_some_and(Untrusted::is_clean));
    // If the area begins at the left edge of the screen, use no margin. The user can then select
    // the text from the first column on.
    let bottom_area = if area.x == 0 {
        area
    } else {
        area.narrowed(margin(area))
    };
    // If there is no room for the copyable text at the bottom, append it to the scrollable text
    // above.
    let max_foot_rows = usize::from(area.height.saturating_sub(MIN_DETAIL_ROWS));
    let foot_lines = Some(full(bottom_area.width))
        .filter(|lines| !is_narrow(area) && lines.len() <= max_foot_rows)
        .unwrap_or_default();
    let rows = u16::try_from(foot_lines.len()).unwrap_or(u16::MAX);
    let upper = area.split_bottom(rows).0;
    let foot = bottom_area.split_bottom(rows).1;
    let lay_out_details = |head: Area| {
        let inner = head.split_top(2).1.narrowed(margin(area));
        let mut lines = known(usize::from(inner.width));
        if foot_lines.is_empty() {
            lines.push(Line::default());
            lines.extend(full(inner.width));
        }
        (inner, lines)
    };
    let (head, lines, picture) =
        place_qr_code(to, place.map(|place| place.code), lay_out_details, upper);
    look.title(&to.words.text(title), Line::default(), head, page);
    // While the QR code is being computed, leave its place empty.
    page.add_picture(picture.filter(|_| place.is_some_and(|place| place.is_ready)));
    let inner = head.split_top(2).1.narrowed(margin(area));
    look.text(Text::compact(lines, inner), to, page);
    put(foot_lines, foot, page);
}

/// Divides the area above the copyable text between the details and the QR code. Returns the area
/// and the lines of the details, and the QR code if it fits.
fn place_qr_code(
    to: RenderCx<'_>,
    code: Option<&QrPicture>,
    lay_out_details: impl Fn(Area) -> (Area, Vec<Line>),
    upper: Area,
) -> (Area, Vec<Line>, Option<Picture>) {
    if let Some((head, picture)) = code.and_then(|code| beside_code(code, upper)) {
        let (inner, lines) = lay_out_details(head);
        if lines.len() <= usize::from(inner.height) {
            return (head, lines, Some(picture));
        }
    }
    let (inner, mut lines) = lay_out_details(upper);
    let Some(code) = code else {
        return (upper, lines, None);
    };
    // Drop empty lines in the text above the QR code, because the code is more important.
    let rows = usize::from(inner.height.saturating_sub(code.min_size().1 + 1));
    let compact = block::fit_scrollable_text(block::blocks(lines.clone()), rows);
    let rows = u16::try_from(compact.len() + 1).unwrap_or(u16::MAX);
    if let Some(picture) = code.within(inner.split_top(rows).1) {
        return (upper, compact, Some(picture));
    }
    // Drop the hint about the QR code if there is no room for it. The footer shows the same key.
    let hint = qr_hint(to, code, usize::from(inner.width));
    if lines.len() + hint.len() <= usize::from(inner.height) {
        lines.extend(hint);
    }
    (upper, lines, None)
}

/// The two places where the details of a row are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// On a separate screen, on which the details can be scrolled.
    Entered,
    /// Beside the list. The keyboard focus stays in the list.
    Beside,
}

impl Look {
    /// Shows the title of the details, with the text `aside` at its right.
    pub fn title(self, name: &str, aside: Line, area: Area, page: &mut Page) {
        match self {
            Look::Entered => title(name, aside, area, page),
            Look::Beside => first_line(Line::of(Role::Dim, format!(" {name}")), aside, area, page),
        }
    }

    /// Shows the text of the details.
    pub fn text(self, text: Text, to: RenderCx<'_>, page: &mut Page) {
        match self {
            Look::Entered => text.draw(to, page),
            Look::Beside => Text {
                down: Action::Open,
                ..text
            }
            .draw_from(0, to, page),
        }
    }
}

/// The area for the text of the details. It begins below the title and an empty row.
pub fn text_area(area: Area) -> Area {
    area.split_top(2).1.narrowed(margin(area))
}

/// The width of the margins of the details, in columns. A narrow area has narrower margins.
fn margin(area: Area) -> u16 {
    if is_narrow(area) { 1 } else { area.margin() }
}

fn is_narrow(area: Area) -> bool {
    area.width <= MAX_DETAILS_WIDTH + 1
}

/// A hint about a QR code that does not fit here. It names the key that shows the code on the full
/// screen, or the window size that the code needs.
fn qr_hint(to: RenderCx<'_>, code: &QrPicture, width: usize) -> Vec<Line> {
    let screen = Area {
        x: 0,
        y: 0,
        width: to.size.columns,
        height: to.size.rows,
    };
    let hint = if code.fits(screen) {
        to.with_key("link-qr-room", Action::Qr)
    } else {
        qr_needs(to.words, code)
    };
    paragraph(Role::Dim, &hint, width)
}

/// The text about the window size that the QR code needs.
pub fn qr_needs(words: &Catalogue, code: &QrPicture) -> String {
    let (columns, rows) = code.min_size();
    let [columns, rows] = [columns, rows].map(|n| n.to_string());
    words.with("qr-needs", &[("columns", &columns), ("rows", &rows)])
}

/// Divides an area between a text on the left and the QR code on the right. Returns `None` if there
/// is no room for both.
fn beside_code(code: &QrPicture, area: Area) -> Option<(Area, Picture)> {
    let (columns, _) = code.min_size();
    let text_width = area
        .width
        .checked_sub(columns + 1)
        .filter(|width_left| *width_left >= MIN_TEXT_WIDTH)?;
    // In a wide terminal, limit the width of the text, because long lines are hard to read.
    let (text_area, place) = area.split_left(text_width.min(area.readable().width));
    Some((text_area, code.within(place)?))
}

/// The lines of a label and its value. In a narrow area, the column for the label is narrower.
pub fn named_pair(words: &Catalogue, id: &str, value: &str, width: usize) -> Vec<Line> {
    let columns = if width > 60 {
        LABEL_WIDTH
    } else {
        NARROW_LABEL
    };
    labelled((&words.text(id), columns), value, width)
}
