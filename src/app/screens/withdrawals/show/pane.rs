//! Draws the withdrawals pane: the columns of the list, and the text that explains why withdrawals
//! are locked (not allowed).

use compact_str::CompactString;

use super::facts;
use crate::app::Store;
use crate::app::screen::Screen;
use crate::app::screens::withdrawals::{WithdrawalsPane, list_group};
use crate::app::store::nicknames;
use crate::app::ui::action::Action;
use crate::app::ui::failure::contents_lines;
use crate::app::ui::geometry::{self, PaneAreas};
use crate::app::ui::list::{Group, ListLine};
use crate::app::ui::list_pane::{self, Look};
use crate::app::ui::parts::{pair, rule, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::table::{self, Column, Heading, MIN_WIDE_LIST, RowWeight};
use crate::app::ui::text::{columns, first_fitting, fit};
use crate::app::ui::{Area, Line, Page, PageItem, Role, Span, symbols};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Quote, Withdrawal};
use crate::words::failure::{self, FailureText};
use crate::words::{Catalogue, dates, names};

/// The number of list rows that stay visible above the text that explains why withdrawals are
/// locked.
const MIN_LIST_ROWS: u16 = 2;

pub fn areas(body: Area) -> PaneAreas {
    geometry::list_pane(body)
}

pub fn draw(store: &Store, area: Area, page: &mut Page) {
    let areas = areas(area);
    let list = &store.withdrawals.list;
    let count = count_text(store, areas.top);
    list.field(true)
        .draw(store.words(), &count, areas.top, page);
    if list.is_empty() {
        match locked_text(store, area) {
            Some(text) => text.draw(store.render_cx(), page),
            None => list_pane::put_empty_list(&areas, |width| empty_list_lines(store, width), page),
        }
        return;
    }
    if let Some(rows) = WithdrawalsPane.rows(store, area) {
        let heading = |line| match line {
            ListLine::Group(group) => group_heading(store.words(), group),
            _ => Heading::default(),
        };
        table::put_list(
            store,
            (list, &COLUMNS),
            rows,
            (heading, |withdrawal: &Withdrawal| weight(store, withdrawal)),
            page,
        );
    }
    if let (Some(aside), Some(selected)) = (areas.divided_aside(page), list.selected()) {
        super::outcome::draw(store, selected, None, (aside, Look::Beside), page);
    }
    if let Some(text) = locked_text(store, area) {
        let foot = areas.list.split_bottom(text.area.height + 1).1;
        page.items.push(PageItem::Blank(foot));
        let gap = u16::from(areas.aside.is_some());
        rule(foot.row(0).without_right(gap), page);
        text.draw(store.render_cx(), page);
    }
}

/// The text beside the search field: the number of withdrawals and, in a search, the sums of the
/// accepted ones. The others that may have moved money are counted beside the sums.
fn count_text(store: &Store, top: Area) -> String {
    let words = store.words();
    let list = &store.withdrawals.list;
    let count = list_pane::count(words, list, "withdrawals-count");
    let Some(figures) = store.withdrawals.found.filter(|_| !count.is_empty()) else {
        return list_pane::count_and_reading(store.render_cx(), list, count, top);
    };
    let [sum, fees] = [figures.accepted.sum, figures.fees].map(|sum| sum.to_string());
    let sum = words.with("withdrawals-sum", &[("sum", &sum)]);
    let fees = words.with("withdrawals-fees", &[("sum", &fees)]);
    let beside = [
        ("withdrawals-open-beside", figures.open),
        (
            "withdrawals-no-fee-beside",
            figures.without_fee + figures.inexact,
        ),
        ("withdrawals-found-beside", figures.found_paid),
    ];
    let beside = beside.into_iter().filter(|(_, count)| *count > 0);
    let beside: Vec<_> = beside
        .map(|(id, count)| words.count(id, count, &[]))
        .collect();
    let variants = [
        [
            vec![count.clone(), sum.clone(), fees.clone()],
            beside.clone(),
        ]
        .concat(),
        [vec![sum.clone(), fees.clone()], beside.clone()].concat(),
        [vec![sum.clone()], beside].concat(),
        vec![sum, fees],
        vec![count],
    ];
    let texts = variants.iter().map(|parts| parts.join(" · "));
    let room = usize::from(top.width).saturating_sub(list_pane::SEARCH_TEXT_WIDTH);
    list_pane::with_reading(store.render_cx(), &list.reading, [texts], room).into()
}

/// Lays out the text that explains why withdrawals are locked: below the rows, or in place of an
/// empty list.
pub fn locked_text(store: &Store, area: Area) -> Option<Text> {
    if !store.withdrawals.is_locked() {
        return None;
    }
    let areas = areas(area);
    if store.withdrawals.list.is_empty() {
        let inner = areas.empty_list();
        let lines = locked_lines(store, usize::from(inner.width));
        return Some(Text::new(lines, inner));
    }
    let list = areas.list;
    let text_area = list.narrowed(1).readable();
    let lines = locked_lines(store, usize::from(text_area.width));
    // Some rows around the cursor stay visible above the text.
    let max_rows = list.height.saturating_sub(MIN_LIST_ROWS);
    let rows = u16::try_from(lines.len() + 1)
        .unwrap_or(u16::MAX)
        .min(max_rows);
    let inner = text_area.split_bottom(rows).1.split_top(1).1;
    Some(Text {
        down: Action::PageDown,
        ..Text::new(lines, inner)
    })
}

/// Lays out the heading of a group of withdrawals, such as the prepared ones. At the right, the
/// heading states what the group means for the money.
fn group_heading(words: &Catalogue, group: Group) -> Heading {
    let (name, meaning) = match group {
        Group::Open => ("group-open", Some("group-open-money")),
        Group::Prepared => ("group-prepared", Some("group-prepared-money")),
        Group::Decided => ("group-decided", None),
    };
    let name = words.text(name);
    let name = match group {
        Group::Open => symbols::CHECK.span(name),
        Group::Prepared | Group::Decided => Span::of(Role::Strong, name),
    };
    let meaning = meaning.map(|id| words.text(id)).unwrap_or_default();
    Heading {
        name,
        end: Line::of(Role::Dim, meaning),
        ..Heading::default()
    }
}

fn weight(store: &Store, withdrawal: &Withdrawal) -> RowWeight {
    match list_group(store, withdrawal) {
        Group::Open => RowWeight::Strong,
        Group::Prepared => RowWeight::Plain,
        Group::Decided => RowWeight::Done,
    }
}

fn empty_list_lines(store: &Store, width: usize) -> Vec<Line> {
    let list = &store.withdrawals.list;
    let words = store.words();
    if let Some(percent) = store.withdrawals.verified_percent {
        let values = [("percent", &*percent.to_string())];
        return wrapped(
            Role::Dim,
            &words.with("withdrawals-verifying", &values),
            width,
        );
    }
    if list.is_reading() {
        return wrapped(Role::Dim, &words.text("links-not-loaded"), width);
    }
    let key = store.withdrawals.can_begin().then_some(Action::New);
    let message_ids = [
        "withdrawals-empty-title",
        "withdrawals-empty-hint",
        "withdrawals-empty-key",
    ];
    list_pane::none_found(words, (list, true), "withdrawals-none-found", width)
        .unwrap_or_else(|| list_pane::invitation(store.render_cx(), message_ids, key, width))
}

/// The columns of the list. The destination is wide enough for a numeric Pix key and, in a wide
/// list, also for its nickname.
const COLUMNS: [Column<Store, Withdrawal>; 9] = [
    Column::new(5, &[when, short_date, shortest_date]),
    Column {
        is_right: true,
        ..Column::new(0, &[amount])
    },
    Column {
        min_width: 0,
        is_right: true,
        widths: MIN_WIDE_LIST..usize::MAX,
        ..Column::new(2, &[fee])
    },
    Column {
        min_width: 0,
        is_right: true,
        widths: MIN_WIDE_LIST..usize::MAX,
        ..Column::new(3, &[net])
    },
    Column {
        min_width: 18,
        fills: true,
        widths: 0..MIN_WIDE_LIST,
        ..Column::new(4, &[destination])
    },
    Column {
        min_width: 30,
        fills: true,
        widths: MIN_WIDE_LIST..usize::MAX,
        ..Column::new(4, &[destination])
    },
    Column {
        min_width: 12,
        widths: MIN_WIDE_LIST..usize::MAX,
        ..Column::new(6, &[description])
    },
    Column {
        min_width: 8,
        ..Column::new(7, &[operator])
    },
    Column {
        padded_width: 25,
        ..Column::new(1, &[state, short_state])
    },
];

/// The person who prepared the withdrawal, in a team. Otherwise all cells are empty, and the column
/// is not shown.
fn operator(store: &Store, withdrawal: &Withdrawal, room: usize) -> Span {
    let author = withdrawal.prepared_by.as_ref();
    let name = author.map(|author| names::operator(store.words(), author));
    Span::of(Role::Dim, fit(&name.unwrap_or_default(), room))
}

fn amount(_: &Store, withdrawal: &Withdrawal, _: usize) -> Span {
    Span::of(Role::Text, withdrawal.agreement.amount.text())
}

fn fee(store: &Store, withdrawal: &Withdrawal, _: usize) -> Span {
    let fee =
        deducted_quote(store, withdrawal).map(|quote| format!("− {}", quote.fee.format_number()));
    Span::of(Role::Dim, fee.unwrap_or_default())
}

fn net(store: &Store, withdrawal: &Withdrawal, _: usize) -> Span {
    let net =
        deducted_quote(store, withdrawal).map(|quote| format!("= {}", quote.net.format_number()));
    Span::of(Role::Dim, net.unwrap_or_default())
}

/// The fee quote of a withdrawal, unless it is known that no money left: then no fee was deducted.
fn deducted_quote<'w>(store: &Store, withdrawal: &'w Withdrawal) -> Option<&'w Quote> {
    let is_unpaid = matches!(
        store.state_of(withdrawal),
        WithdrawalState::Rejected | WithdrawalState::Discarded | WithdrawalState::ResolvedNotPaid
    );
    withdrawal.agreement.quote.as_ref().filter(|_| !is_unpaid)
}

/// The Pix key with its kind and nickname, in the longest form that fits. The kind is dropped
/// first, because the format of the key already shows it.
fn destination(store: &Store, withdrawal: &Withdrawal, room: usize) -> Span {
    let words = store.words();
    let agreement = &withdrawal.agreement;
    let key = agreement.destination.as_ref();
    let texts: [&dyn Fn() -> Option<CompactString>; 4] = [
        &|| Some(nicknames::destination_text(store, agreement).into()),
        &|| nicknames::bare_with_nickname(store, agreement, room),
        &|| Some(names::destination(words, key).into()),
        &|| nicknames::key_text(words, key).map(CompactString::from),
    ];
    Span::of(
        Role::Text,
        first_fitting(texts.iter().filter_map(|text| text()), room),
    )
}

fn description(store: &Store, withdrawal: &Withdrawal, room: usize) -> Span {
    let text = facts::description_text(store, &withdrawal.agreement).unwrap_or_default();
    Span::of(Role::Text, fit(&text, room))
}

fn state(store: &Store, withdrawal: &Withdrawal, _: usize) -> Span {
    let symbol = symbols::withdrawal(&store.state_of(withdrawal));
    symbol.span(symbol.with_word(store.words(), &store.state_word(withdrawal)))
}

/// The withdrawal's state in one or two words.
fn short_state(store: &Store, withdrawal: &Withdrawal, _: usize) -> Span {
    let state = store.state_of(withdrawal);
    let symbol = symbols::withdrawal(&state);
    symbol.span(symbol.with_word(store.words(), &names::short_state(store.words(), &state)))
}

fn when(store: &Store, withdrawal: &Withdrawal, _: usize) -> Span {
    let time = withdrawal.agreement.agreed.wall;
    Span::of(
        Role::Dim,
        format!(
            "{}, {}",
            store.render_cx().day_of(time),
            store.render_cx().time(time)
        ),
    )
}

/// The time if the withdrawal is from today, otherwise the date.
fn short_date(store: &Store, withdrawal: &Withdrawal, _: usize) -> Span {
    let render = store.render_cx();
    let at = withdrawal.agreement.agreed.wall;
    let is_today = at.local_day(render.utc_offset_s) == render.now.local_day(render.utc_offset_s);
    Span::of(
        Role::Dim,
        if is_today {
            render.time(at)
        } else {
            render.day_of(at).into()
        },
    )
}

/// The date without the year, or the result of `short_date` if that is not longer.
fn shortest_date(store: &Store, withdrawal: &Withdrawal, room: usize) -> Span {
    let render = store.render_cx();
    let short_date = short_date(store, withdrawal, room);
    let date = dates::without_year(
        render.words,
        withdrawal.agreement.agreed.wall,
        render.utc_offset_s,
    );
    match date.filter(|date| columns(date) < short_date.width()) {
        Some(date) => Span::of(Role::Dim, date),
        None => short_date,
    }
}

/// Lays out the text that explains why withdrawals are locked, the most important part first.
fn locked_lines(store: &Store, width: usize) -> Vec<Line> {
    let Some(trouble) = &store.withdrawals.trouble else {
        return network_drive_lines(store, width);
    };
    let FailureText { what, quotes, .. } = failure::journal(store.words(), trouble);
    let mut lines = wrapped(Role::Bad, &store.text("withdrawals-locked"), width);
    lines.extend(wrapped(Role::Bad, &what, width));
    let money = format!(
        "{} {}",
        store.text("withdrawals-locked-money"),
        store.text(open_withdrawals_text_id(store))
    );
    lines.extend(wrapped(Role::Strong, &money, width));
    if let Some(contents) = trouble.contents() {
        lines.extend(contents_lines(store.render_cx(), contents, width));
    }
    for remedy in failure::remedies(store.words(), trouble) {
        lines.extend(wrapped(Role::Text, &remedy, width));
    }
    if store.withdrawals.can_make_live() {
        let key = store.render_cx().first_key(Action::MakeLive);
        let make_live_hint = store.with("make-live-key", &[("key", key)]);
        lines.extend(wrapped(Role::Strong, &make_live_hint, width));
    }
    if !trouble.is_transient() {
        lines.extend(wrapped(Role::Text, &store.text("locked-until"), width));
    }
    let folder = store.journal_path.shown();
    lines.extend(pair(&store.text("locked-folder"), &folder, width));
    for (label, detail) in &quotes {
        lines.extend(pair(label, &detail.shown_within(2 * width), width));
    }
    lines.extend(wrapped(Role::Dim, &store.text("locked-commands"), width));
    lines
}

/// Lays out the text that explains that new withdrawals are not allowed, because the journal is on
/// a network drive.
fn network_drive_lines(store: &Store, width: usize) -> Vec<Line> {
    let Some(network) = store.withdrawals.network else {
        return Vec::new();
    };
    let what = format!(
        "{} ({network})",
        store.text("journal-network").trim_end_matches('.')
    );
    let mut lines = wrapped(Role::Warn, &what, width);
    lines.extend(wrapped(
        Role::Text,
        &store.text("journal-network.way"),
        width,
    ));
    lines.extend(pair(
        &store.text("locked-folder"),
        &store.journal_path.shown(),
        width,
    ));
    lines
}

/// The text id of the sentence about open withdrawals. If the journal could not be read, the
/// sentence makes no claim about them.
fn open_withdrawals_text_id(store: &Store) -> &'static str {
    let withdrawals = &store.withdrawals;
    match (withdrawals.open.is_empty(), withdrawals.was_read) {
        (false, _) => "locked-open",
        (true, true) => "locked-none-open",
        (true, false) => "locked-not-known",
    }
}
