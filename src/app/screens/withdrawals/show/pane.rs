//! Withdrawals: the pane, and the details of one.

use crate::app::Store;
use crate::app::screen::Screen;
use crate::app::screens::withdrawals::WithdrawalsPane;
use crate::app::screens::withdrawals::show::locked;
use crate::app::store::nicknames;
use crate::app::ui::action::Action;
use crate::app::ui::geometry::{self, PaneAreas};
use crate::app::ui::list::{Group, ListLine};
use crate::app::ui::parts::{put, row, rule, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, exactly, fit, right};
use crate::app::ui::{Area, Line, Page, PageItem, Role, Span, lists, mark};
use crate::trade::Withdrawal;
use crate::words::{Words, names};

/// Rows of the list that stay above the words while withdrawals are locked.
const ROWS_KEPT: u16 = 2;

/// The least columns of a state's word and its sign.
const STATE: usize = 25;

/// The ways in which the time of a row is written, each in fewer columns than the one before.
const TIMES: [fn(&Store, &Withdrawal) -> String; 3] = [when, briefly, barely];

/// The least columns in which a part of a key is shown.
const LEAST_KEY: usize = 8;

pub fn areas(body: Area) -> PaneAreas {
    geometry::pane(body, 1, true, |_| 0)
}

pub fn pane(store: &Store, area: Area, page: &mut Page) {
    let areas = areas(area);
    let list = &store.withdrawals.list;
    let count = lists::count(store.words(), list, "withdrawals-count");
    list.field(true).draw(store.words(), &count, areas.top, page);
    if list.page.total == 0 {
        match locked_text(store, area) {
            Some(text) => text.draw(store.reader(), page),
            None => empty(store, areas.list, page),
        }
        return;
    }
    let lines = WithdrawalsPane.rows(store, area).map(|rows| rows.lines).unwrap_or_default();
    lists::row_targets(&lines, areas.list, page);
    put(rows(store, &lines, areas.list), areas.list, page);
    if let (Some(aside), Some(selected)) = (areas.aside, list.selected()) {
        super::outcome::beside(store, selected, aside, page);
    }
    if let Some(text) = locked_text(store, area) {
        let foot = areas.list.split_bottom(text.area.height + 1).1;
        page.items.push(PageItem::Blank(foot));
        rule(foot.row(0), page);
        text.draw(store.reader(), page);
    }
}

/// Lays out the words while withdrawals are locked, or no new one is begun: below the rows, or in
/// their place where there are none.
pub fn locked_text(store: &Store, area: Area) -> Option<Text> {
    if !store.withdrawals.is_locked() {
        return None;
    }
    let list = areas(area).list;
    if store.withdrawals.list.page.total == 0 {
        let inner = list.narrowed(2).readable().split_top(1).1;
        let said = locked::lines(store, usize::from(inner.width));
        return Some(Text::new(said, inner));
    }
    let words = list.narrowed(1).readable();
    let said = locked::lines(store, usize::from(words.width));
    // The rows under the cursor stay in sight above it.
    let most = list.height.saturating_sub(ROWS_KEPT);
    let rows = u16::try_from(said.len() + 1).unwrap_or(u16::MAX).min(most);
    let inner = words.split_bottom(rows).1.split_top(1).1;
    Some(Text { down: Action::PageDown, ..Text::new(said, inner) })
}

fn rows(store: &Store, lines: &[ListLine], area: Area) -> Vec<Line> {
    let list = &store.withdrawals.list;
    let amount = |withdrawal: &Withdrawal| withdrawal.agreement.amount.to_string();
    let shown = lines.iter().filter_map(|line| match line {
        ListLine::Row(n) => lists::row_at(list, *n),
        ListLine::Day(_) | ListLine::Group(_) => None,
    });
    let shown: Vec<_> = shown.collect();
    let widest = |text: &dyn Fn(&Withdrawal) -> String| {
        shown.iter().map(|one| columns(&text(one))).max().unwrap_or(0)
    };
    let money = widest(&amount);
    let width = usize::from(area.width);
    let mark_of = |one: &Withdrawal| mark::withdrawal(&store.state_of(one));
    let state_of = |one: &Withdrawal| mark_of(one).said(&store.state_word(one));
    let key_of =
        |one: &Withdrawal| names::destination(store.words(), one.agreement.destination.as_ref());
    let (state, key) = (widest(&state_of), widest(&key_of));
    // What stands beside the time: the bar, the gaps, and all of the state.
    let beside = 1 + 2 + money + 2 + state;
    let times = TIMES.map(|time_of| widest(&|one| time_of(store, one)));
    let whole_keys = |time: usize| {
        let room = width.saturating_sub(beside + time + 3);
        shown.iter().filter(|one| columns(&key_of(one)) <= room).count()
    };
    // The time gives way to the state, and to the keys that are whole then.
    let is_whole = |time: usize| beside + time <= width;
    let written = match times {
        [long, short, _] if is_whole(long) && whole_keys(long) == whole_keys(short) => 0,
        [_, short, _] if is_whole(short) => 1,
        _ => 2,
    };
    let (time_of, time) = (TIMES[written], times[written] + 2);
    let has_room = beside + time + 1 + key + STATE.saturating_sub(state) <= width;
    let states = if has_room { state.max(STATE) } else { state };
    let row = |n: u64, one: &Withdrawal| {
        let room = width.saturating_sub(1 + time + money + 2 + 2 + states + 1);
        let to = nicknames::to_within(store, &one.agreement, room);
        // A few letters of a key name nobody.
        let to = match room < LEAST_KEY {
            true => String::new(),
            false => format!("{}  ", exactly(&to, room)),
        };
        let left = width.saturating_sub(1 + time + money + 2 + columns(&to)).min(states);
        let spans = vec![
            Span::of(Role::Dim, exactly(&time_of(store, one), time)),
            Span::of(Role::Money, right(&amount(one), money)),
            Span::of(Role::Text, format!("  {to}")),
            mark_of(one).span(fit(&state_of(one), left)),
        ];
        row(n == list.cursor, spans)
    };
    let line = |line: &ListLine| match line {
        ListLine::Row(n) => lists::row_at(list, *n).map(|one| row(*n, one)),
        ListLine::Group(of) => Some(group(store.words(), *of, width)),
        ListLine::Day(_) => None,
    };
    lines.iter().map(|shown| line(shown).unwrap_or_default()).collect()
}

/// Lays out the name of a group, and at the right what it means for the money.
fn group(say: &Words, group: Group, width: usize) -> Line {
    let (name, meaning) = match group {
        Group::Open => ("group-open", Some("group-open-money")),
        Group::Prepared => ("group-prepared", Some("group-prepared-money")),
        Group::Decided => ("group-decided", None),
    };
    let name = say.text(name);
    let shown = format!(" {name}");
    let shown = match group {
        Group::Open => mark::CHECK.span(shown),
        Group::Prepared | Group::Decided => Span::of(Role::Strong, shown),
    };
    let room = width.saturating_sub(columns(&name) + 2);
    let meaning = meaning.map(|id| say.text(id)).unwrap_or_default();
    Line::from(vec![shown, Span::of(Role::Dim, right(&fit(&meaning, room), room))])
}

fn when(store: &Store, withdrawal: &Withdrawal) -> String {
    let at = withdrawal.agreement.agreed.wall;
    format!("{}, {}", store.reader().day_of(at), store.reader().time(at))
}

/// The same in fewer columns: the time of day alone for today, and else the day alone.
fn briefly(store: &Store, withdrawal: &Withdrawal) -> String {
    let (to, at) = (store.reader(), withdrawal.agreement.agreed.wall);
    let is_today = at.local_day(to.utc_offset_s) == to.now.local_day(to.utc_offset_s);
    if is_today { to.time(at).into() } else { to.day_of(at) }
}

/// The same in fewer columns still: without the year, which the details have.
fn barely(store: &Store, withdrawal: &Withdrawal) -> String {
    let said = briefly(store, withdrawal);
    let without_year = said.rsplit_once(['/', ' ']).map(|(day, _)| day.to_owned());
    without_year.unwrap_or(said)
}

fn empty(store: &Store, area: Area, page: &mut Page) {
    let list = &store.withdrawals.list;
    let inner = area.narrowed(2).readable().split_top(1).1;
    let width = usize::from(inner.width);
    let lines = if !list.loaded {
        wrapped(Role::Dim, &store.text("links-not-loaded"), width)
    } else if !list.query.value().is_empty() {
        lists::none_found(
            store.words(),
            "withdrawals-none-found",
            &list.field(true).typed(store.words()),
            width,
        )
    } else {
        let key = store.withdrawals.can_begin().then_some(Action::New);
        let words = ["withdrawals-empty-title", "withdrawals-empty-hint", "withdrawals-empty-key"];
        lists::invitation(store.reader(), words, key, width)
    };
    put(lines, inner, page);
}
